// What services share: the list of those that come with ythost, and how they are asked over HTTP.

import TestSupport
import Testing

@testable import Basics
@testable import VideoServices
@testable import WebClient

/// A site at a server of this machine, with a folder of its own.
private final class SiteBench {
    let server: LoopbackServer
    private let scratch = StoreScratch()

    init(_ answer: @escaping @Sendable (LoopbackServer.Request, LoopbackServer.Reply) -> Void) {
        server = LoopbackServer(answer)
    }

    deinit { server.stop() }

    func site(_ address: String? = nil, _ change: (inout Network.Settings) -> Void = { _ in }) -> ServiceSite {
        var settings = Network.Settings()
        let set = address ?? server.address("/api/").description
        settings.variable = { $0 == "YTHOST_TEST_URL" ? set : nil }
        settings.cacheFolder = scratch.folder + "/cache"
        change(&settings)
        var site = ServiceSite(
            service: "test", variable: "YTHOST_TEST_URL",
            usual: WebAddress(scheme: "https", host: "test.invalid", path: "/api"), network: Network(settings))
        site.refusal = {
            $0.body.isEmpty ? nil : ServiceErrorDetails(forUsers: String(decoding: $0.body, as: UTF8.self))
        }
        return site
    }

    static var call: ServiceSite.Call {
        var call = ServiceSite.Call("search", "a b")
        call.add("q", "x & y")
        call.secretHeaders = [SecretField("Authorization", Secret("bearer hidden"))]
        return call
    }
}

@Suite struct ServiceSiteTests {
    @Test("a call goes below the address that is set, encoded, and its answer is kept")
    func calls() throws {
        let bench = SiteBench { _, reply in reply.answer(200, [], "hello") }
        let site = bench.site()
        let first = try site.send(SiteBench.call)
        #expect(first.response.body == Array("hello".utf8) && !first.isKept && first.response.attempts == 1)
        #expect(try site.send(SiteBench.call).isKept)
        #expect(bench.server.requests.map(\.target) == ["/api/search/a%20b?q=x%20%26%20y"])
        #expect(bench.server.requests[0].header("authorization") == "bearer hidden")
        var other = SiteBench.call
        other.account = "somebody"
        #expect(try !site.send(other).isKept, "an account is told what others are not")
    }

    @Test("a status means what it means at every service")
    func statuses() throws {
        let bench = SiteBench { request, reply in
            let status = Int(request.target.split(separator: "/").last ?? "") ?? 500
            reply.answer(status, [("Retry-After", "60")], "why")
        }
        let expected: [(Int, ServiceError)] = [
            (202, .tooFast(service: "test", status: 202, wait: 60)),
            (429, .tooFast(service: "test", status: 429, wait: 60)),
            (503, .unavailable(service: "test", status: 503)),
            (404, .notThere(service: "test", status: 404, reason: nil, message: "why")),
            (400, .refused(service: "test", status: 400, reason: nil, parameter: nil, message: "why")),
        ]
        for (status, error) in expected {
            let told = #expect(throws: ServiceError.self) { try bench.site().send(ServiceSite.Call("\(status)")) }
            #expect(told?.plain == error && told?.words?.forUsers == "why")
        }
    }

    @Test("an old answer stands in for a service in trouble, and is confirmed or refused with --fresh")
    func fallbacks() throws {
        let bench = SiteBench { request, reply in
            if request.header("if-none-match") != nil { return reply.answer(500) }
            reply.answer(200, [("ETag", "\"1\"")], "hello")
        }
        _ = try bench.site().send(SiteBench.call)
        var site = bench.site()
        site.freshFor = 0
        let old = try site.send(SiteBench.call)
        #expect(old.isKept && old.fallback?.reason == .unavailable(service: "test", status: 500))
        site = bench.site { $0.isFresh = true }
        #expect(throws: ServiceError.unavailable(service: "test", status: 500)) { try site.send(SiteBench.call) }
        site = bench.site { $0.isOffline = true }
        #expect(try site.send(SiteBench.call).isKept)
        #expect(throws: ServiceError.offline(service: "test")) { try site.send(ServiceSite.Call("other")) }
    }

    @Test(
        "an address that is none is an error that names the variable, and not the address",
        arguments: ["ftp://a.example", "nothing", "https://u:p@a.example", "https://a.example/?key=1", "https://"])
    func addresses(text: String) {
        let bench = SiteBench { _, reply in reply.answer() }
        #expect(throws: ServiceError.badAddress(service: "test", variable: "YTHOST_TEST_URL")) {
            try bench.site(text).send(SiteBench.call)
        }
    }

    @Test("every service that comes with ythost has a name of its own, and says what it honours as it refuses the rest")
    func bundled() throws {
        let services = BundledServices.all(Network())
        #expect(services.first?.name == "sample", "without a key the first is what needs none")
        #expect(Set(services.map(\.name)).count == services.count)
        var settings = Network.Settings()
        settings.variable = { $0 == "YTHOST_YOUTUBE_KEY" ? "AIza" : nil }
        #expect(BundledServices.all(Network(settings)).first?.name == "youtube")
        for service in services {
            for option in SearchOption.allCases {
                let query = SearchQuery(words: "a", options: [option: .text("no such value")])
                let error: ServiceError? = {
                    do throws(ServiceError) { try service.check(query) } catch { return error }
                    return nil
                }()
                switch error {
                case .optionNotHonoured(_, option): #expect(!service.honoured.contains(option))
                case .valueNotHonoured(_, option, _, let values): #expect(service.honouredValues[option] == values)
                case nil: #expect(service.honoured.contains(option) && service.honouredValues[option] == nil)
                default: Issue.record("\(service.name) --\(option.rawValue): \(String(describing: error))")
                }
            }
            for (option, values) in service.honouredValues {
                #expect(service.honoured.contains(option) && !values.isEmpty)
                guard case .choice(let all) = option.shape else { continue }
                #expect(Set(values).isSubset(of: all), "\(service.name) --\(option.rawValue)")
            }
        }
    }
}
