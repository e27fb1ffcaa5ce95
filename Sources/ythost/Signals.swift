// What signals do. Not in main.swift, whose closures belong to the main actor and would link the concurrency runtime and
// its thread pools, which are set up at each start.

import Glibc
import YTHost

enum Signals {
    /// A closed pipe is told by write(2); an interrupt ends the run at once, and a file that was being written has no
    /// name yet, so nothing is left of it.
    static func prepare() {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGINT) { _ in _exit(ErrorReport.Code.interrupted.rawValue) }
    }
}
