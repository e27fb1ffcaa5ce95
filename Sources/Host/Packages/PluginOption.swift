// Options that plugins declare: their types, how they are read from a command line, and the check of the declaration
// itself. Values reach Lua in the unit of their type: durations in seconds, dates in epoch seconds.

import Basics
import HostErrors

/// One option of a plugin.
public struct PluginOption: Sendable {
    /// The types an option may have, by the word plugins write.
    public enum Kind: String, CaseIterable, Sendable {
        case string, integer, number, boolean, duration, date
        case choice = "enum"
        case list
    }

    public package(set) var name: String
    public package(set) var kind: Kind
    /// `.none` when there is none; the option is then nil in Lua until it is given.
    public package(set) var fallback: FieldValue
    public package(set) var help: String
    /// The words of an `enum`.
    public package(set) var values: [String]
    /// Bounds of an integer, number, duration or date, as numbers.
    public package(set) var minimum: Double?
    public package(set) var maximum: Double?

    package init(
        name: String, kind: Kind, fallback: FieldValue, help: String, values: [String], minimum: Double?,
        maximum: Double?
    ) {
        self.name = name
        self.kind = kind
        self.fallback = fallback
        self.help = help
        self.values = values
        self.minimum = minimum
        self.maximum = maximum
    }

    /// Reads a value as it stands on a command line; the problem in words when it does not fit.
    package func read(_ text: String) throws(Problem) -> FieldValue {
        switch kind {
        case .string: return .text(text)
        case .list:
            return .list(
                text.isEmpty
                    ? []
                    : text.split(separator: ",", omittingEmptySubsequences: false)
                        .map { .text(String($0)) })
        case .choice:
            guard values.contains(text) else {
                throw Problem(
                    "'\(text)' is not one of \(values.joined(separator: ", "))"
                        + (Nearest.name(to: text, among: values).map { "; did you mean '\($0)'?" } ?? ""))
            }
            return .text(text)
        case .boolean:
            switch text {
            case "true", "yes", "1": return .bool(true)
            case "false", "no", "0": return .bool(false)
            default: throw Problem("'\(text)' is not true or false")
            }
        case .integer:
            guard let whole = Int64(text) else { throw Problem("'\(text)' is not a whole number") }
            return try bounded(.integer(whole), Double(whole), text)
        case .number:
            guard let number = Double(text), number.isFinite else { throw Problem("'\(text)' is not a number") }
            return try bounded(.number(number), number, text)
        case .duration:
            guard let seconds = VideoDuration.parse(text) else {
                throw Problem("'\(text)' is not a duration; write 90, 20m, 1h30m or 1:05:00")
            }
            return try bounded(.integer(seconds), Double(seconds), text)
        case .date:
            guard let time = Timestamp.parse(text) else {
                throw Problem("'\(text)' is not a date; write 2024-07-01 or 2024-07-01T12:00:00Z")
            }
            return try bounded(.integer(time), Double(time), text)
        }
    }

    /// Takes a value as Lua wrote it: of the type, or text that reads as one.
    func read(_ value: FieldValue) throws(Problem) -> FieldValue {
        switch (kind, value) {
        case (_, .text(let text)): return try read(text)
        case (.list, .list(let items)) where items.allSatisfy({ $0.text != nil }): return value
        case (.boolean, .bool): return value
        case (.integer, .integer(let whole)), (.duration, .integer(let whole)), (.date, .integer(let whole)):
            if kind == .duration, whole < 0 { throw Problem("a duration is not negative") }
            return try bounded(value, Double(whole), "\(whole)")
        case (.number, .integer(let whole)): return try bounded(value, Double(whole), "\(whole)")
        case (.number, .number(let number)): return try bounded(value, number, "\(number)")
        default: throw Problem("the value is not of type \(kind.rawValue)")
        }
    }

    private func bounded(_ value: FieldValue, _ number: Double, _ text: String) throws(Problem) -> FieldValue {
        if let minimum, number < minimum { throw Problem("\(text) is under the least, \(shown(minimum))") }
        if let maximum, number > maximum { throw Problem("\(text) is over the most, \(shown(maximum))") }
        return value
    }

    private func shown(_ bound: Double) -> String {
        switch kind {
        case .duration: VideoDuration.format(Int64(exactly: bound) ?? .max)
        case .date: Timestamp.format(Int64(exactly: bound) ?? .max, as: .date, in: nil)
        default: bound == bound.rounded() && abs(bound) < 1e15 ? String(Int64(bound)) : String(bound)
        }
    }

    /// What is wrong with a value or a declaration, in words.
    package struct Problem: Error {
        package let text: String
        /// A name in the plugin's text that it is about.
        package let word: String?

        package init(_ text: String, about word: String? = nil) {
            self.text = text
            self.word = word
        }
    }

    /// All that it declares, each as a person would write it, for one to be compared with another.
    var shownFacts: [(name: String, value: String?)] {
        [
            ("type", kind.rawValue), ("values", values.isEmpty ? nil : values.joined(separator: ",")),
            ("min", minimum.map(shown)), ("max", maximum.map(shown)), ("default", shownFallback),
            ("help", help.isEmpty ? nil : "\"\(help)\""),
        ]
    }

    /// The default as a person would write it; nil when there is none.
    public var shownFallback: String? {
        switch (kind, fallback) {
        case (_, .none): nil
        case (.duration, .integer(let seconds)): VideoDuration.format(seconds)
        case (.date, .integer(let time)): Timestamp.format(time, as: .date, in: nil)
        case (_, .text(let text)): text
        case (_, .bool(let flag)): "\(flag)"
        case (_, .integer(let whole)): "\(whole)"
        case (_, .number(let number)): "\(number)"
        case (_, .list(let items)): items.compactMap(\.text).joined(separator: ",")
        case (_, .record): nil
        }
    }
}

// MARK: - Declarations

extension PluginOption {
    /// Reads the `options` table of a plugin.
    ///
    /// - Parameter hostFlags: names that options may not have, so that a command line means the same with every plugin.
    package static func declarations(
        _ value: FieldValue, hostFlags: [String]
    ) throws(Problem) -> [PluginOption] {
        switch value {
        case .none, .list([]): return []
        case .record(let members):
            var options: [PluginOption] = []
            for member in members {
                do throws(Problem) {
                    options.append(try PluginOption(member.name, member.value, hostFlags))
                } catch {
                    throw Problem(error.text, about: error.word ?? member.name)
                }
            }
            return options
        default: throw Problem("options is written {name = {type = …, default = …, help = …}}")
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }

    private static let keys = ["type", "default", "help", "values", "min", "max"]

    private init(_ name: String, _ value: FieldValue, _ hostFlags: [String]) throws(Problem) {
        guard let members = value.members else { throw Problem("option '\(name)' is written {type = …, help = …}") }
        guard let first = name.utf8.first, Self.isLetter(first),
            name.utf8.allSatisfy({ Self.isLetter($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "_") })
        else {
            throw Problem("option '\(name)' must be lower-case letters, digits and _, beginning with a letter")
        }
        if hostFlags.contains(name.replacingUnderscores) {
            throw Problem("option '\(name)' has the name of a flag of ythost itself; choose another")
        }
        for member in members where !Self.keys.contains(member.name) {
            throw Problem(
                "option '\(name)' has an unknown key '\(member.name)'; "
                    + Nearest.advice(for: member.name, among: Self.keys))
        }
        guard let word = value["type"].text else { throw Problem("option '\(name)' has no type") }
        guard let kind = Kind(rawValue: word) else {
            throw Problem(
                "option '\(name)' has an unknown type '\(word)'; "
                    + Nearest.advice(for: word, among: Kind.allCases.map(\.rawValue)))
        }
        let values = value["values"].list?.compactMap(\.text) ?? []
        if kind == .choice, values.isEmpty { throw Problem("option '\(name)' is an enum without values = {…}") }
        if kind != .choice, !values.isEmpty { throw Problem("option '\(name)' has values, but is no enum") }
        let unbounded = PluginOption(
            name: name, kind: kind, fallback: .none, help: value["help"].text ?? "", values: values, minimum: nil,
            maximum: nil)
        let minimum = try unbounded.bound(value["min"], "min")
        let maximum = try unbounded.bound(value["max"], "max")
        let bounded = PluginOption(
            name: name, kind: kind, fallback: .none, help: unbounded.help, values: values, minimum: minimum,
            maximum: maximum)
        var fallback = FieldValue.none
        if !value["default"].isNone {
            do throws(Problem) { fallback = try bounded.read(value["default"]) } catch {
                throw Problem("option '\(name)': its default does not fit: \(error.text)")
            }
        }
        self.init(
            name: name, kind: kind, fallback: fallback, help: unbounded.help, values: values, minimum: minimum,
            maximum: maximum)
    }

    private func bound(_ value: FieldValue, _ key: String) throws(Problem) -> Double? {
        if value.isNone { return nil }
        switch kind {
        case .integer, .number, .duration, .date:
            switch try read(value) {
            case .integer(let whole): return Double(whole)
            case .number(let number): return number
            default: return nil
            }
        default: throw Problem("option '\(name)' has \(key), but a \(kind.rawValue) has no range")
        }
    }
}

extension String {
    package var replacingHyphens: String { replacing(UInt8(ascii: "-"), with: UInt8(ascii: "_")) }
    package var replacingUnderscores: String { replacing(UInt8(ascii: "_"), with: UInt8(ascii: "-")) }

    private func replacing(_ byte: UInt8, with other: UInt8) -> String {
        guard utf8.contains(byte) else { return self }
        return String(decoding: utf8.map { $0 == byte ? other : $0 }, as: UTF8.self)
    }
}
