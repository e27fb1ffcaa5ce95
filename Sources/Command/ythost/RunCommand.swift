// `run`, `search`, `parse` and `preview`: commands that build and run a request.

import Glibc
import YTHost

/// A command whose arguments form a request.
protocol RequestCommand: Command {
    /// The meaning of its words.
    static var words: RunArguments.Words { get }
    /// Whether it accepts search flags.
    static var searches: Bool { get }
    /// - Throws: `.usage` if the request does not fit this command.
    static func check(_ request: RunRequest) throws(HostError)
    /// What `--help` prints.
    static func help(_ request: RunRequest, _ host: ScriptHost) throws(HostError) -> String
}

extension RequestCommand {
    static func run(_ arguments: [String], _ diagnostics: Diagnostics) throws(HostError) -> ErrorReport.Code {
        // Started first, so that it is ready when the arguments are parsed.
        let worker = try Worker.start()
        let given = try RunArguments.parsed(
            arguments, words: words, flags: searches ? RunArguments.all : RunArguments.run)
        let host = given.host(diagnostics)
        if given.wantsHelp {
            try Help.print(try help(given.request, host))
            return .done
        }
        try check(given.request)
        let wall = given.request.budgets.wall
        if wall > 0 { Signals.end(after: wall + 1) }
        _ = try host.runIsolated(
            given.request, in: worker, to: try given.sink(), output: given.outputDescriptor
        ) { _ in
            host.finish()
            RunningPrograms.end()
            _exit(ErrorReport.Code.done.rawValue)
        }
        return .done
    }

    static func help(_ request: RunRequest, _ host: ScriptHost) throws(HostError) -> String {
        Help.command(Self.self, flags: [("Flags", RunArguments.run)])
    }
}

enum RunCommand: RequestCommand {
    static let name = "run"
    static let usage = "PLUGIN [WORDS… | -] [flags]"
    static let summary = "search or read records, and run plugins over them"
    static let words = RunArguments.Words.plugin
    static let searches = true

    static func check(_ request: RunRequest) throws(HostError) {
        guard request.plugin != nil else {
            throw .usage("run needs a plugin", hint: "ythost run PLUGIN WORDS…; `ythost plugin list` shows plugins")
        }
    }

    static func help(_ request: RunRequest, _ host: ScriptHost) throws(HostError) -> String {
        guard let plugin = request.plugin else {
            return Help.command(Self.self, flags: [("Flags", RunArguments.run), ("Searching", RunArguments.search)])
        }
        return Help.plugin(try host.manifestsIsolated(of: [plugin])[0].get())
    }
}

enum SearchCommand: RequestCommand {
    static let name = "search"
    static let usage = "WORDS… [flags]"
    static let summary = "search a service, and print a table or JSON Lines"
    static let words = RunArguments.Words.query
    static let searches = true

    /// Flags about inputs, which a search does not read.
    private static let inputs = ["input", "from", "as", "strict"]

    static func check(_ request: RunRequest) throws(HostError) {
        if !request.inputs.isEmpty || !request.origins.isEmpty {
            throw .usage("search reads no records", hint: "ythost run table - reads them from standard input")
        }
    }

    static func help(_ request: RunRequest, _ host: ScriptHost) throws(HostError) -> String {
        let flags = RunArguments.run.filter { !inputs.contains($0.name) }
        return Help.command(Self.self, flags: [("Searching", RunArguments.search), ("Flags", flags)])
    }
}

enum ParseCommand: RequestCommand {
    static let name = "parse"
    static let usage = "FILE… | - [flags]"
    static let summary = "read files of any known format, and print a table or JSON Lines"
    static let words = RunArguments.Words.files
    static let searches = false

    static func check(_ request: RunRequest) throws(HostError) {
        if request.inputs.isEmpty {
            throw .usage("parse needs a file", hint: "ythost parse FILE, or - for standard input")
        }
    }
}

enum PreviewCommand: RequestCommand {
    static let name = "preview"
    static let usage = "URL… [flags]"
    static let summary = "show the title, author and picture of web pages; -o FILE.html writes cards"
    static let words = RunArguments.Words.pages
    static let searches = false

    static func check(_ request: RunRequest) throws(HostError) {
        if request.origins.isEmpty {
            throw .usage("preview needs an address", hint: "ythost preview https://example.org/")
        }
    }
}
