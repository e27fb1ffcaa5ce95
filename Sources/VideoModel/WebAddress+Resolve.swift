// Relative references. What is easily got wrong: a reference without a path keeps the base's path, and its query unless
// it has one of its own.

extension WebAddress {
    /// What a reference means on a page of this address (RFC 3986, 5.2.2): `../b`, `?page=2`, `//host/x`, a whole URL.
    public func resolving(_ reference: WebAddress) -> WebAddress {
        var result = reference
        if reference.scheme != nil {
            result.path = Self.removingDots(reference.path)
            return result
        }
        result.scheme = scheme
        if reference.host != nil {
            result.path = Self.removingDots(reference.path)
            return result
        }
        result.host = host
        result.port = port
        result.userInformation = userInformation
        if reference.path.isEmpty {
            result.path = path
            if reference.query == nil { result.query = query }
        } else if reference.path.utf8.first == UInt8(ascii: "/") {
            result.path = Self.removingDots(reference.path)
        } else {
            let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
            let folder = slash.map { String(path[...$0]) } ?? (host != nil && path.isEmpty ? "/" : "")
            result.path = Self.removingDots(folder + reference.path)
        }
        return result
    }

    /// RFC 3986, 5.2.4. An absolute path never leads above its root.
    private static func removingDots(_ path: String) -> String {
        let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map {
            String(Substring($0))
        }
        var kept: [String] = []
        for (index, part) in parts.enumerated() {
            let isLast = index == parts.count - 1
            switch part {
            case ".":
                if isLast { kept.append("") }
            case "..":
                // The first part of an absolute path is the nothing before its slash.
                if kept.count > 1 || (kept.count == 1 && kept[0] != "") { kept.removeLast() }
                if isLast { kept.append("") }
            default: kept.append(part)
            }
        }
        return kept.joined(separator: "/")
    }
}
