// Scripts: files that return nothing and do their work while they load.

import Testing

@testable import Files
@testable import HostErrors
@testable import Packages
@testable import Pipeline
@testable import YTHost

@Suite struct ScriptTests {
    private static let script = """
        local opt, words = yt.options{
          summary = "Say it", n = { type = "integer", default = 1 }, loud = { type = "boolean", default = false },
        }
        print(opt.n, opt.loud, #words, table.concat(words, " "))
        """

    @Test(
        "yt.options gives the values and the words between the flags",
        arguments: [
            ([], "1\tfalse\t0\t\n"), (["a", "b"], "1\tfalse\t2\ta b\n"),
            (["a", "--n", "5", "b", "--loud"], "5\ttrue\t2\ta b\n"),
            (["--n=3", "--", "--n"], "3\tfalse\t1\t--n\n"),
        ] as [([String], String)])
    func options(arguments: [String], output: String) throws {
        let outcome = try Workbench().script(Self.script, arguments: arguments)
        #expect(outcome.text == output)
        #expect(outcome.report.isScript)
    }

    @Test(
        "an unknown flag is told with the nearest one",
        arguments: [Self.script, "print('x')", "yt.log('info', 'x')", "local x"])
    func unknownFlag(script: String) throws {
        let bench = try Workbench()
        let report = try bench.failure(plugin: script, arguments: ["--lod"])
        #expect(
            report.message
                == (script == Self.script ? "unknown flag --lod; did you mean '--loud'?" : "unknown flag --lod"))
        #expect(report.code == .usage)
        #expect(bench.log == [])
    }

    @Test("a value that does not fit is told")
    func wrongValue() throws {
        let report = try Workbench().failure(plugin: Self.script, arguments: ["--n", "x"])
        #expect(report.text == "ythost: --n: 'x' is not a whole number")
    }

    @Test(
        "yt.options comes first, and once",
        arguments: ["print('x')", "yt.log('info', 'x')", "yt.search('x')", "yt.options{}"])
    func late(before: String) throws {
        let report = try Workbench().failure(plugin: "\(before)\nyt.options{}", arguments: [])
        #expect(
            report.text == """
                ythost: mine.lua:2: yt.options must come before anything is searched, read or printed, and only once
                  2 | yt.options{}
                """)
    }

    @Test("a wrong declaration is told at the script's line")
    func wrongDeclaration() throws {
        let report = try Workbench().failure(plugin: "\nyt.options{ n = { type = 'int' } }", arguments: [])
        #expect(report.message.hasPrefix("option 'n' has an unknown type 'int'"))
        #expect(report.line == 2)
    }

    @Test("a script searches and prints by itself")
    func search() throws {
        let outcome = try Workbench().script("for v in yt.search('lua', { max = 2 }) do print(v.id, v.title) end")
        #expect(outcome.text == "a\tA\nb\tB\n")
        #expect(outcome.log == [])
    }

    @Test("--fetch limits the searches of a script that say nothing themselves")
    func fetch() throws {
        let outcome = try Workbench().run(
            plugin: "print(yt.search('x'):count(), yt.search('x', { max = 9 }):count())", arguments: []
        ) {
            $0.fetch = 3
        }
        #expect(outcome.text == "3\t9\n")
    }

    @Test("a script is no stage of a pipeline")
    func stage() throws {
        let bench = try Workbench()
        try bench.write("say.lua", "print('said')")
        let sink = MemorySink()
        let report = try bench.failure { $0.stages = [.plugin("say", settings: [])] }
        #expect(
            report.text
                == "ythost: say.lua: it is a script, not a plugin with roles\n  hint: run it alone: ythost run say")
        #expect(sink.text == "")
    }

    @Test("stages, inputs and --print do not go with a script")
    func alone() throws {
        let changes: [(inout RunRequest) -> Void] = [
            { $0.stages = [.keep(expression: "true")] }, { $0.template = "{id}" }, { $0.inputs = [.standardInput] },
        ]
        for change in changes {
            let report = try Workbench().failure(plugin: "print('x')", arguments: [], change)
            #expect(
                report.message == "mine.lua is a script and reads its own records: stages and inputs do not go with it")
            #expect(report.hint == "a plugin for a pipeline returns a table of roles")
            #expect(report.code == .usage)
        }
    }

    @Test("a script whose search fails is told why, unless it looks itself")
    func failing() throws {
        let report = try Workbench().failure(plugin: "yt.search('x', { region = 'DE' }):list()", arguments: [])
        #expect(report.message == "the source 'fake' cannot honour --region")
        let script = """
            local ok, problem = pcall(function() return yt.search('x', { region = 'DE' }):list() end)
            print(ok, problem.kind, problem.source)
            """
        #expect(try Workbench().script(script).text == "false\tusage\tfake\n")
    }

    @Test("what a script printed before it failed is shown, and nothing is committed")
    func shownWhenFailing() throws {
        let sink = MemorySink()
        #expect(throws: HostError.self) {
            try Workbench().run(plugin: "print('x') error('no')", arguments: [], to: sink)
        }
        #expect(sink.text == "x\n")
        #expect(!sink.isCommitted)
    }

    // MARK: asking what it declares

    @Test(
        "asking a script what it declares stops it before it does anything",
        arguments: [
            "print('x')", "yt.search('x')", "yt.log('error', 'x')", "pcall(print, 'x') error('never')",
            "while true do print() end",
        ])
    func declaring(effect: String) throws {
        let service = FakeService.standard
        let bench = try Workbench([service])
        try bench.write(
            "say.lua",
            "yt.needs{ 'search' }\nlocal opt, words = yt.options{ summary = 'S', n = { type = 'duration', default = '1m' } }\n\(effect)"
        )
        if effect.contains("never") {
            #expect(throws: HostError.self) { try bench.host.manifest(of: "say") }
        } else {
            let manifest = try bench.host.manifest(of: "say")
            #expect(manifest.isScript)
            #expect(manifest.summary == "S")
            #expect(manifest.options.map(\.name) == ["n"])
            #expect(manifest.options.first?.shownFallback == "1:00")
            #expect(manifest.needs == ["search"])
        }
        #expect(bench.log == [] && service.calls.all == [])
    }

    @Test("a script that declares nothing is a script all the same")
    func undeclared() throws {
        let bench = try Workbench()
        try bench.write("say.lua", "local x = 1")
        let manifest = try bench.host.manifest(of: "say")
        #expect(manifest.isScript && manifest.options.isEmpty && manifest.summary == nil)
    }

    @Test("log lines carry the level and the name of the script, whatever the values are")
    func log() throws {
        let bench = try Workbench()
        _ = try bench.script("yt.log('warning', 'a', nil, 1.5, true, yt.video{ title = 'T' }, {}) yt.log('debug')")
        #expect(bench.log == ["warning: mine: a nil 1.5 true T table", "debug: mine: "])
    }
}
