// Arguments of a run, completed from the environment, the configuration and the terminal.

import Glibc
import YTHost

extension RunArguments {
    /// Parses a command line.
    ///
    /// - Parameter flags: the flags of the command.
    static func parsed(
        _ arguments: [String], words: Words, flags: @escaping @autoclosure () -> [Flag<RunArguments>]
    ) throws(HostError) -> RunArguments {
        var given = RunArguments(words: words, flags: flags())
        given.request.grants = GrantBook(file: Setup.grantFile)
        // Before the flags: ages such as 7d are relative to this time.
        if let time = try Setup.frozenTime() { given.request.frozenTime = time }
        given.request.grants.policy = try Setup.policy()
        if let path = Setup.configurationFile { try given.apply(try Configuration(path: path)) }
        try given.parse(arguments)
        given.applyTerminal()
        try given.check()
        return given
    }

    /// The host that runs the request, under the user's policy.
    func host(_ diagnostics: Diagnostics) -> ScriptHost {
        var services = Setup.services
        services.options = network
        return Setup.host(diagnostics, services, rules: request.grants.policy, lockedOnly: isLocked)
    }

    /// Applies settings from the environment and the output's terminal.
    private mutating func applyTerminal() {
        let toTerminal = Terminal.isOutput && outputPath == nil
        request.isTerminal = toTerminal
        if toTerminal { request.columns = Terminal.columns }
        request.allowsColor = color == "always" || color == "auto" && toTerminal && Terminal.allowsColor
        request.allowsLinks = toTerminal && request.allowsColor && Terminal.showsLinks
        request.defaultFormat = toTerminal ? "table" : "jsonl"
        guard let outputPath, let suffix = Formats.suffix(ofFile: outputPath) else { return }
        if let format = Formats.format(ofSuffix: suffix) {
            request.defaultFormat = words == .pages && format == "html" ? "card" : format
        } else if suffix.allSatisfy(\.isLetter) {
            request.unknownSuffix = suffix
        }
    }

    /// How to draw pictures on standard output; nil if they are not drawn.
    func screen() throws(HostError) -> TerminalImageOptions? {
        let isChosen = thumbnail.symbols != nil || thumbnail.graphics != nil
        guard outputPath == nil, Terminal.isOutput || isChosen else { return nil }
        var screen = Terminal.pictures
        if let graphics = thumbnail.graphics { screen.graphics = graphics }
        if let symbols = thumbnail.symbols { (screen.graphics, screen.symbols) = (.symbols, symbols) }
        if color == "never" { screen.colours = .none }
        if color == "always", screen.colours == .none { screen.colours = .many }
        try screen.check()
        return screen
    }

    /// Standard output, if the output goes there, to detect when its reader closes it; -1 for a file.
    var outputDescriptor: Int32 { outputPath == nil || request.isDry ? STDOUT_FILENO : -1 }

    /// The output's destination. A dry run writes to standard output and replaces no file.
    func sink() throws(HostError) -> any OutputSink {
        if let outputPath, !request.isDry { return try FileSink(path: outputPath) }
        return DescriptorSink(descriptor: STDOUT_FILENO, name: "standard output")
    }
}
