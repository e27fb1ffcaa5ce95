// One flag of a command line. A row holds the name, the letter, the placeholder for the value, the help summary and the
// setter, so a new flag is one row in a table.

import HostErrors

/// A flag, and what it sets in a `Target`.
public struct Flag<Target>: Sendable {
    public typealias Setter = @Sendable (inout Target, FlagValue) throws(HostError) -> Void

    /// The long name, without hyphens.
    public let name: String
    /// The short form, a letter after one hyphen.
    public let letter: Character?
    public let argument: FlagArgument
    /// The summary for help.
    public let summary: String
    /// Applies the flag. The text of a flag without a value is empty.
    public let set: Setter

    public init(
        _ name: String, letter: Character? = nil, argument: FlagArgument, _ summary: String, set: @escaping Setter
    ) {
        self.name = name
        self.letter = letter
        self.argument = argument
        self.summary = summary
        self.set = set
    }

    /// A flag with a value, shown in help as `word`.
    public init(
        _ name: String, letter: Character? = nil, value word: String, _ summary: String, set: @escaping Setter
    ) {
        self.init(name, letter: letter, argument: .required(word), summary, set: set)
    }

    /// A flag without a value.
    public init(
        _ name: String, letter: Character? = nil, _ summary: String, set: @escaping @Sendable (inout Target) -> Void
    ) {
        self.init(name, letter: letter, argument: .none, summary) { target, _ in set(&target) }
    }

    /// The same flag with another summary.
    public func summarized(_ summary: String) -> Flag {
        Flag(name, letter: letter, argument: argument, summary, set: set)
    }

    /// The same flag for a type that contains this target.
    public func setting<Whole>(_ set: @escaping Flag<Whole>.Setter) -> Flag<Whole> {
        Flag<Whole>(name, letter: letter, argument: argument, summary, set: set)
    }
}

/// Whether the flag takes a value.
public enum FlagArgument: Sendable {
    case none
    /// A value, shown in help as this word.
    case required(String)
    /// A value only as `--name=value`; "true" without one.
    case optional
}

/// The value of a flag, with checks that several flags share.
public struct FlagValue: Sendable {
    public let text: String
    /// The flag as it was written, for error messages: `--take`, `-o`.
    public let flag: String

    public init(_ text: String, of flag: String) {
        self.text = text
        self.flag = flag
    }

    /// - Throws: `.usage` unless the text is a whole number from 1.
    public func count() throws(HostError) -> Int {
        guard let count = Int(text), count >= 1 else {
            throw .usage("\(flag): '\(text)' is not a whole number from 1")
        }
        return count
    }

    /// - Throws: `.usage` unless the text is one of the words.
    public func word(among words: [String]) throws(HostError) -> String {
        guard words.contains(text) else {
            throw .usage("\(flag): '\(text)' is not one of \(words.joined(separator: ", "))")
        }
        return text
    }
}
