// Counts of requests to services with quotas. A request is recorded before it is sent, so killed or concurrent runs
// never overspend. If the outcome of a request is unknown, the ledger may count more than the service, but never less.

import Basics
import CCrypto
import Glibc
import Store
import Threads

/// A quota of a service.
public struct QuotaBucket: Sendable, Hashable {
    /// When the count resets.
    public enum Period: Sendable, Hashable {
        /// At midnight Pacific time (Google's services).
        case pacificDay
        /// At the time given in response headers (X-RateLimit-*).
        case headers
    }

    public var service: String
    public var name: String
    /// The account of the count: a fingerprint of the key (`QuotaLedger.fingerprint`), or an account's name.
    public var account: String
    /// Units per period. nil if only response headers give it.
    public var limit: Int?
    public var period: Period

    public init(service: String, name: String, account: String, limit: Int?, period: Period = .pacificDay) {
        self.service = service
        self.name = name
        self.account = account
        self.limit = limit
        self.period = period
    }
}

/// The cost of a request.
public struct WebCharge: Sendable, Hashable {
    public var bucket: QuotaBucket
    /// Units of the bucket's quota.
    public var units: Int

    public init(_ bucket: QuotaBucket, units: Int = 1) {
        self.bucket = bucket
        self.units = units
    }
}

/// The state of a bucket.
public struct QuotaStatus: Sendable, Equatable {
    public var spent: Int
    /// Units per period. nil if unknown.
    public var limit: Int?
    /// The service reported an exhausted quota, regardless of the local count.
    public var isExhausted: Bool
    /// Epoch seconds of the next reset. nil if unknown.
    public var resets: Int64?
    /// Remaining units. nil if unknown.
    public var left: Int? { isExhausted ? 0 : limit.map { max(0, $0 - spent) } }
}

/// A recorded request.
public struct QuotaTicket: Sendable, Hashable {
    fileprivate let charge: WebCharge
    var bucket: QuotaBucket { charge.bucket }
    fileprivate let key: String
    fileprivate let expires: Int64
}

/// Counts by service, bucket, account and period, shared by all processes.
public final class QuotaLedger: Sendable {
    private let store: any KeyValueStore
    private let day: QuotaDay
    private let now: @Sendable () -> Int64
    /// Changes that could not be written to the store, for example because the disk is full. Only this process knows
    /// them. Reservations are never among them: a request that cannot be recorded is not sent.
    private let unwritten = Monitor<[String: Count]>([:])
    private let warn: @Sendable (StoreError) -> Void

    /// - Parameters:
    ///   - now: epoch seconds.
    ///   - warn: called when the outcome of a request cannot be recorded.
    public init(
        store: any KeyValueStore, day: QuotaDay = QuotaDay(),
        now: @escaping @Sendable () -> Int64 = { Int64(time(nil)) },
        warn: @escaping @Sendable (StoreError) -> Void = { _ in }
    ) {
        self.store = store
        self.day = day
        self.now = now
        self.warn = warn
    }

    /// The first 16 hexadecimal digits of a key's SHA-256. It identifies a key but does not reveal it. Without
    /// libcrypto all keys share one fingerprint, which counts too much rather than too little.
    public static func fingerprint(_ secret: Secret) -> String {
        var digest = [UInt8](repeating: 0, count: 32)
        let bytes = Array(secret.reveal().utf8)
        guard bytes.withUnsafeBytes({ ccrypto_sha256($0.baseAddress, $0.count, &digest) }) else { return "any" }
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: digest[..<8].flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    // MARK: Spending

    /// Records a request before it is sent.
    ///
    /// - Throws: `WebError.quotaSpent` if too few units are left; nothing is recorded then. `WebError.notCounted` if
    ///   the request cannot be recorded, since other processes would not count it.
    public func reserve(_ charge: WebCharge) throws(WebError) -> QuotaTicket {
        let (key, expires) = place(charge.bucket)
        let now = now()
        let extra = unwritten.withLock { $0[key] }
        let refusal: QuotaStatus?
        do throws(StoreError) {
            refusal = try store.update(key, in: Self.space, expires: expires) { value -> QuotaStatus? in
                var count = value.map(Count.init) ?? Count()
                count.renew(now)
                var known = count
                if let extra { known.add(extra) }
                let status = known.status(charge.bucket, resets: self.resets(charge.bucket, now))
                if let left = status.left, left < charge.units { return status }
                count.spent += charge.units
                value = count.bytes
                return nil
            }
        } catch {
            throw .notCounted(charge.bucket, error)
        }
        if let refusal { throw .quotaSpent(charge.bucket, refusal) }
        return QuotaTicket(charge: charge, key: key, expires: expires)
    }

    /// Sets the outcome of a request. Its units are returned only if no byte of it was sent.
    public func settle(_ ticket: QuotaTicket, _ outcome: SendOutcome) {
        guard outcome == .notSent else { return }
        change(ticket.key, ticket.expires, ticket.charge.bucket) { $0.spent = max(0, $0.spent - ticket.charge.units) }
    }

    /// Marks the quota of this period as exhausted, as the service reported.
    public func exhaust(_ ticket: QuotaTicket) {
        change(ticket.key, ticket.expires, ticket.charge.bucket) { $0.isExhausted = true }
    }

    /// Sets a bucket's limit, remaining units and reset time from X-RateLimit-Limit, -Remaining and -Reset of a
    /// response. The reset is in epoch seconds, in seconds from now, or a date.
    public func learn(_ bucket: QuotaBucket, from response: WebResponse) {
        guard bucket.period == .headers, let limit = response.headers["X-RateLimit-Limit"].flatMap({ Int($0) }),
            let left = response.headers["X-RateLimit-Remaining"].flatMap({ Int($0) }), limit >= 0
        else { return }
        let now = now()
        let resets = response.headers["X-RateLimit-Reset"].flatMap { Self.reset($0, now) } ?? now + 60
        let (key, expires) = place(bucket)
        change(key, expires, bucket) { count in
            count.renew(now)
            let said = max(0, limit - left)
            // Responses within one period may arrive out of order.
            let isSame = count.resets.map { abs($0 - resets) <= 2 } ?? false
            count.spent = isSame ? max(count.spent, said) : said
            count.limit = limit
            count.resets = resets
        }
    }

    /// Parses X-RateLimit-Reset: epoch seconds, seconds from now, or a date. The result is in epoch seconds.
    public static func reset(_ text: String, _ now: Int64) -> Int64? {
        guard let number = Int64(text) else { return Timestamp.parse(text) }
        return number < 1_000_000_000 ? now + max(0, min(number, 31 * 86_400)) : number
    }

    // MARK: Status

    /// The state of a bucket. nil if the store cannot be read.
    public func status(_ bucket: QuotaBucket) -> QuotaStatus? { try? read(bucket) }

    /// The state of a bucket.
    ///
    /// - Parameter time: epoch seconds within the period in question. nil for now.
    /// - Throws: `StoreError` if the store cannot be read.
    public func read(_ bucket: QuotaBucket, at time: Int64? = nil) throws(StoreError) -> QuotaStatus {
        let now = time ?? now()
        let (key, _) = place(bucket, now)
        var count = try store.get(key, in: Self.space).map { Count($0.value) } ?? Count()
        if let extra = unwritten.withLock({ $0[key] }) { count.add(extra) }
        count.renew(now)
        return count.status(bucket, resets: resets(bucket, now))
    }

    /// Deletes the count of a bucket's current period, for a key whose quota was raised.
    public func forget(_ bucket: QuotaBucket) throws(StoreError) {
        let (key, _) = place(bucket)
        unwritten.withLock { $0[key] = nil }
        try store.delete(key, in: Self.space)
    }

    // MARK: Storage

    private static let space = "quota"

    private func resets(_ bucket: QuotaBucket, _ now: Int64) -> Int64? {
        bucket.period == .pacificDay ? day.end(after: now) : nil
    }

    /// The store key of a bucket's current period, and when the entry expires, in epoch seconds.
    private func place(_ bucket: QuotaBucket, _ time: Int64? = nil) -> (key: String, expires: Int64) {
        let now = time ?? now()
        let period = bucket.period == .pacificDay ? "\(day.number(at: now))" : "window"
        let parts = [bucket.service, bucket.account, bucket.name].map(Escape.url)
        return ((parts + [period]).joined(separator: "/"), now + 40 * 86_400)
    }

    @discardableResult
    private func change<Result>(
        _ key: String, _ expires: Int64, _ bucket: QuotaBucket, _ body: (inout Count) -> Result
    ) -> Result {
        let pending = unwritten.withLock { $0.removeValue(forKey: key) }
        do throws(StoreError) {
            return try store.update(key, in: Self.space, expires: expires) { value in
                var count = value.map(Count.init) ?? Count()
                if let pending { count.add(pending) }
                let result = body(&count)
                value = count.bytes
                return result
            }
        } catch {
            warn(error)
            // Keep the difference to the stored count in memory.
            var count = ((try? store.get(key, in: Self.space)) ?? nil).map { Count($0.value) } ?? Count()
            let known = count
            if let pending { count.add(pending) }
            let result = body(&count)
            unwritten.withLock { $0[key] = count.minus(known) }
            return result
        }
    }
}

/// The count of one bucket in one period.
private struct Count: Equatable {
    var spent = 0
    var isExhausted = false
    /// From response headers. nil if they were missing.
    var limit: Int?
    var resets: Int64?

    init() {}

    /// Parses `spent=3 exhausted=1 limit=100 resets=1700000000`. Invalid words are ignored.
    init(_ bytes: [UInt8]) {
        for word in String(decoding: bytes, as: UTF8.self).split(separator: " ") {
            let parts = word.split(separator: "=")
            guard parts.count == 2, let number = Int64(parts[1]) else { continue }
            switch parts[0] {
            case "spent": spent = Int(number)
            case "exhausted": isExhausted = number == 1
            case "limit": limit = Int(number)
            case "resets": resets = number
            default: break
            }
        }
    }

    var bytes: [UInt8] {
        var text = "spent=\(spent)"
        if isExhausted { text += " exhausted=1" }
        if let limit { text += " limit=\(limit)" }
        if let resets { text += " resets=\(resets)" }
        return Array(text.utf8)
    }

    /// Resets the count once the reset time from the response headers has passed.
    mutating func renew(_ now: Int64) {
        if let resets, resets <= now { self = Count() }
    }

    mutating func add(_ other: Count) {
        spent += other.spent
        isExhausted = isExhausted || other.isExhausted
        limit = other.limit ?? limit
        resets = other.resets ?? resets
    }

    func minus(_ other: Count) -> Count {
        var rest = self
        rest.spent -= other.spent
        return rest
    }

    func status(_ bucket: QuotaBucket, resets known: Int64?) -> QuotaStatus {
        QuotaStatus(spent: spent, limit: limit ?? bucket.limit, isExhausted: isExhausted, resets: known ?? resets)
    }
}
