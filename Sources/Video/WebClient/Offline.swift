// Thread-local offline mode: requests of this thread use cached responses only.

import Threads

/// Offline mode of the current thread.
public enum Offline {
    private static let flag = ThreadFlag()

    /// Whether the current thread is offline.
    public static var isOn: Bool { flag.isOn }

    /// Runs a body in offline mode: every request sent from this thread behaves as with `CachePolicy.localOnly`.
    public static func withValue<Value, Failure>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
        try flag.withValue(body)
    }
}
