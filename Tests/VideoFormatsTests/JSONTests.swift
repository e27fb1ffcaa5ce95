// JSON text to data and back.

import Testing

@testable import Basics
@testable import JSON

func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

@Suite struct JSONTests {
    @Test(
        "values are decoded as they stand",
        arguments: [
            ("null", FieldValue.none), ("true", .bool(true)), ("false", .bool(false)), ("0", .integer(0)),
            ("-9223372036854775808", .integer(.min)), ("9223372036854775807", .integer(.max)),
            ("9223372036854775808", .text("9223372036854775808")),
            ("18446744073709551615", .text("18446744073709551615")), ("1.5", .number(1.5)), ("1.0", .number(1)),
            ("5e-324", .number(.leastNonzeroMagnitude)), ("\"a\\u00e9\\ud83d\\ude00\\n\"", .text("aé😀\n")),
            ("\"\"", .text("")),
            ("\"a\\u0000b\"", .text("a\0b")), ("[]", .list([])), ("{}", .record([])),
            (
                " [1, [null], {\"b\": 1, \"a\": 2}] ",
                .list([
                    .integer(1), .list([.none]), .record([.init("b", .integer(1)), .init("a", .integer(2))]),
                ])
            ),
        ])
    func decodes(json: String, value: FieldValue) throws {
        #expect(try JSON.decode(bytes(json)) == value)
    }

    @Test("of names that occur twice the last value counts, in the first one's place")
    func twins() throws {
        let json = #"{"a":1,"b":2,"a":{"c":3,"c":4}}"#
        #expect(text(JSON.encode(try JSON.decode(bytes(json)))) == #"{"a":{"c":4},"b":2}"#)
        #expect(try JSONBatch.document(bytes(json))[0].value(at: "a.c") == .integer(4))
        let many = "{" + (0..<40).map { "\"k\($0)\":\($0)," }.joined() + "\"k3\":true}"
        let members = try #require(try JSON.decode(bytes(many)).members)
        #expect(members.count == 40)
        #expect(members[3] == .init("k3", .bool(true)))
    }

    @Test("names that only look the same are two names")
    func names() throws {
        #expect(try JSON.decode(bytes("{\"\u{E9}\":1,\"e\u{301}\":2}")).members?.count == 2)
    }

    @Test(
        "what is no JSON is an error with its place",
        arguments: [
            ("", "line 1, column 1 (byte 0): the text ends before the value does"),
            ("{\"a\":\n  tru}", "line 2, column 3 (byte 8): expected a value, found 't'"),
            ("{\"a\" 1}", "line 1, column 6 (byte 5): expected a colon, found '1'"),
            ("[1,]", "line 1, column 4 (byte 3): expected a value, found ']'"),
            ("[1 2]", "line 1, column 4 (byte 3): expected a comma or ], found '2'"),
            ("{\"a\":1,}", "line 1, column 8 (byte 7): expected a name in quotes, found '}'"),
            ("[1] x", "line 1, column 5 (byte 4): there is more after the value"),
            ("[\"é\u{1}\"]", "line 1, column 4 (byte 4): a control character in text must be escaped"),
            ("\"\\x\"", "line 1, column 2 (byte 1): no such escape sequence"),
            ("[01]", "line 1, column 2 (byte 1): not a number as JSON writes it"),
            ("[1.]", "line 1, column 2 (byte 1): not a number as JSON writes it"),
            ("{\"a\":[1,\n2", "line 2, column 2 (byte 10): the text ends before the value does"),
            ("[NaN]", "line 1, column 2 (byte 1): expected a value, found 'N'"),
        ])
    func faults(json: String, words: String) {
        let error = #expect(throws: JSONError.self) { try JSON.decode(bytes(json)) }
        #expect(error?.description == words)
    }

    @Test(
        "what simdjson cannot hold is read another way: half a surrogate pair, and numbers too large",
        arguments: [
            (#""\ud83d!""#, .text("\u{FFFD}!")), (#""\udc00""#, .text("\u{FFFD}")),
            (#""\ud83d\ud83d\ude00\\ud83d""#, .text("\u{FFFD}\u{1F600}\\ud83d")),
            (#""\ud83d\u0041\n""#, .text("\u{FFFD}A\n")),
            ("[18446744073709551615]", .list([.text("18446744073709551615")])),
            ("[18446744073709551616]", .list([.text("18446744073709551616")])),
            ("[-9223372036854775808]", .list([.integer(.min)])),
            ("[-9223372036854775809, 1]", .list([.text("-9223372036854775809"), .integer(1)])),
            ("[1e999,-1E+400]", .list([.text("1e999"), .text("-1E+400")])),
            (
                #"{"99999999999999999999":"99999999999999999999","b":99999999999999999999}"#,
                .record([
                    .init("99999999999999999999", .text("99999999999999999999")),
                    .init("b", .text("99999999999999999999")),
                ])
            ),
        ] as [(String, FieldValue)])
    func mended(json: String, value: FieldValue) throws {
        #expect(try JSON.decode(bytes(json)) == value)
    }

    @Test(
        "what is mended hides no other fault, and its place is the one in the text",
        arguments: [
            (#"["\ud83d",99999999999999999999,}"#, "line 1, column 32 (byte 31): expected a value, found '}'"),
            (#"["\ud83d" 99999999999999999999]"#, "line 1, column 11 (byte 10): expected a comma or ], found '9'"),
            ("[99999999999999999999", "line 1, column 22 (byte 21): the text ends before the value does"),
            ("[\"\\ud83d\u{1}\"]", "line 1, column 9 (byte 8): a control character in text must be escaped"),
            ("[\"\\ud83\"]", "line 1, column 3 (byte 2): no such escape sequence"),
            ("[099999999999999999999]", "line 1, column 2 (byte 1): not a number as JSON writes it"),
            ("{9999E9999:1}", "line 1, column 2 (byte 1): expected a name in quotes, found '9'"),
            ("{1:99999999999999999999}", "line 1, column 2 (byte 1): expected a name in quotes, found '1'"),
            ("[1e999+]", "line 1, column 7 (byte 6): expected a comma or ], found '+'"),
            ("[1E400.5]", "line 1, column 7 (byte 6): expected a comma or ], found '.'"),
            ("[1e400e1]", "line 1, column 7 (byte 6): expected a comma or ], found 'e'"),
            ("[99999999999999999999-1]", "line 1, column 22 (byte 21): expected a comma or ], found '-'"),
            ("1e999-", "line 1, column 6 (byte 5): there is more after the value"),
        ])
    func mendedFaults(json: String, words: String) {
        let error = #expect(throws: JSONError.self) { try JSON.decode(bytes(json)) }
        #expect(error?.description == words)
    }

    @Test(
        "bytes that are not UTF-8 are an error with its place",
        arguments: [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xE2, 0x28, 0xA1]])
    func encoding(bad: [UInt8]) {
        let error = #expect(throws: JSONError.self) { try JSON.decode(bytes("[\"é") + bad + bytes("\"]")) }
        #expect(error?.reason == .invalidUTF8)
        #expect(error?.offset == 4)
    }

    @Test("nesting is bounded, and 100,000 levels are an error")
    func depth() throws {
        func nested(_ depth: Int, _ inside: String = "1") -> [UInt8] {
            bytes(String(repeating: "[", count: depth) + inside + String(repeating: "]", count: depth))
        }
        for deepest in [nested(JSON.maximumDepth), nested(JSON.maximumDepth, "[]"), nested(JSON.maximumDepth, "{}")] {
            #expect(try JSON.encode(JSON.decode(deepest)) == deepest)
        }
        for deeper in [nested(JSON.maximumDepth + 1), nested(100_000), nested(100_000, ""), nested(5_000, #"{"a":"#)] {
            let error = #expect(throws: JSONError.self) { try JSON.decode(deeper) }
            #expect(error?.reason == .tooDeep(limit: JSON.maximumDepth))
            #expect(error?.offset == JSON.maximumDepth)
        }
        var deep = FieldValue.integer(1)
        for _ in 0..<2_000 { deep = .list([deep]) }
        #expect(JSON.encode(deep).count == 2 * JSON.maximumDepth + 4)
    }

    @Test(
        "values are encoded as they stand",
        arguments: [
            (FieldValue.none, "null"), (.bool(true), "true"), (.integer(.min), "-9223372036854775808"),
            (.integer(7), "7"), (.integer(10), "10"), (.number(0.1), "0.1"), (.number(3), "3.0"),
            (.number(1e300), "1e+300"), (.number(.nan), "null"), (.number(.infinity), "null"),
            (.text("\u{1B}[31m\u{8}\u{9}\u{A}\u{C}\u{D}\u{1}\u{7F}"), "\"\\u001b[31m\\b\\t\\n\\f\\r\\u0001\u{7F}\""),
            (.text("a/b\"c\\d"), #""a/b\"c\\d""#), (.text("\u{2028}…\u{2029}é"), "\"\\u2028…\\u2029é\""),
            (.record([.init("b", .list([])), .init("a", .list([.none, .integer(1)]))]), #"{"b":[],"a":[null,1]}"#),
        ])
    func encodes(value: FieldValue, json: String) {
        #expect(text(JSON.encode(value)) == json)
    }

    @Test("pretty text is indented by two spaces")
    func pretty() {
        let value = FieldValue.record([
            .init("a", .list([.integer(1), .record([])])), .init("b", .record([.init("c", .list([]))])),
        ])
        let json = "{\n  \"a\": [\n    1,\n    {}\n  ],\n  \"b\": {\n    \"c\": []\n  }\n}"
        #expect(text(JSON.encode(value, pretty: true)) == json)
    }

    @Test("every byte of text comes back", arguments: [0..<0x80, 0x80..<0x800, 0x2000..<0x2100, 0x1F600..<0x1F650])
    func roundTrip(scalars: Range<UInt32>) throws {
        let value = FieldValue.text(String(String.UnicodeScalarView(scalars.compactMap(Unicode.Scalar.init))))
        #expect(try JSON.decode(JSON.encode(value)) == value)
    }
}

@Suite struct JSONPathTests {
    @Test(
        "a path leads to its value",
        arguments: [
            ("a", FieldValue.integer(1)), ("b.c.1", .text("y")), ("b.c.5", .none), ("b.c.x", .none), ("a.b", .none),
            ("x\\.y", .bool(true)), ("b\\\\", .integer(2)), ("7", .integer(3)), ("d", .none),
            ("b.c.4294967295", .none), ("b", .record([.init("c", .list([.text("x"), .text("y")]))])),
        ])
    func leads(path: String, value: FieldValue) throws {
        let json = #"{"a":1,"b":{"c":["x","y"]},"x.y":true,"b\\":2,"7":3,"d":null}"#
        #expect(try JSONBatch.document(bytes(json))[0].value(at: JSONPath(path)) == value)
    }

    @Test("a path that cannot be read says why", arguments: ["a..b", ".a", "a.", "a\\", "a\\b"])
    func problems(path: String) throws {
        #expect(JSONPath(path).problem != nil)
        #expect(try JSONBatch.document(bytes(#"{"a":{"b":1}}"#))[0].row(at: JSONPath(path)) == nil)
    }

    @Test("a row outlives whoever made its batch")
    func lifetime() throws {
        func row() throws -> JSONRow? { try JSONBatch.document(bytes(#"{"a":{"b":["c"]}}"#))[0].row(at: "a") }
        let kept = try #require(try row())
        #expect(kept.kind == .object)
        #expect(kept.members.map(\.name) == ["b"])
        #expect(kept.row(at: "b")?.elements.map { $0.value() } == [.text("c")])
        #expect(kept.row(at: "b.0")?.value() == .text("c"))
    }
}
