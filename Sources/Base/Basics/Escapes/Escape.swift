// Escapers, one for each output syntax. Escape exactly once, at the very end: text that is escaped twice shows up as
// `&amp;amp;`.

/// Escapes text for use inside another syntax. Text that needs no escaping is returned unchanged.
public enum Escape {
    /// Escapes text for XML 1.0 attribute values in either kind of quotes, and for element content.
    ///
    /// `& < > " '` become references (`'` is `&#39;`, which HTML 4 also supports). So do tab, LF and CR, because a
    /// parser turns each into a space in an attribute (XML 1.0 §3.3.3), and CR into LF everywhere (§2.11). Characters
    /// that XML does not allow are removed: other C0 controls (§2.2) and noncharacters (U+FFFE, U+FFFF and those that
    /// XML discourages). DEL and the discouraged C1 controls are removed too, except U+0085, which is a line break and
    /// becomes LF.
    public static func xml(_ text: String) -> String { markup(text, .xml) }

    /// Escapes text for XML 1.0 element content: like `xml`, but tab and LF stay, because parsers preserve them there.
    public static func xmlContent(_ text: String) -> String { markup(text, .xmlContent) }

    /// Appends the bytes, escaped as by `xml`. Invalid UTF-8 becomes U+FFFD.
    public static func appendXML(_ text: Span<UInt8>, to bytes: inout [UInt8]) { append(text, .xml, to: &bytes) }

    /// Appends the bytes, escaped as by `xmlContent`. Invalid UTF-8 becomes U+FFFD.
    public static func appendXMLContent(_ text: Span<UInt8>, to bytes: inout [UInt8]) {
        append(text, .xmlContent, to: &bytes)
    }

    /// Escapes text for HTML element content and quoted attribute values. Not suitable for `script`, `style`, or
    /// attributes that contain code or a `javascript:` URL.
    ///
    /// Uses the same five references as `xml`. C0 controls except tab, LF and CR, and DEL and C1 controls, become a
    /// space; noncharacters are removed.
    public static func html(_ text: String) -> String { markup(text, .html) }

    /// Appends the bytes, escaped as by `html`. Invalid UTF-8 becomes U+FFFD.
    public static func appendHTML(_ text: Span<UInt8>, to bytes: inout [UInt8]) { append(text, .html, to: &bytes) }

    /// One CSV record (RFC 4180), without the line end.
    ///
    /// A field is quoted only when required: it contains the separator, a quote, CR or LF, starts or ends with a space,
    /// or is an empty field that is the only one (the record would be a blank line).
    ///
    /// - Parameter separator: an ASCII character; spreadsheets of some languages expect a semicolon.
    public static func csv(_ fields: [String], separator: UInt8 = UInt8(ascii: ",")) -> String {
        if fields == [""] { return "\"\"" }
        var out = Bytes(room: fields.reduce(8) { $0 + $1.utf8.count + 3 })
        var isFirst = true
        for field in fields {
            if !isFirst { out.append(separator) }
            isFirst = false
            appendCSV(field, separator, to: &out)
        }
        return out.text
    }

    /// Protects free text from being evaluated as a spreadsheet formula. Text that starts with `= + - @`, their
    /// full-width forms, tab, CR or LF is prefixed by an apostrophe (OWASP, "CSV Injection"). Other controls and
    /// invisible characters before these do not count. A plain number such as `-4.5` stays unchanged.
    ///
    /// A spreadsheet that separates cells by `;` or tabs ignores quotes within a cell, so each of those characters and
    /// each line break may start a new cell. A formula after one of them also gets an apostrophe, regardless of spaces
    /// and quotes in between.
    ///
    /// Apply it before `csv`, and only to free text such as titles: an id may start with `-` and must stay unchanged.
    ///
    /// - Parameter separator: of the record. If it is not a comma, commas may start a new cell as well.
    public static func spreadsheet(_ field: String, separator: UInt8 = UInt8(ascii: ",")) -> String {
        func endsCell(_ scalar: Unicode.Scalar) -> Bool {
            scalar == ";" || scalar == "\t" || scalar == "\r" || scalar == "\n"
                || scalar == "," && separator != UInt8(ascii: ",")
        }
        /// Controls and invisible characters, which spreadsheets drop or hide.
        func isIgnored(_ scalar: Unicode.Scalar) -> Bool {
            switch scalar.properties.generalCategory {
            case .control, .format: !endsCell(scalar)
            default: false
            }
        }
        guard let first = field.unicodeScalars.first else { return field }
        var result = String.UnicodeScalarView()
        // A number contains no separator.
        let isPlain = (first == "+" || first == "-") && isNumber(field.utf8.dropFirst())
        let shown = field.unicodeScalars.first { !isIgnored($0) } ?? first
        if !isPlain, isFormula(shown) || first.value < 0x20 && endsCell(first) { result.append("'") }
        // True after a cell separator and any spaces and quotes that follow it; `before` holds those spaces and quotes.
        var begins = false
        var before = String.UnicodeScalarView()
        for scalar in field.unicodeScalars {
            if begins, scalar == " " || scalar == "\"" || isIgnored(scalar) {
                before.append(scalar)
                continue
            }
            if begins {
                if isFormula(scalar) { result.append("'") }
                result.append(contentsOf: before)
                before.removeAll()
            }
            result.append(scalar)
            begins = endsCell(scalar)
        }
        result.append(contentsOf: before)
        return String(result)
    }

    private static func isFormula(_ first: Unicode.Scalar) -> Bool {
        switch first {
        case "=", "+", "-", "@", "＝", "＋", "－", "＠": true
        default: false
        }
    }

    /// Percent-encodes all UTF-8 bytes except the unreserved characters of RFC 3986 §2.3 (letters, digits, `- . _ ~`).
    /// A space becomes `%20`.
    public static func url(_ text: String) -> String { percentEncoded(text, keeping: isUnreserved) }

    /// Percent-encodes every byte for which `stays` is false.
    private static func percentEncoded(_ text: String, keeping stays: (UInt8) -> Bool) -> String {
        let bytes = text.utf8Span.span
        guard let first = bytes.indices.first(where: { !stays(bytes[$0]) }) else { return text }
        var out = Bytes(room: bytes.count + 32)
        for index in 0..<first { out.append(bytes[index]) }
        for index in first..<bytes.count {
            let byte = bytes[index]
            if stays(byte) {
                out.append(byte)
            } else {
                for encoded in percentEncoded(byte) { out.append(encoded) }
            }
        }
        return out.text
    }

    /// `%XX`.
    static func percentEncoded(_ byte: UInt8) -> [UInt8] {
        [UInt8(ascii: "%"), hexDigit(byte >> 4), hexDigit(byte & 0xF)]
    }

    /// Decodes `%XX` once; `+` stays `+`. Invalid UTF-8 becomes U+FFFD.
    ///
    /// - Returns: nil when a `%` is not followed by two hexadecimal digits.
    public static func unurl(_ text: String) -> String? {
        let bytes = text.utf8Span.span
        guard bytes.indices.contains(where: { bytes[$0] == UInt8(ascii: "%") }) else { return text }
        var out = Bytes(room: bytes.count)
        var index = 0
        while index < bytes.count {
            if bytes[index] != UInt8(ascii: "%") {
                out.append(bytes[index])
                index += 1
                continue
            }
            guard index + 2 < bytes.count, let high = hexValue(bytes[index + 1]), let low = hexValue(bytes[index + 2])
            else { return nil }
            out.append(high << 4 | low)
            index += 3
        }
        return out.text
    }

    // MARK: - Markup

    private enum Markup { case xml, xmlContent, html }

    private static func markup(_ text: String, _ markup: Markup) -> String {
        let bytes = text.utf8Span.span
        if isPlain(bytes, markup) { return text }
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count + 32)
        escape(bytes, markup, to: &out)
        return String(decoding: out, as: UTF8.self)
    }

    private static func append(_ bytes: Span<UInt8>, _ markup: Markup, to out: inout [UInt8]) {
        if isASCII(bytes) || (try? UTF8Span(validating: bytes)) != nil {
            escape(bytes, markup, to: &out)
        } else {
            let repaired = bytes.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
            escape(repaired.utf8Span.span, markup, to: &out)
        }
    }

    private static func isASCII(_ bytes: Span<UInt8>) -> Bool {
        var all: UInt8 = 0
        for index in bytes.indices { all |= bytes[index] }
        return all < 0x80
    }

    private static func isPlain(_ bytes: Span<UInt8>, _ markup: Markup) -> Bool {
        for index in bytes.indices where needsCare(bytes[index], markup) { return false }
        return true
    }

    /// Escapes UTF-8 for XML and HTML. Runs without special characters are copied in one piece.
    private static func escape(_ bytes: Span<UInt8>, _ markup: Markup, to out: inout [UInt8]) {
        var start = 0
        var index = 0
        while index < bytes.count {
            guard needsCare(bytes[index], markup), let change = replacement(in: bytes, at: index, markup) else {
                index += 1
                continue
            }
            bytes.extracting(start..<index).withUnsafeBufferPointer { out.append(contentsOf: $0) }
            change.text.withUTF8Buffer { out.append(contentsOf: $0) }
            index += change.length
            start = index
        }
        bytes.extracting(start..<index).withUnsafeBufferPointer { out.append(contentsOf: $0) }
    }

    /// The replacement of the character at this index and its length in bytes; nil when it stays unchanged. A control
    /// character that XML does not allow is removed; in HTML it becomes a space.
    private static func replacement(
        in bytes: Span<UInt8>, at index: Int, _ markup: Markup
    ) -> (text: StaticString, length: Int)? {
        let control: StaticString = markup == .html ? " " : ""
        switch bytes[index] {
        case UInt8(ascii: "&"): return ("&amp;", 1)
        case UInt8(ascii: "<"): return ("&lt;", 1)
        case UInt8(ascii: ">"): return ("&gt;", 1)
        case UInt8(ascii: "\""): return ("&quot;", 1)
        case UInt8(ascii: "'"): return ("&#39;", 1)
        case 0x09: return ("&#9;", 1)
        case 0x0A: return ("&#10;", 1)
        case 0x0D: return ("&#13;", 1)
        // A C1 control is encoded as C2 80…9F.
        case 0xC2:
            switch (bytes[index + 1], markup) {
            case (0x85, .xml): return ("&#10;", 2)
            case (0x85, .xmlContent): return ("\n", 2)
            case (..<0xA0, _): return (control, 2)
            default: return nil
            }
        case 0x80...: return lengthOfNoncharacter(bytes, at: index).map { ("", $0) }
        default: return (control, 1)
        }
    }

    /// Whether the byte may start a character that `escape` replaces.
    private static func needsCare(_ byte: UInt8, _ markup: Markup) -> Bool {
        switch byte {
        case 0x09, 0x0A: markup == .xml
        case 0x0D: markup != .html
        case 0..<0x20, UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"),
            0x7F, 0xC2, 0xEF, 0xF0...0xF4:
            true
        default: false
        }
    }

    /// Length in bytes of the noncharacter at this index; nil when it is another character.
    private static func lengthOfNoncharacter(_ bytes: borrowing Span<UInt8>, at index: Int) -> Int? {
        if bytes[index] == 0xEF {
            let isOne =
                switch (bytes[index + 1], bytes[index + 2]) {
                case (0xB7, 0x90...0xAF), (0xBF, 0xBE...0xBF): true  // U+FDD0…FDEF, U+FFFE and U+FFFF
                default: false
                }
            return isOne ? 3 : nil
        }
        // The last two code points of a plane: F? ?F BF BE and F? ?F BF BF.
        let isOne = bytes[index + 1] & 0xF == 0xF && bytes[index + 2] == 0xBF && bytes[index + 3] >= 0xBE
        return isOne ? 4 : nil
    }

    // MARK: - Other syntaxes

    private static func appendCSV(_ field: String, _ separator: UInt8, to out: inout Bytes) {
        let bytes = field.utf8Span.span
        let space = UInt8(ascii: " ")
        guard !bytes.isEmpty else { return }
        let isQuoted =
            bytes[0] == space || bytes[bytes.count - 1] == space
            || bytes.indices.contains { index in
                switch bytes[index] {
                case separator, UInt8(ascii: "\""), 0x0A, 0x0D: true
                default: false
                }
            }
        guard isQuoted else { return out.append(contentsOf: field) }
        out.append("\"")
        for index in bytes.indices {
            if bytes[index] == UInt8(ascii: "\"") { out.append(bytes[index]) }
            out.append(bytes[index])
        }
        out.append("\"")
    }

    /// Decimal digits with an optional fraction.
    private static func isNumber(_ bytes: Substring.UTF8View) -> Bool {
        let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count <= 2
            && parts.allSatisfy {
                !$0.isEmpty && $0.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            }
    }

    static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }

    private static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }

    static func hexValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// A UTF-8 buffer. Faster than a `String`, which validates each append.
    struct Bytes {
        private var bytes: [UInt8] = []

        init(room: Int) { bytes.reserveCapacity(room) }

        mutating func append(_ byte: UInt8) { bytes.append(byte) }
        mutating func append(contentsOf text: String) { bytes.append(contentsOf: text.utf8) }
        mutating func append(_ text: StaticString) { text.withUTF8Buffer { bytes.append(contentsOf: $0) } }

        var text: String { String(decoding: bytes, as: UTF8.self) }
    }
}
