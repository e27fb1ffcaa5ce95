// Tells a service, which is asked on this thread, that who asks may see only what everybody may. Like `Offline` it belongs
// to the thread, so that no service can be asked without it by mistake.

import Glibc

/// Only what everybody may see is told.
public enum PublicOnly {
    private static let slot: pthread_key_t = {
        var slot = pthread_key_t()
        pthread_key_create(&slot, nil)
        return slot
    }()

    /// Whether this thread is told only that.
    public static var isOn: Bool { pthread_getspecific(slot) != nil }

    /// Runs a body in which services that are asked, on this thread, leave out what only an account may see.
    public static func covers<Value, Failure>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
        let before = pthread_getspecific(slot)
        // Any address that is not nil.
        pthread_setspecific(slot, UnsafeRawPointer(bitPattern: 1))
        defer { pthread_setspecific(slot, before) }
        return try body()
    }
}
