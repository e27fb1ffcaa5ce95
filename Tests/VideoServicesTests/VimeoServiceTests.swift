// Vimeo as Swift users have it, against a stand-in: what refusals mean, limits in both forms, pages that go round, kept
// answers, and both answers of `local-then-network`.

import Foundation
import TestSupport
import Testing
import Threads

@testable import Basics
@testable import VideoModel
@testable import VideoServices
@testable import WebClient

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
        let invalid = bench.error(
            VimeoStandIn.error(
                400, 2204, "Something is wrong", "Look at the fields",
                more:
                    #","invalid_parameters":[{"field":"sort","error_code":2201,"error":"Sorry.","developer_message":"no such"}]"#
            ))
        #expect(
            invalid?.plain
                == .refused(
                    service: "vimeo", status: 400, reason: "2204", parameter: "sort",
                    message: "Something is wrong. Look at the fields. no such."))
        #expect(
            invalid?.words
                == ServiceErrorDetails(
                    status: 400, code: "2204", forUsers: "Something is wrong", forDevelopers: "Look at the fields",
                    invalid: [.init(field: "sort", code: "2201", forUsers: "Sorry.", forDevelopers: "no such")]))
        let said = "bad \(VimeoStandIn.ownToken)"
        let rows: [(VimeoStandIn.Answer, ServiceError, ServiceErrorDetails)] = [
            (
                .init(401, #"{"error":"You must."}"#, [("WWW-Authenticate", #"Bearer error="invalid_token""#)]),
                .keyRefused(service: "vimeo", .invalid, from: origin), .init(status: 401, forUsers: "You must.")
            ),
            (
                VimeoStandIn.error(401, 8003, "No user"), .keyRefused(service: "vimeo", .needsUser, from: origin),
                .init(status: 401, code: "8003", forUsers: "No user")
            ),
            // A token is no longer one only where the header says so.
            (
                VimeoStandIn.error(401, 1001, "Your IP is blocked"),
                .keyRefused(service: "vimeo", .refused, from: origin),
                .init(status: 401, code: "1001", forUsers: "Your IP is blocked")
            ),
            (
                VimeoStandIn.error(403, 1002, "No", "The token lacks the scope private"),
                .keyRefused(service: "vimeo", .lacksScope, from: origin),
                .init(status: 403, code: "1002", forUsers: "No", forDevelopers: "The token lacks the scope private")
            ),
            (
                VimeoStandIn.error(403, 1002, "Your app is banned"),
                .refused(
                    service: "vimeo", status: 403, reason: "1002", parameter: nil, message: "Your app is banned."),
                .init(status: 403, code: "1002", forUsers: "Your app is banned")
            ),
            (
                VimeoStandIn.error(404, 5000, "Gone", "Not here"),
                .notThere(service: "vimeo", status: 404, reason: "5000", message: "Gone. Not here."),
                .init(status: 404, code: "5000", forUsers: "Gone", forDevelopers: "Not here")
            ),
            // The code may stand in a header, the body may be of an older form or none at all.
            (
                .init(410, "<html>", [("Vimeo-Error-Code", "5000")]),
                .notThere(service: "vimeo", status: 410, reason: "5000", message: "there is no such thing"),
                .init(status: 410, code: "5000")
            ),
            (
                VimeoStandIn.error(400, 1000, said),
                .refused(service: "vimeo", status: 400, reason: "1000", parameter: nil, message: "bad REDACTED."),
                .init(status: 400, code: "1000", forUsers: "bad REDACTED")
            ),
        ]
        for (answer, meaning, words) in rows {
            let error = bench.error(answer)
            #expect(error?.plain == meaning && error?.words == words)
            #expect(error?.status == answer.status)
        }
        let down = VimeoStandIn.error(503, 7300, "U6", "D6")
        let error = bench.error(down, down, down)
        #expect(error?.plain == .unavailable(service: "vimeo", status: 503))
        #expect(error?.words == .init(status: 503, code: "7300", forUsers: "U6", forDevelopers: "D6"))
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
            // An end that is over ends nothing.
            (
                [
                    ("X-RateLimit-Limit", "10"), ("X-RateLimit-Remaining", "0"),
                    ("X-RateLimit-Reset", "2020-01-01T00:00:00+00:00"),
                ], "asked", 3
            ),
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
        switch error?.plain {
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

    @Test("a batch is asked for in halves only where one of its ids may be the reason")
    func noHalves() {
        let bench = Bench()
        let ids = (0..<50).map { "\(1000 + $0)" }
        let other = #","invalid_parameters":[{"field":"fields","developer_message":"no such"}]"#
        for answer in [
            VimeoStandIn.Answer(404, "<html>nothing</html>"), VimeoStandIn.error(404, 5000, "Gone"),
            VimeoStandIn.error(400, 2204, "Wrong", more: other),
        ] {
            bench.server.forget()
            bench.server.answer("/videos", answer)
            #expect(throws: ServiceError.self) {
                try bench.service.lookUp(.videos(ids, fields: nil), limit: 50, page: nil)
            }
            #expect(bench.server.calls.count == 1)
        }
    }

    @Test("a policy that is named does what it says; without one, what is fresh is given without asking")
    func namedPolicies() throws {
        let bench = Bench()
        func service(_ policy: CachePolicy?) -> VimeoService {
            bench.settings.policy = policy
            return VimeoService(network: Network(bench.settings))
        }
        func calls(_ policy: CachePolicy?, _ own: CachePolicy? = nil) throws -> Int {
            bench.server.forget()
            let service = service(policy)
            var request = ServiceRequest("users/1/videos")
            request.policy = own
            _ = try service.request(request)
            service.network.finish(within: 10)
            return bench.server.calls.count
        }
        #expect(try calls(nil) == 1)
        #expect(try calls(nil) == 0)
        for policy in [CachePolicy.networkOnly, .networkThenLocal, .localThenNetwork] {
            #expect(try calls(policy) == 1, "\(policy)")
            #expect(try calls(nil, policy) == 1, "\(policy), of the request")
            #expect(try calls(policy, .localOnly) == 0)
        }
        #expect(try calls(.localOnly) == 0)
        #expect(bench.server.statuses.isEmpty)
        let search = service(.networkThenLocal)
        for _ in 0..<2 { _ = try search.search(SearchQuery(words: "x"), limit: 10, page: nil) }
        #expect(bench.server.calls.count == 2)
        bench.server.stop()
        #expect(try search.search(SearchQuery(words: "x"), limit: 10, page: nil).fallback != nil)
    }

    @Test("what the service sends back of the token is neither kept nor in records")
    func echo() throws {
        let bench = Bench()
        // Also as some write it in JSON.
        let escaped = VimeoStandIn.ownToken.utf8.map { "\\u00" + String($0, radix: 16, uppercase: $0 % 2 == 0) }
            .joined()
        let row =
            #"{"uri":"/videos/5","name":"\#(VimeoStandIn.ownToken)","description":"\#(escaped)","privacy":{"view":"anybody"}}"#
        bench.server.answer(
            "/videos",
            .init(
                200, #"{"total":1,"paging":{"next":null},"data":[\#(row)]}"#,
                [("X-Echo", "Bearer " + VimeoStandIn.ownToken)]))
        let records = try bench.search().records()
        #expect(records.map(\.title) == ["REDACTED"] && records.map(\.description) == ["REDACTED"])
        let kept = try bench.search()
        #expect(kept.kept == 1 && !String(decoding: kept.body, as: UTF8.self).contains(VimeoStandIn.ownToken))
        #expect(!String(decoding: kept.body, as: UTF8.self).contains("\\u00"))
        let file = try Data(contentsOf: URL(fileURLWithPath: bench.settings.cacheFolder! + "/responses.sqlite"))
        #expect(file.range(of: Data(VimeoStandIn.ownToken.utf8)) == nil)
        let log = URL(fileURLWithPath: bench.settings.cacheFolder! + "/responses.sqlite-wal")
        #expect((try? Data(contentsOf: log))?.range(of: Data(VimeoStandIn.ownToken.utf8)) == nil)
    }

    @Test("a cancelled request calls nothing back")
    func cancelledCompletions() {
        let bench = Bench()
        bench.server.answer("/tags/x", .init(200, #"{"n":1}"#))
        #expect(told(bench.service, "tags/x", .networkOnly).count == 1)
        let slow = LoopbackServer { _, reply in _ = reply.clientLeaves(within: 20) }
        defer { slow.stop() }
        let url = slow.address("").description
        bench.settings.variable = {
            ["YTHOST_VIMEO_URL": url, "YTHOST_VIMEO_TOKEN": VimeoStandIn.ownToken, "no_proxy": "127.0.0.1"][$0]
        }
        let service = VimeoService(network: Network(bench.settings))
        for policy in CachePolicy.allCases {
            let token = CancellationToken()
            LoopbackServer.thread {
                usleep(200_000)
                token.cancel()
            }
            let steps = token.withValue { told(service, "tags/x", policy) }
            // What was told before it was cancelled stays told.
            let before = policy == .localOnly ? ["none kept."] : policy == .localThenNetwork ? ["none kept"] : []
            #expect(steps == before, "\(policy)")
            usleep(250_000)
            #expect(token.withValue { told(service, "tags/x", policy) }.isEmpty, "\(policy), cancelled before")
        }
    }

    @Test("who cancels when called is not called again", arguments: [true, false])
    func cancelledWhenCalled(everything: Bool) {
        let bench = Bench()
        bench.server.answer("/tags/x", .init(200, #"{"n":1}"#))
        #expect(told(bench.service, "tags/x", .networkOnly).count == 1)
        bench.server.stop()
        for policy in [CachePolicy.networkThenLocal, .localThenNetwork] {
            let token = CancellationToken()
            var request = ServiceRequest("tags/x")
            request.policy = policy
            var count = 0
            token.withValue {
                bench.service.request(request) { _, isFinal in
                    count += 1
                    #expect(!isFinal)
                    if everything { bench.network.cancel() } else { token.cancel() }
                }
            }
            #expect(count == 1, "\(policy)")
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
            token.withValue { _ = #expect(throws: ServiceError.self) { try service.request(ServiceRequest("tags/x")) } }
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
