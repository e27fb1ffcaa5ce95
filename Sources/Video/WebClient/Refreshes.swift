// Background requests that refresh cached responses after those were returned. Each runs once, on a few threads.

import Glibc
import Threads

final class Refreshes: Sendable {
    private struct State {
        var waiting: [@Sendable () -> Void] = []
        var seen: Set<String> = []
        /// One latch per running thread.
        var threads: [Latch] = []
    }
    private let state = Monitor(State())
    private static let mostThreads = 8

    /// - Parameter name: identifies the action. An action whose name was added before is skipped.
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
                // Removed within the same lock, so that no action is queued for a thread that is ending.
                state.threads.removeAll { $0 === latch }
                return nil
            }
            guard let action else { break }
            action()
        }
        latch.open()
    }

    /// Waits for all actions. If the timeout in seconds expires first, drops the pending ones and returns false.
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
