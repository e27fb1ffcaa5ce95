// Enums with payloads as messages, or as records inside one. One row a case writes and reads it.
//
//     cases.add("page", FeedSource.page, "address") { if case .page(let address) = $0 { address } else { nil } }
//
// The compiler does not notice a case without a row. Tests do.

import Basics

/// An enum with a row for each case.
package protocol WireEnum {
    /// What tells the cases apart: the kind of a message, or a word in a record.
    associatedtype WireKind: Equatable = String
    static func code(_ cases: inout WireCases<Self>)
}

/// A value of an enum while its rows write or read it.
package struct WireCases<Whole: WireEnum> {
    fileprivate var kind: Whole.WireKind?
    fileprivate var whole: Whole?
    fileprivate var fields: WireFields
    private let isReading: Bool

    fileprivate init(writing whole: Whole) { (self.whole, fields, isReading) = (whole, WireFields(), false) }

    fileprivate init(reading kind: Whole.WireKind, _ members: [FieldValue.Member]) {
        (self.kind, fields, isReading) = (kind, WireFields(reading: members), true)
    }

    /// A row: a case, and the names of the parts of its payload. A part that is absent and not optional, or of another
    /// type, refuses the value.
    ///
    /// - Parameters:
    ///   - make: the case with a payload; nil when the payload is not allowed.
    ///   - take: the payload of a value of this case; nil for other cases.
    @inline(__always)
    package mutating func add<each Part: WireValue>(
        _ kind: Whole.WireKind, _ make: (repeat each Part) -> Whole?, _ names: repeat WirePart<each Part>,
        take: (Whole) -> (repeat each Part)?
    ) {
        if isReading {
            guard whole == nil, kind == self.kind else { return }
            do throws(Refusal) { whole = make(repeat try read(each names)) } catch {}
        } else if self.kind == nil, let whole, let parts = take(whole) {
            self.kind = kind
            repeat fields.append((each names).name, each parts)
        }
    }

    private struct Refusal: Error {}

    @inline(__always)
    private mutating func read<Part: WireValue>(_ part: WirePart<Part>) throws(Refusal) -> Part {
        guard let value: Part = fields.read(part.name) else { throw Refusal() }
        return value
    }
}

/// The name of a part of a payload. Its type makes the compiler count the names of a row.
package struct WirePart<Value>: ExpressibleByStringLiteral {
    let name: String
    package init(stringLiteral name: String) { self.name = name }
}

extension WireEnum {
    /// nil for a case without a row.
    fileprivate func parts(_ body: inout WireBody) -> (kind: WireKind, members: [FieldValue.Member])? {
        var cases = WireCases(writing: self)
        swap(&cases.fields.body, &body)
        Self.code(&cases)
        swap(&cases.fields.body, &body)
        return cases.kind.map { ($0, cases.fields.members) }
    }

    fileprivate init?(_ kind: WireKind, _ members: [FieldValue.Member], _ body: inout WireBody) {
        var cases = WireCases<Self>(reading: kind, members)
        swap(&cases.fields.body, &body)
        Self.code(&cases)
        swap(&cases.fields.body, &body)
        guard let whole = cases.whole else { return nil }
        self = whole
    }
}

/// In a record, the kind is the member `kind`.
extension WireValue where Self: WireEnum, WireKind == String {
    package func write(_ body: inout WireBody) -> FieldValue {
        guard let (kind, members) = parts(&body) else { return .none }
        return .record([.init("kind", .text(kind))] + members)
    }

    package init?(_ value: FieldValue, _ body: inout WireBody) {
        guard let kind = value["kind"].text else { return nil }
        self.init(kind, value.members ?? [], &body)
    }
}

extension Message {
    /// - Parameter fallback: the kind for a case without a row, which the receiver refuses.
    package init<Value: WireEnum>(_ value: Value, orElse fallback: Kind) where Value.WireKind == Kind {
        var body = WireBody()
        let parts = value.parts(&body)
        self.init(
            kind: parts?.kind ?? fallback,
            header: parts.map { $0.members.isEmpty ? .none : .record($0.members) } ?? .none,
            body: body.bytes)
    }

    /// The value that the message is; nil when it is none, or is malformed.
    package func value<Value: WireEnum>(as type: Value.Type = Value.self) -> Value? where Value.WireKind == Kind {
        var body = WireBody(body)
        return Value(kind, header.members ?? [], &body)
    }
}
