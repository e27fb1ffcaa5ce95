// UTF-16 that comes in blocks, to UTF-8. What is easily got wrong: a block may end in the middle of a unit, or between
// the halves of a surrogate pair.

/// Decodes a stream of UTF-16; what is no Unicode becomes U+FFFD.
package struct UTF16Decoder {
    private let isBigEndian: Bool
    /// Bytes that do not make a character yet.
    private var rest: [UInt8] = []

    /// - Parameter encoding: nil for what is not UTF-16.
    package init?(_ encoding: UnicodeEncoding?) {
        switch encoding {
        case .utf16LittleEndian: isBigEndian = false
        case .utf16BigEndian: isBigEndian = true
        default: return nil
        }
    }

    /// The text of whole characters.
    package mutating func decode(_ block: some Sequence<UInt8>) -> [UInt8] {
        var bytes = rest
        bytes += block
        var count = bytes.count & ~1
        if count > 0 {
            let high = bytes[isBigEndian ? count - 2 : count - 1]
            if high & 0xFC == 0xD8 { count -= 2 }
        }
        rest = Array(bytes[count...])
        return text(bytes[..<count])
    }

    /// What is left at the end of the input.
    package mutating func finish() -> [UInt8] {
        if rest.isEmpty { return [] }
        rest = []
        return Array("\u{FFFD}".utf8)
    }

    private func text(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        (isBigEndian ? UnicodeEncoding.utf16BigEndian(mark: 0) : .utf16LittleEndian(mark: 0))
            .utf8(bytes, isWhole: true)
    }
}
