// Finds URLs in running text. The difficult part is the end of a URL: the punctuation of the sentence, the enclosing
// bracket, or the first letter of a script without spaces.

import Basics

extension Text {
    /// A URL found in a text.
    public struct Link: Sendable, Equatable {
        /// The URL as written, with `https://` added if the scheme is missing.
        public let url: String
        /// The position in the text, in UTF-8 bytes.
        public let range: Range<Int>

        public init(url: String, range: Range<Int>) {
            self.url = url
            self.range = range
        }
    }

    /// The web URLs in a text, in order. A repeated URL gives several links.
    ///
    /// Recognized are `http://` and `https://` with a host, `www.` with a name, and hosts of video services with a path
    /// (`youtu.be/…`). A URL ends before white space, controls, `< > " \ ^ { | }` and a backtick; before a bracket that
    /// it did not open; before non-ASCII punctuation and symbols, except a short dash between two letters or digits; and
    /// before a Han, Kana, Hangul, Thai, Lao or Khmer letter right after an ASCII letter or digit (`…/watch?v=ID这个`). A
    /// host is never cut into another one: letters and symbols that a dot and a letter follow belong to it
    /// (`https://ex例え.example`). Trailing punctuation belongs to the sentence, as do emphasis marks and quotes that
    /// also precede the URL. URLs over 8192 bytes are skipped.
    public static func links(_ text: String) -> [Link] {
        let bytes = Array(text.utf8)
        var links: [Link] = []
        var index = 0
        while index < bytes.count {
            guard let start = LinkScanner.start(in: bytes, at: index) else {
                index += 1
                continue
            }
            let scanner = LinkScanner(bytes, from: index, host: start.host)
            guard scanner.hasHost(needsPath: start.needsPath) else {
                index = max(start.host, index + 1)
                continue
            }
            let (found, next) = scanner.end(needsPath: start.needsPath)
            guard let end = found else {
                index = next
                continue
            }
            let written = String(decoding: bytes[index..<end], as: UTF8.self)
            let url = start.host > index ? written : "https://" + written
            if WebAddress(url) != nil { links.append(Link(url: url, range: index..<end)) }
            index = end
        }
        return links
    }
}

/// Finds the end of a URL.
private struct LinkScanner {
    private let bytes: [UInt8]
    private let start: Int
    private let host: Int

    init(_ bytes: [UInt8], from start: Int, host: Int) {
        self.bytes = bytes
        self.start = start
        self.host = host
    }

    // MARK: Beginnings

    /// The index of the host if a URL may start at the index, and whether it needs a path to count as a URL. Otherwise
    /// nil.
    static func start(in bytes: [UInt8], at index: Int) -> (host: Int, needsPath: Bool)? {
        let before = index > 0 ? bytes[index - 1] : UInt8(ascii: " ")
        guard !isWordByte(before) else { return nil }
        switch bytes[index] | 0x20 {
        case UInt8(ascii: "h"):
            if let length = beginsScheme(bytes, at: index) { return (index + length, false) }
        case UInt8(ascii: "w"):
            if begins(bytes, at: index, "www."), isBareStart(before) { return (index, false) }
        default: break
        }
        guard isBareStart(before), ByteScanner.isLetter(bytes[index]) else { return nil }
        var end = index
        while end < bytes.count, end - index <= 40, isHostByte(bytes[end]) { end += 1 }
        guard end < bytes.count, bytes[end] == UInt8(ascii: "/") else { return nil }
        let name = String(decoding: bytes[index..<end], as: UTF8.self).lowercased()
        return MediaRef.isYouTube(name) || MediaRef.vimeoHosts.contains(name) ? (index, true) : nil
    }

    /// The length of `http://` or `https://` at the index. nil if there is neither.
    private static func beginsScheme(_ bytes: [UInt8], at index: Int) -> Int? {
        ["https://", "http://"].first { begins(bytes, at: index, $0) }?.utf8.count
    }

    private static func begins(_ bytes: [UInt8], at index: Int, _ word: String) -> Bool {
        bytes.count - index >= word.utf8.count
            && zip(bytes[index...], word.utf8).allSatisfy { ByteScanner.isLetter($0) ? $0 | 0x20 == $1 : $0 == $1 }
    }

    private static func isWordByte(_ byte: UInt8) -> Bool { ByteScanner.isLetter(byte) || ByteScanner.isDigit(byte) }

    /// Whether a URL without a scheme may follow this byte. It may not in `me@youtube.com/…`, `a.youtube.com`,
    /// `path/www.x`.
    private static func isBareStart(_ before: UInt8) -> Bool { !"@.-_/\\%&=+#?".utf8.contains(before) }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        isWordByte(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    }

    // MARK: Ends

    /// The end index of the URL, nil if it is too long or lacks a required path; and the index up to which the text was
    /// scanned, so that no part is scanned repeatedly.
    func end(needsPath: Bool) -> (found: Int?, next: Int) {
        var index = host
        /// Unclosed brackets in the URL, innermost last.
        var open: [UInt8] = []
        /// The index after the last byte that a URL may end with.
        var lastGood = host
        let quote = start > 0 ? bytes[start - 1] : 0
        var isInHost = true
        scan: while index < bytes.count {
            guard index - start <= MediaRef.maximumLength else { return (nil, index) }
            let byte = bytes[index]
            if "/?#".utf8.contains(byte) { isInHost = false }
            switch byte {
            case 0...0x20, 0x7F, UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "\\"),
                UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"):
                break scan
            case UInt8(ascii: "("), UInt8(ascii: "["):
                if index + 1 < bytes.count, Self.start(in: bytes, at: index + 1) != nil { break scan }
                open.append(byte)
            case UInt8(ascii: ")"), UInt8(ascii: "]"):
                guard open.last == (byte == UInt8(ascii: ")") ? UInt8(ascii: "(") : UInt8(ascii: "[")) else {
                    break scan
                }
                open.removeLast()
                if open.isEmpty { lastGood = index + 1 }
            case UInt8(ascii: ","), UInt8(ascii: ";"):
                // A list of URLs without spaces.
                if Self.beginsScheme(bytes, at: index + 1) != nil { break scan }
            case UInt8(ascii: "."), UInt8(ascii: ":"), UInt8(ascii: "!"), UInt8(ascii: "?"):
                break
            case UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "_"), UInt8(ascii: "~"):
                // Ids may end in `_`. It is emphasis only if it also precedes the URL.
                if byte == UInt8(ascii: "'"), quote == byte { break scan }
                if byte != quote, byte != UInt8(ascii: "'"), open.isEmpty { lastGood = index + 1 }
            case UInt8(ascii: "&"):
                if endsInEntity(index) { break scan }
                if open.isEmpty { lastGood = index + 1 }
            case 0x80...:
                guard let length = isInHost ? foreignLabel(at: index) : foreignLetter(at: index) ?? dash(at: index)
                else {
                    break scan
                }
                index += length
                if open.isEmpty { lastGood = index }
                continue
            default:
                if open.isEmpty { lastGood = index + 1 }
            }
            index += 1
        }
        let stop = bytes[host..<lastGood].firstIndex { "/?#".utf8.contains($0) } ?? lastGood
        let isWhole = lastGood > host && (!needsPath || stop < lastGood - 1)
        return (isWhole ? lastGood : nil, max(index, host))
    }

    /// Whether an HTML entity that cannot be part of a URL starts here: `&lt; &gt; &quot;`, or a numeric quote or
    /// apostrophe.
    private func endsInEntity(_ index: Int) -> Bool {
        ["&lt;", "&gt;", "&quot;", "&#39;", "&#34;"].contains { Self.begins(bytes, at: index, $0) }
    }

    /// The UTF-8 length of the non-ASCII letter, mark or number at the index. nil if it ends the URL.
    private func foreignLetter(at index: Int) -> Int? {
        guard let scalar = scalar(at: index), isLetter(scalar) else { return nil }
        if Self.isWrittenWithoutSpaces(scalar), index > start, Self.isWordByte(bytes[index - 1]) { return nil }
        return UTF8.width(scalar)
    }

    /// The UTF-8 length of the characters of a host from the non-ASCII one at the index. nil if they end the URL.
    private func foreignLabel(at index: Int) -> Int? {
        var end = index
        while end < bytes.count, end - index <= Self.longestLabel {
            if bytes[end] < 0x80 {
                guard Self.isWordByte(bytes[end]) || bytes[end] == UInt8(ascii: "-") else { break }
                end += 1
            } else {
                guard let scalar = scalar(at: end), isLetter(scalar) || isSymbol(scalar) else { break }
                end += UTF8.width(scalar)
            }
        }
        let next = end + 1
        if end < bytes.count, bytes[end] == UInt8(ascii: "."), next < bytes.count,
            Self.isWordByte(bytes[next]) || scalar(at: next).map(isLetter) == true
        {
            return end - index
        }
        return foreignLetter(at: index)
    }

    /// Of a label in UTF-8: 63 characters of four bytes.
    private static let longestLabel = 252

    /// The UTF-8 length of the short dash at the index that joins two letters or digits, as in titles of encyclopedias.
    /// nil if there is none.
    private func dash(at index: Int) -> Int? {
        guard let scalar = scalar(at: index), (0x2010...0x2013).contains(scalar.value),
            Self.isWordByte(bytes[index - 1])
                || bytes[index - 1] >= 0x80
        else { return nil }
        let next = index + UTF8.width(scalar)
        guard next < bytes.count, Self.isWordByte(bytes[next]) || self.scalar(at: next).map(isLetter) == true else {
            return nil
        }
        return UTF8.width(scalar)
    }

    /// The non-ASCII character at the index. nil if there is none or it is not UTF-8.
    private func scalar(at index: Int) -> Unicode.Scalar? {
        var decoder = UTF8()
        var iterator = bytes[index..<min(index + 4, bytes.count)].makeIterator()
        guard case .scalarValue(let scalar) = decoder.decode(&iterator), !scalar.isASCII else { return nil }
        return scalar
    }

    /// Whether the character is an emoji or a part of one, which some hosts contain.
    private func isSymbol(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .otherSymbol || scalar.value == 0x200D
    }

    private func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
            .spacingMark, .decimalNumber, .letterNumber:
            true
        default: false
        }
    }

    /// Whether a script has no spaces between words. Includes Hangul, whose particles directly follow a word.
    private static func isWrittenWithoutSpaces(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0xE00...0xEFF, 0x1000...0x109F, 0x1100...0x11FF, 0x1780...0x17FF, 0x2E80...0x2FDF, 0x3005...0x30FF,
            0x3130...0x318F, 0x31F0...0x31FF, 0x3400...0x9FFF, 0xA960...0xA97F, 0xAC00...0xD7FF, 0xF900...0xFAFF,
            0xFF66...0xFFDC, 0x1B000...0x1B16F, 0x20000...0x3FFFD:
            true
        default: false
        }
    }

    /// Whether a host can start here. `www.` alone is not a host.
    func hasHost(needsPath: Bool) -> Bool {
        let first = host > start || needsPath ? host : host + "www.".utf8.count
        guard first < bytes.count else { return false }
        return bytes[first] >= 0x80 || Self.isWordByte(bytes[first]) || bytes[first] == UInt8(ascii: "[")
    }
}
