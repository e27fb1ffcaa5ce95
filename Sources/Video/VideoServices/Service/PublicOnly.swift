// Tells a service, which is asked on this thread, that who asks may see only what everybody may. Like `Offline` it belongs
// to the thread, so that no service can be asked without it by mistake.

import Threads

/// Only what everybody may see is told.
public enum PublicOnly {
    private static let flag = ThreadFlag()

    /// Whether this thread is told only that.
    public static var isOn: Bool { flag.isOn }

    /// Runs a body in which services that are asked, on this thread, leave out what only an account may see.
    public static func withValue<Value, Failure>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
        try flag.withValue(body)
    }
}
