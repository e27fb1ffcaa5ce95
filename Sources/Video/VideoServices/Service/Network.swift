// What services share of the network: one session, the answers that are kept, the counts of calls, the keys. Making one
// costs nothing; files are opened and threads started when a service first asks for something.

import Glibc
import Store
import Threads
import WebClient

/// The way to the network, and what is kept of it.
public final class Network: Sendable {
    /// How it is set up.
    public struct Settings: Sendable {
        /// Environment variables: keys, addresses of services, proxies.
        public var variable: @Sendable (String) -> String? = { _ in nil }
        /// Whether such a variable says something. A program whose memory another process will copy answers without
        /// reading the value, which may be a key; nil to read it.
        public var hasVariable: (@Sendable (String) -> Bool)?
        /// Folders for keys, kept answers and counts, which are made when they are needed; nil to have none.
        public var configurationFolder: String?
        public var cacheFolder: String?
        public var stateFolder: String?
        /// Whether calls are refused where there is no folder for their counts; else they are counted for this object
        /// alone, and forgotten with it.
        public var needsCounts = false
        /// The profile whose key is used; nil for the chosen one.
        public var profile: String?
        /// What is done with answers that are kept, if somebody said so: a policy that is named does what it says. Where
        /// none is, answers are as with `networkThenLocal`, but for those that are fresh, which are given without asking.
        public var policy: CachePolicy?
        /// Whether answers that are kept must be confirmed or replaced before they are given.
        public var isFresh = false
        /// Nothing is sent.
        public var isOffline = false
        /// Bytes of kept answers, at most.
        public var cacheCapacity = 256 << 20
        public var userAgent = "ythost (gzip)"
        /// Is told what went wrong beside the answers: a file that cannot be used, or was damaged.
        public var warn: @Sendable (NetworkWarning) -> Void = { _ in }

        public init() {}
    }

    public let settings: Settings
    private let parts = Monitor<Parts?>(nil)

    private struct Parts {
        let session: WebSession
        let ledger: QuotaLedger
        let cache: ResponseCache?
    }

    public init(_ settings: Settings = Settings()) { self.settings = settings }

    /// Sends requests; made when it is first asked for.
    public var session: WebSession { made.session }
    public var ledger: QuotaLedger { made.ledger }
    /// nil when there is no folder for it.
    public var cache: ResponseCache? { made.cache }

    /// nil when there is no folder for them.
    public var credentials: CredentialStore? {
        settings.configurationFolder.map { CredentialStore(folder: $0 + "/credentials") }
    }

    /// Whether there ever was a login at a service, whatever became of the key.
    public func hadLogin(_ service: String) -> Bool {
        settings.configurationFolder.map { access("\($0)/credentials/\(service)", F_OK) == 0 } ?? false
    }

    /// How a call uses what is kept.
    ///
    /// - Parameters:
    ///   - policy: what the call itself says; nil for what was said for all.
    ///   - freshFor: seconds for which an answer is as good as a new one, where nobody named a policy.
    public func cacheUse(space: String, policy: CachePolicy? = nil, freshFor: Int64 = 0) -> CacheUse {
        let named = policy ?? settings.policy
        return CacheUse(
            space: space, policy: named ?? .networkThenLocal,
            freshFor: settings.isFresh || named != nil ? 0 : freshFor)
    }

    /// Waits for what is still asked for after its answer was given, at most so many seconds.
    public func finish(within seconds: Double) {
        parts.withLock { $0 }?.session.finish(within: seconds)
    }

    /// Ends all requests that are under way.
    public func cancel() { parts.withLock { $0 }?.session.cancelAll() }

    private var made: Parts {
        parts.withLock { parts in
            if let parts { return parts }
            let warn = settings.warn
            func store(
                _ path: String, _ options: StoreOptions, warn told: @escaping @Sendable (StoreWarning) -> NetworkWarning
            ) -> SQLiteStore {
                var options = options
                options.warn = { warn(told($0)) }
                return SQLiteStore(path: path, options: options)
            }
            let counts: any KeyValueStore =
                if let folder = settings.stateFolder {
                    store(folder + "/quota.sqlite", StoreOptions(isDurable: true)) { .forgotten($0) }
                } else if settings.needsCounts { NoStore() } else { MemoryStore() }
            let ledger = QuotaLedger(store: counts, warn: { warn(.counts($0)) })
            let cache = settings.cacheFolder.map {
                ResponseCache(
                    store: store($0 + "/responses.sqlite", StoreOptions(capacity: settings.cacheCapacity)) {
                        .mended($0)
                    })
            }
            var configuration = WebConfiguration()
            configuration.userAgent = settings.userAgent
            configuration.environment = WebEnvironment(settings.variable)
            configuration.cache = cache
            configuration.ledger = ledger
            configuration.isOffline = settings.isOffline
            configuration.warn = { warn(.answers($0)) }
            let new = Parts(session: WebSession(configuration), ledger: ledger, cache: cache)
            parts = new
            return new
        }
    }
}

/// Something that went wrong, or was mended, beside the answers.
public enum NetworkWarning: Sendable, Equatable {
    /// The damaged file of kept answers was set aside.
    case mended(StoreWarning)
    /// The damaged file of call counts was set aside, and with it what was spent.
    case forgotten(StoreWarning)
    /// What came of a call cannot be written down; the call itself was.
    case counts(StoreError)
    /// Answers cannot be kept.
    case answers(StoreError)
    /// A token that nobody uses here any more is still good.
    case tokenLeft(service: String, Token, Cause)

    public enum Token: Sendable, Equatable {
        /// One that was just issued, and is not kept.
        case new
        /// The one that a profile had before.
        case replaced(profile: String)
    }

    /// Why a token could not be ended.
    public enum Cause: Sendable, Equatable {
        /// Nothing may be sent.
        case offline
        /// Another server gave it than the one that is asked now.
        case elsewhere(server: String)
        /// It cannot be sent as it is.
        case unsendable
        case failed(ServiceError)
    }
}

/// Where there is no folder and must be one.
private struct NoStore: KeyValueStore {
    private func failure() -> StoreError { .cannotOpen(path: "the call counts", reason: "there is no home folder") }

    func get(_ key: String, in space: String) throws(StoreError) -> StoreEntry? { throw failure() }
    func put(_ value: [UInt8], for key: String, in space: String, expires: Int64?) throws(StoreError) {
        throw failure()
    }
    func update<Result>(
        _ key: String, in space: String, expires: Int64?, _ change: (inout [UInt8]?) -> Result
    ) throws(StoreError) -> Result { throw failure() }
    func delete(_ key: String, in space: String) throws(StoreError) { throw failure() }
    func deleteAll(in space: String?) throws(StoreError) -> Int { 0 }
    func deleteExpired() throws(StoreError) -> Int { 0 }
    func list(in space: String?) throws(StoreError) -> [StoreItem] { [] }
}
