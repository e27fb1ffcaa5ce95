// Feeds by the rules of validators: Judges/feedrules.py has them, one sentence each. What is easily got wrong is the judge:
// so it is shown broken feeds, too, and has to find what is wrong with them.

import Foundation
import Testing

@Suite(.enabled(if: Judge.judgesWithPython, "no python3"))
struct FeedRuleTests {
    /// What the rules find in a feed.
    static func complaints(_ feed: Data, _ kind: String) throws -> [String] {
        let rules = Command.root.appending(path: "Tests/CommandTests/Judges/feedrules.py").path
        let run = try Program(try #require(Judge.python), [rules, kind], environment: ["PYTHONUTF8": "1"])
            .run(input: .bytes(feed))
        try #require(run.code == 0, "\(run.errors)")
        return try JSONDecoder().decode([String].self, from: run.data)
    }

    /// Every flag that makes a feed complete.
    private static let flags: [String: [String]] = [
        "rss": ["--self", "https://example.org/feed.xml", "--lang", "en"],
        "atom": ["--self", "https://example.org/feed.xml", "--lang", "en"],
        "jsonfeed": ["--self", "https://example.org/feed.json", "--lang", "en"],
        "podcast": [
            "--self", "https://example.org/feed.xml", "--lang", "en", "--genre", "Education", "--author", "A & B",
            "--mail", "a@example.org", "--cover", "https://example.org/c.jpg",
        ],
        "opml": [],
    ]
    static let kinds = flags.keys.sorted()

    /// Records with all that feeds can tell: files, pictures, key words, changes, folders.
    static let rich = """
        {"ythost":1,"provider":"feed","id":"one","kind":"video","url":"https://example.org/1","title":"One","channel":{"id":"UCsXVk37bltHxD1rDPwtNM8Q","title":"C & D","url":"https://www.youtube.com/channel/UCsXVk37bltHxD1rDPwtNM8Q"},"published":"2024-07-01T12:00:00Z","duration":61,"tags":["a","b & c"],"language":"de","thumbnails":{"default":{"url":"https://example.org/1.jpg","width":480,"height":360}},"found_in":[{"source":"youtube","query":"x <y>"}],"extra":{"updated":1719921600,"season":2,"episode":7,"media":[{"url":"https://example.org/1.ogg","type":"audio/ogg"},{"url":"https://example.org/1.mp3?a=1&b=2","length":12345,"duration":60},{"url":"javascript:alert(1)","type":"audio/mpeg"},{"url":"https://example.org/1.png","type":"image/png"}]}}
        {"ythost":1,"provider":"youtube","id":"abcdefghijk","kind":"video","url":"https://www.youtube.com/watch?v=abcdefghijk","title":"Two","channel":{"id":"UCsXVk37bltHxD1rDPwtNM8Q","title":"C & D"},"published":"2024-07-02T12:00:00Z","live_state":"live","extra":{"media":[{"url":"https://example.org/2.mp4","type":"video/mp4","length":5}]}}
        {"ythost":1,"provider":"youtube","id":"UCsXVk37bltHxD1rDPwtNM8R","kind":"channel","url":"https://www.youtube.com/channel/UCsXVk37bltHxD1rDPwtNM8R","title":"A channel","description":"of \\"things\\"","extra":{"feed":"https://www.youtube.com/feeds/videos.xml?channel_id=UCsXVk37bltHxD1rDPwtNM8R","folders":["Science <1>","Space"]}}
        {"ythost":1,"provider":"other","id":"odd","title":"odd extra","url":"https://example.org/odd","extra":{"media":"text","updated":"late","season":-1,"feed":5,"folders":[1,"x"]}}
        {"ythost":1,"id":"only-an-id"}
        {"ythost":1,"title":"nothing but a title"}
        {"ythost":1}

        """

    @Test(
        "a feed breaks no rule, and gives no cause for a warning", arguments: kinds,
        ["sample", "rich", "hostile", "empty"])
    func rules(kind: String, records: String) throws {
        var arguments = ["run", kind]
        let input: String
        switch records {
        case "sample":
            arguments.append("programming")
            input = ""
        case "rich": input = Self.rich
        case "hostile": input = try Hostile.lines()
        default: input = ""
        }
        if records != "sample" { arguments.append("-") }
        let run = try Command.run(arguments + (Self.flags[kind] ?? []), input: input)
        try #require(run.code == 0, "\(run.errors)")
        #expect(try Self.complaints(run.data, kind) == [])
        #expect(!run.output.unicodeScalars.contains { kind != "jsonfeed" && FeedTests.isForbidden($0) })
    }

    @Test("what makes a feed incomplete is only what nobody said", arguments: kinds)
    func plain(kind: String) throws {
        let run = try Command.run(["run", kind, "programming"])
        let avoidable: Set = [
            "no atom:link rel=self", "no language", "itunes:category is missing", "itunes:owner is missing",
            "itunes:image is missing",
        ]
        #expect(try Set(Self.complaints(run.data, kind)).isSubset(of: avoidable))
    }

    struct Broken: CustomTestStringConvertible {
        let kind: String
        /// What is changed in a feed without fault, and into what.
        let change: (from: String, to: String)
        let complaint: String
        var testDescription: String { complaint }
    }

    /// Each makes one rule cry out.
    static let broken: [Broken] = [
        .init(kind: "rss", change: ("<title>One</title>", ""), complaint: "an item has neither title nor description"),
        .init(
            kind: "rss", change: (" isPermaLink=\"false\"", ""),
            complaint: "a guid is no address, and not said to be none"),
        .init(
            kind: "rss", change: ("Mon, 01 Jul", "Tue, 01 Jul"),
            complaint: "a pubDate is no date: Tue, 01 Jul 2024 12:00:00 GMT"
        ),
        .init(kind: "rss", change: ("rel=\"self\"", "rel=\"other\""), complaint: "no atom:link rel=self"),
        .init(
            kind: "rss", change: ("<media:player url", "<media:embed url"),
            complaint: "media:embed is unknown to validators"),
        .init(kind: "rss", change: ("medium=\"video\"", "medium=\"film\""), complaint: "media:content's medium"),
        .init(kind: "rss", change: ("</channel>", ""), complaint: "it cannot be read"),
        .init(
            kind: "atom", change: ("    <updated>2024-07-02T12:00:00Z", "    <updated>2024-07-32"),
            complaint: "an entry's updated is no date"),
        .init(
            kind: "atom", change: ("tag:youtube.com,2008:", "yt:"),
            complaint: "the scheme of an entry's id is not registered"),
        .init(
            kind: "atom", change: ("<summary type=\"text\"", "<summary type=\"markdown\""),
            complaint: "the type of a text"),
        .init(
            kind: "atom", change: ("</feed>", "<subtitle>x</subtitle></feed>"),
            complaint: "something stands after an entry"),
        .init(kind: "podcast", change: (" length=\"12345\"", ""), complaint: "an enclosure without a length"),
        .init(kind: "podcast", change: ("a@example.org", "nobody"), complaint: "itunes:owner is missing"),
        .init(kind: "jsonfeed", change: ("\"content_text\"", "\"content\""), complaint: "an item has no content"),
        .init(
            kind: "jsonfeed", change: ("2024-07-01T12:00:00Z", "1 July"),
            complaint: "an item's date_published is no date"),
        .init(kind: "opml", change: ("xmlUrl", "xmlurl"), complaint: "a subscription without an address"),
        .init(kind: "opml", change: (" text=\"C &amp; D\"", ""), complaint: "an outline without a text"),
    ]

    @Test("the rules find what is broken", arguments: broken)
    func judge(broken: Broken) throws {
        let run = try Command.run(
            ["run", broken.kind, "-"] + (Self.flags[broken.kind] ?? []), input: Self.rich)
        let range = try #require(run.output.range(of: broken.change.from), "\(run.output.prefix(2000))")
        let text = run.output.replacingCharacters(in: range, with: broken.change.to)
        let found = try Self.complaints(Data(text.utf8), broken.kind)
        #expect(found.contains { $0.hasPrefix(broken.complaint) }, "\(found)")
    }

    // MARK: other programs

    @Test(
        "xmllint takes every feed", .enabled(if: Judge.xmllint != nil || Judge.isCI, "no xmllint"),
        arguments: ["rss", "atom", "podcast", "opml"], ["rich", "hostile", "empty"])
    func xmllint(kind: String, records: String) throws {
        let input = records == "rich" ? Self.rich : records == "hostile" ? try Hostile.lines() : ""
        let feed = try Command.run(["run", kind, "-"], input: input)
        let lint = try Program(try #require(Judge.xmllint), ["--noout", "--nonet", "-"]).run(input: .bytes(feed.data))
        #expect(lint.code == 0 && lint.errors.isEmpty, "\(lint.errors)")
    }

    struct Parsed: Decodable {
        struct Entry: Decodable {
            var title: String
            var link: String?
            var id: String
            var published: String?
            var enclosures: [String]
        }
        var bozo: Int
        var version: String
        var title: String
        var entries: [Entry]
    }

    static func feedparser(_ feed: Data) throws -> Parsed {
        let code = """
            import feedparser, json, sys
            feed = feedparser.parse(sys.stdin.buffer.read(), sanitize_html=False)
            print(json.dumps(dict(bozo=int(feed.bozo), version=feed.version, title=feed.feed.title, entries=[
                dict(title=e.title, link=e.get("link"), id=e.id, published=e.get("published"),
                    enclosures=[x.href for x in e.get("enclosures", [])]) for e in feed.entries])))
            """
        let run = try Program(Judge.venv, ["-c", code]).run(input: .bytes(feed))
        try #require(run.code == 0, "\(run.errors)")
        return try JSONDecoder().decode(Parsed.self, from: run.data)
    }

    @Test(
        "feedparser reads every feed without complaint",
        .enabled(if: Judge.hasVenv || Judge.isCI, "no feedparser: scripts/setup --tests installs it"),
        arguments: [("rss", "rss20"), ("atom", "atom10"), ("podcast", "rss20")], ["sample", "rich", "hostile"])
    func feedparser(kind: (name: String, version: String), records: String) throws {
        let input = records == "rich" ? Self.rich : records == "hostile" ? try Hostile.lines() : ""
        let run = try Command.run(
            ["run", kind.name, records == "sample" ? "programming" : "-"] + (Self.flags[kind.name] ?? []), input: input)
        let feed = try Self.feedparser(run.data)
        #expect(feed.bozo == 0 && feed.version == kind.version)
        #expect(Set(feed.entries.map(\.id)).count == feed.entries.count)
        if records == "rich" {
            let one = try #require(feed.entries.first { $0.title == "One" })
            switch kind.name {
            case "podcast": #expect(feed.entries.count == 2 && one.enclosures == ["https://example.org/1.mp3?a=1&b=2"])
            case "atom":
                #expect(one.enclosures == ["https://example.org/1.ogg", "https://example.org/1.mp3?a=1&b=2"])
            default: break
            }
        }
    }

    // MARK: read back

    @Test("records that a feed was made of come back from it", arguments: ["rss", "atom", "jsonfeed"])
    func readBack(kind: String) throws {
        let records = try Record.read(try Command.run(["search", "programming"]))
        let feed = try Command.run(["run", kind, "programming"])
        let back = try Record.read(try Command.run(["parse", "-"], input: .bytes(feed.data)))
        #expect(back.count == records.count)
        for (one, other) in zip(records, back) {
            #expect(other.provider == one.provider && other.id == one.id && other.kind == one.kind)
            #expect(other.url == one.url)
            // An entry of Atom always has a date.
            if one.published != nil || kind != "atom" { #expect(other.published == one.published) }
            #expect(kind == "jsonfeed" ? other.title == one.title : Self.words(other.title) == Self.words(one.title))
            // JSON Feed has a length only for what is attached, and everything in it must say something.
            if kind != "jsonfeed" { #expect(other.duration == one.duration) }
            if let description = one.description { #expect(other.description == description) }
        }
    }

    @Test(
        "texts of strangers come back from Atom and JSON Feed as they were, but for controls",
        arguments: ["atom", "jsonfeed"])
    func hostileBack(kind: String) throws {
        let records = Hostile.records.filter { $0.title?.isEmpty == false && $0.url?.isEmpty != true }
        let feed = try Command.run(["run", kind, "-"], input: try Record.lines(records))
        let back = try Record.read(try Command.run(["parse", "-"], input: .bytes(feed.data)))
        try #require(back.count == records.count)
        for (one, other) in zip(records, back) {
            let kept = one.title.map(Self.kept)
            if kind == "jsonfeed" {
                #expect(other.title == kept)
            } else {
                #expect(Self.words(other.title) == Self.words(kept), "\(one.title?.prefix(50) ?? "")")
            }
        }
    }

    /// A text as all feeds keep it: without controls, but for line ends and tabs.
    static func kept(_ text: String) -> String {
        let scalars = text.unicodeScalars.map { $0 == "\u{85}" ? "\n" : $0 }
        return String(
            String.UnicodeScalarView(
                scalars.filter { !FeedTests.isForbidden($0) && !(0x7F...0x9F).contains($0.value) }))
    }

    /// The text of an HTML description that holds nothing but text and line breaks.
    static func text(ofHTML html: String?) -> String? {
        guard var text = html?.replacingOccurrences(of: "<br>", with: "\n"), !text.contains("<") else { return nil }
        for (reference, character) in [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")] {
            text = text.replacingOccurrences(of: reference, with: character)
        }
        return text
    }

    /// A title as feeds keep it: one line, without what XML cannot hold.
    private static func words(_ text: String?) -> String {
        String(String.UnicodeScalarView((text ?? "").unicodeScalars.filter { !FeedTests.isForbidden($0) }))
            .split(whereSeparator: { $0.isWhitespace || $0.isNewline }).joined(separator: " ")
    }

    @Test("subscriptions come back from OPML, in their folders")
    func subscriptions() throws {
        let arguments = ["run", "opml", "-", "--title", "Mine"]
        let first = try Command.run(arguments, input: Self.rich)
        #expect(first.errors.contains("4 records name no channel whose feed is known"))
        #expect(try Command.run(arguments, input: .bytes(first.data)).output == first.output)
        let back = try Record.read(try Command.run(["parse", "-"], input: .bytes(first.data)))
        #expect(back.map(\.id) == ["UCsXVk37bltHxD1rDPwtNM8Q", "UCsXVk37bltHxD1rDPwtNM8R"])
        #expect(back.map(\.title) == ["C & D", "A channel"] && back.map(\.kind) == ["channel", "channel"])
        #expect(back[1].description == "of \"things\"")
        #expect(first.output.contains(#"<outline text="Science &lt;1&gt;" title="Science &lt;1&gt;">"#))
    }

    @Test("a podcast's identity is made of its address, as its namespace says")
    func podcastGUID() throws {
        let run = try Command.run(["run", "podcast", "-", "--self", "https://podnews.net/rss"], input: Self.rich)
        #expect(run.output.contains("<podcast:guid>9b024349-ccf0-5f69-a609-6b82873eab3c</podcast:guid>"))
        #expect(run.errors.contains("5 records have no media file"))
    }
}
