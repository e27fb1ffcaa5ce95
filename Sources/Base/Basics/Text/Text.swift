// Text layout in terminal columns. Width is measured per grapheme cluster: adding the widths of scalars is wrong for
// emoji, and counting clusters is wrong for Thai and Devanagari.

/// Rules for displayed text: width, terminal safety, search folding and short numbers.
///
/// All functions are independent of the locale.
public enum Text {
    /// The position of text inside a wider field.
    public enum Alignment: String, Sendable, CaseIterable { case left, right, center }

    /// The number of terminal columns the text takes, at least 0.
    ///
    /// East Asian wide characters take 2 columns (UAX #11) and ambiguous ones 1; combining, zero-width and control
    /// characters take 0. The widths within a cluster add up to at most 2, so Thai `กำ`, a joined emoji, a flag and an
    /// emoji with a skin tone each take 2. A skin tone after a character that cannot have one is drawn separately and
    /// takes 2 more columns; a half-width voicing mark takes 1 more. U+FE0F turns a character into an emoji of width 2
    /// (UTS #51).
    public static func width(_ text: String) -> Int {
        let bytes = text.utf8Span.span
        var columns = 0
        for index in bytes.indices {
            let byte = bytes[index]
            if byte >= 0x80 { return widthOfScalars(text) }
            if byte >= 0x20 && byte != 0x7F { columns += 1 }
        }
        return columns
    }

    /// Shortens the text to a column count. Text that fits is returned unchanged; otherwise whole clusters are removed
    /// at the end and `…` is appended, which takes one column.
    ///
    /// - Parameter columns: maximum width of the result. The result may be one column narrower when a wide character
    ///   does not fit. 0 or less returns "".
    public static func truncate(_ text: String, to columns: Int) -> String {
        // Text never takes more columns than bytes.
        if text.utf8.count <= columns { return text }
        if columns <= 0 { return "" }
        // In printable ASCII each byte is a cluster. The byte after the last column is checked too, because it could
        // start a combining mark.
        if text.utf8.prefix(columns + 1).allSatisfy({ (0x20...0x7E).contains($0) }) {
            return text[..<text.utf8.index(text.startIndex, offsetBy: columns - 1)] + "…"
        }
        var used = 0
        var cut = text.startIndex
        var index = text.startIndex
        while index < text.endIndex {
            let (end, width) = clusters(in: text, from: index)
            used += width
            index = end
            if used < columns { cut = index }
            if used > columns { return text[..<cut] + "…" }
        }
        return text
    }

    /// Pads the text with spaces to a column count. Text of that width or wider is returned unchanged.
    ///
    /// With `.center`, an odd space goes to the right.
    public static func pad(_ text: String, to columns: Int, align: Alignment = .left) -> String {
        let missing = columns - width(text)
        guard missing > 0 else { return text }
        let before =
            switch align {
            case .left: 0
            case .right: missing
            case .center: missing / 2
            }
        return String(repeating: " ", count: before) + text + String(repeating: " ", count: missing - before)
    }

    // MARK: -

    /// Adds up the widths of scalars. Falls back to clusters when a scalar can share columns with others.
    private static func widthOfScalars(_ text: String) -> Int {
        var columns = 0
        for scalar in text.unicodeScalars {
            if sharesColumns(scalar) { return widthOfClusters(text) }
            columns += width(of: scalar)
        }
        return columns
    }

    private static func widthOfClusters(_ text: String) -> Int {
        var columns = 0
        var index = text.startIndex
        while index < text.endIndex {
            let (end, width) = clusters(in: text, from: index)
            columns += width
            index = end
        }
        return columns
    }

    /// The end and the width of the unit that is drawn together from `start`: one cluster, or several that virama signs
    /// join, which together take at most 2 columns.
    private static func clusters(in text: String, from start: String.Index) -> (end: String.Index, width: Int) {
        var end = text.index(after: start)
        var columns = width(of: text[start])
        let scalars = text.unicodeScalars
        while end < text.endIndex, joinsLetters(scalars[scalars.index(before: end)]),
            scalars[end].properties.generalCategory == .otherLetter
        {
            columns = max(columns, min(columns + width(of: text[end]), 2))
            text.formIndex(after: &end)
        }
        return (end, columns)
    }

    /// Joiner, emoji presentation, skin tones, regional indicators, and scripts that join consonants.
    private static func sharesColumns(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x200D, 0xFE0F, 0x1F3FB...0x1F3FF, 0x1F1E6...0x1F1FF: true
        case 0x900...0xDFF, 0x1000...0x1CFF, 0xA800...0xABFF, 0x11000...0x11FFF: true
        default: false
        }
    }

    private static func isSkinTone(_ scalar: Unicode.Scalar) -> Bool { (0x1F3FB...0x1F3FF).contains(scalar.value) }

    private static func width(of cluster: Character) -> Int {
        guard let first = cluster.unicodeScalars.first else { return 0 }
        var columns = 0
        var beside = 0
        var isDrawnAsEmoji = false
        for scalar in cluster.unicodeScalars {
            // `isEmoji` is also true for digits, `#` and `*`, which form keycap emoji.
            if scalar.value == 0xFE0F { isDrawnAsEmoji = isDrawnAsEmoji || first.properties.isEmoji }
            // A skin tone always joins the preceding cluster, but only an emoji is drawn with it.
            if isSkinTone(scalar), first.value <= 0xFF || !first.properties.isEmoji {
                beside += 2
            } else if scalar.value == 0xFF9E || scalar.value == 0xFF9F {
                // Half-width voicing marks extend a cluster and take a column of their own.
                beside += 1
            } else {
                columns += width(of: scalar)
            }
        }
        return (isDrawnAsEmoji ? 2 : min(columns, 2)) + beside
    }

    private static func width(of scalar: Unicode.Scalar) -> Int {
        switch scalar.value {
        case 0x20...0x7E, 0xA0...0x2FF: return 1
        case 0...0x9F: return 0
        // Arabic, Syriac and Kaithi signs that span the following digits: format characters, but visible.
        case 0x600...0x605, 0x6DD, 0x70F, 0x890...0x891, 0x8E2, 0x110BD, 0x110CD: return 1
        // Vowels and finals of decomposed Hangul share the columns of their initial; tone marks are drawn beside it,
        // and fillers are invisible.
        case 0x1160...0x11FF, 0xD7B0...0xD7FB, 0x302E...0x302F, 0x3164, 0xFFA0, 0x16FF0...0x16FF1: return 0
        // Reserved ranges: ideographs in planes 2 and 3, ignorable characters in plane 14.
        case 0x20000...0x3FFFD: return 2
        case 0xE0000...0xE0FFF: return 0
        case let value where isNewlyWide(value): return 2
        case let value where isNewlyCombining(value): return 0
        case 0x1F000...0x1FAFF:
            // Regional indicators, and emoji newer than the installed utf8proc.
            return scalar.properties.isEmojiPresentation ? 2 : UTF8Proc.width(scalar)
        default:
            let columns = UTF8Proc.width(scalar)
            // Spacing marks (Indic vowel signs) take a column on terminals unless they join letters; utf8proc reports
            // 0.
            let isSpacing = columns == 0 && scalar.properties.generalCategory == .spacingMark
            return isSpacing && !joinsLetters(scalar) ? 1 : columns
        }
    }
}

// MARK: - Numbers

extension Text {
    /// A short count of at most four columns, or five when negative: `950`, `1.2K`, `12K`, `3.2M`, `1B`.
    ///
    /// Rounded half away from zero, to two digits below 10 units and to whole units above; a fraction of 0 is omitted.
    /// The suffixes are K, M, B, T, then P and E for 10^15 and 10^18.
    public static func compactCount(_ n: Int64) -> String {
        let sign = n < 0 ? "-" : ""
        let count = n.magnitude
        if count < 1000 { return "\(n)" }
        var unit: UInt64 = 1000
        for letter in ["K", "M", "B", "T", "P", "E"] {
            // Tenths are computed from the count itself, so that no number is rounded twice.
            let (whole, rest) = count.quotientAndRemainder(dividingBy: unit)
            let tenths = whole * 10 + (rest + unit / 20) / (unit / 10)
            if tenths < 100 {
                return tenths % 10 == 0
                    ? "\(sign)\(tenths / 10)\(letter)" : "\(sign)\(tenths / 10).\(tenths % 10)\(letter)"
            }
            let rounded = whole + (rest >= unit / 2 ? 1 : 0)
            if rounded < 1000 { return "\(sign)\(rounded)\(letter)" }
            // Int64 ends at 9.2E, so this is never reached for the last unit.
            unit *= 1000
        }
        return "\(n)"
    }

    /// A number with comma separators: `3,170,000`.
    public static func grouped(_ n: Int64) -> String {
        let digits = "\(n.magnitude)"
        var result = n < 0 ? "-" : ""
        for (index, digit) in digits.enumerated() {
            if index > 0 && (digits.count - index) % 3 == 0 { result.append(",") }
            result.append(digit)
        }
        return result
    }
}
