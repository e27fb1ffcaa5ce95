// Hosts of the `net` grant: a host name, all names below one, or an IP address with its port. Trap: `example.org`
// matches only that name. `*.example.org` matches names below it, but not itself. A name never covers a private
// address; this is checked again on the address that is connected to.

import Basics
import WebClient

/// A network host that a plugin may access.
package struct HostPattern: Equatable {
    /// The host in lower case, without brackets and without a trailing dot.
    var host: String
    /// Whether the pattern matches names below the host instead of the host.
    package var isBelow = false
    /// nil for the default ports of http and https.
    package var port: Int?

    private static let usualPorts = [80, 443]

    /// Parses the text after `net:`; nil if it is invalid.
    package init?(_ text: String) {
        var rest = text.lowercased()[...]
        if rest.hasPrefix("*.") {
            isBelow = true
            rest = rest.dropFirst(2)
        }
        var digits: Substring?
        if rest.first == "[" {
            guard !isBelow, let end = rest.firstIndex(of: "]") else { return nil }
            host = String(rest[rest.index(after: rest.startIndex)..<end])
            let behind = rest[rest.index(after: end)...]
            if !behind.isEmpty {
                guard behind.first == ":" else { return nil }
                digits = behind.dropFirst()
            }
        } else {
            let parts = rest.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count <= 2 else { return nil }
            host = String(parts[0])
            if parts.count == 2 { digits = parts[1] }
        }
        if let digits {
            guard let number = Int(digits), (1...65535).contains(number), digits.allSatisfy(\.isNumber) else {
                return nil
            }
            port = number
        }
        if host.hasSuffix(".") { host.removeLast() }
        guard Self.isHost(host) else { return nil }
    }

    /// The host of an address; nil if it cannot be granted, because it is neither an ASCII name nor an IP address.
    package init?(_ address: WebAddress) {
        guard let written = address.host?.lowercased() else { return nil }
        host = written.hasSuffix(".") ? String(written.dropLast()) : written
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        guard Self.isHost(host) else { return nil }
        port = address.port ?? (address.scheme == "https" ? 443 : 80)
    }

    private static func isHost(_ host: String) -> Bool {
        !host.isEmpty && host.utf8.count <= 253
            && host.utf8.allSatisfy { byte in
                byte < 0x80 && (Character(UnicodeScalar(byte)).isLetter || Character(UnicodeScalar(byte)).isNumber)
                    || "-._:".utf8.contains(byte)
            } && (host.utf8.contains(UInt8(ascii: ":")) || !host.contains(".."))
    }

    /// Whether the host is an IP address and not a name. RFC 3986 addresses begin with digits; resolvers also accept
    /// hexadecimal ones.
    package var isDigits: Bool {
        if host.utf8.contains(UInt8(ascii: ":")) { return true }
        let last = host.split(separator: ".").last ?? ""
        return last.allSatisfy { $0.isASCII && $0.isNumber } || last.hasPrefix("0x")
    }

    /// Whether the pattern matches every host and port that the other matches.
    package func allows(_ other: HostPattern) -> Bool {
        let ports = other.port.map { [$0] } ?? Self.usualPorts
        guard ports.allSatisfy({ port == $0 || port == nil && Self.usualPorts.contains($0) }) else { return false }
        return isBelow && other.isBelow && host == other.host || coversHost(of: other)
    }

    /// Whether the pattern matches the host at one of its ports.
    package func covers(_ wanted: HostPattern) -> Bool {
        let ports = wanted.port.map { [$0] } ?? Self.usualPorts
        guard ports.contains(where: { port == $0 || port == nil && Self.usualPorts.contains($0) }) else { return false }
        return coversHost(of: wanted)
    }

    private func coversHost(of wanted: HostPattern) -> Bool {
        guard isBelow else { return host == wanted.host && !wanted.isBelow }
        return !wanted.isDigits && wanted.host.utf8.count > host.utf8.count + 1 && wanted.host.hasSuffix("." + host)
    }

    /// The text after `net:`.
    package var text: String {
        let shown = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
        let named = isBelow ? "*." + shown : shown
        return port.map { "\(named):\($0)" } ?? named
    }

    /// The pattern in its shortest form: default ports are omitted after a name.
    var usual: HostPattern {
        var place = self
        if !isDigits, let port, Self.usualPorts.contains(port) { place.port = nil }
        return place
    }

    /// The endpoint that the network layer checks; nil for a name.
    package var endpoint: WebEndpoint? {
        guard isDigits, let port else { return nil }
        return WebEndpoint(host, port: port)
    }
}

/// All hosts that a plugin may access, for the threads that make requests.
package struct HostPatterns: Sendable {
    private let places: [HostPattern]

    package init(_ grants: [Grant]) {
        places = grants.compactMap { grant in
            if case .net(let text) = grant { HostPattern(text) } else { nil }
        }
    }

    package func cover(_ address: WebAddress) -> Bool {
        guard let wanted = HostPattern(address) else { return false }
        return places.contains { $0.covers(wanted) }
    }

    package var endpoints: [WebEndpoint] { places.compactMap(\.endpoint) }
}

extension Grant {
    /// The grant needed to request an address.
    package static func net(_ address: WebAddress) -> Grant {
        .net(HostPattern(address)?.usual.text ?? address.host ?? "")
    }
}
