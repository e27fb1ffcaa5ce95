// What stands after a plugin's name on a command line: its own flags among the words. Which is which is known only when
// the plugin has said what options it has, so the tokens wait here until it does.

import Basics
import HostErrors
import Packages

/// Unresolved flags, settings and words of one plugin.
package struct OptionClaim {
    package let plugin: String
    /// In order: words, and flags that are not the host's.
    package var tokens: [String] = []
    /// `name=value` settings from behind a colon.
    package var settings: [(name: String, value: String)] = []
    /// Flags of the run that have no meaning for a script; nil when there are none.
    package var notForScripts: String?
    /// Somebody resolved it.
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

    /// The options' values, and the words that are left.
    package func resolve(_ options: [PluginOption]) throws(HostError) -> (
        values: [(String, FieldValue)], words: [String]
    ) {
        var given: [String: FieldValue] = [:]
        var words: [String] = []
        var rest = tokens[...]
        while let token = rest.popFirst() {
            if token == "--" {
                words += rest
                break
            }
            guard token.hasPrefix("--") else {
                words.append(token)
                continue
            }
            let parts = token.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts[0]).replacingHyphens
            if name.hasPrefix("no_"), parts.count == 1,
                let option = options.first(where: { $0.name == name.dropFirst(3) && $0.kind == .boolean })
            {
                given[option.name] = .bool(false)
                continue
            }
            guard let option = options.first(where: { $0.name == name }) else {
                throw unknown("--" + parts[0], name: String(parts[0]), options)
            }
            if parts.count == 2 {
                given[name] = try read(option, String(parts[1]), shown: "--" + parts[0])
            } else if option.kind == .boolean {
                given[name] = .bool(true)
            } else {
                guard let value = rest.popFirst() else {
                    throw .usage("--\(parts[0]) needs a value", hint: option.help.isEmpty ? nil : option.help)
                }
                given[name] = try read(option, value, shown: "--" + parts[0])
            }
        }
        for (name, value) in settings {
            guard let option = options.first(where: { $0.name == name.replacingHyphens }) else {
                throw unknown("option '\(plugin):\(name)'", name: name, options)
            }
            given[option.name] = try read(option, value, shown: "\(plugin):\(name)")
        }
        return (options.map { ($0.name, given[$0.name] ?? $0.fallback) }, words)
    }

    private func read(_ option: PluginOption, _ text: String, shown: String) throws(HostError) -> FieldValue {
        do throws(PluginOption.Problem) { return try option.read(text) } catch {
            throw .usage("\(shown): \(error.text)", hint: option.help.isEmpty ? nil : option.help)
        }
    }

    private func unknown(_ shown: String, name: String, _ options: [PluginOption]) -> HostError {
        let own = options.map { $0.name.replacingUnderscores }
        let isFlag = shown.hasPrefix("--")
        let what = isFlag ? "flag \(shown)" : shown
        if let near = Nearest.name(to: name, among: isFlag ? own + HostFlags.names : own) {
            return .usage("unknown \(what); did you mean '\(isFlag ? "--" : "")\(near)'?")
        }
        return .usage(
            "unknown \(what)",
            hint: own.isEmpty
                ? "\(plugin) has no options of its own; `ythost run --help` lists ythost's"
                : "\(plugin) has " + own.map { (isFlag ? "--" : "") + $0 }.joined(separator: ", "))
    }
}
