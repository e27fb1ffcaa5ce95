// URL parsing and serialization by RFC 3986. Components stay percent-encoded, because decoding before splitting can
// change what a URL means. Only `pathSegments` and `queryItems` are decoded.

/// A parsed URL or relative reference (RFC 3986).
public struct WebAddress: Sendable, Equatable, CustomStringConvertible {
    /// Lower case, without the colon; nil in a relative reference.
    public var scheme: String?
    /// The text before `@`, still encoded; nil when there is none.
    public var userInformation: String?
    /// Lower case, otherwise unchanged: IPv6 addresses stay in brackets and a trailing dot is preserved. nil when there
    /// is no `//`.
    public var host: String?
    /// 0 to 65535; nil when the URL has none.
    public var port: Int?
    public var path: String
    /// Without the `?`; nil when there is none.
    public var query: String?
    /// Without the `#`; nil when there is none.
    public var fragment: String?

    public init(
        scheme: String? = nil, userInformation: String? = nil, host: String? = nil, port: Int? = nil,
        path: String = "", query: String? = nil, fragment: String? = nil
    ) {
        self.scheme = scheme
        self.userInformation = userInformation
        self.host = host
        self.port = port
        self.path = path
        self.query = query
        self.fragment = fragment
    }

    /// Why a text is not a URL or relative reference.
    public enum Problem: Error, Sendable, Equatable, CustomStringConvertible {
        /// A character that is not allowed in a URL.
        case character(Unicode.Scalar)
        /// The text before the first colon is not a valid scheme.
        case scheme
        /// The text after the host's colon is not a number up to 65535.
        case port
        /// The host is empty where a URL needs one, or is neither a name nor an IP address in brackets.
        case host

        public var description: String {
            switch self {
            case .character(let scalar):
                switch scalar.value {
                case 0x20: "it holds a space, which is written %20"
                case 0..<0x20, 0x7F: "it holds a control character"
                default: "it holds \(scalar), which no URL may"
                }
            case .scheme: "what stands before its first colon is no scheme"
            case .port: "its port is no number from 0 to 65535"
            case .host: "its host is no name and no IP address"
            }
        }
    }

    /// Parses a URL or relative reference. Non-ASCII letters are accepted, because people paste them.
    ///
    /// Returns nil when the text contains a space, a control character or one of `\ < > "`, when the host or the port is
    /// invalid, or when the text before the first colon is not a valid scheme.
    public init?(_ text: String) {
        do throws(Problem) { try self.init(parsing: text) } catch { return nil }
    }

    /// Parses a URL or relative reference, and throws the reason when it is invalid.
    public init(parsing text: String) throws(Problem) {
        let refused = text.utf8.first { byte in
            byte <= 0x20 || byte == 0x7F || byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "<")
                || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "\"")
        }
        if let refused { throw .character(Unicode.Scalar(refused)) }
        var rest = text.utf8[...]
        func string(_ part: Substring.UTF8View) -> String { String(Substring(part)) }

        if let hash = rest.firstIndex(of: UInt8(ascii: "#")) {
            fragment = string(rest[rest.index(after: hash)...])
            rest = rest[..<hash]
        }
        if let mark = rest.firstIndex(of: UInt8(ascii: "?")) {
            query = string(rest[rest.index(after: mark)...])
            rest = rest[..<mark]
        }
        if let stop = rest.firstIndex(where: { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "/") }),
            rest[stop] == UInt8(ascii: ":")
        {
            let name = rest[..<stop]
            guard let first = name.first, ByteScanner.isLetter(first), name.allSatisfy(Self.belongsInScheme) else {
                throw .scheme
            }
            scheme = string(name).lowercased()
            rest = rest[rest.index(after: stop)...]
        }
        if rest.starts(with: "//".utf8) {
            rest = rest.dropFirst(2)
            let stop = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
            var authority = rest[..<stop]
            rest = rest[stop...]
            if let at = authority.lastIndex(of: UInt8(ascii: "@")) {
                userInformation = string(authority[..<at])
                authority = authority[authority.index(after: at)...]
            }
            let bracket = authority.lastIndex(of: UInt8(ascii: "]")) ?? authority.startIndex
            if let colon = authority[bracket...].firstIndex(of: UInt8(ascii: ":")) {
                let digits = authority[authority.index(after: colon)...]
                if !digits.isEmpty {
                    guard digits.allSatisfy(ByteScanner.isDigit), let number = Int(string(digits)), number < 65_536
                    else { throw .port }
                    port = number
                }
                authority = authority[..<colon]
            }
            // A reference without a scheme gets one that needs a host.
            let mayLack =
                userInformation == nil && port == nil && scheme != nil && scheme != "http" && scheme != "https"
            guard authority.isEmpty ? mayLack : Self.isHost(authority) else { throw .host }
            host = string(authority).lowercased()
        }
        path = string(rest)
    }

    /// The serialized URL (RFC 3986, 5.3). A path that would be parsed as a host or a scheme is prefixed by `/.` or
    /// `./`.
    public var description: String {
        var text = scheme.map { $0 + ":" } ?? ""
        if let host {
            text += "//" + (userInformation.map { $0 + "@" } ?? "") + host + (port.map { ":\($0)" } ?? "")
            if !path.isEmpty, !path.utf8.starts(with: "/".utf8) { text += "/" }
        } else if path.utf8.starts(with: "//".utf8) {
            text += "/."
        } else if scheme == nil,
            path.utf8.first(where: { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "/") })
                == UInt8(ascii: ":")
        {
            text += "./"
        }
        text += path
        if let query { text += "?" + query }
        if let fragment { text += "#" + fragment }
        return text
    }

    // MARK: Path and query

    /// The percent-decoded path segments, without empty ones.
    public var pathSegments: [String] {
        path.utf8.split(separator: UInt8(ascii: "/")).map { Self.decode(String(Substring($0))) }
    }

    /// One `name=value` pair of a query.
    public struct QueryItem: Sendable, Equatable {
        public var name: String
        /// nil when there is no `=`.
        public var value: String?

        public init(_ name: String, _ value: String?) {
            self.name = name
            self.value = value
        }
    }

    /// The query's items in order, decoded as HTML forms encode them (`+` is a space).
    public var queryItems: [QueryItem] { Self.items(query ?? "") }

    /// The value of the first item with that name; nil when there is no such item or it has no `=`.
    public func queryValue(_ name: String) -> String? { queryItems.first { $0.name == name }?.value }

    /// Parses a query string without the `?`.
    package static func items(_ query: String, separators: [UInt8] = [UInt8(ascii: "&")]) -> [QueryItem] {
        query.utf8.split(whereSeparator: separators.contains).map { item in
            let equals = item.firstIndex(of: UInt8(ascii: "=")) ?? item.endIndex
            func decoded(_ part: Substring.UTF8View) -> String { decode(String(Substring(part)), plusIsSpace: true) }
            return QueryItem(
                decoded(item[..<equals]), equals == item.endIndex ? nil : decoded(item[equals...].dropFirst()))
        }
    }

    /// Serializes a query string, without the `?`.
    public static func query(_ items: [QueryItem]) -> String {
        items.map { item in Escape.url(item.name) + (item.value.map { "=" + Escape.url($0) } ?? "") }.joined(
            separator: "&")
    }

    // MARK: Percent-encoding

    /// Decodes percent-escapes such as `%41`. A `%` without two hexadecimal digits stays. Invalid UTF-8 becomes U+FFFD.
    public static func decode(_ text: String, plusIsSpace: Bool = false) -> String {
        let source = Array(text.utf8)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(source.count)
        var index = 0
        while index < source.count {
            let byte = source[index]
            if byte == UInt8(ascii: "%"), index + 2 < source.count, let high = hexadecimal(source[index + 1]),
                let low = hexadecimal(source[index + 2])
            {
                bytes.append(high << 4 | low)
                index += 3
            } else {
                bytes.append(plusIsSpace && byte == UInt8(ascii: "+") ? 0x20 : byte)
                index += 1
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    static func hexadecimal(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }

    static func belongsInScheme(_ byte: UInt8) -> Bool {
        ByteScanner.isLetter(byte) || ByteScanner.isDigit(byte) || byte == UInt8(ascii: "+")
            || byte == UInt8(ascii: "-")
            || byte == UInt8(ascii: ".")
    }
}
