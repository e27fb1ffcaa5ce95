// IP addresses, and the check whether one is public. The non-public ranges come from the IANA registries
// (iana-ipv4-special-registry and iana-ipv6-special-registry) and from the metadata services of clouds.

import Glibc

/// An IPv4 or IPv6 address.
struct NetworkAddress: Sendable, Equatable, CustomStringConvertible {
    /// 4 or 16 bytes in network order.
    let bytes: [UInt8]

    /// Parses a numeric address as `inet_pton` does: `127.0.0.1`, `::1`. A zone (`fe80::1%eth0`) is dropped.
    init?(_ text: String) {
        let bare =
            text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false).first.map(String.init) ?? ""
        for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
            var bytes = [UInt8](repeating: 0, count: count)
            if inet_pton(family, bare, &bytes) == 1 {
                self.bytes = bytes
                return
            }
        }
        return nil
    }

    /// Also parses the other IPv4 forms that resolvers accept: `127.1`, `0x7f000001`, `2130706433`.
    init?(loose text: String) {
        if let address = NetworkAddress(text) {
            self = address
            return
        }
        var address = in_addr()
        guard inet_aton(text, &address) != 0 else { return nil }
        bytes = withUnsafeBytes(of: address.s_addr) { Array($0) }
    }

    /// The address and port of a `struct sockaddr`; nil for other families.
    static func socket(_ pointer: UnsafeRawPointer, length: Int) -> (address: NetworkAddress, port: Int)? {
        guard length >= MemoryLayout<sa_family_t>.size else { return nil }
        switch Int32(pointer.loadUnaligned(as: sa_family_t.self)) {
        case AF_INET where length >= MemoryLayout<sockaddr_in>.size:
            let place = pointer.loadUnaligned(as: sockaddr_in.self)
            return (
                NetworkAddress(bytes: withUnsafeBytes(of: place.sin_addr) { Array($0) }), Int(place.sin_port.bigEndian)
            )
        case AF_INET6 where length >= MemoryLayout<sockaddr_in6>.size:
            let place = pointer.loadUnaligned(as: sockaddr_in6.self)
            return (
                NetworkAddress(bytes: withUnsafeBytes(of: place.sin6_addr) { Array($0) }),
                Int(place.sin6_port.bigEndian)
            )
        default: return nil
        }
    }

    init(bytes: [UInt8]) { self.bytes = bytes }

    var description: String {
        var text = [CChar](repeating: 0, count: 64)
        inet_ntop(bytes.count == 4 ? AF_INET : AF_INET6, bytes, &text, socklen_t(text.count))
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Whether the address is a public Internet address.
    var isPublic: Bool {
        if bytes.count == 4 { return !Self.special4.contains { starts(with: $0) } }
        // An embedded IPv4 address (mapped, compatible, NAT64, 6to4) is checked as IPv4.
        for (prefix, place) in Self.wrapped where starts(with: prefix) {
            if prefix.bits == 96, prefix.bytes.allSatisfy({ $0 == 0 }), bytes[12...14].allSatisfy({ $0 == 0 }) {
                return false  // :: and ::1
            }
            return NetworkAddress(bytes: Array(bytes[place..<place + 4])).isPublic
        }
        // Only 2000::/3 is allocated.
        return bytes[0] & 0xE0 == 0x20 && !Self.special6.contains { starts(with: $0) }
    }

    struct Prefix: Sendable {
        let bytes: [UInt8]
        let bits: Int

        /// A prefix such as `10.0.0.0/8`. Without a length, all bits are compared.
        init?(_ text: String) {
            let parts = text.split(separator: "/", omittingEmptySubsequences: false)
            guard let first = parts.first, parts.count <= 2, let address = NetworkAddress(String(first)) else {
                return nil
            }
            bytes = address.bytes
            guard parts.count == 2 else {
                bits = bytes.count * 8
                return
            }
            guard let bits = Int(parts[1]), (0...bytes.count * 8).contains(bits) else { return nil }
            self.bits = bits
        }
    }

    func starts(with prefix: Prefix) -> Bool {
        guard bytes.count == prefix.bytes.count else { return false }
        let whole = prefix.bits / 8
        guard bytes[..<whole].elementsEqual(prefix.bytes[..<whole]) else { return false }
        guard prefix.bits % 8 > 0 else { return true }
        let mask = UInt8(truncatingIfNeeded: 0xFF00 >> (prefix.bits % 8))
        return bytes[whole] & mask == prefix.bytes[whole] & mask
    }

    private static let special4 = [
        "0.0.0.0/8",  // this network
        "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16",  // private
        "100.64.0.0/10",  // carrier-grade NAT
        "127.0.0.0/8",  // loopback
        "169.254.0.0/16",  // link-local, and the metadata of most clouds
        "168.63.129.16",  // metadata of Azure, at an address that looks public
        "192.0.0.0/24",  // protocol assignments; metadata of a cloud
        "192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24",  // documentation
        "192.88.99.0/24",  // 6to4 relays, deprecated
        "198.18.0.0/15",  // benchmarks
        "224.0.0.0/4",  // multicast
        "240.0.0.0/4",  // reserved; broadcast
    ].compactMap(Prefix.init)

    private static let special6 = [
        "2001::/23",  // protocol assignments, including Teredo
        "2001:db8::/32", "3fff::/20",  // documentation
    ].compactMap(Prefix.init)

    /// Prefixes that embed an IPv4 address, and the byte offset of that address.
    private static let wrapped: [(Prefix, Int)] = [
        ("::ffff:0:0/96", 12), ("::/96", 12), ("64:ff9b::/96", 12), ("2002::/16", 2),
    ].compactMap { text, place in Prefix(text).map { ($0, place) } }
}
