import Glibc
import TestSupport
import Testing
import Threads
import VideoModel

@testable import WebClient

@Suite("Where requests may go, and what they tell", .timeLimit(.minutes(2)))
struct SafetyTests {
    @Test(
        "addresses that are not of the public Internet",
        arguments: [
            "0.0.0.0", "10.1.2.3", "100.64.0.1", "100.100.100.200", "127.0.0.1", "127.255.255.254", "168.63.129.16",
            "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.192", "192.0.2.1", "192.168.1.1", "198.18.0.1",
            "198.51.100.7", "203.0.113.9", "224.0.0.1", "240.0.0.1", "255.255.255.255", "::", "::1", "::127.0.0.1",
            "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "64:ff9b:1::1", "100::1", "2001::1",
            "2001:db8::1", "2002:7f00:1::1", "fc00::1", "fd00:ec2::254", "fe80::1", "fe80::1%eth0", "fec0::1",
            "ff02::1",
            "4000::1",
        ])
    func special(text: String) throws {
        #expect(try #require(NetworkAddress(text)).isPublic == false)
    }

    @Test(
        "addresses of the public Internet",
        arguments: [
            "1.1.1.1", "8.8.8.8", "100.63.255.255", "100.128.0.1", "172.15.0.1", "172.32.0.1", "192.167.1.1",
            "169.253.0.1", "223.255.255.255", "2606:4700::1111", "2a00:1450:4001:80b::200e", "::ffff:8.8.8.8",
            "64:ff9b::808:808", "2002:808:808::1",
        ])
    func everywhere(text: String) throws {
        #expect(try #require(NetworkAddress(text)).isPublic)
    }

    private func open(_ address: WebAddress, except: [WebEndpoint] = []) -> WebRequest {
        var request = WebRequest(.get, address)
        request.target = .open(except: except)
        request.retry = .never
        return request
    }

    @Test(
        "this machine is refused under every name it has",
        arguments: [
            "127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "127.1", "2130706433", "0x7f000001", "0177.0.0.1",
            "0.0.0.0", "[::]",
        ])
    func loopback(host: String) {
        let server = LoopbackServer { _, reply in reply.answer() }
        do throws(WebError) {
            _ = try WebSession().send(open(server.address("/", host: host)))
            Issue.record("answered")
        } catch {
            if case .refusedTarget = error {} else { Issue.record("\(error)") }
        }
        #expect(server.connections == 0)
    }

    @Test("a named exception opens that port of that address and no other")
    func exception() throws {
        let server = LoopbackServer { _, reply in reply.answer() }
        let other = LoopbackServer { _, reply in reply.answer() }
        let session = WebSession()
        let except = [WebEndpoint("127.0.0.1", port: server.port)]
        #expect(try session.send(open(server.address(), except: except)).status == 200)
        #expect(throws: WebError.refusedTarget(host: "127.0.0.1", address: "127.0.0.1")) {
            try session.send(open(other.address(), except: except))
        }
        #expect(other.connections == 0)
    }

    @Test("a connection that a trusted request left open is no way in")
    func reusedConnection() throws {
        let server = LoopbackServer { _, reply in reply.answer() }
        let session = WebSession()
        var trusted = open(server.address())
        trusted.target = .trusted
        #expect(try session.send(trusted).status == 200)
        #expect(throws: WebError.refusedTarget(host: "127.0.0.1", address: "127.0.0.1")) {
            try session.send(open(server.address()))
        }
        #expect(server.requests.count == 1)
    }

    @Test("a redirect to this machine is refused, from a trusted host too")
    func redirectHome() {
        let inner = LoopbackServer { _, reply in reply.answer() }
        let server = LoopbackServer { _, reply in
            reply.answer(302, [("Location", "http://127.0.0.1:\(inner.port)/")])
        }
        var request = open(server.address())
        request.target = .trusted
        #expect(throws: WebError.refusedTarget(host: "127.0.0.1", address: "127.0.0.1")) {
            try WebSession().send(request)
        }
        #expect(inner.connections == 0)
    }

    @Test("behind a proxy private addresses and local names are refused by name, others go through it")
    func proxy() throws {
        let proxy = LoopbackServer { request, reply in reply.answer(200, [], request.target) }
        var configuration = WebConfiguration()
        configuration.environment = WebEnvironment { ["http_proxy": "http://127.0.0.1:\(proxy.port)"][$0] }
        let session = WebSession(configuration)
        for host in [
            "10.0.0.1", "localhost", "a.localhost", "[::1]", "2130706433", "intranet", "metadata.google.internal",
        ] {
            let address = try #require(WebAddress("http://\(host)/"))
            do throws(WebError) {
                _ = try session.send(open(address))
                Issue.record("answered for \(host)")
            } catch {
                if case .refusedTarget = error {} else { Issue.record("\(error)") }
            }
        }
        let response = try session.send(open(try #require(WebAddress("http://example.org/x"))))
        #expect(String(decoding: response.body, as: UTF8.self) == "http://example.org/x")
        #expect(proxy.requests.count == 1)
    }

    @Test(
        "no_proxy as curl reads it",
        arguments: [
            ("example.org", "example.org", true), ("example.org", "www.example.org", true),
            (".example.org", "example.org", true), ("example.org", "badexample.org", false), ("*", "anything", true),
            ("a.com, b.com", "b.com", true), ("10.0.0.0/8", "10.2.3.4", true), ("10.0.0.0/8", "11.2.3.4", false),
            ("::1", "[::1]", true), ("EXAMPLE.org", "example.org.", true), ("", "example.org", false),
        ])
    func noProxy(list: String, host: String, isDirect: Bool) throws {
        let environment = WebEnvironment { ["all_proxy": "http://p:1", "no_proxy": list][$0] }
        let address = try #require(WebAddress("https://\(host)/"))
        #expect((environment.proxy(for: address) == nil) == isDirect)
    }

    @Test("proxies by scheme; HTTP_PROXY in upper case is left alone")
    func proxyVariables() throws {
        let environment = WebEnvironment { ["HTTP_PROXY": "http://evil:1", "HTTPS_PROXY": "http://s:1"][$0] }
        #expect(environment.proxy(for: try #require(WebAddress("http://a.org/"))) == nil)
        #expect(environment.proxy(for: try #require(WebAddress("https://a.org/"))) == "http://s:1")
    }

    // MARK: Secrets

    private let key = "AIzaSecretSecretSecret"

    private func keyed(_ server: LoopbackServer, _ path: String) -> WebRequest {
        var request = WebRequest(.get, server.address(path))
        request.target = .trusted
        request.retry = .never
        request.secretQuery = [SecretField("key", Secret(key))]
        request.secretHeaders = [SecretField("Authorization", Secret("Bearer \(key)"))]
        request.headers = [WebHeader("X-Plain", "1"), WebHeader("Cookie", "a=b")]
        return request
    }

    @Test("the key goes to its host, and on redirects within it, but is nowhere in the answer")
    func keyAtHome() throws {
        let server = LoopbackServer { request, reply in
            if request.target.hasPrefix("/old") {
                // The server sends its own query back, key and all.
                reply.answer(301, [("Location", "/new?" + request.target.dropFirst(5))])
            } else {
                reply.answer(200, [], "fine")
            }
        }
        let response = try WebSession().send(keyed(server, "/old?q=a"))
        #expect(server.requests.map(\.target) == ["/old?q=a&key=\(key)", "/new?q=a&key=\(key)"])
        #expect(server.requests.allSatisfy { $0.header("Authorization") == "Bearer \(key)" })
        #expect(response.address == server.address("/new?q=a"))
        #expect(!"\(response)".contains(key))
    }

    @Test("a redirect to another host carries no key, and no personal header")
    func keyAbroad() throws {
        let other = LoopbackServer { request, reply in
            // Back to the first host: the key stays away.
            if request.target == "/there" { reply.answer(200, [], "there") }
        }
        let server = LoopbackServer { request, reply in
            reply.answer(302, [("Location", "http://127.0.0.1:\(other.port)/there")])
        }
        var request = keyed(server, "/a")
        request.target = .open(except: [
            WebEndpoint("127.0.0.1", port: server.port), WebEndpoint("127.0.0.1", port: other.port),
        ])
        let response = try WebSession().send(request)
        #expect(response.body == Array("there".utf8))
        let seen = try #require(other.requests.first)
        #expect(seen.target == "/there")
        #expect(seen.header("Authorization") == nil)
        #expect(seen.header("Cookie") == nil)
        #expect(seen.header("X-Plain") == "1")
    }

    @Test("a redirect that would carry the key elsewhere in its address is refused")
    func keyInLocation() {
        let other = LoopbackServer { _, reply in reply.answer() }
        let server = LoopbackServer { request, reply in
            reply.answer(302, [("Location", "http://127.0.0.1:\(other.port)\(request.target)")])
        }
        var request = keyed(server, "/a")
        request.target = .open(except: [
            WebEndpoint("127.0.0.1", port: server.port), WebEndpoint("127.0.0.1", port: other.port),
        ])
        #expect(throws: WebError.badRedirect(host: "127.0.0.1", .secret)) { try WebSession().send(request) }
        #expect(other.connections == 0)
    }

    @Test(
        "a redirect to another scheme or to nowhere is refused",
        arguments: ["file:///etc/passwd", "ftp://a.org/", "http://"])
    func badLocation(location: String) {
        let server = LoopbackServer { _, reply in reply.answer(302, [("Location", location)]) }
        var request = open(server.address())
        request.target = .trusted
        do throws(WebError) {
            _ = try WebSession().send(request)
            Issue.record("answered")
        } catch {
            if case .badRedirect = error {} else { Issue.record("\(error)") }
        }
    }

    @Test("a redirect to a host that the request does not allow is not followed")
    func redirectNotAllowed() {
        let server = LoopbackServer { _, reply in reply.answer(302, [("Location", "http://other.example/x")]) }
        var request = open(server.address())
        request.target = .trusted
        request.allowsRedirect = { $0.host == "127.0.0.1" }
        #expect(throws: WebError.badRedirect(host: "127.0.0.1", .notAllowed(host: "other.example"))) {
            try WebSession().send(request)
        }
    }

    @Test("redirects that go on for ever, or in a circle, end")
    func redirectLoops() {
        let endless = LoopbackServer { request, reply in reply.answer(302, [("Location", request.target + "x")]) }
        var request = open(endless.address())
        request.target = .trusted
        #expect(throws: WebError.tooManyRedirects(host: "127.0.0.1", count: 10)) { try WebSession().send(request) }
        #expect(endless.requests.count == 11)

        let circle = LoopbackServer { request, reply in
            reply.answer(302, [("Location", request.target == "/a" ? "/b" : "/a")])
        }
        request = open(circle.address("/a"))
        request.target = .trusted
        #expect(throws: WebError.tooManyRedirects(host: "127.0.0.1", count: 3)) { try WebSession().send(request) }
    }

    @Test(
        "what a redirect does to the method and the body",
        arguments: [(301, "GET"), (302, "GET"), (303, "GET"), (307, "POST"), (308, "POST")])
    func redirectMethod(status: Int, method: String) throws {
        let server = LoopbackServer { request, reply in
            if request.target == "/a" { return reply.answer(status, [("Location", "b?x=1")]) }
            reply.answer(200, [], "\(request.method) \(request.body.count)")
        }
        var request = open(server.address("/a"))
        request.target = .trusted
        request.method = .post
        request.body = Array("body".utf8)
        let response = try WebSession().send(request)
        #expect(String(decoding: response.body, as: UTF8.self) == "\(method) \(method == "POST" ? 4 : 0)")
        #expect(response.address == server.address("/b?x=1"))
        #expect(response.attempts == 2)
    }

    @Test("no error has a key in it")
    func keyInErrors() {
        // A port where nobody listens, and a proxy that cannot be found: libcurl's words name the address.
        let server = LoopbackServer { _, reply in reply.answer() }
        server.stop()
        var configuration = WebConfiguration()
        for proxied in [false, true] {
            if proxied { configuration.environment = WebEnvironment { _ in "http://\(key).invalid:1" } }
            do throws(WebError) {
                _ = try WebSession(configuration).send(keyed(server, "/a"))
                Issue.record("answered")
            } catch {
                #expect(!"\(error)".contains(key))
            }
        }
    }

    @Test("a secret shows nothing of itself, however it is looked at")
    func secret() {
        let secret = Secret(key)
        var dumped = ""
        dump(SecretField("key", secret), to: &dumped)
        for text in ["\(secret)", String(reflecting: secret), dumped, "\(SecretField("key", secret))"] {
            #expect(!text.contains(key))
            #expect(text.contains("REDACTED") || text == dumped)
        }
        #expect(secret.reveal() == key)
        #expect(Redaction([Secret("Bearer ab/cd")])("x ab%2Fcd ab/cd Bearer ab/cd") == "x REDACTED REDACTED REDACTED")
    }

    @Test("a secret is found in whatever form it is sent back, and nothing else is taken for it")
    func redaction() {
        let redact = Redaction([Secret("Bearer ab/cd+E")])
        for form in [
            "ab%2Fcd%2BE", "ab%2fcd%2bE", #"ab\/cd+E"#, #"\u0061\u0062\u002f\u0063\u0064\u002B\u0045"#,
            #"a\u0062/cd\u002bE"#,
            #"\\u0061\\u0062\\\/cd+E"#, "%61b/c%64+E", #"ab\/cd\u002B%45"#,
        ] {
            #expect(redact("<\(form)>") == "<REDACTED>" && redact.finds(in: form), "\(form)")
            #expect(redact(form + form) == "REDACTEDREDACTED", "\(form)")
        }
        for other in [
            "ab/cd+", "ab/cd+e", #"\u0061\u0062\u002f\u0063\u0064\u002B\u004"#, #"\u1061b/cd+E"#, #"a\b/cd+E"#, "ab%2",
            "%", "\\",
            #"\u"#, #"ab\"#, "ab/cd%2", #"ab/cd\u00"#, "",
        ] {
            #expect(redact(other) == other && !redact.finds(in: other), "\(other)")
        }
        let start = Clock.monotonic()
        let slashes = String(repeating: "\\", count: 1 << 20)
        #expect(redact(slashes) == slashes && Clock.monotonic() - start < 20)
    }
}
