// Inputs that end in their middle or have a fault in it: the good records before the fault come first.

import Testing

@testable import VideoFormats
@testable import VideoModel

private func part(_ text: String, as name: String? = nil) throws -> (titles: [String?], fault: String?) {
    let (videos, fault) = try RecordReader(as: name).part(of: Array(text.utf8))
    return (videos.map { $0.title ?? $0.id }, fault?.description)
}

@Suite struct PartialDocumentTests {
    private static let feed = """
        {"version":"https://jsonfeed.org/version/1.1","title":"F","items":[{"id":"1","title":"One","authors":[{"name":"A"}]},
        {"id":"2","title":"Two","authors":[{"name":"B"}],"tags":["x"]},{"id":"3","authors":[{"name":"C"}],"title":"Thr
        """

    @Test("a JSON Feed that is cut off gives the items that are whole, then the fault")
    func jsonFeed() throws {
        let cut = try part(Self.feed)
        #expect(cut.titles == ["One", "Two"] && cut.fault?.hasPrefix("not JSON: line 2") == true, "\(cut)")
        #expect(throws: FormatError.self) { try RecordReader.read(Array(Self.feed.utf8)) }
        let bad = try part(Self.feed.replacing("\"tags\":[\"x\"]", with: "\"tags\":[x]") + "ee\"}]}")
        #expect(bad.titles == ["One"] && bad.fault?.contains("line 2") == true, "\(bad)")
    }

    @Test("every place where a list of records is cut gives a beginning of the records and no half of one")
    func everywhere() throws {
        let documents = [
            Self.feed,
            #"{"total":2,"data":[{"uuid":"u1","name":"One","channel":{},"tags":["a"]},{"uuid":"u2","name":"Two","channel":{}}"#,
            #"[{"id":"a","extractor":"x","title":"One","thumbnails":[{"url":"https://x.example/"}]},{"id":"b","extractor":"x","title":"Two"}"#,
        ]
        for document in documents {
            for length in 1..<document.utf8.count {
                let reader = try RecordReader()
                let bytes = Array(document.utf8.prefix(length))
                guard let found = try? reader.part(of: bytes) else { continue }
                #expect(found.fault != nil)
                #expect(["One", "Two"].starts(with: found.videos.map { $0.title ?? "" }), "\(length): \(found.videos)")
            }
        }
    }

    @Test("a record that is cut off is none, whatever lists in it are whole")
    func halfRecord() {
        let texts = [
            #"{"uri":"/videos/1","name":"One","tags":[{"name":"a"}],"link":"https://vim"#,
            #"{"id":"a","extractor":"x","title":"One","formats":[{"url":"https://x.example/"}],"ti"#,
        ]
        for text in texts { #expect(throws: FormatError.self) { try part(text) } }
    }

    @Test("a row of a table before a quote that does not end is given")
    func table() throws {
        let found = try part(
            """
            Channel Id,Channel Url,Channel Title
            UCYO_jab_esuFRV4b17AJtAw,http://www.youtube.com/channel/UCYO_jab_esuFRV4b17AJtAw,One
            UCYO_jab_esuFRV4b17AJtAx,"http://www.youtube.com/channel/UCYO_jab_esuFRV4b17AJtAx,Two
            """)
        #expect(found.titles == ["One"] && found.fault?.contains("line 3, column 26") == true, "\(found)")
    }

    @Test("a JSON Feed whose version was to come behind where it is cut is one")
    func withoutVersion() throws {
        let found = try part(
            #"{"feed_url":"https://x.example/feed.json","title":"F","items":[{"id":"1","title":"One"},{"id":"2","#)
        #expect(found.titles == ["One"])
    }
}
