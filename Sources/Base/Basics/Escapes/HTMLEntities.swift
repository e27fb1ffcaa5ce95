// Decodes character references, which search replies contain in titles. Decode exactly once: the result may look like a
// reference again (`&amp;lt;`), and decoding it twice would create markup that is not in the source.

/// Character references of HTML.
public enum HTMLEntities {
    /// Decodes every character reference in the text, once.
    ///
    /// Follows the HTML standard ("Named character reference state", "Numeric character reference end state") for text
    /// outside attributes, with the same results as Python's `html.unescape`. The longest known name wins; 106 legacy
    /// names need no semicolon. Numbers 0x80…0x9F mean windows-1252. Zero, surrogates and numbers beyond U+10FFFF
    /// become U+FFFD; other controls and noncharacters are removed. Text that is not a reference stays unchanged.
    public static func unescape(_ text: String) -> String {
        let bytes = text.utf8Span.span
        let ampersand = UInt8(ascii: "&")
        var index = 0
        while index < bytes.count, bytes[index] != ampersand { index += 1 }
        if index == bytes.count { return text }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        /// Start of the run that is not copied yet.
        var start = 0
        func copy(to end: Int) {
            bytes.extracting(start..<end).withUnsafeBufferPointer { result.append(contentsOf: $0) }
        }
        while index < bytes.count {
            guard bytes[index] == ampersand, let reference = reference(in: bytes, at: index + 1) else {
                index += 1
                continue
            }
            copy(to: index)
            for scalar in [reference.first, reference.second] {
                if let scalar { result.append(contentsOf: Unicode.UTF8.encode(scalar) ?? .init()) }
            }
            index = reference.end
            start = index
        }
        copy(to: index)
        return String(decoding: result, as: UTF8.self)
    }

    /// Length of the longest name in bytes.
    public static let longestName = HTMLEntityNames.longest

    /// The one or two characters of a named reference; nil when the name is unknown.
    ///
    /// - Parameters:
    ///   - name: the text between the ampersand and the semicolon.
    ///   - isClosed: whether a semicolon follows, which all but 106 legacy names require.
    public static func scalars(named name: [UInt8], isClosed: Bool) -> [Unicode.Scalar]? {
        guard let found = lookUp(name.span, 0..<name.count), isClosed || !found.needsSemicolon else { return nil }
        return [found.first, found.second].compactMap(\.self)
    }

    /// A decoded reference of zero, one or two scalars, and the index after it.
    private struct Reference {
        var first: Unicode.Scalar?
        var second: Unicode.Scalar?
        var end: Int
    }

    private static func reference(in bytes: borrowing Span<UInt8>, at start: Int) -> Reference? {
        guard start < bytes.count else { return nil }
        return bytes[start] == UInt8(ascii: "#")
            ? number(in: bytes, at: start + 1) : named(in: bytes, at: start)
    }

    // MARK: - Numbers

    private static func number(in bytes: borrowing Span<UInt8>, at start: Int) -> Reference? {
        var index = start
        var radix: UInt32 = 10
        if index < bytes.count && (bytes[index] | 0x20) == UInt8(ascii: "x") {
            radix = 16
            index += 1
        }
        let firstDigit = index
        var value: UInt32 = 0
        while index < bytes.count, let digit = hexValue(bytes[index]), digit < radix {
            // Clamped just beyond the last scalar, so that long numbers do not overflow.
            value = min(value * radix + digit, 0x11_0000)
            index += 1
        }
        guard index > firstDigit else { return nil }
        if index < bytes.count && bytes[index] == UInt8(ascii: ";") { index += 1 }
        return Reference(first: scalar(numbered: value), end: index)
    }

    /// Maps a number to a scalar by the HTML standard; nil when the reference is removed.
    private static func scalar(numbered value: UInt32) -> Unicode.Scalar? {
        switch value {
        case 0: return "\u{FFFD}"
        case 0x80...0x9F: return Unicode.Scalar(windows1252[Int(value - 0x80)])
        case 0x01...0x08, 0x0B, 0x0E...0x1F, 0x7F, 0xFDD0...0xFDEF: return nil
        default:
            if value <= 0x10_FFFF && value & 0xFFFE == 0xFFFE { return nil }
            return Unicode.Scalar(value) ?? "\u{FFFD}"
        }
    }

    /// The windows-1252 characters of 0x80…0x9F; the five unassigned codes stay controls.
    private static let windows1252: [UInt16] = [
        0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x008D,
        0x017D, 0x008F, 0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
        0x0153, 0x009D, 0x017E, 0x0178,
    ]

    // MARK: - Names

    private static func named(in bytes: borrowing Span<UInt8>, at start: Int) -> Reference? {
        var end = start
        while end < bytes.count && end - start < HTMLEntityNames.longest && isAlphanumeric(bytes[end]) { end += 1 }
        let hasSemicolon = end < bytes.count && bytes[end] == UInt8(ascii: ";")
        if hasSemicolon, let name = lookUp(bytes, start..<end) {
            return Reference(first: name.first, second: name.second, end: end + 1)
        }
        end = min(end, start + HTMLEntityNames.longestWithoutSemicolon)
        while end > start + 1 {
            if let name = lookUp(bytes, start..<end), !name.needsSemicolon {
                return Reference(first: name.first, second: name.second, end: end)
            }
            end -= 1
        }
        return nil
    }

    private struct Name {
        var needsSemicolon: Bool
        var first: Unicode.Scalar?
        var second: Unicode.Scalar?
    }

    /// Binary search in the packed table, whose entries are in byte order.
    private static func lookUp(_ text: borrowing Span<UInt8>, _ range: Range<Int>) -> Name? {
        let packed = HTMLEntityNames.packed
        let table = packed.utf8Span.span
        var low = 0
        var high = table.count
        while low < high {
            // Move back from the middle to the start of its entry, then compare the name.
            var start = low + (high - low) / 2
            while start > low && table[start - 1] > 0x20 { start -= 1 }
            var index = start
            var position = range.lowerBound
            while position < range.upperBound && table[index] == text[position] {
                index += 1
                position += 1
            }
            let isMark = table[index] == UInt8(ascii: ";") || table[index] == UInt8(ascii: "?")
            if isMark && position == range.upperBound { return entry(table, markedAt: index) }
            // An end mark sorts before every other byte, so a name comes before longer names that start with it.
            if !isMark && (position == range.upperBound || table[index] > text[position]) {
                high = start
            } else {
                while index < high && table[index] > 0x20 { index += 1 }
                low = min(index + 1, high)
            }
        }
        return nil
    }

    /// Parses the part of an entry after its name.
    private static func entry(_ table: borrowing Span<UInt8>, markedAt mark: Int) -> Name {
        var values: (UInt32, UInt32) = (0, 0)
        var index = mark + 1
        while index < table.count, table[index] > 0x20 {
            if let digit = hexValue(table[index]) {
                values.0 = values.0 << 4 | digit
            } else {
                values = (0, values.0)
            }
            index += 1
        }
        let hasTwo = values.1 != 0
        return Name(
            needsSemicolon: table[mark] == UInt8(ascii: ";"),
            first: Unicode.Scalar(hasTwo ? values.1 : values.0), second: hasTwo ? Unicode.Scalar(values.0) : nil)
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    private static func hexValue(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }
}
