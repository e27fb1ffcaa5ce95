// Vimeo from the command line and from Lua, against a stand-in: searches, look-ups, lists, pages both ways, and what
// becomes of refusals.

import Foundation
import TestSupport
import Testing

@Suite struct VimeoCommandTests {
    private static let print = ["--print", "{id} {duration} {views} {channel}"]

    @Test("a search gives the records that any service gives, a page at a time")
    func search() throws {
        let desk = try VimeoDesk()
        let run = try desk.run(["search", "a & b", "--source", "vimeo", "--fetch", "60"] + Self.print)
        #expect(run.code == 0 && run.lines.count == 60, "\(run.errors)")
        #expect(Array(run.lines.prefix(4)) == ["1000 - 0 Ann", "1001 60 10 Ann", "1002 120 20 -", "1003 180 - Ann"])
        let calls = desk.server.calls
        #expect(calls.map(\.path) == ["/videos", "/videos"] && calls.map { $0.query["page"] } == [nil, "2"])
        #expect(calls[0].query["query"] == "a & b" && calls[0].query["sort"] == "relevant")
        #expect(calls[0].query["fields"]?.hasPrefix("uri,name,link,privacy.view") == true)
        #expect(calls.allSatisfy { $0.token == VimeoStandIn.ownToken })
        #expect(calls[0].accept == "application/vnd.vimeo.*+json;version=3.4")
        // Kept answers are for the next run; no token is among them.
        desk.server.forget()
        #expect(
            try desk.run(["search", "a & b", "--source", "vimeo", "--fetch", "60"] + Self.print).lines == run.lines)
        #expect(desk.server.calls.isEmpty && desk.kept.range(of: Data(VimeoStandIn.ownToken.utf8)) == nil)
    }

    @Test("a token alone makes Vimeo the source that is searched")
    func defaultSource() throws {
        let desk = try VimeoDesk()
        let run = try desk.run(["search", "x", "--fetch", "1"] + Self.print)
        #expect(run.lines == ["1000 - 0 Ann"], "\(run.errors)")
    }

    @Test(
        "lists are read by --from, by address or by path",
        arguments: [
            ("channel:ann", "/users/ann/videos", 121), ("channel:1", "/users/1/videos", 121),
            ("channel:https://vimeo.com/ann", "/users/ann/videos", 121), ("channel:me", "/me/videos", 121),
            ("playlist:me/likes", "/me/likes", 121), ("playlist:/me/videos", "/me/videos", 121),
            ("playlist:https://vimeo.com/channels/staffpicks", "/channels/staffpicks/videos", 70),
            ("playlist:staffpicks", "/channels/staffpicks/videos", 70),
            ("playlist:https://vimeo.com/groups/motion", "/groups/motion/videos", 70),
            ("playlist:https://vimeo.com/showcase/5", "/albums/5/videos", 70),
            ("playlist:users/1/albums/5", "/users/1/albums/5/videos", 70),
            ("playlist:https://vimeo.com/categories/animation", "/categories/animation/videos", 70),
            ("playlist:https://vimeo.com/tag:lua", "/tags/lua/videos", 70),
        ])
    func lists(origin: String, path: String, count: Int) throws {
        let desk = try VimeoDesk()
        let run = try desk.run(
            ["run", "ids", "--from", origin, "--fetch", "200"]
                + (origin.contains("vimeo.com") ? [] : ["--source", "vimeo"]))
        #expect(run.code == 0 && run.lines.count == count, "\(run.errors)")
        #expect(desk.server.calls.allSatisfy { $0.path == path })
    }

    @Test("pages can be read both ways, by any listing")
    func pages() throws {
        let desk = try VimeoDesk()
        let run = try desk.script(
            """
            local first = yt.search("x", {source = "vimeo", max = 50})
            local ids = first:list()
            print(#ids, first.info.next, first.info.previous, first.info.estimate, first.info.truncated)
            local second = yt.search("x", {source = "vimeo", max = 50, page = first.info.next})
            print(second:first().id, second.info.next, second.info.previous)
            local back = yt.search("x", {source = "vimeo", max = 50, page = second.info.previous})
            print(back:first().id == ids[1].id)
            local list = yt.playlist("https://vimeo.com/showcase/5"):items{page = "2", max = 50}
            print(list:count(), list.info.previous, list.info.next)
            print(first.info.first, first.info.last, first.info.total, list.info.first, list.info.last, list.info.total)
            """, ["--allow", "account:vimeo"])
        #expect(
            run.lines == ["50\t2\tnil\t130\ttrue", "1050\t3\t1", "true", "20\t1\tnil", "1\t3\t130\t1\t2\t70"],
            "\(run.errors)")
    }

    @Test("videos are looked up in batches, unlisted ones by their hash; what is not there is told")
    func lookUps() throws {
        let desk = try VimeoDesk()
        let run = try desk.script(
            """
            local found = yt.videos({"1001", "https://vimeo.com/900/abcdef0123", "77", "1000"}, {source = "vimeo"})
            for v in found do print(v.id, v.url, v.availability) end
            print(table.concat(found.info.missing, ","), found.info.calls)
            print(yt.videos("https://vimeo.com/1002"):first().title)
            print(#yt.videos((function() local t = {} for i = 1, 120 do t[i] = tostring(999 + i) end return t end)(),
              {source = "vimeo", fields = {"duration"}}):list())
            """)
        #expect(
            run.lines == [
                "1001\thttps://vimeo.com/1001\tpublic",
                "900\thttps://vimeo.com/900/abcdef0123\tunlisted", "1000\thttps://vimeo.com/1000\tpublic", "77\t1",
                "V & 2", "120",
            ], "\(run.errors)")
        let calls = desk.server.calls
        #expect(calls.count == 5)
        #expect(calls[0].query["uris"] == "/videos/1001,/videos/900:abcdef0123,/videos/77,/videos/1000")
        #expect(calls.last?.query["fields"] == "uri,name,link,privacy.view,duration")
    }

    @Test("users and lists are records, and lead to what is in them")
    func channels() throws {
        let desk = try VimeoDesk()
        let run = try desk.script(
            """
            local ann = yt.channel("ann", {source = "vimeo"})
            print(ann.kind, ann.id, ann.title, ann.url, ann.extra.videos, ann.extra.subscribers)
            print(ann:uploads{max = 3}:count())
            for _, ref in ipairs{"groups/motion", "users/1/albums/5", "categories/animation", "tags/lua"} do
              local list = yt.playlist(ref, {source = "vimeo"})
              print(list.kind, list.id, list.extra.videos, list:items{max = 60}:count())
            end
            print(yt.channel("nobody", {source = "vimeo"}))
            print(yt.channel("https://vimeo.com/1001"))
            for v in yt.search("a", {source = "vimeo", type = "channel", max = 1}) do print(v.kind, v.id) end
            for v in yt.search("a", {source = "vimeo", type = "playlist", max = 1}) do print(v.kind, v.id) end
            """, ["--allow", "account:vimeo"])
        #expect(
            run.lines == [
                "channel\t1\tAnn\thttps://vimeo.com/ann\t120\t12", "3", "playlist\tgroups/motion\t70\t60",
                "playlist\tusers/1/albums/5\t70\t60", "playlist\tcategories/animation\t70\t60",
                "playlist\ttags/lua\t70\t60", "nil\tvimeo has no channel 'nobody'",
                "nil\t'https://vimeo.com/1001' cannot be looked up: it names a video", "channel\t1",
                "playlist\tchannels/7",
            ], "\(run.errors)")
    }

    @Test("yt.request reads the API as it is, without the token ever coming back")
    func request() throws {
        let desk = try VimeoDesk()
        let run = try desk.script(
            """
            local answer = yt.request("vimeo", "/me/videos", {query = {per_page = 50, fields = "uri"}})
            print(answer.status, answer.json.total, #answer.json.data)
            local next = yt.request("vimeo", answer.json.paging.next, {store = false, timeout = 20})
            local back = yt.request("vimeo", next.json.paging.previous, {cache = "network-only"})
            print(next.json.page, back.json.page, back.json.data[1].uri == answer.json.data[1].uri)
            print(yt.request("vimeo", "videos/900:abcdef0123").json.link)
            print(yt.request("vimeo", "videos", {query = {per_page = 50}}).status)
            for _, path in ipairs{"oauth/verify", "tokens", "../x", "a//b"} do print(pcall(yt.request, "vimeo", path)) end
            print(pcall(yt.request, "vimeo", "videos", {query = {access_token = "x"}}))
            """, ["--allow", "account:vimeo"])
        #expect(
            Array(run.lines.prefix(4)) == [
                "200\t121\t50", "2\t1\ttrue", "https://vimeo.com/900/abcdef0123", "400",
            ], "\(run.errors)")
        #expect(run.lines.dropFirst(4).allSatisfy { $0.hasPrefix("false\t") } && run.lines.count == 9)
        #expect(!run.lines.contains { $0.contains(VimeoStandIn.ownToken) })
        let refused = try desk.script(#"yt.request("vimeo", "me")"#)
        #expect(refused.code == 6 && refused.errors.contains("account:vimeo"))
    }

    @Test("a plugin sees what everybody may, unless it was given the account")
    func account() throws {
        let desk = try VimeoDesk()
        let text = """
            print(yt.channel("1", {source = "vimeo"}):uploads{max = 500}:count())
            print(yt.videos({"800", "1000"}, {source = "vimeo"}):count())
            """
        let refused = try desk.script(#"print(yt.channel("me", {source = "vimeo"}))"#)
        #expect(refused.code == 6 && refused.errors.contains("has no grant 'account:vimeo'"), "\(refused.errors)")
        #expect(desk.server.calls.isEmpty)
        #expect(try desk.script(text).lines == ["120", "1"])
        // The same kept answers, told whole.
        #expect(try desk.script(text, ["--allow", "account:vimeo"]).lines == ["121", "2"])
        for call in [
            #"yt.search("x", {source = "vimeo", channel = "me"}):first()"#,
            #"yt.playlist("me/albums/5", {source = "vimeo"})"#,
        ] {
            #expect(try desk.script(call).code == 6)
        }
    }

    @Test("what a list of origins names is told as to a stranger, what the user types is told whole")
    func listed() throws {
        let desk = try VimeoDesk()
        try desk.scratch.file("list.txt", "https://vimeo.com/ann\n")
        let count = ["run", "ids", "--fetch", "200"]
        #expect(try desk.run(count + ["--from", "list.txt"]).lines.count == 120)
        #expect(try desk.run(count + ["--from", "channel:https://vimeo.com/ann"]).lines.count == 121)
        try desk.scratch.file("mine.txt", "channel:me\n")
        let mine = try desk.run(count + ["--from", "mine.txt", "--source", "vimeo"])
        #expect(mine.code == 6 && mine.errors.contains("account:vimeo"), "\(mine.errors)")
        let given = try desk.run(count + ["--from", "mine.txt", "--source", "vimeo", "--allow", "account:vimeo"])
        #expect(given.lines.count == 121, "\(given.errors)")
        let searched = try desk.run(
            ["search", "x", "--source", "vimeo", "--channel", "me", "--fetch", "200", "--print", "{id}"])
        #expect(searched.lines.count == 121, "\(searched.errors)")
    }

    @Test("options that Vimeo cannot honour are errors that name them")
    func options() throws {
        let desk = try VimeoDesk()
        let cases: [([String], String)] = [
            (["--after", "2024-01-01"], "'vimeo' cannot honour --after"),
            (["--duration", "long"], "'vimeo' cannot honour --duration"),
            (["--region", "DE"], "'vimeo' cannot honour --region"),
            (["--order", "videos"], "--order videos"), (["--license", "youtube"], "--license youtube"),
            (["--embeddable"], "--embeddable needs --channel"),
            (["--category", "animation", "--channel", "ann"], "--channel together with --category"),
            (["--license", "creativecommon", "--channel", "ann"], "--license together with --channel"),
            (["--order", "relevance", "--channel", "ann"], "--order relevance"),
            (["--type", "channel", "--license", "creativecommon"], "--license is only for --type video"),
            (["--category", "no/such"], "--category: 'no/such' is not"),
        ]
        for (flags, words) in cases {
            let run = try desk.run(["search", "x", "--source", "vimeo"] + flags)
            #expect(run.code == 2 && run.errors.contains(words), "\(flags): \(run.errors)")
        }
        #expect(desk.server.calls.isEmpty)
        let runs: [([String], String, [String: String])] = [
            (["--order", "date"], "/videos", ["sort": "date", "direction": "desc"]),
            (["--order", "views"], "/videos", ["sort": "plays"]),
            (["--order", "rating"], "/videos", ["sort": "likes"]),
            (["--order", "title"], "/videos", ["sort": "alphabetical", "direction": "asc"]),
            (["--license", "creativecommon"], "/videos", ["filter": "CC", "query": "x"]),
            (["--channel", "ann", "--embeddable"], "/users/ann/videos", ["filter_embeddable": "true", "query": "x"]),
            (["--category", "Experimental Things"], "/categories/experimental-things/videos", ["query": "x"]),
        ]
        for (flags, path, query) in runs {
            desk.server.forget()
            let run = try desk.run(["search", "x", "--source", "vimeo", "--fetch", "1"] + flags)
            let call = desk.server.calls.first
            #expect(run.code == 0 && call?.path == path, "\(flags): \(run.errors)")
            #expect(query.allSatisfy { call?.query[$0.key] == $0.value }, "\(flags): \(call?.query ?? [:])")
        }
    }
}
