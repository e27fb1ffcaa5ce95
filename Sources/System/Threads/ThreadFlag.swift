// Something that holds for one thread for a while, so that what is called from there need not be told. What is easily got
// wrong: work that goes on in another thread does not know of it.

import Glibc

/// A flag that each thread has for itself.
public struct ThreadFlag: Sendable {
    private let slot: pthread_key_t

    /// Make few, and keep them: a process has about a thousand.
    public init() {
        var slot = pthread_key_t()
        pthread_key_create(&slot, nil)
        self.slot = slot
    }

    /// Whether it is set for this thread.
    public var isOn: Bool { pthread_getspecific(slot) != nil }

    /// Runs a body with the flag set for this thread.
    public func withValue<Value, Failure>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
        let before = pthread_getspecific(slot)
        // Any address that is not nil.
        pthread_setspecific(slot, UnsafeRawPointer(bitPattern: 1))
        defer { pthread_setspecific(slot, before) }
        return try body()
    }
}
