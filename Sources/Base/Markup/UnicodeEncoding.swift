// Detects a Unicode encoding by the first bytes of an input and converts to UTF-8. UTF-16 without a byte order mark is
// recognized by the zero bytes next to ASCII, because markup and tables start with ASCII.

/// A Unicode encoding detected from the first bytes.
package enum UnicodeEncoding: Sendable, Equatable {
    case utf8(mark: Int)
    case utf16LittleEndian(mark: Int)
    case utf16BigEndian(mark: Int)

    /// Number of bytes that detection needs.
    package static let needed = 4

    /// Length of the byte order mark in bytes; 0 when there is none.
    package var mark: Int {
        switch self {
        case .utf8(let mark), .utf16LittleEndian(let mark), .utf16BigEndian(let mark): mark
        }
    }

    /// Detects the encoding. Returns nil when the bytes are inconclusive: ASCII, UTF-8 without a mark, or a legacy
    /// encoding.
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

    /// Converts to UTF-8 without the byte order mark. Invalid UTF-16 becomes U+FFFD; UTF-8 is not validated.
    ///
    /// - Parameter isWhole: whether the input is complete. If so, an incomplete character at the end becomes U+FFFD;
    ///   otherwise it is dropped.
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
