// Relative reference resolution (RFC 3986, 5.2). It works on parsed components, not on strings, so a path that begins
// with `//` cannot turn into a host.

extension WebAddress {
    /// Resolves a reference against this URL, such as `../a?b` against `https://example.org/c/d`.
    ///
    /// Follows RFC 3986, 5.2.2, in strict mode: a reference with a scheme is already absolute. Dot segments (`.` and
    /// `..`) are removed and cannot climb above the root.
    public func resolving(_ reference: WebAddress) -> WebAddress {
        var target = reference
        if reference.scheme != nil || reference.host != nil {
            target.scheme = reference.scheme ?? scheme
            target.path = Self.withoutDots(reference.path)
            return target
        }
        target.scheme = scheme
        target.userInformation = userInformation
        target.host = host
        target.port = port
        if reference.path.isEmpty {
            target.path = path
            target.query = reference.query ?? query
        } else if reference.path.utf8.first == UInt8(ascii: "/") {
            target.path = Self.withoutDots(reference.path)
        } else {
            target.path = Self.withoutDots(merging(reference.path))
        }
        return target
    }

    /// Replaces everything after the last `/` of this URL's path by the relative path (RFC 3986, 5.2.3).
    private func merging(_ relative: String) -> String {
        if host != nil, path.isEmpty { return "/" + relative }
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return relative }
        return String(path[...slash]) + relative
    }

    /// Removes dot segments (RFC 3986, 5.2.4), including percent-encoded ones.
    private static func withoutDots(_ path: String) -> String {
        let slash = UInt8(ascii: "/")
        var kept: [Substring.UTF8View] = []
        let segments = path.utf8.split(separator: slash, omittingEmptySubsequences: false)
        let isAbsolute = path.utf8.first == slash
        var endsInDots = false
        for segment in isAbsolute ? segments.dropFirst() : segments[...] {
            endsInDots = true
            switch dots(segment) {
            case 1: break
            case 2: _ = kept.popLast()
            default:
                kept.append(segment)
                endsInDots = false
            }
        }
        var text = isAbsolute ? "/" : ""
        text += kept.map { String(Substring($0)) }.joined(separator: "/")
        if endsInDots, !kept.isEmpty { text += "/" }
        return text
    }

    /// Returns 1 for `.`, 2 for `..`, and 0 for any other segment. A dot may be written as `%2E`.
    private static func dots(_ segment: Substring.UTF8View) -> Int {
        var rest = segment
        var count = 0
        while !rest.isEmpty {
            if rest.first == UInt8(ascii: ".") {
                rest = rest.dropFirst()
            } else if rest.prefix(3).map({ $0 | 0x20 }).elementsEqual("%2e".utf8.map { $0 | 0x20 }) {
                rest = rest.dropFirst(3)
            } else {
                return 0
            }
            count += 1
            if count > 2 { return 0 }
        }
        return count
    }
}
