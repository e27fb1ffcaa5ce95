// Signal handling. Not in main.swift, whose closures belong to the main actor and would link the concurrency runtime
// and its thread pools, which are set up at each start.

import Glibc
import YTHost

enum Signals {
    /// Removes the handlers of Swift's runtime, which start a program `swift-backtrace` from folders that it derives from
    /// the name in `argv[0]`: for a bare name the current folder, where any file of that name would run unsandboxed.
    static func removeBacktraces() {
        for number in [SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV] { signal(number, SIG_DFL) }
    }

    /// write(2) reports a closed pipe. An interrupt ends the run at once; a file being written has no name yet, so
    /// nothing is left of it.
    static func prepare() {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGINT) { _ in
            RunningPrograms.end()
            _exit(ErrorReport.Code.interrupted.rawValue)
        }
        for number in [SIGTERM, SIGHUP] {
            signal(number) { number in
                RunningPrograms.end()
                signal(number, SIG_DFL)
                raise(number)
            }
        }
    }

    /// Ends the process and its worker after a number of seconds. Usually the host ends a run earlier, but not while it
    /// is blocked on a reader that does not read.
    static func end(after seconds: Double) {
        signal(SIGALRM) { _ in
            RunningPrograms.end()
            let text: StaticString =
                "ythost: the wall budget is spent, and something does not go on: an input or a reader of the output\n"
            _ = write(STDERR_FILENO, text.utf8Start, text.utf8CodeUnitCount)
            _exit(ErrorReport.Code.refused.rawValue)
        }
        var timer = itimerval()
        timer.it_value.tv_sec = Int(seconds)
        timer.it_value.tv_usec = Int((seconds - seconds.rounded(.down)) * 1_000_000)
        setitimer(__itimer_which_t(ITIMER_REAL.rawValue), &timer, nil)
    }
}
