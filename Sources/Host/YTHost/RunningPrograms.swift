// This process and the programs that plugins start. Those run in process groups of their own, so signals to this process
// do not reach them.

import CProcess

public enum ThisProcess {
    /// Hides keys from other programs of the user, such as those that a plugin may run: the process's memory cannot be
    /// read, and the environment that the system shows has none of ythost's variables. Call this first in a command.
    public static func protect() { cprocess_protect() }
}

public enum RunningPrograms {
    /// Kills all of them and their children. Safe in a signal handler.
    public static func end() { cprocess_end_programs() }
}
