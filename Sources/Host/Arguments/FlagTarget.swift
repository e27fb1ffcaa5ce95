// The flag parser: finds the row of each flag among the arguments, and calls its setter.

import HostErrors

/// The destination of parsed arguments.
public protocol FlagTarget {
    static var letterStyle: LetterStyle { get }

    /// The row of a flag; nil when it is unknown.
    func row(of flag: WrittenFlag) -> Flag<Self>?
    /// Handles an argument that is not a flag.
    mutating func take(word: String) throws(HostError)
    /// Handles the arguments after `--`.
    mutating func take(rest: ArraySlice<String>) throws(HostError)
    /// Handles a flag that has no row. Throws if the flag is unknown.
    mutating func take(unknown flag: WrittenFlag) throws(HostError)
    /// The error for a flag with a row.
    func error(_ problem: FlagProblem, _ flag: WrittenFlag) -> HostError
}

/// A usage error with a known flag.
public enum FlagProblem: Sendable {
    case takesNoValue
    /// The placeholder for the value and the help summary.
    case needsValue(word: String, summary: String)
}

extension FlagTarget {
    public mutating func take(rest: ArraySlice<String>) throws(HostError) {
        for word in rest { try take(word: word) }
    }

    public func error(_ problem: FlagProblem, _ flag: WrittenFlag) -> HostError {
        switch problem {
        case .takesNoValue: .usage("\(flag.shown) takes no value")
        case .needsValue(let word, _): .usage("\(flag.shown) needs a value: \(word)")
        }
    }

    /// Parses arguments in order, and applies each flag at once.
    public mutating func parse(_ arguments: [String]) throws(HostError) {
        var scanner = ArgumentScanner(arguments, Self.letterStyle)
        while let token = scanner.next() {
            switch token {
            case .word(let word): try take(word: word)
            case .rest(let words): try take(rest: words)
            case .flag(let flag): try set(flag) { scanner.value(of: flag) }
            }
        }
    }

    /// Applies one `name=value` setting.
    public mutating func set(_ setting: WrittenFlag) throws(HostError) { try set(setting) { setting.value } }

    private mutating func set(_ flag: WrittenFlag, value: () -> String?) throws(HostError) {
        guard let row = row(of: flag) else { return try take(unknown: flag) }
        let text: String
        switch row.argument {
        case .none:
            if flag.value != nil { throw error(.takesNoValue, flag) }
            text = ""
        case .optional: text = flag.value ?? "true"
        case .required(let word):
            guard let value = value() else { throw error(.needsValue(word: word, summary: row.summary), flag) }
            text = value
        }
        try row.set(&self, FlagValue(text, of: flag.shown))
    }
}

extension Array {
    /// The row of a flag, by its name or its letter.
    public func row<Target>(of flag: WrittenFlag) -> Flag<Target>? where Element == Flag<Target> {
        first { row in flag.form == .letter ? row.letter.map { String($0) } == flag.name : row.name == flag.name }
    }
}
