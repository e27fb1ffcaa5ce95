// `help` and `version`, and all help texts, generated from the declarations of commands, flags, plugins and the API.

import Glibc
import YTHost

enum HelpCommand: Command {
    static let name = "help"
    static let usage = "[COMMAND | api [NAME]]"
    static let summary = "show help for a command or for the Lua API"

    static func run(_ arguments: [String], _ diagnostics: Diagnostics) throws(HostError) -> ErrorReport.Code {
        let words = Diagnostics.withoutFlags(arguments)
        guard let word = words.first, word != "--help", word != "-h" else {
            try Help.print(Help.overview)
            return .done
        }
        if word == "api" {
            try Help.print(try APIReference.help(words.count > 1 ? words[1] : nil))
            return .done
        }
        guard let command = Invocation.commands.first(where: { $0.name == word }) else {
            let near = Nearest.name(to: word, among: Invocation.commands.map { $0.name } + ["api"])
            throw .usage("there is no help on '\(word)'" + (near.map { "; did you mean '\($0)'?" } ?? ""))
        }
        return try command.run(["--help"], diagnostics)
    }
}

enum VersionCommand: Command {
    static let name = "version"
    static let usage = ""
    static let summary = "print the versions of ythost, Lua and the API"

    static func run(_ arguments: [String], _ diagnostics: Diagnostics) throws(HostError) -> ErrorReport.Code {
        if try !Help.isAsked(of: Self.self, arguments) { try Help.print(Version.text) }
        return .done
    }
}

enum Help {
    /// Writes text and a newline to standard output.
    static func print(_ text: String) throws(HostError) {
        try DescriptorSink(descriptor: STDOUT_FILENO, name: "standard output").write(Array("\(text)\n".utf8))
    }

    static var overview: String {
        """
        ythost \(Version.number): video search, with Lua plugins

        usage: ythost COMMAND …

        \(table(Invocation.commands.map { ["  " + $0.name, $0.summary] }))

        Run `ythost help COMMAND` or `ythost COMMAND --help` for details.

          ythost search programming
          ythost run rss programming > feed.xml
          ythost run table programming -p long:min=20m -p recent
          ythost run table programming --where 'duration > 20*60' --by duration
          ythost search programming | ythost run html - -o page.html
        """
    }

    static func command<Target>(_ command: any Command.Type, flags: [(String, [Flag<Target>])]) -> String {
        var text = self.command(command)
        for (title, flags) in flags { text += "\n\n\(title):\n\(table(flags.map { row($0) }))" }
        return text
    }

    static func command(_ command: any Command.Type) -> String {
        "usage: ythost \(command.name) \(command.usage)\n\n\(command.summary)"
    }

    /// - Parameter space: replaces a missing letter.
    static func row<Target>(_ flag: Flag<Target>, space: String = "    ") -> [String] {
        let letter = flag.letter.map { "-\($0), " } ?? space
        if case .required(let word) = flag.argument { return ["  \(letter)--\(flag.name) \(word)", flag.summary] }
        return ["  \(letter)--\(flag.name)", flag.summary]
    }

    static func plugin(_ manifest: PluginManifest) -> String {
        let usage = manifest.isScript ? "[WORDS…] [flags]" : "[WORDS… | -] [flags]"
        var text = "usage: ythost run \(manifest.path) \(usage)"
        if let summary = manifest.summary { text += "\n\n\(summary)" }
        if !manifest.options.isEmpty { text += "\n\nIts own flags:\n\(table(manifest.options.map(row)))" }
        return text + "\n\nythost's flags go with it: `ythost run --help`."
    }

    private static func row(_ option: PluginOption) -> [String] {
        var name = "      --" + String(option.name.map { $0 == "_" ? "-" : $0 })
        switch option.kind {
        case .boolean:
            if option.fallback == .bool(true) { name = "      --[no-]" + name.drop { $0 == " " || $0 == "-" } }
        case .choice: name += " " + option.values.joined(separator: "|")
        default: name += " " + option.kind.rawValue.uppercased()
        }
        let fallback = option.shownFallback.map { " (\($0) when absent)" } ?? ""
        return [name, option.help + fallback]
    }

    static func info(_ manifest: PluginManifest) -> String {
        var rows = [["name", manifest.name], ["file", manifest.path], ["summary", manifest.summary ?? "-"]]
        rows.append(["roles", manifest.isScript ? "script" : manifest.roles.map(\.rawValue).joined(separator: " ")])
        if !manifest.fields.isEmpty { rows.append(["fields", manifest.fields.map(\.name).joined(separator: " ")]) }
        if !manifest.needs.isEmpty { rows.append(["needs", manifest.needs.map(Text.visible).joined(separator: " ")]) }
        for option in manifest.options {
            rows.append(["option", row(option).map { $0.drop { $0 == " " } }.joined(separator: "  ")])
        }
        return table(rows)
    }

    /// Prints the help of a command that takes no words, if its arguments request it.
    ///
    /// - Returns: whether help was printed.
    static func isAsked(of command: any Command.Type, _ arguments: [String]) throws(HostError) -> Bool {
        guard let word = Diagnostics.withoutFlags(arguments).first else { return false }
        guard word == "--help" || word == "-h" else {
            throw .usage("\(command.name) takes no words, got '\(word)'")
        }
        try print(Help.command(command))
        return true
    }

    /// Formats columns as wide as their widest cell.
    static func table(_ rows: [[String]]) -> String {
        TextTable.text(rows)
    }
}
