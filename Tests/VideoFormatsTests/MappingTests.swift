// The mapper: every converter, every option, every error text.

import Testing

@testable import Basics
@testable import JSON
@testable import VideoFormats
@testable import VideoModel

private func row(_ json: String) throws -> JSONRow { try JSONBatch.document(bytes(json))[0] }

/// The one field `x` of a mapping over `{"v": …}`, as JSON; nil when it is unknown.
private func map(_ rule: FieldRule, _ json: String, strict: Bool = false) throws -> String? {
    let value = try (["x": rule] as Mapping).compiled().map(try row(json), strict: strict)["x"]
    return value.isNone ? nil : text(JSON.encode(value))
}

@Suite struct ConverterTests {
    typealias Row = (Converter, String, String?)
    static let words = Converter.words(["hd": .text("high"), "1": .bool(true)])
    static let table: [Row] = [
        (.auto, #""a""#, #""a""#), (.auto, "1", "1"), (.auto, "1.5", "1.5"), (.auto, "true", "true"),
        (.auto, "null", nil), (.auto, #"[1,{"a":null}]"#, #"[1,{"a":null}]"#), (.auto, #""""#, #""""#),
        (.text, #""a""#, #""a""#), (.text, "12", #""12""#), (.text, "18446744073709551615", #""18446744073709551615""#),
        (.text, "true", #""true""#), (.text, "[1]", nil), (.text, "{}", nil),
        (.duration, #""PT1H5M""#, "3900"), (.duration, #""1:05:00""#, "3900"), (.duration, "90", "90"),
        (.duration, "90.9", "90"), (.duration, "-1", nil), (.duration, #""soon""#, nil), (.duration, "true", nil),
        (.time, #""2020-04-21T13:45:02Z""#, "1587476702"), (.time, "1587476702", "1587476702"),
        (.time, "-1.5", "-2"), (.time, #""yesterday""#, nil), (.time, "1e300", nil),
        (.integer, "5", "5"), (.integer, "5.0", "5"), (.integer, "5.5", nil), (.integer, #""251497""#, "251497"),
        (.integer, #""5.5""#, nil), (.integer, #""""#, nil), (.integer, "18446744073709551615", nil),
        (.integer, #""9223372036854775807""#, "9223372036854775807"), (.integer, "true", nil),
        (.number, "5", "5"), (.number, "5.5", "5.5"), (.number, #""5.5""#, "5.5"), (.number, #""5""#, "5"),
        (.number, #""1e400""#, nil), (.number, #""nan""#, nil), (.number, #""0x10""#, nil), (.number, "null", nil),
        (.boolean, "true", "true"), (.boolean, #""true""#, "true"), (.boolean, #""False""#, "false"),
        (.boolean, "1", "true"), (.boolean, "0", "false"), (.boolean, #""perhaps""#, nil), (.boolean, "2", nil),
        (.html, #""Rubik&#39;s Cube &amp;amp; You""#, #""Rubik's Cube &amp; You""#), (.html, "[]", nil),
        (.url, #""https://example.org/a""#, #""https://example.org/a""#),
        (.url, #"" HTTP://example.org ""#, #""HTTP://example.org""#),
        (.url, #""//example.org/a""#, #""https://example.org/a""#), (.url, #""javascript:alert(1)""#, nil),
        (.url, #""/a""#, nil), (.url, #""https://""#, nil), (.url, #""https:///a""#, nil),
        (.url, #""https://example.org/a b""#, nil), (.url, #""""#, nil), (.url, "5", nil),
        (words, #""hd""#, #""high""#), (words, "1", "true"), (words, #""sd""#, nil), (words, "[]", nil),
        (.present(.text("yes")), "{}", #""yes""#), (.present(.text("yes")), "false", #""yes""#),
        (.present(.text("yes")), "null", nil),
    ]

    @Test("a converter reads what it says and nothing else", arguments: table)
    func reads(converter: Converter, json: String, value: String?) throws {
        #expect(try map(FieldRule("v", as: converter), "{\"v\":\(json)}") == value)
    }

    @Test("converters have names, but for those that need more")
    func names() {
        for (name, converter) in Converter.named { #expect(Converter(name: name) == converter) }
        #expect(Converter(name: "words") == nil)
    }
}

@Suite struct MappingTests {
    @Test("the first path that gives a known value counts")
    func alternatives() throws {
        let rule = FieldRule("a", "b", "c", as: .integer, unknown: .integer(0))
        #expect(try map(rule, #"{"a":null,"b":"x","c":3}"#) == "3")
        #expect(try map(rule, #"{"a":0,"c":3}"#) == "3")
        #expect(try map(rule, #"{"a":0}"#) == nil)
        #expect(try map("", #"{"a":1}"#) == #"{"a":1}"#)
    }

    @Test("other rules, then a fallback, stand in for what is not there")
    func standIns() throws {
        let rule = FieldRule(
            "a", as: .integer, fallback: .text("none"), otherwise: [FieldRule("b", as: .present(.text("b")))])
        #expect(try map(rule, #"{"a":1,"b":2}"#) == "1")
        #expect(try map(rule, #"{"b":2}"#) == #""b""#)
        #expect(try map(rule, "{}") == #""none""#)
        #expect(try map(FieldRule(constant: .integer(1)), "{}") == "1")
    }

    @Test("a record inside reads from its path, or from the row")
    func nested() throws {
        let inner: Mapping = ["id": "u.id", "n": FieldRule("u.n", as: .integer)]
        #expect(try map(FieldRule(nested: inner), #"{"u":{"id":"i","n":"5"}}"#) == #"{"id":"i","n":5}"#)
        #expect(try map(FieldRule("o", nested: inner), #"{"o":{"u":{"id":"i"}}}"#) == #"{"id":"i"}"#)
        #expect(try map(FieldRule("o", nested: inner), #"{"o":{}}"#) == nil)
        #expect(try map(FieldRule("o", nested: inner), #"{"o":5}"#) == nil)
    }

    @Test("each element of an array or an object is mapped")
    func each() throws {
        let sizes = FieldRule("v", each: .record(["w": FieldRule("width", as: .integer)]))
        #expect(try map(sizes, #"{"v":[{"width":1},{},{"width":"2"}]}"#) == #"[{"w":1},{"w":2}]"#)
        #expect(try map(sizes, #"{"v":{"s":{"width":1},"l":{"width":2}}}"#) == #"{"s":{"w":1},"l":{"w":2}}"#)
        #expect(try map(sizes, #"{"v":[]}"#) == "[]")
        #expect(try map(sizes, #"{"v":1}"#) == nil)
        #expect(try map(FieldRule("v", each: .value(.integer)), #"{"v":["1",2,"x"]}"#) == "[1,2]")
    }

    @Test("a single value becomes a list of one")
    func list() throws {
        let rule = FieldRule("v", as: .integer, list: true)
        #expect(try map(rule, #"{"v":"1"}"#) == "[1]")
        #expect(try map(rule, #"{"v":["1",2,"x"]}"#) == "[1,2]")
        #expect(try map(rule, #"{"v":[]}"#) == "[]")
        #expect(try map(rule, #"{"v":"x"}"#) == nil)
        let nested = FieldRule("v", nested: ["a": "a"], list: true)
        #expect(try map(nested, #"{"v":{"a":1}}"#) == #"[{"a":1}]"#)
        #expect(try map(nested, #"{"v":[{"a":1},{"a":2}]}"#) == #"[{"a":1},{"a":2}]"#)
    }

    @Test(
        "a row that lacks what is required is an error that names it",
        arguments: [
            (FieldRule("id.videoId", "id", as: .text, required: true), "{}", "x: nothing at \"id.videoId\", \"id\""),
            (
                FieldRule("id", as: .integer, required: true), #"{"id":"a"}"#,
                #"x: cannot read "a" at "id" as a whole number"#
            ),
            (
                FieldRule("o", nested: ["id": FieldRule("id", required: true)]), #"{"o":{"a":1}}"#,
                "x.id: nothing at \"id\""
            ),
            (
                FieldRule("v", each: .record(["id": FieldRule("id", required: true)])), #"{"v":[{}]}"#,
                "x.id: nothing at \"id\""
            ),
        ])
    func required(rule: FieldRule, json: String, words: String) {
        let error = #expect(throws: MappingFailure.self) { try map(rule, json) }
        #expect(error?.description == words)
    }

    @Test(
        "with strict a value that cannot be read is an error that shows it",
        arguments: [
            (FieldRule("v", as: .duration), #"{"v":"soon"}"#, #"x: cannot read "soon" at "v" as a duration"#),
            (
                FieldRule("v", as: .text), #"{"v":{"a":"0123456789012345678901234567890123456789"}}"#,
                #"x: cannot read {"a":"012345678901234567890123456789012… at "v" as text"#
            ),
            (
                FieldRule("v", as: .words(["b": .none, "a": .none])), #"{"v":1}"#,
                #"x: cannot read 1 at "v" as one of a, b"#
            ),
            (FieldRule("v", nested: ["a": "a"]), #"{"v":1}"#, #"x: cannot read 1 at "v" as a record"#),
            (FieldRule("v", each: .value(.text)), #"{"v":1}"#, #"x: cannot read 1 at "v" as a list or a record"#),
        ])
    func strict(rule: FieldRule, json: String, words: String) throws {
        #expect(try map(rule, json) == nil)
        let error = #expect(throws: MappingFailure.self) { try map(rule, json, strict: true) }
        #expect(error?.description == words)
    }

    @Test("strict does not mind what is absent, null or stands for unknown")
    func lenient() throws {
        let rule = FieldRule("v", "w", as: .integer, unknown: .integer(0))
        for json in ["{}", #"{"v":null}"#, #"{"v":0}"#] { #expect(try map(rule, json, strict: true) == nil) }
        #expect(try map(rule, #"{"v":"x","w":1}"#, strict: true) == "1")
    }

    @Test(
        "a mapping that cannot work is refused, by rule",
        arguments: [
            (["a": "b..c"] as Mapping, "a: the path \"b..c\" cannot be read: there is no name before or after a dot"),
            (Mapping([.init("a", "b"), .init("a", "c")]), "a: there are two rules of this name"),
            (["a": FieldRule("b", constant: .integer(1))], "a: a constant needs no path and no other rules"),
            (["a": FieldRule()], "a: needs a path, a constant or a fallback"),
            (
                ["a": FieldRule("b", nested: ["c": "d"], each: .value(.text))],
                "a: either one record inside or one for each element, not both"
            ),
            (
                ["a": FieldRule(each: .value(.text), otherwise: ["b"])],
                "a: needs the path of the array or object whose elements are mapped"
            ),
            (
                ["a": FieldRule(nested: ["b": "c."])],
                "a.b: the path \"c.\" cannot be read: there is no name before or after a dot"
            ),
        ] as [(Mapping, String)])
    func refused(mapping: Mapping, words: String) {
        let error = #expect(throws: MappingError.self) { try mapping.compiled() }
        #expect(error?.description == words)
    }

    @Test(
        "the host's own mappings pass their own check",
        arguments: [
            YouTubeFormat.search, YouTubeFormat.videos, YTHostFormat.mapping,
        ])
    func own(mapping: Mapping) throws { _ = try mapping.compiled() }
}

@Suite struct MappedRecordTests {
    @Test("fields are read on access, other names go to extra, empty text is unknown")
    func fields() throws {
        let mapping: Mapping = [
            "id": "id", "title": "t", "views": FieldRule("n", as: .integer), "mood": "m", "extra": "more",
            "channel": FieldRule(nested: ["title": "c"]),
        ]
        let json = #"{"id":"a","t":"","n":"5","m":"good","c":"","more":{"x":1}}"#
        let video = Video(backing: try mapping.compiled().record(row(json)))
        #expect(video.id == "a")
        #expect(video.title == nil)
        #expect(video.views == 5)
        #expect(video.duration == nil)
        #expect(video[.channel] == .none)
        #expect(video.extra == [.init("mood", .text("good")), .init("x", .integer(1))])
    }

    @Test("what is required is checked when the record is made")
    func required() throws {
        let mapping = try (["id": FieldRule("id", required: true), "title": "t"] as Mapping).compiled()
        #expect(throws: MappingFailure.nothing(field: "id", paths: ["id"])) { try mapping.record(row(#"{"t":"x"}"#)) }
        #expect(throws: MappingFailure.nothing(field: "id", paths: ["id"])) { try mapping.record(row(#"{"id":""}"#)) }
    }
}
