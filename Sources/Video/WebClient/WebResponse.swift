// What a server answered, or what was kept of an earlier answer.

import Basics

/// An answer, whatever its status.
public struct WebResponse: Sendable, Equatable {
    /// 100 to 599.
    public var status: Int
    public var headers: WebHeaders
    /// After decompression.
    public var body: [UInt8]
    /// Whether more of the body would have come.
    public var isCut = false
    /// Where it came from after redirects, without secrets.
    public var address: WebAddress
    public var origin = ResponseOrigin.network
    /// 10, 11 or 20 for HTTP/1.0, 1.1 and 2; 0 for an answer that was kept.
    public var version = 0
    /// How many requests were sent for it, redirects and retries included.
    public var attempts = 0

    public init(status: Int, headers: WebHeaders = WebHeaders(), body: [UInt8] = [], address: WebAddress) {
        self.status = status
        self.headers = headers
        self.body = body
        self.address = address
    }

    /// Seconds the server asks to wait (Retry-After as a number or a date: RFC 9110, 10.2.3); nil when it does not say.
    ///
    /// - Parameter now: epoch seconds, which a date is compared with.
    public func retryAfter(now: Int64) -> Int64? {
        guard let text = headers["Retry-After"] else { return nil }
        if let seconds = Int64(text), seconds >= 0 { return seconds }
        return Timestamp.parse(text).map { max(0, $0 - now) }
    }
}

/// The headers of an answer, in their order. Names are compared without case.
public struct WebHeaders: Sendable, Equatable {
    public private(set) var all: [WebHeader] = []

    public init(_ all: [WebHeader] = []) { self.all = all }

    /// The first value of that name.
    public subscript(_ name: String) -> String? {
        all.first { Self.same($0.name, name) }?.value
    }

    public mutating func append(_ header: WebHeader) { all.append(header) }

    public mutating func remove(_ name: String) { all.removeAll { Self.same($0.name, name) } }

    /// ASCII letters only: names of headers have no others (RFC 9110, 5.6.2).
    static func same(_ one: String, _ other: String) -> Bool {
        let (one, other) = (one.utf8, other.utf8)
        return one.count == other.count && zip(one, other).allSatisfy { lower($0) == lower($1) }
    }

    private static func lower(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}
