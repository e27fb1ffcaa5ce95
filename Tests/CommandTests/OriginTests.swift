// `--from`: feeds, channels, playlists and lists of them, against servers of this machine: what is asked and how often,
// what becomes of feeds that are none, and how long many of them take.

import Basics
import Foundation
import TestSupport
import Testing
import Threads

/// A home folder, and a server of feeds that can be told to fail.
final class OriginDesk {
    let server: LoopbackServer
    let scratch: Scratch
    private let mood: Mood

    final class Mood: Sendable {
        private let state = Monitor("")
        var value: String {
            get { state.withLock { $0 } }
            set { state.withLock { $0 = newValue } }
        }
    }

    init(_ more: @escaping @Sendable (LoopbackServer.Request, LoopbackServer.Reply) -> Bool = { _, _ in false }) throws
    {
        scratch = try Scratch()
        let mood = Mood()
        self.mood = mood
        server = LoopbackServer { request, reply in
            if more(request, reply) { return }
            let parts = request.target.split(separator: "/").map(String.init)
            switch (parts.first ?? "", mood.value) {
            case ("slow", _):
                usleep(100_000)
                reply.answer(200, [("ETag", "\"1\"")], Self.feed(parts.last ?? "", entries: 3))
            case ("feed", "page"): reply.answer(200, [("Content-Type", "text/html")], Self.page)
            case ("feed", "cut"):
                let feed = Self.feed("cut", entries: 2)
                reply.answer(200, [], String(feed.prefix(feed.count - 60)))
            case ("feed", "missing"): reply.answer(404, [], "not here")
            case ("feed", "message"):
                reply.answer(200, [("Content-Type", "application/json")], #"{"error":"too often"}"#)
            case ("feed", _) where request.header("if-none-match") == "\"1\"": reply.answer(304)
            case ("feed", _): reply.answer(200, [("ETag", "\"1\"")], Self.feed(parts.last ?? "", entries: 2))
            case ("page", _): reply.answer(200, [("Content-Type", "text/html")], Self.page)
            case ("inside", _): reply.answer(302, [("Location", "http://localhost:9/")])
            case ("file", _): reply.answer(302, [("Location", "file:///etc/passwd")])
            case ("greek", _):
                // Says UTF-8, and is windows-1253.
                reply.answer(
                    200, [("Content-Type", "text/xml; charset=utf-8")],
                    Array("<?xml version=\"1.0\" encoding=\"windows-1253\"?><rss><channel><item><title>".utf8)
                        + [0xC1, 0xE8, 0xDE, 0xED, 0xE1] + Array("</title></item></channel></rss>".utf8))
            default: reply.answer(404)
            }
        }
    }

    deinit { server.stop() }

    /// What the server does from now on: "" answers, "page" and "missing" do not.
    func fail(_ how: String) { mood.value = how }

    static let page = """
        <!doctype html><title>Not a feed</title>
        <link rel="alternate" type="application/rss+xml" href="/feed/real">
        """

    /// Entries that any two feeds number alike.
    static func feed(_ name: String, entries: Int) -> String {
        let items = (1...entries).map { number in
            """
            <item><title>\(name) \(number)</title><guid isPermaLink="false">\(number)</guid>
            <link>https://\(name).example/\(number)</link><pubDate>a bad date</pubDate></item>
            """
        }
        return "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>\(name)</title>\(items.joined())"
            + "<item><title>A song</title><link>https://youtu.be/dQw4w9WgXcQ</link></item></channel></rss>"
    }

    /// The grant that leads to the server.
    var place: String { "net:127.0.0.1:\(server.port)" }

    func url(_ path: String) -> String { server.address(path).description }

    func run(
        _ arguments: [String], _ environment: [String: String] = [:], input: Program.Input = .none, timeout: Double = 30
    ) throws -> Program.Run {
        try Command.run(
            arguments, input: input,
            environment: ["HOME": scratch.path("home"), "no_proxy": "127.0.0.1"].merging(environment) { $1 },
            in: scratch.folder, timeout: timeout)
    }

    /// The titles of a run over origins.
    func titles(_ origins: String..., flags: [String] = []) throws -> [String] {
        try run(
            ["run", "recent", "--print", "{title}", "--allow", place] + origins.flatMap { ["--from", $0] } + flags
        ).lines
    }
}

@Suite struct OriginTests {
    @Test("a feed's entries are the records; what leads to a video is that video")
    func feed() throws {
        let desk = try OriginDesk()
        let run = try desk.run(["run", "jsonl", "--from", "feed:" + desk.url("/feed/a"), "--take", "3"])
        #expect(run.code == 0 && run.errors == "" && run.lines.count == 3, "\(run.errors)")
        #expect(run.lines[2].contains(#""provider":"youtube","id":"dQw4w9WgXcQ""#))
        #expect(run.lines[0].contains(#""found_in":[{"source":"feed","query":"\#(desk.url("/feed/a"))"}]"#))
        #expect(!run.lines[0].contains("published"), "a bad date is no date")
    }

    @Test("several origins are read as one: an entry that comes again is one row, entries numbered alike are two")
    func merged() throws {
        let desk = try OriginDesk()
        #expect(
            try desk.titles(desk.url("/feed/a"), desk.url("/feed/b"), desk.url("/feed/a"))
                == ["a 1", "a 2", "A song", "b 1", "b 2"])
        #expect(desk.server.requests.count == 2, "an origin that is named twice is asked once")
        #expect(try desk.titles(desk.url("/feed/a"), desk.url("/feed/b"), flags: ["--fetch", "2"]) == ["a 1", "a 2"])
    }

    @Test("a feed is asked again with a condition, not within ten minutes, and not at all offline")
    func conditions() throws {
        let desk = try OriginDesk()
        let words = ["run", "ids", "--from", desk.url("/feed/a")]
        let first = try desk.run(words)
        #expect(try desk.run(words).data == first.data && desk.server.requests.count == 1)
        #expect(try desk.run(words + ["--fresh"]).data == first.data)
        #expect(desk.server.requests.last?.header("if-none-match") == "\"1\"")
        let count = desk.server.requests.count
        #expect(try desk.run(words + ["--offline"]).data == first.data && desk.server.requests.count == count)
        let other = try desk.run(["run", "ids", "--from", desk.url("/feed/b"), "--offline"])
        #expect(other.code == 4 && desk.server.requests.count == count)
    }

    @Test(
        "the last good copy stands in for a feed that is a page, a message, missing or out of reach",
        arguments: ["page", "message", "missing"])
    func lastGoodCopy(how: String) throws {
        let desk = try OriginDesk()
        let words = ["run", "ids", "--from", desk.url("/feed/a")]
        let first = try desk.run(words)
        desk.fail(how)
        for _ in 1...2 {
            let run = try desk.run(words + ["--fresh"])
            #expect(run.data == first.data && run.code == 0)
            #expect(run.errors.contains("an answer is used that is"), "\(run.errors)")
        }
    }

    @Test("an address that is no feed is told, with the feed that the page names")
    func noFeed() throws {
        let desk = try OriginDesk()
        let page = try desk.run(["run", "table", "--from", desk.url("/page")])
        #expect(page.code == 4 && page.errors.contains("it is a page, and no feed"))
        #expect(page.errors.contains("its feed is " + desk.url("/feed/real")))
        let missing = try desk.run(["run", "table", "--from", desk.url("/nothing")])
        #expect(missing.code == 4 && missing.errors.contains("no feed can be had at \(desk.url("/nothing"))"))
        let file = try desk.run(["run", "table", "--from", desk.url("/file")])
        #expect(file.code == 4 && file.errors.contains("file"), "\(file.errors)")
    }

    @Test("a feed that was cut off takes no good copy's place; without one its entries are shown, and told to be some")
    func cutOff() throws {
        let desk = try OriginDesk()
        desk.fail("cut")
        let first = try desk.run(["run", "ids", "--from", desk.url("/feed/a"), "--fresh"])
        #expect(
            first.code == 0 && !first.lines.isEmpty && first.errors.contains("ends in its middle"), "\(first.errors)")
        #expect(try desk.run(["run", "ids", "--from", desk.url("/feed/a"), "--offline"]).code == 4)
        desk.fail("")
        let whole = try desk.run(["run", "urls", "--from", desk.url("/feed/a"), "--fresh"])
        #expect(whole.lines.count == 3 && whole.errors == "", "\(whole.errors)")
        desk.fail("cut")
        let after = try desk.run(["run", "urls", "--from", desk.url("/feed/a"), "--fresh"])
        #expect(after.lines == whole.lines && after.errors.contains("answers with something else"), "\(after.errors)")
        let kept = try desk.run(["run", "urls", "--from", desk.url("/feed/a"), "--offline"])
        #expect(kept.lines == whole.lines, "\(kept.errors)")
    }

    @Test("a bad line of a list is told with its file, number and reason, and costs no other line")
    func badLines() throws {
        let desk = try OriginDesk()
        try desk.scratch.file(
            "list.txt", "\(desk.url("/feed/a"))\nnot an origin\nftp://x.example/\n\n\(desk.url("/feed/b"))\n")
        let run = try desk.run(["run", "urls", "--from", "list.txt", "--allow", desk.place])
        #expect(run.code == 0 && run.lines.count == 5, "\(run.errors)")
        #expect(run.errors.contains("left out list.txt:2: a line names one origin"), "\(run.errors)")
        #expect(run.errors.contains("left out list.txt:3:") && !run.errors.contains("config"))
        try desk.scratch.file("bad.txt", "# nothing\nwords of no use\n")
        let bad = try desk.run(["run", "urls", "--from", "bad.txt"])
        #expect(bad.code == 2 && bad.errors.contains("bad.txt:2:") && bad.errors.contains("feed:URL"), "\(bad.errors)")
    }

    @Test("where a feed redirects to must be public; what the user names need not be")
    func redirects() throws {
        let desk = try OriginDesk()
        let run = try desk.run(["run", "table", "--from", desk.url("/inside")])
        #expect(run.code != 0 && run.errors.contains("private"), "\(run.errors)")
        // A name never covers a private address.
        let name = try desk.run(["run", "table", "--from", "http://localhost:\(desk.server.port)/feed/a"])
        #expect(name.code != 0 && name.errors.contains("private"), "\(name.errors)")
    }

    @Test("a feed whose sender lies about its letters is read as they are")
    func charset() throws {
        let desk = try OriginDesk()
        #expect(try desk.titles(desk.url("/greek")) == ["Αθήνα"])
    }

    @Test("a plugin reads a feed with the grant of its host, and not without")
    func plugin() throws {
        let desk = try OriginDesk()
        try desk.scratch.file("s.lua", "for v in yt.feed('\(desk.url("/feed/a"))', {max = 2}) do print(v.title) end")
        let without = try desk.run(["run", "./s.lua"])
        #expect(without.code == 6 && without.errors.contains("has no grant 'net:127.0.0.1:\(desk.server.port)'"))
        #expect(desk.server.requests.isEmpty)
        let with = try desk.run(["run", "./s.lua", "--allow", "net:127.0.0.1:\(desk.server.port)"])
        #expect(with.code == 0 && with.lines == ["a 1", "a 2"], "\(with.errors)")
    }

    // MARK: lists

    @Test("an OPML of a hundred feeds of 100 ms each takes less than a second")
    func hundred() throws {
        let desk = try OriginDesk()
        let outlines = (0..<100).map { "<outline type='rss' text='f' xmlUrl='\(desk.url("/slow/f\($0)"))'/>" }
        try desk.scratch.file("all.opml", "<opml version='2.0'><body>\(outlines.joined())</body></opml>")
        let start = Date()
        let run = try desk.run(["run", "ids", "--from", "all.opml", "--allow", desk.place])
        let seconds = Date().timeIntervalSince(start)
        #expect(run.code == 0 && run.errors == "" && run.lines.count == 301)
        #expect(seconds < (Command.isRelease ? 1 : 3), "\(seconds) s")
    }

    @Test("of 500 feeds 40 are dead: the others are read, and the dead are told without a flood")
    func dead() throws {
        let desk = try OriginDesk()
        let outlines = (0..<500).map { number in
            "<outline type='rss' xmlUrl='\(desk.url((number % 12 == 5 && number < 480 ? "/dead/" : "/feed/") + "f\(number)"))'/>"
        }
        try desk.scratch.file("all.opml", "<opml><body>\(outlines.joined())</body></opml>")
        let run = try desk.run(["run", "ids", "--from", "all.opml", "--allow", desk.place])
        #expect(run.code == 0 && run.lines.count == 460 * 2 + 1)
        let told = run.errors.split(separator: "\n")
        #expect(told.count == 11 && told.last == "ythost: 40 of 500 origins could not be read", "\(run.errors)")
    }

    @Test("a list may be anybody's: what it names must be public, unless a grant names it")
    func privateLists() throws {
        let desk = try OriginDesk()
        try desk.scratch.file("a.opml", "<opml><body><outline xmlUrl='\(desk.url("/feed/a"))'/></body></opml>")
        try desk.scratch.file("a.txt", desk.url("/feed/a"))
        for list in ["a.opml", "a.txt"] {
            let refused = try desk.run(["run", "ids", "--from", list])
            #expect(refused.code == 6 && refused.errors.contains("private address"), "\(refused.errors)")
            #expect(desk.server.requests.isEmpty)
        }
        #expect(try desk.run(["run", "ids", "--from", "a.opml", "--allow", desk.place]).lines.count == 3)
    }

    @Test("a list may be text, OPML or a table of subscriptions; one that names nothing is an error")
    func lists() throws {
        let desk = try OriginDesk()
        try desk.scratch.file(
            "list.txt", "# mine\n\nfeed:\(desk.url("/feed/a"))  # the first\n\(desk.url("/feed/b"))\n")
        #expect(try desk.titles("list.txt").count == 5)
        try desk.scratch.file("empty.opml", "<opml><body/></opml>")
        let empty = try desk.run(["run", "table", "--from", "empty.opml"])
        #expect(empty.code == 2 && empty.errors.contains("empty.opml lists no feed"))
        let id = "UC_x5XG1OV2P6uZZ5FSM9Ttw"
        try desk.scratch.file(
            "subs.csv", "Channel Id,Channel Url,Channel Title\n\(id),http://www.youtube.com/channel/\(id),Google\n")
        let dry = try desk.run(["run", "table", "--from", "subs.csv", "--dry-run"], ["YTHOST_YOUTUBE_KEY": "AIzaX"])
        #expect(dry.output.contains("playlistId=UU_x5XG1OV2P6uZZ5FSM9Ttw"), "\(dry.output)\(dry.errors)")
        #expect(try desk.run(["run", "table", "--from", "nosuch.opml"]).code == 2)
    }

    @Test("a channel without a key is its feed, of which the newest 15 are said to be all")
    func channel() throws {
        let entries = (10..<25).map { number in
            """
            <entry><id>yt:video:aaaaaaaaa\(number)</id><yt:videoId>aaaaaaaaa\(number)</yt:videoId><title>V\(number)</title>
            <link rel="alternate" href="https://www.youtube.com/watch?v=aaaaaaaaa\(number)"/></entry>
            """
        }
        let feed = """
            <feed xmlns:yt="http://www.youtube.com/xml/schemas/2015" xmlns="http://www.w3.org/2005/Atom">
            <title>C</title>\(entries.joined())</feed>
            """
        let desk = try OriginDesk { request, reply in
            guard request.target.hasPrefix("/feeds/videos.xml?") else { return false }
            reply.answer(200, [("Content-Type", "text/xml; charset=UTF-8")], feed)
            return true
        }
        let run = try desk.run(
            [
                "run", "ids", "--from", "channel:UC_x5XG1OV2P6uZZ5FSM9Ttw", "--from",
                "playlist:PLZHQObOWTQDMsr9K-rj53DwVRMYO3t5Yr",
            ], ["YTHOST_YOUTUBE_URL": desk.url("/youtube/v3")])
        #expect(run.code == 0 && run.lines.count == 15, "\(run.errors)")
        #expect(
            desk.server.requests.map(\.target).sorted() == [
                "/feeds/videos.xml?channel_id=UC_x5XG1OV2P6uZZ5FSM9Ttw",
                "/feeds/videos.xml?playlist_id=PLZHQObOWTQDMsr9K-rj53DwVRMYO3t5Yr",
            ])
        #expect(run.errors == "ythost: YouTube's feeds have the newest 15 videos only; with a key all can be read\n")
    }

    @Test("uploads without Shorts become all uploads while their list is not there, as a list and as a feed")
    func withoutShorts() throws {
        let owner = "_x5XG1OV2P6uZZ5FSM9Ttw"
        let desk = try OriginDesk { request, reply in
            guard request.target.contains("/feeds/videos.xml?") else { return false }
            if request.target.contains("=UULF") {
                reply.answer(404, [], "none")
            } else {
                reply.answer(200, [("Content-Type", "text/xml")], OriginDesk.feed("all", entries: 1))
            }
            return true
        }
        // YouTube's own host is behind a proxy that is the same server.
        let environment = [
            "YTHOST_YOUTUBE_URL": desk.url("/youtube/v3"), "http_proxy": desk.url(""), "no_proxy": "127.0.0.1",
        ]
        for origin in [
            "playlist:UULF" + owner, "feed:http://www.youtube.com/feeds/videos.xml?playlist_id=UULF" + owner,
        ] {
            let run = try desk.run(["run", "urls", "--from", origin, "--fresh"], environment)
            #expect(run.code == 0 && run.lines.count == 2, "\(run.errors)")
            #expect(run.errors.contains("all uploads, with Shorts"), "\(run.errors)")
            #expect(desk.server.requests.last?.target.hasSuffix("playlist_id=UU" + owner) == true)
        }
        #expect(desk.server.requests.contains { $0.target.hasPrefix("http://www.youtube.com/") })
    }

    @Test(
        "the feed of a channel that is there at times is read from the last good copy when it is not",
        arguments: [404, 200])
    func channelOutOfOrder(status: Int) throws {
        let count = Monitor(0)
        let desk = try OriginDesk { request, reply in
            guard request.target.hasPrefix("/feeds/videos.xml?") else { return false }
            let isFirst = count.withLock { count in
                count += 1
                return count == 1
            }
            if isFirst {
                reply.answer(
                    200, [],
                    """
                    <feed xmlns:yt="http://www.youtube.com/xml/schemas/2015" xmlns="http://www.w3.org/2005/Atom">
                    <entry><yt:videoId>aaaaaaaaa01</yt:videoId><title>V</title></entry></feed>
                    """)
            } else {
                reply.answer(status, [("Content-Type", "text/html")], "<html><title>Error</title></html>")
            }
            return true
        }
        let words = ["run", "ids", "--from", "channel:UC_x5XG1OV2P6uZZ5FSM9Ttw"]
        let environment = ["YTHOST_YOUTUBE_URL": desk.url("/youtube/v3")]
        #expect(try desk.run(words, environment).lines == ["aaaaaaaaa01"])
        let again = try desk.run(words + ["--fresh"], environment)
        #expect(again.code == 0 && again.lines == ["aaaaaaaaa01"], "\(again.errors)")
        #expect(again.errors.contains("an answer is used that is"), "\(again.errors)")
    }

    @Test(
        "what does not go with origins is an error",
        arguments: [
            (["run", "table", "words"], "both --from and words"),
            (["run", "table", "--after", "7d"], "--after is about"),
            (["run", "table", "-"], "both"), (["search"], "search reads no records"),
            (["run", "table", "--from", "feed:ftp://x.example"], "no http or https address"),
            (["run", "table", "--from", "https://a:b@x.example/"], "login"),
            (["run", "table", "--from", ""], "origin"),
            (["run", "table", "--from", "channel:"], "names nothing"),
        ])
    func refused(words: [String], error: String) throws {
        let desk = try OriginDesk()
        let run = try desk.run(words + ["--from", desk.url("/feed/a")])
        #expect(run.code == 2 && run.errors.contains(error), "\(run.errors)")
        #expect(desk.server.requests.isEmpty)
    }
}
