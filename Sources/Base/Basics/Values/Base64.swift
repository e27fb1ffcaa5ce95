// Base64 and base64url (RFC 4648, sections 4 and 5).

public enum Base64 {
    private static let usual = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let forAddresses = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// Encodes bytes as Base64.
    ///
    /// - Parameter forAddress: use the URL-safe alphabet and no padding.
    public static func encode(_ bytes: [UInt8], forAddress: Bool = false) -> String {
        let letters = forAddress ? forAddresses : usual
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            var bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            bits <<= UInt32(8 * (3 - group.count))
            for place in 0..<4 {
                if place <= group.count {
                    text.append(letters[Int(bits >> UInt32(18 - 6 * place) & 63)])
                } else if !forAddress {
                    text.append(UInt8(ascii: "="))
                }
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Decodes standard Base64, with or without padding. Returns nil when the text contains a character outside the
    /// alphabet.
    public static func decode(_ text: some Sequence<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        var (bits, count) = (UInt32(0), 0)
        for letter in text where letter != UInt8(ascii: "=") {
            guard let value = usual.firstIndex(of: letter) else { return nil }
            bits = bits << 6 | UInt32(value)
            count += 6
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        return bytes
    }
}
