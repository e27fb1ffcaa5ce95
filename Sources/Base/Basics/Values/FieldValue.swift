// A decoded field value of a record, in the data model that JSON and Lua share. An unknown value is `.none`, never 0,
// "" or an empty list.

/// Plain data exchanged between records, JSON and plugins.
public enum FieldValue: Sendable, Equatable {
    /// Unknown or absent.
    case none
    case bool(Bool)
    /// An integer with 64-bit precision.
    case integer(Int64)
    case number(Double)
    case text(String)
    case list([FieldValue])
    /// Named members in source order.
    case record([Member])

    /// One name and value of a `.record`.
    public struct Member: Sendable, Equatable {
        public var name: String
        public var value: FieldValue

        public init(_ name: String, _ value: FieldValue) {
            self.name = name
            self.value = value
        }
    }

    public var isNone: Bool { if case .none = self { true } else { false } }
    public var text: String? { if case .text(let text) = self { text } else { nil } }
    public var bool: Bool? { if case .bool(let flag) = self { flag } else { nil } }
    public var list: [FieldValue]? { if case .list(let items) = self { items } else { nil } }
    public var members: [Member]? { if case .record(let members) = self { members } else { nil } }

    /// The value as an integer; nil for other types and for numbers with a fraction.
    public var integer: Int64? {
        switch self {
        case .integer(let whole): whole
        case .number(let number): Int64(exactly: number)
        default: nil
        }
    }

    /// The value as a floating-point number; nil for anything but numbers.
    public var double: Double? {
        switch self {
        case .integer(let whole): Double(whole)
        case .number(let number): number
        default: nil
        }
    }

    /// The first member with that name; `.none` when there is none or this value is not a record.
    public subscript(name: String) -> FieldValue {
        members?.first { $0.name == name }?.value ?? .none
    }

    public init(_ text: String?) { self = text.map(FieldValue.text) ?? .none }
    public init(_ whole: Int64?) { self = whole.map(FieldValue.integer) ?? .none }
    public init(_ flag: Bool?) { self = flag.map(FieldValue.bool) ?? .none }
}
