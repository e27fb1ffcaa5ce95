// Draws pictures as terminal text with libchafa.

import Basics
import CChafa
import Gate
import HostErrors

extension TerminalImageOptions {
    /// - Throws: `.usage` for unknown symbol sets, `.missingLibrary` without libchafa.
    public func check() throws(HostError) {
        guard cchafa_available() else { throw Self.noLibrary }
        guard symbols.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), symbols.utf8.count <= 200, cchafa_knows(symbols)
        else {
            throw .usage(
                "there are no symbols '\(Text.clean(symbols))'",
                hint: "sets such as ascii, block, braille, half, quad, sextant, joined by +; `chafa --help` lists all")
        }
    }

    private static var noLibrary: HostError {
        .missingLibrary("pictures cannot be drawn: libchafa is missing", package: CCHAFA_PACKAGE)
    }

    /// The largest useful size in pixels.
    var most: (width: Int32, height: Int32) {
        // Symbols distinguish at most eight parts per side.
        let (across, down) = graphics == .symbols ? (8, 8) : (cellWidth, cellHeight)
        return (Int32(clamping: columns * across), Int32(clamping: rows * down))
    }

    /// Draws the picture as lines, with its aspect ratio. The bytes come from the decoder alone.
    func text(of pixels: Pixels) throws(HostError) -> [UInt8] {
        guard cchafa_available() else { throw Self.noLibrary }
        var length = 0
        let isGrey = graphics == .symbols && colours == .none && symbols == Self.usualSymbols
        let drawn = (isGrey ? Self.greySymbols : symbols).withCString { symbols in
            var screen = cchafa_screen()
            screen.means = Int32(graphics == .kitty ? CCHAFA_KITTY : graphics == .sixel ? CCHAFA_SIXEL : CCHAFA_SYMBOLS)
            screen.colours = Int32(colours.rawValue)
            screen.columns = Int32(clamping: min(max(columns, Self.sides.lowerBound), Self.sides.upperBound))
            screen.rows = Int32(clamping: min(max(rows, Self.sides.lowerBound), Self.sides.upperBound))
            screen.cell_width = Int32(clamping: min(max(cellWidth, 1), 200))
            screen.cell_height = Int32(clamping: min(max(cellHeight, 1), 200))
            screen.symbols = symbols
            return cchafa_draw(pixels.bytes, pixels.width, pixels.height, &screen, &length)
        }
        guard let drawn else {
            try check()
            throw .workerDied("there is no memory to draw a picture")
        }
        defer { drawn.deallocate() }
        return Array(UnsafeRawBufferPointer(start: drawn, count: length))
    }
}

extension TerminalImageOptions {
    /// Decodes and draws a picture, without the final line end.
    ///
    /// - Returns: the text, or nil and the reason when the picture cannot be decoded.
    /// - Throws: `.usage`, `.missingLibrary`, `.workerDied`.
    public func drawn(_ bytes: [UInt8], by decoder: PictureDecoder?) throws(HostError) -> ([UInt8]?, String) {
        try check()
        guard let decoder else {
            throw .usage(
                "pictures are decoded by a program of their own, and this host knows none",
                hint: "ScriptHost.decoder = PictureDecoder(program: the path of ythost)")
        }
        let (pixels, reason) = try decoder.pixels(of: bytes, most: most)
        guard let pixels else { return (nil, reason) }
        return (try text(of: pixels), "")
    }
}
