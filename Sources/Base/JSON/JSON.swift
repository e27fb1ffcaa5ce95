// Converts between JSON text and plain data. Integers beyond 64 bits are decoded as decimal text, and non-finite
// doubles are encoded as null.

import Basics

/// JSON decoding and encoding.
public enum JSON {
    /// Maximum nesting depth, not counting an empty list or record. Deeper input is an error (simdjson's limit); deeper
    /// data is encoded as null.
    public static let maximumDepth = 1023

    /// Decodes one value. null becomes `.none`. Integers are exact; an integer outside `Int64`, or a number outside the
    /// range of a double, becomes decimal text. Half of a surrogate pair (`"\ud83d"`) becomes U+FFFD. Invalid UTF-8 is
    /// an error.
    public static func decode(_ bytes: [UInt8]) throws(JSONError) -> FieldValue {
        try JSONBatch.document(bytes)[0].value()
    }

    /// Removes the byte order mark that some services send (RFC 8259, 8.1, lets parsers ignore it).
    public static func withoutMark(_ bytes: [UInt8]) -> [UInt8] {
        bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes[3...]) : bytes
    }

    /// Encodes a value as UTF-8. Members keep their order, `.none` becomes null, and doubles use the shortest text that
    /// parses to the same value. `/` is not escaped; U+2028 and U+2029 are.
    ///
    /// - Parameter pretty: indent by two spaces. There is no line break after the value.
    public static func encode(_ value: FieldValue, pretty: Bool = false) -> [UInt8] {
        var writer = JSONWriter()
        if pretty { writer.appendPretty(value) } else { writer.append(value) }
        return writer.bytes
    }
}

/// A JSON encoder with a reusable output buffer.
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

    /// Appends a quoted string. Runs without special characters are copied in one piece.
    package mutating func append(text: String) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { utf8 in
            var start = 0
            for index in 0..<utf8.count {
                let byte = utf8[index]
                // Control characters, quote, backslash, and the first byte of U+2028 and U+2029.
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
