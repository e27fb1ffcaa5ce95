// The bundled lines themselves: their form, which the scanner relies on, and that a newcomer's first words find what
// one expects. Read here without the scanner, so that it cannot hide a line from its own test.

import Testing

@testable import Basics
@testable import VideoServices

private let data: [UInt8] = Array(
    Resource.sample.buffer)
private let lines: [String] = String(decoding: data, as: UTF8.self)
    .split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)

private func part(_ line: String, _ name: String) -> String? {
    guard let start = line.ranges(of: "\"\(name)\":\"").first?.upperBound else { return nil }
    return String(line[start...].prefix { $0 != "\"" })
}

private func tags(_ line: String) -> [String] {
    guard let start = line.ranges(of: "\"tags\":[").first?.upperBound else { return [] }
    return line[start...].prefix { $0 != "]" }.split(separator: ",").map { String($0.dropFirst().dropLast()) }
}

@Suite("The sample library's data")
struct SampleDataTests {
    private func found(_ words: String, _ options: [SearchOption: FieldValue] = [:]) throws -> [String] {
        let page = try SampleService().search(
            SearchQuery(words: words, options: options), limit: 1000, page: nil)
        return String(decoding: page.body, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test("there are 200 lines or more, each ended by a line feed")
    func count() {
        #expect(lines.count >= 200)
        #expect(data.last == UInt8(ascii: "\n"))
        #expect(!lines.contains(""))
    }

    @Test("ids are 11 characters of their alphabet, and no two are the same")
    func identity() {
        let ids = lines.compactMap { part($0, "id") }
        #expect(ids.count == lines.count)
        #expect(Set(ids).count == lines.count)
        for id in ids {
            #expect(id.utf8.count == 11)
            #expect(id.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") })
        }
    }

    @Test("every line has 3 to 8 different tags, plain lower-case words")
    func tagging() {
        for line in lines {
            let tags = tags(line)
            #expect((3...8).contains(tags.count), "\(line)")
            #expect(Set(tags).count == tags.count, "\(line)")
            for tag in tags {
                #expect(!tag.isEmpty && tag.allSatisfy { $0.isASCII && !$0.isUppercase && $0 != "\"" }, "\(line)")
            }
        }
    }

    @Test("keys stand in the library's order, unknown ones left out, no value is empty")
    func form() throws {
        let text = #""(?:[^"\\]|\\["\\])+""#
        let pattern = try Regex(
            #"\{"ythost":1,"provider":"youtube","id":\#(text),"kind":"video","title":\#(text)"#
                + #"(?:,"channel":\{(?:"id":"UC[-_0-9A-Za-z]{22}"(?:,"title":\#(text))?|"title":\#(text))\})?"#
                + #"(?:,"published":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")?(?:,"duration":[1-9]\d*)?"#
                + #","tags":\[\#(text)(?:,\#(text))*\](?:,"language":"[a-z]{2}")?\}"#)
        for line in lines {
            #expect(try pattern.wholeMatch(in: line) != nil, "\(line)")
        }
    }

    @Test("lines are sorted by date, newest first, then by id, unknown dates last")
    func sorted() {
        let keys = lines.map { (part($0, "published") ?? "", part($0, "id") ?? "") }
        for (earlier, later) in zip(keys, keys.dropFirst()) {
            #expect(earlier.0 > later.0 || (earlier.0 == later.0 && earlier.1 < later.1), "\(later)")
        }
    }

    @Test("the scanner reads every line whole")
    func scanned() throws {
        let bytes = data.span
        var scanner = SampleScanner()
        for line in lines {
            guard let row = scanner.next(bytes) else {
                Issue.record("\(line)")
                return
            }
            #expect(String(decoding: data[row.line], as: UTF8.self) == line)
            #expect(bytes.text(row.id) == part(line, "id"))
            #expect(row.language.map { bytes.text($0) } == part(line, "language"))
            #expect((row.published != nil) == line.contains("\"published\":"))
            #expect((row.duration != nil) == line.contains("\"duration\":"))
            #expect((row.channelTitle != nil || row.channelID != nil) == line.contains("\"channel\":"))
            let own = tags(line).map { "\"\($0)\"" }.joined(separator: ",")
            #expect(String(decoding: data[try #require(row.tags)], as: UTF8.self) == own)
        }
        #expect(scanner.next(bytes) == nil)
    }

    @Test("a title's own words, split by `Text`, find it as the quick folding left them")
    func folded() {
        let bytes = data.span
        var scanner = SampleScanner()
        var text = SampleText()
        while let row = scanner.next(bytes) {
            text.read(row, bytes)
            for part in [row.title, row.channelTitle].compactMap({ $0 }) {
                let words = Text.words(bytes.text(part))
                guard !words.isEmpty else { continue }
                let points = text.points(SearchPattern(SearchWords.Term(words: words, quoted: true)))
                #expect(points == (part == row.title ? 6 : 5) || points == 6, "\(words)")
            }
        }
    }

    @Test(
        "the quick folding and `Text` agree on what parts words",
        arguments: Array(0x20...0x7E) + Array(0x2010...0x2027) + [0xA0, 0xC9, 0x3000, 0x4E2D])
    func parting(value: UInt32) throws {
        let scalar = Character(try #require(Unicode.Scalar(value)))
        let title = "x\(scalar)y \(scalar)Z\(scalar)\(scalar) q\(scalar)"
        let escaped = title.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }.joined()
        let bytes = Array(#"{"ythost":1,"provider":"youtube","id":"a","kind":"video","title":"\#(escaped)"}"#.utf8)
        var scanner = SampleScanner()
        var text = SampleText()
        let row = scanner.next(bytes.span)
        text.read(try #require(row), bytes.span)
        let term = SearchWords.Term(words: Text.words(title), quoted: true)
        #expect(text.points(SearchPattern(term)) == 6)
    }

    @Test("programming finds 30 videos or more, 10 or more of an hour or longer")
    func programming() throws {
        let found = try found("programming")
        #expect(found.count >= 30)
        let hours = found.filter { line in
            guard let start = line.ranges(of: "\"duration\":").first?.upperBound else { return false }
            return (Int(line[start...].prefix { $0.isNumber }) ?? 0) >= 3600
        }
        #expect(hours.count >= 10)
    }

    @Test(
        "ordinary words find what one expects",
        arguments: [
            ("physics", 20, "K-Fc08X56R0"), ("space", 20, "d57C2drB_wc"), ("music", 12, "W_jMjwSFgTw"),
            ("cooking", 6, "m1mDXHHOHJ0"), ("python", 80, "_uQrJ0TkZlc"), ("database", 4, "AS9fxvZiMd8"),
            ("history", 14, "w0Wmc8C0Eq0"), ("javascript", 9, "fju9ii8YsGs"), ("black holes", 5, "kOEDG3j1bjs"),
            ("machine learning", 15, "2kT6QOVSgSg"), ("形態素解析", 1, "4ACaASe98Ss"), ("時系列", 1, "k7kE0P0oYUk"),
            ("programacao", 1, "yV3XFWfJ0TE"), ("दाल", 1, "m1mDXHHOHJ0"), ("асинхронность | завтра", 1, "3rSAtD2gKQE"),
            ("토크", 1, "_7Q8p7FcTOM"), ("nasa moon", 4, "nBdjwRmJRbU"), ("animation", 15, "YE7VzlLtp-4"),
        ])
    func ordinary(words: String, least: Int, id: String) throws {
        let found = try found(words)
        #expect(found.count >= least)
        #expect(found.prefix(max(60, least)).contains { part($0, "id") == id })
    }
}
