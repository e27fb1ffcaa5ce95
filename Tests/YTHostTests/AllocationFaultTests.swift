// Memory refused at every point of a run that uses each primitive: never a crash, always a clean error, and the host
// goes on.

import Testing

@testable import Files
@testable import LuaAPI
@testable import LuaRuntime
@testable import Pipeline
@testable import YTHost

@Suite struct AllocationFaultTests {
    /// Uses a function of every group of the API.
    private static let source = """
        local v = yt.video{id = "a", title = "T & é", tags = {"x", "y"}, duration = 61, extra = {n = {1, 2}}}
        v.extra.more = "m"
        v.views = 12345
        local t = {}
        for name in pairs(v) do t[#t + 1] = name end
        local r = yt.parse('{"ythost":1,"id":"b","title":"B","thumbnails":{"d":{"url":"u"}}}\\n{"ythost":1,"id":"c"}')
        local l = r:filter(function(x) return x.id end):map(function(x) return x end):sort_by("title"):unique():list()
        local template = yt.template("<p>{{title}}{{#tags}}{{.}}{{/tags}}{{channel.title}}{{views|grouped}}{{a}}")
        t[#t + 1] = template(v, {a = 1})
        local m = yt.mapper({title = "a.b", seconds = {"c", as = "duration"}}, {rows = "items"})
        local rows = m('{"items":[{"a":{"b":"x"},"c":"PT1M"}]}', {into = "table"}):list()
        local j = yt.json.encode({l[1].title, rows[1].seconds, v:table()}, {pretty = true})
        local d = yt.json.decode(j)
        local s = yt.xml.escape(j) .. yt.html.unescape("&amp;") .. yt.csv.row({1, "a,b"}) .. yt.url.encode("ä b")
        s = s .. yt.text.pad(yt.text.truncate(yt.text.clean(s), 20), 30) .. yt.text.fold("É")
        s = s .. yt.time.format(yt.time.parse("2024-07-01"), "%c", "Europe/Berlin") .. yt.duration.format(61)
        local u = yt.url.parse("../a?b=c&b=d#e", {base = "https://example.org/x/y/"})
        s = s .. yt.url.build{base = u.url, path = {"p q"}, query = {a = {1, "é"}, b = true}} .. #yt.text.links("see https://a.org/b.")
        local x = yt.xml.parse("<a><b c='d'>e</b><b/></a>")
        s = s .. x:first("b[c=d]"):text() .. #x:select("b") .. tostring(x:children()[1]) .. x:children()[1].attributes.c
        local ok, e = pcall(function() return v.titel end)
        local ok2, e2 = pcall(yt.search, "x", {ordr = 1})
        local both = yt.all{
          function() return yt.search("x", {max = 2}) end,
          function() return coroutine.wrap(function() return yt.search("y", {max = 1}):first() end)() end,
        }
        local mapped = yt.map({1, 2, 3}, function(n) return n + 1 end, {at_once = 2})
        for m in yt.merge{{v}, {v}, l} do t[#t + 1] = m.title end
        local found = yt.search("x", {after = "2w", source = "fake"}):enrich{"views"}:take(1):list()
        local ok3, e3 = pcall(function() return yt.videos({"dQw4w9WgXcQ"}, {source = "fake", fields = {"tags"}}):first() end)
        local ok4, e4 = pcall(yt.channel, "@known", {source = "fake"})
        local ok5, e5 = pcall(function() return yt.video{kind = "playlist", id = "PL1"}:items{newest = 1}:first() end)
        for w in s:gmatch("%a+") do t[#t + 1] = w end
        local co = coroutine.wrap(function() coroutine.yield(yt.video{id = "z"}) end)
        print(co().id, #t, s:gsub("%s", "_"):sub(1, 5), tostring(v), yt.parse_url("https://youtu.be/dQw4w9WgXcQ").id)
        """

    @Test("an allocation refused anywhere in a run is a clean error")
    func everywhere() throws {
        func context() throws -> (PluginContext, MemorySink) {
            let sink = MemorySink()
            let host = try Workbench().host
            let run = try Run(RunRequest(), gate: host.directGate(RunRequest(), sink), isAlone: false)
            return (try PluginContext(name: "x", path: nil, folder: nil, environment: run.environment), sink)
        }
        let (whole, _) = try context()
        let before = whole.state.allocationCount
        try whole.state.call(try whole.load(Array(Self.source.utf8), name: "x.lua"))
        let total = whole.state.allocationCount - before
        #expect(total > 200)
        // Every tenth in an ordinary run, from another start each; all of them take a while and prove the same.
        for countdown in stride(from: 1 + Int64.random(in: 0..<10), through: total, by: 10) {
            let (context, _) = try context()
            context.state.failAllocation(after: countdown)
            do throws(LuaError) {
                try context.state.call(try context.load(Array(Self.source.utf8), name: "x.lua"))
            } catch {
                let isClean = error.kind == .memory || error.message.contains("not enough memory")
                #expect(isClean, "refused at \(countdown): \(error)")
            }
        }
    }
}
