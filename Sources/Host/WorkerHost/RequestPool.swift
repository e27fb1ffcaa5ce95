// Carries out slow requests, such as calls of services, on threads beside the serving one. No thread exists before the
// first request: until then the process may fork, and a run without network has no cost.

import Gate
import Glibc
import HostErrors
import Threads
import WebClient

final class RequestPool: Sendable {
    /// A slow operation; any thread may run it.
    typealias Work = @Sendable () throws(HostError) -> GateReply
    typealias Outcome = Result<GateReply, HostError>

    /// Maximum number of requests that run at the same time.
    static let mostThreads = 32

    private struct State {
        var waiting: [@Sendable () -> Void] = []
        var threads = 0
        /// Threads without work.
        var idle = 0
        var isClosed = false
        /// Tokens of pending requests by number, including those that wait for a thread.
        var tokens: [Int: CancellationToken] = [:]
    }
    private let state = Monitor(State())

    /// Ends the threads, each after its current work.
    deinit {
        state.withLock { state in
            state.isClosed = true
            state.waiting = []
            for token in state.tokens.values { token.cancel() }
        }
    }

    /// Runs a request on a thread of the pool.
    ///
    /// - Parameter then: receives the outcome, on that thread.
    func begin(_ number: Int, _ work: @escaping Work, then: @escaping @Sendable (Outcome) -> Void) {
        let token = CancellationToken()
        let needsThread = state.withLock { state in
            state.tokens[number] = token
            state.waiting.append { [state = self.state] in
                let outcome = Self.outcome(of: work, token)
                state.withLock { $0.tokens[number] = nil }
                then(outcome)
            }
            guard state.waiting.count > state.idle, state.threads < Self.mostThreads else { return false }
            state.threads += 1
            return true
        }
        guard needsThread, !Thread.start({ [state] in Self.serve(state) }) else { return }
        let isAlone = state.withLock { state in
            state.threads -= 1
            return state.threads == 0
        }
        // The system cannot create a thread: the work is done on this one.
        while isAlone, let next = state.withLock({ $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }) { next() }
    }

    /// Runs a request on the calling thread.
    func now(_ number: Int, _ work: Work) throws(HostError) -> GateReply {
        let token = CancellationToken()
        state.withLock { $0.tokens[number] = token }
        defer { state.withLock { $0.tokens[number] = nil } }
        return try Self.outcome(of: work, token).get()
    }

    /// Cancels a request whose outcome is not needed any more. The outcome still arrives, but early.
    func abandon(_ number: Int) { state.withLock { $0.tokens[number] }?.cancel() }

    /// Cancels all pending requests without waiting for them.
    func cancelAll() {
        let tokens = state.withLock { Array($0.tokens.values) }
        for token in tokens { token.cancel() }
    }

    private static func outcome(of work: Work, _ token: CancellationToken) -> Outcome {
        if token.isCancelled { return .failure(.web(.cancelled, source: nil)) }
        return Result { () throws(HostError) in try token.withValue(work) }
    }

    /// The loop of a pool thread. It waits for more work: one request is often followed by another.
    private static func serve(_ state: Monitor<State>) {
        // Signals are handled by the serving thread.
        var all = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_BLOCK, &all, nil)
        while true {
            state.withLock { $0.idle += 1 }
            let next: (@Sendable () -> Void)?? = state.wait { state in
                if state.isClosed { return .some(nil) }
                guard !state.waiting.isEmpty else { return nil }
                state.idle -= 1
                return state.waiting.removeFirst()
            }
            guard case .some(let work?) = next else { return }
            work()
        }
    }
}
