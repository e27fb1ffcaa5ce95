// Look-ups, feeds, keys and plans of the YouTube service.

import Glibc
import TestSupport
import Testing

@testable import Basics
@testable import VideoModel
@testable import VideoServices
@testable import WebClient

@Suite struct YouTubeLookUpTests {
    private let known = YouTubeStandIn.channelID

    private func records(_ question: LookUp, _ bench: YouTubeBench = YouTubeBench()) throws -> [Video] {
        try bench.service.lookUp(question, limit: 50, page: nil).records()
    }

    @Test(
        "a channel is found by id, handle, user name and address",
        arguments: [
            (YouTubeStandIn.channelID, ["id"]), ("@known", ["forHandle"]), ("known", ["forUsername"]),
            ("https://www.youtube.com/@known", ["forHandle"]), ("https://www.youtube.com/user/known", ["forUsername"]),
            ("https://www.youtube.com/channel/\(YouTubeStandIn.channelID)", ["id"]),
        ])
    func channel(text: String, filters: [String]) throws {
        let bench = YouTubeBench()
        let channel = try #require(try records(.channel(text), bench).first)
        #expect(channel.kind == .channel && channel.id == known && channel.title == "Known")
        #expect(
            bench.server.calls.map { call in ["id", "forHandle", "forUsername"].filter { call.query[$0] != nil } } == [
                filters
            ])
    }

    @Test("a bare name that is no user's is tried as a handle, and an answer without a list is no channel")
    func bareName() throws {
        let bench = YouTubeBench()
        #expect(try records(.channel("stranger"), bench).isEmpty)
        #expect(
            bench.server.calls.map { $0.query["forUsername"] ?? $0.query["forHandle"] } == ["stranger", "@stranger"])
    }

    @Test(
        "what names no channel or playlist is refused without a call",
        arguments: [
            LookUp.channel("https://youtu.be/dQw4w9WgXcQ"), .channel("https://example.org/@known"),
            .channel("https://www.youtube.com/c/Known"), .channel("two words"), .channel(""),
            .playlist("@known"), .playlist("https://youtu.be/dQw4w9WgXcQ"), .items("nothing"),
            .videos(["too-short"], fields: nil), .videos(["dQw4w9WgXcQ", "a,b"], fields: nil),
        ])
    func references(question: LookUp) {
        let bench = YouTubeBench()
        do {
            _ = try bench.service.lookUp(question, limit: 5, page: nil)
            Issue.record("it was asked")
        } catch {
            guard case .badReference("youtube", question.kind, _, _) = error else {
                Issue.record("\(error)")
                return
            }
        }
        #expect(bench.server.calls.isEmpty)
    }

    @Test("uploads of a channel id need no call to be found, those of a handle one")
    func uploads() throws {
        let bench = YouTubeBench()
        #expect(try records(.uploads(known), bench).count == 50)
        #expect(bench.server.calls.map(\.path) == ["playlistItems"])
        #expect(bench.server.calls.first?.query["playlistId"] == "UU" + known.dropFirst(2))
        let page = try bench.service.lookUp(.uploads("@known"), limit: 5, page: nil)
        #expect(page.calls == 1, "the playlist's answer is kept")
        #expect(bench.server.calls.map(\.path) == ["playlistItems", "channels"])
    }

    @Test("private items of a playlist are known by what they lack")
    func items() throws {
        let items = try records(.items("PL0123456789abcdef"))
        #expect(items.count == 50)
        #expect(
            items.filter { $0[.availability].text == "private" }.map(\.id)
                == [3, 13, 23, 33, 43].map(YouTubeStandIn.id))
    }

    @Test(
        "videos are looked up where it costs least, and for what is wanted alone",
        arguments: [
            ([.duration, .views], "videos:batchGetStats", "id,contentDetails,statistics"),
            ([.duration, .tags], "videos", "contentDetails,snippet"), ([.embeddable], "videos", "status"),
            ([], "videos", "id"),
        ] as [(Set<VideoField>, String, String)])
    func fields(fields: Set<VideoField>, path: String, parts: String) throws {
        let bench = YouTubeBench()
        let videos = try records(.videos([YouTubeStandIn.id(7)], fields: fields), bench)
        let call = try #require(bench.server.calls.first)
        #expect(call.path == path && call.query["part"] == parts)
        if fields.contains(.duration) { #expect(videos.first?.duration == 420) }
        if fields.contains(.views) { #expect(videos.first?.views == 70) }
        #expect(try bench.spent(path == "videos" ? .read : .stats) == 1)
    }

    @Test("all parts are asked for when nothing is said")
    func allFields() throws {
        let bench = YouTubeBench()
        #expect(try records(.videos([YouTubeStandIn.id(2)], fields: nil), bench).first?.title == "T &amp; 2")
        #expect(
            bench.server.calls.first?.query["part"]
                == "contentDetails,liveStreamingDetails,snippet,statistics,status")
    }

    // MARK: Plugins' own reads

    @Test("a plugin's own read has the key, the cost and the cache of the service, and no more")
    func request() throws {
        let bench = YouTubeBench()
        var request = ServiceRequest("videos", query: [.init("part", "id"), .init("id", YouTubeStandIn.id(3))])
        #expect(try bench.service.request(request).calls == 1)
        #expect(try bench.service.request(request).calls == 0, "it is kept")
        request.policy = .networkOnly
        #expect(try bench.service.request(request).response.status == 200)
        #expect(bench.server.calls.count == 2 && bench.server.calls.allSatisfy(\.hasKey))
        #expect(try bench.spent(.read) == 2)
        _ = try bench.service.request(ServiceRequest("search", query: [.init("q", "x")]))
        #expect(try bench.spent(.search) == 1)
        let gone = try bench.service.request(ServiceRequest("nothing"))
        #expect(gone.response.status == 404)
    }

    @Test(
        "a parameter's name is a name, whatever is in it",
        arguments: ["acc%65ss_token", "ke%79", "a&key", "x#", "a=b", "key ", "k\u{E9}y"])
    func oddNames(name: String) throws {
        let bench = YouTubeBench()
        let request = ServiceRequest(
            "videos", query: [.init(name, "a"), .init("part", "id"), .init("id", YouTubeStandIn.id(3))])
        #expect(try bench.service.request(request).response.status == 200)
        let call = try #require(bench.server.calls.first)
        #expect(call.hasKey && call.query["access_token"] == nil && call.query["prettyPrint"] == "false")
        #expect(call.query.keys.contains { WebAddress.decode($0) == name }, "\(call.query)")
    }

    @Test(
        "a read that would leave the API or say who asks is refused",
        arguments: ["../x", "/search", "https://example.org", "a//b", "", "videos?key=x", "a/..", "%2e%2e/x", "a b"])
    func badPaths(path: String) {
        let bench = YouTubeBench()
        #expect(throws: ServiceError.self) { try bench.service.request(ServiceRequest(path)) }
        for name in ["key", "access_token", "callback", ""] {
            #expect(throws: ServiceError.self) {
                try bench.service.request(ServiceRequest("videos", query: [.init(name, "x")]))
            }
        }
        #expect(bench.server.calls.isEmpty)
    }

    @Test("a key that the service sends back is taken out of its answer")
    func echo() throws {
        let bench = YouTubeBench()
        bench.server.answer("videos", YouTubeStandIn.error(400, "badRequest", "you sent \(YouTubeStandIn.key)"))
        let answer = try bench.service.request(ServiceRequest("videos"))
        #expect(String(decoding: answer.response.body, as: UTF8.self).contains("you sent REDACTED"))
    }

    // MARK: Without a key

    @Test("without a key, a channel's id and a playlist's are read from their feeds, and nothing is counted")
    func feeds() throws {
        let bench = YouTubeBench(key: nil)
        let page = try bench.service.lookUp(.uploads(known), limit: 5, page: nil)
        #expect(page.format == "feed" && page.calls == 0 && !page.isCounted)
        #expect(try page.records().map(\.id) == (0..<3).map(YouTubeStandIn.id))
        _ = try bench.service.lookUp(.items("PL0123456789abcdef"), limit: 5, page: nil)
        #expect(bench.server.calls.map(\.query) == [["channel_id": known], ["playlist_id": "PL0123456789abcdef"]])
        #expect(throws: ServiceError.self) { try bench.service.lookUp(.channel("@known"), limit: 5, page: nil) }
    }

    @Test("the list of uploads without Shorts becomes that of all uploads where YouTube says it is not there")
    func withoutShorts() throws {
        let list = "UULF" + known.dropFirst(2)
        let all = "UU" + known.dropFirst(2)
        let bench = YouTubeBench()
        bench.server.answer("playlistItems", YouTubeStandIn.error(404, "playlistNotFound", "gone"))
        let page = try bench.service.lookUp(.items(list), limit: 5, page: nil)
        #expect(page.remark?.contains("Shorts") == true)
        #expect(bench.server.calls.map { $0.query["playlistId"] } == [list, all])
        // The next page is one of the list that was there.
        _ = try bench.service.lookUp(.items(list), limit: 5, page: "UU 2")
        #expect(
            bench.server.calls.last?.query["playlistId"] == all && bench.server.calls.last?.query["pageToken"] == "2")
        let keyless = YouTubeBench(key: nil)
        keyless.server.answer("videos.xml", .init(404, "none"))
        #expect(try keyless.service.lookUp(.items(list), limit: 5, page: nil).format == "feed")
        #expect(keyless.server.calls.map { $0.query["playlist_id"] } == [list, all])
        let other = YouTubeBench()
        other.server.answer("playlistItems", YouTubeStandIn.error(404, "playlistNotFound", "gone"))
        #expect(throws: ServiceError.self) {
            try other.service.lookUp(.items("PL0123456789abcdef"), limit: 5, page: nil)
        }
        #expect(other.server.calls.count == 1)
    }

    // MARK: Keys

    private func account(_ change: (inout Network.Settings) -> Void = { _ in }) -> YouTubeBench {
        YouTubeBench(key: nil, change)
    }

    @Test("a key is tried with one call and kept for its owner alone; logging out deletes it")
    func logIn() throws {
        let bench = account()
        let path = try bench.service.keep(" \(YouTubeStandIn.key)\n", profile: "work")
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        #expect(bench.server.calls.map(\.path) == ["i18nRegions"])
        #expect(bench.network.hadLogin("youtube"))
        #expect(try bench.network.credentials?.chosen("youtube") == "work")
        #expect(try bench.service.forget(profile: nil))
        #expect(try !bench.service.forget(profile: "work"))
        #expect(bench.network.hadLogin("youtube") && bench.service.isConfigured, "a job must not fall back on samples")
    }

    @Test("a key that the service does not know is not kept, nor is what can be none")
    func badKeys() throws {
        let bench = account()
        let unknown = #expect(throws: ServiceError.self) {
            try bench.service.keep("a-key-that-is-unknown", profile: "default")
        }
        #expect(unknown?.plain == .keyRefused(service: "youtube", .invalid, from: .profile("default")))
        for text in ["", "short", "with a space in it", "a\u{7F}bcdefghijk", String(repeating: "k", count: 201)] {
            #expect(throws: ServiceError.keyMalformed(service: "youtube")) {
                try bench.service.keep(text, profile: "default")
            }
        }
        #expect(bench.server.calls.count == 1)
        #expect(try bench.network.credentials?.read("youtube") == nil)
    }

    @Test("Google's own hosts are given only what looks like their keys")
    func shape() {
        var settings = Network.Settings()
        settings.configurationFolder = "/nonexistent/place"
        #expect(throws: ServiceError.keyMalformed(service: "youtube")) {
            try YouTubeService(network: Network(settings)).keep("a-key-that-is-unknown", profile: "default")
        }
    }

    @Test("a stored key is never sent to an address that was set")
    func storedKey() throws {
        let bench = account()
        _ = try bench.service.keep(YouTubeStandIn.key, profile: "default")
        bench.server.forget()
        #expect(throws: ServiceError.noKey(service: "youtube", .elsewhere(host: "127.0.0.1"))) {
            try bench.service.search(SearchQuery(words: "x"), limit: 5, page: nil)
        }
        #expect(bench.server.calls.isEmpty)
    }

    @Test("a profile that was named counts before the variable, and must be there")
    func profile() {
        let bench = YouTubeBench { $0.profile = "absent" }
        #expect(throws: ServiceError.noKey(service: "youtube", .elsewhere(host: "127.0.0.1", profile: "absent"))) {
            try bench.service.search(SearchQuery(words: "x"), limit: 5, page: nil)
        }
    }

    // MARK: Plans

    @Test("a plan counts pages that are kept as free, and sends nothing")
    func plan() throws {
        let bench = YouTubeBench()
        let query = SearchQuery(words: "x")
        let before = try bench.service.plan(query, limit: 120, fields: [.duration])
        #expect(before.map(\.method) == ["search.list", "videos.batchGetStats"])
        #expect(before.map(\.count) == [3, 3] && before.map(\.kept) == [0, 0])
        #expect(before[0].left == 100 && before[0].limit == 100)
        #expect(bench.server.calls.isEmpty)
        _ = try bench.service.search(query, limit: 120, page: nil)
        _ = try bench.service.search(query, limit: 70, page: "50")
        let after = try bench.service.plan(query, limit: 120, fields: [.title])
        #expect(after.map(\.count) == [1] && after.map(\.kept) == [2] && after[0].left == 98)
        #expect(try bench.service.plan(.uploads("@known"), limit: 60).map(\.count) == [1, 2])
        #expect(bench.server.calls.count == 2)
    }
}
