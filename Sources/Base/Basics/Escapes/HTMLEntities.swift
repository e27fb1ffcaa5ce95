// Turns character references back into characters, as search replies hold them in titles. Exactly once: what comes out
// may look like a reference again (`&amp;lt;`), and decoding it a second time would make up markup nobody wrote.

/// Character references of HTML.
public enum HTMLEntities {
    /// The text with every character reference decoded, once.
    ///
    /// The rules are those of the HTML standard ("Named character reference state", "Numeric character reference end
    /// state") for text outside attributes, to the same results as Python's `html.unescape`: the longest known name
    /// wins, 106 old names need no semicolon, numbers 0x80…0x9F mean windows-1252, surrogates, zero and numbers beyond
    /// U+10FFFF give U+FFFD, numbers of other controls and of noncharacters give nothing. What is not a reference
    /// stays.
    public static func unescape(_ text: String) -> String {
        let bytes = text.utf8Span.span
        let ampersand = UInt8(ascii: "&")
        var index = 0
        while index < bytes.count, bytes[index] != ampersand { index += 1 }
        if index == bytes.count { return text }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        /// Where the run begins that is not copied yet.
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

    /// Bytes of the longest name.
    public static let longestName = HTMLEntityNames.longest

    /// The characters that a name stands for, one or two; nil when there is no such name.
    ///
    /// - Parameters:
    ///   - name: what is after the ampersand, without a semicolon.
    ///   - isClosed: whether a semicolon is after it, which all but 106 old names need.
    public static func scalars(named name: [UInt8], isClosed: Bool) -> [Unicode.Scalar]? {
        guard let found = lookUp(name.span, 0..<name.count), isClosed || !found.needsSemicolon else { return nil }
        return [found.first, found.second].compactMap(\.self)
    }

    /// What a reference stands for (no scalar, one or two), and the index after it.
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
            // Held just beyond the last scalar, so that long numbers do not overflow.
            value = min(value * radix + digit, 0x11_0000)
            index += 1
        }
        guard index > firstDigit else { return nil }
        if index < bytes.count && bytes[index] == UInt8(ascii: ";") { index += 1 }
        return Reference(first: scalar(numbered: value), end: index)
    }

    /// The standard's reading of a number; nil when it stands for nothing.
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

    /// What 0x80…0x9F are in windows-1252; the five that it leaves free stay controls.
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

    /// Finds a name in the packed table by halving it: the entries are in byte order.
    private static func lookUp(_ text: borrowing Span<UInt8>, _ range: Range<Int>) -> Name? {
        let packed = HTMLEntityNames.packed
        let table = packed.utf8Span.span
        var low = 0
        var high = table.count
        while low < high {
            // Back from the middle to where its entry begins, then along the name.
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
            // Marks compare as less than anything: a name comes before those that it begins.
            if !isMark && (position == range.upperBound || table[index] > text[position]) {
                high = start
            } else {
                while index < high && table[index] > 0x20 { index += 1 }
                low = min(index + 1, high)
            }
        }
        return nil
    }

    /// Reads what follows an entry's name.
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
