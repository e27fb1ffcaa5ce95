// The response cache: freshness, expiry and the stored format. Keys are URLs without secrets, in a separate space for
// each credential, so that one account never gets the responses of another.

import Basics
import Glibc
import Store

/// How a request uses cached responses.
public enum CachePolicy: String, Sendable, CaseIterable {
    /// Always sends the request. The response is cached.
    case networkOnly = "network-only"
    /// Never sends the request.
    case localOnly = "local-only"
    /// Returns a fresh cached response, otherwise sends the request; a stale cached response is used if that fails.
    case networkThenLocal = "network-then-local"
    /// Returns a cached response of any age; if it is stale, refreshes it in the background.
    case localThenNetwork = "local-then-network"
}

/// How one request uses the cache.
public struct CacheUse: Sendable {
    public var policy: CachePolicy
    /// Seconds for which a cached response is fresh. A stale response with an ETag or Last-Modified is revalidated with
    /// a conditional request; others are requested again.
    public var freshFor: Int64 = 0
    /// Seconds until a cached response is deleted. YouTube's terms allow 30 days.
    public var keptFor: Int64 = 30 * 86_400
    /// Whether the response is cached.
    public var stores = true
    /// The cache space of the credential: a service and a fingerprint of the key, or a named account. Never a secret.
    public var space: String

    public init(space: String, policy: CachePolicy = .networkThenLocal, freshFor: Int64 = 0) {
        self.space = space
        self.policy = policy
        self.freshFor = freshFor
    }
}

/// The origin of a response, and for cached ones the age in seconds.
public enum ResponseOrigin: Sendable, Equatable {
    case network
    /// Cached; `age` is the time since it was received or revalidated.
    case kept(age: Int64)
    /// Cached, and just revalidated by the server (304).
    case confirmed
    /// Cached; used because the request failed.
    case fallback(age: Int64, WebError)
    /// Cached; used because the server returned an error status.
    case fallbackAfter(age: Int64, status: Int)
}

/// The response cache.
public final class ResponseCache: Sendable {
    private let store: any KeyValueStore
    private let now: @Sendable () -> Int64

    /// - Parameter now: epoch seconds.
    public init(store: any KeyValueStore, now: @escaping @Sendable () -> Int64 = { Int64(time(nil)) }) {
        self.store = store
        self.now = now
    }

    /// A cached response.
    struct Kept: Equatable {
        var response: WebResponse
        /// Epoch seconds when it was received or revalidated.
        var confirmed: Int64
    }

    static func key(_ request: WebRequest) -> String {
        var address = request.address
        address.fragment = nil
        return "\(request.method.rawValue) \(address)"
    }

    /// Prefixed, because the store has other users.
    private static func space(_ name: String) -> String { "response/" + name }

    func find(_ request: WebRequest, _ use: CacheUse) throws(StoreError) -> (kept: Kept, age: Int64)? {
        let key = Self.key(request)
        guard let entry = try store.get(key, in: Self.space(use.space)) else { return nil }
        guard let kept = Kept(entry.value) else {
            try store.delete(key, in: Self.space(use.space))
            return nil
        }
        let passed = now() - kept.confirmed
        // The time lies in the future, so the clock was set back and the real age is unknown: treat the response as
        // stale.
        let age = passed < -60 ? min(max(0, use.freshFor), use.keptFor - 1) : max(0, passed)
        // `keptFor` may be shorter now than when the response was stored.
        return age < use.keptFor ? (kept, age) : nil
    }

    func keep(_ response: WebResponse, for request: WebRequest, _ use: CacheUse) throws(StoreError) {
        let now = now()
        let kept = Kept(response: response, confirmed: now)
        try store.put(
            kept.bytes, for: Self.key(request), in: Self.space(use.space), expires: now + max(1, use.keptFor))
    }

    // MARK: For the user

    /// Size of the cache.
    public struct Info: Sendable {
        public var entries = 0
        /// Bytes of all entries.
        public var size = 0
        /// Entries and bytes by space.
        public var spaces: [String: (entries: Int, size: Int)] = [:]
        /// Epoch seconds of the oldest entry. nil if the cache is empty.
        public var oldest: Int64?
    }

    public func info() throws(StoreError) -> Info {
        var info = Info()
        for item in try items() {
            let name = String(item.space.dropFirst(Self.space("").count))
            let old = info.spaces[name] ?? (0, 0)
            info.spaces[name] = (old.entries + 1, old.size + item.size)
            info.entries += 1
            info.size += item.size
            info.oldest = min(info.oldest ?? .max, item.written)
        }
        return info
    }

    /// Deletes all responses, or those of one space. Returns the number deleted.
    @discardableResult
    public func clear(space: String? = nil) throws(StoreError) -> Int {
        var count = 0
        for name in Set(try items().map(\.space)) where space.map({ Self.space($0) == name }) ?? true {
            count += try store.deleteAll(in: name)
        }
        return count
    }

    /// Deletes expired entries. Returns the number deleted.
    @discardableResult
    public func prune() throws(StoreError) -> Int { try store.deleteExpired() }

    private func items() throws(StoreError) -> [StoreItem] {
        try store.list(in: nil).filter { $0.space.hasPrefix(Self.space("")) }
    }
}

// MARK: Stored format

extension ResponseCache.Kept {
    private static let mark = Array("ythost-response-1\n".utf8)

    /// Headers that apply to one connection or to one user.
    private static let dropped = [
        "Connection", "Keep-Alive", "Transfer-Encoding", "Content-Encoding", "Content-Length", "Set-Cookie",
    ]

    /// A marker line; a line with status and time; a line with the final URL; the headers; an empty line; the body.
    var bytes: [UInt8] {
        var text = "\(response.status) \(confirmed)\n\(response.address)\n"
        for header in response.headers.all where !Self.dropped.contains(where: { WebHeaders.same($0, header.name) }) {
            text += "\(header.name):\(header.value)\n"
        }
        return Self.mark + Array(text.utf8) + [UInt8(ascii: "\n")] + response.body
    }

    /// nil if the bytes are of another version or damaged.
    init?(_ bytes: [UInt8]) {
        guard bytes.starts(with: Self.mark) else { return nil }
        var rest = bytes[Self.mark.count...]
        func line() -> String? {
            guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
            defer { rest = rest[(end + 1)...] }
            return String(decoding: rest[..<end], as: UTF8.self)
        }
        guard let first = line()?.split(separator: " "), first.count == 2, let status = Int(first[0]),
            let confirmed = Int64(first[1]), let address = line().flatMap({ WebAddress($0) })
        else { return nil }
        var headers = WebHeaders()
        while true {
            guard let text = line() else { return nil }
            if text.isEmpty { break }
            guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
            headers.append(WebHeader(String(text[..<colon]), String(text[text.utf8.index(after: colon)...])))
        }
        response = WebResponse(status: status, headers: headers, body: Array(rest), address: address)
        self.confirmed = confirmed
    }
}
