// Values as plain data for messages, in both directions. The reader is strict, since the peer may be a compromised
// worker: a value of another type, an unknown word or an integer that does not fit refuses the whole message.

import Basics

/// A value that a message can carry.
package protocol WireValue {
    /// The value as plain data. Byte strings go to the body, and their lengths stand for them.
    func write(_ body: inout WireBody) -> FieldValue
    /// nil when the data is no such value.
    init?(_ value: FieldValue, _ body: inout WireBody)

    /// Lists of the type have their own form: `[UInt8]` is a byte string.
    static func write(_ list: [Self], _ body: inout WireBody) -> FieldValue
    static func list(_ value: FieldValue, _ body: inout WireBody) -> [Self]?
}

extension WireValue {
    package static func write(_ list: [Self], _ body: inout WireBody) -> FieldValue {
        var items: [FieldValue] = []
        items.reserveCapacity(list.count)
        for item in list { items.append(item.write(&body)) }
        return .list(items)
    }

    package static func list(_ value: FieldValue, _ body: inout WireBody) -> [Self]? {
        guard let items = value.list else { return nil }
        var list: [Self] = []
        list.reserveCapacity(items.count)
        for item in items {
            guard let item = Self(item, &body) else { return nil }
            list.append(item)
        }
        return list
    }

    /// A value without byte strings.
    package var wire: FieldValue {
        var body = WireBody()
        return write(&body)
    }

    package init?(wire value: FieldValue) {
        var body = WireBody()
        self.init(value, &body)
    }
}

/// The body of a message: byte strings, one behind the other, in the order of the fields.
package struct WireBody {
    package private(set) var bytes: [UInt8]
    private var position = 0

    package init(_ bytes: [UInt8] = []) { self.bytes = bytes }

    fileprivate mutating func append(_ more: [UInt8]) {
        if bytes.isEmpty { bytes = more } else { bytes += more }
    }

    /// The next bytes; nil when fewer are left.
    fileprivate mutating func take(_ count: Int) -> [UInt8]? {
        guard 0...(bytes.count - position) ~= count else { return nil }
        defer { position += count }
        return count == bytes.count ? bytes : Array(bytes[position..<position + count])
    }
}

// MARK: - Plain values

extension FieldValue: WireValue {
    package func write(_ body: inout WireBody) -> FieldValue { self }
    package init?(_ value: FieldValue, _ body: inout WireBody) { self = value }
}

extension Bool: WireValue {
    package func write(_ body: inout WireBody) -> FieldValue { .bool(self) }

    package init?(_ value: FieldValue, _ body: inout WireBody) {
        guard let flag = value.bool else { return nil }
        self = flag
    }
}

extension Double: WireValue {
    package func write(_ body: inout WireBody) -> FieldValue { .number(self) }

    package init?(_ value: FieldValue, _ body: inout WireBody) {
        guard let number = value.double else { return nil }
        self = number
    }
}

extension String: WireValue {
    package func write(_ body: inout WireBody) -> FieldValue { .text(self) }

    package init?(_ value: FieldValue, _ body: inout WireBody) {
        guard let text = value.text else { return nil }
        self = text
    }
}

extension WireValue where Self: FixedWidthInteger {
    package func write(_ body: inout WireBody) -> FieldValue { .integer(Int64(truncatingIfNeeded: self)) }

    package init?(_ value: FieldValue, _ body: inout WireBody) {
        guard let whole = value.integer, let number = Self(exactly: whole) else { return nil }
        self = number
    }
}

extension Int: WireValue {}
extension Int32: WireValue {}
extension Int64: WireValue {}

extension UInt64: WireValue {
    /// Values over `Int64.max` are negative on the wire.
    package init?(_ value: FieldValue, _ body: inout WireBody) {
        guard let whole = value.integer else { return nil }
        self.init(bitPattern: whole)
    }
}

extension UInt8: WireValue {
    package static func write(_ list: [UInt8], _ body: inout WireBody) -> FieldValue {
        body.append(list)
        return .integer(Int64(list.count))
    }

    package static func list(_ value: FieldValue, _ body: inout WireBody) -> [UInt8]? {
        value.integer.flatMap { Int(exactly: $0) }.flatMap { body.take($0) }
    }
}

extension WireValue where Self: RawRepresentable, RawValue: WireValue {
    package func write(_ body: inout WireBody) -> FieldValue { rawValue.write(&body) }

    package init?(_ value: FieldValue, _ body: inout WireBody) {
        guard let raw = RawValue(value, &body) else { return nil }
        self.init(rawValue: raw)
    }
}

extension Optional: WireValue where Wrapped: WireValue {
    package func write(_ body: inout WireBody) -> FieldValue { self?.write(&body) ?? .none }

    package init?(_ value: FieldValue, _ body: inout WireBody) {
        self = nil
        if value.isNone { return }
        guard let wrapped = Wrapped(value, &body) else { return nil }
        self = wrapped
    }
}

extension Array: WireValue where Element: WireValue {
    package func write(_ body: inout WireBody) -> FieldValue { Element.write(self, &body) }

    package init?(_ value: FieldValue, _ body: inout WireBody) {
        guard let list = Element.list(value, &body) else { return nil }
        self = list
    }
}

// MARK: - Texts for people

/// A text of a report, or several.
package protocol WireText: WireValue {
    /// The text, shortened to 32 KiB.
    var cut: Self { get }
}

extension String: WireText {
    /// UTF-8 bytes at most: more than anyone reads.
    private static let longestText = 32 << 10

    package var cut: String {
        guard utf8.count > Self.longestText else { return self }
        return String(decoding: utf8.prefix(Self.longestText), as: UTF8.self) + "…"
    }
}

extension Optional: WireText where Wrapped: WireText {
    package var cut: Wrapped? { map(\.cut) }
}

extension Array: WireText where Element: WireText {
    package var cut: [Element] { map(\.cut) }
}
