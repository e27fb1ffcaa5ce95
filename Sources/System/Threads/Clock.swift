// The system clocks, read in one place.

import Glibc

package enum Clock {
    /// Current time in epoch seconds.
    package static func now() -> Int64 { Int64(time(nil)) }

    /// Seconds on the monotonic clock.
    package static func monotonic() -> Double {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
    }
}
