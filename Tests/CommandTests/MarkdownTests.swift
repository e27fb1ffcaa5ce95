// Markdown: what it looks like, and that a reader of Markdown sees titles as they are. Another program's reader judges
// that; without it the rules of the escape alone are tested (EscapeTests).

import Foundation
import Testing

@Suite struct MarkdownTests {
    private static let records = [
        Record(
            provider: "youtube", id: "a", url: "https://example.org/(1)?a=1&copy;=2", title: "A *star* [is] #1",
            channel: .init(title: "C_1"), published: "2024-07-01T12:00:00Z", duration: 3900, views: 3_170_000),
        Record(title: "1. not a list", channel: .init(title: "C_1"), views: 1),
        Record(
            url: "javascript:alert(1)", title: "| a | b |", channel: .init(title: "D"),
            published: "2024-07-02T12:00:00Z"),
    ]

    private func run(_ arguments: [String] = [], _ records: [Record] = records) throws -> String {
        let run = try Command.run(["run", "markdown", "-"] + arguments, input: try Record.lines(records))
        try #require(run.code == 0, "\(run.errors)")
        return run.output
    }

    @Test("a list of links, with what is known")
    func list() throws {
        #expect(
            try run() == ##"""
                # Videos

                - [A \*star\* \[is\] \#1](<https://example.org/(1)?a=1&amp;copy;=2>) · C\_1 · 2024-07-01 · 1:05:00 · 3,170,000 views
                - 1\. not a list · C\_1 · 1 view
                - \| a \| b \| · D · 2024-07-02

                """##)
    }

    @Test("a table, with bars in cells escaped")
    func table() throws {
        #expect(
            try run(["--style", "table", "--columns", "title,duration,views", "--title", ""]) == ##"""
                | Title | Duration | Views |
                | --- | ---: | ---: |
                | [A \*star\* \[is\] \#1](<https://example.org/(1)?a=1&amp;copy;=2>) | 1:05:00 | 3,170,000 |
                | 1\. not a list |  | 1 |
                | \| a \| b \| |  |  |

                """##)
    }

    @Test("headings by channel or by day, in the zone of --tz")
    func groups() throws {
        #expect(
            try run(["--group", "channel", "--style", "numbered", "--title", "T"]).split(separator: "\n").map {
                $0.prefix(8)
            }
                == ["# T", "## C\\_1", "1. [A \\*", "2. 1\\. n", "## D", "1. \\| a "])
        let days = try run(["--group", "day", "--tz", "Pacific/Auckland"])
        #expect(
            days.contains("## 2024-07-02\n\n- [A") && days.contains("## Date unknown\n")
                && days.contains("## 2024-07-03\n"))
    }

    @Test(
        "a reader of Markdown shows every hostile title as text",
        .enabled(if: Judge.hasVenv || Judge.isCI, "no markdown-it-py: scripts/setup --tests installs it"))
    func reader() throws {
        let code = """
            import json, sys
            from markdown_it import MarkdownIt
            reader = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
            tokens = reader.parse(sys.stdin.buffer.read().decode("utf-8"))
            kinds = sorted({t.type for t in tokens} | {c.type for t in tokens for c in t.children or []})
            texts = ["".join(c.content for c in t.children or [])
                for i, t in enumerate(tokens) if t.type == "inline" and tokens[i - 1].type == "paragraph_open"]
            links = [c.attrs["href"] for t in tokens for c in t.children or [] if c.type == "link_open"]
            print(json.dumps(dict(kinds=kinds, texts=texts, links=links)))
            """
        struct Reply: Decodable {
            var kinds: [String]
            var texts: [String]
            var links: [String]
        }
        let records = Hostile.records.filter { $0.title?.isEmpty == false }
        let run = try Program(Judge.venv, ["-c", code]).run(input: .bytes(Data(try run([], records).utf8)))
        try #require(run.code == 0, "\(run.errors)")
        let reply = try JSONDecoder().decode(Reply.self, from: run.data)
        #expect(
            reply.kinds == [
                "bullet_list_close", "bullet_list_open", "heading_close", "heading_open", "inline", "link_close",
                "link_open",
                "list_item_close", "list_item_open", "paragraph_close", "paragraph_open", "text", "text_special",
            ] || reply.kinds.filter { $0 != "text_special" }.count == 12)
        #expect(reply.texts.count == records.count)
        for link in reply.links {
            #expect(link.hasPrefix("https://example.org/") || link.hasPrefix("https://www.youtube.com/"))
        }
        let visible = { (text: String) in text.filter { $0.isLetter || $0.isNumber || "<>&*_[]`|#".contains($0) } }
        for (text, record) in zip(reply.texts, records)
        where record.title?.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value < 0x7F }) == true {
            #expect(visible(text).hasPrefix(visible(record.title ?? "")), "\(record.title?.prefix(60) ?? "")")
        }
    }
}
