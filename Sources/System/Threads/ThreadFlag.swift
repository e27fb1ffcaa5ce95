// A thread-local flag that is set for the duration of a call. Work that continues on another thread does not see it.

import Glibc

/// A flag with a separate value for each thread.
public struct ThreadFlag: Sendable {
    private let slot: pthread_key_t

    /// Allocates a thread-local key. A process has only about a thousand, so create flags once and reuse them.
    public init() {
        var slot = pthread_key_t()
        pthread_key_create(&slot, nil)
        self.slot = slot
    }

    /// Whether the flag is set on the current thread.
    public var isOn: Bool { pthread_getspecific(slot) != nil }

    /// Runs the body with the flag set on the current thread.
    public func withValue<Value, Failure>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
        let before = pthread_getspecific(slot)
        // Any non-nil address.
        pthread_setspecific(slot, UnsafeRawPointer(bitPattern: 1))
        defer { pthread_setspecific(slot, before) }
        return try body()
    }
}
