// Converters from JSON values to field values. A converter returns `.none` (unknown) for a value that it cannot read,
// and never guesses. The rule decides whether that is an error.

import Basics
import JSON

/// Converts one kind of value.
public enum Converter: Sendable, Equatable {
    /// Text, numbers and booleans unchanged; arrays and objects as a whole; null is unknown.
    case auto
    /// Text; numbers and booleans as JSON writes them.
    case text
    /// ISO 8601 (`PT1H5M`), a clock (`1:05:00`) or a number of seconds, converted to whole seconds.
    case duration
    /// RFC 3339 or RFC 822 text, or a number of epoch seconds, converted to whole epoch seconds.
    case time
    /// A whole number, or decimal digits as text. Numbers with a fraction are unknown.
    case integer
    /// A number, or a number as text.
    case number
    /// true, false, and the entries of `booleanWords`.
    case boolean
    /// Text with HTML entities decoded once.
    case html
    /// An http or https URL; `//host/path` becomes https. Anything else is unknown.
    case url
    /// A value per word; other words are unknown.
    case words([String: FieldValue])
    /// This value if the path has any value other than null.
    case present(FieldValue)

    /// Converters without parameters, by their names in Lua mappings.
    public static let named: KeyValuePairs<String, Converter> = [
        "auto": .auto, "text": .text, "duration": .duration, "time": .time, "integer": .integer, "number": .number,
        "boolean": .boolean, "html": .html, "url": .url,
    ]

    public init?(name: String) {
        guard let found = Self.named.first(where: { $0.key == name }) else { return nil }
        self = found.value
    }

    static let booleanWords: [String: Bool] = [
        "true": true, "yes": true, "1": true, "false": false, "no": false, "0": false,
    ]

    /// The expected value in error messages: "cannot read "abc" as …".
    var noun: String {
        switch self {
        case .auto: "a value"
        case .text: "text"
        case .duration: "a duration"
        case .time: "a time"
        case .integer: "a whole number"
        case .number: "a number"
        case .boolean: "true or false"
        case .html: "HTML text"
        case .url: "an http or https address"
        case .words(let words): "one of " + words.keys.sorted().joined(separator: ", ")
        case .present: "a value"
        }
    }

    /// Converts a scalar; `.none` if that fails. Except for `.present`, containers are handled by the rule.
    package func value(of json: JSONValue) -> FieldValue {
        switch self {
        case .present(let value): return json == .null || json == .nothing ? .none : value
        case .auto: return json.fieldValue
        case .text: return FieldValue(json.written)
        case .html:
            guard case .text(let text) = json else { return FieldValue(json.written) }
            return .text(HTMLEntities.unescape(text))
        case .duration: return Self.seconds(json, VideoDuration.parse, lowest: 0)
        case .time: return Self.seconds(json, Timestamp.parse, lowest: .min)
        case .integer: return FieldValue(Self.integer(json))
        case .number: return Self.number(json)
        case .boolean: return FieldValue(json.written.flatMap { Self.booleanWords[$0.lowercased()] })
        case .url:
            guard case .text(let text) = json else { return .none }
            return FieldValue(Self.url(text))
        case .words(let words): return json.written.flatMap { words[$0] } ?? .none
        }
    }

    private static func seconds(_ json: JSONValue, _ parse: (String) -> Int64?, lowest: Int64) -> FieldValue {
        let seconds: Int64? =
            switch json {
            case .text(let text): parse(text)
            case .integer(let whole): whole
            case .number(let number): Int64(exactly: number.rounded(.down))
            default: nil
            }
        guard let seconds, seconds >= lowest else { return .none }
        return .integer(seconds)
    }

    private static func integer(_ json: JSONValue) -> Int64? {
        switch json {
        case .integer(let whole): whole
        case .number(let number): Int64(exactly: number)
        case .text(let text): Int64(text)
        default: nil
        }
    }

    private static func number(_ json: JSONValue) -> FieldValue {
        switch json {
        case .integer(let whole): return .integer(whole)
        case .natural(let whole): return .number(Double(whole))
        case .number(let number): return .number(number)
        case .text(let text):
            if let whole = Int64(text) { return .integer(whole) }
            // Excludes "inf", "nan" and hexadecimal, which `Double` also parses.
            guard text.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }), let number = Double(text) else {
                return .none
            }
            return number.isFinite ? .number(number) : .none
        default: return .none
        }
    }

    private static func url(_ text: String) -> String? {
        let bytes = Array(text.utf8)
        func isSpace(_ byte: UInt8) -> Bool { byte <= 0x20 || byte == 0x7F }
        guard let first = bytes.firstIndex(where: { !isSpace($0) }),
            let last = bytes.lastIndex(where: { !isSpace($0) })
        else { return nil }
        let trimmed = bytes[first...last]
        guard !trimmed.contains(where: isSpace) else { return nil }
        let address = String(decoding: trimmed, as: UTF8.self)
        for (prefix, scheme) in [("https://", ""), ("http://", ""), ("//", "https:")] {
            guard address.prefix(prefix.count).lowercased() == prefix else { continue }
            guard let host = address.dropFirst(prefix.count).first, !"/?#:".contains(host) else { return nil }
            return scheme + address
        }
        return nil
    }
}

extension JSONValue {
    /// A scalar as text. nil for null and containers.
    fileprivate var written: String? {
        switch self {
        case .text(let text): text
        case .bool(let flag): flag ? "true" : "false"
        case .integer(let whole): String(whole)
        case .natural(let whole): String(whole)
        case .number(let number): number.description
        case .nothing, .null, .array, .object: nil
        }
    }
}
