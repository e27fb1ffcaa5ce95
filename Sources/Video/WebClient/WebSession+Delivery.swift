// Sending a request until there is an answer: each sending is written down in the ledger before, redirects are followed,
// and what may pass is waited out.

import Threads

extension WebSession {
    /// Asks the server, whatever is kept.
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
                // An old connection that had died costs nothing but trying another, of which there may be a few.
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

    /// Sends a request to where it goes and on to where that leads, each written down before as long as it goes to the
    /// first host: that one counts them all. How the last one ended, and the ticket of the last that was counted.
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

    // MARK: Trying again

    /// Seconds to wait before asking again; nil when the answer stands.
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

    /// Whether the time passed without anybody cancelling.
    private func sleep(_ seconds: Double, _ tokens: [CancellationToken]) -> Bool {
        let latch = Latch()
        let numbers = tokens.map { token in token.onCancel { latch.open() } }
        defer { for (token, number) in zip(tokens, numbers) { token.forget(number) } }
        return !latch.wait(seconds: seconds)
    }
}
