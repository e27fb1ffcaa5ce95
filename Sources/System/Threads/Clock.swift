// The real clock, read in one place.

import Glibc

package enum Clock {
    /// Seconds since the epoch.
    package static func now() -> Int64 { Int64(time(nil)) }

    /// Seconds on a clock that nobody sets.
    package static func monotonic() -> Double {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
    }
}
