// The reader: what an input is, in whatever pieces it comes.

import Testing

@testable import Basics
@testable import JSON
@testable import Markup
@testable import VideoFormats
@testable import VideoModel

private let a = #"{"ythost":1,"id":"a"}"#
private let b = #"{"ythost":1,"id":"b"}"#
private let hit = #"{"id":{"videoId":"hhhhhhhhhhh"},"snippet":{"title":"t"}}"#
private let reply = #"{"kind":"youtube#searchListResponse","items":[\#(hit),{"id":{"channelId":"UC1"}}]}"#
private let pretty = "{\n  \"items\": [\n    \(hit)\n  ]\n}\n"

private struct Reading: Equatable {
    var ids: [String?] = []
    var format: String?
    var skipped: [String] = []
    var count = 0
    var error: String?
}

/// Reads the input in blocks of a size.
private func read(_ input: [UInt8], by size: Int = .max, as name: String? = nil, strict: Bool = false) -> Reading {
    var reading = Reading()
    do {
        let reader = try RecordReader(as: name, strict: strict)
        defer {
            reading.format = reader.format?.name
            reading.skipped = reader.skipped.map(\.description)
            reading.count = reader.skippedCount
        }
        var start = 0
        while start < input.count {
            let end = start + min(size, input.count - start)
            reading.ids += try reader.feed(Array(input[start..<end])).map(\.id)
            start = end
        }
        reading.ids += try reader.finish().map(\.id)
        _ = try reader.finish()
    } catch {
        reading.error = error.description
    }
    return reading
}

private func read(_ input: String, as name: String? = nil, strict: Bool = false) -> Reading {
    read(bytes(input), as: name, strict: strict)
}

@Suite struct RecordReaderTests {
    @Test(
        "the layout is found out",
        arguments: [
            ("", []), (" \n\r\n", []), (a, ["a"]), (a + "\n", ["a"]), ("\n\n \(a)\r\n\n\(b)\r\n", ["a", "b"]),
            ("\u{FEFF}\(a)\n\(b)", ["a", "b"]), (reply, ["hhhhhhhhhhh", "UC1"]),
            ("\(reply)\n\(reply)\n", ["hhhhhhhhhhh", "UC1", "hhhhhhhhhhh", "UC1"]), (pretty, ["hhhhhhhhhhh"]),
            ("\u{FEFF}\n\(pretty)", ["hhhhhhhhhhh"]), ("[\n\(hit)\n]", ["hhhhhhhhhhh"]),
            ("[\(a),\(hit)]", ["a", "hhhhhhhhhhh"]),
            ("[\(reply),\(reply)]", ["hhhhhhhhhhh", "UC1", "hhhhhhhhhhh", "UC1"]),
            ("{\"items\":[\n\(hit)\n]}", ["hhhhhhhhhhh"]),
            ("\(a)\n\(hit)\n\(reply)", ["a", "hhhhhhhhhhh", "hhhhhhhhhhh", "UC1"]),
        ] as [(String, [String])])
    func layout(input: String, ids: [String]) {
        let reading = read(input)
        #expect(reading.ids == ids)
        #expect(reading.error == nil)
        #expect(reading.count == 0)
    }

    @Test(
        "blocks of any size give the same",
        arguments: [
            "\u{FEFF}\n\(a)\r\n\n\(b)", "\(a)\nbad\n\(b)\n{\"cut", "bad\n\(a)\n\(b)", "\(reply)\n\(a)\n{}\n", pretty,
            "{\"items\": [\n  1,,\n]}", "{\n\"items\": [1", "not json at all", "<?xml?>\n<a/>\n", "[\n\(a),\n\(b)]",
            "\(a)\n{\"ythost\":2}\n\(b)", "{\"a\":1\n\(a)\n\(b)\n", "é\u{FEFF}", "{\"error\":{\"message\":\"m\"}}",
        ])
    func chunks(input: String) {
        for strict in [false, true] {
            let whole = read(bytes(input), strict: strict)
            for size in 1...min(input.utf8.count, 40) {
                #expect(read(bytes(input), by: size, strict: strict) == whole, "blocks of \(size)")
            }
        }
    }

    @Test("a bad line is skipped and counted, with its line and reason")
    func badLines() {
        let reading = read("\(a)\n\n{\"ythost\":1,}\n\(b)\nnull\n{\"id\":\"cut off")
        #expect(reading.ids == ["a", "b"])
        #expect(
            reading.skipped == [
                "line 3: column 13: expected a name in quotes, found '}'",
                "line 5: no record of a format that is read here: \(RecordFormat.all.map(\.name).joined(separator: ", "))",
                "line 6: column 15: the text ends before the value does",
            ])
    }

    @Test("with strict a bad line is an error that names it, after the records before it")
    func strict() {
        let reading = read("\(a)\n\n{\"ythost\":1,}\n\(b)\n", strict: true)
        #expect(reading.ids == ["a"])
        #expect(reading.error == "line 3: column 13: expected a name in quotes, found '}'")
        #expect(read("\(a)\n{\"views\":1}\n", strict: true).error?.hasPrefix("line 2: no record") == true)
        #expect(
            read("\(a)\n{\"ythost\":1,\"views\":\"many\"}\n", strict: true).error
                == #"line 2: views: cannot read "many" at "views" as a whole number"#)
    }

    @Test("a bad first line is skipped when the second is a record")
    func badFirstLine() {
        for bad in ["oops", "{\"a\":1", "{\"a\":\"cut"] {
            let reading = read("\(bad)\n\(a)\n\(b)\n")
            #expect(reading.ids == ["a", "b"])
            #expect(reading.count == 1)
        }
    }

    @Test("skipped records are counted, the first of them kept")
    func manySkipped() {
        let reading = read("\(a)\n" + String(repeating: "bad\n", count: 250))
        #expect(reading.count == 250)
        #expect(reading.skipped.count == RecordReader.skippedKept)
    }

    @Test(
        "a bad document is an error with its place",
        arguments: [
            ("{\"items\": [\n  {\"id\" 1}\n]}", "not JSON: line 2, column 9 (byte 20): expected a colon, found '1'"),
            ("\u{FEFF}{\"items\":", "not JSON: line 1, column 10 (byte 12): the text ends before the value does"),
            ("{\"items\":[}]", "not JSON: line 1, column 11 (byte 10): expected a value, found '}'"),
            (
                String(repeating: "[", count: 100_000),
                "not JSON: line 1, column 1024 (byte 1023): nested more than 1023 levels deep"
            ),
        ])
    func badDocument(input: String, words: String) {
        #expect(read(input) == Reading(error: words))
    }

    @Test("100,000 levels on a line are a skipped line")
    func deepLine() {
        let reading = read("\(a)\n" + String(repeating: "{\"a\":", count: 100_000) + "\n\(b)\n")
        #expect(reading.ids == ["a", "b"])
        #expect(reading.skipped == ["line 2: column 5116: nested more than 1023 levels deep"])
    }

    @Test(
        "what nobody knows is an error that names what was considered",
        arguments: [
            "{}", "5", "\"a\"", "[1,2]", "{\"version\":\"https://example.org/feed\",\"items\":[{}]}", "<svg/>",
            "a,b\n1,2\n",
        ])
    func unrecognised(input: String) {
        #expect(
            read(input).error == "this is no format that is read here; considered: "
                + RecordReader.formatNames.joined(separator: ", "))
        #expect(read(input, as: "youtube").error == "this is no format that is read here; considered: youtube")
    }

    @Test("a named format reads nothing else")
    func named() {
        #expect(read(a, as: "ythost").ids == ["a"])
        #expect(read("\(hit)\n\(a)\n", as: "youtube").count == 1)
        #expect(
            read(a, as: "betamax").error == "there is no format \"betamax\"; there are: "
                + RecordReader.formatNames.joined(separator: ", "))
    }

    @Test("a format of one's own reads what its mapping says")
    func own() throws {
        let mapping = try (["id": FieldRule("key", required: true)] as Mapping).compiled()
        let reader = RecordReader(RecordFormat(name: "mine", rows: "list.0", mapping: mapping))
        let found = try reader.feed(bytes(#"{"list":[[{"key":"a"},{"no":1},5,{"key":"b"}]]}"#)) + reader.finish()
        #expect(found.map(\.id) == ["a", "b"])
        #expect(reader.skipped.map(\.description) == ["record 2: id: nothing at \"key\"", "record 3: no mine record"])
        let plain = RecordReader(RecordFormat(name: "mine", mapping: mapping))
        #expect(try (plain.feed(bytes("{\"key\":\"a\"}\n{\"key\":\"b\"}")) + plain.finish()).map(\.id) == ["a", "b"])
    }

    @Test("long inputs are read in blocks, and records outlive them")
    func blocks() throws {
        let reader = try RecordReader()
        var kept: [Video] = []
        let long = String(repeating: "x", count: 300_000)
        for index in 0..<3_000 {
            kept += try reader.feed(
                bytes("{\"ythost\":1,\"id\":\"\(index)\",\"title\":\"\(index) \(index == 5 ? long : "")\"}\n"))
        }
        kept += try reader.finish()
        #expect(kept.map(\.id) == (0..<3_000).map(String.init))
        #expect(kept[5].title?.utf8.count == 300_002)
        #expect(kept[2_999].title == "2999 ")
        #expect(reader.format?.name == "ythost")
    }

    @Test("records are read from many threads while blocks are taken and given back")
    func threads() async throws {
        let reader = try RecordReader()
        await withTaskGroup(of: Bool.self) { group in
            for round in 0..<50 {
                let lines = (0..<100).map { "{\"ythost\":1,\"id\":\"\(round) \($0)\"}\n" }.joined()
                let videos = (try? reader.feed(bytes(lines))) ?? []
                group.addTask { videos.enumerated().allSatisfy { $1.id == "\(round) \($0)" } && videos.count == 100 }
            }
            for await isRight in group { #expect(isRight) }
        }
    }

    // MARK: - What is not JSON

    /// Lines of ids under a first line that says so; a blank line among them is bad, a "!" ends it all.
    private static let list = DocumentFormat(
        name: "list", summary: "", largest: 100,
        recognises: { head in
            let sign = bytes("ids\n")
            return head.text.count >= sign.count ? head.text.starts(with: sign) : nil
        },
        read: { document, records throws(FormatError) in
            let text = UnicodeEncoding.found(in: document.bytes)?.utf8(document.bytes, isWhole: true) ?? document.bytes
            for (index, line) in text.split(separator: 10, omittingEmptySubsequences: false).enumerated().dropFirst() {
                if line == [33] { throw .badDocument(format: "list", line: index + 1, column: 1, reason: "a mark") }
                if line.isEmpty {
                    records.skip(.line(index + 1), "nothing")
                } else {
                    records.add(Video([.id: .text((document.base ?? "") + String(decoding: line, as: UTF8.self))]))
                }
            }
        })

    private func readList(_ input: [UInt8], by size: Int, base: String? = nil) throws -> Reading {
        let reader = RecordReader(candidates: RecordFormat.all, documents: [Self.list], strict: false)
        reader.base = base
        var reading = Reading()
        for start in stride(from: 0, to: input.count, by: size) {
            reading.ids += try reader.feed(Array(input[start..<min(start + size, input.count)])).map(\.id)
        }
        reading.ids += try reader.finish().map(\.id)
        reading.format = reader.kind
        reading.skipped = reader.skipped.map(\.description)
        reading.count = reader.skippedCount
        return reading
    }

    @Test(
        "an input that is not JSON is recognised in whatever pieces and form of Unicode it comes",
        arguments: [1, 2, 3, 99])
    func documents(size: Int) throws {
        let text = "ids\nä\n\n😀"
        let expected = Reading(ids: ["ä", "😀"], format: "list", skipped: ["line 3: nothing"], count: 1)
        #expect(try readList(bytes(text), by: size) == expected)
        #expect(try readList([0xEF, 0xBB, 0xBF] + bytes(text), by: size) == expected)
        let units = Array(text.utf16)
        for mark in [[], [0xFEFF]] as [[UInt16]] {
            #expect(try readList((mark + units).flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }, by: size) == expected)
            #expect(try readList((mark + units).flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }, by: size) == expected)
        }
        #expect(try readList(bytes("ids\na"), by: size, base: "x:").ids == ["x:a"])
    }

    @Test("what no document format takes is read as JSON", arguments: [1, 3, 99])
    func notDocuments(size: Int) throws {
        #expect(try readList(bytes("\n\(a)\n\(b)"), by: size).ids == ["a", "b"])
        #expect(try readList(bytes("broken\n\(b)\n"), by: size).ids == ["b"])
        let error = #expect(throws: FormatError.self) { try readList(bytes("id"), by: size) }
        #expect(error == .unrecognised(considered: RecordFormat.all.map(\.name) + ["list"]))
    }

    @Test("a bad document and a too large one are errors; a format that is named is not asked")
    func badDocuments() throws {
        #expect(throws: FormatError.badDocument(format: "list", line: 2, column: 1, reason: "a mark")) {
            try readList(bytes("ids\n!\na\n"), by: 9)
        }
        let marked = RecordReader(candidates: [], documents: [Self.list], strict: false)
        #expect(try (marked.feed(bytes("ids\na\n!\n")) + marked.finish()).map(\.id) == ["a"])
        #expect(throws: FormatError.self) { try marked.finish() }
        #expect(throws: FormatError.tooLarge(limit: 100)) {
            try readList(bytes("ids\n" + String(repeating: "a", count: 100)), by: 9)
        }
        let reader = RecordReader(Self.list)
        #expect(try (reader.feed(bytes("anything\na")) + reader.finish()).map(\.id) == ["a"])
        let strict = RecordReader(candidates: [], documents: [Self.list], strict: true)
        #expect(throws: FormatError.badRecord(.line(2), reason: "nothing")) {
            try strict.feed(bytes("ids\n\n")) + strict.finish()
        }
    }
}
