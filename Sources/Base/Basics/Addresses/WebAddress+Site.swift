// Same-site check by host name only. It uses no DNS lookup and no public suffix list.

extension WebAddress {
    /// Whether the hosts are equal or one is a subdomain of the other. A leading `www.` is ignored. False when either
    /// host is missing or empty.
    public func isOfSite(_ other: WebAddress?) -> Bool {
        guard let one = host, let two = other?.host, !one.isEmpty, !two.isEmpty else { return false }
        func bare(_ host: String) -> String { host.hasPrefix("www.") ? String(host.dropFirst(4)) : host }
        let (a, b) = (bare(one), bare(two))
        return a == b || a.hasSuffix("." + b) || b.hasSuffix("." + a)
    }
}
