// Where requests are sent from: what is kept is looked at first, the quota is asked, and then the server.

import Store
import Threads

/// What a session is made with.
public struct WebConfiguration: Sendable {
    /// Sent as User-Agent unless a request has its own.
    public var userAgent = "ythost"
    public var environment = WebEnvironment()
    /// How many requests may be sent again, all together, before trouble is no longer waited out.
    public var retries = 20
    /// Answers that are kept; nil when none are.
    public var cache: ResponseCache?
    /// Counts what requests cost; nil when nobody does.
    public var ledger: QuotaLedger?
    /// Nothing is sent: every request is as with `CachePolicy.localOnly`.
    public var isOffline = false
    /// Is told, once, when the cache cannot be used. Requests are answered all the same.
    public var warn: @Sendable (StoreError) -> Void = { _ in }

    public init() {}
}

/// Sends requests. Any number of threads may use one at the same time; connections are shared among them, and stay open
/// between requests.
public final class WebSession: Sendable {
    let configuration: WebConfiguration
    let engine = Engine()
    let retriesLeft: Monitor<Int>
    /// Cancelled by `cancelAll`, then replaced.
    private let everything = Monitor(CancellationToken())
    private let hasWarned = Monitor(false)
    private let refreshes = Refreshes()

    public init(_ configuration: WebConfiguration = WebConfiguration()) {
        self.configuration = configuration
        retriesLeft = Monitor(configuration.retries)
    }

    /// Ends all requests that are under way, with `WebError.cancelled`.
    public func cancelAll() {
        let token = everything.withLock { current in
            defer { current = CancellationToken() }
            return current
        }
        token.cancel()
    }

    func tokens(_ request: WebRequest) -> [CancellationToken] {
        [everything.withLock { $0 }] + [request.token, CancellationToken.current].compactMap(\.self)
    }

    /// Gives the answer to a request, whatever its status: from the server or from what is kept, as its `cache` says.
    /// Blocks until it is there.
    public func send(_ request: WebRequest) throws(WebError) -> WebResponse {
        let (use, policy) = use(request)
        switch policy {
        case .networkOnly:
            return try ask(request, use, nil).response
        case .localOnly:
            guard let found = find(request, use) else { throw .notKept }
            return found.given(.kept(age: found.age))
        case .networkThenLocal:
            let found = find(request, use)
            if let found, found.isFresh(use) { return found.given(.kept(age: found.age)) }
            return try askOrFallBack(request, use, found)
        case .localThenNetwork:
            guard let found = find(request, use) else { return try ask(request, use, nil).response }
            if !found.isFresh(use) {
                refreshes.add(ResponseCache.key(request) + " " + (use?.space ?? "")) { [self] in
                    _ = try? ask(request, use, found)
                }
            }
            return found.given(.kept(age: found.age))
        }
    }

    /// The same, telling every step, as VIMNetworking's completions did. `networkThenLocal` tells a failure before what
    /// is kept; `localThenNetwork` tells what is kept, or `WebError.notKept`, before what the server says. Freshness
    /// plays no part. The last call has `isFinal`, and all come before this returns; a request that is cancelled calls
    /// nothing more.
    public func send(_ request: WebRequest, each take: (Result<WebResponse, WebError>, _ isFinal: Bool) -> Void) {
        let (use, policy) = use(request)
        func kept() -> Result<WebResponse, WebError> {
            find(request, use).map { .success($0.given(.kept(age: $0.age))) } ?? .failure(.notKept)
        }
        func asked(_ found: Found?) -> Result<WebResponse, WebError> {
            do throws(WebError) { return .success(try ask(request, use, found).response) } catch {
                return .failure(error)
            }
        }
        // Those of now: who cancels everything in between means this request, too.
        let tokens = tokens(request)
        /// Whether it was not cancelled, by whoever was called last neither.
        @discardableResult
        func tell(_ result: @autoclosure () -> Result<WebResponse, WebError>, _ isFinal: Bool) -> Bool {
            if tokens.contains(where: \.isCancelled) { return false }
            let result = result()
            if case .failure(.cancelled) = result { return false }
            if tokens.contains(where: \.isCancelled) { return false }
            take(result, isFinal)
            return true
        }
        switch policy {
        case .networkOnly: tell(asked(nil), true)
        case .localOnly: tell(kept(), true)
        case .networkThenLocal:
            let first = asked(find(request, use))
            if case .success = first {
                tell(first, true)
            } else if tell(first, false) {
                tell(kept(), true)
            }
        case .localThenNetwork:
            if tell(kept(), false) { tell(asked(find(request, use)), true) }
        }
    }

    /// Waits until what `localThenNetwork` asks for afterwards has come, at most so many seconds; then gives it up.
    public func finish(within seconds: Double) {
        if !refreshes.wait(seconds: seconds) { cancelAll() }
    }

    // MARK: What is kept

    struct Found {
        let kept: ResponseCache.Kept
        let age: Int64

        func isFresh(_ use: CacheUse?) -> Bool { age < (use?.freshFor ?? 0) }

        func given(_ origin: ResponseOrigin) -> WebResponse {
            var response = kept.response
            response.origin = origin
            return response
        }
    }

    private func use(_ request: WebRequest) -> (CacheUse?, CachePolicy) {
        let use = configuration.cache != nil && request.method == .get ? request.cache : nil
        if configuration.isOffline || Offline.isOn { return (use, .localOnly) }
        // Who asks for what is kept alone does not want the server asked where nothing can be.
        return (use, use?.policy ?? (request.cache?.policy == .localOnly ? .localOnly : .networkOnly))
    }

    /// What is kept. Nothing is of an address that this request may not ask, though another one might.
    private func find(_ request: WebRequest, _ use: CacheUse?) -> Found? {
        guard let cache = configuration.cache, let use, Redirects(request, configuration).mayBeAsked else { return nil }
        do throws(StoreError) {
            return try cache.find(request, use).map { Found(kept: $0.kept, age: $0.age) }
        } catch {
            warn(error)
            return nil
        }
    }

    private func keep(_ response: WebResponse, _ request: WebRequest, _ use: CacheUse) {
        guard let cache = configuration.cache, use.stores else { return }
        do throws(StoreError) {
            try cache.keep(response, for: request, use)
        } catch {
            if case .tooLarge = error { return }
            warn(error)
        }
    }

    private func warn(_ error: StoreError) {
        let isFirst = hasWarned.withLock { hasWarned in
            defer { hasWarned = true }
            return !hasWarned
        }
        if isFirst { configuration.warn(error) }
    }

    // MARK: Asking

    private func askOrFallBack(_ request: WebRequest, _ use: CacheUse?, _ found: Found?) throws(WebError) -> WebResponse
    {
        do throws(WebError) {
            let (response, verdict) = try ask(request, use, found)
            guard let found, verdict != .final else { return response }
            return found.given(.fallbackAfter(age: found.age, status: response.status))
        } catch {
            guard let found, error.allowsFallback else { throw error }
            return found.given(.fallback(age: found.age, error))
        }
    }

    /// Asks the server; with something kept, whether that still holds.
    private func ask(
        _ request: WebRequest, _ use: CacheUse?, _ found: Found?
    ) throws(WebError) -> (response: WebResponse, verdict: WebVerdict) {
        var sent = request
        if let headers = found?.kept.response.headers {
            if let tag = headers["ETag"] { sent.headers.append(WebHeader("If-None-Match", tag)) }
            if let time = headers["Last-Modified"] { sent.headers.append(WebHeader("If-Modified-Since", time)) }
        }
        let isConditional = sent.headers.count > request.headers.count
        var (response, verdict) = try deliver(sent)
        // What is sent back is neither kept nor given to anybody.
        if !request.secrets.isEmpty { Redaction(request.secrets).redact(&response) }
        if isConditional, response.status == 304, let found {
            let attempts = response.attempts
            response = found.given(.confirmed)
            response.attempts = attempts
        }
        if let use, verdict == .final, response.status == 200 { keep(response, request, use) }
        return (response, verdict)
    }
}

extension WebError {
    /// Whether an answer that was kept may stand in.
    var allowsFallback: Bool {
        switch self {
        case .cancelled, .badRequest, .refusedTarget, .outOfMemory: false
        default: true
        }
    }
}
