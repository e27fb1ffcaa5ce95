// Answers that are kept: when one may be given again, and how it is written down. Keys are addresses without secrets, in
// a space for each credential, so that nobody is given what another account was told.

import Basics
import Glibc
import Store

/// What a request does with answers that were kept.
public enum CachePolicy: String, Sendable, CaseIterable {
    /// Asks the server; what comes is kept all the same.
    case networkOnly = "network-only"
    /// Never asks the server.
    case localOnly = "local-only"
    /// Asks the server unless what is kept is fresh, and falls back on what is kept when that fails.
    case networkThenLocal = "network-then-local"
    /// Gives what is kept, of any age, and asks the server afterwards unless it is fresh.
    case localThenNetwork = "local-then-network"
}

/// How one request uses the cache.
public struct CacheUse: Sendable {
    public var policy: CachePolicy
    /// Seconds for which an answer is fresh: as good as a new one. Answers that bear an ETag or Last-Modified are asked
    /// for again with a condition when they are no longer fresh, or kept without one.
    public var freshFor: Int64 = 0
    /// Seconds after which it is deleted. YouTube's terms allow 30 days.
    public var keptFor: Int64 = 30 * 86_400
    /// Whether the answer is kept.
    public var stores = true
    /// Who is asking: a service and a fingerprint of the key, or a named account. Never a secret.
    public var space: String

    public init(space: String, policy: CachePolicy = .networkThenLocal, freshFor: Int64 = 0) {
        self.space = space
        self.policy = policy
        self.freshFor = freshFor
    }
}

/// How old an answer is, and why it is given.
public enum ResponseOrigin: Sendable, Equatable {
    case network
    /// Kept; so many seconds ago it was new or confirmed.
    case kept(age: Int64)
    /// Kept, and just confirmed by the server (304).
    case confirmed
    /// Kept, since the server could not be asked.
    case fallback(age: Int64, WebError)
    /// Kept, since the server answered with such a status.
    case fallbackAfter(age: Int64, status: Int)
}

/// Kept answers.
public final class ResponseCache: Sendable {
    private let store: any KeyValueStore
    private let now: @Sendable () -> Int64

    /// - Parameter now: epoch seconds.
    public init(store: any KeyValueStore, now: @escaping @Sendable () -> Int64 = { Int64(time(nil)) }) {
        self.store = store
        self.now = now
    }

    /// What an answer was, and when.
    struct Kept: Equatable {
        var response: WebResponse
        /// Epoch seconds when it was new or confirmed.
        var confirmed: Int64
    }

    static func key(_ request: WebRequest) -> String {
        var address = request.address
        address.fragment = nil
        return "\(request.method.rawValue) \(address)"
    }

    /// Spaces of the store are shared with nothing else.
    private static func space(_ name: String) -> String { "response/" + name }

    func find(_ request: WebRequest, _ use: CacheUse) throws(StoreError) -> (kept: Kept, age: Int64)? {
        let key = Self.key(request)
        guard let entry = try store.get(key, in: Self.space(use.space)) else { return nil }
        guard let kept = Kept(entry.value) else {
            try store.delete(key, in: Self.space(use.space))
            return nil
        }
        let passed = now() - kept.confirmed
        // From what is a future now, since the clock was set back: it may be as old as anything.
        let age = passed < -60 ? min(max(0, use.freshFor), use.keptFor - 1) : max(0, passed)
        // A shorter time than when it was kept may hold now.
        return age < use.keptFor ? (kept, age) : nil
    }

    func keep(_ response: WebResponse, for request: WebRequest, _ use: CacheUse) throws(StoreError) {
        let now = now()
        let kept = Kept(response: response, confirmed: now)
        try store.put(
            kept.bytes, for: Self.key(request), in: Self.space(use.space), expires: now + max(1, use.keptFor))
    }

    // MARK: For the user

    /// What is in the cache.
    public struct Info: Sendable {
        public var entries = 0
        /// Bytes of all entries.
        public var size = 0
        /// By space: how many entries, how many bytes.
        public var spaces: [String: (entries: Int, size: Int)] = [:]
        /// Epoch seconds of the oldest entry; nil when there is none.
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

    /// Deletes every answer, or those of one space. How many there were.
    @discardableResult
    public func clear(space: String? = nil) throws(StoreError) -> Int {
        var count = 0
        for name in Set(try items().map(\.space)) where space.map({ Self.space($0) == name }) ?? true {
            count += try store.deleteAll(in: name)
        }
        return count
    }

    /// Deletes what has expired. How many there were.
    @discardableResult
    public func prune() throws(StoreError) -> Int { try store.deleteExpired() }

    private func items() throws(StoreError) -> [StoreItem] {
        try store.list(in: nil).filter { $0.space.hasPrefix(Self.space("")) }
    }
}

// MARK: As bytes

extension ResponseCache.Kept {
    private static let mark = Array("ythost-response-1\n".utf8)

    /// Headers that are for one connection, or for one person alone.
    private static let dropped = [
        "Connection", "Keep-Alive", "Transfer-Encoding", "Content-Encoding", "Content-Length", "Set-Cookie",
    ]

    /// A mark, lines of the status and the time, the address it came from, and the headers; an empty line, the body.
    var bytes: [UInt8] {
        var text = "\(response.status) \(confirmed)\n\(response.address)\n"
        for header in response.headers.all where !Self.dropped.contains(where: { WebHeaders.same($0, header.name) }) {
            text += "\(header.name):\(header.value)\n"
        }
        return Self.mark + Array(text.utf8) + [UInt8(ascii: "\n")] + response.body
    }

    /// nil when the bytes are of another version, or damaged.
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
