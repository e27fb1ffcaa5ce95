import Glibc
import TestSupport
import Testing
import VideoModel

@testable import WebClient

@Suite("Asking again", .timeLimit(.minutes(2)))
struct RetryTests {
    private func request(_ server: LoopbackServer, _ method: WebMethod = .get) -> WebRequest {
        var request = WebRequest(method, server.address())
        request.target = .trusted
        request.retry.firstWait = 0.01
        return request
    }

    @Test("a server in trouble is asked again, three times in all", arguments: [408, 425, 429, 500, 502, 503, 504])
    func passing(status: Int) throws {
        let server = LoopbackServer { _, reply in reply.answer(status) }
        let response = try WebSession().send(request(server))
        #expect(response.status == status)
        #expect(response.attempts == 3)
        #expect(server.requests.count == 3)
    }

    @Test("an answer that stands is not asked for again", arguments: [200, 304, 400, 401, 403, 404, 501])
    func final(status: Int) throws {
        let server = LoopbackServer { _, reply in reply.answer(status) }
        #expect(try WebSession().send(request(server)).attempts == 1)
        #expect(server.requests.count == 1)
    }

    @Test("what changes something is sent once", arguments: [WebMethod.post, .delete])
    func unsafe(method: WebMethod) throws {
        let server = LoopbackServer { request, reply in
            if request.method == "POST" { reply.answer(503) } else { reply.reset() }
        }
        _ = try? WebSession().send(request(server, method))
        #expect(server.requests.count == 1)
    }

    @Test("a daily quota is never asked for again, whatever its status")
    func exhausted() throws {
        let server = LoopbackServer { _, reply in reply.answer(429, [("Retry-After", "0")]) }
        var request = request(server)
        request.retry.judge = { $0.status == 429 ? .exhausted : .final }
        #expect(try WebSession().send(request).status == 429)
        #expect(server.requests.count == 1)
    }

    @Test("trouble that passes is waited out")
    func recovers() throws {
        let server = LoopbackServer { request, reply in
            switch request.connection {
            case 1: reply.reset()
            case 2:
                reply.raw("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n")
                reply.close()
            default: reply.answer(200, [], "fine")
            }
        }
        let response = try WebSession().send(request(server))
        #expect(response.body == Array("fine".utf8))
        #expect(response.attempts == 3)
    }

    @Test("Retry-After is obeyed as a number and as a date; a longer one than allowed ends it")
    func retryAfter() throws {
        let server = LoopbackServer { request, reply in
            reply.answer(request.connection == 1 ? 503 : 200, [("Retry-After", "1"), ("Connection", "close")])
            reply.close()
        }
        var response: WebResponse?
        let seconds = try LoopbackServer.seconds { response = try WebSession().send(request(server)) }
        #expect(response?.status == 200)
        #expect(seconds >= 1 && seconds < 3)

        let patient = LoopbackServer { _, reply in reply.answer(503, [("Retry-After", "3600")]) }
        #expect(try WebSession().send(request(patient)).attempts == 1)

        var dated = WebResponse(status: 503, address: WebAddress())
        dated.headers = WebHeaders([WebHeader("retry-after", "Thu, 01 Jan 1970 00:01:40 GMT")])
        #expect(dated.retryAfter(now: 70) == 30)
        #expect(dated.retryAfter(now: 200) == 0)
        dated.headers = WebHeaders([WebHeader("Retry-After", "soon")])
        #expect(dated.retryAfter(now: 0) == nil)
    }

    @Test("a session sends again only so often, all requests together")
    func budget() {
        let server = LoopbackServer { _, reply in reply.answer(503) }
        var configuration = WebConfiguration()
        configuration.retries = 5
        let session = WebSession(configuration)
        let request = request(server)
        _ = LoopbackServer.atOnce(10) { _ in (try? session.send(request))?.status }
        #expect(server.requests.count == 15)
    }

    @Test("the deadline is for all attempts together")
    func deadline() {
        let server = LoopbackServer { _, reply in
            _ = reply.clientLeaves(within: 5)
            reply.close()
        }
        var request = request(server)
        request.deadlines.total = 0.4
        let seconds = LoopbackServer.seconds {
            #expect(throws: WebError.timedOut(host: "127.0.0.1", .answer)) { try WebSession().send(request) }
        }
        #expect(seconds < 1)
    }

    @Test("waits are drawn from ranges that double up to the longest")
    func waits() {
        let retry = WebRetry()
        for (attempt, longest) in [(1, 0.5), (2, 1.0), (3, 2.0), (4, 4.0), (10, 20.0), (1000, 20.0)] {
            let waits = (0..<200).map { _ in retry.wait(after: attempt) }
            #expect(waits.allSatisfy { (0...longest).contains($0) })
            #expect((waits.max() ?? 0) > longest / 2)
            #expect((waits.min() ?? 9) < longest / 2)
        }
    }
}
