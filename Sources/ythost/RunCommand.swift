// `run`, `search` and `parse`: three ways to say one request.

import Glibc
import YTHost

enum RunCommand: Command {
    static let name = "run"
    static let usage = "PLUGIN [WORDS… | -] [flags]"
    static let summary = "search, or read records, and pass them through plugins"

    static func run(_ arguments: [String], _ diagnostics: Diagnostics) throws(HostError) -> ErrorReport.Code {
        let worker = try Worker.start()
        var parser = RequestParser(words: .plugin, flags: HostFlags.all)
        try parser.parse(arguments)
        let host = Setup.host(diagnostics, parser.services)
        if parser.wantsHelp {
            if let plugin = parser.request.plugin {
                try Help.print(Help.plugin(try host.manifestsIsolated(of: [plugin])[0].get()))
            } else {
                try Help.print(
                    Help.command(Self.self, flags: [("Flags", HostFlags.run), ("Searching", HostFlags.search)]))
            }
            return .done
        }
        guard parser.request.plugin != nil else {
            throw .usage("run needs a plugin", hint: "ythost run PLUGIN WORDS…; `ythost plugin list` shows plugins")
        }
        return try RequestRunner.run(parser, host, worker)
    }
}

enum SearchCommand: Command {
    static let name = "search"
    static let usage = "WORDS… [flags]"
    static let summary = "search, and print a table or JSON Lines"

    static func run(_ arguments: [String], _ diagnostics: Diagnostics) throws(HostError) -> ErrorReport.Code {
        let worker = try Worker.start()
        var parser = RequestParser(words: .query, flags: HostFlags.all)
        try parser.parse(arguments)
        if parser.wantsHelp {
            try Help.print(Help.command(Self.self, flags: [("Searching", HostFlags.search), ("Flags", HostFlags.run)]))
            return .done
        }
        if !parser.request.inputs.isEmpty || !parser.request.origins.isEmpty {
            throw .usage("search reads no records", hint: "ythost run table - reads them from standard input")
        }
        return try RequestRunner.run(parser, Setup.host(diagnostics, parser.services), worker)
    }
}

enum ParseCommand: Command {
    static let name = "parse"
    static let usage = "FILE… | - [flags]"
    static let summary = "read records of any known format, and print a table or JSON Lines"

    static func run(_ arguments: [String], _ diagnostics: Diagnostics) throws(HostError) -> ErrorReport.Code {
        let worker = try Worker.start()
        var parser = RequestParser(words: .files, flags: HostFlags.run)
        try parser.parse(arguments)
        if parser.wantsHelp {
            try Help.print(Help.command(Self.self, flags: [("Flags", HostFlags.run)]))
            return .done
        }
        if parser.request.inputs.isEmpty {
            throw .usage("parse needs a file", hint: "ythost parse FILE, or - for standard input")
        }
        return try RequestRunner.run(parser, Setup.host(diagnostics, parser.services), worker)
    }
}

enum PreviewCommand: Command {
    static let name = "preview"
    static let usage = "URL… [flags]"
    static let summary = "say what pages say about themselves: a table, JSON Lines, or cards (-o FILE.html)"

    static func run(_ arguments: [String], _ diagnostics: Diagnostics) throws(HostError) -> ErrorReport.Code {
        let worker = try Worker.start()
        var parser = RequestParser(words: .pages, flags: HostFlags.run)
        try parser.parse(arguments)
        if parser.wantsHelp {
            try Help.print(Help.command(Self.self, flags: [("Flags", HostFlags.run)]))
            return .done
        }
        if parser.request.origins.isEmpty {
            throw .usage("preview needs an address", hint: "ythost preview https://example.org/")
        }
        return try RequestRunner.run(parser, Setup.host(diagnostics, parser.services), worker)
    }
}

private enum RequestRunner {
    /// - Parameter worker: started before anything was read, and ready when everything is.
    static func run(
        _ parser: RequestParser, _ host: ScriptHost, _ worker: Worker
    ) throws(HostError) -> ErrorReport.Code {
        let wall = parser.request.budgets.wall
        if wall > 0 { Signals.end(after: wall + 1) }
        _ = try host.runIsolated(
            parser.request, in: worker, to: try parser.sink(), output: parser.outputDescriptor
        ) { _ in
            host.finish()
            _exit(ErrorReport.Code.done.rawValue)
        }
        return .done
    }
}
