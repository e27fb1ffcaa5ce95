// What is asked for after its answer was given from what is kept: on a few threads of its own, each thing once.

import Glibc
import Threads

final class Refreshes: Sendable {
    private struct State {
        var waiting: [@Sendable () -> Void] = []
        var seen: Set<String> = []
        /// Of the threads that run.
        var threads: [Latch] = []
    }
    private let state = Monitor(State())
    private static let mostThreads = 8

    /// - Parameter name: what is done under a name once is not done again.
    func add(_ name: String, _ action: @escaping @Sendable () -> Void) {
        let latch: Latch? = state.withLock { state in
            guard state.seen.insert(name).inserted else { return nil }
            state.waiting.append(action)
            guard state.threads.count < Self.mostThreads else { return nil }
            let latch = Latch()
            state.threads.append(latch)
            return latch
        }
        guard let latch else { return }
        if !Thread.start({ [self] in work(latch) }) { work(latch) }
    }

    private func work(_ latch: Latch) {
        while true {
            let action: (@Sendable () -> Void)? = state.withLock { state in
                if !state.waiting.isEmpty { return state.waiting.removeFirst() }
                // Leaves in the same breath, so that nothing is added to a thread that is going.
                state.threads.removeAll { $0 === latch }
                return nil
            }
            guard let action else { break }
            action()
        }
        latch.open()
    }

    /// Whether all was done before so many seconds were over. What has not begun by then is dropped.
    func wait(seconds: Double) -> Bool {
        let end = Clock.monotonic() + seconds
        while true {
            guard let latch = state.withLock({ $0.threads.first }) else { return true }
            if latch.wait(seconds: end - Clock.monotonic()) { continue }
            state.withLock { $0.waiting = [] }
            return false
        }
    }
}
