// What reaches a terminal: text and plain colours, however the bytes are cut into blocks.

import Testing

@testable import Gate

@Suite struct TerminalFilterTests {
    static let rows: [(input: [UInt8], output: String)] = [
        (Array("plain\ttext\n".utf8), "plain\ttext\n"),
        (
            Array("\u{1B}[31mred\u{1B}[0m \u{1B}[1;38;5;208mx\u{1B}[m".utf8),
            "\u{1B}[31mred\u{1B}[0m \u{1B}[1;38;5;208mx\u{1B}[m"
        ),
        (Array("\u{1B}[2J\u{1B}[H\u{1B}[?1049hx".utf8), "x"),
        (Array("\u{1B}[>4;2mx\u{1B}[?5mx".utf8), "xx"),
        (Array("\u{1B}]0;title\u{07}x\u{1B}]8;;http://x\u{1B}\\y".utf8), "xy"),
        (Array("\u{1B}Pdevice\u{1B}\\x\u{1B}_app\u{1B}\\y".utf8), "xy"),
        (Array("\u{1B}cx\u{1B}(0y".utf8), "xy"),
        (Array("a\rb\u{08}c\u{07}d\u{7F}e\u{0}".utf8), "abcde"),
        (Array("a\u{9B}31mb\u{85}c".utf8), "a31mbc"),
        ([0x61, 0x9B, 0x62, 0xFF, 0xC3, 0x63], "a\u{FFFD}b\u{FFFD}\u{FFFD}c"),
        (Array("a\u{202E}b\u{2066}c\u{200F}é日本👍".utf8), "abc\u{200F}é日本👍"),
        ([0xED, 0xA0, 0x80, 0xC0, 0xAF, 0x78], "\u{FFFD}\u{FFFD}\u{FFFD}x"),
        (Array("\u{1B}[31".utf8) + Array(repeating: UInt8(ascii: "1"), count: 200) + Array("mx".utf8), "mx"),
    ]

    @Test("only text, line ends, tabs and plain colours pass", arguments: rows)
    func whole(input: [UInt8], output: String) {
        var filter = TerminalFilter()
        let text = String(decoding: filter.filter(input), as: UTF8.self)
        #expect(text == output || text.hasSuffix(output) && input.count > 200)
    }

    @Test(
        "colours and links that nobody ended are ended with the output",
        arguments: [
            ("\u{1B}[31mred", "\u{1B}[0m"), ("\u{1B}[31mred\u{1B}[0m", ""), ("\u{1B}[1mx\u{1B}[m", ""), ("plain", ""),
            ("\u{1B}[0;1mx", "\u{1B}[0m"), ("\u{1B}]8;id=m1;https://x.example/\u{1B}\\a", "\u{1B}]8;;\u{1B}\\"),
        ])
    func ending(input: String, rest: String) {
        var filter = TerminalFilter(linkMark: Self.mark)
        _ = filter.filter(Array(input.utf8))
        #expect(String(decoding: filter.ending(), as: UTF8.self) == rest)
        #expect(filter.ending().isEmpty)
    }

    private static let mark = "m1"
    /// Links, with what is made of them where the mark is known.
    static let linkRows: [(input: String, output: String)] = [
        (
            "\u{1B}]8;id=m1;https://x.example/\u{1B}\\a\u{1B}]8;id=m1;\u{1B}\\b",
            "\u{1B}]8;;https://x.example/\u{1B}\\a\u{1B}]8;;\u{1B}\\b"
        ),
        // Without the mark, or with another.
        ("\u{1B}]8;;https://x.example/\u{1B}\\a\u{1B}]8;;\u{1B}\\b", "ab"),
        ("\u{1B}]8;id=m2;https://x.example/\u{1B}\\a", "a"),
        ("\u{1B}]8;id=;https://x.example/\u{1B}\\a", "a"),
        // What leads to no web page, or would need escaping.
        ("\u{1B}]8;id=m1;javascript:alert(1)\u{1B}\\a", "a"),
        ("\u{1B}]8;id=m1;https://x.example/\u{202E}\u{1B}\\a", "a"),
        // Not ended as the host ends it, or too long.
        ("\u{1B}]8;id=m1;https://x.example/\u{7}a", "a"),
        ("\u{1B}]8;id=m1;https://x.example/" + String(repeating: "x", count: 9000) + "\u{1B}\\a", "a"),
        // One that goes on over a line's end, or is followed by another.
        ("\u{1B}]8;id=m1;https://x.example/\u{1B}\\a\nb", "\u{1B}]8;;https://x.example/\u{1B}\\a\u{1B}]8;;\u{1B}\\\nb"),
        (
            "\u{1B}]8;id=m1;https://x.example/\u{1B}\\a\u{1B}]8;id=m1;https://y.example/\u{1B}\\b\n",
            "\u{1B}]8;;https://x.example/\u{1B}\\a\u{1B}]8;;\u{1B}\\\u{1B}]8;;https://y.example/\u{1B}\\b\u{1B}]8;;\u{1B}\\\n"
        ),
        // Another command, or a string of another kind that looks like a link.
        ("\u{1B}]0;id=m1;https://x.example/\u{1B}\\a", "a"), ("\u{1B}P]8;id=m1;https://x.example/\u{1B}\\a", "a"),
    ]

    @Test("only links that bear the mark pass, and without it", arguments: linkRows)
    func links(input: String, output: String) {
        var whole = TerminalFilter(linkMark: Self.mark)
        #expect(String(decoding: whole.filter(Array(input.utf8)), as: UTF8.self) == output)
        var parts = TerminalFilter(linkMark: Self.mark)
        #expect(String(decoding: input.utf8.flatMap { parts.filter([$0]) }, as: UTF8.self) == output)
        // A terminal that knows no links gets none.
        var none = TerminalFilter()
        #expect(!none.filter(Array(input.utf8)).contains(0x1B))
    }

    @Test("marks are long, and never the same")
    func marks() {
        let marks = (0..<100).map { _ in TerminalLink.newMark() }
        #expect(Set(marks).count == 100 && marks.allSatisfy { $0.count > 15 })
    }

    @Test("the same comes out wherever the bytes are cut", arguments: rows)
    func cut(input: [UInt8], output: String) {
        var whole = TerminalFilter()
        let expected = whole.filter(input)
        var parts = TerminalFilter()
        #expect(input.flatMap { parts.filter([$0]) } == expected)
    }
}
