// Arguments of `run` and of the commands that make a similar request. ythost's flags may stand anywhere before `--`.
// Unknown flags after a plugin's name go to the plugin, because only the plugin knows which of its flags take a value.

import Arguments
import Files
import HostErrors
import Pictures
import RecordStreams

/// A request, and the other settings from the flags of such a command.
public struct RunArguments: FlagTarget {
    /// What an argument that is not a flag means.
    public enum Words: Sendable {
        /// The first is the plugin, the rest its arguments.
        case plugin
        /// What to search for.
        case query
        /// Files to read.
        case files
        /// Pages to preview.
        case pages
    }

    /// Flags of `play`.
    public struct Playing: Sendable {
        public var opensPage = false
        public var servesPage = false
        /// nil for any free port.
        public var port: UInt16?
        /// The program to start with the videos' addresses.
        public var player: String?
    }

    public static let letterStyle = LetterStyle.joined

    public let words: Words
    /// The flags of the command. Built on first use, because many command lines have no flags.
    private let flags: () -> [Flag<RunArguments>]
    public var request = RunRequest()
    public var network = NetworkOptions()
    public var playing = Playing()
    public var thumbnail = ThumbnailRequest()
    /// nil for standard output.
    public var outputPath: String?
    /// always, never or auto.
    public var color = "auto"
    /// Only locked plugins and bundled plugins may run.
    public var isLocked = false
    public var wantsHelp = false

    public init(words: Words, flags: @escaping @autoclosure () -> [Flag<RunArguments>]) {
        self.words = words
        self.flags = flags
    }

    public func row(of flag: WrittenFlag) -> Flag<RunArguments>? { flags().row(of: flag) }

    public mutating func take(word: String) throws(HostError) {
        if word == "-" {
            request.inputs.append(.standardInput)
        } else {
            try take([word], after: [])
        }
    }

    public mutating func take(rest: ArraySlice<String>) throws(HostError) { try take(rest, after: ["--"]) }

    private mutating func take(_ words: ArraySlice<String>, after dashes: [String]) throws(HostError) {
        var words = words
        switch self.words {
        case .files: request.inputs += words.map { .file($0) }
        case .pages: for word in words { request.origins.append(try .page(word)) }
        case .query: request.arguments += dashes + words
        case .plugin:
            if request.plugin == nil { request.plugin = words.popFirst() }
            request.arguments += dashes + words
        }
    }

    public mutating func take(unknown flag: WrittenFlag) throws(HostError) {
        if flag.form == .letter {
            throw .usage(
                "unknown flag \(flag.shown) in '\(flag.argument)'", hint: "put -- before words that begin with a hyphen"
            )
        }
        if words == .plugin, request.plugin != nil {
            request.arguments.append(flag.argument)
            return
        }
        let near = Nearest.name(to: flag.name, among: flags().map(\.name))
        throw .usage(
            "unknown flag \(flag.shown)" + (near.map { "; did you mean '--\($0)'?" } ?? ""),
            hint: "--help lists the flags")
    }

    /// Applies a configuration file. Skips settings that this command has no flag for.
    ///
    /// - Throws: `.configuration`, with the line.
    public mutating func apply(_ configuration: Configuration) throws(HostError) {
        for setting in configuration.settings {
            let flag = WrittenFlag.setting(setting.name, setting.value, shown: setting.name)
            if row(of: flag) == nil { continue }
            do throws(HostError) { try set(flag) } catch {
                let reason = error.report?.message ?? "it cannot be set"
                throw .configuration(path: configuration.path, line: setting.line, reason: reason)
            }
        }
    }

    /// - Throws: `.usage` for flags that exclude each other or have no effect.
    public func check() throws(HostError) {
        try network.check()
        if request.inputFormat != nil || request.isStrict, request.inputs.isEmpty {
            throw .usage("--as and --strict are about inputs, and there is none", hint: "give --input FILE or -")
        }
        if request.inputs.filter({ $0 == .standardInput }).count > 1 {
            throw .usage("standard input can be read only once")
        }
    }
}

extension RunRequest.Stage {
    /// Reads `NAME:OPTION=VALUE,OPTION=VALUE`. A piece without `=` belongs to the value before it.
    package init(_ text: String) throws(HostError) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        var settings: [(name: String, value: String)] = []
        for piece in parts.count == 2 ? parts[1].split(separator: ",", omittingEmptySubsequences: false) : [] {
            let (name, value) = WrittenFlag.split(piece)
            if let value {
                settings.append((name, value))
            } else if settings.isEmpty {
                throw .usage("-p \(text): options are written NAME:OPTION=VALUE,OPTION=VALUE")
            } else {
                settings[settings.count - 1].value += "," + piece
            }
        }
        self = .plugin(parts[0], settings: settings)
    }
}
