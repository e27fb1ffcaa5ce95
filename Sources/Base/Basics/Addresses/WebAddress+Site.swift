// Whether two addresses are of one site, by their hosts: nothing is looked up, and no list of domains is kept.

extension WebAddress {
    /// Whether the hosts are the same, or one is below the other; `www.` counts for nothing.
    public func isOfSite(_ other: WebAddress?) -> Bool {
        guard let one = host, let two = other?.host, !one.isEmpty, !two.isEmpty else { return false }
        func bare(_ host: String) -> String { host.hasPrefix("www.") ? String(host.dropFirst(4)) : host }
        let (a, b) = (bare(one), bare(two))
        return a == b || a.hasSuffix("." + b) || b.hasSuffix("." + a)
    }
}
