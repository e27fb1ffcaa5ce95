// A thread that sends nothing for a while: what it asks for is answered by what is kept, or not at all.

import Glibc

/// Nothing is sent.
public enum Offline {
    private static let slot: pthread_key_t = {
        var slot = pthread_key_t()
        pthread_key_create(&slot, nil)
        return slot
    }()

    /// Whether this thread sends nothing now.
    public static var isOn: Bool { pthread_getspecific(slot) != nil }

    /// Runs a body whose requests, of this thread, are as with `CachePolicy.localOnly`, whoever sends them.
    public static func covers<Value, Failure>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
        let before = pthread_getspecific(slot)
        // Any address that is not nil.
        pthread_setspecific(slot, UnsafeRawPointer(bitPattern: 1))
        defer { pthread_setspecific(slot, before) }
        return try body()
    }
}
