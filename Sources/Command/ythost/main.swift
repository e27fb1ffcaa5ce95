// The command: converts arguments into a request and an exit code, and prints failures as lines on standard error. The
// work is done in YTHost.

import Glibc
import YTHost

Signals.removeBacktraces()
ThisProcess.protect()

// If a standard stream is closed, the next opened file or socket would get its number. Reserve the number with
// /dev/null, opened in the wrong direction, so that using the stream is still an error.
for stream in STDIN_FILENO...STDERR_FILENO where fcntl(stream, F_GETFD) < 0 {
    _ = open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY)
}

Signals.prepare()
let invocation = Invocation(arguments: Array(CommandLine.arguments.dropFirst()))
let code = invocation.run()
RunningPrograms.end()
// Exit at once: network threads may be running, and they may use what libraries tear down at an orderly exit.
_exit(code.rawValue)
