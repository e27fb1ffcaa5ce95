// Properties of standard output: whether it is a terminal, its width, and its color support.

import Glibc
import YTHost

enum Terminal {
    static var isOutput: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Columns of the terminal; 80 if unknown.
    static var columns: Int {
        var size = winsize()
        if ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 { return Int(size.ws_col) }
        return environment("COLUMNS").flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil } ?? 80
    }

    /// https://no-color.org: any non-empty value disables color.
    static var allowsColor: Bool {
        isOutput && (environment("NO_COLOR") ?? "").isEmpty && environment("TERM") != "dumb"
    }

    /// Whether the terminal is known to support hyperlinks (OSC 8). Others might print the escape codes, so an unknown
    /// terminal gets none. `FORCE_HYPERLINK` overrides this: 0 disables links.
    static var showsLinks: Bool {
        if let forced = environment("FORCE_HYPERLINK"), !forced.isEmpty { return forced != "0" }
        let term = environment("TERM") ?? ""
        if ["xterm-kitty", "xterm-ghostty", "alacritty", "contour", "foot", "foot-extra"].contains(term) {
            return true
        }
        // screen and tmux inherit the variables tested below, and may not pass links through.
        if term.hasPrefix("screen") || term.hasPrefix("tmux") { return false }
        // VTE, the terminal widget of GNOME and others, has supported them since 0.50.
        if let version = environment("VTE_VERSION").flatMap({ Int($0) }) { return version >= 5000 }
        if let version = environment("KONSOLE_VERSION").flatMap({ Int($0) }) { return version >= 201200 }
        if environment("WT_SESSION") != nil { return true }
        let programs = ["ghostty", "Hyper", "iTerm.app", "mintty", "rio", "Tabby", "vscode", "WezTerm", "zed"]
        return environment("TERM_PROGRAM").map(programs.contains) ?? false
    }

    /// The picture support of the terminal, as far as the environment shows it. Multiplexers pass symbols through, but
    /// other graphics only sometimes.
    static var pictures: TerminalImageOptions {
        var screen = TerminalImageOptions()
        let term = environment("TERM") ?? ""
        let program = environment("TERM_PROGRAM") ?? ""
        let isBetween = term.hasPrefix("screen") || term.hasPrefix("tmux")
        screen.columns = min(columns, 160)
        var size = winsize()
        if ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 3, size.ws_col > 0 {
            screen.rows = Int(size.ws_row) - 2
            if size.ws_xpixel > 0, size.ws_ypixel > 0 {
                screen.cellWidth = max(1, Int(size.ws_xpixel / size.ws_col))
                screen.cellHeight = max(1, Int(size.ws_ypixel / size.ws_row))
            }
        }
        let isMonochrome = ["vt52", "vt1", "vt22", "vt32", "vt42", "ansi-m", "xterm-mono"].contains {
            term.hasPrefix($0)
        }
        if !isOutput || term == "dumb" || term.isEmpty || isMonochrome || !(environment("NO_COLOR") ?? "").isEmpty {
            if term == "dumb" || isMonochrome { screen.symbols = TerminalImageOptions.plainSymbols }
            return screen
        }
        let direct = ["truecolor", "24bit"].contains(environment("COLORTERM") ?? "") || term.hasSuffix("-direct")
        screen.colours =
            direct || ["xterm-kitty", "xterm-ghostty", "foot", "foot-extra", "alacritty", "contour"].contains(term)
            ? .all : term.contains("256color") ? .many : term == "linux" ? .eight : .sixteen
        if isBetween { return screen }
        if ["xterm-kitty", "xterm-ghostty"].contains(term) || program == "ghostty" {
            screen.graphics = .kitty
        } else if ["foot", "foot-extra", "mlterm", "contour"].contains(term) || term.hasPrefix("yaft")
            || ["WezTerm", "mintty", "iTerm.app"].contains(program)
        {
            screen.graphics = .sixel
        }
        return screen
    }

    /// Whether a user can answer a question.
    static var canAnswer: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

    /// Asks a yes/no question on standard error. Anything but yes counts as no.
    static func ask(_ question: String) -> Bool {
        try? DescriptorSink(descriptor: STDERR_FILENO, name: "standard error").write(Array("\(question) [y/N] ".utf8))
        return ["y", "yes"].contains(readLine()?.lowercased() ?? "")
    }

    static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    /// Whether a variable is set and not blank. Its value is not copied: the process that runs plugins begins with a
    /// copy of this one's stack, where a short string would remain.
    static func hasVariable(_ name: String) -> Bool {
        guard var byte = getenv(name) else { return false }
        while byte.pointee != 0 {
            if UInt8(bitPattern: byte.pointee) > 0x20 { return true }
            byte += 1
        }
        return false
    }
}
