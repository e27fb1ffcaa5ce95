// Addresses inside running text, as chat clients find them. The hard part is where one ends: at the sentence's own
// punctuation, at the bracket it stands in, and at the first letter of a script that is written without spaces.

import Basics

extension Text {
    /// An address found in a text.
    public struct Link: Sendable, Equatable {
        /// As written, with `https://` in front when the text left it out.
        public let url: String
        /// Where it stands, in bytes of the text's UTF-8.
        public let range: Range<Int>

        public init(url: String, range: Range<Int>) {
            self.url = url
            self.range = range
        }
    }

    /// The web addresses in a text, in order; the same address twice is two links.
    ///
    /// What is found: `http://` and `https://` with a host, `www.` and a name, and names of video services with a path
    /// (`youtu.be/…`). An address ends before white space, controls, `< > " \ ^ { | }` and a backtick, before a bracket that
    /// it did not open, before punctuation and symbols that are not ASCII, and before a Han, Kana, Hangul, Thai, Lao
    /// or Khmer letter right after an ASCII letter or digit (`…/watch?v=ID这个`). Punctuation at its end belongs to the
    /// sentence, as do the emphasis marks and quotes that stand before it too. Addresses over 8192 bytes are none.
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

/// Finds where an address ends.
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

    /// Whether an address may begin at the index: where its host does, and whether only a path makes it one.
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

    /// How long the scheme and its slashes are that begin here.
    private static func beginsScheme(_ bytes: [UInt8], at index: Int) -> Int? {
        ["https://", "http://"].first { begins(bytes, at: index, $0) }?.utf8.count
    }

    private static func begins(_ bytes: [UInt8], at index: Int, _ word: String) -> Bool {
        bytes.count - index >= word.utf8.count
            && zip(bytes[index...], word.utf8).allSatisfy { ByteScanner.isLetter($0) ? $0 | 0x20 == $1 : $0 == $1 }
    }

    private static func isWordByte(_ byte: UInt8) -> Bool { ByteScanner.isLetter(byte) || ByteScanner.isDigit(byte) }

    /// Whether a name without a scheme may follow: not in `me@youtube.com/…`, `a.youtube.com`, `path/www.x`.
    private static func isBareStart(_ before: UInt8) -> Bool { !"@.-_/\\%&=+#?".utf8.contains(before) }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        isWordByte(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    }

    // MARK: Ends

    /// The index after the address, nil when it is too long or has no path where it needs one; and how far was looked,
    /// so that nothing is looked at over and over.
    func end(needsPath: Bool) -> (found: Int?, next: Int) {
        var index = host
        /// Brackets that the address opened, innermost last.
        var open: [UInt8] = []
        /// The index after the last byte that may end an address.
        var lastGood = host
        let quote = start > 0 ? bytes[start - 1] : 0
        scan: while index < bytes.count {
            guard index - start <= MediaRef.maximumLength else { return (nil, index) }
            let byte = bytes[index]
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
                // Lists of addresses without spaces.
                if Self.beginsScheme(bytes, at: index + 1) != nil { break scan }
            case UInt8(ascii: "."), UInt8(ascii: ":"), UInt8(ascii: "!"), UInt8(ascii: "?"):
                break
            case UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "_"), UInt8(ascii: "~"):
                // Ids end in `_` too: it is emphasis only when it also stands before the address.
                if byte == UInt8(ascii: "'"), quote == byte { break scan }
                if byte != quote, byte != UInt8(ascii: "'"), open.isEmpty { lastGood = index + 1 }
            case UInt8(ascii: "&"):
                if endsInEntity(index) { break scan }
                if open.isEmpty { lastGood = index + 1 }
            case 0x80...:
                guard let length = foreignLetter(at: index) else { break scan }
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

    /// Escaped markup that cannot be part of an address: `&lt; &gt; &quot;` and an apostrophe.
    private func endsInEntity(_ index: Int) -> Bool {
        ["&lt;", "&gt;", "&quot;", "&#39;", "&#34;"].contains { Self.begins(bytes, at: index, $0) }
    }

    /// How many bytes the letter, mark or number takes that begins here; nil when it ends the address.
    private func foreignLetter(at index: Int) -> Int? {
        var decoder = UTF8()
        var iterator = bytes[index..<min(index + 4, bytes.count)].makeIterator()
        guard case .scalarValue(let scalar) = decoder.decode(&iterator), isLetter(scalar) else { return nil }
        if Self.isWrittenWithoutSpaces(scalar), index > start, Self.isWordByte(bytes[index - 1]) { return nil }
        return UTF8.width(scalar)
    }

    private func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
            .spacingMark, .decimalNumber, .letterNumber:
            true
        default: false
        }
    }

    /// Letters of scripts without spaces between words, and Hangul, whose particles follow a word directly.
    private static func isWrittenWithoutSpaces(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0xE00...0xEFF, 0x1000...0x109F, 0x1100...0x11FF, 0x1780...0x17FF, 0x2E80...0x2FDF, 0x3005...0x30FF,
            0x3130...0x318F, 0x31F0...0x31FF, 0x3400...0x9FFF, 0xA960...0xA97F, 0xAC00...0xD7FF, 0xF900...0xFAFF,
            0xFF66...0xFFDC, 0x1B000...0x1B16F, 0x20000...0x3FFFD:
            true
        default: false
        }
    }

    /// Whether what begins there can be a host; `www.` alone is no name.
    func hasHost(needsPath: Bool) -> Bool {
        let first = host > start || needsPath ? host : host + "www.".utf8.count
        guard first < bytes.count else { return false }
        return bytes[first] >= 0x80 || Self.isWordByte(bytes[first]) || bytes[first] == UInt8(ascii: "[")
    }
}
