// Streaming UTF-16 to UTF-8 conversion. A block may end inside a code unit or between the halves of a surrogate pair.

/// Decodes a UTF-16 stream; invalid sequences become U+FFFD.
package struct UTF16Decoder {
    private let isBigEndian: Bool
    /// Bytes of an incomplete character at the end of the last block.
    private var rest: [UInt8] = []

    /// Returns nil when the encoding is not UTF-16.
    package init?(_ encoding: UnicodeEncoding?) {
        switch encoding {
        case .utf16LittleEndian: isBigEndian = false
        case .utf16BigEndian: isBigEndian = true
        default: return nil
        }
    }

    /// Decodes all complete characters.
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

    /// Ends the input. An incomplete character at the end becomes U+FFFD.
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
