// Replies of the YouTube Data API, in shape; the words in them are made up.

import Testing

@testable import Basics
@testable import VideoFormats
@testable import VideoModel

private func search(_ snippet: String, id: String = #"{"kind":"youtube#video","videoId":"aaaaaaaaaaa"}"#) -> String {
    #"{"kind":"youtube#searchResult","etag":"e","id":\#(id),"snippet":{\#(snippet)}}"#
}

private func videos(_ parts: String) -> String { #"{"id":"aaaaaaaaaaa",\#(parts)}"# }

private func read(_ json: String, strict: Bool = false) throws -> [Video] {
    try RecordReader.read(bytes(json), strict: strict)
}

@Suite struct YouTubeFormatTests {
    @Test("a search hit has every field the reply has")
    func searchHit() throws {
        let json = search(
            #"""
            "publishedAt":"2020-04-21T13:45:02Z","channelId":"UC0123456789abcdefghij_-","title":"Rubik&#39;s &amp;lt;Cube",
            "description":"a &amp; b","thumbnails":{"default":{"url":"https://i.example/d.jpg","width":120,"height":90},
            "high":{"url":"https://i.example/h.jpg"}},"channelTitle":"Q&amp;A","liveBroadcastContent":"none",
            "publishTime":"2020-04-21T13:45:02Z"
            """#.split(separator: "\n").joined())
        let video = try #require(try read(json).first)
        #expect(video.provider == "youtube")
        #expect(video.id == "aaaaaaaaaaa")
        #expect(video.kind == .video)
        #expect(video.url == "https://www.youtube.com/watch?v=aaaaaaaaaaa")
        #expect(video.title == "Rubik's &lt;Cube")
        #expect(video.description == "a & b")
        #expect(
            video.channel
                == Channel(
                    id: "UC0123456789abcdefghij_-", title: "Q&A",
                    url: "https://www.youtube.com/channel/UC0123456789abcdefghij_-"))
        #expect(video.published == 1_587_476_702)
        #expect(video[.liveState] == .text("none"))
        #expect(video[.live] == .bool(false))
        #expect(
            video.thumbnails == [
                Thumbnail(name: "default", url: "https://i.example/d.jpg", width: 120, height: 90),
                Thumbnail(name: "high", url: "https://i.example/h.jpg"),
            ])
        #expect(video[.raw]["snippet"]["title"] == .text("Rubik&#39;s &amp;lt;Cube"))
        for field in [VideoField.duration, .views, .likes, .short, .shortEvidence, .tags, .regions, .starts] {
            #expect(video[field] == .none)
        }
        #expect(video.extra.isEmpty)
    }

    @Test(
        "a channel hit never links to watch?v=, nor a playlist",
        arguments: [
            (
                #"{"kind":"youtube#channel","channelId":"UC0123456789abcdefghij_-"}"#, "channel",
                "https://www.youtube.com/channel/UC0123456789abcdefghij_-"
            ),
            (#"{"playlistId":"PL1"}"#, "playlist", "https://www.youtube.com/playlist?list=PL1"),
        ])
    func kinds(id: String, kind: String, url: String) throws {
        let video = try #require(try read(search(#""title":"t""#, id: id)).first)
        #expect(video[.kind] == .text(kind))
        #expect(video.url == url)
    }

    @Test(
        "a broadcast's state is known from search and from its times",
        arguments: [
            (search(#""liveBroadcastContent":"live""#), "live"),
            (search(#""liveBroadcastContent":"upcoming""#), "upcoming"),
            (search(#""liveBroadcastContent":"completed""#), "was_live"),
            (videos(#""snippet":{"liveBroadcastContent":"none"}"#), "none"),
            (
                videos(#""snippet":{"liveBroadcastContent":"none"},"liveStreamingDetails":{"actualEndTime":"x"}"#),
                "was_live"
            ),
            (videos(#""liveStreamingDetails":{"actualStartTime":"x","scheduledStartTime":"y"}"#), "live"),
            (videos(#""liveStreamingDetails":{"scheduledStartTime":"y"}"#), "upcoming"),
            (videos(#""snippet":{"title":"t"}"#), nil),
        ] as [(String, String?)])
    func liveState(json: String, state: String?) throws {
        #expect(try read(json).first?[.liveState] == FieldValue(state))
    }

    @Test("a video of videos.list has every field, and its text is plain")
    func video() throws {
        let json = #"""
            {"kind":"youtube#video","id":"-aaaaaaaaa_","snippet":{"publishedAt":"2015-01-01T11:06:00Z","channelId":"UC0123456789abcdefghij_-",
            "title":"What is &amp; in HTML?","description":"&lt;","channelTitle":"A &amp; B","tags":["x","y"],
            "thumbnails":{"shortsAspectRatio":{"url":"https://i.example/s.jpg","width":9,"height":16}},
            "categoryId":"27","liveBroadcastContent":"none","defaultLanguage":"en","defaultAudioLanguage":"en-GB"},
            "contentDetails":{"duration":"PT1H5M","definition":"hd","caption":"true",
            "regionRestriction":{"allowed":[]}},"status":{"privacyStatus":"unlisted","license":"creativeCommon",
            "embeddable":true},"statistics":{"viewCount":"251497","commentCount":"0"},
            "liveStreamingDetails":{"actualStartTime":"2015-01-01T12:00:00Z","actualEndTime":"2015-01-01T13:00:00Z",
            "scheduledStartTime":"2015-01-01T11:59:00Z"}}
            """#
        let video = try #require(try read(json).first)
        let expected: [VideoField: FieldValue] = [
            .provider: .text("youtube"), .id: .text("-aaaaaaaaa_"), .kind: .text("video"),
            .title: .text("What is &amp; in HTML?"), .description: .text("&lt;"), .published: .integer(1_420_110_360),
            .channel: .record([.init("id", .text("UC0123456789abcdefghij_-")), .init("title", .text("A &amp; B"))]),
            .duration: .integer(3900), .views: .integer(251_497), .likes: .none, .comments: .integer(0),
            .liveState: .text("was_live"), .live: .bool(false), .starts: .integer(1_420_113_600),
            .short: .bool(true), .shortEvidence: .text("thumbnail"), .tags: .list([.text("x"), .text("y")]),
            .category: .text("27"), .language: .text("en-GB"), .license: .text("creativecommon"),
            .definition: .text("high"), .captions: .bool(true), .embeddable: .bool(true),
            .availability: .text("unlisted"), .regions: .record([.init("allowed", .list([]))]),
        ]
        for (field, value) in expected { #expect(video[field] == value, "\(field)") }
        #expect(video.playable(in: "DE") == false)
    }

    @Test("no duration is known of what is on air, and the other videos survive")
    func noDuration() throws {
        let json =
            #"{"items":[\#(videos(#""contentDetails":{"duration":"P0D"}"#)),\#(videos(#""contentDetails":{}"#))]}"#
        #expect(try read(json).map(\.duration) == [nil, nil])
    }

    @Test(
        "items cut down with fields= are known by their structure",
        arguments: ["contentDetails", "statistics", "liveStreamingDetails", "snippet", "status"])
    func filtered(part: String) throws {
        #expect(try read(#"{"items":[{"id":"aaaaaaaaaaa","\#(part)":{}}]}"#).map(\.id) == ["aaaaaaaaaaa"])
    }

    @Test("records without a title are records; what has no id is skipped and counted")
    func broken() throws {
        let reader = try RecordReader()
        let json = #"""
            {"kind":"youtube#searchListResponse","items":[{"id":5,"snippet":null},null,{"id":{"videoId":["x"]}},
            {"id":{"kind":"youtube#video","videoId":"okokokokoko"},"snippet":{"title":null}}]}
            """#
        let found = try reader.feed(bytes(json)) + reader.finish()
        #expect(found.map(\.id) == ["okokokokoko"])
        #expect(found.first?.title == nil)
        #expect(reader.skippedCount == 3)
        #expect(reader.skipped.map(\.place) == [.row(1), .row(2), .row(3)])
        #expect(reader.skipped.first?.description == "record 1: no youtube record")
    }

    @Test(
        "a reply without results is no error",
        arguments: [
            #"{"items":[]}"#, #"{"kind":"youtube#channelListResponse","pageInfo":{"totalResults":0}}"#,
            #"{"kind":"youtube#searchListResponse","items":[],"pageInfo":{"totalResults":0}}"#, "[]",
        ])
    func empty(json: String) throws {
        #expect(try read(json).isEmpty)
    }

    @Test(
        "an error body is thrown, without markup",
        arguments: [
            (
                #"{"error":{"code":403,"message":"over your \u003ca href=\"/q\"\u003equota\u003c/a\u003e &amp; out.","errors":[{"domain":"youtube.quota","reason":"quotaExceeded"}]}}"#,
                ServiceRefusal(
                    service: "youtube", code: 403, reason: "quotaExceeded", domain: "youtube.quota",
                    message: "over your quota & out.")
            ),
            (
                #"{"error":{"code":400,"message":"bad key","errors":[{"reason":"badRequest","domain":"global","location":"key"}],"status":"INVALID_ARGUMENT","details":[{},{"reason":"API_KEY_INVALID"}]}}"#,
                ServiceRefusal(
                    service: "youtube", code: 400, reason: "badRequest", detail: "API_KEY_INVALID", domain: "global",
                    location: "key", message: "bad key")
            ),
            (
                #"{"error":{"code":503,"message":"down","status":"UNAVAILABLE"}}"#,
                ServiceRefusal(service: "youtube", code: 503, reason: "UNAVAILABLE", message: "down")
            ),
            (
                #"{"error":"invalid_grant","error_description":"Token expired"}"#,
                ServiceRefusal(service: "youtube", reason: "invalid_grant", message: "Token expired")
            ),
        ])
    func errors(json: String, refusal: ServiceRefusal) {
        let error = #expect(throws: FormatError.self) { try read(json) }
        #expect(error == .refused(refusal))
    }

    @Test("an error says who, what and the code")
    func words() {
        let refusal = ServiceRefusal(
            service: "youtube", code: 400, reason: "badRequest", detail: "API_KEY_INVALID", message: "bad key")
        #expect(FormatError.refused(refusal).description == "youtube: bad key (API_KEY_INVALID, 400)")
    }
}
