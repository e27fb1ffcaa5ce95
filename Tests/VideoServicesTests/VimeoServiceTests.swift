// Vimeo as Swift users have it, against a stand-in: what refusals mean, limits in both forms, pages that go round, kept
// answers, and both answers of `local-then-network`.

import Foundation
import TestSupport
import Testing
import Threads
import VideoFormats
import VideoModel
import WebClient

@testable import VideoServices

/// A stand-in and what asks it.
private final class Bench {
    let server = VimeoStandIn()
    private let scratch = StoreScratch()
    var settings = Network.Settings()

    init() {
        let url = server.url
        settings.variable = {
            ["YTHOST_VIMEO_URL": url, "YTHOST_VIMEO_TOKEN": VimeoStandIn.ownToken, "no_proxy": "127.0.0.1"][$0]
        }
        settings.cacheFolder = scratch.folder + "/cache"
        settings.stateFolder = scratch.folder + "/state"
    }

    deinit { server.stop() }

    lazy var network = Network(settings)
    lazy var service = VimeoService(network: network)

    func search(_ words: String = "x", page: String? = nil) throws(ServiceError) -> SearchPage {
        try service.search(SearchQuery(words: words), limit: 10, page: page)
    }

    private var asked = 0

    /// The error that a search, for something new each time, gives when it is answered so.
    func error(_ answers: VimeoStandIn.Answer..., at path: String = "/videos") -> ServiceError? {
        for answer in answers { server.answer(path, answer) }
        asked += 1
        do throws(ServiceError) {
            _ = try search("words \(asked)")
            return nil
        } catch { return error }
    }
}

@Suite struct VimeoServiceTests {
    @Test("refusals mean what the service documents, with what it says for people and for developers")
    func refusals() {
        let bench = Bench()
        let origin = KeyOrigin.variable("YTHOST_VIMEO_TOKEN")
        #expect(
            bench.error(
                VimeoStandIn.error(
                    400, 2204, "Something is wrong", "Look at the fields",
                    more: #","invalid_parameters":[{"field":"sort","error_code":2201,"developer_message":"no such"}]"#))
                == .refused(
                    service: "vimeo", status: 400, reason: "2204", parameter: "sort",
                    message: "Something is wrong. Look at the fields. no such."))
        let invalid = VimeoStandIn.Answer(
            401, #"{"error":"You must."}"#, [("WWW-Authenticate", #"Bearer error="invalid_token""#)])
        #expect(bench.error(invalid) == .keyRefused(service: "vimeo", .invalid, from: origin))
        #expect(
            bench.error(VimeoStandIn.error(401, 8003, "No user"))
                == .keyRefused(service: "vimeo", .needsUser, from: origin))
        #expect(
            bench.error(VimeoStandIn.error(403, 1002, "No")) == .keyRefused(service: "vimeo", .lacksScope, from: origin)
        )
        #expect(
            bench.error(VimeoStandIn.error(404, 5000, "Gone", "Not here"))
                == .notThere(service: "vimeo", status: 404, reason: "5000", message: "Gone. Not here."))
        // The code may stand in a header, the body may be of an older form or none at all.
        #expect(
            bench.error(.init(410, "<html>", [("Vimeo-Error-Code", "5000")]))
                == .notThere(service: "vimeo", status: 410, reason: "5000", message: "there is no such thing"))
        let said = "bad \(VimeoStandIn.ownToken)"
        #expect(
            bench.error(VimeoStandIn.error(400, 1000, said))
                == .refused(
                    service: "vimeo", status: 400, reason: "1000", parameter: nil, message: "bad REDACTED."))
    }

    @Test("trouble that may pass is waited out, and what does not is told")
    func trouble() {
        let bench = Bench()
        let down = VimeoStandIn.error(503, 7300, "Search is down")
        #expect(bench.error(down, down) == nil)
        #expect(bench.server.statuses == [503, 503, 200])
        #expect(bench.error(.init(200, "<html>a portal</html>")).map(isBadAnswer) == true)
        #expect(bench.error(.init(200, #"{"uri":"/videos/1"}"#)).map(isBadAnswer) == true)
        bench.server.stop()
        guard case .unreachable? = bench.error() else {
            Issue.record("nobody is there")
            return
        }
    }

    private func isBadAnswer(_ error: ServiceError) -> Bool { if case .badAnswer = error { true } else { false } }

    @Test("a body may begin with the mark of its encoding")
    func mark() throws {
        let bench = Bench()
        bench.server.answer(
            "/videos", .init(200, "\u{FEFF}" + #"{"total":1,"paging":{"next":null},"data":[{"uri":"/videos/5"}]}"#))
        #expect(try bench.search().records().map(\.id) == ["5"])
        bench.server.answer("/videos/5", .init(200, "\u{FEFF}{}"))
        #expect(try bench.service.request(ServiceRequest("videos/5")).response.body == Array("{}".utf8))
    }

    @Test(
        "the limit is a bucket, whichever way its end is told",
        arguments: ["number", "seconds", "date", "day"])
    func limits(form: String) throws {
        let bench = Bench()
        let end = Clock.now() + 50
        let reset =
            switch form {
            case "number": "\(end)"
            case "seconds": "50"
            case "date": Timestamp.format(end, as: .rfc3339)
            default: Timestamp.format(end, as: .rfc822)
            }
        bench.server.limit(left: 2, reset: reset)
        _ = try bench.search("one")
        let status = try #require(try bench.service.quotas(at: nil).first)
        #expect(status.bucket == "requests" && status.status.limit == 10 && status.status.spent == 9)
        #expect(abs((status.status.resets ?? 0) - end) <= 2)
        // A search of more pages than are left sends none.
        let short = #expect(throws: ServiceError.self) {
            try bench.service.search(SearchQuery(words: "two"), limit: 130, page: nil)
        }
        #expect(short == .quotaShort(service: "vimeo", bucket: "requests", needed: 3, left: 1, fits: 50))
        #expect(bench.server.calls.count == 1)
        _ = try bench.search("three")
        let spent = #expect(throws: ServiceError.self) { try bench.search("four") }
        guard case .quotaSpent("vimeo", "requests", 10, let resets?) = spent else {
            Issue.record("\(String(describing: spent))")
            return
        }
        #expect(abs(resets - end) <= 2 && spent?.retryAt == resets)
        #expect(bench.server.calls.count == 2, "nothing is sent in vain")
    }

    @Test(
        "a refusal for being asked too often is waited out if that is short, and told with its end if not",
        arguments: [
            ([("Retry-After", "0")], nil, 2), ([("Retry-After", "300")], "wait", 1), ([], "asked", 3),
            ([("X-RateLimit-Limit", "10"), ("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "40")], "spent", 1),
            (
                [
                    ("X-RateLimit-Limit", "10"), ("X-RateLimit-Remaining", "0"),
                    ("X-RateLimit-Reset", "2030-01-01T00:00:00+00:00"),
                ], "spent", 1
            ),
        ] as [([(String, String)], String?, Int)])
    func tooMany(headers: [(String, String)], outcome: String?, calls: Int) {
        let bench = Bench()
        let answer = VimeoStandIn.Answer(429, #"{"error":"Too many"}"#, headers)
        let error = outcome == "asked" ? bench.error(answer, answer, answer) : bench.error(answer)
        switch error {
        case nil: #expect(outcome == nil)
        case .tooFast(_, 429, let wait): #expect(outcome == (wait == 300 ? "wait" : "asked"))
        case .quotaSpent(_, "requests", 10, .some): #expect(outcome == "spent")
        default: Issue.record("\(String(describing: error))")
        }
        #expect(bench.server.calls.count == calls)
    }

    @Test("pages lead forward alone, and one beyond the last is empty")
    func pages() throws {
        let bench = Bench()
        func loop(_ next: String, _ previous: String = "null") -> VimeoStandIn.Answer {
            .init(
                200, #"{"total":500,"paging":{"next":\#(next),"previous":\#(previous)},"data":[{"uri":"/videos/1"}]}"#)
        }
        bench.server.answer("/videos", loop(#""/videos?page=2""#), loop(#""/videos?page=1""#, #""/videos?page=1""#))
        #expect(try bench.search().next == "2")
        let second = try bench.search(page: "2")
        #expect(second.next == nil && second.previous == "1")
        bench.server.answer("/videos", loop(#""https://evil.example/videos?page=9&query=y""#))
        let third = try bench.search(page: "3")
        #expect(third.next == "9", "the number alone is taken, never where it leads")
        bench.server.answer("/videos", loop(#""/videos?page=no""#))
        #expect(try bench.search(page: "4").next == nil)
        let beyond = try bench.search(page: "77")
        #expect(try beyond.records().isEmpty && beyond.next == nil && beyond.previous == "76")
    }

    @Test("a batch that is refused for one of its ids is asked for in halves")
    func halves() throws {
        let bench = Bench()
        bench.server.answer(
            "/videos", VimeoStandIn.error(400, 2204, "Batch"), VimeoStandIn.error(404, 5000, "Gone"))
        let page = try bench.service.lookUp(.videos(["1001", "1002", "1003"], fields: nil), limit: 3, page: nil)
        #expect(try page.records().map(\.id) == ["1002", "1003"] && page.calls == 3)
        #expect(throws: ServiceError.self) {
            try bench.service.lookUp(.videos(["12/../34"], fields: nil), limit: 1, page: nil)
        }
    }

    @Test("a deleted user is none, and nothing is at a list that is gone")
    func deleted() throws {
        let bench = Bench()
        #expect(try bench.service.lookUp(.channel("99"), limit: 1, page: nil).records().isEmpty)
        let error = #expect(throws: ServiceError.self) { try bench.service.lookUp(.uploads("99"), limit: 1, page: nil) }
        #expect(
            error == .badReference(service: "vimeo", .uploads, text: "99", reason: "Vimeo has no such user"))
    }

    @Test("what was kept is confirmed by 304, or stands in when nobody answers")
    func kept() throws {
        let bench = Bench()
        bench.settings.isFresh = true
        #expect(try bench.service.lookUp(.uploads("1"), limit: 1, page: nil).kept == 0)
        let again = try bench.service.lookUp(.uploads("1"), limit: 1, page: nil)
        #expect(bench.server.statuses == [200, 304] && bench.server.calls[1].condition == VimeoStandIn.modified)
        #expect(try again.records().count == 50)
        bench.settings.isFresh = false
        bench.network = Network(bench.settings)
        bench.service = VimeoService(network: bench.network)
        #expect(try bench.service.lookUp(.uploads("1"), limit: 1, page: nil).kept == 1)
        bench.settings.isOffline = true
        let offline = VimeoService(network: Network(bench.settings))
        #expect(try offline.lookUp(.uploads("1"), limit: 1, page: nil).kept == 1)
        let error = #expect(throws: ServiceError.self) {
            try offline.search(SearchQuery(words: "y"), limit: 1, page: nil)
        }
        #expect(error == .offline(service: "vimeo"))
    }

    /// What is told of one request, in order: the body of each answer or the error, and whether it was the last.
    private func told(_ service: VimeoService, _ path: String, _ policy: CachePolicy) -> [String] {
        var request = ServiceRequest(path)
        request.policy = policy
        var told: [String] = []
        service.request(request) { result, isFinal in
            let what =
                switch result {
                case .success(let answer): String(decoding: answer.response.body, as: UTF8.self)
                case .failure(.offline): "none kept"
                case .failure(.unavailable(_, let status, _)): "\(status)"
                case .failure(let error): "\(error)"
                }
            told.append(what + (isFinal ? "." : ""))
        }
        return told
    }

    @Test("every policy tells what VIMNetworking's completions did, the last one marked")
    func completions() {
        let bench = Bench()
        func answer(_ texts: String...) { for text in texts { bench.server.answer("/tags/x", .init(200, text)) } }
        let service = bench.service
        #expect(told(service, "tags/x", .localOnly) == ["none kept."])
        answer(#"{"n":1}"#)
        #expect(told(service, "tags/x", .localThenNetwork) == ["none kept", #"{"n":1}."#])
        answer(#"{"n":2}"#)
        #expect(told(service, "tags/x", .localThenNetwork) == [#"{"n":1}"#, #"{"n":2}."#])
        #expect(told(service, "tags/x", .localOnly) == [#"{"n":2}."#])
        answer(#"{"n":3}"#)
        #expect(told(service, "tags/x", .networkOnly) == [#"{"n":3}."#])
        let down = VimeoStandIn.Answer(501, "")
        bench.server.answer("/tags/x", down)
        #expect(told(service, "tags/x", .networkOnly) == ["501."])
        bench.server.answer("/tags/x", down)
        #expect(told(service, "tags/x", .localThenNetwork) == [#"{"n":3}"#, "501."])
        bench.server.stop()
        let failed = told(service, "tags/x", .networkThenLocal)
        #expect(failed.count == 2 && failed[1] == #"{"n":3}."# && !failed[0].hasSuffix("."))
        // Without a folder nothing is kept, and what is asked for there alone is asked for nowhere.
        let bare = Bench()
        bare.settings.cacheFolder = nil
        #expect(told(bare.service, "users/1", .localOnly) == ["none kept."] && bare.server.calls.isEmpty)
        #expect(told(bare.service, "users/1", .localThenNetwork).count == 1)
        let malformed = told(service, "../x", .networkOnly)
        #expect(malformed.count == 1 && malformed[0].hasSuffix("."))
    }

    @Test("a request ends at its deadline, when its token is cancelled, and with all others")
    func cancelling() {
        let slow = LoopbackServer { _, reply in _ = reply.clientLeaves(within: 20) }
        defer { slow.stop() }
        let bench = Bench()
        let url = slow.address("").description
        bench.settings.variable = {
            ["YTHOST_VIMEO_URL": url, "YTHOST_VIMEO_TOKEN": VimeoStandIn.ownToken, "no_proxy": "127.0.0.1"][$0]
        }
        let service = VimeoService(network: Network(bench.settings))
        func seconds(_ timeout: Double?, _ end: @escaping @Sendable (VimeoService) -> Void) -> Double {
            LoopbackServer.seconds {
                var request = ServiceRequest("tags/x")
                request.timeout = timeout
                LoopbackServer.thread { end(service) }
                #expect(throws: ServiceError.self) { try service.request(request) }
            }
        }
        #expect(seconds(1) { _ in } < 3)
        #expect(
            seconds(nil) { service in
                usleep(300_000)
                service.network.cancel()
            } < 3)
        let token = CancellationToken()
        let took = LoopbackServer.seconds {
            LoopbackServer.thread {
                usleep(300_000)
                token.cancel()
            }
            token.covers { _ = #expect(throws: ServiceError.self) { try service.request(ServiceRequest("tags/x")) } }
        }
        #expect(took < 3)
    }

    @Test("a reset that is neither a number nor a date is taken for the end of a minute")
    func oddLimits() throws {
        let bench = Bench()
        bench.server.limit(left: 5, reset: "soon")
        _ = try bench.search()
        let status = try #require(try bench.service.quotas(at: nil).first)
        #expect(status.status.left == 4 && status.status.resets != nil)
    }
}
