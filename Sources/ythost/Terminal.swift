// What standard output is: a terminal and how wide, and whether colours are wanted there.

import Glibc

enum Terminal {
    static var isOutput: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Columns of the terminal; 80 when it does not say.
    static var columns: Int {
        var size = winsize()
        if ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 { return Int(size.ws_col) }
        return environment("COLUMNS").flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil } ?? 80
    }

    /// https://no-color.org: any value but an empty one says no.
    static var allowsColor: Bool {
        isOutput && (environment("NO_COLOR") ?? "").isEmpty && environment("TERM") != "dumb"
    }

    static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    /// Whether a variable is there and not blank. Its value is not copied: the process that runs plugins begins with a
    /// copy of this one's stack, where a short text would still lie.
    static func hasVariable(_ name: String) -> Bool {
        guard var byte = getenv(name) else { return false }
        while byte.pointee != 0 {
            if UInt8(bitPattern: byte.pointee) > 0x20 { return true }
            byte += 1
        }
        return false
    }
}
