import Glibc
import TestSupport
import Testing
import Threads
import VideoModel

@testable import WebClient

@Suite("Requests, and how they end", .timeLimit(.minutes(2)))
struct EngineTests {
    private func trusted(_ server: LoopbackServer, _ path: String = "/") -> WebRequest {
        var request = WebRequest(.get, server.address(path))
        request.target = .trusted
        request.retry = .never
        return request
    }

    @Test("an answer has its status, headers and body, and says where it came from")
    func answer() throws {
        let server = LoopbackServer { request, reply in
            reply.answer(404, [("X-One", " a "), ("x-one", "b"), ("Empty", "")], "\(request.method) \(request.target)")
        }
        let response = try WebSession().send(trusted(server, "/a?b=c%20d&e=ü|"))
        #expect(response.status == 404)
        #expect(String(decoding: response.body, as: UTF8.self) == "GET /a?b=c%20d&e=%C3%BC%7C")
        #expect(response.headers["X-ONE"] == "a")
        #expect(response.headers["empty"] == "")
        #expect(response.address == server.address("/a?b=c%20d&e=ü|"))
        #expect(response.version == 11)
        #expect(response.attempts == 1)
    }

    @Test("the methods send what they are meant to", arguments: WebMethod.allCases)
    func methods(method: WebMethod) throws {
        let server = LoopbackServer { request, reply in
            if request.method == "HEAD" {
                reply.raw("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n")
            } else {
                reply.answer(200, [("Got", request.method)], request.body)
            }
        }
        var request = trusted(server)
        request.method = method
        request.headers = [WebHeader("Content-Type", "application/json"), WebHeader("X-Empty", "")]
        if method == .post { request.body = Array(#"{"a":"\u0000"}"#.utf8) + [0, 255] }
        let response = try WebSession().send(request)
        #expect(response.status == 200)
        #expect(response.body == (request.body ?? []))
        let seen = try #require(server.requests.first)
        #expect(seen.method == method.rawValue)
        #expect(seen.header("content-type") == "application/json")
        #expect(seen.header("x-empty") == "")
        #expect(seen.header("expect") == nil)
        #expect(seen.header("user-agent") == "ythost")
        #expect(seen.header("accept-encoding")?.contains("gzip") == true)
        #expect(seen.header("accept-encoding")?.contains("br") == true)
    }

    @Test("a header that would be two is refused", arguments: ["a\r\nB: c", "a\nB: c", "a\0b"])
    func headerInjection(value: String) {
        let server = LoopbackServer { _, reply in reply.answer() }
        var request = trusted(server)
        request.headers = [WebHeader("X", value)]
        #expect(throws: WebError.badRequest("a header has a name or a value that cannot be sent")) {
            try WebSession().send(request)
        }
        #expect(server.requests.isEmpty)
    }

    @Test("requests one after another use one connection")
    func reuse() throws {
        let server = LoopbackServer { _, reply in reply.answer(200, [], "x") }
        let session = WebSession()
        for _ in 0..<20 { _ = try session.send(trusted(server)) }
        #expect(server.requests.count == 20)
        #expect(server.connections == 1)
    }

    @Test("64 requests at once of 100 ms each take little more than 100 ms")
    func concurrency() throws {
        let server = LoopbackServer { request, reply in
            usleep(100_000)
            reply.answer(200, [], request.target)
        }
        let session = WebSession()
        var bodies: [String] = []
        let seconds = LoopbackServer.seconds {
            bodies = LoopbackServer.atOnce(64) { index in
                let response = try? session.send(trusted(server, "/\(index)"))
                return String(decoding: response?.body ?? [], as: UTF8.self)
            }
        }
        #expect(bodies == (0..<64).map { "/\($0)" })
        // Idle, this is 0.12 s; the bound leaves room for a machine that builds something else.
        #expect(seconds < 1.5)
    }

    @Test("a connection that had died while idle is replaced, and is no failure")
    func staleConnection() throws {
        let server = LoopbackServer { request, reply in
            // The client believes that the connection stays open.
            reply.answer(200, [], "\(request.connection)")
            if request.target == "/close" { reply.reset() }
        }
        let session = WebSession()
        _ = try session.send(trusted(server, "/close"))
        usleep(50_000)
        let response = try session.send(trusted(server, "/next"))
        #expect(response.body != Array("1".utf8))
        #expect(response.attempts <= 2)
    }

    // MARK: Cancelling

    @Test("a cancelled request ends within 200 ms, and its connection with it")
    func cancel() throws {
        let gone = Monitor<Bool?>(nil)
        let server = LoopbackServer { _, reply in
            let left = reply.clientLeaves(within: 5)
            gone.withLock { $0 = left }
            reply.close()
        }
        let session = WebSession()
        let token = CancellationToken()
        var request = trusted(server)
        request.token = token
        LoopbackServer.thread {
            usleep(100_000)
            token.cancel()
        }
        let seconds = LoopbackServer.seconds {
            #expect(throws: WebError.cancelled) { try session.send(request) }
        }
        #expect(seconds > 0.09 && seconds < 0.3)
        for _ in 0..<100 where gone.withLock({ $0 }) == nil { usleep(10_000) }
        #expect(gone.withLock { $0 } == true)
        #expect(throws: WebError.cancelled) { try session.send(request) }
    }

    @Test("cancelling all ends requests, also those that wait to be sent again; later ones go through")
    func cancelAll() throws {
        let server = LoopbackServer { request, reply in
            switch request.target {
            case "/slow":
                _ = reply.clientLeaves(within: 5)
                reply.close()
            case "/busy": reply.answer(503, [("Retry-After", "10")])
            default: reply.answer(200, [], "fine")
            }
        }
        let session = WebSession()
        LoopbackServer.thread {
            while server.requests.count < 8 { usleep(1000) }
            usleep(50_000)
            session.cancelAll()
        }
        var errors: [WebError?] = []
        let seconds = LoopbackServer.seconds {
            errors = LoopbackServer.atOnce(8) { index in
                var request = trusted(server, index < 4 ? "/slow" : "/busy")
                request.retry = WebRetry()
                do throws(WebError) {
                    _ = try session.send(request)
                    return nil
                } catch { return error }
            }
        }
        #expect(errors == Array(repeating: .cancelled, count: 8))
        #expect(seconds < 2)
        #expect(try session.send(trusted(server)).status == 200)
    }

    // MARK: Bad servers

    private struct BadServer: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let serve: @Sendable (LoopbackServer.Request, LoopbackServer.Reply) -> Void
        let expected: WebError

        init(
            _ name: String, _ expected: WebError,
            _ serve: @escaping @Sendable (LoopbackServer.Request, LoopbackServer.Reply) -> Void
        ) {
            testDescription = name
            self.serve = serve
            self.expected = expected
        }
    }

    private static let host = "127.0.0.1"
    private static let badServers = [
        BadServer("a body that is cut short", .truncated(host: host)) { _, reply in
            reply.raw("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort")
            reply.close()
        },
        BadServer("a body in chunks that is cut short", .truncated(host: host)) { _, reply in
            reply.raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nshort\r\n")
            reply.close()
        },
        BadServer("a reset within the body", .truncated(host: host)) { _, reply in
            reply.raw("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort")
            usleep(50_000)
            reply.reset()
        },
        BadServer("gzip that is none", .badEncoding(host: host)) { _, reply in
            reply.answer(200, [("Content-Encoding", "gzip")], "this is not compressed at all")
        },
        BadServer("gzip that ends in its middle", .truncated(host: host)) { _, reply in
            reply.answer(200, [("Content-Encoding", "gzip")], [UInt8](spaces.dropLast(20)))
        },
        BadServer("gzip without its checksum", .truncated(host: host)) { _, reply in
            reply.answer(200, [("Content-Encoding", "gzip")], [UInt8](spaces.dropLast(8)))
        },
        BadServer("gzip with a wrong checksum", .badEncoding(host: host)) { _, reply in
            reply.answer(200, [("Content-Encoding", "gzip")], spaces.dropLast(8) + [UInt8](repeating: 1, count: 8))
        },
        BadServer("brotli that ends in its middle", .truncated(host: host)) { _, reply in
            reply.answer(200, [("Content-Encoding", "br")], [0x0B, 0x02, 0x80] + Array("hello".utf8))
        },
        BadServer("a coding that nobody asked for", .badEncoding(host: host)) { _, reply in
            reply.answer(200, [("Content-Encoding", "compress")], "hello")
        },
        BadServer("a line of the header that does not end", .tooLarge(host: host, limit: 100 << 10)) { _, reply in
            reply.raw("HTTP/1.1 200 OK\r\nX-Long: ")
            while reply.raw([UInt8](repeating: 0x78, count: 8000)) {}
            reply.close()
        },
        BadServer("brotli that is none", .badEncoding(host: host)) { _, reply in
            reply.answer(200, [("Content-Encoding", "br")], "this is not compressed at all, not at all")
        },
        BadServer("an endless body", .tooLarge(host: host, limit: 1 << 20)) { _, reply in
            reply.raw("HTTP/1.1 200 OK\r\n\r\n")
            while reply.raw([UInt8](repeating: 0x20, count: 65_536)) {}
            reply.close()
        },
        BadServer("an endless header", .tooLarge(host: host, limit: 256 << 10)) { _, reply in
            reply.raw("HTTP/1.1 200 OK\r\n")
            while reply.raw("X-Long: \(String(repeating: "x", count: 8000))\r\n") {}
            reply.close()
        },
        BadServer("one byte now and then", .timedOut(host: host, .slow)) { _, reply in
            reply.raw("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
            while reply.raw(" ") { usleep(250_000) }
            reply.close()
        },
        BadServer("no answer", .timedOut(host: host, .answer)) { _, reply in
            _ = reply.clientLeaves(within: 10)
            reply.close()
        },
    ]

    @Test("a bad server is told as what it is", arguments: badServers)
    private func bad(server bad: BadServer) {
        let server = LoopbackServer(bad.serve)
        var request = trusted(server)
        request.largestBody = 1 << 20
        request.deadlines.slowSeconds = 2
        request.deadlines.total = bad.expected == .timedOut(host: Self.host, .answer) ? 0.5 : 20
        #expect(throws: bad.expected) { try WebSession().send(request) }
    }

    @Test("a connection that ends without an answer is a reset", arguments: ["reset", "close", "half a header"])
    func reset(how: String) {
        let server = LoopbackServer { _, reply in
            if how == "half a header" { reply.raw("HTTP/1.1 200 OK\r\nContent-Le") }
            if how == "reset" { reply.reset() } else { reply.close() }
        }
        do throws(WebError) {
            let response = try WebSession().send(trusted(server))
            Issue.record("answered \(response.status)")
        } catch {
            if case .reset(let host, _) = error { #expect(host == Self.host) } else { Issue.record("\(error)") }
        }
    }

    @Test("what is not HTTP is no answer")
    func notHTTP() {
        let server = LoopbackServer { _, reply in
            reply.raw("220 mail.example ESMTP\r\n")
            reply.close()
        }
        do throws(WebError) {
            let response = try WebSession().send(trusted(server))
            Issue.record("answered \(response.status)")
        } catch {
            if case .badAnswer = error {} else { Issue.record("\(error)") }
        }
    }

    @Test("HTML, an empty body and no length at all are answers: what they mean is for who asked")
    func odd() throws {
        let server = LoopbackServer { request, reply in
            switch request.target {
            case "/html": reply.answer(502, [("Content-Type", "text/html")], "<html>Bad Gateway</html>")
            case "/empty": reply.answer(200, [], "")
            default:
                reply.raw("HTTP/1.0 200 OK\r\n\r\nuntil the end")
                reply.close()
            }
        }
        let session = WebSession()
        #expect(try session.send(trusted(server, "/html")).status == 502)
        #expect(try session.send(trusted(server, "/empty")).body.isEmpty)
        #expect(try session.send(trusted(server, "/rest")).body == Array("until the end".utf8))
    }

    @Test("brotli is undone")
    func brotli() throws {
        // "hello" as one block that is not compressed (RFC 7932, 9.2), and an empty last one.
        let packed: [UInt8] = [0x0B, 0x02, 0x80] + Array("hello".utf8) + [0x03]
        let server = LoopbackServer { request, reply in
            let accepts = request.header("accept-encoding")?.contains("br") == true
            reply.answer(200, accepts ? [("Content-Encoding", "br")] : [], packed)
        }
        #expect(try WebSession().send(trusted(server)).body == Array("hello".utf8))
    }

    /// 100,000 spaces, and a word.
    private static let spaces: [UInt8] =
        [
            0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0xff, 0xed, 0xc1, 0x31, 0x01, 0x00, 0x00, 0x00,
            0xc2, 0xa0, 0x2a, 0xeb, 0x9f, 0xd2, 0x1a, 0x1e, 0x40, 0x01,
        ]
        + [UInt8](repeating: 0, count: 96) + [0xaf, 0x06, 0x2d, 0xf0, 0x79, 0xca, 0xa0, 0x86, 0x01, 0x00]

    @Test("gzip is undone, and its limit is on what comes out")
    func gzip() throws {
        let small: [UInt8] = [
            0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0xff, 0xcb, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00, 0x86,
            0xa6, 0x10, 0x36, 0x05, 0x00, 0x00, 0x00,
        ]
        let server = LoopbackServer { request, reply in
            reply.answer(200, [("Content-Encoding", "gzip")], request.target == "/small" ? small : Self.spaces)
        }
        #expect(try WebSession().send(trusted(server, "/small")).body == Array("hello".utf8))
        var request = trusted(server)
        request.largestBody = 1000
        #expect(throws: WebError.tooLarge(host: Self.host, limit: 1000)) { try WebSession().send(request) }
    }

    /// "hello": a zlib stream (RFC 1950), and bare deflate (RFC 1951).
    private static let deflated: [[UInt8]] = [
        [0x78, 0x9c, 0xcb, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00, 0x06, 0x2c, 0x02, 0x15],
        [0xcb, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00],
    ]

    @Test("both kinds of deflate are decoded, whole and byte by byte", arguments: deflated, [1, 2, 100])
    func deflate(body: [UInt8], piece: Int) throws {
        let server = LoopbackServer { _, reply in reply.answer(200, [("Content-Encoding", "deflate")], body) }
        #expect(try WebSession().send(trusted(server)).body == Array("hello".utf8))
        let decoder = try #require(try ContentDecoder("deflate"))
        var decoded: [UInt8] = []
        for start in stride(from: 0, to: body.count, by: piece) {
            try Array(body[start..<min(start + piece, body.count)]).withUnsafeBufferPointer { bytes in
                _ = try decoder.decode(bytes) {
                    decoded += $0
                    return true
                }
            }
        }
        #expect(decoded == Array("hello".utf8) && decoder.isWhole)
    }

    @Test("deflate that is cut off is an error", arguments: deflated, [1, 2, 5])
    func cutDeflate(body: [UInt8], kept: Int) {
        let server = LoopbackServer { _, reply in
            reply.answer(200, [("Content-Encoding", "deflate")], [UInt8](body.prefix(kept)))
        }
        var request = trusted(server)
        request.retry = .never
        #expect(throws: WebError.truncated(host: Self.host)) { try WebSession().send(request) }
    }

    @Test("a name that nobody has, and a port where nobody listens")
    func nobody() {
        var request = WebRequest(.get, WebAddress("http://nobody.invalid/") ?? WebAddress())
        request.retry = .never
        request.deadlines.connect = 5
        do throws(WebError) {
            _ = try WebSession().send(request)
            Issue.record("answered")
        } catch {
            // Without any name server the look-up may take longer than the deadline.
            #expect([.noHost("nobody.invalid"), .timedOut(host: "nobody.invalid", .name)].contains(error))
        }
        let server = LoopbackServer { _, reply in reply.answer() }
        server.stop()
        do throws(WebError) {
            _ = try WebSession().send(trusted(server))
            Issue.record("answered")
        } catch {
            if case .noConnection(Self.host, _) = error {} else { Issue.record("\(error)") }
        }
    }

    @Test(
        "an address that cannot be asked is refused before anything is sent",
        arguments: [
            "ftp://example.org/", "file:///etc/passwd", "//example.org/", "http://user:pw@example.org/",
        ])
    func badAddress(text: String) throws {
        let address = try #require(WebAddress(text))
        do throws(WebError) {
            _ = try WebSession().send(WebRequest(.get, address))
            Issue.record("answered")
        } catch {
            if case .badRequest(let reason) = error {
                #expect(!reason.contains("pw"))
            } else {
                Issue.record("\(error)")
            }
        }
    }
}
