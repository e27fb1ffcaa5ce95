// Escapes text for Markdown (CommonMark 0.31 with GitHub's tables, autolinks, mentions and emoji). Escaping all
// punctuation would be safe but unreadable, so a mark is escaped only where it could start a construct.

extension Escape {
    /// Escapes text for a paragraph, heading, list item, link text or table cell. The result is one line that renders
    /// literally.
    ///
    /// The text goes through `Text.clean` first; runs of spaces are collapsed and outer spaces removed.
    public static func markdown(_ text: String) -> String {
        let words = Text.clean(text).utf8.split(separator: UInt8(ascii: " "))
        let line = Array(words.joined(separator: [UInt8(ascii: " ")]))
        var out: [UInt8] = []
        out.reserveCapacity(line.count + 16)
        let digits = line.prefix { ByteScanner.isDigit($0) }.count
        for (index, byte) in line.enumerated() {
            let before = index > 0 ? line[index - 1] : nil
            let after = index + 1 < line.count ? line[index + 1] : nil
            let isMark =
                switch byte {
                case UInt8(ascii: "\\"), UInt8(ascii: "`"), UInt8(ascii: "*"), UInt8(ascii: "_"), UInt8(ascii: "["),
                    UInt8(ascii: "]"), UInt8(ascii: "<"), UInt8(ascii: "|"), UInt8(ascii: "~"), UInt8(ascii: "$"):
                    true
                // These start blocks at the beginning of a line: quotes, lists, rules, underlined headings.
                case UInt8(ascii: ">"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "="): index == 0
                case UInt8(ascii: "."), UInt8(ascii: ")"):
                    // A numbered list, or `www.`, which GitHub turns into a link.
                    digits > 0 && index == digits
                        || byte == UInt8(ascii: ".") && index >= 3
                            && line[index - 3..<index].allSatisfy { $0 | 0x20 == UInt8(ascii: "w") }
                // A heading starts and ends with `#`, and `#12` is an issue reference.
                case UInt8(ascii: "#"): before == nil || before == UInt8(ascii: " ") || after.map(isWord) == true
                case UInt8(ascii: "&"): after == UInt8(ascii: "#") || after.map(isWord) == true
                // `https://…`, `:smile:`.
                case UInt8(ascii: ":"): after == UInt8(ascii: "/") || after.map(isWord) == true
                case UInt8(ascii: "@"): after.map(isWord) == true
                default: false
                }
            if isMark { out.append(UInt8(ascii: "\\")) }
            out.append(byte)
        }
        return String(decoding: out, as: UTF8.self)
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: byte >= 0x80
        }
    }
}
