// Feeds and pages that come in part, through too many redirects, or not at all: what is shown, and what is said once.

import Foundation
import TestSupport
import Testing

@Suite struct FeedPartTests {
    private static let jsonFeed = """
        {"version":"https://jsonfeed.org/version/1.1","title":"F","items":[{"id":"1","title":"json 1","url":"/1"},
        {"id":"2","title":"json 2","url":"/2"},{"id":"3","title":"json 3","url":"/3"}]}
        """

    private func desk() throws -> OriginDesk {
        try OriginDesk { request, reply in
            let parts = request.target.split(separator: "/").map(String.init)
            /// Says how long the whole is, and ends in its middle.
            func answer(_ text: String, _ length: Int) {
                reply.raw("HTTP/1.1 200 OK\r\nContent-Length: \(text.utf8.count)\r\n\r\n")
                reply.raw(String(text.prefix(length)))
                reply.close()
            }
            switch parts.first {
            case "half":
                let feed = OriginDesk.feed("half", entries: 2)
                answer(feed, feed.count - 60)
            case "half-json": answer(Self.jsonFeed, Self.jsonFeed.utf8.count - 20)
            case "short-json": reply.answer(200, [], String(Self.jsonFeed.dropLast(20)))
            case "head": reply.answer(200, [], "<rss><channel><title>F</title>")
            case "blank": reply.answer(200, [], "")
            case "twins":
                let item = "<item><title>Twin</title><link>https://x.example/t</link></item>"
                reply.answer(200, [], "<rss><channel>\(item)\(item)</channel></rss>")
            case "hops":
                let left = Int(parts[1]) ?? 0
                if left == 0 {
                    reply.answer(200, [("Content-Type", "text/html")], "<title>There</title>")
                } else {
                    reply.answer(302, [("Location", "/hops/\(left - 1)")])
                }
            default: return false
            }
            return true
        }
    }

    @Test(
        "of a feed that is cut off the whole entries are shown, whether or not its length was said, and none is kept",
        arguments: [
            ("half", ["half 1", "half 2"]), ("half-json", ["json 1", "json 2"]), ("short-json", ["json 1", "json 2"]),
        ])
    func cutOff(path: String, titles: [String]) throws {
        let desk = try desk()
        let words = ["run", "recent", "--from", desk.url("/" + path), "--print", "{title}"]
        let run = try desk.run(words)
        #expect(run.code == 0 && run.lines == titles, "\(run.output)\(run.errors)")
        #expect(run.errors.contains("the feed ends in its middle; these are the entries that came"), "\(run.errors)")
        #expect(try desk.run(words + ["--offline"]).code == 4)
    }

    @Test(
        "a feed of which no entry came is an error",
        arguments: [("head", "the feed ends before its first entry does"), ("blank", "it is empty")])
    func nothing(path: String, reason: String) throws {
        let desk = try desk()
        let run = try desk.run(["run", "table", "--from", desk.url("/" + path)])
        #expect(run.code == 4 && run.errors.contains(reason) && !run.errors.contains("that came"), "\(run.errors)")
    }

    @Test("what one feed lists twice is two rows, alone or among others")
    func twins() throws {
        let desk = try desk()
        #expect(try desk.titles(desk.url("/twins")) == ["Twin", "Twin"])
        let merged = try desk.titles(desk.url("/twins"), desk.url("/twins?again"))
        #expect(merged == ["Twin", "Twin"])
    }

    @Test("a page that cannot be had among feeds is told once, with its address")
    func toldOnce() throws {
        let desk = try desk()
        for pages in [1, 2] {
            let addresses = (1...pages).map { desk.url("/inside/\($0)") }
            let origins = addresses.flatMap { ["--from", "page:" + $0] }
            let run = try desk.run(["run", "urls", "--from", desk.url("/feed/a"), "--allow", desk.place] + origins)
            #expect(run.code == 0 && run.lines.count == 3, "\(run.output)\(run.errors)")
            let told = run.errors.split(separator: "\n").filter { $0.contains("a private address") }
            #expect(told.count == pages, "\(run.errors)")
            for address in addresses { #expect(told.contains { $0.contains(address) }, "\(run.errors)") }
            #expect(!run.errors.contains("pages:"), "\(run.errors)")
        }
        let none = try desk.run(["preview", desk.url("/inside/1"), desk.url("/inside/2")])
        #expect(none.code == 6 && none.errors.contains("none of these 2 pages could be had"), "\(none.errors)")
        #expect(none.errors.split(separator: "\n").filter { $0.contains("a private address") }.count == 2)
    }

    @Test("a page is looked for behind five redirects, and no more")
    func redirects() throws {
        let desk = try desk()
        #expect(try desk.run(["preview", desk.url("/hops/5"), "--print", "{title}"]).lines == ["There"])
        let run = try desk.run(["preview", desk.url("/hops/6")])
        #expect(run.code == 4 && run.errors.contains("too often"), "\(run.errors)")
    }

    @Test("a bad line of a list is told what a line may be, which is no other file")
    func lines() throws {
        let desk = try desk()
        try desk.scratch.file("list.txt", "\(desk.url("/feed/a"))\nother.opml\ntwo words\n")
        try desk.scratch.file("bad.txt", "other.opml\n")
        let run = try desk.run(["run", "urls", "--from", "list.txt", "--allow", desk.place])
        #expect(run.code == 0 && run.errors.contains("feed:URL"), "\(run.errors)")
        #expect(!run.errors.contains("name of a file"), "\(run.errors)")
        let bad = try desk.run(["run", "urls", "--from", "bad.txt"])
        #expect(bad.code == 2 && bad.errors.contains("feed:URL") && !bad.errors.contains("name of a file"))
    }
}
