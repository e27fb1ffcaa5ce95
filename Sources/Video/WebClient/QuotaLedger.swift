// How many calls were spent at services that count them. A call is written down before it is sent, so that a run that is
// killed, or two runs at once, never spend more than there is: the ledger may say more than the service counted, when it
// is not known what became of a call, but never less.

import Basics
import CCrypto
import Glibc
import Store
import Threads

/// Something that a service counts.
public struct QuotaBucket: Sendable, Hashable {
    /// When a count begins anew.
    public enum Period: Sendable, Hashable {
        /// At midnight Pacific time (Google's services).
        case pacificDay
        /// When the service says so in its answers (X-RateLimit-*).
        case headers
    }

    public var service: String
    public var name: String
    /// Whose count it is: a fingerprint of the key (`QuotaLedger.fingerprint`), or an account's name.
    public var account: String
    /// Units a period; nil when it is known from answers alone.
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

/// What a request costs.
public struct WebCharge: Sendable, Hashable {
    public var bucket: QuotaBucket
    /// Units.
    public var units: Int

    public init(_ bucket: QuotaBucket, units: Int = 1) {
        self.bucket = bucket
        self.units = units
    }
}

/// Where a bucket stands.
public struct QuotaStatus: Sendable, Equatable {
    public var spent: Int
    /// nil when it is not known.
    public var limit: Int?
    /// The service said that nothing is left, whatever was counted here.
    public var isExhausted: Bool
    /// Epoch seconds when the count begins anew; nil when it is not known.
    public var resets: Int64?
    /// Units that may still be spent; nil when it is not known.
    public var left: Int? { isExhausted ? 0 : limit.map { max(0, $0 - spent) } }
}

/// A call that was written down.
public struct QuotaTicket: Sendable, Hashable {
    fileprivate let charge: WebCharge
    var bucket: QuotaBucket { charge.bucket }
    fileprivate let key: String
    fileprivate let expires: Int64
}

/// Counts per service, bucket, account and period, shared by all processes.
public final class QuotaLedger: Sendable {
    private let store: any KeyValueStore
    private let day: QuotaDay
    private let now: @Sendable () -> Int64
    /// What could not be written to the store, because the disk is full, say: known to this process at least. Calls are
    /// never among it, since one that cannot be written down is not made.
    private let unwritten = Monitor<[String: Count]>([:])
    private let warn: @Sendable (StoreError) -> Void

    /// - Parameters:
    ///   - now: epoch seconds.
    ///   - warn: is told when what a call came to cannot be written down.
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

    /// The first 16 hexadecimal digits of a key's SHA-256: tells keys apart, and no key can be made of it. Without
    /// libcrypto all keys are one, which counts too much rather than too little.
    public static func fingerprint(_ secret: Secret) -> String {
        var digest = [UInt8](repeating: 0, count: 32)
        let bytes = Array(secret.reveal().utf8)
        guard bytes.withUnsafeBytes({ ccrypto_sha256($0.baseAddress, $0.count, &digest) }) else { return "any" }
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: digest[..<8].flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    // MARK: Spending

    /// Writes a call down before it is sent.
    ///
    /// - Throws: `WebError.quotaSpent` when there is not so much left; nothing is written then. `notCounted` when it
    ///   cannot be written: nobody else would know of the call.
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

    /// Says what became of a call: it is given back only when no byte of it was sent.
    public func settle(_ ticket: QuotaTicket, _ outcome: SendOutcome) {
        guard outcome == .notSent else { return }
        change(ticket.key, ticket.expires, ticket.charge.bucket) { $0.spent = max(0, $0.spent - ticket.charge.units) }
    }

    /// The service said that the quota of this period is used up.
    public func exhaust(_ ticket: QuotaTicket) {
        change(ticket.key, ticket.expires, ticket.charge.bucket) { $0.isExhausted = true }
    }

    /// Learns a bucket's limit, what is left and when it resets from an answer's X-RateLimit-Limit, -Remaining and
    /// -Reset, the last one epoch seconds, seconds from now, or a date.
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
            // Answers may overtake each other within one period.
            let isSame = count.resets.map { abs($0 - resets) <= 2 } ?? false
            count.spent = isSame ? max(count.spent, said) : said
            count.limit = limit
            count.resets = resets
        }
    }

    /// Epoch seconds that an X-RateLimit-Reset means: such, seconds from now, or a date.
    public static func reset(_ text: String, _ now: Int64) -> Int64? {
        guard let number = Int64(text) else { return Timestamp.parse(text) }
        return number < 1_000_000_000 ? now + max(0, min(number, 31 * 86_400)) : number
    }

    // MARK: Looking

    /// Where a bucket stands; nil when the store cannot be read.
    public func status(_ bucket: QuotaBucket) -> QuotaStatus? { try? read(bucket) }

    /// The same.
    ///
    /// - Parameter time: epoch seconds of the period that is asked about; nil for now.
    public func read(_ bucket: QuotaBucket, at time: Int64? = nil) throws(StoreError) -> QuotaStatus {
        let now = time ?? now()
        let (key, _) = place(bucket, now)
        var count = try store.get(key, in: Self.space).map { Count($0.value) } ?? Count()
        if let extra = unwritten.withLock({ $0[key] }) { count.add(extra) }
        count.renew(now)
        return count.status(bucket, resets: resets(bucket, now))
    }

    /// Forgets all counts of a bucket's present period, for a key whose quota was raised.
    public func forget(_ bucket: QuotaBucket) throws(StoreError) {
        let (key, _) = place(bucket)
        unwritten.withLock { $0[key] = nil }
        try store.delete(key, in: Self.space)
    }

    // MARK: Keeping

    private static let space = "quota"

    private func resets(_ bucket: QuotaBucket, _ now: Int64) -> Int64? {
        bucket.period == .pacificDay ? day.end(after: now) : nil
    }

    /// The key of a bucket's present period, and when the entry may go.
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
            // What the store still knows, and what it could not take in.
            var count = ((try? store.get(key, in: Self.space)) ?? nil).map { Count($0.value) } ?? Count()
            let known = count
            if let pending { count.add(pending) }
            let result = body(&count)
            unwritten.withLock { $0[key] = count.minus(known) }
            return result
        }
    }
}

/// One bucket's count in one period.
private struct Count: Equatable {
    var spent = 0
    var isExhausted = false
    /// What answers said; nil when they did not.
    var limit: Int?
    var resets: Int64?

    init() {}

    /// `spent=3 exhausted=1 limit=100 resets=1700000000`; what cannot be read counts as nothing.
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

    /// Begins anew when the time that answers named has come.
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
