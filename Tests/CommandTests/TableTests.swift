// The table: what it keeps, how it lines up, and how it fits. YTHOST_UPDATE_GOLDENS=1 rewrites the pictures in Goldens.

import Foundation
import Testing

@Suite struct TableTests {
    @Test(
        "the filter plugin and --where keep the same videos, all of an hour or more",
        arguments: ["programming", "python", "music"])
    func anHour(query: String) throws {
        let plugin = try Command.run(["run", "ids", query, "-p", "plugins/filters/long.lua:min=60m"])
        let expression = try Command.run(["run", "ids", query, "--where", "duration >= 3600"])
        #expect(plugin.code == 0 && expression.code == 0)
        #expect(plugin.output == expression.output)
        let all = try Record.read(try Command.run(["search", query]))
        #expect(plugin.lines == all.filter { ($0.duration ?? 0) >= 3600 }.compactMap(\.id))
        for (run, stage) in [(plugin, "long"), (expression, "--where")] {
            let unknown = all.filter { $0.duration == nil }.count
            let sentence = unknown == 1 ? "1 video" : "\(unknown) videos"
            if unknown > 0 { #expect(run.errors.contains("\(stage) dropped \(sentence) whose duration is unknown")) }
        }
    }

    @Test("the table shows what the filter keeps")
    func table() throws {
        let arguments = ["run", "table", "programming", "-p", "plugins/filters/long.lua:min=60m"]
        let run = try Command.run(arguments)
        let kept = try Record.read(try Command.run(["search"] + arguments.dropFirst(2)))
        #expect(!kept.isEmpty && run.lines.count == kept.count + 1)
        for (line, record) in zip(run.lines.dropFirst(), kept) {
            #expect(line.hasSuffix(record.id ?? "?"))
            #expect(line.contains(Self.clock(record.duration ?? 0)))
        }
    }

    private static func clock(_ seconds: Int) -> String {
        let parts = [seconds / 3600, seconds / 60 % 60, seconds % 60]
        let padded = parts.map { ($0 < 10 ? "0" : "") + "\($0)" }
        return parts[0] > 0 ? "\(parts[0]):\(padded[1]):\(padded[2])" : "\(parts[1]):\(padded[2])"
    }

    /// Titles of a known width in columns, by cluster.
    private static let scripts: [(title: String, width: Int)] = [
        ("plain", 5), ("日本語", 6), ("한국어 제목", 11), ("👨‍👩‍👧‍👦 family", 9), ("👍🏽", 2), ("🇯🇵 flag", 7), ("e\u{301}a\u{308}", 2),
        ("❤️ 1️⃣", 5), ("①", 1), ("ｶﾅ", 2), ("عربي", 4), ("zero\u{200b}width", 9), ("", 1),
    ]

    @Test("columns line up whatever the script")
    func aligned() throws {
        let records = Self.scripts.map { Record(provider: "youtube", id: "x", title: $0.title, views: 7) }
        let run = try Command.run(
            ["run", "table", "-", "--columns", "title,views,id"], input: try Record.lines(records))
        let widest = Self.scripts.map(\.width).max() ?? 0
        #expect(run.lines.count == records.count + 1)
        for (line, (title, width)) in zip(run.lines.dropFirst(), Self.scripts) {
            let shown = title.isEmpty ? "-" : title.replacing("\u{200b}", with: "")
            let expected = shown + String(repeating: " ", count: widest - width) + "      7  x"
            #expect(line.replacing("\u{200b}", with: "") == expected, "\(title)")
        }
    }

    /// Display width by a rule of the tests' own: what Unicode calls wide or emoji is two columns.
    private static func width(_ text: String) -> Int {
        text.reduce(0) { sum, character in
            let scalars = character.unicodeScalars
            guard let first = scalars.first else { return sum }
            if first.properties.generalCategory == .format { return sum }
            let isEmoji = first.properties.isEmojiPresentation || scalars.contains { $0.value == 0xFE0F }
            let wide: [ClosedRange<UInt32>] = [
                0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
                0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD,
            ]
            return sum + (isEmoji || wide.contains { $0.contains(first.value) } ? 2 : 1)
        }
    }

    private static let wide =
        Hostile.records.filter { $0.id != nil && $0.id?.contains("\n") != true }
        + [
            Record(
                provider: "youtube", id: "wide", title: String(repeating: "宽", count: 80), duration: 360_000,
                views: 999_999)
        ]

    @Test("no line is wider than asked, and no number is cut", arguments: [50, 60, 61, 80, 100, 120, 200])
    func fits(width: Int) throws {
        let run = try Command.run(
            ["run", "table", "-", "--columns", "duration,views,title,channel", "--width", "\(width)"],
            input: try Record.lines(Self.wide))
        #expect(run.code == 0)
        for line in run.lines { #expect(Self.width(line) <= width, "\(line)") }
        for (line, record) in zip(run.lines.dropFirst(), Self.wide) {
            if let duration = record.duration { #expect(line.contains(Self.clock(duration))) }
            if record.views == 3_170_000 { #expect(line.contains("3.2M") || line.contains("3,170,000")) }
        }
    }

    @Test(
        "a narrow table leaves out what it can do without, and never the length", arguments: [20, 24, 30, 36, 40, 48])
    func narrow(width: Int) throws {
        let run = try Command.run(["run", "table", "-", "--width", "\(width)"], input: try Record.lines(Self.wide))
        #expect(run.code == 0 && run.lines.count == Self.wide.count + 1)
        for line in run.lines { #expect(Self.width(line) <= width, "\(line)") }
        for (line, record) in zip(run.lines.dropFirst(), Self.wide) {
            if let duration = record.duration { #expect(line.contains(Self.clock(duration)), "\(line)") }
        }
    }

    @Test("columns that were asked for stay, and their numbers, ids and dates stay whole")
    func tooNarrow() throws {
        let record = Record(
            provider: "youtube", id: "abcdefghijk", title: "A title of more than twenty columns",
            published: "2024-07-01T12:00:00Z", duration: 36_000, views: 123_456_789)
        let run = try Command.run(
            ["run", "table", "-", "--width", "20", "--columns", "published,duration,views,title,id"],
            input: try Record.lines([record]))
        for part in ["2024-07-01", "10:00:00", "123M", "abcdefghijk"] {
            #expect(run.lines[1].contains(part), "\(part)")
        }
    }

    @Test("the table looks as drawn", arguments: [40, 60, 80, 120, 200])
    func goldens(width: Int) throws {
        let run = try Command.run(["run", "table", "programming", "--take", "25", "--width", "\(width)"])
        #expect(run.code == 0)
        let file = Command.root.appending(path: "Tests/CommandTests/Goldens/table-\(width).txt")
        if ProcessInfo.processInfo.environment["YTHOST_UPDATE_GOLDENS"] == "1" { try run.data.write(to: file) }
        #expect(run.output == String(decoding: try Data(contentsOf: file), as: UTF8.self))
        for line in run.lines { #expect(Self.width(line) <= width, "\(line)") }
    }

    @Test("counts are grouped where there is room, else short, or as one says")
    func numbers() throws {
        let record = Record(id: "a", title: "Title", views: 3_170_000)
        let shown = { (flags: [String]) in
            let run = try Command.run(
                ["run", "table", "-", "--no-header", "--columns", "views,title"] + flags,
                input: try Record.lines([record]))
            return run.output
        }
        #expect(try shown([]) == "3,170,000  Title\n" && shown(["--width", "20"]) == "3,170,000  Title\n")
        let long = Record(id: "a", title: "A title of more than twenty columns", views: 3_170_000)
        let narrow = try Command.run(
            ["run", "table", "-", "--no-header", "--columns", "views,title", "--width", "20"],
            input: try Record.lines([long]))
        #expect(narrow.output == "3.2M  A title of mo…\n")
        #expect(try shown(["--numbers", "plain"]) == "3170000  Title\n")
        #expect(try shown(["--numbers", "compact"]) == "3.2M  Title\n")
    }

    @Test("headings stand over what belongs to them, in the order it comes")
    func groups() throws {
        let records = [("a", "One"), ("b", "Two"), ("c", "One")].map {
            Record(id: $0, title: $0, channel: .init(title: $1))
        }
        let run = try Command.run(
            ["run", "table", "-", "--columns", "id", "--group", "channel"], input: try Record.lines(records))
        #expect(run.output == "ID\n\nOne\na\nc\n\nTwo\nb\n")
    }

    @Test("rows after the first thousand follow in the same columns, a wider number at the cost of its own title")
    func later() throws {
        let title = String(repeating: "x", count: 40)
        let records =
            (0..<1000).map { _ in Record(id: "a", title: title, views: 12) }
            + [Record(id: "b", title: title, views: 1_234_567), Record(id: "c", title: "short", views: 7)]
        let run = try Command.run(
            ["run", "table", "-", "--columns", "views,title,id", "--width", "40"], input: try Record.lines(records))
        #expect(run.lines.count == 1003 && run.lines.allSatisfy { $0.count <= 40 })
        #expect(run.lines[1] == "   12  \(title.prefix(28))…  a")
        #expect(run.lines[1001] == " 1.2M  \(title.prefix(28))…  b")
        #expect(run.lines[1002].hasSuffix("  c") && run.lines[1002].count == run.lines[1].count)
    }

    @Test("dates are written as one says, in the zone of --tz")
    func dates() throws {
        let record = Record(id: "a", published: "2021-11-28T02:30:00Z")
        let run = { (flags: [String]) in
            try Command.run(
                ["run", "table", "-", "--no-header", "--columns", "published"] + flags,
                input: try Record.lines([record])
            )
            .output
        }
        #expect(try run([]) == "2021-11-28\n" && run(["--tz", "America/New_York"]) == "2021-11-27\n")
        #expect(try run(["--dates", "%d.%m.%Y %H:%M", "--tz", "Europe/Berlin"]) == "28.11.2021 03:30\n")
    }

    @Test("a header can be left out, and unknown columns are named")
    func columns() throws {
        let run = try Command.run(["run", "table", "programming", "--take", "1", "--no-header", "--columns", "id"])
        #expect(run.lines.count == 1 && run.lines[0].count == 11)
        let wrong = try Command.run(["run", "table", "programming", "--columns", "id,titel"])
        #expect(wrong.code != 0 && wrong.output.isEmpty && wrong.errors.contains("did you mean 'title'?"))
    }
}

/// The command on a pseudo-terminal, as `script` of util-linux makes one.
@Suite(.enabled(if: Judge.find("script") != nil || Judge.isCI, "no script of util-linux"))
struct TerminalTests {
    private func onTerminal(_ arguments: String, columns: Int = 80, environment: [String: String] = [:]) throws
        -> Program.Run
    {
        let scratch = try Scratch()
        let command = "stty cols \(columns) rows 24; '\(Command.binary)' \(arguments)"
        return try Program(
            try #require(Judge.find("script")), ["-qec", command, scratch.path("log")],
            environment: ["TERM": "xterm-256color"].merging(environment) { $1 }
        ).run()
    }

    @Test("a terminal gets a table, as wide as it is", arguments: [20, 60, 80, 132, 400])
    func table(columns: Int) throws {
        let run = try onTerminal("search programming -q --take 9", columns: columns)
        #expect(run.code == 0)
        let piped = try Command.run(["run", "table", "programming", "--take", "9", "--width", "\(columns)"])
        #expect(run.output.replacing("\r\n", with: "\n").strippingColors == piped.output)
    }

    @Test(
        "a terminal that wants no colour gets none",
        arguments: [["NO_COLOR": "1"], ["TERM": "dumb"], ["NO_COLOR": "1", "TERM": "dumb"]])
    func noColor(environment: [String: String]) throws {
        let run = try onTerminal("search programming --take 3", environment: environment)
        #expect(run.code == 0 && run.output.contains("TITLE"))
        #expect(!run.output.contains("\u{1b}"))
    }

    @Test("titles are links where the terminal knows links, and their text is where it was")
    func links() throws {
        let plain = try onTerminal("search programming -q --take 3", columns: 100)
        let linked = try onTerminal(
            "search programming -q --take 3", columns: 100, environment: ["FORCE_HYPERLINK": "1"])
        #expect(
            !plain.output.contains("\u{1b}]8") && linked.output.contains("\u{1b}]8;;https://www.youtube.com/watch?v="))
        #expect(linked.output.replacing(/\u{1b}\]8;[^\u{1b}]*\u{1b}\\/, with: "") == plain.output)
        // Each that begins ends in its line, and the mark by which the host knows its own is gone.
        for line in linked.output.split(separator: "\r\n") where line.contains("]8;;h") {
            #expect(line.matches(of: /\u{1b}\]8;;\u{1b}\\/).count == line.matches(of: /\u{1b}\]8;;h/).count)
        }
        #expect(!linked.output.contains("id="))
        for environment in [
            ["NO_COLOR": "1", "FORCE_HYPERLINK": "1"], ["TERM": "dumb", "FORCE_HYPERLINK": "1"],
            ["TERM": "xterm-kitty", "FORCE_HYPERLINK": "0"],
        ] {
            #expect(
                !(try onTerminal("search programming --take 3", environment: environment)).output.contains("\u{1b}]8"))
        }
        #expect(
            try onTerminal("search programming -q --take 3", environment: ["TERM": "xterm-kitty"]).output.contains(
                "\u{1b}]8;;h"))
        #expect(
            !(try onTerminal(
                "search programming -q --take 3", environment: ["TERM": "tmux-256color", "VTE_VERSION": "7000"])).output
                .contains("\u{1b}]8"))
    }

    @Test("a plugin cannot make a link of its own, nor lead one anywhere but to a web page")
    func ownLinks() throws {
        let scratch = try Scratch()
        let plugin = try scratch.file(
            "links.lua",
            #"""
            return { format = function(videos, out)
              out:write("\27]8;;https://evil.example/\27\\bank\27]8;;\27\\", "\27]8;id=1;https://evil.example/\7x\27]8;;\7"):line()
              for _, url in ipairs { "javascript:alert(1)", "https://a.example/\27]8;;https://evil.example/", "data:x", "https://ok.example/" } do
                out:link("text\27[2J", url):line()
              end
              print(out.links)
            end }
            """#)
        let run = try onTerminal("run '\(plugin)' x -q", environment: ["FORCE_HYPERLINK": "1"])
        #expect(!run.output.contains("\u{1b}]8;;https://evil") && !run.output.contains("javascript"))
        #expect(run.output.matches(of: /\u{1b}\]8;;h/).count == 1 && run.output.contains("https://ok.example/"))
        #expect(run.output.contains("true") && run.output.contains("bankx"))
        let piped = try Command.run(["run", plugin, "x", "-q"], environment: ["FORCE_HYPERLINK": "1"])
        #expect(piped.output.hasSuffix("text\ntext\ntext\ntext\nfalse\n"))
    }

    @Test("hostile records cannot steer a terminal")
    func hostile() throws {
        let scratch = try Scratch()
        let file = try scratch.file("hostile.jsonl", try Hostile.lines())
        let run = try onTerminal("parse '\(file)'")
        #expect(run.code == 0)
        let shown = run.output.replacing("\r\n", with: "\n").strippingColors
        #expect(shown.unsafeForTerminal.isEmpty, "\(shown.unsafeForTerminal)")
    }
}

extension String {
    /// Without the sequences that choose colours.
    fileprivate var strippingColors: String { replacing(/\u{1b}\[[0-9;]*m/, with: "") }
}
