// Width data missing from the tables of the installed utf8proc and of Swift. Checked against wcwidth 0.9.4 (Unicode
// 18).

extension Text {
    /// Characters that became wide in Unicode 15.1 to 18 (EastAsianWidth.txt): trigrams and hexagrams, Tai Xuan Jing,
    /// counting rods, and newly added ideographs, Tangut and emoji. Also the code points reserved for compatibility
    /// ideographs.
    static func isNewlyWide(_ value: UInt32) -> Bool {
        switch value {
        case ..<0x2630: false
        case 0x2630...0x2637, 0x268A...0x268F, 0x2FFC...0x2FFF, 0x31E4...0x31E5, 0x31EF, 0x4DC0...0x4DFF,
            0xFA6E...0xFA6F, 0xFADA...0xFAFF:
            true
        case ..<0x16FF2: false
        case 0x16FF2...0x16FF6, 0x187F8...0x187FF, 0x18CD6...0x18CDA, 0x18CFF, 0x18D09...0x18D20, 0x18D80...0x18DF2,
            0x18E00...0x19191, 0x191A0...0x191D2, 0x1B123...0x1B128, 0x1B168, 0x1D300...0x1D356, 0x1D360...0x1D376:
            true
        case 0x1F1AE, 0x1F6D9, 0x1F7DA, 0x1FA8B...0x1FA8D, 0x1FACC, 0x1FADD, 0x1FAEB, 0x1FAF9...0x1FAFA: true
        default: false
        }
    }

    /// Newly added combining marks; they take no column.
    static func isNewlyCombining(_ value: UInt32) -> Bool {
        switch value {
        case 0x897, 0x1ACF...0x1AF0, 0x10D69...0x10D6D, 0x10EF0...0x10EFC, 0x1E5EE...0x1E5EF: true
        default: false
        }
    }

    /// Whether the next letter is drawn together with the previous one: viramas and invisible stackers
    /// (IndicSyllabicCategory.txt). The signs themselves take no column.
    static func joinsLetters(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case ..<0x94D: false
        // From Devanagari to Malayalam, the virama has the same offset in each script's block.
        case 0x94D, 0x9CD, 0xA4D, 0xACD, 0xB4D, 0xBCD, 0xC4D, 0xCCD, 0xD4D, 0xDCA: true
        case 0x1039, 0x17D2, 0x1A60, 0x1B44, 0x1BAB, 0xA806, 0xA8C4, 0xA9C0, 0xAAF6: true
        case ..<0x10A3F: false
        case 0x10A3F, 0x11046, 0x110B9, 0x11133, 0x111C0, 0x11235, 0x1134D, 0x113D0, 0x11442, 0x114C2, 0x115BF, 0x1163F,
            0x116B6, 0x11839, 0x1193E, 0x119E0, 0x11A47, 0x11A99, 0x11C3F, 0x11D45, 0x11D97, 0x11F42:
            true
        default: false
        }
    }
}
