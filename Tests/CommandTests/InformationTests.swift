// What the command says of itself: version, help, plugins, sources. The texts are made of declarations, so that the
// tests look for what has to be in them and not for every word.

import Foundation
import Testing

@Suite struct InformationTests {
    private func text(_ arguments: [String]) throws -> String {
        let run = try Command.run(arguments)
        #expect(run.code == 0 && run.errors.isEmpty, "\(run.errors)")
        return run.output
    }

    @Test("version names the program, its Lua and its API", arguments: ["version", "--version"])
    func version(word: String) throws {
        let version = try text([word])
        #expect(version.hasPrefix("ythost ") && version.contains("Lua 5.4") && version.contains("API 1"))
        #expect(version.split(separator: "\n").count == 1)
    }

    private static let commands = [
        "run", "search", "parse", "plugin", "sources", "config", "doctor", "help", "version",
    ]

    @Test("help lists every command", arguments: [["help"], ["--help"], ["-h"], ["help", "--help"]])
    func overview(arguments: [String]) throws {
        let help = try text(arguments)
        for command in Self.commands { #expect(help.contains("\n  \(command) "), "\(command)") }
    }

    @Test("without a command there is help, and the exit code says that something was missing")
    func noCommand() throws {
        let run = try Command.run([])
        #expect(run.code == 2 && run.output.contains("usage: ythost COMMAND"))
    }

    @Test("help on a command is what --help says", arguments: commands.filter { $0 != "help" })
    func command(name: String) throws {
        let help = try text(["help", name])
        #expect(help.hasPrefix("usage: ythost \(name)"))
        #expect(try text([name, "--help"]) == help)
        #expect(try text([name, "-h"]) == help)
    }

    @Test(
        "no line of help is wider than 120 columns",
        arguments: commands.map { ["help", $0] } + [["help"], ["help", "api"]])
    func width(arguments: [String]) throws {
        for line in try text(arguments).split(separator: "\n") { #expect(line.count <= 120, "\(line)") }
    }

    @Test("a plugin's help has its own flags and defaults")
    func plugin() throws {
        let help = try text(["run", "long", "--help"])
        for part in ["Keep videos of at least --min", "--min DURATION", "10:00 when absent", "--max DURATION"] {
            #expect(help.contains(part), "\(part)")
        }
        #expect(try text(["run", "--help", "long"]) == help)
        #expect(try text(["run", "table", "--help"]).contains("--[no-]header"))
    }

    @Test("help on the API shows parameters, what is given, and an example")
    func api() throws {
        let search = try text(["help", "api", "search"])
        for part in ["yt.search(query, options?)", "order?", "gives results", "since API 1", "for v in yt.search("] {
            #expect(search.contains(part), "\(part)")
        }
        let all = try text(["help", "api"])
        for name in ["search", "parse", "json.encode", "text.width", "time.format"] {
            #expect(all.contains(name), "\(name)")
        }
    }

    @Test("plugin list has every shipped plugin, with its role and summary")
    func list() throws {
        let lines = try text(["plugin", "list"]).split(separator: "\n").map(String.init)
        for (name, role) in [
            ("csv", "format"), ("html", "format"), ("ids", "format"), ("jsonl", "format"), ("rss", "format"),
            ("table", "format"), ("urls", "format"), ("long", "filter"), ("short_clips", "filter"), ("words", "filter"),
            ("popular", "score"), ("recent", "score"), ("shuffle", "rank"),
        ] {
            let row = try Regex("\(name) +\(role) +shipped +\\S.*")
            #expect(lines.contains { $0.wholeMatch(of: row) != nil }, "\(name)")
        }
    }

    @Test("a plugin of one's own is listed first, and a broken one is told")
    func own() throws {
        let scratch = try Scratch()
        let folder = scratch.folder.appending(path: "ythost/plugins")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try scratch.file(
            "ythost/plugins/mine.lua", "return { summary = 'My own', filter = function(v) return true end }")
        try scratch.file("ythost/plugins/broken.lua", "return {")
        try scratch.file("ythost/plugins/script.lua", "error 'never run' ")
        let environment = ["XDG_DATA_HOME": scratch.folder.path]
        let run = try Command.run(["plugin", "list"], environment: environment)
        #expect(run.code == 0)
        #expect(run.lines.contains { $0.contains("mine") && $0.contains("yours") && $0.contains("My own") })
        #expect(run.lines.contains { $0.contains("broken") })
        #expect(
            try Command.run(["run", "mine", "programming", "--take", "1"], environment: environment).lines.count == 1)
    }

    @Test("plugin info tells roles, fields and options")
    func info() throws {
        let info = try text(["plugin", "info", "long"])
        for part in ["name     long", "roles    filter", "fields   duration", "--min DURATION"] {
            #expect(info.contains(part), "\(part)")
        }
        #expect(try Command.run(["plugin", "info", "nosuch"]).code == 2)
    }

    @Test("sources lists what each one honours")
    func sources() throws {
        let sources = try text(["sources"])
        #expect(sources.hasPrefix("sample ") && sources.contains("--order") && sources.contains("--region"))
        #expect(sources.contains("--order relevance|date|title"))
        let refused = try Command.run(["search", "a", "--source", "sample", "--order", "views"])
        #expect(refused.code == 2 && refused.errors.contains("it can do relevance, date, title"))
    }

    @Test("asking about a script does not run it")
    func declaring() throws {
        let scratch = try Scratch()
        let script = try scratch.file(
            "s.lua",
            "local o = yt.options { summary = 'A script', n = { type = 'integer', default = 3 } }\nprint('ran')"
        )
        let help = try Command.run(["run", script, "--help"])
        #expect(help.code == 0, "\(help.errors)")
        #expect(!help.output.contains("ran\n"))
        #expect(help.output.contains("A script") && help.output.contains("--n INTEGER"))
    }
}
