// Converts HTML to plain text, for titles and descriptions in feeds and pages. Text that only contains a `<` is not
// HTML, and character references must be decoded exactly once.

import Basics

package enum MarkupText {
    /// The visible text: tags removed, block elements and line breaks as newlines, character references decoded once.
    package static func plain(html: String) -> String {
        var out: [UInt8] = []
        let bytes = Array(html.utf8)
        out.reserveCapacity(bytes.count)
        var run: [UInt8] = []
        func flush() {
            if run.isEmpty { return }
            out += HTMLEntities.unescape(String(decoding: run, as: UTF8.self)).utf8
            run = []
        }
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            guard byte == UInt8(ascii: "<"), let tag = tag(in: bytes, at: index) else {
                // A line break in HTML source is a space.
                run.append(byte == 10 || byte == 13 ? 0x20 : byte)
                index += 1
                continue
            }
            flush()
            index = tag.end
            if blocks.contains(tag.name) {
                while let last = out.last, last == 0x20 { out.removeLast() }
                // Two line breaks make an empty line; the borders of two blocks make one line end.
                if out.last != 10 || tag.name == "br" && tag.isStart { out.append(10) }
            } else if spaces.contains(tag.name) {
                out.append(0x20)
            }
            if tag.isStart, tag.name == "script" || tag.name == "style" {
                index = end(of: tag.name, in: bytes, from: index)
            }
        }
        flush()
        return tidy(String(decoding: out, as: UTF8.self))
    }

    /// Plain text of a value that may be HTML or plain text, which feeds do not declare. It is treated as HTML when it
    /// contains a tag or a character reference.
    package static func plain(maybeHTML text: String) -> String { looksLikeHTML(text) ? plain(html: text) : tidy(text) }

    /// One line of plain text from a title or a name, which is text by its format although some authors write HTML. Only
    /// well-formed pairs of inline tags, line breaks and character references are HTML; everything else stays:
    /// `if a<b then c>d`, `Use <video> tags`.
    package static func title(_ text: String) -> String {
        let bytes = Array(text.utf8)
        guard bytes.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }) else { return line(text) }
        let tags = inlineTags(in: bytes)
        var out = ""
        var start = 0
        for tag in tags {
            out += unescapedWhole(bytes[start..<tag.range.lowerBound])
            if tag.isBreak { out += " " }
            start = tag.range.upperBound
        }
        return line(out + unescapedWhole(bytes[start...]))
    }

    /// Decodes the character references that end in a semicolon. In text that may not be HTML, `Q&notes` is none.
    private static func unescapedWhole(_ bytes: ArraySlice<UInt8>) -> String {
        var result: [UInt8] = []
        var rest = bytes
        while let start = rest.firstIndex(of: UInt8(ascii: "&")) {
            result += rest[..<start]
            let name = rest[(start + 1)...].prefix(HTMLEntities.longestName).prefix {
                $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: "&") && $0 > 0x20
            }
            let reference = rest[start..<name.endIndex] + [UInt8(ascii: ";")]
            let isKnown =
                name.first == UInt8(ascii: "#") || HTMLEntities.scalars(named: Array(name), isClosed: true) != nil
            if isKnown, name.endIndex < rest.endIndex, rest[name.endIndex] == UInt8(ascii: ";") {
                result += HTMLEntities.unescape(String(decoding: reference, as: UTF8.self)).utf8
                rest = rest[(name.endIndex + 1)...]
            } else {
                result.append(rest[start])
                rest = rest[(start + 1)...]
            }
        }
        return String(decoding: result + rest, as: UTF8.self)
    }

    /// Elements that are markup in a title, if they have an end tag.
    private static let inline: Set<String> = ["b", "i", "em", "strong", "span", "sub", "sup", "a", "font"]

    /// The line breaks and the tags that form pairs, in order.
    private static func inlineTags(in bytes: [UInt8]) -> [(range: Range<Int>, isBreak: Bool)] {
        var found: [(range: Range<Int>, isBreak: Bool)] = []
        var open: [(name: String, range: Range<Int>)] = []
        var index = 0
        while let start = bytes[index...].firstIndex(of: UInt8(ascii: "<")) {
            guard let tag = tag(in: bytes, at: start), tag.name == "br" || inline.contains(tag.name) else {
                index = start + 1
                continue
            }
            let range = start..<tag.end
            index = tag.end
            if tag.name == "br" {
                found.append((range, true))
            } else if tag.isStart {
                open.append((tag.name, range))
            } else if let pair = open.lastIndex(where: { $0.name == tag.name }) {
                found.append((open[pair].range, false))
                found.append((range, false))
                // A start tag in between has no end tag.
                open.removeSubrange(pair...)
            }
        }
        return found.sorted { $0.range.lowerBound < $1.range.lowerBound }
    }

    /// Joins the text into one line and collapses runs of white space.
    package static func line(_ text: String) -> String {
        text.unicodeScalars.split(whereSeparator: \.properties.isWhitespace).map { String($0) }.joined(separator: " ")
    }

    /// Truncates to `most` scalars and appends an ellipsis. Cuts at a word boundary if there is one in the second half.
    package static func cut(_ text: String, to most: Int) -> String {
        let scalars = text.unicodeScalars
        guard let end = scalars.index(scalars.startIndex, offsetBy: most, limitedBy: scalars.endIndex),
            end < scalars.endIndex
        else { return text }
        let cut = scalars[..<end]
        let half = scalars.index(scalars.startIndex, offsetBy: most / 2)
        let word = cut[half...].lastIndex(where: \.properties.isWhitespace)
        return String(word.map { cut[..<$0] } ?? cut) + "…"
    }

    /// Trims the text and the end of each line, and collapses runs of empty lines into one.
    package static func tidy(_ text: String) -> String {
        var lines: [Substring] = []
        for line in text.utf8.split(separator: 10, omittingEmptySubsequences: false) {
            var line = line
            while let last = line.last, last <= 0x20 { line.removeLast() }
            if line.isEmpty, lines.last?.isEmpty ?? true { continue }
            lines.append(Substring(line))
        }
        while lines.last?.isEmpty == true { lines.removeLast() }
        if let first = lines.first { lines[0] = Substring(first.utf8.drop { $0 <= 0x20 }) }
        return lines.joined(separator: "\n")
    }

    /// Whether the text contains a tag or a character reference.
    static func looksLikeHTML(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        for (index, byte) in bytes.enumerated() {
            if byte == UInt8(ascii: "<"), tag(in: bytes, at: index) != nil { return true }
            if byte == UInt8(ascii: "&") {
                let name = bytes[(index + 1)...].prefix(32).prefix {
                    $0 != UInt8(ascii: ";") && $0 > 0x20 && $0 != byte
                }
                let end = index + 1 + name.count
                guard !name.isEmpty, end < bytes.count, bytes[end] == UInt8(ascii: ";") else { continue }
                let reference = String(decoding: bytes[index...end], as: UTF8.self)
                if HTMLEntities.unescape(reference) != reference { return true }
            }
        }
        return false
    }

    /// Elements that become a space.
    private static let spaces: Set<String> = ["td", "th", "img"]
    /// Elements that become a line break.
    private static let blocks: Set<String> = [
        "p", "br", "div", "li", "ul", "ol", "tr", "table", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "pre",
        "hr",
        "section", "article", "dt", "dd", "figure", "figcaption",
    ]

    /// Parses the tag or comment that starts at `start`; nil when there is none.
    private static func tag(in bytes: [UInt8], at start: Int) -> (name: String, isStart: Bool, end: Int)? {
        var index = start + 1
        guard index < bytes.count else { return nil }
        if bytes[index...].starts(with: "!--".utf8) {
            index += 3
            while index + 2 < bytes.count, !bytes[index...].starts(with: "-->".utf8) { index += 1 }
            return ("", false, min(index + 3, bytes.count))
        }
        let isEnd = bytes[index] == UInt8(ascii: "/")
        if isEnd { index += 1 }
        let name = bytes[index...].prefix(20).prefix {
            $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A || $0 >= 0x30 && $0 <= 0x39
        }
        guard let first = name.first, first > 0x39, name.endIndex < bytes.count else { return nil }
        let after = bytes[name.endIndex]
        guard after <= 0x20 || after == UInt8(ascii: ">") || after == UInt8(ascii: "/") else { return nil }
        var quote: UInt8 = 0
        index = name.endIndex
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if quote != 0 {
                if byte == quote { quote = 0 }
            } else if byte == UInt8(ascii: ">") {
                return (String(decoding: name, as: UTF8.self).lowercased(), !isEnd, index)
            } else if byte == UInt8(ascii: "<") {
                return nil
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            }
        }
        return nil
    }

    private static func end(of name: String, in bytes: [UInt8], from start: Int) -> Int {
        var index = start
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "<"), let tag = tag(in: bytes, at: index), !tag.isStart, tag.name == name {
                return tag.end
            }
            index += 1
        }
        return bytes.count
    }
}
