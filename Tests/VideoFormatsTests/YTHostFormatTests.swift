// ythost's own lines: what is written is read back the same.

import Testing

@testable import Basics
@testable import VideoFormats
@testable import VideoModel

@Suite struct YTHostFormatTests {
    private static let full: [VideoField: FieldValue] = [
        .provider: .text("youtube"), .id: .text("aaaaaaaaaaa"), .kind: .text("video"),
        .url: .text("https://www.youtube.com/watch?v=aaaaaaaaaaa"),
        .title: .text("Rubik's \"Cube\" & \u{1B} 日本\u{2028}"),
        .description: .text("two\nlines"),
        .channel: .record([
            .init("id", .text("UC1")), .init("title", .text("T")),
            .init("url", .text("https://www.youtube.com/channel/UC1")),
        ]),
        .published: .integer(1_587_476_702), .duration: .integer(3600), .views: .integer(.max), .likes: .integer(0),
        .comments: .integer(1), .live: .bool(false), .liveState: .text("was_live"), .starts: .integer(-1),
        .short: .bool(false), .shortEvidence: .text("url"), .tags: .list([.text("a"), .text("b")]),
        .category: .text("27"), .language: .text("en"), .license: .text("other"), .definition: .text("high"),
        .captions: .bool(true), .embeddable: .bool(false), .availability: .text("public"),
        .regions: .record([.init("blocked", .list([.text("DE")]))]),
        .thumbnails: .record([
            .init(
                "high",
                .record([
                    .init("url", .text("https://i.example/h.jpg")), .init("width", .integer(480)),
                    .init("height", .integer(360)),
                ])), .init("plain", .record([.init("url", .text("https://i.example/p.jpg"))])),
        ]),
        .foundIn: .list([.record([.init("source", .text("sample")), .init("query", .text("programming"))])]),
        .score: .number(0.1),
    ]

    private func roundTrip(_ video: Video) throws -> Video {
        let videos = try RecordReader.read(YTHostFormat.line(video) + [UInt8(ascii: "\n")], strict: true)
        return try #require(videos.first)
    }

    @Test("every field comes back as it was")
    func fields() throws {
        let back = try roundTrip(Video(Self.full))
        for field in VideoField.allCases where field != .raw {
            #expect(back[field] == Self.full[field], "\(field.name)")
        }
    }

    @Test("extra comes back as it was, in its order")
    func extra() throws {
        let extra: [FieldValue.Member] = [
            .init("z", .list([.none, .integer(1), .number(1), .text(""), .record([])])), .init("a", .bool(true)),
            .init("mood", .none),
        ]
        #expect(try roundTrip(Video([.id: .text("x")], extra: extra)).extra == extra)
    }

    @Test(
        "a line has the fields in order, without those that are unknown",
        arguments: [
            ([:] as [VideoField: FieldValue], #"{"ythost":1,"kind":"video"}"#),
            (
                [
                    .score: .integer(3), .published: .integer(0), .title: .text(""), .id: .text("a"), .raw: .integer(1),
                    .channel: .record([.init("title", .text("T")), .init("id", .none)]),
                ],
                #"{"ythost":1,"id":"a","kind":"video","channel":{"title":"T"},"published":"1970-01-01T00:00:00Z","score":3}"#
            ), ([.published: .integer(.max)], #"{"ythost":1,"kind":"video","published":9223372036854775807}"#),
        ])
    func line(fields: [VideoField: FieldValue], json: String) {
        #expect(text(YTHostFormat.line(Video(fields))) == json)
    }

    @Test(
        "times of any size come back",
        arguments: [Int64.min, -62_135_596_801, -62_135_596_800, 0, 253_402_300_799, .max])
    func times(time: Int64) throws {
        #expect(try roundTrip(Video([.published: .integer(time)])).published == time)
    }

    @Test("a number of epoch seconds is read too")
    func epoch() throws {
        #expect(try RecordReader.read(bytes(#"{"ythost":1,"published":5}"#)).first?.published == 5)
    }

    @Test("a record of a service, written and read, is the same record without raw")
    func service() throws {
        let json = #"{"id":{"channelId":"UC1"},"snippet":{"title":"a &amp; b","publishedAt":"2020-04-21T13:45:02Z"}}"#
        let video = try #require(try RecordReader.read(bytes(json)).first)
        let back = try roundTrip(video)
        for field in VideoField.allCases where field != .raw { #expect(back[field] == video[field], "\(field.name)") }
        #expect(back[.raw] == .none)
    }

    @Test("a later version asks for an update")
    func later() {
        let error = #expect(throws: FormatError.self) { try RecordReader.read(bytes(#"{"ythost":2,"id":"a"}"#)) }
        #expect(error == .newerVersion(2))
        #expect(error?.description.contains("update ythost") == true)
    }

    @Test("lines are added after what is there")
    func appends() {
        var buffer = bytes("x")
        YTHostFormat.append(Video([.id: .text("a")]), to: &buffer)
        #expect(text(buffer) == #"x{"ythost":1,"id":"a","kind":"video"}"#)
    }

    @Test("records written by hand need no version, and what is no field comes along as extra")
    func plain() throws {
        let lines = """
            {"id": "a", "title": "By hand", "mood": {"is": "good"}, "duration": 65, "published": "yesterday"}
            {"provider": "youtube", "id": "dQw4w9WgXcQ", "none": null}
            {"url": "https://example.org/", "extra": {"mood": 1}, "mood": 2, "score": 0.5}
            """
        for name in [nil, "ythost"] {
            let videos = try RecordReader.read(bytes(lines), as: name)
            #expect(videos.map(\.title) == ["By hand", nil, nil] && videos[0].duration == 65)
            #expect(videos[0].extra == [.init("mood", .record([.init("is", .text("good"))]))])
            #expect(videos[1].url == "https://www.youtube.com/watch?v=dQw4w9WgXcQ" && videos[1].extra.isEmpty)
            #expect(videos[2].extra == [.init("mood", .integer(1))] && videos[0].published == nil)
        }
        let array = "[\(lines.split(separator: "\n").joined(separator: ","))]"
        #expect(try RecordReader.read(bytes(array)).count == 3)
        let marked = try RecordReader.read(bytes(#"{"ythost":1,"id":"a","mood":"good","raw":1}"#))
        #expect(marked.map(\.extra) == [[.init("mood", .text("good"))]])
    }

    @Test(
        "JSON whose members are no fields of a record is not read",
        arguments: [
            #"{"id":"a"}"#, #"{"name":"a","url":"nowhere"}"#, #"{"title":{"text":"a"},"url":"https://a.example/"}"#,
            #"{"title":"a","license":{"key":"mit"}}"#, #"{"title":"a","kind":"youtube#later"}"#,
            #"{"id":1,"provider":"x"}"#,
            #"["title"]"#, "{}", "1",
        ])
    func unknown(json: String) {
        #expect(throws: FormatError.self) { try RecordReader.read(bytes(json)) }
    }

    @Test("a record of a later version is refused, whatever the format")
    func named() throws {
        #expect(throws: FormatError.self) {
            try RecordReader.read(Array(#"{"ythost": 99, "id": "a"}"#.utf8), as: "ythost")
        }
    }
}
