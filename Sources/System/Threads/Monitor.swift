// Shared state protected by a mutex, with a condition variable to wait for changes. It uses pthread primitives, because
// the thread sanitizer does not recognize Swift's `Mutex`.

import Glibc

/// Unchecked because the state is only accessed under the mutex, and the two pthread objects never move.
package final class Monitor<State>: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var state: State

    package init(_ state: State) {
        self.state = state
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Reads or modifies the state under the lock, then wakes all waiting threads.
    package func withLock<Value, Failure>(
        _ body: (inout State) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        pthread_mutex_lock(mutex)
        defer {
            pthread_cond_broadcast(condition)
            pthread_mutex_unlock(mutex)
        }
        return try body(&state)
    }

    /// Waits until the body returns a value. The body may modify the state.
    ///
    /// - Parameter end: deadline in seconds of the monotonic clock, after which nil is returned; nil for no timeout.
    package func wait<Value>(until end: Double? = nil, for body: (inout State) -> Value?) -> Value? {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let value = body(&state) {
                pthread_cond_broadcast(condition)
                return value
            }
            guard let end else {
                pthread_cond_wait(condition, mutex)
                continue
            }
            if Clock.monotonic() >= end { return nil }
            var time = timespec(tv_sec: Int(end), tv_nsec: Int((end - end.rounded(.down)) * 1e9))
            pthread_cond_timedwait(condition, mutex, &time)
        }
    }
}
