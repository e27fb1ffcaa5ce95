// What becomes of the rows that came before a service failed: they are written where that is safe, and the failure is
// still the run's.

import Foundation
import TestSupport
import Testing

@Suite struct PartialResultTests {
    /// A stand-in whose second page of a search fails.
    private func desk(_ failure: YouTubeStandIn.Answer) throws -> YouTubeDesk {
        let desk = try YouTubeDesk()
        let items = (0..<50).map { #"{"id":{"videoId":"\#(YouTubeStandIn.id($0))"},"snippet":{"title":"t\#($0)"}}"# }
        desk.server.answer(
            "search",
            .init(
                200,
                #"{"kind":"youtube#searchListResponse","nextPageToken":"b","items":[\#(items.joined(separator: ","))]}"#
            ), failure, failure, failure)
        return desk
    }

    private static let busy = YouTubeStandIn.Answer(503, "{}", [("Retry-After", "5000")])
    private static let spent = YouTubeStandIn.error(403, "quotaExceeded", "quota", domain: "youtube.quota")

    @Test(
        "rows before a failure are written, whole in their form, and the run fails",
        arguments: [
            (["search", "x", "--print", "{id}"], 50, true), (["search", "x"], 50, true),
            (["run", "table", "x"], 51, true), (["run", "csv", "x"], 51, true),
            // What nobody can rank without the rest is not ranked.
            (["search", "x", "--by", "title"], 0, true), (["search", "x", "--print", "{id}"], 50, false),
        ])
    func written(words: [String], count: Int, isBusy: Bool) throws {
        let desk = try desk(isBusy ? Self.busy : Self.spent)
        let run = try desk.run(words + ["--fetch", "100"])
        #expect(run.lines.count == count, "\(run.output)\(run.errors)")
        #expect(run.code == (isBusy ? 4 : 5))
        #expect(run.errors.contains(isBusy ? "youtube is out of order (status 503)" : "the daily quota"))
        if isBusy { #expect(run.errors.contains("try again in 84 minutes, at 2")) }
    }

    @Test(
        "rows of an input before its fault are written, and the run fails; into a file nothing is",
        arguments: [
            table + ",http://x.example/,One\nUCYO_jab_esuFRV4b17AJtAw,\"open",
            #"{"version":"https://jsonfeed.org/version/1.1","title":"F","items":[{"id":"1","title":"One"},{"id":"2","ti"#,
        ])
    func fault(text: String) throws {
        let desk = try YouTubeDesk()
        try desk.scratch.file("input", text)
        let run = try desk.run(["parse", "input", "--print", "{title}"])
        #expect(run.code == 2 && run.lines == ["One"] && run.errors.contains("input: "), "\(run.output)\(run.errors)")
        let file = try desk.run(["parse", "input", "-o", "out.jsonl"])
        #expect(file.code == 2 && !FileManager.default.fileExists(atPath: desk.scratch.path("out.jsonl")))
    }

    private static let table = "Channel Id,Channel Url,Channel Title\nUCYO_jab_esuFRV4b17AJtAw"

    @Test("a page is whole, and a file is left as it was")
    func forms() throws {
        let page = try desk(Self.busy).run(["run", "html", "x", "--fetch", "100", "--thumbnails", "none"])
        #expect(page.code == 4 && page.output.hasSuffix("</html>\n"))
        let feed = try desk(Self.busy).run(["run", "rss", "x", "--fetch", "100"])
        #expect(feed.code == 4 && feed.output.hasSuffix("</rss>\n"))
        let desk = try desk(Self.busy)
        try desk.scratch.file("out.csv", "before")
        let run = try desk.run(["run", "csv", "x", "--fetch", "100", "-o", "out.csv"])
        #expect(run.code == 4 && run.output.isEmpty)
        #expect(try String(contentsOfFile: desk.scratch.path("out.csv"), encoding: .utf8) == "before")
    }

    @Test("no plugin is told that the output is safe")
    func notAnnounced() throws {
        let desk = try desk(Self.busy)
        try desk.scratch.file(
            "told.lua", #"return {summary = "s", written = function() yt.log("warning", "it is safe") end}"#)
        let run = try desk.run(["run", "csv", "x", "--fetch", "100", "-p", "./told.lua"])
        #expect(run.code == 4 && run.lines.count == 51 && !run.errors.contains("it is safe"))
    }

    @Test("in Lua the loop gets the rows before, then the error; info tells of it, and the page can be asked for again")
    func script() throws {
        let desk = try desk(Self.spent)
        let run = try desk.script(
            """
            local r = yt.search("x", {max = 100})
            local n = 0
            local ok, e = pcall(function() for _ in r do n = n + 1 end end)
            print(n, ok, e.kind, r.info.rows, r.info.ended, r.info.truncated)
            """)
        #expect(run.lines == ["50\tfalse\tquota\t50\tquota\ttrue"], "\(run.output)\(run.errors)")
    }

    @Test("what joins results tells what all of them cost")
    func joined() throws {
        let desk = try YouTubeDesk()
        let run = try desk.script(
            """
            local m = yt.merge{yt.search("x", {max = 60}), yt.search("y", {max = 70}), {yt.video{id = "a", title = "t"}}}
            print(m.info.calls, m.info.rows, m:count(), m.info.calls, m.info.rows, m.info.cached, m.info.truncated)
            print(#m.info.sources, m.info.sources[1].query, m.info.sources[2].query, m.info.sources[3].query)
            local c = yt.search("x", {max = 10}):concat(yt.search("z", {max = 10}))
            print(c:count(), c.info.rows, c.info.calls, c.info.cached)
            """)
        #expect(
            run.lines == ["0\t0\t71\t4\t71\t0\ttrue", "3\tx\ty\tnil", "20\t20\t1\t1"], "\(run.output)\(run.errors)")
    }
}
