// One decoded value of a record's field: plain data, the same shape that JSON and Lua have.
// Unknown is `.none`; it is never 0, "" or an empty list.

/// Plain data as records, JSON and plugins exchange it.
public enum FieldValue: Sendable, Equatable {
    /// Unknown, or absent.
    case none
    case bool(Bool)
    /// A whole number, exact to 64 bits.
    case integer(Int64)
    case number(Double)
    case text(String)
    case list([FieldValue])
    /// Named members, in the order they were written.
    case record([Member])

    /// A name and its value inside a `.record`.
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

    /// The value as a whole number; nil for text and for numbers with a fraction.
    public var integer: Int64? {
        switch self {
        case .integer(let whole): whole
        case .number(let number): Int64(exactly: number)
        default: nil
        }
    }

    /// The value as a number with a fraction; nil for anything but numbers.
    public var double: Double? {
        switch self {
        case .integer(let whole): Double(whole)
        case .number(let number): number
        default: nil
        }
    }

    /// The first member of that name, `.none` when there is no such member or this is no record.
    public subscript(name: String) -> FieldValue {
        members?.first { $0.name == name }?.value ?? .none
    }

    public init(_ text: String?) { self = text.map(FieldValue.text) ?? .none }
    public init(_ whole: Int64?) { self = whole.map(FieldValue.integer) ?? .none }
    public init(_ flag: Bool?) { self = flag.map(FieldValue.bool) ?? .none }
}
