// What a plugin's file must be, and what is said, with its line, when it is not.

import Testing

@testable import HostErrors
@testable import Packages
@testable import Pipeline
@testable import VideoModel
@testable import YTHost

@Suite struct PluginLoadTests {
    private func text(_ plugin: String) throws -> String { try Workbench().failure(plugin: plugin).text }

    @Test("every role is found, in the order a run asks for them")
    func roles() throws {
        let bench = try Workbench()
        let roles = PluginManifest.Role.allCases.map(\.rawValue)
        try bench.write(
            "all.lua",
            """
            return { summary = "S", api = 1, fields = { "duration", "views" }, needs = { "search" },
            \(roles.reversed().map { "\($0) = function() end," }.joined()) }
            """)
        let manifest = try bench.host.manifest(of: "all")
        #expect(manifest.roles == PluginManifest.Role.allCases)
        #expect(manifest.summary == "S")
        #expect(manifest.fields == [.duration, .views])
        #expect(manifest.needs == ["search"])
        #expect(manifest.name == "all" && manifest.path == bench.path("all.lua"))
        #expect(!manifest.isScript)
    }

    @Test(
        "a table that is no plugin is told why, and on which line",
        arguments: [
            (
                "return {}",
                "mine.lua: a plugin has at least one role: search, filter, map, score, rank, format, written, run"
            ),
            (
                "return { summary = 'x' }",
                "mine.lua: a plugin has at least one role: search, filter, map, score, rank, format, written, run"
            ),
            (
                "return {\n  fliter = print }",
                "mine.lua:2: unknown role or key 'fliter'; did you mean 'filter'?\n  2 |   fliter = print }"
            ),
            (
                "return {\n  summry = 'x', filter = print }",
                "mine.lua:2: unknown role or key 'summry'; did you mean 'summary'?\n  2 |   summry = 'x', filter = print }"
            ),
            (
                "return {\n\n  filter = 'x' }",
                "mine.lua:3: 'filter' must be a function, it is a string\n  3 |   filter = 'x' }"
            ),
            ("return { function() end }", "mine.lua: a plugin's table has names as keys, not positions"),
            ("return { filter = print, summary = {} }", "mine.lua: summary is a string"),
            (
                "return { filter = print, api = 0 }",
                "mine.lua: api is the version of the API it was written for, a whole number from 1"
            ),
            (
                "return { filter = print, api = '1' }",
                "mine.lua: api is the version of the API it was written for, a whole number from 1"
            ),
            (
                "return { filter = print, api = 2 }",
                "mine.lua: it was written for version 2 of the API, and this ythost has 1; update ythost"
            ),
            (
                "return { filter = print, fields = 'duration' }",
                "mine.lua: fields is a list of strings, such as {\"duration\"}"
            ),
            (
                "return { filter = print, fields = { 'durtion' } }",
                "mine.lua: fields names 'durtion', which no video has; did you mean 'duration'?"
            ),
            (
                "return { filter = print, needs = { 5 } }",
                "mine.lua: needs is a list of strings, such as {\"duration\"}"
            ),
            ("return { filter = print, needs = print }", "mine.lua: plain data expected, got a function"),
            (
                "return 'x'",
                "mine.lua: a plugin returns a table of roles, or nothing when it is a script; this returned a string"
            ),
            (
                "return nil",
                "mine.lua: a plugin returns a table of roles, or nothing when it is a script; this returned a nil"
            ),
            (
                "return function() end",
                "mine.lua: a plugin returns a table of roles, or nothing when it is a script; this returned a function"
            ),
        ])
    func wrongTable(plugin: String, message: String) throws {
        let report = try Workbench().failure(plugin: plugin)
        #expect(report.text == "ythost: " + message)
        #expect(report.code == .plugin)
    }

    @Test("a file that does not compile is told with its line")
    func syntax() throws {
        let report = try Workbench().failure(plugin: "local x = 1\nreturn { filter = function( end }\n")
        #expect(
            report.text
                == "ythost: mine.lua:2: <name> or '...' expected near 'end'\n  2 | return { filter = function( end }")
        #expect(report.kind == "syntax")
        #expect(report.code == .plugin)
    }

    @Test("bytecode is no plugin")
    func bytecode() throws {
        #expect(try text("\u{1B}Lua").contains("attempt to load a binary chunk"))
    }

    @Test("a byte order mark and a first line with #! are skipped, and lines still count")
    func firstLine() throws {
        #expect(try text("\u{FEFF}#!/usr/bin/env ythost\nerror('x')") == "ythost: mine.lua:2: x\n  2 | error('x')")
    }

    @Test(
        "an error while loading keeps its place whatever was raised",
        arguments: [
            ("error('no')", "mine.lua:2: no\n  2 | error('no')"),
            ("error('no', 0)", "mine.lua:2: no\n  2 | error('no', 0)"),
            (
                "error({ code = 5 })",
                "mine.lua:2: error object that is a table without a message\n  2 | error({ code = 5 })"
            ),
            ("error({ message = 'told' })", "mine.lua:2: told\n  2 | error({ message = 'told' })"),
            ("error(nil)", "mine.lua:2: error without a message (nil)\n  2 | error(nil)"),
            ("error()", "mine.lua:2: error without a message (nil)\n  2 | error()"),
            ("error(print)", "mine.lua:2: error object that is a function\n  2 | error(print)"),
            (
                "local t = nil; t.x = 1",
                "mine.lua:2: attempt to index a nil value (local 't')\n  2 | local t = nil; t.x = 1"
            ),
            ("yt.serach('x')", "mine.lua:2: there is no 'yt.serach'; did you mean 'yt.search'?\n  2 | yt.serach('x')"),
            (
                "yt.text.width()",
                "mine.lua:2: bad argument #1 to 'yt.text.width' (text): string expected, got no value\n  2 | yt.text.width()"
            ),
        ])
    func atLoad(line: String, message: String) throws {
        #expect(try text("-- first\n\(line)\n") == "ythost: " + message)
    }

    @Test("an error in a function tells the frames of the plugin alone, innermost first")
    func frames() throws {
        let plugin = """
            local function inner(v)
              return v.views + nil
            end
            return {
              filter = function(v)
                local keep = inner(v)
                return keep
              end,
            }
            """
        #expect(
            try text(plugin) == """
                ythost: mine.lua:2: attempt to perform arithmetic on a nil value
                  2 |   return v.views + nil
                  at mine.lua:2 in inner
                  at mine.lua:6
                """)
    }

    @Test(
        "an error in the callback of a method keeps the line of the plugin",
        arguments: [
            ("r:map(function(v) return v.title .. {} end):list()", "attempt to concatenate a table value"),
            ("r:filter(function(v) error('no') end):count()", "no"),
            ("r:sort(function(a, b) return a < b end):list()", "attempt to compare two video values"),
            ("r:sort_by(function(v) return v.views < 3 and v.views or v.id end):list()", "attempt to compare"),
            ("r:map(function(v) return v.views end):sort_by('id'):list()", "attempt to index a number value"),
            ("r:unique(function() return 0/0 end):list()", "index is NaN"),
            ("r:group('titel'):list()", "a video has no field 'titel'; did you mean 'title'?"),
        ])
    func callbacks(line: String, message: String) throws {
        let report = try Workbench().failure(plugin: "local r = yt.search('lua')\n\n\(line)", arguments: [])
        #expect(report.line == 3)
        #expect(report.file == "mine.lua")
        #expect(report.message.contains(message))
        #expect(!report.message.contains("[ythost]"))
        #expect(report.sourceLine == line)
    }

    @Test(
        "comparing or adding an unknown field says which one, and what to write",
        arguments: [
            (
                "v.duration > 600", "attempt to compare number with nil",
                "duration is unknown for this video; video:get(\"duration\", 0) gives 0 then"
            ),
            (
                "v.likes / v.views > 0.1", "attempt to perform arithmetic on a nil value (field 'likes')",
                "likes is unknown for this video; video:get(\"likes\", 0) gives 0 then"
            ),
            (
                "v.description .. 'x'", "attempt to concatenate a nil value (field 'description')",
                "description is unknown for this video; video:get(\"description\", \"\") gives \"\" then"
            ),
        ])
    func unknown(expression: String, message: String, hint: String) throws {
        let report = try Workbench().failure(plugin: "return { filter = function(v) return \(expression) end }")
        #expect(report.message == message)
        #expect(report.hint == hint)
    }

    @Test("comparing nil that is no field of the video has no hint about one")
    func ownNil() throws {
        let report = try Workbench().failure(plugin: "return { filter = function(v, opt) return opt.min < 5 end }")
        #expect(report.hint == nil)
    }

    // MARK: finding

    @Test("a bare name is looked up in the folders, and never where the command was started")
    func bareNames() throws {
        let bench = try Workbench()
        try bench.write("mine.lua", "return { filter = print }")
        try bench.write("filters/deep.lua", "return { filter = print }")
        try bench.write("packed/plugin.lua", "return { filter = print }")
        try bench.write("lib/hidden.lua", "return {}")
        try bench.write("mine_test.lua", "")
        #expect(try bench.host.manifest(of: "mine").path == bench.path("mine.lua"))
        #expect(try bench.host.manifest(of: "deep").path == bench.path("filters/deep.lua"))
        #expect(try bench.host.manifest(of: "packed").path == bench.path("packed/plugin.lua"))
        #expect(try bench.host.manifest(of: "packed").name == "packed")
        #expect(try bench.host.manifest(of: bench.path("packed")).name == "packed")
        #expect(
            bench.host.locator.list().filter { $0.origin == "yours" }.map(\.name).sorted() == [
                "deep", "mine", "packed",
            ])
        let report = try bench.failure { $0.plugin = "hidden" }
        #expect(report.message == "there is no plugin 'hidden'")
        #expect(report.hint == "looked for: FOLDER, ROOT/plugins; `ythost plugin list` shows what there is")
        #expect(report.code == .usage)
    }

    @Test("a user's plugin is taken before a shipped one of the same name")
    func shadowing() throws {
        let bench = try Workbench()
        try bench.write("ids.lua", "return { format = function(videos, out) out:line('mine') end }")
        #expect(try bench.run { $0.plugin = "ids" }.text == "mine\n")
    }

    @Test(
        "a path that is not there, and a name that is none, are told apart",
        arguments: [
            ("./none.lua", "there is no plugin './none.lua'"), ("none.lua", "there is no plugin 'none.lua'"),
            ("a b", "'a b' is no plugin name"), ("a..b", "'a..b' is no plugin name"), ("", "'' is no plugin name"),
        ])
    func missing(name: String, message: String) throws {
        #expect(try Workbench().failure { $0.plugin = name }.message == message)
    }

    @Test("every shipped plugin loads and has a summary", arguments: try Workbench().host.locator.list().map(\.path))
    func shipped(path: String) throws {
        let manifest = try Workbench().host.manifest(of: path)
        #expect(manifest.summary != nil)
        #expect(manifest.options.allSatisfy { !$0.help.isEmpty })
    }
}
