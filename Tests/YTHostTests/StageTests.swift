// Filters, maps and scores: what they get, what they may give back, and what is said when they give something else.

import Testing

@testable import Files
@testable import HostErrors
@testable import Pipeline

@Suite struct StageTests {
    private func ids(_ plugin: String, arguments: [String] = ["lua"]) throws -> String {
        try Workbench().run(plugin: plugin, arguments: arguments) { $0.template = "{id}" }.lines.joined()
    }

    private func failure(_ plugin: String) throws -> String {
        try Workbench().failure(plugin: plugin) { $0.template = "{id}" }.text
    }

    @Test(
        "a filter keeps a video for which it returns anything but nil and false",
        arguments: [
            ("v.views > 8", "ij"), ("v.id == 'a' or nil", "a"), ("0", "abcdefghij"), ("false", ""), ("nil", ""),
            ("v.views < 3, 'why'", "ab"),
        ])
    func filter(expression: String, kept: String) throws {
        #expect(try ids("return { filter = function(v) return \(expression) end }") == kept)
    }

    @Test("what a filter or a score changes in a video is seen by the stages after it")
    func changes() throws {
        let shown = try Workbench().run(
            plugin: """
                return {
                  filter = function(v) v.title = v.id .. "!" v.extra.seen = true return v.views < 3 end,
                  score = function(v) v.extra.seen = tostring(v.extra.seen) .. v.title v.likes = 7 return -v.views end,
                }
                """, arguments: ["lua"]
        ) { $0.template = "{id} {title} {likes} {extra.seen}" }
        #expect(shown.lines == ["a a! 7 truea!", "b b! 7 trueb!"])
    }

    @Test("a filter that returns no value is an error that says return is missing")
    func missingReturn() throws {
        #expect(
            try failure("return {\n  filter = function(v) local keep = v.views > 3 end,\n}") == """
                ythost: mine.lua:2: its filter function must return true to keep the video or false to drop it, it returned nothing
                  2 |   filter = function(v) local keep = v.views > 3 end,
                  hint: is a 'return' missing?
                """)
    }

    @Test("filters and maps run in the order they were given, and may repeat")
    func order() throws {
        let bench = try Workbench()
        try bench.write(
            "add.lua",
            """
            return {
              options = { what = { type = "string", default = "x" } },
              map = function(v, opt) v.title = v.title .. opt.what return v end,
            }
            """)
        try bench.write("long.lua", "return { filter = function(v) return #v.title > 2 end }")
        let outcome = try bench.run {
            $0.template = "{title}"
            $0.stages = [
                .plugin("add", settings: [("what", "1")]), .keep(expression: "views < 3"), .plugin("add", settings: []),
                .plugin("long", settings: []), .plugin("add", settings: [("what", "3")]),
            ]
        }
        #expect(outcome.lines == ["A1x3", "B1x3"])
    }

    @Test("a map may change the video it got, return another, or a table of fields")
    func map() throws {
        #expect(try ids("return { map = function(v) v.id = v.id .. v.id return v end }").hasPrefix("aabbcc"))
        #expect(try ids("return { map = function(v) return yt.video{ id = v.title } end }") == "ABCDEFGHIJ")
        #expect(try ids("return { map = function(v) return { id = v.title } end }") == "ABCDEFGHIJ")
    }

    @Test("what a map puts into extra is seen by later stages and written, and is copied in and out")
    func extra() throws {
        let bench = try Workbench()
        try bench.write("mark.lua", "return { map = function(v) v.extra.seen = { v.id } v.title = 'T' return v end }")
        try bench.write(
            "show.lua",
            """
            return { map = function(v) v.extra.seen[2] = 'lost' v.extra.twice = v.extra.seen[1] .. v.extra.seen[1] return v end }
            """)
        let outcome = try bench.run {
            $0.take = 1
            $0.stages = [.plugin("mark", settings: []), .plugin("show", settings: [])]
        }
        #expect(outcome.text.contains(#""title":"T""#))
        #expect(outcome.text.contains(#""extra":{"seen":["a"],"twice":"aa"}"#))
    }

    @Test(
        "a map that returns no video is told what it returned",
        arguments: [
            ("", "nothing\n  1 | return { map = function(v)  end }\n  hint: is a 'return' missing?"),
            ("return nil", "a nil\n  1 | return { map = function(v) return nil end }"),
            ("return 5", "a number\n  1 | return { map = function(v) return 5 end }"),
            ("return v.title", "a string\n  1 | return { map = function(v) return v.title end }"),
        ])
    func wrongMap(body: String, got: String) throws {
        #expect(
            try failure("return { map = function(v) \(body) end }")
                == "ythost: mine.lua:1: its map function must return the video, it returned \(got)")
    }

    @Test("a table that is no record is told by its field")
    func wrongRecord() throws {
        let report = try Workbench().failure(plugin: "return { map = function(v) return { titel = 'x' } end }")
        #expect(report.message == "a video has no field 'titel'; did you mean 'title'?")
        #expect(report.file == "mine.lua" && report.line == 1)
    }

    @Test(
        "scores sort high to low, equal ones as they were, unknown ones last",
        arguments: [
            ("v.views", "jihgfedcba"), ("-v.views", "abcdefghij"), ("v.views % 2", "acegibdfhj"), ("nil", "abcdefghij"),
            ("v.views ~= 1 and v.views or nil", "jihgfedcba"), ("v.views > 8 and v.views / 2 or nil", "jiabcdefgh"),
            ("math.huge", "abcdefghij"),
        ])
    func score(expression: String, order: String) throws {
        #expect(try ids("return { score = function(v) return \(expression) end }") == order)
    }

    @Test("the score can be read later, whole when it is whole, and is unknown where it was nil")
    func readLater() throws {
        let outcome = try Workbench().run(
            plugin: "return { score = function(v) if v.views == 1 then return nil end return v.views / 2 end }"
        ) { $0.template = "{id} {get('score', 'none')}" }
        #expect(outcome.lines.prefix(2) == ["j 5", "i 4.5"])
        #expect(outcome.lines.last == "a none")
    }

    @Test(
        "a score that is no number is told what it returned",
        arguments: [
            ("", "nothing\n  1 | return { score = function(v)  end }\n  hint: is a 'return' missing?"),
            ("return '5'", "a string\n  1 | return { score = function(v) return '5' end }"),
            ("return true", "a boolean\n  1 | return { score = function(v) return true end }"),
            ("return 0/0", "nan\n  1 | return { score = function(v) return 0/0 end }"),
        ])
    func wrongScore(body: String, got: String) throws {
        #expect(
            try failure("return { score = function(v) \(body) end }")
                == "ythost: mine.lua:1: its score function must return a number, or nil for unknown, it returned \(got)"
        )
    }

    @Test("every video that a stage drops over an unknown field is counted and said")
    func unknowns() throws {
        let bench = try Workbench([FakeService.rows(#""id":"a","duration":5"#, #""id":"b""#, #""id":"c""#)])
        try bench.write("long.lua", "return { filter = function(v) return v.duration and v.duration > 1 end }")
        let outcome = try bench.run {
            $0.template = "{id}"
            $0.stages = [.plugin("long", settings: []), .keep(expression: "views > 5")]
        }
        #expect(outcome.text == "")
        #expect(
            outcome.log == [
                "warning: long dropped 2 videos whose duration is unknown",
                "warning: --where dropped 1 video whose views is unknown", "warning: nothing matched",
            ])
    }

    @Test("asking with a default counts as looking at the unknown field")
    func unknownsByGet() throws {
        let bench = try Workbench([FakeService.rows(#""id":"a""#)])
        let outcome = try bench.run(plugin: "return { filter = function(v) return v:get('views', 0) > 1 end }")
        #expect(outcome.log == ["warning: mine dropped 1 video whose views is unknown", "warning: nothing matched"])
    }

    @Test("a video that is dropped for what is known is not reported")
    func known() throws {
        let bench = try Workbench([FakeService.rows(#""id":"a","duration":5"#)])
        let outcome = try bench.run(plugin: "return { filter = function(v) return v.duration > 9 end }")
        #expect(outcome.log == ["warning: nothing matched"])
    }

    @Test("nothing to write is a failure only where that was asked")
    func failsWhenEmpty() throws {
        let bench = try Workbench()
        let sink = MemorySink()
        #expect(throws: HostError.self) {
            try bench.run(plugin: "return { filter = function() return false end }", to: sink) {
                $0.failsWhenEmpty = true
            }
        }
        let report = try bench.failure(plugin: "return { filter = function() return false end }") {
            $0.failsWhenEmpty = true
        }
        #expect(report.text == "ythost: nothing matched")
        #expect(report.code == .empty)
        #expect(report.code.rawValue == 7)
        #expect(try bench.run { $0.failsWhenEmpty = true }.report.written == 10)
    }

    @Test("options reach a role as the second argument, in the units of their types")
    func options() throws {
        let plugin = """
            return {
              options = { min = { type = "duration", default = "10m" }, words = { type = "list" }, on = { type = "boolean", default = true } },
              filter = function(v, opt)
                assert(opt.min == 5400 and opt.words[2] == "b" and opt.on == false and opt.nothing == nil)
                return v.id == opt.words[1]
              end,
            }
            """
        #expect(try ids(plugin, arguments: ["lua", "--min", "1h30m", "--words=a,b", "--no-on"]) == "a")
    }
}
