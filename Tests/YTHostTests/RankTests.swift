// The roles that handle whole lists: rank, and search, the source written in Lua.

import Testing

@testable import HostErrors
@testable import Pipeline

@Suite struct RankTests {
    private func ids(_ plugin: String, fetch: Int? = nil) throws -> String {
        try Workbench().run(plugin: plugin) {
            $0.template = "{id}"
            $0.fetch = fetch
        }.lines.joined()
    }

    private func failure(_ plugin: String) throws -> String {
        try Workbench().failure(plugin: plugin) { $0.template = "{id}" }.text
    }

    @Test(
        "a rank may return the list it got, another, results or an iterator",
        arguments: [
            ("return videos", "abcdefghij"), ("return { videos[3], videos[1] }", "ca"), ("return {}", ""),
            ("return videos:sort_by('views', 'desc')", "jihgfedcba"), ("return videos:take(2):list()", "ab"),
            ("table.remove(videos, 1) return videos", "bcdefghij"),
            ("table.sort(videos, function(a, b) return a.views > b.views end) return videos", "jihgfedcba"),
            ("local i = 0 return function() i = i + 3 return videos[i] end", "cfi"),
            (
                "return coroutine.wrap(function() for _, v in ipairs(videos) do coroutine.yield(v) end end)",
                "abcdefghij"
            ),
            ("return { { id = 'x' }, yt.video{ id = 'y' } }", "xy"), ("return yt.search('lua', { max = 2 })", "ab"),
        ])
    func rank(body: String, order: String) throws {
        #expect(try ids("return { rank = function(videos, opt) \(body) end }") == order)
    }

    @Test("a shipped rank works: the same seed gives the same order")
    func shuffle() throws {
        func order(_ seed: UInt64) throws -> [String] {
            try Workbench().run {
                $0.stages = [.plugin("shuffle", settings: [])]
                $0.template = "{id}"
                $0.seed = seed
            }.lines
        }
        #expect(try order(1) == order(1))
        #expect(try order(1) != order(2))
        #expect(try order(1).sorted().joined() == "abcdefghij")
    }

    @Test(
        "a rank that returns no videos is told what it returned",
        arguments: [
            ("", "the videos, as a list or results, it returned a nil"),
            ("return 5", "the videos, as a list or results, it returned a number"),
            ("return 'abc'", "the videos, as a list or results, it returned a string"),
            ("return videos[1]", "the videos, as a list or results, it returned a userdata"),
            ("return { 1, 2 }", "videos or tables of fields, it returned a number"),
            ("return videos:map(function(v) return v.id end)", "videos or tables of fields, it returned a string"),
            ("return function() return true end", "videos or tables of fields, it returned a boolean"),
        ])
    func wrongRank(body: String, problem: String) throws {
        #expect(
            try failure("return { rank = function(videos) \(body) end }") == """
                ythost: mine.lua:1: its rank function must return \(problem)
                  1 | return { rank = function(videos) \(body) end }
                """)
    }

    @Test("ranks and scores run in the order they were given")
    func several() throws {
        let bench = try Workbench()
        try bench.write("odd.lua", "return { score = function(v) return v.views % 2 end }")
        try bench.write("reverse.lua", "return { rank = function(l) return l:sort_by('id', 'desc') end }")
        let outcome = try bench.run {
            $0.stages = [
                .plugin("reverse", settings: []), .plugin("odd", settings: []),
                .order(expression: "views > 8 and 1 or 0"),
            ]
            $0.template = "{id}"
        }
        #expect(outcome.lines.joined() == "ijgecahfdb")
    }

    // MARK: search

    @Test(
        "a source may be a list, results, an iterator or a coroutine",
        arguments: [
            ("return { { id = 'x' }, yt.video{ id = 'y' } }", "xy"), ("return {}", ""),
            ("return yt.search(query .. '!', { max = 3 })", "abc"),
            ("return yt.search(query):filter(function(v) return v.views > 8 end)", "ij"),
            ("local i = 0 return function() i = i + 1 if i < 4 then return { id = 'n' .. i } end end", "n1n2n3"),
            (
                "return coroutine.wrap(function() for _, id in ipairs{'p', 'q'} do coroutine.yield{ id = id } end end)",
                "pq"
            ),
            ("return ipairs_of_nothing or next, {}", ""),
            (
                "return function(last, now) now = (now and now.views or 0) + 1 if now < last then return { id = 's', views = now } end end, 3",
                "ss"
            ),
        ])
    func search(body: String, rows: String) throws {
        #expect(try ids("return { search = function(query, opt) \(body) end }") == rows)
    }

    @Test("a source is read no further than --fetch, and may be endless")
    func endless() throws {
        let plugin = """
            local made = 0
            return { search = function() return function() made = made + 1 assert(made < 4) return { id = made .. "" } end end }
            """
        #expect(try ids(plugin, fetch: 3) == "123")
    }

    @Test("rows of a source say where they were found, unless they say it themselves")
    func foundIn() throws {
        let outcome = try Workbench().run(
            plugin:
                "return { search = function(q) return { { id = q }, { id = 'b', found_in = { { source = 's' } } } } end }",
            arguments: ["two", "words"])
        #expect(outcome.lines[0].contains(#""id":"two words""#))
        #expect(outcome.lines[0].contains(#""found_in":[{"source":"mine","query":"two words"}]"#))
        #expect(outcome.lines[1].contains(#""found_in":[{"source":"s"}]"#))
    }

    @Test(
        "a source that gives no rows is told what it returned",
        arguments: [
            ("", "a list of videos, results or an iterator, it returned a nil"),
            ("return 5", "a list of videos, results or an iterator, it returned a number"),
            ("return { 5 }", "videos or tables of fields, it returned a number"),
            ("return function() return 'x' end", "videos or tables of fields, it returned a string"),
        ])
    func wrongSearch(body: String, problem: String) throws {
        let report = try Workbench().failure(plugin: "return { search = function(q) \(body) end }")
        #expect(report.message == "its search function must return \(problem)")
        #expect(report.file == "mine.lua")
        #expect(report.code == .plugin)
    }

    @Test("a source that fails while it is read keeps its line")
    func failing() throws {
        let report = try Workbench().failure(
            plugin:
                "return { search = function()\n  return coroutine.wrap(function()\n    error('no more')\n  end)\nend }")
        #expect(report.text.hasPrefix("ythost: mine.lua:3: no more\n  3 |     error('no more')"))
    }

    @Test("two sources are one too many")
    func twoSources() throws {
        let bench = try Workbench()
        try bench.write("one.lua", "return { search = function() return {} end }")
        try bench.write("two.lua", "return { search = function() return {} end }")
        let report = try bench.failure { $0.stages = [.plugin("one", settings: []), .plugin("two", settings: [])] }
        #expect(report.text == "ythost: two sources: one and two both search")
    }
}
