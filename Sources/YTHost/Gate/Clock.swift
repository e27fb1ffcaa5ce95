// The real clock, read in one place.

import Glibc

enum Clock {
    /// Seconds since the epoch.
    static func now() -> Int64 { Int64(time(nil)) }
}
