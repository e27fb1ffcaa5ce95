// Proxy settings from the environment, as curl reads them: http_proxy (lower case only, since a CGI server sets
// HTTP_PROXY from a request header), https_proxy and all_proxy in either case, and no_proxy for exceptions.

import Basics

/// Proxies and certificate authorities from environment variables.
public struct WebEnvironment: Sendable {
    /// The proxy URL by scheme, as written in the environment.
    private var proxies: [String: String] = [:]
    private var exceptions: [String] = []
    /// A file with trusted CA certificates. nil for the system's.
    public var authorityFile: String?
    /// A folder with trusted CA certificates. nil for the system's.
    public var authorityFolder: String?

    /// No proxy, and the system's CA certificates.
    public init() {}

    /// - Parameter variable: returns the value of an environment variable, nil if it is not set.
    public init(_ variable: (String) -> String?) {
        func value(_ names: String...) -> String? {
            names.lazy.compactMap(variable).first { !$0.isEmpty }
        }
        let all = value("all_proxy", "ALL_PROXY")
        proxies["http"] = value("http_proxy") ?? all
        proxies["https"] = value("https_proxy", "HTTPS_PROXY") ?? all
        exceptions = (value("no_proxy", "NO_PROXY") ?? "").split { $0 == "," || $0 == " " }.map { $0.lowercased() }
        authorityFile = value("CURL_CA_BUNDLE", "SSL_CERT_FILE")
        authorityFolder = value("SSL_CERT_DIR")
    }

    /// The proxy for an address. nil for a direct connection.
    func proxy(for address: WebAddress) -> String? {
        guard let scheme = address.scheme, let host = address.host, let proxy = proxies[scheme] else { return nil }
        return exceptions.contains { Self.excepts($0, host) } ? nil : proxy
    }

    /// Matches one no_proxy entry: `*`, a domain with its subdomains, an address, or an address block.
    private static func excepts(_ exception: String, _ host: String) -> Bool {
        if exception == "*" { return true }
        let host = bare(host)
        if let address = NetworkAddress(host) {
            return NetworkAddress.Prefix(bare(exception)).map(address.starts(with:)) ?? false
        }
        var name = exception.utf8[...]
        while name.first == UInt8(ascii: ".") { name = name.dropFirst() }
        while name.last == UInt8(ascii: ".") { name = name.dropLast() }
        guard !name.isEmpty, host.utf8.reversed().starts(with: name.reversed()) else { return false }
        return host.utf8.count == name.count || host.utf8.dropLast(name.count).last == UInt8(ascii: ".")
    }

    /// The host without brackets and without a trailing dot.
    static func bare(_ host: String) -> String {
        var host = host.utf8[...]
        if host.first == UInt8(ascii: "["), host.last == UInt8(ascii: "]") { host = host.dropFirst().dropLast() }
        if host.last == UInt8(ascii: ".") { host = host.dropLast() }
        return String(Substring(host))
    }

    /// A host name as a proxy may read it: without percent-encoding, case, compatibility forms such as full-width digits,
    /// and invisible characters (Unicode Technical Standard 46). nil when it is no host name then.
    static func asResolved(_ host: String) -> String? {
        let isPlain = { (byte: UInt8) in byte < 0x80 && byte != UInt8(ascii: "%") }
        if host.utf8.allSatisfy(isPlain) { return host }
        // The zone of an address, as in fe80::1%25eth0, is no encoding.
        if NetworkAddress(host) != nil { return host }
        let folded = Text.fold(WebAddress.decode(host)).unicodeScalars.compactMap { scalar -> Character? in
            if scalar.value == 0x3002 { return "." }  // the ideographic full stop
            return scalar.properties.isDefaultIgnorableCodePoint ? nil : Character(scalar)
        }
        let name = bare(String(folded))
        let isHost = name.utf8.allSatisfy { $0 >= 0x80 || $0 > 0x20 && !"%/?#@\\[]<>\"\u{7F}".utf8.contains($0) }
        return isHost && !name.isEmpty ? name : nil
    }

    /// Whether a name belongs to a local network or to this machine.
    static func isLocal(_ host: String) -> Bool {
        guard let last = host.utf8.split(separator: UInt8(ascii: ".")).last, last.count < host.utf8.count else {
            return NetworkAddress(host) == nil  // a name without dots
        }
        return ["localhost", "local", "internal", "intranet", "lan", "home", "corp", "localdomain"].contains(
            String(Substring(last)))
    }
}
