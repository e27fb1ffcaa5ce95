// A cursor over the UTF-8 bytes of a short text, used by the parsers of durations, times and zones. Only ASCII is
// recognized; a byte of a non-ASCII character matches nothing.

/// Reads a text from start to end. A read that fails leaves the cursor where it stopped.
package struct ByteScanner {
    private let bytes: [UInt8]
    private(set) var position = 0
    private let end: Int

    /// Starts at the first byte that is not white space. Trailing white space is ignored.
    package init(_ text: some Sequence<UInt8>) {
        bytes = Array(text)
        end = (bytes.lastIndex { !Self.isSpace($0) } ?? -1) + 1
        skipSpaces()
    }

    init(_ text: String) { self.init(text.utf8) }

    package var isAtEnd: Bool { position >= end }
    var next: UInt8? { position < end ? bytes[position] : nil }

    /// Consumes the next byte if it equals `byte`.
    package mutating func take(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    /// Consumes the next byte if it is one of `choices`.
    mutating func take(anyOf choices: UInt8...) -> UInt8? {
        guard let byte = next, choices.contains(byte) else { return nil }
        position += 1
        return byte
    }

    /// Skips white space. Returns whether there was any.
    @discardableResult
    mutating func skipSpaces() -> Bool {
        let start = position
        while let byte = next, Self.isSpace(byte) { position += 1 }
        return position > start
    }

    /// Reads all following digits as a number. Returns nil when the number of digits is outside the range or the value
    /// overflows 64 bits.
    package mutating func number(digits range: ClosedRange<Int>) -> Int64? {
        let start = position
        var number: Int64 = 0
        while let byte = next, Self.isDigit(byte) {
            let (tens, overflow) = number.multipliedReportingOverflow(by: 10)
            let (sum, overflow2) = tens.addingReportingOverflow(Int64(byte - UInt8(ascii: "0")))
            if overflow || overflow2 { return nil }
            number = sum
            position += 1
        }
        return range.contains(position - start) ? number : nil
    }

    /// Reads the following ASCII letters, in lower case; empty when there are none.
    package mutating func word() -> String {
        let start = position
        while let byte = next, Self.isLetter(byte) { position += 1 }
        return String(decoding: bytes[start..<position].lazy.map { $0 | 0x20 }, as: UTF8.self)
    }

    /// Reads bytes while the predicate holds.
    package mutating func text(while belongs: (UInt8) -> Bool) -> String {
        let start = position
        while let byte = next, belongs(byte) { position += 1 }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
    package static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
    package static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- UInt8(ascii: "a") < 26 }
}
