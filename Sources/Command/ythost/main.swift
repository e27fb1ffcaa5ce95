// The command: arguments in, exit code out. What it does is in YTHost; here arguments become a request, and facts about
// failures become lines on standard error.

import Glibc
import YTHost

Signals.removeBacktraces()

// A standard stream that is closed would be the number of the next file or socket that is opened. Another takes its place
// that can only do what this one is not for, so that using it is the error it should be.
for stream in STDIN_FILENO...STDERR_FILENO where fcntl(stream, F_GETFD) < 0 {
    _ = open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY)
}

Signals.prepare()
let invocation = Invocation(arguments: Array(CommandLine.arguments.dropFirst()))
let code = invocation.run()
RunningPrograms.end()
// At once: threads may be at work for the network, and what libraries take down at an orderly exit they may be using.
_exit(code.rawValue)
