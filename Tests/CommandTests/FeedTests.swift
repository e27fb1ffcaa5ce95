// `run plugins/rss.lua`: a feed that readers take, the same bytes wherever and whenever it is made.

import Foundation
import Testing

@Suite struct FeedTests {
    private func feed(_ arguments: [String] = ["plugins/rss.lua", "programming"]) throws -> Program.Run {
        let run = try Command.run(["run"] + arguments)
        try #require(run.code == 0, "\(run.errors)")
        return run
    }

    @Test("the feed is well-formed XML", .enabled(if: Judge.xmllint != nil || Judge.isCI, "no xmllint"))
    func wellFormed() throws {
        let lint = try Program(try #require(Judge.xmllint), ["--noout", "--nonet", "-"])
            .run(input: .bytes(try feed().data))
        #expect(lint.code == 0 && lint.errors.isEmpty, "\(lint.errors)")
    }

    @Test(
        "feedparser reads the feed without complaint, and finds watch pages",
        .enabled(if: Judge.hasVenv || Judge.isCI, "no feedparser: scripts/setup --tests installs it"))
    func feedparser() throws {
        let code = """
            import feedparser, json, sys
            feed = feedparser.parse(sys.stdin.buffer.read())
            print(json.dumps(dict(bozo=int(feed.bozo), version=feed.version, title=feed.feed.title,
                links=[e.link for e in feed.entries], ids=[e.id for e in feed.entries])))
            """
        struct Reply: Decodable {
            var bozo: Int
            var version: String
            var title: String
            var links: [String]
            var ids: [String]
        }
        let run = try Program(Judge.venv, ["-c", code]).run(input: .bytes(try feed().data))
        try #require(run.code == 0, "\(run.errors)")
        let reply = try JSONDecoder().decode(Reply.self, from: run.data)
        #expect(reply.bozo == 0)
        #expect(reply.version == "rss20")
        #expect(reply.title.contains("sample"))
        #expect(reply.links.count >= 20)
        for link in reply.links {
            #expect(link.wholeMatch(of: /https:\/\/www\.youtube\.com\/watch\?v=[A-Za-z0-9_-]{11}/) != nil, "\(link)")
        }
        #expect(Set(reply.ids).count == reply.links.count)
    }

    @Test(
        "the feed is the same bytes whatever the locale, time zone and folder",
        arguments: [
            [:], ["TZ": "Pacific/Auckland"], ["LC_ALL": "tr_TR.UTF-8"], ["LC_ALL": "C"],
            ["TZ": "America/New_York", "LC_ALL": "de_DE.UTF-8", "LANG": "ja_JP.UTF-8"],
        ])
    func sameBytes(environment: [String: String]) throws {
        let plugin = Command.root.appending(path: "plugins/rss.lua").path
        let expected = try feed().data
        #expect(try Command.run(["run", plugin, "programming"], environment: environment).data == expected)
        let elsewhere = URL(filePath: "/")
        #expect(
            try Command.run(["run", plugin, "programming"], environment: environment, in: elsewhere).data == expected)
        #expect(
            try Command.run(["run", "rss", "programming"], environment: environment, in: elsewhere).data == expected)
    }

    @Test("the feed follows the rules of RSS 2.0", .enabled(if: Judge.judgesWithPython, "no python3"))
    func rules() throws {
        let run = try feed()
        let records = try Record.read(try Command.run(["search", "programming"]))
        let feed = try Judge.feed(run.data)
        #expect(feed.title == "programming - ythost sample library")
        #expect(feed.link?.hasPrefix("https://") == true && feed.description?.isEmpty == false)
        #expect(feed.items.map(\.title) == records.map(\.title))
        #expect(feed.items.map(\.link) == records.map(\.url))
        #expect(feed.items.map(\.guid) == records.map { "yt:video:\($0.id ?? "")" })
        #expect(feed.items.allSatisfy { $0.isPermaLink == "false" })
        #expect(Set(feed.items.map(\.guid)).count == feed.items.count)
        #expect(feed.items.map(\.creator) == records.map { $0.channel?.title })
        for (item, record) in zip(feed.items, records) {
            #expect(item.pubDate == (try record.published.map(Self.rfc822)), "\(record.id ?? "")")
        }
        #expect(!run.output.unicodeScalars.contains { Self.isForbidden($0) })
    }

    /// RFC 822 as RSS wants it, in GMT, made without the command's own calendar.
    private static func rfc822(_ text: String) throws -> String {
        let date = try Date(text, strategy: .iso8601)
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
        let parts = calendar.dateComponents([.weekday, .day, .month, .year, .hour, .minute, .second], from: date)
        let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        return try String(
            format: "%@, %02d %@ %04d %02d:%02d:%02d GMT", days[#require(parts.weekday) - 1], #require(parts.day),
            months[#require(parts.month) - 1], #require(parts.year), #require(parts.hour), #require(parts.minute),
            #require(parts.second))
    }

    /// https://www.w3.org/TR/xml/#charsets
    static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x9, 0xA, 0xD, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: false
        default: true
        }
    }

    @Test("a date is told in GMT, whatever the run's zone", .enabled(if: Judge.judgesWithPython, "no python3"))
    func dates() throws {
        let record = Record(provider: "youtube", id: "abcdefghijk", title: "t", published: "2024-07-01T12:00:00Z")
        let run = try Command.run(
            ["run", "rss", "-", "--tz", "Asia/Tokyo"], input: try Record.lines([record]),
            environment: ["TZ": "Asia/Kolkata"])
        #expect(try Judge.feed(run.data).items.first?.pubDate == "Mon, 01 Jul 2024 12:00:00 GMT")
    }

    @Test(
        "a feed of nothing still says what was searched, and where", .enabled(if: Judge.judgesWithPython, "no python3"))
    func nothing() throws {
        let feed = try Judge.feed(try feed(["rss", "zqxjkvbw"]).data)
        #expect(feed.title == "zqxjkvbw - ythost sample library" && feed.items.isEmpty)
    }

    @Test("a record that comes twice is one item", .enabled(if: Judge.judgesWithPython, "no python3"))
    func twice() throws {
        let records = ["one", "two", "one"].map { Record(provider: "youtube", id: $0, title: $0) }
        let run = try Command.run(["run", "rss", "-"], input: try Record.lines(records))
        #expect(try Judge.feed(run.data).items.map(\.guid) == ["yt:video:one", "yt:video:two"])
    }

    @Test("a record that comes again after thousands of others is still one item")
    func late() throws {
        let records =
            (0..<6_000).map { Record(provider: "other", id: "id\($0)", title: "t") } + [
                Record(provider: "other", id: "id7")
            ]
        let run = try Command.run(["run", "rss", "-"], input: try Record.lines(records))
        #expect(run.output.components(separatedBy: "<item>").count == 6001)
        #expect(run.output.components(separatedBy: "other:video:id7<").count == 2)
    }

    @Test("options name the feed, its page and its own address", .enabled(if: Judge.judgesWithPython, "no python3"))
    func options() throws {
        let run = try feed([
            "rss", "programming", "--title", "A & B", "--link=https://example.org/?a=1&b=2", "--description", "<d>",
            "--self", "https://example.org/feed.xml", "--lang", "en", "--take", "1",
        ])
        let feed = try Judge.feed(run.data)
        #expect(feed.title == "A & B" && feed.link == "https://example.org/?a=1&b=2" && feed.description == "&lt;d&gt;")
        #expect(run.output.contains(#"<atom:link rel="self" type="application/rss+xml""#))
        #expect(feed.items.count == 1)
    }

    @Test("a description in RSS is HTML, and comes back as the text that went in", arguments: ["rss", "podcast"])
    func descriptions(format: String) throws {
        let text = "00:00 Intro\n\nif a<b & c>d\nUse <div> & &amp; in HTML\n<script>alert(1)</script>"
        var record = Record(id: "a", title: "t", description: text)
        record.url = "https://example.org/a.mp3"
        var line = try Record.lines([record])
        line.replace("\"id\"", with: "\"extra\":{\"media\":[{\"url\":\"https://example.org/a.mp3\"}]},\"id\"")
        let run = try Command.run(["run", format, "-"], input: line)
        #expect(
            run.output.contains(
                "<description>00:00 Intro&lt;br&gt;&lt;br&gt;if a&amp;lt;b &amp;amp; c&amp;gt;d&lt;br&gt;Use &amp;lt;div&amp;gt; "
                    + "&amp;amp; &amp;amp;amp; in HTML&lt;br&gt;&amp;lt;script&amp;gt;alert(1)&amp;lt;/script&amp;gt;</description>"
            ),
            "\(run.output)")
        let back = try Record.read(try Command.run(["parse", "-"], input: .bytes(run.data)))
        #expect(back.first?.description == text)
    }
}
