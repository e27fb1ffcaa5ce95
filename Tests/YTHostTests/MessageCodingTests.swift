// Headers of messages: what is written is read again, and what nobody wrote is refused.

import Testing

@testable import Basics
@testable import Sandbox

@Suite struct MessageCodingTests {
    private static func nested(_ depth: Int) -> FieldValue {
        (0..<depth).reduce(.text("x")) { value, _ in .list([value]) }
    }

    @Test(
        "a value is read as it was written",
        arguments: [
            .none, .bool(true), .bool(false), .integer(0), .integer(.min), .integer(.max), .number(-0.5),
            .number(.greatestFiniteMagnitude), .text(""), .text("a\0é\u{1F600}"), .list([]), .record([]),
            .list([.none, .integer(3), .list([.text("x")])]),
            .record([.init("", .none), .init("a", .record([.init("b", .bool(true))])), .init("a", .integer(2))]),
            nested(MessageCoding.maximumDepth),
        ] as [FieldValue])
    func round(value: FieldValue) {
        #expect(MessageCoding.decode(MessageCoding.encode(value)) == value)
    }

    @Test("what cannot be written is unknown")
    func unknown() {
        for number in [Double.nan, .infinity, -.infinity] {
            #expect(MessageCoding.decode(MessageCoding.encode(.list([.number(number)]))) == .list([.none]))
        }
        let deep = MessageCoding.decode(MessageCoding.encode(Self.nested(MessageCoding.maximumDepth + 1)))
        #expect(deep == (0..<MessageCoding.maximumDepth).reduce(FieldValue.none) { value, _ in .list([value]) })
    }

    @Test(
        "bytes that are no value are refused",
        arguments: [
            [], [8], [0, 0], [3, 1, 2], [4] + [UInt8](repeating: 0xFF, count: 8),  // a number that is none
            [5, 1, 0, 0, 0], [5, 1, 0, 0, 0, 0xFF], [5, 0xFF, 0xFF, 0xFF, 0xFF, 65],
            [6, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0], [6, 2, 0, 0, 0, 0], [7, 1, 0, 0, 0, 0, 0, 0, 0],
            [UInt8]((0...MessageCoding.maximumDepth).flatMap { _ in [6, 1, 0, 0, 0] as [UInt8] }) + [0],
        ] as [[UInt8]])
    func refused(bytes: [UInt8]) {
        #expect(MessageCoding.decode(bytes) == nil)
    }

    @Test("no beginning of a value is a value")
    func cut() {
        let whole = MessageCoding.encode(.record([.init("a", .list([.text("bc"), .integer(1), .number(2)]))]))
        for length in 0..<whole.count { #expect(MessageCoding.decode(Array(whole[..<length])) == nil) }
    }
}
