// Arrays that are too long to be waited for: their records come as they do from short ones, and faults have their place.

import Testing

@testable import JSON
@testable import VideoFormats
@testable import VideoModel

private func row(_ number: Int) -> String {
    "{\"ythost\":1,\"id\":\"\(number)\",\"title\":\"é \\\" ] } \(number)\",\"description\":\"\(String(repeating: "x", count: 40))\"}"
}

private let rows = (1...30).map(row)

/// The ids in blocks of a size, how many came before the end, and what was wrong.
private func read(_ text: String, by size: Int = 64) throws -> (
    ids: [String?], early: Int, reader: RecordReader, error: FormatError?
) {
    let reader = try RecordReader()
    reader.longestArray = 300
    let bytes = Array(text.utf8)
    var ids: [String?] = []
    var early = 0
    do throws(FormatError) {
        var start = 0
        while start < bytes.count {
            let end = min(start + size, bytes.count)
            ids += try reader.feed(Array(bytes[start..<end])).map(\.id)
            start = end
        }
        early = ids.count
        ids += try reader.finish().map(\.id)
        ids += try reader.finish().map(\.id)
    } catch {
        return (ids, early, reader, error)
    }
    return (ids, early, reader, nil)
}

@Suite struct LongArrayTests {
    @Test(
        "the elements are records, on one line or over many, before the array is there as a whole",
        arguments: [",", "\n,\n  "])
    func elements(comma: String) throws {
        let text = "\u{FEFF}\n [" + rows.joined(separator: comma) + "\n] "
        for size in [1, 2, 7, 64, 1009] {
            let reading = try read(text, by: size)
            #expect(reading.ids == (1...30).map { "\($0)" } && reading.error == nil)
            #expect(reading.reader.kind == "ythost" && reading.reader.skippedCount == 0)
            #expect(reading.early > 10)
        }
    }

    @Test("elements that are no records are left out with their number, and values may follow the array")
    func others() throws {
        let text =
            "[" + rows.joined(separator: ",") + ", 5, \"a, ] b\", null, [1], {}, true]\n" + row(9) + "\n[" + row(8)
            + "]"
        let reading = try read(text)
        #expect(reading.ids.count == 32 && reading.ids.suffix(2) == ["9", "8"] && reading.error == nil)
        #expect(reading.reader.skipped.map(\.place) == (31...36).map { .row($0) })
        let junk =
            "["
            + Array(repeating: "{\"a\":\"" + String(repeating: "b", count: 99) + "\"}", count: 50).joined(
                separator: ",") + "]"
        #expect(try read(junk).error == .unrecognised(considered: RecordReader.formatNames))
    }

    @Test(
        "a fault is where it is in the whole text, and what was before it is there",
        arguments: [
            ",\n {\"id\": tru}]", ",\n \"é\", é {}]", " {}]", ",]", ",", "", ",\n{\"id\":\"", ",\"a", ", 5 5]", ", -]",
            "}",
        ])
    func faults(end: String) throws {
        for comma in [",", ",\n"] {
            let text = "[" + rows.joined(separator: comma) + end
            let reading = try read(text)
            #expect(reading.ids.count == 30)
            guard case .malformed(let error) = reading.error else {
                Issue.record("\(String(describing: reading.error))")
                continue
            }
            let whole = #expect(throws: JSONError.self) { try JSONBatch.document(Array(text.utf8)) }
            #expect(error == whole)
        }
    }
}
