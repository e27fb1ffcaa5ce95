// The arguments after a plugin's name: its own flags mixed with words. They can only be told apart once the plugin has
// declared its options, so the tokens are stored until then.

import Arguments
import Basics
import HostErrors
import Packages

/// Unresolved flags, settings and words of one plugin.
package struct PluginArguments {
    package let plugin: String
    /// In order: words, and flags that are not host flags.
    package var tokens: [String] = []
    /// `name=value` settings given after a colon.
    package var settings: [(name: String, value: String)] = []
    /// Flags of the run that do not apply to a script; nil when there are none.
    package var notForScripts: String?
    /// Whether the arguments were resolved.
    var isTaken = false

    package init(
        plugin: String, tokens: [String] = [], settings: [(name: String, value: String)] = [],
        notForScripts: String? = nil, isTaken: Bool = false
    ) {
        self.plugin = plugin
        self.tokens = tokens
        self.settings = settings
        self.notForScripts = notForScripts
        self.isTaken = isTaken
    }

    /// Returns the options' values and the remaining words.
    ///
    /// - Parameter hostFlags: names of the host's flags, to suggest for a misspelt flag.
    package func resolve(_ options: [PluginOption], hostFlags: [String]) throws(HostError) -> (
        values: [(String, FieldValue)], words: [String]
    ) {
        var given = OptionValues(plugin: plugin, options: options, hostFlags: hostFlags)
        try given.parse(tokens)
        for (name, value) in settings { try given.set(.setting(name, value, shown: "\(plugin):\(name)")) }
        return (options.map { ($0.name, given.values[$0.name] ?? $0.fallback) }, given.words)
    }
}

/// The option values of one plugin, and its words.
private struct OptionValues: FlagTarget {
    static let letterStyle = LetterStyle.word

    let plugin: String
    let options: [PluginOption]
    let hostFlags: [String]
    private(set) var values: [String: FieldValue] = [:]
    private(set) var words: [String] = []

    init(plugin: String, options: [PluginOption], hostFlags: [String]) {
        self.plugin = plugin
        self.options = options
        self.hostFlags = hostFlags
    }

    /// The row of an option. `--no-NAME` sets a boolean to false. Hyphens stand for underscores.
    func row(of flag: WrittenFlag) -> Flag<OptionValues>? {
        let name = flag.name.replacingHyphens
        if name.hasPrefix("no_"), flag.value == nil,
            let option = options.first(where: { $0.name == name.dropFirst(3) && $0.kind == .boolean })
        {
            return Flag(flag.name, option.help) { $0.values[option.name] = .bool(false) }
        }
        guard let option = options.first(where: { $0.name == name }) else { return nil }
        let argument: FlagArgument =
            option.kind == .boolean ? .optional : .required(option.kind.rawValue)
        return Flag(flag.name, argument: argument, option.help) { given, value throws(HostError) in
            do throws(PluginOption.Problem) { given.values[option.name] = try option.read(value.text) } catch {
                throw .usage("\(value.flag): \(error.text)", hint: option.help.isEmpty ? nil : option.help)
            }
        }
    }

    mutating func take(word: String) { words.append(word) }

    func error(_ problem: FlagProblem, _ flag: WrittenFlag) -> HostError {
        switch problem {
        case .takesNoValue: .usage("\(flag.shown) takes no value")
        case .needsValue(_, let help): .usage("\(flag.shown) needs a value", hint: help.isEmpty ? nil : help)
        }
    }

    func take(unknown flag: WrittenFlag) throws(HostError) {
        let own = options.map { $0.name.replacingUnderscores }
        let isFlag = flag.form == .long
        let hyphens = isFlag ? "--" : ""
        let what = isFlag ? "flag \(flag.shown)" : "option '\(flag.shown)'"
        if let near = Nearest.name(to: flag.name, among: isFlag ? own + hostFlags : own) {
            throw .usage("unknown \(what); did you mean '\(hyphens)\(near)'?")
        }
        throw .usage(
            "unknown \(what)",
            hint: own.isEmpty
                ? "\(plugin) has no options of its own; `ythost run --help` lists ythost's"
                : "\(plugin) has " + own.map { hyphens + $0 }.joined(separator: ", "))
    }
}
