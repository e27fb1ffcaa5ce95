// What is needed to make an address from parts that a program has: which characters each part may hold as they are, and
// what a scheme and a host may be. A part that holds more than it may would move the border to the next one.

extension WebAddress {
    /// A part that text is put into.
    public enum Part: Sendable { case user, path, query, fragment }

    /// The text with every byte percent-encoded that RFC 3986 does not let stand in that part. What is encoded already
    /// (`%41`) stays; a `%` that encodes nothing becomes `%25`.
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

    /// `pchar` of RFC 3986, A, and what the part has beyond it.
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

    /// Whether a text can be a scheme: a letter, then letters, digits and `+ - .` (RFC 3986, 3.1).
    public static func isScheme(_ text: String) -> Bool {
        text.utf8.first.map(ByteScanner.isLetter) == true && text.utf8.allSatisfy(belongsInScheme)
    }

    /// Whether a text can be a host by itself: what is read back from an address is the same host and nothing else.
    public static func isHost(_ text: String) -> Bool {
        guard !text.isEmpty, let read = WebAddress("//" + text) else { return false }
        return read == WebAddress(host: text.lowercased())
    }
}
