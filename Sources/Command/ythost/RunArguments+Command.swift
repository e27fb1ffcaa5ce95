// Arguments of a run with what the environment, the user's settings and the terminal add to them.

import Glibc
import YTHost

extension RunArguments {
    /// Reads a command line.
    ///
    /// - Parameter flags: the flags of the command.
    static func parsed(
        _ arguments: [String], words: Words, flags: @escaping @autoclosure () -> [Flag<RunArguments>]
    ) throws(HostError) -> RunArguments {
        var given = RunArguments(words: words, flags: flags())
        given.request.grants = GrantBook(file: Setup.grantFile)
        // Before the flags: ages such as 7d count from this time.
        if let time = try Setup.frozenTime() { given.request.frozenTime = time }
        given.request.grants.policy = try Setup.policy()
        if let path = Setup.configurationFile { try given.apply(try Configuration(path: path)) }
        try given.parse(arguments)
        given.applyTerminal()
        try given.check()
        return given
    }

    /// The host that carries the request out, under the user's rules.
    func host(_ diagnostics: Diagnostics) -> ScriptHost {
        var services = Setup.services
        services.options = network
        return Setup.host(diagnostics, services, rules: request.grants.policy, lockedOnly: isLocked)
    }

    /// Sets what follows from the environment and from where the output goes.
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

    /// How pictures are drawn on standard output; nil where they are not.
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

    /// Standard output, when that is where the output goes: its reader may go away. -1 for a file.
    var outputDescriptor: Int32 { outputPath == nil || request.isDry ? STDOUT_FILENO : -1 }

    /// Where the output goes. A dry run writes to standard output and replaces no file.
    func sink() throws(HostError) -> any OutputSink {
        if let outputPath, !request.isDry { return try FileSink(path: outputPath) }
        return DescriptorSink(descriptor: STDOUT_FILENO, name: "standard output")
    }
}
