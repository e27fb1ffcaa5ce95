// `yt.http.get`: what is asked and what comes back, where a grant leads and where it does not.

import Glibc
import TestSupport
import Testing
import Threads

@testable import Basics
@testable import Files
@testable import HostErrors
@testable import Packages
@testable import Pipeline
@testable import VideoServices
@testable import WebClient
@testable import YTHost

@Suite struct WebTests {
    private let bench: Workbench
    private let server: LoopbackServer
    private var place: String { "net:127.0.0.1:\(server.port)" }

    init() throws {
        bench = try Workbench()
        server = LoopbackServer { request, reply in
            switch request.target.prefix(while: { $0 != "?" }) {
            case "/json":
                reply.answer(200, [("Content-Type", "application/json"), ("X-A", "1"), ("x-a", "2")], "[1,2]")
            case "/missing": reply.answer(404, [], "no")
            case "/home": reply.answer(302, [("Location", "/json")])
            case "/away": reply.answer(302, [("Location", "http://127.0.0.1:9/x")])
            case "/inside": reply.answer(302, [("Location", "http://localhost:9/x")])
            case "/metadata": reply.answer(302, [("Location", "http://169.254.169.254/latest")])
            case "/long": reply.answer(200, [], String(repeating: "x", count: 5000))
            case "/reset": reply.reset()
            default: reply.answer(200, [], request.target)
            }
        }
    }

    private func grants(_ texts: [String]) -> (inout RunRequest) -> Void {
        { $0.grants.forThisRun = texts.compactMap { try? Grant($0) } }
    }

    private func run(_ script: String, _ more: String...) throws -> String {
        try bench.run(
            plugin: script.replacing("HERE", with: "http://127.0.0.1:\(server.port)"), arguments: [],
            grants([place] + more)
        ).text
    }

    private func failure(_ script: String, _ given: String...) throws -> ErrorReport {
        try bench.failure(
            plugin: script.replacing("HERE", with: "http://127.0.0.1:\(server.port)"), arguments: [], grants(given))
    }

    // MARK: answers

    @Test("an answer has status, headers, body, and its JSON")
    func answer() throws {
        let text = try run(
            """
            local a = yt.http.get("HERE/json")
            print(a.status, a.headers["content-type"], a.headers["x-a"], a.body, a.json[2])
            a = yt.http.get("HERE/missing")
            print(a.status, a.body, a.json)
            print(pcall(function() return a.boddy end))
            """)
        #expect(
            text
                == """
                200\tapplication/json\t1, 2\t[1,2]\t2
                404\tno\tnil
                false\tmine.lua:5: an answer has no field 'boddy'; it has status, headers, body, json

                """.replacing("mine.lua", with: bench.path("mine.lua")))
    }

    @Test("a query is encoded, and joins one that is there")
    func query() throws {
        #expect(
            try run("print(yt.http.get('HERE/x?a=1#top', {query = {q = 'é ü', n = {1, 2}}}).body)")
                == "/x?a=1&n=1&n=2&q=%C3%A9%20%C3%BC\n")
    }

    @Test("headers are sent, but for those that are the host's")
    func headers() throws {
        _ = try run("yt.http.get('HERE/x', {headers = {Accept = 'text/html', ['X-Key'] = 5}})")
        #expect(server.requests.last?.header("X-Key") == "5")
        #expect(server.requests.last?.header("Accept") == "text/html")
        for name in ["Host", "content-length", "Proxy-Authorization", "Connection"] {
            let report = try failure("yt.http.get('HERE/x', {headers = {['\(name)'] = 'x'}})", place)
            #expect(report.message == "the header '\(name)' is the host's to set")
        }
        let report = try failure("yt.http.get('HERE/x', {headers = {A = 'x\\r\\nB: y'}})", place)
        #expect(report.code == .usage && report.message == "a header has a name or a value that cannot be sent")
    }

    @Test(
        "what is no address to ask is told at the plugin's line",
        arguments: [
            ("ftp://example.org/", "'ftp://example.org/' is not a URL of http or https"),
            ("x", "'x' is not a URL of http or https"),
            ("http://u:p@example.org/", "a URL with a login in it is not asked; use headers"),
            ("http://ex%61mple.org/", "'ex%61mple.org' is not a host that can be asked; names are written in ASCII"),
        ])
    func badAddress(url: String, message: String) throws {
        let report = try failure("yt.http.get('\(url)')", "net:example.org")
        #expect(report.message == message)
        #expect(report.line == 1 && report.code == .plugin)
    }

    @Test("trouble is an error with its facts, and a readable text")
    func trouble() throws {
        let text = try run(
            """
            local ok, e = pcall(yt.http.get, "HERE/reset")
            print(ok, e.kind, e.source, e.status, e.retry_at, e.message == tostring(e), e.message:match("^[^:]+"))
            ok, e = pcall(yt.http.get, "HERE/long", {max = 1000})
            print(ok, e.kind, e.message)
            """)
        #expect(
            text == """
                false\tnetwork\tnil\tnil\tnil\ttrue\t127.0.0.1 ended the connection
                false\tnetwork\tthe answer of 127.0.0.1 is over 1000 bytes long

                """)
        let report = try failure("yt.http.get('HERE/reset')", place)
        #expect(report.code == .network && report.line == nil)
    }

    @Test("requests are counted against the budget")
    func budget() throws {
        let report = try bench.failure(
            plugin: "for i = 1, 9 do pcall(yt.http.get, 'http://127.0.0.1:\(server.port)/' .. i) end", arguments: []
        ) {
            grants([place])(&$0)
            $0.budgets.requests = 3
        }
        #expect(report.message == "the requests budget of 3 is spent")
        #expect(server.requests.count == 3)
    }

    @Test("answers come at the same time")
    func together() throws {
        let slow = LoopbackServer { _, reply in
            usleep(200_000)
            reply.answer(200, [], "x")
        }
        let start = Clock.monotonic()
        let text = try bench.run(
            plugin: """
                local items = {}
                for i = 1, 8 do items[i] = i end
                local n = 0
                for _, o in ipairs(yt.map(items, function(i)
                  return yt.http.get("http://127.0.0.1:\(slow.port)/" .. i).status
                end)) do n = n + o.value end
                print(n)
                """, arguments: [], grants(["net:127.0.0.1:\(slow.port)"])
        ).text
        #expect(text == "1600\n")
        // One after another they would take 1.6 seconds.
        #expect(Clock.monotonic() - start < 1.3)
        #expect(slow.connections > 3)
    }

    // MARK: grants

    @Test(
        "without the grant nothing is sent, and the flag that gives it is told",
        arguments: [[], ["search"], ["net:127.0.0.1:1"], ["net:example.org"]])
    func noGrant(given: [String]) throws {
        let report = try bench.failure(
            plugin: "yt.http.get('http://127.0.0.1:\(server.port)/')", arguments: [], grants(given))
        #expect(report.code == .refused && report.kind == "grant")
        #expect(report.hint?.hasPrefix("--allow \(place) gives it for this run") == true, "\(report)")
        #expect(server.requests.isEmpty)
    }

    @Test("a redirect on the same host is followed; one elsewhere needs its own grant")
    func redirects() throws {
        #expect(try run("print(yt.http.get('HERE/home').body)") == "[1,2]\n")
        let report = try failure("yt.http.get('HERE/away')", place)
        #expect(report.kind == "grant")
        #expect(report.hint?.hasPrefix("--allow net:127.0.0.1:9 gives it") == true, "\(report)")
        #expect(try failure("yt.http.get('HERE/metadata')", place, "net:example.org").kind == "grant")
    }

    @Test("no grant of a name covers a private address")
    func privateAddresses() throws {
        for (url, given) in [
            ("http://localhost:\(server.port)/", ["net:localhost:\(server.port)"]),
            ("HERE/inside", [place, "net:localhost:9"]),
        ] {
            let report = try bench.failure(
                plugin: "yt.http.get('\(url)')".replacing("HERE", with: "http://127.0.0.1:\(server.port)"),
                arguments: [],
                grants(given))
            #expect(report.code == .refused && report.kind == "grant", "\(report)")
            #expect(report.message.contains("a private address"), "\(report)")
        }
        #expect(!server.requests.contains { $0.target == "/" })
    }

    @Test(
        "a grant covers its host, ports and names below, and no more",
        arguments: [
            ("example.org", "https://example.org/a", true), ("example.org", "http://example.org./", true),
            ("EXAMPLE.org", "http://Example.ORG/", true), ("example.org", "http://example.org:8080/", false),
            ("example.org:8080", "http://example.org:8080/", true), ("example.org:8080", "http://example.org/", false),
            ("example.org:443", "https://example.org/", true), ("example.org:443", "http://example.org/", false),
            ("example.org", "https://www.example.org/", false), ("example.org", "https://badexample.org/", false),
            ("*.example.org", "https://www.example.org/", true), ("*.example.org", "https://a.b.example.org/", true),
            ("*.example.org", "https://example.org/", false), ("*.example.org", "https://.example.org/", false),
            ("*.example.org", "https://badexample.org/", false),
            ("*.example.org", "https://example.org.evil.net/", false),
            ("127.0.0.1:80", "http://127.0.0.1/", true), ("127.0.0.1:8080", "http://127.0.0.1/", false),
            ("[::1]:8080", "http://[::1]:8080/", true), ("*.0.0.1:80", "http://127.0.0.1/", false),
            ("[::1]:8080", "http://[::2]:8080/", false),
        ])
    func coverage(given: String, url: String, covers: Bool) throws {
        let grants = [try? Grant("net:" + given)].compactMap(\.self)
        let address = try #require(WebAddress(url))
        #expect(HostPatterns(grants).cover(address) == covers)
        if covers { #expect(grants.contains { $0.covers(.net(address)) }) }
    }

    @Test(
        "a place that is none is a usage error",
        arguments: [
            "127.0.0.1", "::1", "[::1]", "*", "*.", "a b", "example.org:", "example.org:0", "example.org:x",
            "example.org:70000", "http://example.org", "example.org/x", "a..b", "*.127.0.0.1:80", "é.org", "0x7f000001",
        ])
    func syntax(text: String) {
        let error = #expect(throws: HostError.self) { try Grant("net:" + text) }
        #expect(error?.report?.code == .usage)
    }

    // MARK: kept answers

    @Test("an answer that was kept is given where the grant still leads there, and to the plugin that asked")
    func kept() throws {
        let scratch = StoreScratch()
        var settings = Network.Settings()
        settings.cacheFolder = scratch.folder
        let host = ScriptHost(
            services: [], locator: PluginLocator(folders: []), network: Network(settings))
        func get(_ name: String, _ path: String, _ options: String, _ given: [String]) throws -> String {
            try bench.write(name, "print(yt.http.get('http://127.0.0.1:\(server.port)\(path)', {\(options)}).status)")
            var request = RunRequest()
            request.plugin = bench.path(name)
            grants(given)(&request)
            let sink = MemorySink()
            _ = try host.run(request, to: sink)
            return sink.text
        }
        #expect(try get("a.lua", "/1", "store = false", [place]) == "200\n")
        let nothing = #expect(throws: HostError.self) { try get("a.lua", "/1", "cache = 'local-only'", [place]) }
        #expect(nothing?.report?.kind == "offline")
        #expect(try get("a.lua", "/1", "", [place]) == "200\n")
        #expect(server.requests.count == 2)
        #expect(try get("a.lua", "/1", "cache = 'local-only'", [place]) == "200\n")
        #expect(server.requests.count == 2)
        #expect(throws: HostError.self) { try get("b.lua", "/1", "cache = 'local-only'", [place]) }
        let refused = #expect(throws: HostError.self) { try get("a.lua", "/1", "cache = 'local-only'", []) }
        #expect(refused?.report?.kind == "grant")
    }

    // MARK: a service's own API

    /// Answers with what it was asked.
    private struct Echo: VideoService {
        let name = "echo"
        let summary = "says it again"
        let honoured: Set<SearchOption> = []
        func search(_ query: SearchQuery, limit: Int, page: String?) throws(ServiceError) -> SearchPage {
            SearchPage(body: [], format: "ythost")
        }
        func request(_ request: ServiceRequest) throws(ServiceError) -> ServiceAnswer {
            if request.path == "tired" {
                throw .quotaSpent(service: name, bucket: "b", limit: 5, resets: 1_700_000_000)
            }
            if request.path == "busy" { throw .tooFast(service: name, status: 429, wait: nil) }
            let text = request.query.map { "\($0.name)=\($0.value)" }.joined(separator: " ")
            let facts = "\(request.policy?.rawValue ?? "-") \(request.stores)"
            return ServiceAnswer(
                response: WebResponse(
                    status: 200, body: Array("\"\(request.path) \(text) \(facts)\"".utf8), address: WebAddress()),
                calls: 2)
        }
    }

    @Test("yt.request asks a service what it is told to")
    func request() throws {
        let bench = try Workbench([Echo()])
        let text = try bench.run(
            plugin: """
                print(yt.request("echo", "a/b").json)
                print(yt.request("echo", "x", {query = {q = "é &", n = {1, 2}}, cache = "local-only", store = false}).json)
                """, arguments: [], grants(["account:echo"])
        ).text
        #expect(text == "a/b  - true\nx n=1 n=2 q=é & local-only false\n")
    }

    @Test("yt.request needs the account's grant, and tells what failed")
    func requestErrors() throws {
        let bench = try Workbench([Echo()])
        let report = try bench.failure(plugin: "yt.request('echo', 'x')", arguments: [], grants(["search"]))
        #expect(report.hint?.hasPrefix("--allow account:echo gives it for this run") == true)
        let text = try bench.run(
            plugin: """
                for _, path in ipairs{"tired", "busy"} do
                  local ok, e = pcall(yt.request, "echo", path)
                  print(ok, e.kind, e.source, e.status, e.retry_at)
                end
                print(select(2, pcall(yt.request, "nowhere", "x")))
                """, arguments: [], grants(["account:echo", "account:nowhere"])
        ).text
        #expect(
            text == """
                false\tquota\techo\tnil\t1700000000
                false\ttoo-fast\techo\t429\tnil
                there is no source 'nowhere'

                """)
        let spent = try bench.failure(
            plugin: "for i = 1, 9 do yt.request('echo', 'x') end", arguments: []
        ) {
            grants(["account:echo"])(&$0)
            $0.budgets.calls = 6
        }
        #expect(spent.message == "the calls budget of 6 is spent")
    }
}
