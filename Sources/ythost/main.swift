// The command: arguments in, exit code out. What it does is in YTHost; here arguments become a request, and facts about
// failures become lines on standard error.

import Glibc
import YTHost

// A closed pipe is told by write(2); an interrupt ends the run at once, and a file that was being written has no name
// yet, so nothing is left of it.
signal(SIGPIPE, SIG_IGN)
signal(SIGINT) { _ in _exit(ErrorReport.Code.interrupted.rawValue) }

let invocation = Invocation(arguments: Array(CommandLine.arguments.dropFirst()))
exit(invocation.run().rawValue)
