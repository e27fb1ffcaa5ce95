// Text as a terminal and a table see it: columns, not characters. Widths are those of whole grapheme clusters; adding
// up the widths of a cluster's scalars is wrong for emoji, and counting clusters is wrong for Thai and Devanagari.

/// Rules for text that people read: display width, safety on a terminal, folding for search, short numbers.
///
/// Nothing here depends on a locale.
public enum Text {
    /// Where text stands within wider room.
    public enum Alignment: String, Sendable, CaseIterable { case left, right, center }

    /// How many terminal columns the text takes, at least 0.
    ///
    /// East Asian wide characters take 2 (UAX #11), ambiguous ones 1; combining, zero-width and control characters 0.
    /// Within a cluster the characters add up, to 2 at most: so Thai `กำ` takes 2, and so does any emoji that is
    /// joined from several, a flag, or one with a skin tone. A skin tone after what
    /// can wear none is shown as a swatch and takes 2 of its own, a half-width voicing mark 1. U+FE0F makes an emoji of a character, also 2 (UTS #51).
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

    /// The text when it fits, else its first whole clusters and `…`, which takes one column.
    ///
    /// - Parameter columns: the most the result may take; it may take one less, when a wide character does not fit.
    ///   0 and below give "".
    public static func truncate(_ text: String, to columns: Int) -> String {
        // No text takes more columns than bytes.
        if text.utf8.count <= columns { return text }
        if columns <= 0 { return "" }
        // In plain ASCII a byte is a cluster. The byte after the last column counts, it could be a combining mark's.
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

    /// The text with spaces around it, to fill the columns. Text that is as wide or wider comes back as it is.
    ///
    /// With `.center` an odd space goes to the right.
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

    /// Scalars add up unless the text holds one of those that share columns; only then are clusters needed.
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

    /// The end of what is drawn as one from there on, and its width: a cluster, and those behind it that a sign between
    /// them joins to it, which take no more than 2 together.
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

    /// Joiner, emoji presentation, skin tones, regional indicators, and the scripts that join consonants.
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
            // `isEmoji` holds for digits, `#` and `*` too: that is how keycaps are made.
            if scalar.value == 0xFE0F { isDrawnAsEmoji = isDrawnAsEmoji || first.properties.isEmoji }
            // A skin tone is in the cluster of what comes before it whatever that is, but only emoji can wear it.
            if isSkinTone(scalar), first.value <= 0xFF || !first.properties.isEmoji {
                beside += 2
            } else if scalar.value == 0xFF9E || scalar.value == 0xFF9F {
                // Half-width voicing marks extend a cluster, and have a column of their own.
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
        // Arabic, Syriac and Kaithi signs that span the digits after them: format characters, but visible ones.
        case 0x600...0x605, 0x6DD, 0x70F, 0x890...0x891, 0x8E2, 0x110BD, 0x110CD: return 1
        // Vowels and finals of decomposed Hangul stand in the columns of their initial; tone marks stand beside it,
        // and fillers show nothing.
        case 0x1160...0x11FF, 0xD7B0...0xD7FB, 0x302E...0x302F, 0x3164, 0xFFA0, 0x16FF0...0x16FF1: return 0
        // What Unicode sets aside: ideographs of planes 2 and 3, ignorable characters of plane 14.
        case 0x20000...0x3FFFD: return 2
        case 0xE0000...0xE0FFF: return 0
        case let value where isNewlyWide(value): return 2
        case let value where isNewlyCombining(value): return 0
        case 0x1F000...0x1FAFF:
            // Regional indicators, and emoji newer than the installed utf8proc.
            return scalar.properties.isEmojiPresentation ? 2 : UTF8Proc.width(scalar)
        default:
            let columns = UTF8Proc.width(scalar)
            // Spacing marks (vowel signs of India) have a column of their own on terminals, but for those that join
            // letters; utf8proc says 0.
            let isSpacing = columns == 0 && scalar.properties.generalCategory == .spacingMark
            return isSpacing && !joinsLetters(scalar) ? 1 : columns
        }
    }
}

// MARK: - Numbers

extension Text {
    /// A number in at most four columns, five below zero: `950`, `1.2K`, `12K`, `3.2M`, `1B`.
    ///
    /// Rounded half away from zero to two digits, or to whole units from 10 on; a fraction of 0 is left out. The
    /// letters are K, M, B, T, then P and E for 10 to the 15th and 18th.
    public static func compactCount(_ n: Int64) -> String {
        let sign = n < 0 ? "-" : ""
        let count = n.magnitude
        if count < 1000 { return "\(n)" }
        var unit: UInt64 = 1000
        for letter in ["K", "M", "B", "T", "P", "E"] {
            // Tenths are rounded from the count itself, so that no number is rounded twice.
            let (whole, rest) = count.quotientAndRemainder(dividingBy: unit)
            let tenths = whole * 10 + (rest + unit / 20) / (unit / 10)
            if tenths < 100 {
                return tenths % 10 == 0
                    ? "\(sign)\(tenths / 10)\(letter)" : "\(sign)\(tenths / 10).\(tenths % 10)\(letter)"
            }
            let rounded = whole + (rest >= unit / 2 ? 1 : 0)
            if rounded < 1000 { return "\(sign)\(rounded)\(letter)" }
            // Int64 ends at 9.2E, so this unit is never the last one.
            unit *= 1000
        }
        return "\(n)"
    }

    /// A number with a comma between groups of three digits: `3,170,000`.
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
