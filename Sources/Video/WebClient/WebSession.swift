// HTTP sessions. A request is looked up in the cache first, then counted in the quota ledger, then sent.

import Store
import Threads

/// The configuration of a session.
public struct WebConfiguration: Sendable {
    /// The default User-Agent.
    public var userAgent = "ythost"
    public var environment = WebEnvironment()
    /// The maximum number of retries in the whole session.
    public var retries = 20
    /// The response cache. nil for no caching.
    public var cache: ResponseCache?
    /// Counts the quota cost of requests. nil for no counting.
    public var ledger: QuotaLedger?
    /// Whether no request is sent: every request behaves as with `CachePolicy.localOnly`.
    public var isOffline = false
    /// Called once if the cache cannot be used. Requests continue without it.
    public var warn: @Sendable (StoreError) -> Void = { _ in }

    public init() {}
}

/// Sends requests. A session is thread-safe; its threads share connections, which stay open between requests.
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

    /// Cancels all active requests. They fail with `WebError.cancelled`.
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

    /// Returns the response to a request, with any status, from the server or from the cache as `request.cache`
    /// demands. Blocks until the response is complete.
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

    /// Sends a request and reports each step, as the completions of VIMNetworking did. `networkThenLocal` reports a
    /// failure and then the cached response. `localThenNetwork` reports the cached response or `WebError.notKept`, then
    /// the server's response. Freshness is ignored. The last call has `isFinal`, and all calls happen before this
    /// method returns. After a cancellation there are no further calls.
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
        // Taken once: a `cancelAll` during the call must cancel this request, too.
        let tokens = tokens(request)
        /// Reports a result. Returns false if the request is cancelled, which a previous call may have done.
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

    /// Waits for background refreshes of `localThenNetwork`. Cancels them if the timeout in seconds expires.
    public func finish(within seconds: Double) {
        if !refreshes.wait(seconds: seconds) { cancelAll() }
    }

    // MARK: The cache

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
        // Without a cache, `localOnly` must still not send the request.
        return (use, use?.policy ?? (request.cache?.policy == .localOnly ? .localOnly : .networkOnly))
    }

    /// Looks up the cached response. nil if this request may not connect to the address, even if another request may.
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

    // MARK: Sending

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

    /// Sends the request, as a conditional request if a cached response has an ETag or Last-Modified.
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
        // Redact echoed secrets before the response is cached or returned.
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
    /// Whether a cached response may be used instead.
    var allowsFallback: Bool {
        switch self {
        case .cancelled, .badRequest, .refusedTarget, .outOfMemory: false
        default: true
        }
    }
}
