// JSON text to plain data and back. What is easily got wrong: whole numbers that 64 bits cannot hold come out as decimal
// text, and a double that is not finite is written as null.

import Basics

/// Reading and writing JSON.
public enum JSON {
    /// How deep values may nest, not counting an empty list or record. Deeper text is an error (the bound is
    /// simdjson's), deeper data is written as null.
    public static let maximumDepth = 1023

    /// The value as plain data. null is `.none`; whole numbers are exact, those that an `Int64` cannot hold decimal text,
    /// and so are numbers beyond a double. Half of a surrogate pair (`"\ud83d"`) is U+FFFD; bytes that are not UTF-8 are
    /// an error.
    public static func decode(_ bytes: [UInt8]) throws(JSONError) -> FieldValue {
        try JSONBatch.document(bytes)[0].value()
    }

    /// The bytes without the mark of their encoding, which some services begin their answers with (RFC 8259, 8.1, lets
    /// readers ignore it).
    public static func withoutMark(_ bytes: [UInt8]) -> [UInt8] {
        bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes[3...]) : bytes
    }

    /// UTF-8 text of a value: members in their order, `.none` as null, doubles as the shortest text that reads back the
    /// same; `/` is not escaped, U+2028 and U+2029 are.
    ///
    /// - Parameter pretty: whether to break lines and indent by two spaces. There is no line end after the value.
    public static func encode(_ value: FieldValue, pretty: Bool = false) -> [UInt8] {
        var writer = JSONWriter()
        if pretty { writer.appendPretty(value) } else { writer.append(value) }
        return writer.bytes
    }
}

/// Writes JSON text into bytes that are kept between uses.
package struct JSONWriter {
    package var bytes: [UInt8] = []

    package init() {}

    package mutating func append(_ value: FieldValue, depth: Int = 0) {
        switch value {
        case .list(let items) where depth < JSON.maximumDepth || items.isEmpty:
            bytes.append(UInt8(ascii: "["))
            for (position, item) in items.enumerated() {
                if position > 0 { bytes.append(UInt8(ascii: ",")) }
                append(item, depth: depth + 1)
            }
            bytes.append(UInt8(ascii: "]"))
        case .record(let members) where depth < JSON.maximumDepth || members.isEmpty:
            bytes.append(UInt8(ascii: "{"))
            for (position, member) in members.enumerated() {
                if position > 0 { bytes.append(UInt8(ascii: ",")) }
                append(text: member.name)
                bytes.append(UInt8(ascii: ":"))
                append(member.value, depth: depth + 1)
            }
            bytes.append(UInt8(ascii: "}"))
        default: append(scalar: value)
        }
    }

    mutating func appendPretty(_ value: FieldValue, depth: Int = 0) {
        switch value {
        case .list(let items) where depth < JSON.maximumDepth && !items.isEmpty:
            bytes.append(UInt8(ascii: "["))
            for (position, item) in items.enumerated() {
                breakLine(position, depth + 1)
                appendPretty(item, depth: depth + 1)
            }
            breakLine(0, depth)
            bytes.append(UInt8(ascii: "]"))
        case .record(let members) where depth < JSON.maximumDepth && !members.isEmpty:
            bytes.append(UInt8(ascii: "{"))
            for (position, member) in members.enumerated() {
                breakLine(position, depth + 1)
                append(text: member.name)
                append(ascii: ": ")
                appendPretty(member.value, depth: depth + 1)
            }
            breakLine(0, depth)
            bytes.append(UInt8(ascii: "}"))
        default: append(value, depth: depth)
        }
    }

    private mutating func breakLine(_ position: Int, _ depth: Int) {
        if position > 0 { bytes.append(UInt8(ascii: ",")) }
        bytes.append(UInt8(ascii: "\n"))
        bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth))
    }

    private mutating func append(scalar value: FieldValue) {
        switch value {
        case .none, .list, .record: append(ascii: "null")
        case .bool(let flag): append(ascii: flag ? "true" : "false")
        case .integer(let whole): append(integer: whole)
        case .number(let number):
            if number.isFinite { bytes.append(contentsOf: number.description.utf8) } else { append(ascii: "null") }
        case .text(let text): append(text: text)
        }
    }

    package mutating func append(ascii text: StaticString) {
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    package mutating func append(integer: Int64) {
        if (0..<10).contains(integer) {
            bytes.append(UInt8(ascii: "0") + UInt8(integer))
        } else {
            bytes.append(contentsOf: integer.description.utf8)
        }
    }

    /// Text in quotes. Runs that need no escape are copied as they are.
    package mutating func append(text: String) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { utf8 in
            var start = 0
            for index in 0..<utf8.count {
                let byte = utf8[index]
                // Controls, quote, backslash, and the first byte of U+2028 and U+2029.
                guard byte < 0x20 || byte == 0x22 || byte == 0x5C || byte == 0xE2 else { continue }
                guard let escape = Self.escape(byte, in: utf8, at: index) else { continue }
                bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start..<index]))
                bytes.append(contentsOf: escape.text.utf8)
                start = index + escape.length
            }
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start...]))
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func escape(
        _ byte: UInt8, in utf8: UnsafeBufferPointer<UInt8>, at index: Int
    ) -> (text: String, length: Int)? {
        switch byte {
        case UInt8(ascii: "\""): return ("\\\"", 1)
        case UInt8(ascii: "\\"): return ("\\\\", 1)
        case 0x08: return ("\\b", 1)
        case 0x09: return ("\\t", 1)
        case 0x0A: return ("\\n", 1)
        case 0x0C: return ("\\f", 1)
        case 0x0D: return ("\\r", 1)
        case 0xE2:
            guard index + 2 < utf8.count, utf8[index + 1] == 0x80 else { return nil }
            switch utf8[index + 2] {
            case 0xA8: return ("\\u2028", 3)
            case 0xA9: return ("\\u2029", 3)
            default: return nil
            }
        default:
            let digits = String(byte, radix: 16)
            return ("\\u00" + (digits.count < 2 ? "0" : "") + digits, 1)
        }
    }
}
