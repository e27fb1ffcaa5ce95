// Filters output for a terminal. It passes text, line ends, tabs, plain colours (ECMA-48 SGR) and the host's own links
// (OSC 8). It removes other control sequences, operating system commands, C1 controls and characters that change text
// direction, from any source. A sequence may be split between blocks.

/// A stateful filter for a stream of bytes.
package struct TerminalFilter {
    private enum State {
        case text
        /// After ESC.
        case escape
        /// In a control sequence; `held` has its bytes so far.
        case sequence
        /// In the string of a command (OSC, DCS and similar), until ST or BEL. The string of an operating system
        /// command is held, because it may be a link.
        case string
        /// After ESC in such a string.
        case stringEscape
        /// In a multi-byte character.
        case character(missing: Int)

        var isText: Bool { if case .text = self { true } else { false } }
    }

    /// Longer control sequences are dropped.
    private static let longestSequence = 64
    /// Longer links are dropped.
    private static let longestLink = 8192
    private static let replacement = Array("\u{FFFD}".utf8)

    private var state = State.text
    private var held: [UInt8] = []
    /// The mark that the host's links carry; "" when the terminal does not support links.
    private let linkMark: String
    private var isInLink = false
    /// The colour sequences since the last reset; empty when the default colours are active.
    private var colours: [UInt8] = []
    /// Longer lists of colours are dropped.
    private static let mostColours = 1024
    private static let reset = Array("\u{1B}[0m".utf8)

    package init(linkMark: String = "") { self.linkMark = linkMark }

    package mutating func filter(_ bytes: [UInt8]) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count)
        for byte in bytes { take(byte, &out) }
        return out
    }

    /// As `filter`, for a block that is written at once. The terminal has its default colours before and after the
    /// block, so that a plugin's cannot hide the host's messages that appear between blocks.
    package mutating func filterBlock(_ bytes: [UInt8]) -> [UInt8] {
        let before = colours
        let text = filter(bytes)
        return text.isEmpty ? [] : before + text + (colours.isEmpty ? [] : Self.reset)
    }

    /// Resets the terminal at the end of output: closes an open link and restores the default colours.
    package mutating func ending() -> [UInt8] {
        var out: [UInt8] = []
        closeLink(&out)
        if !colours.isEmpty { out += Self.reset }
        colours = []
        state = .text
        return out
    }

    private mutating func take(_ byte: UInt8, _ out: inout [UInt8]) {
        switch state {
        case .text: text(byte, &out)
        case .escape:
            switch byte {
            case UInt8(ascii: "["):
                state = .sequence
                held = [0x1B, byte]
            case UInt8(ascii: "]"):
                state = .string
                held = [byte]
            case UInt8(ascii: "P"), UInt8(ascii: "X"), UInt8(ascii: "^"), UInt8(ascii: "_"):
                state = .string
                held = []
            case 0x20...0x2F: break  // intermediates of a two-character function
            default: state = .text
            }
        case .sequence:
            held.append(byte)
            switch byte {
            case 0x20...0x3F where held.count < Self.longestSequence: break
            case UInt8(ascii: "m"):
                let parameters = held.dropFirst(2).dropLast()
                if parameters.allSatisfy({ 0x30...0x3B ~= $0 }) {
                    out += held
                    if parameters.allSatisfy({ $0 == UInt8(ascii: "0") }) {
                        colours = []
                    } else {
                        colours += held
                    }
                    if colours.count > Self.mostColours {
                        colours = []
                        out += Self.reset
                    }
                }
                state = .text
            case 0x1B: state = .escape
            default: state = .text
            }
        case .string:
            switch byte {
            case 0x07, UInt8(ascii: "\n"): state = .text
            case 0x1B: state = .stringEscape
            default:
                if held.count >= Self.longestLink { held = [] }
                if !held.isEmpty { held.append(byte) }
            }
        case .stringEscape:
            state = byte == UInt8(ascii: "\\") ? .text : .string
            if state.isText { link(&out) }
        case .character(let missing):
            guard 0x80...0xBF ~= byte else {
                out += Self.replacement
                state = .text
                return text(byte, &out)
            }
            held.append(byte)
            if missing > 1 {
                state = .character(missing: missing - 1)
                return
            }
            state = .text
            finishCharacter(&out)
        }
    }

    private mutating func text(_ byte: UInt8, _ out: inout [UInt8]) {
        switch byte {
        case UInt8(ascii: "\n"):
            // A link ends with its line, even when its closing sequence was lost.
            closeLink(&out)
            out.append(byte)
        case UInt8(ascii: "\t"), 0x20...0x7E: out.append(byte)
        case 0x1B: state = .escape
        case 0x00...0x1F, 0x7F: break
        case 0xC2...0xDF: begin(byte, missing: 1)
        case 0xE0...0xEF: begin(byte, missing: 2)
        case 0xF0...0xF4: begin(byte, missing: 3)
        default: out += Self.replacement
        }
    }

    /// Handles a complete operating system command. A link with the mark passes, without the mark.
    private mutating func link(_ out: inout [UInt8]) {
        guard let url = TerminalLink.address(held, mark: linkMark) else { return }
        closeLink(&out)
        if url.isEmpty { return }
        out += TerminalLink.opening(url, mark: "")
        isInLink = true
    }

    private mutating func closeLink(_ out: inout [UInt8]) {
        guard isInLink else { return }
        out += TerminalLink.opening("", mark: "")
        isInLink = false
    }

    private mutating func begin(_ byte: UInt8, missing: Int) {
        held = [byte]
        state = .character(missing: missing)
    }

    private func finishCharacter(_ out: inout [UInt8]) {
        guard let scalar = String(validating: held, as: UTF8.self)?.unicodeScalars.first else {
            out += Self.replacement
            return
        }
        switch scalar.value {
        case 0x80...0x9F: break  // C1 controls
        case 0x202A...0x202E, 0x2066...0x2069: break  // embeddings, overrides, isolates
        default: out += held
        }
    }
}
