// Cancels requests from another thread, and wakes threads that wait between retries.

import Glibc

/// Cancels every request that carries it, permanently. Thread-safe.
public final class CancellationToken: Sendable {
    private struct State {
        var isCancelled = false
        var next = 0
        var actions: [Int: @Sendable () -> Void] = [:]
    }
    private let state = Monitor(State())

    public init() {}

    public var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Cancels. Requests end with `WebError.cancelled` within a few milliseconds; this call does not wait for them.
    public func cancel() {
        let actions = state.withLock { state in
            state.isCancelled = true
            defer { state.actions = [:] }
            return Array(state.actions.values)
        }
        for action in actions { action() }
    }

    /// Registers an action to run on cancellation; runs it immediately if already cancelled. Returns a number for
    /// `forget`.
    package func onCancel(_ action: @escaping @Sendable () -> Void) -> Int {
        let number: Int? = state.withLock { state in
            if state.isCancelled { return nil }
            state.next += 1
            state.actions[state.next] = action
            return state.next
        }
        if let number { return number }
        action()
        return 0
    }

    package func forget(_ number: Int) {
        state.withLock { _ = $0.actions.removeValue(forKey: number) }
    }
}

// MARK: - The token of a thread

extension CancellationToken {
    private static let slot: pthread_key_t = {
        var slot = pthread_key_t()
        pthread_key_create(&slot, nil)
        return slot
    }()

    /// The token of the current thread, or nil. Every request sent from this thread uses it, so that it need not be
    /// passed through every call.
    public static var current: CancellationToken? {
        pthread_getspecific(slot).map { Unmanaged<CancellationToken>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Runs the body with this token as the thread's current token.
    public func withValue<Value, Failure>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
        let before = pthread_getspecific(Self.slot)
        pthread_setspecific(Self.slot, Unmanaged.passUnretained(self).toOpaque())
        defer {
            pthread_setspecific(Self.slot, before)
            withExtendedLifetime(self) {}
        }
        return try body()
    }
}
