// A reference to a parsed JSON value: a row of JSON Lines, an element of a reply, or a nested value. It retains its
// whole batch, so storing one row keeps the memory of all rows.

import Basics

/// A parsed JSON value that is decoded on access.
public struct JSONRow: Sendable {
    package let batch: JSONBatch
    package let document: UInt32
    package let index: UInt32

    /// The value at a path as plain data; `.none` when it is missing or null. If an object has a name more than once,
    /// the last value counts, here and everywhere.
    public func value(at path: JSONPath = "") -> FieldValue {
        switch read(path) {
        case .array(let index), .object(let index): batch.fieldValue(document, index)
        case let scalar: scalar.fieldValue
        }
    }

    /// The value at a path; nil when there is none.
    public func row(at path: JSONPath) -> JSONRow? {
        batch.place(document, index, at: path).map(row)
    }

    /// The type of the value.
    public var kind: JSONValue.Kind { batch.kind(document, index, at: Self.itself) }

    public func kind(at path: JSONPath) -> JSONValue.Kind { batch.kind(document, index, at: path) }

    /// An array's elements or an object's values; empty for other types.
    public var elements: [JSONRow] { batch.children(document, index).map { row($0.index) } }

    /// An object's members in order; empty for other types.
    public var members: [(name: String, row: JSONRow)] {
        batch.children(document, index).compactMap { child in child.name.map { ($0, row(child.index)) } }
    }

    /// The value at a path, without conversion to plain data.
    package func read(_ path: JSONPath) -> JSONValue { batch.read(document, index, at: path) }

    /// The value itself, without conversion to plain data.
    package func read() -> JSONValue { batch.read(document, index) }

    package func row(_ index: UInt32) -> JSONRow { JSONRow(batch: batch, document: document, index: index) }

    private static let itself: JSONPath = ""
}

/// A JSON value. The contents of a container are read through a `JSONRow`.
public enum JSONValue: Sendable, Equatable {
    case nothing
    case null
    case bool(Bool)
    case integer(Int64)
    /// An integer above the maximum of `Int64`.
    case natural(UInt64)
    case number(Double)
    case text(String)
    case array(index: UInt32)
    case object(index: UInt32)

    public enum Kind: Sendable { case nothing, null, bool, number, text, array, object }

    /// A scalar as plain data. Integers that do not fit `Int64` become decimal text; containers become `.none`.
    package var fieldValue: FieldValue {
        switch self {
        case .nothing, .null, .array, .object: .none
        case .bool(let flag): .bool(flag)
        case .integer(let whole): .integer(whole)
        case .natural(let whole): .text(String(whole))
        case .number(let number): .number(number)
        case .text(let text): .text(text)
        }
    }
}
