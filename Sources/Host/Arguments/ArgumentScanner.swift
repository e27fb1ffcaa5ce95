// Splits arguments into words and flags: `--name=value`, `--name value`, `-x`, `-xVALUE`, `-xy`, `--`. The `Flag` rows
// define which flags take a value, so the parser requests the value after it has found the row.

import HostErrors

/// A flag as written, before its row is known.
public struct WrittenFlag: Sendable {
    public enum Form: Sendable {
        /// `--name`
        case long
        /// `-x`
        case letter
        /// `name=value`, in `-p PLUGIN:name=value` or a configuration file.
        case setting
    }

    public let form: Form
    /// The name without hyphens and value.
    public let name: String
    /// The value after `=`; nil when there is none.
    public let value: String?
    /// The flag in error messages, without its value.
    public let shown: String
    /// The whole argument.
    public let argument: String

    package init(_ form: Form, _ name: String, value: String? = nil, shown: String, argument: String) {
        self.form = form
        self.name = name
        self.value = value
        self.shown = shown
        self.argument = argument
    }

    public static func setting(_ name: String, _ value: String, shown: String) -> WrittenFlag {
        WrittenFlag(.setting, name, value: value, shown: shown, argument: shown)
    }

    /// Splits `name=value` at the first `=`; the value is nil when there is none.
    package static func split(_ text: some StringProtocol) -> (name: String, value: String?) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return (String(parts[0]), parts.count == 2 ? String(parts[1]) : nil)
    }
}

/// How to parse an argument with one hyphen.
public enum LetterStyle: Sendable {
    /// Letters: `-qo FILE`, `-qoFILE`. With a digit after the hyphen, the argument is a word.
    case joined
    /// One letter: `-o FILE`.
    case single
    /// A word.
    case word
}

/// Splits arguments into words and flags.
struct ArgumentScanner {
    enum Token {
        case word(String)
        case flag(WrittenFlag)
        /// `--` and all arguments after it.
        case rest(ArraySlice<String>)
    }

    private let style: LetterStyle
    private var arguments: ArraySlice<String>
    /// The current argument with one hyphen, and its remaining letters.
    private var group = ""
    private var letters = Substring()

    init(_ arguments: [String], _ style: LetterStyle) {
        self.arguments = arguments[...]
        self.style = style
    }

    mutating func next() -> Token? {
        if let letter = letters.popFirst() {
            return .flag(WrittenFlag(.letter, String(letter), shown: "-\(letter)", argument: group))
        }
        guard let argument = arguments.popFirst() else { return nil }
        if argument == "--" {
            defer { arguments = [] }
            return .rest(arguments)
        }
        if argument.hasPrefix("--") {
            let (name, value) = WrittenFlag.split(argument.dropFirst(2))
            return .flag(WrittenFlag(.long, name, value: value, shown: "--" + name, argument: argument))
        }
        guard argument.hasPrefix("-"), argument != "-", style != .word else { return .word(argument) }
        let name = argument.dropFirst()
        if style == .single {
            let shown = WrittenFlag.split(argument).name
            return .flag(WrittenFlag(.letter, String(name), shown: shown, argument: argument))
        }
        if name.first?.isNumber ?? false { return .word(argument) }
        (group, letters) = (argument, name)
        return next()
    }

    /// The value of a flag that takes one: after `=`, after the letter, or the next argument; nil at the end.
    mutating func value(of flag: WrittenFlag) -> String? {
        if let value = flag.value { return value }
        if letters.isEmpty { return arguments.popFirst() }
        defer { letters = "" }
        return String(letters)
    }
}
