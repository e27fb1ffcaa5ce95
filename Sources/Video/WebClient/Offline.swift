// A thread that sends nothing for a while: what it asks for is answered by what is kept, or not at all.

import Threads

/// Nothing is sent.
public enum Offline {
    private static let flag = ThreadFlag()

    /// Whether this thread sends nothing now.
    public static var isOn: Bool { flag.isOn }

    /// Runs a body whose requests, of this thread, are as with `CachePolicy.localOnly`, whoever sends them.
    public static func withValue<Value, Failure>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
        try flag.withValue(body)
    }
}
