// How a picture is drawn on a terminal.

/// Options for drawing a picture on a terminal.
public struct TerminalImageOptions: Sendable, Equatable {
    /// How the picture is drawn.
    public enum GraphicsProtocol: String, Sendable, CaseIterable {
        /// As characters, in colour where the terminal supports it.
        case symbols
        /// The pixel protocols of terminals.
        case sixel, kitty
    }

    public enum Colours: Int, Sendable, CaseIterable {
        case none, eight, sixteen, many, all
    }

    public var graphics = GraphicsProtocol.symbols
    public var colours = Colours.none
    /// The largest size in cells.
    public var columns = 80
    public var rows = 24
    /// The size of a cell in pixels.
    public var cellWidth = 10
    public var cellHeight = 20
    /// Symbol sets, in libchafa's syntax.
    public var symbols = TerminalImageOptions.usualSymbols

    public static let usualSymbols = "block+border+space-wide"
    /// The set with the most shades on terminals without colours.
    package static let greySymbols = "braille"
    /// The set that every terminal can show.
    public static let plainSymbols = "ascii"
    package static let sides = 1...1000

    public init() {}
}
