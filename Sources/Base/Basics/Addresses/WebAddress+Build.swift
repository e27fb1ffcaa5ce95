// Percent-encoding and validation for building a URL from separate parts. An unescaped delimiter in one part would
// start the next part.

extension WebAddress {
    /// The URL component that a text is inserted into.
    public enum Part: Sendable { case user, path, query, fragment }

    /// Percent-encodes every byte that RFC 3986 does not allow in that component. Existing escapes (`%41`) are
    /// preserved. A `%` without two hexadecimal digits after it becomes `%25`.
    public static func encoded(_ text: String, in part: Part) -> String {
        let bytes = Array(text.utf8)
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count)
        for (index, byte) in bytes.enumerated() {
            let isEscape =
                byte == UInt8(ascii: "%") && index + 2 < bytes.count && hexadecimal(bytes[index + 1]) != nil
                && hexadecimal(bytes[index + 2]) != nil
            if isEscape || mayStand(byte, in: part) {
                out.append(byte)
            } else {
                out += Escape.percentEncoded(byte)
            }
        }
        return String(decoding: out, as: UTF8.self)
    }

    /// Whether the byte is allowed unencoded: `pchar` of RFC 3986, appendix A, and the extra characters of the
    /// component.
    private static func mayStand(_ byte: UInt8, in part: Part) -> Bool {
        if ByteScanner.isLetter(byte) || ByteScanner.isDigit(byte) || "-._~!$&'()*+,;=:".utf8.contains(byte) {
            return true
        }
        return switch part {
        case .user: false
        case .path: byte == UInt8(ascii: "@") || byte == UInt8(ascii: "/")
        case .query, .fragment: byte == UInt8(ascii: "@") || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?")
        }
    }

    /// Whether the text is a valid scheme: a letter, then letters, digits and `+ - .` (RFC 3986, 3.1).
    public static func isScheme(_ text: String) -> Bool {
        text.utf8.first.map(ByteScanner.isLetter) == true && text.utf8.allSatisfy(belongsInScheme)
    }

    /// Whether the text is a host and nothing else: parsing `//` + text must give exactly that host, without a user,
    /// port or path.
    public static func isHost(_ text: String) -> Bool {
        guard !text.isEmpty, let read = WebAddress("//" + text) else { return false }
        return read == WebAddress(host: text.lowercased())
    }
}
