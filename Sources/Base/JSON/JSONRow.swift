// A place in parsed JSON: a row of JSON Lines, an element of a reply, or a value inside one. It holds its whole batch
// alive, so keeping one row of a block keeps the block.

import Basics

/// A JSON value that was parsed and is decoded where it is asked.
public struct JSONRow: Sendable {
    package let batch: JSONBatch
    package let document: UInt32
    package let index: UInt32

    /// The value at a path as plain data, `.none` when there is none or it is null. Of names that an object has more
    /// than once the last counts, here and everywhere.
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

    /// What the value is.
    public var kind: JSONValue.Kind { batch.kind(document, index, at: Self.itself) }

    public func kind(at path: JSONPath) -> JSONValue.Kind { batch.kind(document, index, at: path) }

    /// An array's elements, an object's values; empty for anything else.
    public var elements: [JSONRow] { batch.children(document, index).map { row($0.index) } }

    /// An object's members in their order; empty for anything else.
    public var members: [(name: String, row: JSONRow)] {
        batch.children(document, index).compactMap { child in child.name.map { ($0, row(child.index)) } }
    }

    /// The value at a path, not yet as plain data.
    package func read(_ path: JSONPath) -> JSONValue { batch.read(document, index, at: path) }

    /// The value itself, not yet as plain data.
    package func read() -> JSONValue { batch.read(document, index) }

    package func row(_ index: UInt32) -> JSONRow { JSONRow(batch: batch, document: document, index: index) }

    private static let itself: JSONPath = ""
}

/// A JSON value; what is inside a container is read through a `JSONRow`.
public enum JSONValue: Sendable, Equatable {
    case nothing
    case null
    case bool(Bool)
    case integer(Int64)
    /// A whole number above the largest `Int64`.
    case natural(UInt64)
    case number(Double)
    case text(String)
    case array(index: UInt32)
    case object(index: UInt32)

    public enum Kind: Sendable { case nothing, null, bool, number, text, array, object }

    /// A scalar as plain data; whole numbers that do not fit become decimal text. Containers are `.none`.
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
