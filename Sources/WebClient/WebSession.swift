// Sending a request until there is an answer: redirects are followed here and not by libcurl, because at each of them
// it has to be decided anew who may be asked, and what may be told.

import Synchronization
import VideoModel

/// What a session is made with.
public struct WebConfiguration: Sendable {
    /// Sent as User-Agent unless a request has its own.
    public var userAgent = "ythost"
    public var environment = WebEnvironment()
    /// How many requests may be sent again, all together, before trouble is no longer waited out.
    public var retries = 20

    public init() {}
}

/// Sends requests. Any number of threads may use one at the same time; connections are shared among them, and stay open
/// between requests.
public final class WebSession: Sendable {
    private let configuration: WebConfiguration
    private let engine = Engine()
    private let retriesLeft: Mutex<Int>
    /// Cancelled by `cancelAll`, then replaced.
    private let everything = Mutex(CancellationToken())

    public init(_ configuration: WebConfiguration = WebConfiguration()) {
        self.configuration = configuration
        retriesLeft = Mutex(configuration.retries)
    }

    /// Ends all requests that are under way, with `WebError.cancelled`.
    public func cancelAll() {
        let token = everything.withLock { current in
            defer { current = CancellationToken() }
            return current
        }
        token.cancel()
    }

    /// Sends a request and waits for the answer, whatever its status.
    public func send(_ request: WebRequest) throws(WebError) -> WebResponse {
        let tokens = [everything.withLock { $0 }] + (request.token.map { [$0] } ?? [])
        let end = Clock.monotonic() + request.deadlines.total
        var attempt = 1
        var staleConnections = 0
        while true {
            var trail = Redirects(request, configuration)
            let ended = follow(&trail, until: end, tokens)
            let again: Double?
            switch ended.result {
            case .success(var response):
                response.attempts = attempt - 1 + trail.sent
                guard let wait = wait(after: response, request, attempt, until: end) else { return response }
                again = wait
            case .failure(let error):
                // An old connection that had died costs nothing but trying another, of which there may be a few.
                if ended.wasStale, request.method.isSafe, staleConnections < 8 {
                    staleConnections += 1
                    continue
                }
                again = wait(after: error, request, attempt, until: end)
                if again == nil { throw error }
            }
            if let again, !sleep(again, tokens) { throw .cancelled }
            attempt += 1
        }
    }

    // MARK: Redirects

    private func follow(_ trail: inout Redirects, until end: Double, _ tokens: [CancellationToken]) -> HopEnd {
        var first: WebOutcome?
        while true {
            let hop: Hop
            do throws(WebError) {
                hop = try trail.hop(seconds: end - Clock.monotonic())
            } catch {
                return HopEnd(result: .failure(error), outcome: first ?? .notSent)
            }
            var ended = engine.perform(hop, tokens: tokens)
            if first == nil { first = ended.outcome }
            guard case .success(let response) = ended.result else {
                ended.outcome = first ?? ended.outcome
                return ended
            }
            do throws(WebError) {
                if try trail.moves(on: response) { continue }
                return HopEnd(result: .success(response), outcome: first ?? .answered)
            } catch {
                return HopEnd(result: .failure(error), outcome: first ?? .answered)
            }
        }
    }

    // MARK: Trying again

    /// Seconds to wait before asking again; nil when the answer stands.
    private func wait(
        after response: WebResponse, _ request: WebRequest, _ attempt: Int, until end: Double
    ) -> Double? {
        guard request.retry.judge(response) == .passing else { return nil }
        var wait = request.retry.wait(after: attempt)
        if let asked = response.retryAfter(now: Clock.now()) {
            guard Double(asked) <= request.retry.longestWait else { return nil }
            wait += Double(asked)
        }
        return mayRepeat(request, attempt, wait, until: end) ? wait : nil
    }

    private func wait(after error: WebError, _ request: WebRequest, _ attempt: Int, until end: Double) -> Double? {
        guard error.isTransient else { return nil }
        let wait = request.retry.wait(after: attempt)
        return mayRepeat(request, attempt, wait, until: end) ? wait : nil
    }

    private func mayRepeat(_ request: WebRequest, _ attempt: Int, _ wait: Double, until end: Double) -> Bool {
        guard request.method.isSafe, attempt < request.retry.attempts, Clock.monotonic() + wait < end else {
            return false
        }
        return retriesLeft.withLock { left in
            guard left > 0 else { return false }
            left -= 1
            return true
        }
    }

    /// Whether the time passed without anybody cancelling.
    private func sleep(_ seconds: Double, _ tokens: [CancellationToken]) -> Bool {
        let latch = Latch()
        let numbers = tokens.map { token in token.onCancel { latch.open() } }
        defer { for (token, number) in zip(tokens, numbers) { token.forget(number) } }
        return !latch.wait(seconds: seconds)
    }
}
