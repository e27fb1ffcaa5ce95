// Checks hosts, and writes international ones in ASCII, as DNS and browsers have them.

import CIDNA
import Glibc

extension WebAddress {
    /// Whether the text is a host of RFC 3986, 3.2.2: a name, or an IPv6 address in brackets. Non-ASCII characters are
    /// accepted in names.
    static func isHost(_ text: Substring.UTF8View) -> Bool {
        if text.first == UInt8(ascii: "[") {
            return text.last == UInt8(ascii: "]") && isAddress(text.dropFirst().dropLast())
        }
        var rest = text
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%") {
                guard rest.prefix(2).count == 2, rest.prefix(2).allSatisfy({ hexadecimal($0) != nil }) else {
                    return false
                }
            } else if byte < 0x80, !isInName(byte) {
                return false
            }
        }
        return !text.isEmpty
    }

    /// `unreserved` and `sub-delims` of RFC 3986, appendix A.
    private static func isInName(_ byte: UInt8) -> Bool {
        ByteScanner.isLetter(byte) || ByteScanner.isDigit(byte) || "-._~!$&'()*+,;=".utf8.contains(byte)
    }

    /// Whether the text is an IPv6 address, with a zone or without (RFC 6874), or an address of a later version
    /// (`v1.x`).
    private static func isAddress(_ text: Substring.UTF8View) -> Bool {
        if let first = text.first, first | 0x20 == UInt8(ascii: "v") {
            let parts = text.dropFirst().split(separator: UInt8(ascii: "."), maxSplits: 1)
            return parts.count == 2 && parts[0].allSatisfy { hexadecimal($0) != nil }
                && parts[1].allSatisfy { isInName($0) || $0 == UInt8(ascii: ":") }
        }
        let bare = String(Substring(text.prefix { $0 != UInt8(ascii: "%") }))
        let zone = text.dropFirst(bare.utf8.count)
        var address = in6_addr()
        return inet_pton(AF_INET6, bare, &address) == 1
            && (zone.isEmpty || zone.count > 3 && zone.starts(with: "%25".utf8) && isHost(zone.dropFirst(3)))
    }

    /// The host in ASCII: international names become punycode by UTS #46, with the settings that browsers use
    /// (URL standard, "domain to ASCII"). nil when the name contains characters that no host may have.
    public static func asciiHost(_ host: String) -> String? {
        guard host.utf8.contains(where: { $0 >= 0x80 || $0 == UInt8(ascii: "%") }), !host.hasPrefix("[") else {
            return host
        }
        var name = decode(host)
        let ascii = name.withUTF8 { name in
            // A name in DNS has at most 253 characters.
            withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { out -> String? in
                let length = cidna_ascii(name.baseAddress, name.count, out.baseAddress, out.count)
                guard length > 0 else { return nil }
                return String(
                    decoding: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(out)[..<length]), as: UTF8.self)
            }
        }
        guard let ascii, ascii.utf8.allSatisfy(isInName) else { return nil }
        return ascii
    }
}
