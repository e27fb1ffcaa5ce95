// Which form of Unicode an input is in, as far as its first bytes tell, and its text as UTF-8. What is easily got wrong:
// UTF-16 without a byte order mark is told by the zeros beside ASCII, which markup and tables begin with.

/// A form of Unicode that its first bytes give away.
package enum UnicodeEncoding: Sendable, Equatable {
    case utf8(mark: Int)
    case utf16LittleEndian(mark: Int)
    case utf16BigEndian(mark: Int)

    /// How many bytes tell.
    package static let needed = 4

    /// Bytes of the byte order mark.
    package var mark: Int {
        switch self {
        case .utf8(let mark), .utf16LittleEndian(let mark), .utf16BigEndian(let mark): mark
        }
    }

    /// nil when nothing tells: ASCII, UTF-8 without a mark, or an older encoding.
    package static func found(in bytes: some Collection<UInt8>) -> UnicodeEncoding? {
        let first = Array(bytes.prefix(needed))
        if first.starts(with: [0xEF, 0xBB, 0xBF]) { return .utf8(mark: 3) }
        if first.starts(with: [0xFF, 0xFE]) { return .utf16LittleEndian(mark: 2) }
        if first.starts(with: [0xFE, 0xFF]) { return .utf16BigEndian(mark: 2) }
        guard first.count == needed else { return nil }
        func isASCII(_ byte: UInt8) -> Bool { byte > 0 && byte < 0x80 }
        if isASCII(first[0]), first[1] == 0, isASCII(first[2]), first[3] == 0 { return .utf16LittleEndian(mark: 0) }
        if first[0] == 0, isASCII(first[1]), first[2] == 0, isASCII(first[3]) { return .utf16BigEndian(mark: 0) }
        return nil
    }

    /// The text without its mark. What is no Unicode becomes U+FFFD, except in UTF-8, which stays as it is.
    ///
    /// - Parameter isWhole: whether a last half of a character is an error and not merely cut off.
    package func utf8(_ bytes: some Collection<UInt8>, isWhole: Bool) -> [UInt8] {
        switch self {
        case .utf8(let mark): return Array(bytes.dropFirst(mark))
        case .utf16LittleEndian(let mark): return Self.transcode(bytes.dropFirst(mark), high: 1, isWhole: isWhole)
        case .utf16BigEndian(let mark): return Self.transcode(bytes.dropFirst(mark), high: 0, isWhole: isWhole)
        }
    }

    private static func transcode(_ bytes: some Collection<UInt8>, high: Int, isWhole: Bool) -> [UInt8] {
        var units: [UInt16] = []
        units.reserveCapacity(bytes.count / 2)
        var pair: (UInt16, UInt16) = (0, 0)
        var count = 0
        for byte in bytes {
            if count & 1 == 0 { pair.0 = UInt16(byte) } else { pair.1 = UInt16(byte) }
            if count & 1 == 1 { units.append(high == 0 ? pair.0 << 8 | pair.1 : pair.1 << 8 | pair.0) }
            count += 1
        }
        if isWhole {
            if count & 1 == 1 { units.append(0xFFFD) }
        } else if let last = units.last, last & 0xFC00 == 0xD800 {
            units.removeLast()
        }
        var text: [UInt8] = []
        text.reserveCapacity(units.count + units.count / 2)
        _ = Swift.transcode(units.makeIterator(), from: UTF16.self, to: UTF8.self, stoppingOnError: false) {
            text.append($0)
        }
        return text
    }
}
