// Every format that comes with ythost: the same bytes everywhere, hostile and empty input, and the options people ask for.

import Foundation
import Testing

@Suite struct FormatTests {
    static let all = [
        "atom", "card", "csv", "embed", "html", "ids", "jsonfeed", "jsonl", "m3u", "markdown", "opml", "podcast", "rss",
        "table",
        "urls",
    ]

    private func run(_ arguments: [String], _ input: String, environment: [String: String] = [:]) throws -> Program.Run
    {
        let run = try Command.run(["run"] + arguments, input: input, environment: environment)
        try #require(run.code == 0, "\(run.errors)")
        return run
    }

    @Test("no shipped format is missing from these tests")
    func complete() throws {
        let listed = try Command.run(["plugin", "list"])
        for format in Self.all { #expect(listed.output.contains(format), "\(format)") }
        let folder = Command.root.appending(path: "plugins")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".lua") }
        #expect(files.map { String($0.dropLast(4)) }.sorted() == Self.all)
    }

    @Test(
        "a format gives the same bytes twice, in any locale and time zone", arguments: all,
        [
            ["LC_ALL": "C", "TZ": "Pacific/Auckland"], ["LC_ALL": "tr_TR.UTF-8", "TZ": "America/New_York"],
            ["LC_ALL": "ja_JP.UTF-8", "LANG": "de_DE.UTF-8", "TZ": "Asia/Kolkata", "TERM": "dumb", "NO_COLOR": "1"],
        ])
    func sameBytes(format: String, environment: [String: String]) throws {
        let input = FeedRuleTests.rich + (try Hostile.lines())
        let expected = try run([format, "-"], input)
        #expect(try run([format, "-"], input).data == expected.data)
        #expect(try run([format, "-"], input, environment: environment).data == expected.data)
    }

    @Test("bytes that are no text come out as UTF-8", arguments: all)
    func invalid(format: String) throws {
        let scratch = try Scratch()
        let plugin = try scratch.file(
            "bad.lua",
            #"return { map = function(v) v.title = "a\xff\xc3(b" v.channel = {title = "\xed\xa0\x80c"} return v end }"#)
        let run = try run([format, "-", "-p", plugin], FeedRuleTests.rich)
        #expect(String(validating: run.data, as: UTF8.self) != nil)
        #expect(!run.data.isEmpty)
    }

    @Test("only http and https addresses come out", arguments: all.filter { !["csv", "jsonl", "table"].contains($0) })
    func addresses(format: String) throws {
        let run = try run([format, "-"], try Hostile.lines())
        for scheme in ["javascript:", "vbscript:", "data:text", "file:///"] {
            let text = run.output.lowercased()
            #expect(!text.contains("\"\(scheme)") && !text.contains("(\(scheme)") && !text.contains(">\(scheme)"))
            #expect(!text.split(separator: "\n").contains { $0.hasPrefix(scheme) })
        }
    }

    @Test("a record with nothing but an id is in every format that can hold it", arguments: all)
    func onlyID(format: String) throws {
        let run = try run([format, "-"], "{\"ythost\":1,\"id\":\"only-an-id\"}\n")
        if ["embed", "opml", "podcast", "m3u", "urls"].contains(format) {
            #expect(!run.output.contains("only-an-id"))
        } else {
            #expect(run.output.contains("only-an-id"))
        }
    }

    @Test(
        "nothing is a whole document",
        arguments: [
            ("m3u", "#EXTM3U\n#PLAYLIST:Videos\n"), ("markdown", "# Videos\n\n"),
            ("opml", nil), ("podcast", nil), ("atom", nil), ("jsonfeed", nil),
        ] as [(String, String?)])
    func empty(format: String, expected: String?) throws {
        let run = try run([format, "-"], "")
        #expect(run.errors == "ythost: nothing matched\n")
        if let expected { #expect(run.output == expected) }
        #expect(run.output.hasSuffix("\n"))
    }

    @Test("the suffix of a file chooses its format", arguments: ["a.atom", "a.m3u8", "a.md", "a.opml"])
    func suffixes(name: String) throws {
        let scratch = try Scratch()
        _ = try run(["long", "programming", "-o", scratch.path(name)], "")
        let beginnings = ["atom": "<?xml", "m3u8": "#EXTM3U", "md": "# programming", "opml": "<?xml"]
        let suffix = String(name.dropFirst(2))
        #expect(try scratch.text(name).hasPrefix(beginnings[suffix] ?? "?"))
    }

    // MARK: M3U

    @Test("a playlist has a length, a title on one line, and an address for each")
    func m3u() throws {
        let records = [
            Record(
                url: "https://example.org/1", title: "Test 123, part 14\nmore", channel: .init(title: "C"),
                duration: 295),
            Record(url: "https://example.org/2", title: "#EXTM3U"),
            Record(id: "without", title: "without an address"),
        ]
        let input = try Record.lines(records)
        #expect(
            try run(["m3u", "-", "--title", "A\nB"], input).output == """
                #EXTM3U
                #PLAYLIST:A B
                #EXTINF:295,Test 123, part 14 more
                https://example.org/1
                #EXTINF:-1,#EXTM3U
                https://example.org/2

                """)
        #expect(try run(["m3u", "-", "--channels"], input).output.contains("#EXTINF:295,C - Test 123, part 14 more\n"))
        let files = try run(["m3u", "-", "--files"], FeedRuleTests.rich).output
        #expect(files.contains("#EXTINF:61,One\nhttps://example.org/1.ogg\n"))
        #expect(files.contains("#EXTINF:-1,Two\nhttps://example.org/2.mp4\n"))
    }

    @Test("each line of a playlist is a comment or an address, whatever titles are")
    func hostileM3U() throws {
        for line in try run(["m3u", "-", "--channels"], try Hostile.lines()).lines {
            #expect(
                line.hasPrefix("#EXT") || line.hasPrefix("#PLAYLIST:") || line.wholeMatch(of: /https?:\/\/\S+/) != nil,
                "\(line.prefix(80))")
            #expect(line.unsafeForTerminal.isEmpty)
        }
    }

    // MARK: CSV, addresses

    @Test("columns of CSV may be parts, dates written in any way, and the header left out")
    func csv() throws {
        let run = try run(
            [
                "csv", "-", "--columns", "channel.id,extra.episode,published", "--dates", "%d.%m.%Y", "--no-header",
                "--take", "1",
            ],
            FeedRuleTests.rich)
        #expect(run.output == "UCsXVk37bltHxD1rDPwtNM8Q,7,01.07.2024\r\n")
        let zoned = try Command.run(
            [
                "run", "csv", "-", "--columns", "published", "--dates", "date", "--tz", "America/New_York",
                "--no-header",
            ],
            input: #"{"ythost":1,"published":"2021-11-28T02:30:00Z"}"# + "\n")
        #expect(zoned.output == "2021-11-27\r\n")
    }

    @Test(
        "a column or a date that cannot be written is told before anything is",
        arguments: [
            (["csv", "-", "--columns", "id,titel"], "did you mean 'title'?"),
            (["csv", "-", "--columns", "channel.name"], "there are channel.id, channel.title and channel.url"),
            (["csv", "-", "--columns", ""], "--columns: name at least one field"),
            (["csv", "-", "--dates", "iso"], "'iso' is no way to write a time"),
            (["table", "-", "--columns", "channel.nmae"], "there is no column 'channel.nmae'"),
            (["markdown", "-", "--style", "tabel"], "did you mean 'table'?"),
            (["markdown", "-", "--columns", "id,titel"], "did you mean 'title'?"),
            (["html", "-", "--thumbnails", "all"], "'all' is not one of embed, none, remote"),
        ])
    func wrong(arguments: [String], says: String) throws {
        let run = try Command.run(["run"] + arguments, input: FeedRuleTests.rich)
        #expect(run.code == 2 && run.output.isEmpty)
        #expect(run.errors.contains(says) && !run.errors.contains(".lua"), "\(run.errors)")
    }

    @Test(
        "addresses of every kind",
        arguments: [
            ("page", "https://www.youtube.com/watch?v=abcdefghijk"), ("short", "https://youtu.be/abcdefghijk"),
            ("embed", "https://www.youtube-nocookie.com/embed/abcdefghijk"), ("file", "https://example.org/2.mp4"),
            ("picture", "https://example.org/1.jpg"),
        ])
    func urls(address: String, expected: String) throws {
        #expect(try run(["urls", "-", "--address", address], FeedRuleTests.rich).lines.contains(expected))
    }
}
