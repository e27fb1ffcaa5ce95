// The end of the pipeline: formats and `run`, what happens to failures before them, and `written` after them.

import Testing

@testable import Files
@testable import HostErrors
@testable import Pipeline
@testable import YTHost

/// A sink that notes when it is committed, and may lose its reader.
private final class WatchedSink: OutputSink {
    var text = ""
    var events: [String] = []
    let loses: Bool
    init(loses: Bool = false) { self.loses = loses }
    func write(_ bytes: [UInt8]) throws(HostError) {
        if loses { throw .readerGone }
        text += String(decoding: bytes, as: UTF8.self)
        events.append("write")
    }
    func commit() throws(HostError) { events.append("commit") }
}

@Suite struct OutputTests {
    private func text(_ body: String, _ change: (inout RunRequest) -> Void = { _ in }) throws -> String {
        try Workbench().run(plugin: "return { format = function(videos, out, opt) \(body) end }", change).text
    }

    @Test("out writes strings and numbers, ends lines, escapes, and can be chained")
    func out() throws {
        #expect(try text("out:write('a', 1, 2.5, 2.0):line():line('b', 'c')") == "a12.52.0\nbc\n")
        #expect(try text("out:xml('<a&\"', 1):html(\"<'\"):write('<')") == "&lt;a&amp;&quot;1&lt;&#39;<")
        #expect(try text("out:write('\\xff\\0')") == "\u{FFFD}\0")
        #expect(try text("out:write()") == "")
        #expect(try text("print('a', nil, 1, true) print()") == "a\tnil\t1\ttrue\n\n")
    }

    @Test(
        "out called wrongly says how",
        arguments: [
            ("out:write(nil)", "bad argument #1 to 'out:write' (texts): string expected, got nil"),
            ("out:write('a', {})", "bad argument #2 to 'out:write' (texts): string expected, got table"),
            ("out:line(true)", "bad argument #1 to 'out:line' (texts): string expected, got boolean"),
            ("out:html(print)", "bad argument #1 to 'out:html' (texts): string expected, got function"),
            ("out:xml({})", "bad argument #1 to 'out:xml' (texts): string expected, got table"),
            ("out.write('a')", "out:write: called without its out; write it with a colon, out:write(…)"),
            ("out.line(videos, 'a')", "out:line: called without its out; write it with a colon, out:line(…)"),
            ("out:wirte('a')", "out has no 'wirte'; did you mean 'write'?"),
            ("out.columns = 5", "out.columns cannot be set"), ("out.x = 5", "out.x cannot be set"),
        ])
    func wrong(body: String, message: String) throws {
        let report = try Workbench().failure(plugin: "return { format = function(videos, out) \(body) end }")
        #expect(report.message == message)
        #expect(report.file == "mine.lua" && report.line == 1)
    }

    @Test("out says where it goes")
    func target() throws {
        let body = "out:write(tostring(out.columns), ' ', tostring(out.color), ' ', tostring(out.terminal))"
        #expect(try text(body) == "nil false false")
        let seen = try text(body) {
            $0.columns = 80
            $0.allowsColor = true
            $0.isTerminal = true
        }
        #expect(seen == "80 true true")
    }

    @Test("without a format, records are written as JSON Lines")
    func fallback() throws {
        let outcome = try Workbench().run { $0.take = 1 }
        #expect(
            outcome.text == """
                {"ythost":1,"provider":"youtube","id":"a","kind":"video","title":"A","views":1,"found_in":[{"source":"fake","query":"lua"}]}

                """)
        #expect(outcome.report.written == 1)
    }

    @Test("much output arrives whole and in order")
    func large() throws {
        let sink = WatchedSink()
        let bench = try Workbench()
        try bench.write("big.lua", "return { run = function(ctx) for i = 1, 40000 do ctx.out:line(i) end end }")
        var request = RunRequest()
        request.plugin = bench.path("big.lua")
        _ = try bench.host.run(request, to: sink)
        #expect(sink.text == (1...40000).map { "\($0)\n" }.joined())
        #expect(sink.events.count > 3 && sink.events.last == "commit")
    }

    // MARK: failures before the format

    @Test(
        "a format cannot swallow a failure of an earlier stage",
        arguments: [
            "pcall(function() for v in videos do out:line(v.id) end end)",
            "pcall(function() return videos:list() end) out:line('all is well')",
            "coroutine.wrap(function() pcall(videos.list, videos) end)()",
            "local ok, problem = pcall(videos.count, videos) error('mine: ' .. tostring(problem))",
        ])
    func swallow(body: String) throws {
        let bench = try Workbench()
        try bench.write("bad.lua", "return { filter = function(v)\n  return v.id ~= 'c' or error('bad row') end }")
        let report = try bench.failure(plugin: "return { format = function(videos, out) \(body) end }") {
            $0.stages = [.plugin("bad", settings: [])]
        }
        #expect(report.text.hasPrefix("ythost: bad.lua:2: bad row\n"))
    }

    @Test("a filter and a format of one plugin work together, also in a coroutine")
    func together() throws {
        let plugin = """
            return {
              filter = function(v) return v.views % 2 == 1 end,
              map = function(v) v.title = v.title:lower() return v end,
              format = function(videos, out)
                local step = coroutine.wrap(function() for v in videos do coroutine.yield(v) end end)
                local t = { 1, 2, 3 }
                table.sort(t, function(a, b) if a then out:write(step().title) end return a < b end)
                out:line((("x"):gsub(".", function() return step().title end)))
                for v in step do out:write(v.title) end
              end,
            }
            """
        let outcome = try Workbench().run(plugin: plugin)
        #expect(outcome.text.replacing("\n", with: "") == "acegi")
        #expect(outcome.report.written == 5)
    }

    // MARK: who writes

    @Test("two formats, a format and run, or --print and a format are one too many")
    func two() throws {
        let bench = try Workbench()
        try bench.write("one.lua", "return { format = print }")
        try bench.write("two.lua", "return { run = print }")
        let stages: [RunRequest.Stage] = [.plugin("one", settings: []), .plugin("two", settings: [])]
        let report = try bench.failure { $0.stages = stages }
        #expect(report.text == "ythost: two plugins write the output: two and one\n  hint: a run has one format")
        let print = try bench.failure {
            $0.stages = [stages[0]]
            $0.template = "{id}"
        }
        #expect(print.text == "ythost: both --print and one write the output\n  hint: leave one out")
    }

    @Test("a default format without a format role is told")
    func noFormat() throws {
        let bench = try Workbench()
        try bench.write("one.lua", "return { filter = print }")
        #expect(try bench.failure { $0.defaultFormat = "one" }.text == "ythost: one.lua: it has no format role")
    }

    // MARK: run

    @Test("run gets the query, the videos, the output and the words")
    func run() throws {
        let plugin = """
            return { options = { n = { type = "integer", default = 2 } }, run = function(ctx, opt)
              ctx.out:line(ctx.query, "|", #ctx.args, "|", ctx.args[2], "|", opt.n)
              for v in ctx.videos:take(opt.n) do ctx.out:line(v.id) end
            end }
            """
        #expect(try Workbench().run(plugin: plugin, arguments: ["two", "words"]).text == "two words|2|words|2\na\nb\n")
    }

    @Test("run without words has no videos")
    func runAlone() throws {
        let plugin = "return { run = function(ctx) ctx.out:line(ctx.videos:count(), ctx.query) end }"
        #expect(try Workbench().run(plugin: plugin, arguments: []).text == "0\n")
    }

    @Test("run that reads no videos is not told that nothing matched")
    func runUnread() throws {
        let outcome = try Workbench().run(plugin: "return { run = function(ctx) ctx.out:line('x') end }", arguments: [])
        {
            $0.failsWhenEmpty = true
        }
        #expect(outcome.text == "x\n" && outcome.log == [])
    }

    // MARK: written

    private static let written = """
        return {
          format = function(videos, out) for v in videos:take(3) do out:line(v.id) end end,
          written = function(videos, opt)
            yt.log("info", #videos, videos:map(function(v) return v.id end):list()[3], videos:count(), type(opt))
          end,
        }
        """

    @Test("written gets what was written, as a list, after the output is safe")
    func afterCommit() throws {
        let bench = try Workbench()
        try bench.write("mine.lua", Self.written)
        var request = RunRequest()
        request.plugin = bench.path("mine.lua")
        request.arguments = ["lua"]
        let sink = WatchedSink()
        let host = ScriptHost(services: bench.services, locator: bench.host.locator) { _, text in
            sink.events.append(text)
        }
        request.source = "fake"
        _ = try host.run(request, to: sink)
        #expect(sink.events == ["write", "commit", "mine: 3 c 3 table"])
    }

    @Test("written is not called when the reader is gone, or when the run failed")
    func notWritten() throws {
        let bench = try Workbench()
        try bench.write("mine.lua", Self.written)
        var request = RunRequest()
        request.plugin = bench.path("mine.lua")
        request.arguments = ["lua"]
        request.source = "fake"
        let sink = WatchedSink(loses: true)
        do {
            _ = try bench.host.run(request, to: sink)
            Issue.record("the reader was there")
        } catch {
            guard case .readerGone = error else { throw error }
            #expect(error.report == nil)
        }
        #expect(sink.events == [] && bench.log == [])
        request.stages = [.keep(expression: "error('no')")]
        #expect(throws: HostError.self) { try bench.host.run(request, to: WatchedSink()) }
        #expect(bench.log == [])
    }

    @Test("a format cannot go on writing for a reader that is gone")
    func readerGone() throws {
        let bench = try Workbench()
        try bench.write(
            "big.lua",
            """
            return { run = function(ctx) for i = 1, 5 do pcall(function() ctx.out:write(("x"):rep(100000)) end) end end }
            """)
        var request = RunRequest()
        request.plugin = bench.path("big.lua")
        #expect(throws: HostError.self) { try bench.host.run(request, to: WatchedSink(loses: true)) }
    }

    @Test("an error in written is told with its line")
    func failingWritten() throws {
        let report = try Workbench().failure(plugin: "return {\n  written = function(videos) error('late') end,\n}")
        #expect(report.text == "ythost: mine.lua:2: late\n  2 |   written = function(videos) error('late') end,")
    }
}
