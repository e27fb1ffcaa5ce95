// Structs as records of a message. One list of rows writes and reads, so a new property is one new row.
//
//     extension Budgets: WireRecord {
//         package static var blank: Budgets { Budgets() }
//         package mutating func code(_ fields: inout WireFields) {
//             fields.code("memory", &memory)
//             fields.code("cpu", &cpu)
//         }
//     }
//
// The rows run on a copy when a record is written. A property with an observer cannot have a row: `inout` calls it.

import Basics

/// A struct with a row for each property that messages carry. Properties with default values are omitted, and an omitted
/// property keeps its default.
package protocol WireRecord: WireValue {
    /// The default values: nil for optional properties, no bytes for byte strings.
    static var blank: Self { get }
    /// Passes each property to `fields`, always all of them and in the same order.
    mutating func code(_ fields: inout WireFields)
}

extension WireRecord {
    package func write(_ body: inout WireBody) -> FieldValue {
        var (copy, usual) = (self, Self.blank)
        var (fields, defaults) = (WireFields(), WireFields())
        swap(&fields.body, &body)
        copy.code(&fields)
        swap(&fields.body, &body)
        usual.code(&defaults)
        return .record(zip(fields.members, defaults.members).lazy.filter { $0.value != $1.value }.map(\.0))
    }

    package init?(_ value: FieldValue, _ body: inout WireBody) {
        guard let members = value.members else { return nil }
        self = Self.blank
        var fields = WireFields(reading: members)
        swap(&fields.body, &body)
        code(&fields)
        swap(&fields.body, &body)
        if fields.isRefused { return nil }
    }
}

/// The members of a record while its rows write or read them.
package struct WireFields {
    package fileprivate(set) var members: [FieldValue.Member]
    var body = WireBody()
    private let isReading: Bool
    /// Whether a member that was read does not fit its property.
    fileprivate var isRefused = false

    package init() { (members, isReading) = ([], false) }
    init(reading members: [FieldValue.Member]) { (self.members, isReading) = (members, true) }

    /// A row: writes the property, or reads it.
    ///
    /// - Parameter accepts: whether a value that was read is allowed.
    package mutating func code<Value: WireValue>(
        _ name: String, _ value: inout Value, where accepts: (Value) -> Bool = { _ in true }
    ) {
        if !isReading { return append(name, value) }
        let member = self[name]
        if member.isNone { return }
        if let read = Value(member, &body), accepts(read) { value = read } else { isRefused = true }
    }

    /// A row for text that people read. It is shortened in both directions.
    package mutating func text(_ name: String, _ value: inout some WireText) {
        if !isReading { value = value.cut }
        code(name, &value)
        if isReading { value = value.cut }
    }

    mutating func append(_ name: String, _ value: some WireValue) {
        let wire = value.write(&body)
        members.append(.init(name, wire))
    }

    mutating func read<Value: WireValue>(_ name: String) -> Value? { Value(self[name], &body) }

    private subscript(name: String) -> FieldValue { members.first { $0.name == name }?.value ?? .none }
}
