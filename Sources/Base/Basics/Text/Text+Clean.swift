// What a terminal may be shown of text from outside: one line, no control bytes, nothing that reorders the line. It is
// not an escaper: a formatter that writes HTML or XML escapes as well, or instead.

extension Text {
    /// The text without white space at its beginning and end.
    package static func trimmed(_ text: String) -> String {
        String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }

    /// The text as one line that is safe to show on a terminal.
    ///
    /// - Escape sequences (ECMA-48: CSI, OSC and the other strings, character sets …) are removed whole, in their
    ///   7-bit and 8-bit forms. A sequence that does not end loses only its opening, so that text after it survives.
    /// - Every other C0 or C1 control, DEL, U+2028 and U+2029 becomes one space; CR LF together become one.
    /// - Characters that override or embed a direction or isolate (U+202A…202E, U+2066…2069) become U+FFFD, so that a
    ///   disguised name shows that it was one. Plain marks (U+200E, U+200F, U+061C) have no such power over the line
    ///   and are removed.
    ///
    /// Everything else stays, spaces and zero-width characters included.
    public static func clean(_ text: String) -> String {
        guard needsCleaning(text) else { return text }
        let scalars = Array(text.unicodeScalars)
        var result = String.UnicodeScalarView()
        var index = 0
        while index < scalars.count {
            let scalar = scalars[index]
            switch scalar.value {
            case 0x1B, 0x80...0x9F:
                if let end = endOfSequence(scalars[index...]) {
                    index = end
                    continue
                }
                result.append(" ")
            case 0x0D:
                result.append(" ")
                if index + 1 < scalars.count && scalars[index + 1] == "\n" { index += 1 }
            case 0..<0x20, 0x7F, 0x2028, 0x2029: result.append(" ")
            case 0x202A...0x202E, 0x2066...0x2069: result.append("\u{FFFD}")
            case 0x200E, 0x200F, 0x061C: break
            default: result.append(scalar)
            }
            index += 1
        }
        return String(result)
    }

    /// Looks at bytes only: most text is clean, and this is all it costs then.
    private static func needsCleaning(_ text: String) -> Bool {
        let bytes = text.utf8Span.span
        for index in bytes.indices {
            let byte = bytes[index]
            if byte < 0x20 || byte == 0x7F { return true }
            // In UTF-8, a lead byte has its continuation bytes after it.
            switch byte {
            case 0xC2 where bytes[index + 1] < 0xA0: return true
            case 0xD8 where bytes[index + 1] == 0x9C: return true
            case 0xE2 where bytes[index + 1] == 0x80:
                switch bytes[index + 2] {
                case 0x8E, 0x8F, 0xA8...0xAE: return true
                default: continue
                }
            case 0xE2 where bytes[index + 1] == 0x81:
                if (0xA6...0xA9).contains(bytes[index + 2]) { return true }
            default: continue
            }
        }
        return false
    }

    /// The index after an escape sequence that begins with the first scalar, or after its opening when it does not
    /// end; nil when that scalar opens nothing.
    private static func endOfSequence(_ scalars: ArraySlice<Unicode.Scalar>) -> Int? {
        guard let first = scalars.first?.value else { return nil }
        var rest = scalars.dropFirst()
        // ESC and a byte of 0x40…0x5F is the 7-bit form of the control 0x40 above.
        var control = first
        if first == 0x1B {
            guard let second = rest.first?.value, (0x20...0x7E).contains(second) else { return nil }
            if (0x40...0x5F).contains(second) {
                control = second + 0x40
                rest = rest.dropFirst()
            }
        }
        switch control {
        case 0x1B:
            // Intermediates and a final: ESC ( B, ESC 7, ESC c.
            rest = rest.drop { (0x20...0x2F).contains($0.value) }
            guard let final = rest.first?.value, (0x30...0x7E).contains(final) else { return nil }
            return rest.startIndex + 1
        case 0x9B:
            rest = rest.drop { (0x30...0x3F).contains($0.value) }
            rest = rest.drop { (0x20...0x2F).contains($0.value) }
            guard let final = rest.first?.value, (0x40...0x7E).contains(final) else { return rest.startIndex }
            return rest.startIndex + 1
        case 0x90, 0x98, 0x9D, 0x9E, 0x9F:
            // DCS, SOS, OSC, PM and APC run to BEL or to the string terminator (ESC \ or U+009C).
            let opening = rest.startIndex
            rest = rest.drop { !($0.value < 0x20 || (0x7F...0x9F).contains($0.value)) }
            switch rest.first?.value {
            case 0x07, 0x9C: return rest.startIndex + 1
            case 0x1B where rest.dropFirst().first == "\\": return rest.startIndex + 2
            default: return opening
            }
        default:
            // A control of its own. As ESC and a letter it is a whole sequence; as one character it becomes a space.
            return first == 0x1B ? rest.startIndex : nil
        }
    }
}
