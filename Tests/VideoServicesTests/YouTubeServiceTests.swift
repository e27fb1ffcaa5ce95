// The YouTube service against a stand-in: what it asks, what it makes of answers, and what it costs.

import Glibc
import TestSupport
import Testing

@testable import Basics
@testable import VideoModel
@testable import VideoServices
@testable import WebClient

/// A service that talks to a stand-in, with folders of its own.
final class YouTubeBench {
    let server = YouTubeStandIn()
    private let scratch = StoreScratch()
    let service: YouTubeService
    let network: Network

    init(
        key: String? = YouTubeStandIn.key, limits: String? = nil, _ change: (inout Network.Settings) -> Void = { _ in }
    ) {
        var settings = Network.Settings()
        let url = server.url
        settings.variable = { name in
            switch name {
            case "YTHOST_YOUTUBE_KEY": key
            case "YTHOST_YOUTUBE_URL": url
            case "YTHOST_YOUTUBE_LIMITS": limits
            default: nil
            }
        }
        settings.configurationFolder = scratch.folder + "/config"
        settings.cacheFolder = scratch.folder + "/cache"
        settings.stateFolder = scratch.folder + "/state"
        change(&settings)
        network = Network(settings)
        service = YouTubeService(network: network)
    }

    deinit { server.stop() }

    /// The same folders and server, as another run has them.
    func again(_ change: (inout Network.Settings) -> Void = { _ in }) -> YouTubeService {
        var settings = network.settings
        change(&settings)
        return YouTubeService(network: Network(settings))
    }

    func spent(_ bucket: YouTubeBucket) throws -> Int {
        try service.quota().first { $0.bucket == bucket }?.status.spent ?? 0
    }
}

@Suite struct YouTubeServiceTests {
    @Test("a search asks for one page of 50 videos, and for no more of each than is used")
    func request() throws {
        let bench = YouTubeBench()
        let page = try bench.service.search(SearchQuery(words: "a & b + ü|c"), limit: 10, page: nil)
        #expect(page.calls == 1 && page.isCounted && page.next == "50" && page.estimate == nil)
        #expect(try page.records().first?.title == "T & 0")
        let call = try #require(bench.server.calls.first)
        #expect(call.hasKey && call.path == "search")
        #expect(call.query["q"] == "a & b + ü|c")
        #expect(call.query["type"] == "video" && call.query["maxResults"] == "50")
        #expect(call.query["fields"]?.contains("snippet(publishedAt") == true)
        #expect(page.asked == "a & b + ü|c")
        #expect(page.tells.contains(.duration) && !page.tells.contains(.title))
    }

    @Test(
        "each option becomes the service's parameter",
        arguments: [
            (.order, .text("views"), "order", "viewCount"), (.order, .text("videos"), "order", "videoCount"),
            (.type, .text("all"), "type", "video,channel,playlist"), (.type, .text("channel"), "type", "channel"),
            (.after, .integer(1_700_000_000), "publishedAfter", "2023-11-14T22:13:20Z"),
            (.before, .integer(1_700_000_000), "publishedBefore", "2023-11-14T22:13:20Z"),
            (.duration, .text("medium"), "videoDuration", "medium"), (.region, .text("de"), "regionCode", "DE"),
            (.language, .text("zh-Hans"), "relevanceLanguage", "zh-Hans"),
            (.safe, .text("strict"), "safeSearch", "strict"), (.event, .text("live"), "eventType", "live"),
            (.captions, .text("yes"), "videoCaption", "closedCaption"),
            (.captions, .text("no"), "videoCaption", "none"),
            (.definition, .text("high"), "videoDefinition", "high"),
            (.license, .text("creativecommon"), "videoLicense", "creativeCommon"),
            (.embeddable, .bool(true), "videoEmbeddable", "true"),
            (.syndicated, .bool(true), "videoSyndicated", "true"),
            (.sponsored, .bool(true), "videoPaidProductPlacement", "true"),
            (.dimension, .text("3d"), "videoDimension", "3d"), (.form, .text("movie"), "videoType", "movie"),
            (.shows, .bool(true), "channelType", "show"), (.category, .text("27"), "videoCategoryId", "27"),
            (.topic, .text("/m/04rlf"), "topicId", "/m/04rlf"),
            (.channel, .text(YouTubeStandIn.channelID), "channelId", YouTubeStandIn.channelID),
            (.channel, .text("@known"), "channelId", YouTubeStandIn.channelID),
        ] as [(SearchOption, FieldValue, String, String)])
    func option(option: SearchOption, value: FieldValue, name: String, sent: String) throws {
        let bench = YouTubeBench()
        _ = try bench.service.search(SearchQuery(words: "x", options: [option: value]), limit: 5, page: nil)
        #expect(bench.server.calls.last?.query[name] == sent)
    }

    @Test("every option of a search is honoured")
    func allOptions() { #expect(YouTubeBench().service.honoured == Set(SearchOption.allCases)) }

    @Test("a flag that is set to false asks for nothing")
    func falseFlag() throws {
        let bench = YouTubeBench()
        _ = try bench.service.search(SearchQuery(words: "x", options: [.embeddable: .bool(false)]), limit: 5, page: nil)
        #expect(bench.server.calls.first?.query["videoEmbeddable"] == nil)
    }

    private static let service = "youtube"

    @Test(
        "what the service would refuse is refused before anything is sent",
        arguments: [
            (
                [.duration: .text("long"), .type: .text("channel")],
                .optionForType(service: service, option: .duration, type: "video", asked: "channel")
            ),
            (
                [.location: .text("1,2"), .radius: .text("5km"), .type: .text("all")],
                .optionForType(service: service, option: .location, type: "video", asked: "all")
            ),
            ([.location: .text("1,2")], .optionAlone(service: service, option: .location, without: .radius)),
            ([.radius: .text("5km")], .optionAlone(service: service, option: .radius, without: .location)),
            (
                [.region: .text(" ")],
                .badOption(
                    service: service, option: .region, value: " ",
                    expected: "two letters such as DE (ISO 3166-1 alpha-2)")
            ),
            // What is wrong beside a name is told before the name costs a call.
            (
                [.category: .text("Music"), .type: .text("channel")],
                .optionForType(service: service, option: .category, type: "video", asked: "channel")
            ),
            (
                [.after: .integer(10), .before: .integer(10)],
                .badOption(
                    service: service, option: .before, value: "1970-01-01T00:00:10Z",
                    expected: "a time later than --after")
            ),
            (
                [.shows: .bool(true), .type: .text("video")],
                .optionForType(service: service, option: .shows, type: "channel", asked: "video")
            ),
            (
                [.channel: .text("https://vimeo.com/76979871")],
                .badReference(service: service, .channel, text: "https://vimeo.com/76979871", reason: "it is at vimeo")
            ),
        ] as [([SearchOption: FieldValue], ServiceError)])
    func rules(options: [SearchOption: FieldValue], error: ServiceError) {
        let bench = YouTubeBench()
        #expect(throws: error) {
            try bench.service.search(SearchQuery(words: "x", options: options), limit: 5, page: nil)
        }
        #expect(bench.server.calls.isEmpty)
    }

    @Test(
        "a place or a distance that is none is refused",
        arguments: [
            ("52.5", "1km"), ("91,0", "1km"), ("0,181", "1km"), ("nan,0", "1km"), ("0x1,0", "1km"), ("1,2", "1001km"),
            ("1,2", "0km"), ("1,2", "10"), ("1,2", "-5km"), ("1,2", "1e3m"), ("1,2", "km"),
        ])
    func places(location: String, radius: String) {
        let bench = YouTubeBench()
        let query = SearchQuery(words: "x", options: [.location: .text(location), .radius: .text(radius)])
        #expect(throws: ServiceError.self) { try bench.service.search(query, limit: 5, page: nil) }
        #expect(bench.server.calls.isEmpty)
    }

    @Test(
        "words with operators are sent as they are, and as plain words when they are meant so",
        arguments: [
            ("Memories of You -Reload-", false, "Memories of You -Reload-", true),
            ("Memories of You -Reload-", true, "Memories of You Reload-", true),
            ("a|b", true, "a b", true), ("plain words", false, "plain words", false), ("x - y", false, "x - y", false),
            ("100% & more", true, "100% & more", false),
        ])
    func literal(words: String, isLiteral: Bool, sent: String, isTold: Bool) throws {
        let bench = YouTubeBench()
        let options: [SearchOption: FieldValue] = isLiteral ? [.literal: .bool(true)] : [:]
        let page = try bench.service.search(SearchQuery(words: words, options: options), limit: 5, page: nil)
        #expect(bench.server.calls.first?.query["q"] == sent)
        #expect((page.asked != nil) == isTold)
    }

    @Test("a search without words needs something else that narrows it")
    func noWords() throws {
        let bench = YouTubeBench()
        #expect(throws: ServiceError.emptyQuery(service: "youtube")) {
            try bench.service.search(SearchQuery(words: " "), limit: 5, page: nil)
        }
        let narrow = SearchQuery(words: "", options: [.channel: .text(YouTubeStandIn.channelID)])
        #expect(try bench.service.search(narrow, limit: 5, page: nil).calls == 1)
        #expect(bench.server.calls.first?.query["q"] == nil)
    }

    // MARK: What is kept

    @Test("the same search again sends nothing, and after its time is asked anew")
    func cache() throws {
        let bench = YouTubeBench()
        let query = SearchQuery(words: "x")
        let first = try bench.service.search(query, limit: 5, page: nil)
        let second = try bench.again().search(query, limit: 5, page: nil)
        #expect(second.body == first.body && second.calls == 0 && second.kept == 1)
        #expect(bench.server.calls.count == 1)
        let third = try bench.again { $0.isFresh = true }.search(query, limit: 5, page: nil)
        #expect(third.calls == 1 && third.kept == 0)
        #expect(try bench.spent(.search) == 2)
    }

    @Test("look-ups that are no longer fresh are asked for with a condition, and 304 gives the old answer")
    func conditions() throws {
        let bench = YouTubeBench()
        let ids = (0..<50).map(YouTubeStandIn.id)
        let first = try bench.service.lookUp(.videos(ids, fields: nil), limit: 50, page: nil)
        let second = try bench.again { $0.isFresh = true }.lookUp(.videos(ids, fields: nil), limit: 50, page: nil)
        #expect(second.body == first.body && second.calls == 1)
        #expect(bench.server.statuses == [200, 304])
    }

    @Test("offline, what is kept is given, and what is not is an error")
    func offline() throws {
        let bench = YouTubeBench()
        let query = SearchQuery(words: "x")
        _ = try bench.service.search(query, limit: 5, page: nil)
        let offline = bench.again { $0.isOffline = true }
        #expect(try offline.search(query, limit: 5, page: nil).kept == 1)
        #expect(throws: ServiceError.offline(service: "youtube")) {
            try offline.search(SearchQuery(words: "y"), limit: 5, page: nil)
        }
        #expect(bench.server.calls.count == 1)
    }

    @Test("when the service is down, an old answer stands in and says so; not where a fresh one was asked for")
    func fallback() throws {
        let bench = YouTubeBench()
        let query = SearchQuery(words: "x")
        _ = try bench.service.search(query, limit: 5, page: nil)
        bench.server.stop()
        // As if its time were over.
        var stale = bench.network.settings
        stale.policy = .networkThenLocal
        let service = YouTubeService(network: Network(stale), freshFor: 0)
        let page = try service.search(query, limit: 5, page: nil)
        guard case .unreachable? = page.fallback?.reason else { return #expect(Bool(false), "\(page)") }
        #expect(page.kept == 1)
        #expect(throws: ServiceError.self) { try bench.again { $0.isFresh = true }.search(query, limit: 5, page: nil) }
    }

    // MARK: Quota

    @Test("two runs at once with three calls left spend three")
    func sharedQuota() throws {
        let bench = YouTubeBench(limits: "search=3")
        let services = [bench.service, bench.again()]
        let outcomes = LoopbackServer.atOnce(8) { number -> Bool in
            (try? services[number % 2].search(SearchQuery(words: "w\(number)"), limit: 5, page: nil)) != nil
        }
        #expect(outcomes.count { $0 } == 3)
        #expect(bench.server.calls.count == 3)
        #expect(try bench.spent(.search) == 3)
    }

    @Test("a quota that is spent here sends nothing more, and says when it begins anew")
    func spent() throws {
        let bench = YouTubeBench(limits: "search=1")
        _ = try bench.service.search(SearchQuery(words: "x"), limit: 5, page: nil)
        do {
            _ = try bench.service.search(SearchQuery(words: "y"), limit: 5, page: nil)
            Issue.record("it was sent")
        } catch {
            guard case .quotaSpent("youtube", "search", 1, .some) = error else {
                Issue.record("\(error)")
                return
            }
        }
        #expect(bench.server.calls.count == 1)
        // What is kept costs nothing, and other buckets are not touched.
        #expect(try bench.service.search(SearchQuery(words: "x"), limit: 5, page: nil).kept == 1)
        #expect(try bench.service.lookUp(.channel("@known"), limit: 1, page: nil).calls == 1)
    }

    @Test("a search that would take more calls than are left sends none")
    func short() throws {
        let bench = YouTubeBench(limits: "search=2")
        #expect(throws: ServiceError.quotaShort(service: "youtube", bucket: "search", needed: 3, left: 2, fits: 100)) {
            try bench.service.search(SearchQuery(words: "x"), limit: 150, page: nil)
        }
        #expect(bench.server.calls.isEmpty)
        // What fits is sent, and what is kept counts as nothing.
        let first = try bench.service.search(SearchQuery(words: "x"), limit: 100, page: nil)
        #expect(first.calls == 1 && first.next != nil)
        #expect(try bench.service.search(SearchQuery(words: "x"), limit: 100, page: nil).kept == 1)
        #expect(bench.server.calls.count == 1)
    }

    @Test("whatever is answered, as many calls are written down as the service saw")
    func faults() throws {
        let bench = YouTubeBench(limits: "search=1000")
        let faults: [YouTubeStandIn.Answer] = [
            YouTubeStandIn.error(503, "backendError", "down"), YouTubeStandIn.error(429, "rateLimitExceeded", "slowly"),
            YouTubeStandIn.error(400, "invalidParameter", "no"), YouTubeStandIn.error(404, "notFound", "gone"),
            .init(502, "<html></html>"), .init(200, ""), .init(200, "{}"), .init(204, ""),
        ]
        for _ in 0..<24 { bench.server.answer("search", faults[Int.random(in: 0..<faults.count)]) }
        let service = bench.service
        _ = LoopbackServer.atOnce(24) { number in
            (try? service.search(SearchQuery(words: "w\(number)"), limit: 5, page: nil)) != nil
        }
        #expect(bench.server.calls.count >= 24)
        #expect(try bench.spent(.search) == bench.server.calls.count)
    }

    @Test("a daily quota that the service says is used up is not asked again")
    func exhausted() throws {
        let bench = YouTubeBench()
        bench.server.answer(
            "search", YouTubeStandIn.error(403, "quotaExceeded", "gone", domain: "youtube.quota"))
        for words in ["x", "y"] {
            #expect(throws: ServiceError.self) {
                try bench.service.search(SearchQuery(words: words), limit: 5, page: nil)
            }
        }
        #expect(bench.server.calls.count == 1)
    }
}
