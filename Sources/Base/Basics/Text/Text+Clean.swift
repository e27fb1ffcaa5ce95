// Makes untrusted text safe for a terminal: one line, no control characters, no direction overrides. It does not
// escape; a formatter for HTML or XML must escape as well.

extension Text {
    /// The text without leading and trailing white space.
    package static func trimmed(_ text: String) -> String {
        String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }

    /// The text as one line that is safe to write to a terminal.
    ///
    /// - Escape sequences (ECMA-48: CSI, OSC and the other string types, character sets and so on) are removed
    ///   entirely, in their 7-bit and 8-bit forms. Of an unterminated sequence only the introducer is removed, so the
    ///   text after it survives.
    /// - Any other C0 or C1 control, DEL, U+2028 and U+2029 becomes one space; CR LF becomes a single space.
    /// - Direction overrides, embeddings and isolates (U+202A…202E, U+2066…2069) become U+FFFD, so that an attempt to
    ///   disguise a name stays visible. The marks U+200E, U+200F and U+061C cannot reorder a line and are removed.
    ///
    /// Everything else is preserved, including spaces and zero-width characters.
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

    /// Writes each character that `clean` would change as `<HEX>`, so that two texts that differ stay different. For
    /// names that the user decides about, such as those of files.
    public static func visible(_ text: String) -> String {
        guard needsCleaning(text) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            let one = String(scalar)
            result += clean(one) == one ? one : "<\(String(scalar.value, radix: 16, uppercase: true))>"
        }
        return result
    }

    /// Scans the bytes only. Most text is clean, so this is the common case.
    private static func needsCleaning(_ text: String) -> Bool {
        let bytes = text.utf8Span.span
        for index in bytes.indices {
            let byte = bytes[index]
            if byte < 0x20 || byte == 0x7F { return true }
            // The input is valid UTF-8, so continuation bytes always follow a lead byte.
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

    /// The index after the escape sequence that starts at the first scalar, or after its introducer when it is
    /// unterminated. Returns nil when no sequence starts there.
    private static func endOfSequence(_ scalars: ArraySlice<Unicode.Scalar>) -> Int? {
        guard let first = scalars.first?.value else { return nil }
        var rest = scalars.dropFirst()
        // ESC followed by a byte in 0x40…0x5F is the 7-bit form of the C1 control 0x40 higher.
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
            // Intermediate bytes and a final byte: ESC ( B, ESC 7, ESC c.
            rest = rest.drop { (0x20...0x2F).contains($0.value) }
            guard let final = rest.first?.value, (0x30...0x7E).contains(final) else { return nil }
            return rest.startIndex + 1
        case 0x9B:
            rest = rest.drop { (0x30...0x3F).contains($0.value) }
            rest = rest.drop { (0x20...0x2F).contains($0.value) }
            guard let final = rest.first?.value, (0x40...0x7E).contains(final) else { return rest.startIndex }
            return rest.startIndex + 1
        case 0x90, 0x98, 0x9D, 0x9E, 0x9F:
            // DCS, SOS, OSC, PM and APC end at BEL or at the string terminator (ESC \ or U+009C).
            let opening = rest.startIndex
            rest = rest.drop { !($0.value < 0x20 || (0x7F...0x9F).contains($0.value)) }
            switch rest.first?.value {
            case 0x07, 0x9C: return rest.startIndex + 1
            case 0x1B where rest.dropFirst().first == "\\": return rest.startIndex + 2
            default: return opening
            }
        default:
            // A single control function. In its 7-bit form (ESC and a letter) it is removed; as one character it
            // becomes a space.
            return first == 0x1B ? rest.startIndex : nil
        }
    }
}
