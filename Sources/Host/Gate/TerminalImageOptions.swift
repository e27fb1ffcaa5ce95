// Where and how a picture is drawn on a terminal.

/// Where a picture is drawn.
public struct TerminalImageOptions: Sendable, Equatable {
    /// What it is drawn with.
    public enum GraphicsProtocol: String, Sendable, CaseIterable {
        /// Characters, with colours where there are some.
        case symbols
        /// The terminals' protocols for pixels.
        case sixel, kitty
    }

    public enum Colours: Int, Sendable, CaseIterable {
        case none, eight, sixteen, many, all
    }

    public var graphics = GraphicsProtocol.symbols
    public var colours = Colours.none
    /// Cells at most.
    public var columns = 80
    public var rows = 24
    /// Pixels of a cell.
    public var cellWidth = 10
    public var cellHeight = 20
    /// Sets of symbols, in libchafa's words.
    public var symbols = TerminalImageOptions.usualSymbols

    public static let usualSymbols = "block+border+space-wide"
    /// What tells most shades where there are no colours.
    package static let greySymbols = "braille"
    /// What a terminal shows that shows nothing else.
    public static let plainSymbols = "ascii"
    package static let sides = 1...1000

    public init() {}
}
