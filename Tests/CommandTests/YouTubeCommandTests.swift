// The command with a key, against a stand-in of the service: what runs cost, what they say when they fail, and that the
// key is nowhere to be seen.

import Foundation
import TestSupport
import Testing

@Suite struct YouTubeCommandTests {
    @Test("a filter on what searches do not tell is enriched, with one search and one look-up")
    func enriched() throws {
        let desk = try YouTubeDesk()
        let run = try desk.run(["run", "table", "programming", "--source", "youtube", "-p", "long:min=20m"])
        // Video n lasts n minutes; the first 50 are read. Nought minutes are no length.
        #expect(run.code == 0 && run.errors == "ythost: long dropped 1 video whose duration is unknown\n")
        #expect(run.lines.count == 1 + 30)
        #expect(desk.server.calls.map(\.path) == ["search", "videos:batchGetStats"])
        #expect(run.lines.last?.contains("49:00") == true && run.lines.last?.contains("490") == true)
    }

    @Test("the same run again sends nothing")
    func cached() throws {
        let desk = try YouTubeDesk()
        let words = ["run", "table", "programming", "-p", "long:min=20m"]
        let first = try desk.run(words)
        let count = desk.server.calls.count
        let second = try desk.run(words)
        #expect(second.data == first.data && second.code == 0)
        #expect(desk.server.calls.count == count)
        #expect(try desk.run(words + ["--offline"]).data == first.data)
    }

    @Test("expressions and templates are enriched, too, for what is left at that point")
    func expressions() throws {
        let desk = try YouTubeDesk()
        let run = try desk.run(["search", "x", "--where", "duration > 47*60", "--print", "{id} {views}"])
        #expect(run.lines == ["\(YouTubeStandIn.id(48)) 480", "\(YouTubeStandIn.id(49)) 490"], "\(run.errors)")
        desk.server.forget()
        let few = try desk.run(["search", "y", "--take", "3", "--print", "{duration:duration}"])
        #expect(few.lines == ["-", "1:00", "2:00"])
        #expect(desk.server.calls.last?.query["id"]?.split(separator: ",").count == 3)
    }

    @Test("titles alone need no look-up")
    func notEnriched() throws {
        let desk = try YouTubeDesk()
        #expect(try desk.run(["search", "x", "--print", "{title}"]).code == 0)
        #expect(desk.server.calls.map(\.path) == ["search"])
    }

    @Test("500 rows are ten calls, and each id comes once")
    func fetch() throws {
        let desk = try YouTubeDesk()
        let run = try desk.run(["search", "x", "--fetch", "500", "--print", "{id}"])
        #expect(run.lines == (0..<500).map(YouTubeStandIn.id))
        #expect(desk.server.calls.count == 10)
        let more = try desk.run(["search", "y", "--fetch", "120", "--print", "{id}"])
        #expect(more.lines.count == 120 && desk.server.calls.count == 13)
    }

    @Test("without --fetch a service that counts is asked for 50 rows")
    func usualFetch() throws {
        let desk = try YouTubeDesk()
        #expect(try desk.run(["search", "x", "--print", "{id}"]).lines.count == 50)
        #expect(desk.server.calls.count == 1)
    }

    @Test("120 ids are three calls in their order, and three conditions later")
    func videos() throws {
        let desk = try YouTubeDesk()
        let script = """
            local ids = {}
            for i = 119, 0, -1 do ids[#ids + 1] = ("v"):rep(11 - #tostring(i)) .. i end
            ids[121] = "missing-one"
            local r = yt.videos(ids)
            local n, last = 0
            for v in r do n = n + 1 assert(v.id == ids[n]) last = v end
            print(n, last.id, last.views, r.info.calls, r.info.cached, #r.info.missing, r.info.missing[1])
            """
        let first = try desk.script(script)
        #expect(
            first.output.hasPrefix("120\t\(YouTubeStandIn.id(0))\t0\t3\t0\t1\tmissing-one"),
            "\(first.output)\(first.errors)")
        #expect(first.errors.contains("youtube does not have 1 of 121 videos: missing-one"))
        #expect(desk.server.statuses == [200, 200, 200])
        #expect(try desk.script(script).output.contains("\t0\t3\t1\t"))
        #expect(desk.server.calls.count == 3)
        #expect(try desk.script(script, ["--fresh"]).output.contains("\t3\t0\t1\t"))
        #expect(desk.server.statuses.suffix(3) == [304, 304, 304])
    }

    @Test("channels, uploads and playlists in Lua")
    func lists() throws {
        let desk = try YouTubeDesk()
        let run = try desk.script(
            """
            local c = yt.channel("@known")
            print(c.kind, c.title, c.extra.subscribers, c.url)
            local up = c:uploads{max = 3}:list()
            print(#up, up[1].published >= up[2].published)
            local none, why = yt.channel("@nobody")
            print(none, why)
            print(yt.playlist("nonsense here"))
            local p = yt.playlist("PL0123456789abcdef")
            print(p.kind, p.extra.videos)
            local newest = p:items{newest = 2}:list()
            print(newest[1].id, newest[2].id, #newest)
            print(p:items{max = 5}:count(), p:items{max = 5, skip_unavailable = true}:list()[4].id)
            print(pcall(c.items, c))
            local few = p:items{max = 4}
            print(#few:list(), few.info.truncated, few.info.ended)
            """)
        #expect(
            run.lines == [
                "channel\tKnown\t12\thttps://www.youtube.com/channel/\(YouTubeStandIn.channelID)", "3\ttrue",
                "nil\tyoutube has no channel '@nobody'",
                "nil\t'nonsense here' cannot be looked up: not a URL and not an id: nonsense here", "playlist\t120",
                "\(YouTubeStandIn.id(119))\t\(YouTubeStandIn.id(118))\t2", "5\t\(YouTubeStandIn.id(4))",
                "false\t./script.lua:13: only a playlist has items; yt.playlist(reference) gives one",
                "4\ttrue\tlimit",
            ], "\(run.output)\(run.errors)")
    }

    @Test("results:enrich looks up what is unknown, and info says what it cost")
    func enrich() throws {
        let desk = try YouTubeDesk()
        let run = try desk.script(
            """
            local r = yt.search("x", {max = 60})
            print(r:enrich{"views"}:sort_by("views", "desc"):first().views, r.info.calls, r.info.truncated, r.info.ended)
            local e = yt.search("y", {max = 60}):enrich{"views"}
            print(e:count(), e.info.calls, e.info.cached, e.info.rows)
            print(pcall(r.enrich, yt.search("x"), {"viws"}))
            print(yt.parse('{"ythost":1,"provider":"elsewhere","id":"a"}'):enrich{"views"}:first().views)
            """)
        #expect(run.lines.count == 4 && run.lines[0] == "590\t4\ttrue\tlimit", "\(run.output)\(run.errors)")
        #expect(run.lines[1] == "60\t2\t2\t60", "the look-ups are kept")
        #expect(run.lines[2].contains("a video has no field 'viws'; did you mean 'views'?"))
        #expect(run.lines[3] == "nil")
        #expect(desk.server.calls.count { $0.path == "videos:batchGetStats" } == 2)
    }

    @Test("without a key a channel is read from its feed, and a search says what to do")
    func keyless() throws {
        let desk = try YouTubeDesk()
        let run = try desk.script(
            """
            local c = yt.channel("\(YouTubeStandIn.channelID)")
            print(c.title, c.id)
            for v in c:uploads() do print(v.id, v.title) end
            """, [], ["YTHOST_YOUTUBE_KEY": ""])
        #expect(
            run.lines == ["Known\t\(YouTubeStandIn.channelID)"]
                + [2, 1, 0].map { "\(YouTubeStandIn.id($0))\tF \($0)" }, "\(run.output)\(run.errors)")
        let none = try Command.run(
            ["search", "x", "--source", "youtube"], environment: ["HOME": desk.scratch.path("home")])
        #expect(
            none.code == 3 && none.errors.contains("youtube needs a key")
                && none.errors.contains("ythost login youtube"))
    }

    @Test("odd records are left out and counted, and an unknown title is nil")
    func oddRecords() throws {
        let desk = try YouTubeDesk()
        desk.server.answer(
            "search",
            .init(
                200,
                #"{"kind":"youtube#searchListResponse","items":[{"id":5,"snippet":null},null,{"id":{"videoId":["x"]}},{"id":{"kind":"youtube#video","videoId":"okokokokoko"},"snippet":{"title":null}}]}"#
            ))
        let run = try desk.run(["search", "x", "--print", "{id} {title}"])
        #expect(run.lines == ["okokokokoko -"] && run.code == 0)
        #expect(run.errors.contains("left out 3 records"))
    }

    @Test("pages that repeat, bring nothing new or are empty end a search, and say so")
    func oddPages() throws {
        func page(_ ids: [Int], next: String?) -> YouTubeStandIn.Answer {
            let items = ids.map { #"{"id":{"videoId":"\#(YouTubeStandIn.id($0))"},"snippet":{"title":"t"}}"# }
            let token = next.map { #""nextPageToken":"\#($0)","# } ?? ""
            return .init(
                200, #"{"kind":"youtube#searchListResponse",\#(token)"items":[\#(items.joined(separator: ","))]}"#)
        }
        let script =
            #"local r = yt.search("x", {max = 500}) local n = r:count() print(n, r.info.calls, r.info.ended, r.info.truncated)"#
        for (pages, line) in [
            ([page([1, 2, 1], next: "b"), page([], next: nil)], "2\t2\tend\tfalse"),
            ([page([1, 2], next: "b"), page([3], next: "b")], "3\t2\trepeated page\tfalse"),
            ([page([1, 2], next: "b"), page([2, 1], next: "c")], "2\t2\tnothing new\tfalse"),
            (
                [page([1], next: "b"), page([], next: "c"), page([], next: "d"), page([], next: "e")],
                "1\t4\tempty pages\tfalse"
            ),
        ] {
            let desk = try YouTubeDesk()
            for page in pages { desk.server.answer("search", page) }
            let run = try desk.script(script, ["-v"])
            #expect(run.lines == [line], "\(run.output)\(run.errors)")
            let reason = line.split(separator: "\t")[2]
            #expect(run.errors.contains("pages: \(reason)") == (reason != "end"), "\(run.errors)")
        }
    }

    @Test("quota shows what was spent; a spent bucket is exit 5 and says when it begins anew")
    func quota() throws {
        let desk = try YouTubeDesk()
        let limits = ["YTHOST_YOUTUBE_LIMITS": "search=1"]
        #expect(try desk.run(["search", "x", "--print", "{id}"], limits).code == 0)
        let run = try desk.run(["search", "y", "--print", "{id}"], limits)
        #expect(
            run.code == 5 && run.errors.contains("the daily quota of 1 of the bucket 'search' at youtube is used up"))
        #expect(run.errors.contains("it begins anew at 20"))
        #expect(desk.server.calls.count == 1)
        let quota = try desk.run(["quota"], limits)
        #expect(
            quota.lines.count == 4
                && quota.lines[1].split(separator: " ").starts(with: ["youtube", "search", "1", "1", "0"]))
        #expect(try desk.run(["search", "x", "--print", "{id}"], limits).code == 0, "what is kept costs nothing")
    }

    @Test("a ledger that cannot be written stops before a call, and quota does not say that nothing was spent")
    func brokenLedger() throws {
        let desk = try YouTubeDesk()
        #expect(try desk.run(["search", "x", "--print", "{id}"]).code == 0)
        let state = desk.scratch.path("home/.local/state/ythost")
        try FileManager.default.removeItem(atPath: state)
        try Data().write(to: URL(filePath: state))
        for words in [["search", "y"], ["quota"]] {
            let run = try desk.run(words)
            #expect(run.code == 3 && run.output.isEmpty, "\(run.output)\(run.errors)")
            #expect(run.errors.contains("calls to youtube cannot be counted, so none is made"))
            #expect(run.errors.contains("set XDG_STATE_HOME to another folder"))
        }
        let kept = try desk.run(["search", "x", "--print", "{id}"])
        #expect(kept.code == 0 && kept.lines.count == 50)
        let homeless = try Command.run(["search", "y"], environment: desk.environment.merging(["HOME": ""]) { $1 })
        #expect(homeless.code == 3 && homeless.errors.contains("there is no home folder"), "\(homeless.errors)")
        #expect(desk.server.calls.count == 1)
    }

    @Test("a damaged ledger is set aside, and what that means is said")
    func damagedLedger() throws {
        let desk = try YouTubeDesk()
        #expect(try desk.run(["search", "x", "--print", "{id}"]).code == 0)
        let ledger = desk.scratch.path("home/.local/state/ythost/quota.sqlite")
        try? FileManager.default.removeItem(atPath: ledger + "-wal")
        try Data("no database, whatever it may be".utf8).write(to: URL(filePath: ledger))
        let run = try desk.run(["search", "y", "--print", "{id}"])
        #expect(run.code == 0 && run.lines.count == 50)
        #expect(run.errors.contains("the calls that were made today are forgotten"), "\(run.errors)")
        #expect(FileManager.default.fileExists(atPath: ledger + ".corrupt"))
        #expect(try desk.run(["quota"]).lines[1].split(separator: " ")[2] == "1")
    }

    @Test(
        "quota tells of the day that SOURCE_DATE_EPOCH names, which ends at midnight in California, summer or winter",
        arguments: [("1719800000", "2024-07-01T07:00:00Z"), ("1706000000", "2024-01-24T08:00:00Z")])
    func quotaDay(epoch: String, end: String) throws {
        let desk = try YouTubeDesk()
        #expect(try desk.run(["search", "x", "--print", "{id}"]).code == 0)
        let then = try desk.run(["quota"], ["SOURCE_DATE_EPOCH": epoch])
        let row = then.lines[1].split(separator: " ").map(String.init)
        #expect(row == ["youtube", "search", "0", "100", "100", end])
        #expect(try desk.run(["quota"]).lines[1].split(separator: " ")[2] == "1")
        #expect(try desk.run(["quota"], ["SOURCE_DATE_EPOCH": "soon"]).code == 2)
    }

    @Test("a category by a misspelt name is told with the nearest")
    func categoryName() throws {
        let desk = try YouTubeDesk()
        let run = try desk.run(["search", "x", "--category", "Musik"])
        #expect(
            run.code == 2
                && run.errors == "ythost: --category: youtube has no category 'Musik'\n  hint: did you mean 'Music'?\n")
        #expect(try desk.run(["search", "x", "--category", "music", "--print", "{id}"]).lines.count == 50)
        #expect(desk.server.calls.map(\.path) == ["videoCategories", "search"])
    }

    @Test("processes at once with three calls left spend three")
    func processes() throws {
        let desk = try YouTubeDesk()
        let environment = desk.environment.merging(["YTHOST_YOUTUBE_LIMITS": "search=3"]) { $1 }
        let children = try (0..<6).map { number in
            try Program(
                Command.binary, ["search", "word\(number)", "--print", "{id}"], environment: environment,
                folder: desk.scratch.folder
            ).start()
        }
        let codes = try children.map { try $0.finish().code }
        #expect(codes.count { $0 == 0 } == 3 && codes.count { $0 == 5 } == 3, "\(codes)")
        #expect(desk.server.calls.count == 3)
    }

    @Test("cache info, clear and prune")
    func cache() throws {
        let desk = try YouTubeDesk()
        _ = try desk.run(["search", "x", "--print", "{id}"])
        #expect(try desk.run(["cache", "info"]).output.contains("entries"))
        #expect(try desk.run(["cache", "prune"]).errors.hasPrefix("ythost: 0 kept answers"))
        #expect(try desk.run(["cache", "clear"]).errors.hasPrefix("ythost: 1 kept answers"))
        _ = try desk.run(["search", "x", "--print", "{id}"])
        #expect(desk.server.calls.count == 2)
        #expect(try desk.run(["cache", "wipe"]).code == 2)
    }

    @Test("what is no answer is told as such, also where an older one is kept")
    func keptAndNoAnswer() throws {
        let desk = try YouTubeDesk()
        #expect(try desk.run(["search", "x", "--print", "{id}"]).lines.count == 50)
        desk.server.answer("search", YouTubeStandIn.Answer(200, "<html>log in</html>"))
        let run = try desk.run(["search", "x", "--fresh"])
        #expect(run.code == 4 && run.errors.contains("cannot be read: it is not what was asked for"), "\(run.errors)")
    }

    @Test("each fault of a key has a remedy of its own, and exit code 3")
    func remedies() throws {
        let desk = try YouTubeDesk()
        desk.server.answer(
            "search", YouTubeStandIn.error(403, "accessNotConfigured", "not used", domain: "usageLimits"),
            YouTubeStandIn.error(403, "ipRefererBlocked", "blocked", domain: "usageLimits"),
            YouTubeStandIn.error(403, "forbidden", "no caller"))
        var hints: Set<String> = []
        for word in ["a", "b", "c"] {
            let run = try desk.run(["search", word])
            #expect(run.code == 3)
            hints.insert(run.errors)
        }
        let bad = try desk.run(["search", "d"], ["YTHOST_YOUTUBE_KEY": "some-other-key"])
        #expect(bad.code == 3)
        hints.insert(bad.errors)
        let none = try desk.run(["search", "e"], ["YTHOST_YOUTUBE_KEY": ""])
        #expect(none.code == 3)
        hints.insert(none.errors)
        #expect(hints.count == 5 && hints.allSatisfy { $0.contains("hint:") })
        #expect(hints.allSatisfy { !$0.contains("<") && !$0.contains("some-other-key") })
    }

    @Test("login reads a pipe, tries the key and keeps it; logout deletes it")
    func login() throws {
        let desk = try YouTubeDesk()
        let noKey = ["YTHOST_YOUTUBE_KEY": ""]
        let bad = try desk.run(["login", "youtube"], input: "a-key-that-is-unknown\n", noKey)
        #expect(bad.code == 3 && bad.errors.contains("does not know the key"))
        let shape = try desk.run(["login", "youtube"], input: "no key\n", noKey)
        #expect(shape.code == 3 && shape.errors.contains("that is no key"))
        #expect(try desk.run(["login", "youtube"], input: "", noKey).code == 2)
        let good = try desk.run(["login", "youtube", "--profile", "work"], input: YouTubeStandIn.key + "\n", noKey)
        #expect(good.code == 0 && good.errors.contains("credentials/youtube/work"), "\(good.errors)")
        #expect(!good.errors.contains(YouTubeStandIn.key) && good.output.isEmpty)
        #expect(try desk.run(["logout", "youtube"], noKey).errors == "ythost: the key is deleted\n")
        #expect(!desk.kept.contains(YouTubeStandIn.key))
        // A job that lost its key must not publish samples.
        let after = try Command.run(["search", "x"], environment: ["HOME": desk.scratch.path("home")])
        #expect(after.code == 3)
        #expect(try desk.run(["login", "vimeo2"], noKey).code == 2)
        let name = try desk.run(["login", "youtube", "--profile", "a b"], input: YouTubeStandIn.key + "\n", noKey)
        #expect(name.code == 2 && name.errors.contains("'a b' is no name of a profile"))
        let elsewhere = try desk.run(["search", "x", "--profile", "work"])
        #expect(
            elsewhere.code == 3 && elsewhere.errors.contains("the key of the profile 'work' is not sent to 127.0.0.1"))
        #expect(elsewhere.errors.contains("leave --profile out"))
    }

    @Test("the key is in no output, no message and no file")
    func secrets() throws {
        let desk = try YouTubeDesk()
        desk.server.answer("search", YouTubeStandIn.error(400, "invalidPageToken", "bad \(YouTubeStandIn.key)"))
        var said = ""
        for words in [
            ["search", "x", "-v", "-v"], ["search", "x", "-v", "-v", "--errors", "json"], ["quota"], ["cache", "info"],
            ["run", "table", "x", "-p", "long"], ["search", "x", "--dry-run"],
        ] {
            let run = try desk.run(words)
            said += run.output + run.errors
        }
        desk.server.stop()
        let down = try desk.run(["search", "z", "-v", "-v"])
        #expect(down.code == 4 && down.errors.contains("youtube could not be asked"))
        said += down.errors
        #expect(!said.contains(YouTubeStandIn.key), "\(said)")
        #expect(!desk.kept.contains(YouTubeStandIn.key))
    }

    @Test("a stage that filters by what search tells keeps a channel hit's own address")
    func kinds() throws {
        let desk = try YouTubeDesk()
        desk.server.answer(
            "search",
            .init(
                200,
                #"{"kind":"youtube#searchListResponse","items":[{"id":{"channelId":"\#(YouTubeStandIn.channelID)"},"snippet":{"title":"C"}},{"id":{"playlistId":"PL0123456789abcdef"},"snippet":{"title":"P"}}]}"#
            ))
        let run = try desk.run(["search", "x", "--type", "all", "--print", "{url}"])
        #expect(
            run.lines == [
                "https://www.youtube.com/channel/\(YouTubeStandIn.channelID)",
                "https://www.youtube.com/playlist?list=PL0123456789abcdef",
            ])
    }
}

extension Data {
    fileprivate func contains(_ text: String) -> Bool { range(of: Data(text.utf8)) != nil }
}
