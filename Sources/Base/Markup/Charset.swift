// Detects a document's encoding and converts it to UTF-8. In order of precedence: byte order mark, the sender's
// charset, the document's declaration, UTF-8 if valid, otherwise windows-1252 as in browsers. Labels are often wrong:
// text that is clearly valid UTF-8 overrides a legacy label, and an XML declaration can override a server's blanket
// charset (`ownWord`).

import CXML

/// Encoding detection.
enum Charset {
    /// Number of leading bytes that are searched for a `<meta>` or XML declaration (HTML standard, "prescan a byte
    /// stream").
    private static let prescanned = 4096

    /// Converts a document to valid UTF-8 without a byte order mark.
    ///
    /// - Parameters:
    ///   - hint: the encoding declared by the sender; it takes precedence over the document's declaration.
    ///   - isHTML: whether the document declares its encoding in a `<meta>` instead of an XML declaration.
    static func text(of bytes: [UInt8], hint: String?, isHTML: Bool) -> [UInt8] {
        if let encoding = UnicodeEncoding.found(in: bytes) {
            let text = encoding.utf8(bytes, isWhole: true)
            return if case .utf8 = encoding { unicode(text) } else { text }
        }
        let head = bytes.prefix(prescanned)
        let said = known(hint)
        let declared = known(isHTML ? metaLabel(head) : declaredLabel(head) ?? metaLabel(head))
        let evidence = Evidence(bytes)
        if !isHTML, let said, let declared, said != declared, !evidence.isASCII,
            let text = ownWord(declared, against: said, bytes, evidence)
        {
            return text
        }
        // Many servers label everything as UTF-8.
        let isContradicted = said == "utf-8" && evidence.bad > evidence.good
        guard let label = isContradicted ? declared : said ?? declared, label != "utf-8" else { return unicode(bytes) }
        if evidence.isASCII && !label.hasPrefix("iso-2022") { return bytes }
        // Four valid multi-byte characters and no error are not a coincidence in another encoding. For windows-1252,
        // one is enough.
        if evidence.bad == 0, evidence.good >= (label == fallback ? 1 : 4) { return bytes }
        return decode(bytes, label) ?? unicode(bytes)
    }

    /// The text decoded by the document's own declaration, when that is more reliable than the sender's charset;
    /// otherwise nil.
    ///
    /// RFC 7303, section 3, prefers the sender, which dates from servers that transcoded. Today a legacy charset is
    /// usually a server-wide default, and any bytes are valid in a single-byte encoding, while the declaration was
    /// written together with the text. So the declaration wins over a single-byte charset, or over a charset that the
    /// bytes contradict, if it decodes the bytes without errors or control characters. A declaration of ISO 8859-1 is
    /// often boilerplate and is ignored.
    private static func ownWord(
        _ declared: String, against said: String, _ bytes: [UInt8], _ evidence: Evidence
    ) -> [UInt8]? {
        if declared == "utf-8" { return said != "utf-8" && evidence.bad == 0 ? bytes : nil }
        guard said != "utf-8", declared != fallback else { return nil }
        let other = decode(bytes, said)
        let isOneByte = other.map { $0.count { $0 & 0xC0 != 0x80 } == bytes.count } ?? true
        guard isOneByte || !(other.map(isClean) ?? false), let text = decode(bytes, declared), isClean(text) else {
            return nil
        }
        return text
    }

    /// Whether UTF-8 text contains no U+FFFD and no C1 control characters.
    private static func isClean(_ text: [UInt8]) -> Bool {
        for index in text.indices {
            if text[index] == 0xC2, index + 1 < text.count, text[index + 1] < 0xA0 { return false }
            if text[index] == 0xEF, index + 2 < text.count, text[index + 1] == 0xBF, text[index + 2] == 0xBD {
                return false
            }
        }
        return true
    }

    /// Decodes text that should be UTF-8. Invalid bytes become U+FFFD if most of the text is valid; otherwise it is
    /// decoded as windows-1252.
    private static func unicode(_ bytes: [UInt8]) -> [UInt8] {
        let evidence = Evidence(bytes)
        if evidence.bad == 0 { return bytes }
        if evidence.bad > evidence.good, let text = decode(bytes, fallback) { return text }
        return Array(String(decoding: bytes, as: UTF8.self).utf8)
    }

    private static let fallback = "windows-1252"

    private static func decode(_ bytes: [UInt8], _ label: String) -> [UInt8]? {
        var count = 0
        let text = bytes.withUnsafeBufferPointer { cxml_decode(label, $0.baseAddress, $0.count, &count) }
        guard let text else { return nil }
        defer { cxml_free(text) }
        return Array(UnsafeBufferPointer(start: text, count: count))
    }

    // MARK: Labels

    /// Maps a label to the encoding that browsers use for it (Encoding standard); often a superset of the named one.
    /// Returns nil for an unknown label or one that is not a text encoding.
    private static func known(_ label: String?) -> String? {
        guard let label else { return nil }
        let name = String(label.lowercased().unicodeScalars.filter { $0 > " " && $0 != "\"" && $0 != "'" })
        if name.isEmpty || name.utf8.count > 40 { return nil }
        for (names, meaning) in meanings where names.contains(name) { return meaning }
        // UTF-16 was already ruled out by the first bytes, so a UTF-16 label is wrong.
        if unreadable.contains(where: name.hasPrefix) { return nil }
        return cxml_knows_encoding(name) != 0 ? name : nil
    }

    private static let meanings: [(names: Set<String>, meaning: String)] = [
        (["utf-8", "utf8", "unicode-1-1-utf-8"], "utf-8"),
        (
            [
                "iso-8859-1", "iso8859-1", "iso_8859-1", "iso88591", "latin1", "l1", "us-ascii", "ascii",
                "ansi_x3.4-1968", "windows-1252", "cp1252", "cp-1252", "x-cp1252", "ansi",
            ], fallback
        ),
        (["gb2312", "gb_2312-80", "gb_2312", "gbk", "x-gbk", "cp936", "chinese", "csgb2312"], "gb18030"),
        (["shift_jis", "shift-jis", "sjis", "x-sjis", "ms_kanji", "windows-31j", "cp932"], "windows-31j"),
        (["euc-kr", "ks_c_5601-1987", "ksc5601", "korean", "cp949"], "windows-949"),
        (["iso-8859-9", "latin5"], "windows-1254"), (["tis-620", "iso-8859-11"], "windows-874"),
        (["x-mac-roman", "macintosh", "mac"], "macintosh"),
    ]

    private static let unreadable = [
        "utf-16", "utf16", "ucs-2", "ucs2", "iso-10646", "utf-32", "utf32", "utf-7", "utf7", "scsu", "bocu", "cesu",
        "imap", "unicode", "iso-2022-cn", "iso-2022-kr", "hz",
    ]

    /// The encoding in `<?xml … encoding="…"?>`.
    static func declaredLabel(_ head: some Collection<UInt8>) -> String? {
        let text = String(decoding: head.prefix(1024), as: UTF8.self).utf8
        guard let open = find("<?xml", in: text[...]), let close = find("?>", in: text[open...]) else { return nil }
        return value(of: "encoding", in: text[open..<close])
    }

    /// The encoding in `<meta charset>` or `<meta http-equiv content>`.
    static func metaLabel(_ head: some Collection<UInt8>) -> String? {
        let text = String(decoding: head, as: UTF8.self).utf8
        var rest = text[...]
        while let open = find("<meta", in: rest) {
            rest = rest[open...].dropFirst(5)
            let tag = rest.prefix { $0 != UInt8(ascii: ">") }
            if let label = value(of: "charset", in: tag) { return label }
        }
        return nil
    }

    /// The value after `name=`, quoted or not.
    private static func value(of name: String, in text: Substring.UTF8View) -> String? {
        guard let place = find(name, in: text) else { return nil }
        var rest = text[place...].dropFirst(name.utf8.count).drop { $0 <= 0x20 }
        guard rest.popFirst() == UInt8(ascii: "=") else { return nil }
        rest = rest.drop { $0 <= 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "'") }
        let value = rest.prefix { $0 > 0x20 && !"\"';>?/".utf8.contains($0) }
        return value.isEmpty ? nil : String(Substring(value))
    }

    /// Case-insensitive search for an ASCII word.
    private static func find(_ word: String, in text: Substring.UTF8View) -> Substring.UTF8View.Index? {
        let word = Array(word.utf8)
        var rest = text
        while let first = rest.firstIndex(where: { lower($0) == word[0] }) {
            rest = rest[first...]
            if rest.count < word.count { return nil }
            if rest.prefix(word.count).map(lower) == word { return first }
            rest = rest.dropFirst()
        }
        return nil
    }

    private static func lower(_ byte: UInt8) -> UInt8 {
        byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
    }

    // MARK: Evidence

    /// How well bytes fit UTF-8.
    private struct Evidence {
        /// Number of valid multi-byte characters.
        private(set) var good = 0
        /// Number of bytes outside valid characters.
        private(set) var bad = 0
        var isASCII: Bool { good == 0 && bad == 0 }

        init(_ bytes: [UInt8]) {
            var index = 0
            let end = bytes.count
            bytes.withUnsafeBufferPointer { bytes in
                while index < end {
                    let byte = bytes[index]
                    if byte < 0x80 {
                        index += 1
                        continue
                    }
                    let length = Self.length(byte, index + 1 < end ? bytes[index + 1] : 0)
                    var ok = length > 0 && index + length <= end
                    if ok { for next in index + 1..<index + length where bytes[next] & 0xC0 != 0x80 { ok = false } }
                    if ok {
                        good += 1
                        index += length
                    } else {
                        bad += 1
                        index += 1
                    }
                }
            }
        }

        /// Length of the character that starts with these two bytes; 0 when they are invalid (Unicode, table 3-7).
        private static func length(_ first: UInt8, _ second: UInt8) -> Int {
            switch (first, second) {
            case (0xC2...0xDF, _): 2
            case (0xE0, 0xA0...0xBF), (0xE1...0xEC, _), (0xED, 0x80...0x9F), (0xEE...0xEF, _): 3
            case (0xF0, 0x90...0xBF), (0xF1...0xF3, _), (0xF4, 0x80...0x8F): 4
            default: 0
            }
        }
    }
}
