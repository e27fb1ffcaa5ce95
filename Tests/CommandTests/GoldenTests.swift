// What formats write, kept in Goldens: a change shows there. YTHOST_UPDATE_GOLDENS=1 rewrites them.

import Foundation
import Testing

/// Outputs that are kept.
enum Golden {
    static func expect(_ output: Data, is name: String) throws {
        let file = Command.root.appending(path: "Tests/CommandTests/Goldens/\(name)")
        if ProcessInfo.processInfo.environment["YTHOST_UPDATE_GOLDENS"] == "1" { try output.write(to: file) }
        #expect(String(decoding: output, as: UTF8.self) == String(decoding: try Data(contentsOf: file), as: UTF8.self))
    }
}

@Suite struct GoldenTests {
    @Test(
        "formats write what is kept of them",
        arguments: [
            ("atom", "atom"), ("csv", "csv"), ("ids", "txt"), ("jsonfeed", "json"), ("jsonl", "jsonl"), ("m3u", "m3u"),
            ("markdown", "md"), ("opml", "opml"), ("podcast", "rss"), ("rss", "rss"), ("urls", "txt"),
        ])
    func formats(format: String, suffix: String) throws {
        let run = try Command.run(["run", format, "-"], input: FeedRuleTests.rich)
        try #require(run.code == 0, "\(run.errors)")
        try Golden.expect(run.data, is: "\(format).\(suffix)")
    }

    @Test("the body of the page is what is kept of it")
    func page() throws {
        let run = try Command.run(["run", "html", "-", "--group", "channel"], input: FeedRuleTests.rich)
        try #require(run.code == 0, "\(run.errors)")
        let body = try #require(run.output.firstMatch(of: /<body>[\s\S]*<\/main>/)).output
        try Golden.expect(Data("\(body)\n".utf8), is: "html.html")
    }

    /// Titles in scripts that terminals show in one, two or no columns a character.
    private static let scripts = [
        ("Plain words", "Channel"), ("日本語でわかる量子コンピュータ入門：基礎から応用まで", "編集部チャンネル"),
        ("量子计算机是如何工作的？一个完整的解释", "科学频道"), ("한국어로 배우는 스위프트 동시성 프로그래밍", "코딩"),
        ("👨‍👩‍👧‍👦 family 👍🏽 thumbs 🇯🇵 flag ❤️ heart 🌌", "Emoji 🎬"), ("מבוא לתכנות בשפת Lua: חלק ראשון", "ערוץ"),
        ("تعلم البرمجة من الصفر: الدرس الأول", "قناة العلوم"),
        ("e\u{301}te\u{301} a\u{308}o\u{308}u\u{308} Z\u{30D}\u{30D}algo", "Ünï"),
        ("ｶﾀｶﾅ half and ｆｕｌｌ width", "Ｗｉｄｅ"), ("Việt Nam: tiếng Việt có dấu", "Kênh"), ("Ελληνικά και Кириллица", "Ж"),
        ("I Ching ䷀䷁䷂䷃䷄䷅ ☰☱☲☳", "易"), ("រៀនភាសាខ្មែរ ស្ត្រីនៅសង្គ្រាម", "ខ្មែរ"), ("ꦲꦏ꧀ꦱꦫꦗꦮ ᬅᬓ᭄ᬱᬭᬩᬮᬶ", "ꦗꦮ"),
    ]

    private static func table(_ width: Int) throws -> Program.Run {
        let records = scripts.enumerated().map { index, row in
            Record(
                provider: "youtube", id: "id\(100_000_000 + index)", title: row.0, channel: .init(title: row.1),
                duration: [59, 3900, 36_000, nil][index % 4], views: [950, 3_170_000, nil][index % 3])
        }
        return try Command.run(
            ["run", "table", "-", "--columns", "duration,views,title,channel,id", "--width", "\(width)"],
            input: try Record.lines(records))
    }

    @Test("a table in many scripts is what is kept of it", arguments: [50, 60, 80, 120, 200])
    func scripts(width: Int) throws {
        let run = try Self.table(width)
        try #require(run.code == 0, "\(run.errors)")
        try Golden.expect(run.data, is: "scripts-\(width).txt")
    }

    @Test(
        "every line of a table is as wide as the others, as wcwidth 0.9.4 measures",
        .enabled(if: Judge.hasVenv || Judge.isCI, "no wcwidth: scripts/setup --tests installs it"),
        arguments: [50, 60, 80, 120, 200])
    func wcwidth(width: Int) throws {
        let code = """
            import json, sys, wcwidth
            lines = sys.stdin.buffer.read().decode("utf-8").split("\\n")[:-1]
            print(json.dumps([wcwidth.wcswidth(line) for line in lines]))
            """
        let run = try Program(Judge.venv, ["-c", code]).run(input: .bytes(try Self.table(width).data))
        try #require(run.code == 0, "\(run.errors)")
        let widths = try JSONDecoder().decode([Int].self, from: run.data)
        #expect(widths.count == Self.scripts.count + 1)
        // The id comes last and is of one length, so all lines but the heading end in the same column.
        #expect(Set(widths.dropFirst()).count == 1 && (widths.max() ?? .max) <= width, "\(widths)")
    }
}
