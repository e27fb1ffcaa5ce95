// Programs started by plugins. They run in process groups of their own, so signals to this process do not reach them.

import CProcess

public enum RunningPrograms {
    /// Kills all of them and their children. Safe in a signal handler.
    public static func end() { cprocess_end_programs() }
}
