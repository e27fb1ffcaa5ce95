// Replaces named character references by numeric ones before libxml2 parses a page, because libxml2 knows only the
// names of HTML 4. Scripts, styles and comments contain no references and stay unchanged.

import Basics

enum HTMLNames {
    private static let ampersand = UInt8(ascii: "&")

    /// Replaces named references, such as `&hellip;` by `&#8230;`. A legacy name without a semicolon is replaced only
    /// when no letter, digit or `=` follows, a rule that fits both text and attributes.
    ///
    /// - Parameter text: valid UTF-8.
    static func numbered(_ text: [UInt8]) -> [UInt8] {
        guard text.contains(ampersand) else { return text }
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        /// Start of the run that is not copied yet.
        var start = 0
        var index = 0
        while index < text.count {
            switch text[index] {
            case UInt8(ascii: "<"):
                index = endOfRaw(text, index) ?? index + 1
            case ampersand:
                guard let (numbers, end) = reference(text, index) else {
                    index += 1
                    continue
                }
                result += text[start..<index]
                result += numbers
                index = end
                start = end
            default: index += 1
            }
        }
        if start == 0 { return text }
        result += text[start...]
        return result
    }

    /// The numeric references for the name at the ampersand, and the index after it; nil when it is not a known name.
    private static func reference(_ text: [UInt8], _ start: Int) -> (numbers: [UInt8], end: Int)? {
        let name = text[(start + 1)...].prefix(HTMLEntities.longestName + 1).prefix(while: isAlphanumeric)
        let end = name.endIndex
        let isClosed = end < text.count && text[end] == UInt8(ascii: ";")
        if name.isEmpty || end < text.count && text[end] == UInt8(ascii: "=") { return nil }
        guard let scalars = HTMLEntities.scalars(named: Array(name), isClosed: isClosed) else { return nil }
        return (scalars.flatMap { Array("&#\($0.value);".utf8) }, isClosed ? end + 1 : end)
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        (byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9"))
            || (byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z"))
    }

    /// Constructs that contain no references, with their end markers.
    private static let raw = [("<!--", "-->"), ("<script", "</script"), ("<style", "</style")].map {
        (begin: Array($0.utf8), end: Array($1.utf8))
    }

    /// The end of the script, style or comment that starts here; nil when there is none.
    private static func endOfRaw(_ text: [UInt8], _ start: Int) -> Int? {
        for (begin, end) in raw where stands(begin, in: text, at: start) {
            var index = start + begin.count
            while index < text.count, !stands(end, in: text, at: index) { index += 1 }
            return index
        }
        return nil
    }

    /// Whether the mark occurs at `start`, ignoring ASCII case.
    private static func stands(_ mark: [UInt8], in text: [UInt8], at start: Int) -> Bool {
        guard start + mark.count <= text.count else { return false }
        for (offset, byte) in mark.enumerated() {
            let found = text[start + offset]
            let isLetter = byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z")
            if found != byte && !(isLetter && found | 0x20 == byte) { return false }
        }
        return true
    }
}
