// What takes long, such as asking a service, is carried out on threads beside the one that serves. None exists before
// the first errand: until then the process may fork, and a run without network pays nothing.

import Gate
import Glibc
import HostErrors
import Threads
import WebClient

final class RequestPool: Sendable {
    /// Something that takes long; any thread may do it.
    typealias Work = @Sendable () throws(HostError) -> GateReply
    typealias Outcome = Result<GateReply, HostError>

    /// PendingRequests that are carried out at the same time, at most.
    static let mostThreads = 32

    private struct State {
        var waiting: [@Sendable () -> Void] = []
        var threads = 0
        /// Threads that have nothing to do.
        var idle = 0
        var isClosed = false
        /// By the numbers of errands that are under way, those that wait for a thread included.
        var tokens: [Int: CancellationToken] = [:]
    }
    private let state = Monitor(State())

    /// Ends its threads, each when it has done what it is at.
    deinit {
        state.withLock { state in
            state.isClosed = true
            state.waiting = []
            for token in state.tokens.values { token.cancel() }
        }
    }

    /// Carries an errand out on a thread of the pool.
    ///
    /// - Parameter then: is told the outcome, on that thread.
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
        // The system has no thread to give: what cannot be done beside is done here.
        while isAlone, let next = state.withLock({ $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }) { next() }
    }

    /// Carries an errand out on the calling thread.
    func now(_ number: Int, _ work: Work) throws(HostError) -> GateReply {
        let token = CancellationToken()
        state.withLock { $0.tokens[number] = token }
        defer { state.withLock { $0.tokens[number] = nil } }
        return try Self.outcome(of: work, token).get()
    }

    /// Nobody wants the outcome any more. It still comes, early.
    func abandon(_ number: Int) { state.withLock { $0.tokens[number] }?.cancel() }

    /// Ends everything that is under way; does not wait for it.
    func cancelAll() {
        let tokens = state.withLock { Array($0.tokens.values) }
        for token in tokens { token.cancel() }
    }

    private static func outcome(of work: Work, _ token: CancellationToken) -> Outcome {
        if token.isCancelled { return .failure(.web(.cancelled, source: nil)) }
        return Result { () throws(HostError) in try token.withValue(work) }
    }

    /// A thread of the pool. It waits for more when it is done: one errand is likely to follow another.
    private static func serve(_ state: Monitor<State>) {
        // Signals are for the thread that serves.
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
