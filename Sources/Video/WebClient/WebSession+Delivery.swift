// Sends a request until there is a final response: records each request in the ledger first, follows redirects, and
// retries temporary errors.

import Threads

extension WebSession {
    /// Sends the request, ignoring cached responses.
    func deliver(_ request: WebRequest) throws(WebError) -> (response: WebResponse, verdict: WebVerdict) {
        let tokens = tokens(request)
        let end = Clock.monotonic() + request.deadlines.total
        var attempt = 1
        var sent = 0
        var staleConnections = 0
        while true {
            var trail = Redirects(request, configuration)
            let (ended, ticket) = try follow(request, &trail, until: end, tokens)
            sent += trail.sent
            let wait: Double
            switch ended.result {
            case .success(var response):
                response.attempts = sent
                let verdict = request.retry.judge(response)
                if verdict == .exhausted, let ticket { configuration.ledger?.exhaust(ticket) }
                guard let seconds = self.wait(after: response, verdict, request, attempt, until: end) else {
                    return (response, verdict)
                }
                wait = seconds
            case .failure(let error):
                // A stale connection costs only a new attempt. Allow a few.
                if ended.wasStale, request.method.isSafe, staleConnections < 8 {
                    staleConnections += 1
                    continue
                }
                guard let seconds = self.wait(after: error, request, attempt, until: end) else { throw error }
                wait = seconds
            }
            if !sleep(wait, tokens) { throw .cancelled }
            attempt += 1
        }
    }

    // MARK: The ledger

    private func reserve(_ request: WebRequest) throws(WebError) -> QuotaTicket? {
        guard let charge = request.charge, let ledger = configuration.ledger else { return nil }
        return try ledger.reserve(charge)
    }

    private func settle(_ ticket: QuotaTicket?, _ ended: ExchangeEnd) {
        guard let ticket, let ledger = configuration.ledger else { return }
        ledger.settle(ticket, ended.outcome)
        if case .success(let response) = ended.result { ledger.learn(ticket.bucket, from: response) }
    }

    // MARK: Redirects

    /// Sends a request and follows its redirects. Each request to the first host is recorded in the ledger before it is
    /// sent.
    ///
    /// - Returns: the result of the last request, and the ticket of the last recorded one.
    private func follow(
        _ request: WebRequest, _ trail: inout Redirects, until end: Double, _ tokens: [CancellationToken]
    ) throws(WebError) -> (ExchangeEnd, QuotaTicket?) {
        var ticket: QuotaTicket?
        while true {
            let isCounted = trail.isHome
            if isCounted { ticket = try reserve(request) }
            let exchange: Exchange
            do throws(WebError) {
                exchange = try trail.exchange(seconds: end - Clock.monotonic())
            } catch {
                let ended = ExchangeEnd(result: .failure(error), outcome: .notSent)
                if isCounted { settle(ticket, ended) }
                return (ended, ticket)
            }
            let ended = engine.perform(exchange, tokens: tokens)
            if isCounted { settle(ticket, ended) }
            guard case .success(let response) = ended.result else { return (ended, ticket) }
            do throws(WebError) {
                if try trail.moves(on: response) { continue }
                return (ended, ticket)
            } catch {
                return (ExchangeEnd(result: .failure(error), outcome: ended.outcome), ticket)
            }
        }
    }

    // MARK: Retries

    /// Seconds to wait before a retry. nil if the response is final.
    private func wait(
        after response: WebResponse, _ verdict: WebVerdict, _ request: WebRequest, _ attempt: Int, until end: Double
    ) -> Double? {
        guard verdict == .passing else { return nil }
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

    /// Sleeps, unless cancelled. Returns false if cancelled.
    private func sleep(_ seconds: Double, _ tokens: [CancellationToken]) -> Bool {
        let latch = Latch()
        let numbers = tokens.map { token in token.onCancel { latch.open() } }
        defer { for (token, number) in zip(tokens, numbers) { token.forget(number) } }
        return !latch.wait(seconds: seconds)
    }
}
