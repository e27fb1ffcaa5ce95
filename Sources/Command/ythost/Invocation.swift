// One invocation of the command: finds the command word, runs it, and reports errors.

import YTHost

struct Invocation {
    let arguments: [String]
    let diagnostics: Diagnostics

    init(arguments: [String]) {
        self.arguments = arguments
        diagnostics = Diagnostics(arguments: arguments)
    }

    /// The commands, in the order help lists them.
    static let commands: [any (Command & Sendable).Type] = [
        RunCommand.self, SearchCommand.self, ParseCommand.self, PreviewCommand.self,
        EmbedCommand.self, ThumbnailCommand.self, PlayCommand.self, PluginCommand.self, SourcesCommand.self,
        LoginCommand.self, LogoutCommand.self, QuotaCommand.self, CacheCommand.self, ConfigCommand.self,
        DoctorCommand.self, HelpCommand.self, VersionCommand.self,
    ]

    func run() -> ErrorReport.Code {
        do throws(HostError) {
            return try dispatch()
        } catch {
            guard let report = error.report else { return .done }
            diagnostics.show(report)
            return report.code
        }
    }

    private func dispatch() throws(HostError) -> ErrorReport.Code {
        guard let word = arguments.first else {
            try Help.print(Help.overview)
            return .usage
        }
        let rest = Array(arguments.dropFirst())
        switch word {
        case "--help", "-h": return try HelpCommand.run(rest, diagnostics)
        case PictureDecoder.word: PictureDecoder.serve(rest)
        case "--version": return try VersionCommand.run(rest, diagnostics)
        default: break
        }
        guard let command = Self.commands.first(where: { $0.name == word }) else {
            let near = Nearest.name(to: word, among: Self.commands.map { $0.name })
            throw .usage(
                "there is no command '\(word)'" + (near.map { "; did you mean '\($0)'?" } ?? ""),
                hint: "`ythost help` lists the commands")
        }
        return try command.run(rest, diagnostics)
    }
}

/// A subcommand of `ythost`.
protocol Command {
    static var name: String { get }
    /// The arguments, as shown after the name.
    static var usage: String { get }
    static var summary: String { get }
    static func run(_ arguments: [String], _ diagnostics: Diagnostics) throws(HostError) -> ErrorReport.Code
}
