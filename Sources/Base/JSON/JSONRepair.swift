// Rewrites JSON that simdjson rejects but other writers produce. Half of a surrogate pair becomes U+FFFD; a number
// outside the range of 64 bits and doubles becomes text with the same digits. Other errors are not repaired.

/// Rewrites valid JSON that simdjson does not accept.
enum JSONRepair {
    /// The repaired text; nil when nothing needs repair.
    static func repaired(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
        var repair = Repair(bytes)
        repair.run()
        return repair.isChanged ? repair.output + bytes[repair.copied...] : nil
    }

    private struct Repair {
        private let bytes: ArraySlice<UInt8>
        private var at: Int
        /// Input before this index is already in the output.
        private(set) var copied: Int
        private(set) var output: [UInt8] = []
        private(set) var isChanged = false

        init(_ bytes: ArraySlice<UInt8>) {
            self.bytes = bytes
            at = bytes.startIndex
            copied = at
        }

        mutating func run() {
            while at < bytes.endIndex {
                switch bytes[at] {
                case UInt8(ascii: "\""): text()
                case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): number()
                default: at += 1
                }
            }
        }

        private mutating func replace(_ range: Range<Int>, with text: [UInt8]) {
            output += bytes[copied..<range.lowerBound]
            output += text
            copied = range.upperBound
            isChanged = true
        }

        private mutating func text() {
            at += 1
            while at < bytes.endIndex {
                switch bytes[at] {
                case UInt8(ascii: "\""):
                    at += 1
                    return
                case UInt8(ascii: "\\"): escape()
                default: at += 1
                }
            }
        }

        private mutating func escape() {
            guard let unit = unit(at: at) else {
                at = min(at + 2, bytes.endIndex)
                return
            }
            let start = at
            at += 6
            guard unit & 0xF800 == 0xD800 else { return }
            if unit < 0xDC00, let low = self.unit(at: at), low & 0xFC00 == 0xDC00 {
                at += 6
            } else {
                replace(start..<start + 6, with: Array("\\uFFFD".utf8))
            }
        }

        /// The UTF-16 code unit of `\uXXXX`; nil when the escape is something else.
        private func unit(at index: Int) -> UInt32? {
            guard index + 6 <= bytes.endIndex, bytes[index] == UInt8(ascii: "\\"), bytes[index + 1] == UInt8(ascii: "u")
            else { return nil }
            var unit: UInt32 = 0
            for byte in bytes[index + 2..<index + 6] {
                guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
                unit = unit << 4 | UInt32(digit)
            }
            return unit
        }

        private mutating func number() {
            let start = at
            while at < bytes.endIndex, "+-.0123456789eE".utf8.contains(bytes[at]) { at += 1 }
            guard case .fault(let offset, .numberOutOfRange) = JSONScanner.scan(bytes[start..<at], boundsNumbers: true),
                offset == start
            else { return }
            replace(start..<at, with: [UInt8(ascii: "\"")] + bytes[start..<at] + [UInt8(ascii: "\"")])
        }
    }
}
