// What stands between bytes and values: packing, forms of Unicode, and values that follow each other.

import Testing

@testable import VideoFormats
@testable import VideoModel

private let a = #"{"ythost":1,"id":"a","title":"é😀"}"#
private let b = #"{"ythost":1,"id":"b"}"#

/// `printf '{"ythost":1,"id":"z"}\n' | gzip -n9`
private let packed: [UInt8] = [
    0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xAB, 0x56, 0xAA, 0x2C, 0xC9, 0xC8, 0x2F, 0x2E, 0x51,
    0xB2, 0x32, 0xD4, 0x51, 0xCA, 0x4C, 0x51, 0xB2, 0x52, 0xAA, 0x52, 0xAA, 0xE5, 0x02, 0x00, 0x66, 0x13, 0xB1, 0xD7,
    0x16, 0x00, 0x00, 0x00,
]

/// Gzip data of stored blocks, which need no compressor.
private func gzip(_ bytes: [UInt8]) -> [UInt8] {
    var packed: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
    var rest = bytes[...]
    repeat {
        let block = rest.prefix(0xFFFF)
        rest = rest.dropFirst(block.count)
        let count = UInt16(block.count)
        packed += [
            rest.isEmpty ? 1 : 0, UInt8(count & 0xFF), UInt8(count >> 8), UInt8(~count & 0xFF), UInt8(~count >> 8),
        ]
        packed += block
    } while !rest.isEmpty
    var sum = UInt32.max
    for byte in bytes {
        sum ^= UInt32(byte)
        for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
    }
    for word in [~sum, UInt32(bytes.count)] { packed += (0..<4).map { UInt8(word >> (8 * $0) & 0xFF) } }
    return packed
}

private func utf16(_ text: String, bigEndian: Bool, mark: Bool) -> [UInt8] {
    let units = (mark ? [0xFEFF] : []) + Array(text.utf16)
    return units.flatMap { bigEndian ? [UInt8($0 >> 8), UInt8($0 & 0xFF)] : [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
}

private struct Reading: Equatable {
    var ids: [String?] = []
    var titles: [String?] = []
    var skipped: [String] = []
    var error: String?
}

private func read(_ input: [UInt8], by size: Int = .max, as name: String? = nil) -> Reading {
    var reading = Reading()
    do {
        let reader = try RecordReader(as: name)
        defer { reading.skipped = reader.skipped.map(\.description) }
        func take(_ videos: [Video]) {
            reading.ids += videos.map(\.id)
            reading.titles += videos.map(\.title)
        }
        var start = 0
        while start < input.count {
            let end = start + min(size, input.count - start)
            take(try reader.feed(Array(input[start..<end])))
            while reader.hasMore { take(try reader.more()) }
            start = end
        }
        take(try reader.finish())
        _ = try reader.finish()
    } catch {
        reading.error = error.description
    }
    return reading
}

@Suite struct InputDecodingTests {
    @Test("packed input is unpacked, in blocks of any size, whatever is in it")
    func packedInput() {
        let lines = Array("\(a)\n\(b)\n".utf8)
        let document = Array("{\n\"items\": [{\"id\":{\"videoId\":\"hhhhhhhhhhh\"}}]\n}".utf8)
        for input in [
            gzip(lines), gzip(document), gzip([]), packed, gzip(lines) + packed + [0, 0, 0], gzip([]) + packed,
        ] {
            let whole = read(input)
            #expect(whole.error == nil)
            for size in 1...40 { #expect(read(input, by: size) == whole, "blocks of \(size)") }
        }
        #expect(read(packed).ids == ["z"] && read(gzip(lines)).ids == ["a", "b"])
        #expect(read(gzip(document)).ids == ["hhhhhhhhhhh"])
        #expect(read(gzip(lines) + packed).ids == ["a", "b", "z"])
        #expect(read(gzip(lines), as: "ythost").ids == ["a", "b"])
    }

    @Test("damaged packed input is an error after the records before the damage")
    func damaged() {
        let input = gzip(Array("\(a)\n\(b)\n".utf8))
        for cut in 1..<input.count {
            let reading = read(Array(input[..<cut]))
            #expect(reading.error != nil, "cut after \(cut)")
            if cut > 3 { #expect(reading.error == "the gzip data is damaged: it is cut off after byte \(cut)") }
        }
        var wrong = input
        wrong[wrong.count - 6] ^= 1
        #expect(read(wrong).error == "the gzip data is damaged: incorrect data check (about byte \(wrong.count - 4))")
        wrong = input
        wrong[10] = 7
        #expect(read(wrong).error?.hasPrefix("the gzip data is damaged: invalid block type") == true)
        #expect(
            read(input + Array("tail".utf8)).error
                == "the gzip data is damaged: something else follows the compressed data (byte \(input.count))")
        #expect(read(input + [0] + input).error?.contains("something else follows") == true)
    }

    @Test("a little input that unpacks to very much comes in portions")
    func portions() throws {
        let reader = try RecordReader()
        var bytes: [UInt8] = []
        for index in 0..<20_000 { bytes += Array("{\"ythost\":1,\"id\":\"\(index)\",\"views\":0}\n".utf8) }
        var count = try reader.feed(gzip(bytes)).count
        #expect(reader.hasMore && count < 10_000)
        while reader.hasMore { count += try reader.more().count }
        #expect(try count + reader.finish().count == 20_000)
    }

    @Test("UTF-16 is read in either order, with or without a mark", arguments: [true, false], [true, false])
    func utf16Input(bigEndian: Bool, mark: Bool) {
        for text in ["\(a)\n\(b)\n", "[\(a),\n\(b)]", "\(a)\(b)"] {
            let input = utf16(text, bigEndian: bigEndian, mark: mark)
            for size in Array(1...9) + [.max] {
                let reading = read(input, by: size)
                #expect(reading.ids == ["a", "b"] && reading.titles == ["é😀", nil] && reading.error == nil)
            }
            #expect(read(gzip(input), as: "ythost").ids == ["a", "b"])
        }
        let cut = utf16("\(a)\n\(b)", bigEndian: bigEndian, mark: mark).dropLast()
        #expect(read(Array(cut)).ids == ["a"])
        #expect(read(Array(cut)).skipped.count == 1)
    }

    @Test(
        "values that follow each other are read, on one line or over many",
        arguments: [
            "\(a)\(b)", "\(a) \(b)", "\(a)\(b)\n",
            "{\n\"ythost\":1,\n\"id\":\"a\",\"title\":\"é😀\"}\n{\n\"ythost\":1,\n\"id\":\"b\"\n}\n",
            "\u{1E}\(a)\n\u{1E}\(b)\n", "\n\n[\n\(a)]\n[\(b)\n]", "\(a)\(b)\n\n \n",
            "{\n\"ythost\":1,\"id\":\"a\",\"title\":\"é😀\",\"extra\":{\"x\":\"}]\\\"\\\\\"}}\(b)",
        ])
    func values(text: String) {
        for size in Array(1...30) + [.max] {
            let reading = read(Array(text.utf8), by: size)
            #expect(reading.ids == ["a", "b"] && reading.titles == ["é😀", nil], "blocks of \(size): \(reading)")
            #expect(reading.skipped == [] && reading.error == nil)
        }
    }

    @Test("a bad value among others is skipped with its place, and what is cut off too")
    func badValues() {
        let reading = read(Array("{\n\"ythost\":1,\"id\":\"a\"}\n{\n \"ythost\": 1,}\n}5\n\(b)\n{\n\"ythost\":1,".utf8))
        #expect(reading.ids == ["a", "b"])
        #expect(
            reading.skipped == [
                "line 4: column 14: expected a name in quotes, found '}'",
                "line 5: column 1: expected a value, found '}'",
                "line 8: column 12: the text ends before the value does",
            ])
        #expect(reading.error == nil)
    }

    @Test("a row that simdjson refuses is mended, one that is not JSON is skipped with its column")
    func mendedRows() {
        let text = [
            a, #"{"ythost":1,"id":"s","title":"\ud83d!"}"#,
            #"{"ythost":1,"id":"n","extra":{"n":99999999999999999999}}"#,
            #"{"ythost":1,"id":"\ud83d",}"#, b,
        ].joined(separator: "\n")
        for size in [1, 7, .max] {
            let reading = read(Array(text.utf8), by: size)
            #expect(reading.ids == ["a", "s", "n", "b"] && reading.titles[1] == "\u{FFFD}!")
            #expect(reading.skipped == ["line 4: column 27: expected a name in quotes, found '}'"])
        }
    }

    @Test("a record of a later version among others is left out with its line")
    func laterVersion() {
        let reading = read(Array("\(a)\n{\"ythost\":2}\n\(b)".utf8))
        #expect(reading.ids == ["a", "b"])
        #expect(
            reading.skipped == [
                "line 2: written by a later ythost (format version 2); update ythost to read it"
            ])
    }

    @Test("hostile input is an error or skipped rows, never a record that was made up")
    func hostile() {
        let deep = String(repeating: "[", count: 100_000)
        for text in [deep, deep + "\n", "{\"items\":\(deep)}", String(repeating: "{\"a\":", count: 100_000)] {
            #expect(read(Array(text.utf8)).error?.contains("nested more than 1023 levels deep") == true)
        }
        #expect(
            read(Array("\(a)\n\(deep)\n\(b)\n".utf8)).skipped == [
                "line 2: column 1024: nested more than 1023 levels deep"
            ])
        #expect(read([UInt8](repeating: 0, count: 5_000)).error?.hasPrefix("this is no format") == true)
        #expect(read(Array(a.utf8) + [0, 0x0A] + Array(b.utf8)).ids.contains("b"))
        let latin1 = Array(#"{"ythost":1,"id":"c","title":"caf"#.utf8) + [0xE9] + Array("\"}".utf8)
        let mixed = read(Array("\(a)\n".utf8) + latin1 + [0x0A] + Array(b.utf8))
        #expect(mixed.ids == ["a", "b"] && mixed.skipped == ["line 2: column 34: not valid UTF-8"])
        #expect(read(Array(a.utf8.dropLast(3))).error?.contains("the text ends before the value does") == true)
    }
}
