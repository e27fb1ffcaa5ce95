// Name-based UUIDs (RFC 9562 §5.5, version 5). The same name always gives the same UUID, so a feed keeps its identity
// across runs. The RFC requires SHA-1; it is not used for security.

/// Creates and parses version 5 UUIDs.
public enum NamedUUID {
    /// The namespace for URLs (RFC 9562 §6.6).
    public static let urls: [UInt8] = [
        0x6b, 0xa7, 0xb8, 0x11, 0x9d, 0xad, 0x11, 0xd1, 0x80, 0xb4, 0x00, 0xc0, 0x4f, 0xd4, 0x30, 0xc8,
    ]

    /// The UUID of a name, as 36 characters with lower-case hexadecimal digits.
    ///
    /// - Parameter namespace: 16 bytes.
    public static func make(_ name: String, namespace: [UInt8] = urls) -> String {
        var bytes = Array(sha1(namespace + Array(name.utf8)).prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x50
        bytes[8] = bytes[8] & 0x3F | 0x80
        var text = ""
        for (index, byte) in bytes.enumerated() {
            if [4, 6, 8, 10].contains(index) { text += "-" }
            text += String(byte >> 4, radix: 16) + String(byte & 0xF, radix: 16)
        }
        return text
    }

    /// Parses a UUID into its 16 bytes; nil when the text is not a UUID.
    public static func bytes(_ text: String) -> [UInt8]? {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard parts.map(\.count) == [8, 4, 4, 4, 12] else { return nil }
        let digits = parts.joined().compactMap { UInt8(String(UnicodeScalar($0)), radix: 16) }
        guard digits.count == 32 else { return nil }
        return stride(from: 0, to: 32, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    /// SHA-1 (FIPS 180-4 §6.1).
    static func sha1(_ message: [UInt8]) -> [UInt8] {
        var padded = message + [0x80]
        padded += [UInt8](repeating: 0, count: (120 - padded.count % 64) % 64)
        let bits = UInt64(message.count) * 8
        for shift in stride(from: UInt64(56), through: 0, by: -8) {
            padded.append(UInt8(truncatingIfNeeded: bits >> shift))
        }
        func rotated(_ word: UInt32, _ by: UInt32) -> UInt32 { word << by | word >> (32 - by) }

        var hash: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
        var words = [UInt32](repeating: 0, count: 80)
        for block in stride(from: 0, to: padded.count, by: 64) {
            for index in 0..<16 {
                words[index] = (0..<4).reduce(0) { $0 << 8 | UInt32(padded[block + index * 4 + $1]) }
            }
            for index in 16..<80 {
                words[index] = rotated(words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16], 1)
            }
            var (a, b, c, d, e) = (hash[0], hash[1], hash[2], hash[3], hash[4])
            for index in 0..<80 {
                let (mixed, constant): (UInt32, UInt32) =
                    switch index {
                    case ..<20: (b & c | ~b & d, 0x5A82_7999)
                    case ..<40: (b ^ c ^ d, 0x6ED9_EBA1)
                    case ..<60: (b & c | b & d | c & d, 0x8F1B_BCDC)
                    default: (b ^ c ^ d, 0xCA62_C1D6)
                    }
                (e, d, c, b, a) = (d, c, rotated(b, 30), a, rotated(a, 5) &+ mixed &+ e &+ constant &+ words[index])
            }
            hash = zip(hash, [a, b, c, d, e]).map { $0 &+ $1 }
        }
        return hash.flatMap { word in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> UInt32($0)) } }
    }
}
