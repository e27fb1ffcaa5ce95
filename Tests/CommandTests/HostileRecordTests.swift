// Records as strangers write them, through every shipped format and back through another program's parser. What is
// easily got wrong: data formats (jsonl, csv) keep the bytes, and lines for people and programs (table, ids, urls) do not.

import Foundation
import Testing

/// Records that have broken other programs.
enum Hostile {
    static let long = String(repeating: "0123456789", count: 1000)

    static let titles: [String] = [
        "<script>alert(1)</script> & \"quoted\" 'single' ]]> <!-- -->",
        "<img src=x onerror=alert(1)>",
        "&lt;b&gt; &#39; &amp;amp;",
        "\u{1b}[31mred\u{1b}[0m \u{7} bell \u{1b}]0;title\u{7} \u{9b}31m \u{85} \u{7f}",
        "harmless\u{202e}txt.exe \u{2066}isolated\u{2069} \u{200f}",
        "line one\nline two\r\nline three\ttab\u{2028}separator",
        "nul \u{0} and \u{1d} and \u{fffe}\u{ffff}",
        long,
        String(repeating: "日本語", count: 500),
        "👨‍👩‍👧‍👦 👍🏽 🇯🇵 e\u{301}\u{301}\u{301} ❤️ عربي עברית",
        "=HYPERLINK(\"http://x\",\"y\")", "+1", "-1", "@x",
        "comma, quote \" and\nline", "\"", " leading and trailing ",
        "%s %d {title} ${HOME} $(id) `id` \\n \\",
    ]

    static let addresses: [String] = [
        "javascript:alert(1)", "data:text/html,<script>alert(1)</script>", "JaVaScRiPt:alert(1)", "vbscript:x",
        "file:///etc/passwd", " https://example.org/space", "https://example.org/\u{1b}]0;x\u{7}",
        "https://example.org/\"onmouseover=alert(1)", "https://example.org/?a=1&b=<2>",
        "https://example.org/\nhttps://example.org/two", "//example.org/", "",
    ]

    static let records: [Record] =
        titles.enumerated().map { index, title in
            Record(
                provider: "youtube", id: "title\(index)", url: "https://example.org/\(index)", title: title,
                channel: .init(title: title), published: "2024-07-01T12:00:00Z", duration: 3900, views: 3_170_000,
                description: title)
        }
        + addresses.enumerated().map { index, address in
            Record(provider: "other", id: "address\(index)", url: address, title: "address \(index)")
        }
        + [
            Record(id: "only-an-id"), Record(provider: "youtube", id: "emptytitle", title: ""),
            Record(provider: "other", id: "id\nwith\u{1b}[2Jcontrols", title: "bad id"),
            Record(title: "nothing but a title"), Record(),
        ]

    static func lines() throws -> String { try Record.lines(records) }
}

@Suite struct HostileRecordTests {
    private func run(_ format: String, _ records: [Record] = Hostile.records, _ more: [String] = []) throws
        -> Program.Run
    {
        let run = try Command.run(["run", format, "-"] + more, input: try Record.lines(records))
        try #require(run.code == 0, "\(run.errors)")
        return run
    }

    @Test("JSON Lines keep every text as it was")
    func jsonl() throws {
        let back = try Record.read(try run("jsonl"))
        #expect(back.count == Hostile.records.count)
        for (one, other) in zip(Hostile.records, back) {
            #expect(other.id == one.id && other.published == one.published && other.views == one.views)
            #expect(other.title == (one.title == "" ? nil : one.title))
            #expect(other.channel?.title == one.channel?.title)
            #expect(other.description == one.description)
            if one.url?.isEmpty == false { #expect(other.url == one.url) }
        }
    }

    @Test("JSON Lines that were read give the same JSON Lines")
    func fixedPoint() throws {
        let once = try run("jsonl")
        #expect(try Command.run(["run", "jsonl", "-"], input: once.output).data == once.data)
    }

    @Test("CSV gives back every text", .enabled(if: Judge.judgesWithPython, "no python3"))
    func csv() throws {
        // Python's reader takes no NUL, which CSV has no way to escape.
        let records = Hostile.records.filter { $0.title?.contains("\0") != true }
        let run = try run("csv", records, ["--columns", "id,title,channel,published,duration,views,description"])
        let rows = try Judge.csv(run.data)
        #expect(rows.first == ["id", "title", "channel", "published", "duration", "views", "description"])
        #expect(rows.count == records.count + 1)
        for (row, record) in zip(rows.dropFirst(), records) {
            #expect(
                row == [
                    record.id ?? "", record.title ?? "", record.channel?.title ?? "", record.published ?? "",
                    record.duration.map(String.init) ?? "", record.views.map(String.init) ?? "",
                    record.description ?? "",
                ])
        }
    }

    @Test("CSV for spreadsheets begins no cell like a formula", .enabled(if: Judge.judgesWithPython, "no python3"))
    func spreadsheet() throws {
        let rows = try Judge.csv(
            try run("csv", Hostile.records.filter { $0.title?.contains("\0") != true }, ["--spreadsheet"]).data)
        for row in rows { #expect(!["=", "@", "\t", "\r"].contains(row[1].prefix(1)), "\(row[1].prefix(40))") }
        let ids = try run("csv", [Record(id: "-wNyEUrxzFU", title: "=1")], ["--spreadsheet"])
        #expect(ids.lines[1].hasPrefix("-wNyEUrxzFU,'=1,"))
    }

    @Test(
        "another separator and a byte order mark stand where they are asked for",
        arguments: [
            (["--separator", "semicolon"], "id;title\r\na;\"x;y\"\r\n"),
            (["--separator", "tab", "--bom"], "\u{FEFF}id\ttitle\r\na\tx;y\r\n"),
            (["--bom", "--no-header"], "\u{FEFF}a,x;y\r\n"),
            (["--separator", "semicolon", "--spreadsheet"], "id;title\r\na;\"x;y\"\r\n"),
        ])
    func separators(flags: [String], right: String) throws {
        let run = try run("csv", [Record(id: "a", title: "x;y")], ["--columns", "id,title"] + flags)
        #expect(run.data == Data(right.utf8), "\(run.output.debugDescription)")
    }

    @Test(
        "RSS is well-formed and keeps every text but what XML cannot hold",
        .enabled(if: Judge.judgesWithPython, "no python3"))
    func rss() throws {
        let run = try run("rss")
        #expect(!run.output.unicodeScalars.contains { FeedTests.isForbidden($0) })
        let feed = try Judge.feed(run.data)
        let items = Dictionary(feed.items.map { ($0.title ?? "", $0) }) { one, _ in one }
        for title in Hostile.titles {
            let item = items[FeedRuleTests.kept(title)]
            #expect(item != nil, "\(title.prefix(60).debugDescription)")
            #expect(item?.creator == item?.title)
            let lines = item?.title?.replacingOccurrences(of: "\r\n", with: "\n")
            #expect(
                FeedRuleTests.text(ofHTML: item?.description) == lines?.replacingOccurrences(of: "\r", with: "\n"))
        }
        for item in feed.items {
            #expect(item.title?.isEmpty == false)
            if let link = item.link {
                #expect(link.hasPrefix("https://example.org/") || link.hasPrefix("https://www.youtube.com/"), "\(link)")
            }
        }
        #expect(Set(feed.items.compactMap(\.guid)).count == feed.items.compactMap(\.guid).count)
    }

    @Test("no control character and no bidi override reaches a terminal", arguments: ["table", "ids", "urls"])
    func controls(format: String) throws {
        let run = try run(format)
        #expect(run.output.unsafeForTerminal.isEmpty, "\(run.output.unsafeForTerminal)")
        #expect(run.output.hasSuffix("\n"))
    }

    @Test("a table has a line a record, an id list a line an id")
    func lineCounts() throws {
        #expect(try run("table").lines.count == Hostile.records.count + 1)
        #expect(try run("ids").lines.count == Hostile.records.filter { $0.id != nil }.count)
    }

    @Test("urls are web addresses, one a line")
    func urls() throws {
        let lines = try run("urls").lines
        #expect(lines.count >= Hostile.titles.count)
        for line in lines { #expect(line.wholeMatch(of: /https?:\/\/\S+/) != nil, "\(line)") }
        #expect(lines.filter { $0.contains("two") }.isEmpty)
    }

    @Test("--print keeps to one line, without control characters")
    func printed() throws {
        let run = try Command.run(
            ["run", "plugins/filters/words.lua", "-", "--print", "{id}|{title}|{channel}|{url}"],
            input: try Hostile.lines())
        #expect(run.code == 0, "\(run.errors)")
        #expect(run.lines.count == Hostile.records.count)
        #expect(run.output.unsafeForTerminal.isEmpty)
    }

    @Test("messages about hostile records and plugins are fit for a terminal")
    func messages() throws {
        let scratch = try Scratch()
        let plugin = try scratch.file(
            "bad.lua", "return { map = function(v) error('\\27[2J' .. v.title .. '\\u{202e}') end } -- \u{1b}[31m")
        let run = try Command.run(["run", plugin, "-"], input: try Hostile.lines())
        #expect(run.code == 1 && run.output.isEmpty)
        #expect(run.errors.unsafeForTerminal.isEmpty, "\(run.errors.debugDescription)")
    }

    @Test(
        "no record at all is a valid document",
        arguments: [
            ("table", ""), ("jsonl", ""), ("ids", ""), ("urls", ""), ("rss", nil), ("html", nil),
            ("csv", "id,title,channel,published,duration,views,url\r\n"),
        ] as [(String, String?)])
    func empty(format: String, expected: String?) throws {
        let run = try Command.run(["run", format, "-"], input: "")
        #expect(run.code == 0)
        #expect(run.errors == "ythost: nothing matched\n")
        if let expected { #expect(run.output == expected) }
        if format == "rss", Judge.python != nil { #expect(try Judge.feed(run.data).items.isEmpty) }
        if format == "html" { #expect(run.output.hasPrefix("<!DOCTYPE html>") && run.output.hasSuffix("</html>\n")) }
    }
}
