// Binary encoding of plain data for message headers: a tag, then the value. The bytes may come from a compromised
// worker, so a length never allocates more than the available bytes, and depth is checked before anything is built.

import Basics

package enum MessageCoding {
    /// Maximum nesting depth. Deeper values are encoded as unknown; deeper input is rejected.
    package static let maximumDepth = 32

    private enum Tag: UInt8 {
        case none, no, yes, integer, number, text, list, record
    }

    // MARK: - Writing

    /// Encodes a value. Non-finite numbers become unknown, as in JSON.
    package static func encode(_ value: FieldValue) -> [UInt8] {
        var bytes: [UInt8] = []
        append(value, to: &bytes, depth: 0)
        return bytes
    }

    private static func append(_ value: FieldValue, to bytes: inout [UInt8], depth: Int) {
        switch value {
        case .bool(let flag): bytes.append((flag ? Tag.yes : .no).rawValue)
        case .integer(let whole):
            bytes.append(Tag.integer.rawValue)
            append(UInt64(bitPattern: whole), count: 8, to: &bytes)
        case .number(let number) where number.isFinite:
            bytes.append(Tag.number.rawValue)
            append(number.bitPattern, count: 8, to: &bytes)
        case .text(let text):
            bytes.append(Tag.text.rawValue)
            append(text, to: &bytes)
        case .list(let items) where depth < maximumDepth:
            bytes.append(Tag.list.rawValue)
            append(UInt64(items.count), count: 4, to: &bytes)
            for item in items { append(item, to: &bytes, depth: depth + 1) }
        case .record(let members) where depth < maximumDepth:
            bytes.append(Tag.record.rawValue)
            append(UInt64(members.count), count: 4, to: &bytes)
            for member in members {
                append(member.name, to: &bytes)
                append(member.value, to: &bytes, depth: depth + 1)
            }
        case .none, .number, .list, .record: bytes.append(Tag.none.rawValue)
        }
    }

    private static func append(_ text: String, to bytes: inout [UInt8]) {
        append(UInt64(text.utf8.count), count: 4, to: &bytes)
        bytes.append(contentsOf: text.utf8)
    }

    /// Appends the low `count` bytes of a number in little-endian order.
    private static func append(_ number: UInt64, count: Int, to bytes: inout [UInt8]) {
        for byte in 0..<count { bytes.append(UInt8(truncatingIfNeeded: number >> (byte * 8))) }
    }

    // MARK: - Reading

    /// Decodes exactly one value; nil when the bytes are invalid or there are more.
    package static func decode(_ bytes: [UInt8]) -> FieldValue? {
        var reader = Reader(bytes: bytes)
        guard let value = reader.value(depth: 0), reader.left == 0 else { return nil }
        return value
    }

    private struct Reader {
        let bytes: [UInt8]
        var at = 0

        var left: Int { bytes.count - at }

        mutating func value(depth: Int) -> FieldValue? {
            guard left > 0, let tag = Tag(rawValue: bytes[at]) else { return nil }
            at += 1
            switch tag {
            case .none: return FieldValue.none
            case .no: return .bool(false)
            case .yes: return .bool(true)
            case .integer: return number(8).map { .integer(Int64(bitPattern: $0)) }
            case .number:
                guard let bits = number(8), case let number = Double(bitPattern: bits), number.isFinite else {
                    return nil
                }
                return .number(number)
            case .text: return text().map { .text($0) }
            case .list:
                guard let count = count(depth, least: 1) else { return nil }
                var items: [FieldValue] = []
                for _ in 0..<count {
                    guard let item = value(depth: depth + 1) else { return nil }
                    items.append(item)
                }
                return .list(items)
            case .record:
                guard let count = count(depth, least: 5) else { return nil }
                var members: [FieldValue.Member] = []
                for _ in 0..<count {
                    guard let name = text(), let value = value(depth: depth + 1) else { return nil }
                    members.append(.init(name, value))
                }
                return .record(members)
            }
        }

        /// Reads an element count. Fails when that many elements of `least` bytes each cannot fit.
        private mutating func count(_ depth: Int, least: Int) -> Int? {
            guard depth < maximumDepth, let count = number(4), Int(count) <= left / least else { return nil }
            return Int(count)
        }

        private mutating func text() -> String? {
            guard let count = number(4), Int(count) <= left else { return nil }
            defer { at += Int(count) }
            guard let text = try? UTF8Span(validating: bytes.span.extracting(at..<at + Int(count))) else { return nil }
            return String(copying: text)
        }

        private mutating func number(_ count: Int) -> UInt64? {
            guard left >= count else { return nil }
            var number: UInt64 = 0
            for byte in 0..<count { number |= UInt64(bytes[at + byte]) << (byte * 8) }
            at += count
            return number
        }
    }
}
