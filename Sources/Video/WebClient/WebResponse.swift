// Responses, from a server or from the cache.

import Basics

/// A response with any status.
public struct WebResponse: Sendable, Equatable {
    /// 100 to 599.
    public var status: Int
    public var headers: WebHeaders
    /// The body after decompression.
    public var body: [UInt8]
    /// Whether the body is incomplete.
    public var isCut = false
    /// The final URL after redirects, without secrets.
    public var address: WebAddress
    public var origin = ResponseOrigin.network
    /// 10, 11 or 20 for HTTP/1.0, 1.1 and 2; 0 for a cached response.
    public var version = 0
    /// The number of requests sent, including redirects and retries.
    public var attempts = 0

    public init(status: Int, headers: WebHeaders = WebHeaders(), body: [UInt8] = [], address: WebAddress) {
        self.status = status
        self.headers = headers
        self.body = body
        self.address = address
    }

    /// The wait of Retry-After in seconds, given there as a number or a date (RFC 9110, 10.2.3). nil if the header is
    /// missing or invalid.
    ///
    /// - Parameter now: epoch seconds, subtracted from a date.
    public func retryAfter(now: Int64) -> Int64? {
        guard let text = headers["Retry-After"] else { return nil }
        if let seconds = Int64(text), seconds >= 0 { return seconds }
        return Timestamp.parse(text).map { max(0, $0 - now) }
    }
}

/// Response headers in their original order. Names are case-insensitive.
public struct WebHeaders: Sendable, Equatable {
    public private(set) var all: [WebHeader] = []

    public init(_ all: [WebHeader] = []) { self.all = all }

    /// The first header of that name. nil if it is missing.
    public subscript(_ name: String) -> String? {
        all.first { Self.same($0.name, name) }?.value
    }

    public mutating func append(_ header: WebHeader) { all.append(header) }

    public mutating func remove(_ name: String) { all.removeAll { Self.same($0.name, name) } }

    /// Compares header names, ignoring the case of ASCII letters (RFC 9110, 5.6.2).
    static func same(_ one: String, _ other: String) -> Bool {
        let (one, other) = (one.utf8, other.utf8)
        return one.count == other.count && zip(one, other).allSatisfy { lower($0) == lower($1) }
    }

    private static func lower(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}
