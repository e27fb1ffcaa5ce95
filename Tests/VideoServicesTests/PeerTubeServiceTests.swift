// PeerTube and DuckDuckGo against a stand-in: what is asked, what becomes of answers, and what is refused.

import Foundation
import TestSupport
import Testing

@testable import Basics
@testable import VideoModel
@testable import VideoServices

/// A server that answers what a test says, by path.
private final class PlainDesk {
    let server: LoopbackServer
    private let scratch = StoreScratch()

    init(_ answer: @escaping @Sendable (LoopbackServer.Request, LoopbackServer.Reply) -> Void) {
        server = LoopbackServer(answer)
    }

    deinit { server.stop() }

    var network: Network {
        var settings = Network.Settings()
        let url = server.address("/").description
        settings.variable = { $0 == "YTHOST_PEERTUBE_URL" || $0 == "YTHOST_DUCKDUCKGO_URL" ? url : nil }
        settings.cacheFolder = scratch.folder + "/cache"
        return Network(settings)
    }

    var targets: [String] { server.requests.map(\.target) }
}

@Suite struct PeerTubeServiceTests {
    static func video(_ number: Int) -> String {
        """
        {"uuid":"00000000-0000-4000-8000-\(String(format: "%012d", number))","name":"Video \(number)",
        "url":"https://origin\(number).example/videos/watch/x","embedPath":"/e","duration":\(number),
        "channel":{"name":"c","host":"origin\(number).example","displayName":"C"}}
        """.split(separator: "\n").joined()
    }

    static func page(_ numbers: some Sequence<Int>, total: Int) -> String {
        #"{"total":\#(total),"data":[\#(numbers.map(video).joined(separator: ","))]}"#
    }

    @Test("pages follow each other by their start, and records are at their origin's address")
    func pages() throws {
        let desk = PlainDesk { request, reply in
            let start = request.target.contains("start=50") ? 50 : 0
            reply.answer(200, [], Self.page(start..<min(start + 50, 70), total: 70))
        }
        let service = PeerTubeService(network: desk.network)
        let first = try service.search(SearchQuery(words: "a & b"), limit: 10, page: nil)
        #expect(first.next == "50" && first.estimate == 70 && first.isCounted)
        let second = try service.search(SearchQuery(words: "a & b"), limit: 60, page: first.next)
        #expect(second.next == nil)
        #expect(
            desk.targets == [
                "/api/v1/search/videos?search=a%20%26%20b&start=0&count=50",
                "/api/v1/search/videos?search=a%20%26%20b&start=50&count=50",
            ])
        let records = try second.records()
        #expect(records.count == 20 && records[0].url == "https://origin50.example/videos/watch/x")
        #expect(records[0].channel.id == "c@origin50.example")
    }

    @Test("options become the parameters of the API; the index names arrays with brackets")
    func parameters() throws {
        func parameters(_ options: [SearchOption: FieldValue], ofIndex isIndex: Bool = false) throws -> String {
            let query = try PeerTubeQuery(SearchQuery(words: "x", options: options), ofIndex: isIndex)
            return "\(query.resource) "
                + query.parameters.dropFirst().map { "\($0.name)=\($0.value)" }.joined(separator: " ")
        }
        #expect(try parameters([.order: .text("date")]) == "videos sort=-publishedAt")
        #expect(try parameters([.duration: .text("medium")]) == "videos durationMin=240 durationMax=1200")
        #expect(
            try parameters([.after: .integer(0), .before: .integer(86_400)])
                == "videos startDate=1970-01-01T00:00:00Z endDate=1970-01-02T00:00:00Z")
        #expect(
            try parameters([.language: .text("de"), .event: .text("live")]) == "videos languageOneOf=de isLive=true")
        #expect(try parameters([.language: .text("de")], ofIndex: true) == "videos languageOneOf[]=de")
        #expect(try parameters([.safe: .text("none")], ofIndex: true) == "videos nsfw=both")
        #expect(try parameters([.type: .text("channel")]) == "video-channels ")
        #expect(try parameters([.license: .text("creativecommon")]).contains("licenceOneOf=1 licenceOneOf=2"))
        #expect(
            throws: ServiceError.optionForType(service: "peertube", option: .after, type: "video", asked: "channel")
        ) {
            try parameters([.after: .integer(0), .type: .text("channel")])
        }
        #expect(throws: ServiceError.self) { try parameters([.category: .text("music")]) }
        #expect(throws: ServiceError.self) { try parameters([.before: .integer(0), .after: .integer(1)]) }
        #expect(throws: ServiceError.emptyQuery(service: "peertube")) {
            try PeerTubeQuery(SearchQuery(words: " "), ofIndex: true)
        }
    }

    @Test("the index can search, and nothing else; it has fewer orders than a server")
    func index() throws {
        let index = PeerTubeService(network: Network())
        #expect(index.lookUps.isEmpty && index.honouredValues[.order] == ["relevance", "date", "views"])
        #expect(throws: ServiceError.lookUpNotOffered(service: "peertube", .channel)) {
            try index.lookUp(.channel("a@b.example"), limit: 1, page: nil)
        }
        let desk = PlainDesk { _, reply in reply.answer() }
        #expect(PeerTubeService(network: desk.network).honouredValues[.order]?.contains("rating") == true)
    }

    @Test("another index may be set, and is asked as Sepia Search is; a server that is set comes before it")
    func anotherIndex() throws {
        let server = LoopbackServer { _, reply in reply.answer(200, [], Self.page(0..<1, total: 1)) }
        defer { server.stop() }
        let url = server.address("/index").description
        var settings = Network.Settings()
        settings.variable = { $0 == "YTHOST_PEERTUBE_INDEX" ? url : nil }
        let index = PeerTubeService(network: Network(settings))
        let query = SearchQuery(words: "x", options: [.language: .text("de"), .safe: .text("none")])
        #expect(try index.search(query, limit: 1, page: nil).records().map(\.title) == ["Video 0"])
        #expect(
            server.requests.map(\.target) == [
                "/index/api/v1/search/videos?search=x&languageOneOf%5B%5D=de&nsfw=both&start=0&count=50"
            ])
        #expect(index.lookUps.isEmpty)
        settings.variable = { _ in url }
        #expect(!PeerTubeService(network: Network(settings)).lookUps.isEmpty)
        settings.variable = { $0 == "YTHOST_PEERTUBE_URL" ? "https://sepiasearch.org/" : nil }
        #expect(PeerTubeService(network: Network(settings)).lookUps.isEmpty)
    }

    @Test("look-ups ask the chosen server alone, whatever host a reference names")
    func lookUps() throws {
        let desk = PlainDesk { request, reply in
            if request.target.contains("missing") { return reply.answer(404, [], #"{"status":404,"detail":"no"}"#) }
            reply.answer(200, [], request.target.contains("/videos?") ? Self.page(0..<2, total: 2) : Self.video(1))
        }
        let service = PeerTubeService(network: desk.network)
        _ = try service.lookUp(.uploads("https://peertube.example/c/name"), limit: 5, page: nil)
        _ = try service.lookUp(.channel("name@other.example"), limit: 1, page: nil)
        let videos = try service.lookUp(.videos(["a-b", "missing"], fields: nil), limit: 2, page: nil)
        #expect(try videos.records().map(\.title) == ["Video 1"])
        #expect(
            desk.targets == [
                "/api/v1/video-channels/name%40peertube.example/videos?sort=-publishedAt&start=0&count=50",
                "/api/v1/video-channels/name%40other.example", "/api/v1/videos/a-b", "/api/v1/videos/missing",
            ])
        for text in ["", "a/b", "../x", "a b", "https://framatube.org/w/p/96b0ee2b-a5a7-4794-8769-58d8ccb79ab7"] {
            #expect(throws: ServiceError.self) { try service.lookUp(.channel(text), limit: 1, page: nil) }
        }
    }

    @Test(
        "an answer that is no list is told, and takes no kept one's place",
        arguments: ["<html>", "{}", "{\"data\":1}", ""])
    func badAnswers(body: String) throws {
        let desk = PlainDesk { _, reply in reply.answer(200, [], body) }
        let error = #expect(throws: ServiceError.self) {
            try PeerTubeService(network: desk.network).search(SearchQuery(words: "x"), limit: 1, page: nil)
        }
        guard case .badAnswer = error else { return #expect(error == nil, "\(String(describing: error))") }
    }

    @Test("what the server says about a refusal is passed on")
    func refusals() throws {
        let desk = PlainDesk { _, reply in
            reply.answer(
                400, [],
                #"{"status":400,"title":"Bad Request","detail":"Incorrect request parameters: count","code":"too_many"}"#
            )
        }
        let error = #expect(throws: ServiceError.self) {
            try PeerTubeService(network: desk.network).search(SearchQuery(words: "x"), limit: 1, page: nil)
        }
        #expect(
            error?.plain
                == .refused(
                    service: "peertube", status: 400, reason: "too_many", parameter: nil,
                    message: "Incorrect request parameters: count"))
        #expect(
            error?.words
                == ServiceErrorDetails(status: 400, code: "too_many", forUsers: "Incorrect request parameters: count"))
    }
}

@Suite struct DuckDuckGoServiceTests {
    @Test("a question is asked with its words alone, and its answer's type does not matter")
    func asks() throws {
        let desk = PlainDesk { _, reply in
            reply.answer(
                200, [("Content-Type", "application/x-javascript")],
                """
                {"Heading":"Lua","AbstractText":"A language.","AbstractSource":"Wikipedia","AbstractURL":"https://w.example/Lua",
                "Image":"/i/lua.png","Results":[],"RelatedTopics":[{"Text":"Moon - it shines","FirstURL":"https://d.example/Moon",
                "Result":"<a href='x'>Moon</a> it shines","Icon":{"URL":""}},{"Name":"More","Topics":[{"Text":"Luau",
                "FirstURL":"https://d.example/Luau","Result":""}]}],"Type":"A"}
                """)
        }
        let service = DuckDuckGoService(network: desk.network)
        let page = try service.search(SearchQuery(words: "  what is   lua? "), limit: 5, page: nil)
        #expect(desk.targets == ["/?q=what%20is%20lua%3F&format=json&no_redirect=1&t=ythost"])
        let records = try page.records()
        #expect(records.map(\.title) == ["Lua", "Moon", "Luau"] && page.next == nil)
        #expect(records[0].channel.title == "Wikipedia")
        #expect(records[0].thumbnails.first?.url == "https://duckduckgo.com/i/lua.png")
        #expect(throws: ServiceError.emptyQuery(service: "duckduckgo")) {
            try service.search(SearchQuery(words: " "), limit: 5, page: nil)
        }
        #expect(throws: ServiceError.optionNotHonoured(service: "duckduckgo", option: .order)) {
            try service.search(SearchQuery(words: "a", options: [.order: .text("date")]), limit: 5, page: nil)
        }
    }

    @Test("an empty answer with status 202 means that too much was asked")
    func blocked() throws {
        let desk = PlainDesk { _, reply in reply.answer(202, [("Retry-After", "100")]) }
        #expect(throws: ServiceError.tooFast(service: "duckduckgo", status: 202, wait: 100)) {
            try DuckDuckGoService(network: desk.network).search(SearchQuery(words: "a"), limit: 5, page: nil)
        }
    }
}
