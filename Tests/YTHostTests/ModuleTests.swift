// `require`: what it finds, what it never finds, and how errors inside a module are told.

import Testing

@testable import HostErrors

@Suite struct ModuleTests {
    /// Runs a script beside modules.
    private func run(_ script: String, _ modules: [String: String] = [:]) throws -> String {
        let bench = try Workbench()
        for (name, text) in modules { try bench.write(name, text) }
        return try bench.script(script).text
    }

    private func failure(_ script: String, _ modules: [String: String] = [:]) throws -> ErrorReport {
        let bench = try Workbench()
        for (name, text) in modules { try bench.write(name, text) }
        return try bench.failure(plugin: script, arguments: [])
    }

    @Test("a module is found beside the plugin, in its lib, and in folders by dots")
    func beside() throws {
        let modules = [
            "a.lua": "return 'beside'", "lib/b.lua": "return 'lib'", "deep/er/c.lua": "return 'deep'",
            "lib/a.lua": "return 'not this'",
        ]
        #expect(try run("print(require 'a', require 'b', require 'deep.er.c')", modules) == "beside\tlib\tdeep\n")
    }

    @Test("the shipped helpers, lpeg and re are there")
    func shipped() throws {
        #expect(try run("print(type(require 'yt.page'.title))") == "function\n")
        #expect(try run("local lpeg = require 'lpeg' print(lpeg.match(lpeg.P'a'^1, 'aab'))") == "3\n")
        #expect(try run("print((require 're').match('abc', '{[a-b]+}'))") == "ab\n")
    }

    @Test("the operators of patterns cannot be replaced")
    func operators() throws {
        let script = """
            local lpeg = require 'lpeg'
            getmetatable(lpeg.P'a').__add = function() return 'mine' end
            print(type(lpeg.P'a' + 'b'), pcall(setmetatable, lpeg.P'a', {}))
            """
        #expect(try run(script).hasPrefix("pattern\tfalse\t") || run(script).hasPrefix("userdata\tfalse\t"))
    }

    @Test("a module is run once, gets its name, and one that returns nothing is true")
    func once() throws {
        let modules = ["a.lua": "print('runs', ...) return {}", "n.lua": "", "f.lua": "return false"]
        #expect(try run("print(require 'a' == require 'a')", modules) == "runs\ta\ntrue\n")
        #expect(try run("print(require 'n', require 'f')", modules) == "true\tfalse\n")
    }

    @Test("modules share the globals of their plugin, and only theirs")
    func globals() throws {
        #expect(try run("x = 5 require 'a' print(y)", ["a.lua": "y = x + 1"]) == "6\n")
    }

    @Test("a module that is not there says where it was looked for")
    func missing() throws {
        let report = try failure("local x = 1\nrequire 'nothing.here'")
        #expect(report.message == "there is no module 'nothing.here'")
        #expect(report.hint == "looked for: nothing/here.lua, lib/nothing/here.lua")
        #expect(report.kind == "module-not-found")
        #expect(report.code == .plugin)
    }

    @Test(
        "a name that reaches elsewhere is refused",
        arguments: ["..x", "../x", "/etc/passwd", "a/b", "", "a..b", "a\\\\b", "a\\0"])
    func elsewhere(name: String) throws {
        let report = try failure("require '\(name)'", ["x.lua": "return 1"])
        #expect(report.message.hasSuffix("is no module name"))
        #expect(report.hint == "a name is letters, digits, _, - and single dots")
    }

    @Test(
        "libraries of the machine are not found",
        arguments: ["io", "debug", "package", "socket", "cjson", "posix"])
    func machine(name: String) throws {
        #expect(try failure("require '\(name)'").kind == "module-not-found")
    }

    @Test(
        "libraries of Lua are modules, as in every Lua",
        arguments: ["_G", "coroutine", "math", "os", "string", "table", "utf8"])
    func standard(name: String) throws {
        #expect(try run("print(require '\(name)' == _G['\(name)'])") == "true\n")
    }

    @Test("require without a name says so")
    func unnamed() throws {
        #expect(
            try failure("require()").text
                == "ythost: mine.lua:1: require takes the name of a module, got a nil\n  1 | require()")
        #expect(try failure("require {}").message == "require takes the name of a module, got a table")
    }

    @Test("modules that require each other in a circle are told")
    func circle() throws {
        let report = try failure("require 'a'", ["a.lua": "\nrequire 'b'", "b.lua": "\n\nrequire 'a'"])
        #expect(report.message == "module 'a' requires itself")
        #expect(report.file == "b.lua" && report.line == 3)
        #expect(report.sourceLine == "require 'a'")
        #expect(report.trace.prefix(2) == ["b.lua:3 in run", "a.lua:2 in run"])
    }

    @Test("an error in a module is told with the module's file, line and text")
    func failing() throws {
        let report = try failure("require 'a'", ["a.lua": "local x\nx.y = 1"])
        #expect(report.text.hasPrefix("ythost: a.lua:2: attempt to index a nil value (local 'x')\n  2 | x.y = 1\n"))
        let later = try failure(
            "local a = require 'a'\na.f()", ["a.lua": "return { f = function()\n  error('no') end }"])
        #expect(later.text.hasPrefix("ythost: a.lua:2: no\n  2 |   error('no') end }\n  at a.lua:2"))
    }

    @Test("a module that does not compile is told with its own line")
    func syntax() throws {
        let report = try failure("\n\nrequire 'a'", ["lib/a.lua": "local t = {}\nx ="])
        #expect(report.text.hasPrefix("ythost: lib/a.lua:2: unexpected symbol near <eof>\n  2 | x ="))
        #expect(report.kind == "syntax")
    }

    @Test("a module that failed is tried again, and fails the same way")
    func again() throws {
        let report = try failure("pcall(require, 'a')\nrequire 'a'", ["a.lua": "error('broken')"])
        #expect(report.message == "broken")
        #expect(report.file == "a.lua")
    }
}
