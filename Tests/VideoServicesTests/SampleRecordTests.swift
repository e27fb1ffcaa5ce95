// Records that are read from the library's lines without JSON's parser are the records that JSON gives.

import Testing

@testable import VideoFormats
@testable import VideoModel
@testable import VideoServices

@Suite struct SampleRecordTests {
    private func expectSame(_ lines: [UInt8], sourceLocation: SourceLocation = #_sourceLocation) throws {
        let page = SearchPage(body: lines, format: "ythost")
        let (read, parsed) = (try page.records(), try RecordReader.read(lines, as: "ythost"))
        #expect(read.count == parsed.count, sourceLocation: sourceLocation)
        for (own, other) in zip(read, parsed) {
            for field in VideoField.allCases {
                #expect(own[field] == other[field], "\(field.name)", sourceLocation: sourceLocation)
            }
            #expect(own.extra == other.extra, sourceLocation: sourceLocation)
        }
    }

    @Test("every field of every record of the library")
    func library() throws {
        let bytes = Resource.sample.bytes
        #expect(SampleLines(bytes)?.rows.count ?? 0 >= 200)
        try expectSame(bytes)
    }

    private static let start = #"{"ythost":1,"provider":"youtube","id":"a","kind":"video","title":"#

    @Test(
        "lines of the form",
        arguments: [
            #""x"}"#, #"""}"#, #""a \"b\" \\ é音"}"#, #""x","channel":{"id":"UC1","title":"\\"}}"#,
            #""x","channel":{"id":""}}"#, #""x","channel":{"title":"t"},"published":"2024-02-29T23:59:59Z"}"#,
            #""x","published":"2023-02-29T00:00:00Z"}"#, #""x","published":"2023-01-01T24:00:00Z"}"#,
            #""x","published":"2023-01-01 00:00:00z"}"#, #""x","duration":0,"tags":["a","","\"c\"","d,e"]}"#,
            #""x","duration":999999999999999999,"language":""}"#, #""x","tags":["]"],"language":"de"}"#,
        ])
    func forms(rest: String) throws {
        let line = Array((Self.start + rest).utf8)
        #expect(SampleLines(line)?.rows.count == 1)
        try expectSame(line)
        #expect(SampleLines(line + [0x0A] + line + [0x0A])?.rows.count == 2)
        try expectSame(line + [0x0A] + line)
    }

    @Test(
        "lines of any other form are left to JSON's parser",
        arguments: [
            #""x" }"#, #""\u0041"}"#, #""a\nb"}"#, "\"a\u{1}\"}", #""x","tags":[]}"#, #""x","tags":["a",]}"#,
            #""x","tags":["a""b"]}"#, #""x","channel":{}}"#, #""x","channel":{,}}"#, #""x","channel":{"id":"a",}}"#,
            #""x","duration":01}"#, #""x","duration":1.5}"#, #""x","duration":-1}"#, #""x","views":1}"#, #""x"}}"#,
            #""x"} {"#, #""x","duration":1234567890123456789}"#, #""x"} "#,
        ])
    func others(rest: String) {
        let line = Array((Self.start + rest).utf8)
        #expect(SampleLines(line) == nil)
        #expect(SampleLines(Array((Self.start + "\"x\"}\n").utf8) + line) == nil)
    }

    @Test("bytes that are no text are left to JSON's parser")
    func invalid() {
        #expect(SampleLines(Array(Self.start.utf8) + [0x22, 0xFF, 0x22, 0x7D]) == nil)
        #expect(SampleLines([0x0A]) == nil)
        #expect(SampleLines([])?.rows.count == 0)
    }
}
