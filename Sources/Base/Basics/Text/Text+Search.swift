// Text normalization for search. Folded text is for comparing and indexing only, never for display: folding makes
// `résumé` equal to `resume` on purpose.

extension Text {
    /// The text without case, accents and compatibility forms, independent of the locale.
    ///
    /// Applies full case folding and NFKD (Unicode 15, from utf8proc), removes the combining marks of Latin, Greek and
    /// Cyrillic (U+0300…036F, 1AB0…1AFF, 1DC0…1DFF, 20D0…20FF, FE20…FE2F), then applies NFKC. Marks that are essential
    /// to a script stay: vowel signs of Indic scripts and Thai, kana voicing marks. Letters with a stroke (`ø ł đ ħ ŧ`)
    /// and the dotless `ı` become the plain letter. Invisible characters (soft hyphen, joiners, variation selectors)
    /// are removed, except U+200B, which separates words.
    public static func fold(_ text: String) -> String {
        if isASCII(text) { return text.lowercased() }
        guard var scalars = UTF8Proc.folded(text) else { return text.lowercased() }
        scalars.removeAll(where: isFoldedAway)
        for index in scalars.indices where scalars[index] >= 0x80 {
            scalars[index] = plainLetter(scalars[index])
        }
        UTF8Proc.compose(&scalars)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(scalars.count * 2)
        for value in scalars {
            if let scalar = Unicode.Scalar(UInt32(bitPattern: value)) { append(scalar, to: &bytes) }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The folded words of the text, in order. Used both for indexing and for queries.
    ///
    /// A word is a run of letters, digits and their marks. One or two trailing `+` or `#` belong to the word (`c++`,
    /// `c#`), but a single one between two words does not: `a+b` is two words. Each Han, Hiragana or Katakana character
    /// is a word, so that a query of two characters is a phrase. Hangul words stay whole, because Korean is written
    /// with spaces.
    public static func words(_ text: String) -> [String] {
        var words: [String] = []
        var word: [UInt8] = []
        var signs: [UInt8] = []
        var standsAlone = false
        func endWord(atNext: Bool = false) {
            let keepsSigns = atNext ? signs.elementsEqual("++".utf8) : signs.count <= 2
            if !word.isEmpty { words.append(String(decoding: keepsSigns ? word + signs : word, as: UTF8.self)) }
            word.removeAll(keepingCapacity: true)
            signs.removeAll(keepingCapacity: true)
        }
        for scalar in fold(text).unicodeScalars {
            switch role(of: scalar) {
            case .letter:
                if standsAlone || !signs.isEmpty { endWord(atNext: true) }
                standsAlone = false
                append(scalar, to: &word)
            case .character:
                endWord(atNext: true)
                standsAlone = true
                append(scalar, to: &word)
            case .mark:
                if !word.isEmpty && signs.isEmpty { append(scalar, to: &word) }
            case .sign:
                if !word.isEmpty && !standsAlone { append(scalar, to: &signs) }
            case .other:
                endWord()
            }
        }
        endWord()
        return words
    }

    // MARK: -

    /// Works on bytes, because appending scalars to a `String` is ten times slower.
    private static func append(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
        if scalar.isASCII {
            bytes.append(UInt8(truncatingIfNeeded: scalar.value))
        } else {
            bytes.append(contentsOf: Unicode.UTF8.encode(scalar) ?? .init())
        }
    }

    private static func isASCII(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 < 0x80 }
    }

    private static func isFoldedAway(_ scalar: Int32) -> Bool {
        switch scalar {
        case ..<0xAD, 0x200B: false
        case 0x300...0x36F, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F: true
        default: Unicode.Scalar(UInt32(bitPattern: scalar))?.properties.isDefaultIgnorableCodePoint ?? true
        }
    }

    private static func plainLetter(_ scalar: Int32) -> Int32 {
        switch scalar {
        case 0xF8: 0x6F  // ø
        case 0x111: 0x64  // đ
        case 0x127: 0x68  // ħ
        case 0x131: 0x69  // ı
        case 0x142: 0x6C  // ł
        case 0x167: 0x74  // ŧ
        default: scalar
        }
    }

    /// How a scalar affects the current word.
    private enum Role { case letter, character, mark, sign, other }

    private static func role(of scalar: Unicode.Scalar) -> Role {
        switch scalar.value {
        case 0x30...0x39, 0x61...0x7A: return .letter
        case 0x23, 0x2B: return .sign
        case 0..<0x80: return .other
        default: break
        }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .decimalNumber, .letterNumber, .otherNumber:
            return isCharacterWord(scalar) ? .character : .letter
        case .nonspacingMark, .spacingMark, .enclosingMark: return .mark
        default: return .other
        }
    }

    /// The Unicode blocks of Han, Hiragana and Katakana, including iteration and length marks.
    private static func isCharacterWord(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x2E80...0x2FDF, 0x3005...0x3007, 0x3021...0x3029, 0x3031...0x303C, 0x3041...0x30FF, 0x31F0...0x31FF,
            0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0xFF66...0xFF9F, 0x1AFF0...0x1B16F, 0x20000...0x3FFFD:
            true
        default: false
        }
    }
}
