// Programs that plugins started run in groups of their own, which no signal to this process reaches.

import CProcess

public enum RunningPrograms {
    /// Kills all of them, and what they started. May be called in a signal handler.
    public static func end() { cprocess_end_programs() }
}
