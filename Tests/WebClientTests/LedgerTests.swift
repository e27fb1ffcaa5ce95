import Glibc
import Store
import TestSupport
import Testing
import Threads
import VideoModel

@testable import WebClient

/// How many runs with a fault there are, each with another one at another place.
private let faultRuns = environmentNumber("YTHOST_LEDGER_RUNS") ?? 100

@Suite("What calls cost", .timeLimit(.minutes(3 + faultRuns / 100)))
struct LedgerTests {
    private let scratch = StoreScratch()
    private let now = Ticker(1_700_000_000)
    private let bucket = QuotaBucket(service: "youtube", name: "search", account: "abc", limit: 10)

    private func ledger() -> QuotaLedger {
        QuotaLedger(store: store(scratch.file), now: { now.time })
    }

    private func store(_ path: String) -> SQLiteStore {
        var options = StoreOptions(isDurable: true)
        options.now = { now.time }
        return SQLiteStore(path: path, options: options)
    }

    private func request(_ server: LoopbackServer, _ charge: WebCharge) -> WebRequest {
        var request = WebRequest(.get, server.address())
        request.target = .trusted
        request.retry.firstWait = 0.001
        request.charge = charge
        return request
    }

    // MARK: Days

    @Test(
        "a Pacific day ends at midnight there, in winter, in summer, and when clocks change",
        arguments: [
            ("2026-01-15T07:59:59Z", "2026-01-15T08:00:00Z"), ("2026-01-15T08:00:00Z", "2026-01-16T08:00:00Z"),
            ("2026-07-01T06:59:59Z", "2026-07-01T07:00:00Z"), ("2026-07-01T07:00:00Z", "2026-07-02T07:00:00Z"),
            // The day of 23 hours, 8 March, and the one of 25, 1 November.
            ("2026-03-08T08:00:00Z", "2026-03-09T07:00:00Z"), ("2026-03-08T20:00:00Z", "2026-03-09T07:00:00Z"),
            ("2026-11-01T07:00:00Z", "2026-11-02T08:00:00Z"), ("2026-11-01T20:00:00Z", "2026-11-02T08:00:00Z"),
            ("2040-03-11T09:00:00Z", "2040-03-12T07:00:00Z"),
        ], [true, false])
    func pacificDay(times: (String, String), withZoneFile: Bool) throws {
        let day = withZoneFile ? QuotaDay() : QuotaDay(zoneFile: nil)
        let time = try #require(Timestamp.parse(times.0))
        let end = try #require(Timestamp.parse(times.1))
        #expect(day.end(after: time) == end)
        #expect(day.number(at: end - 1) == day.number(at: time))
        #expect(day.number(at: end) == day.number(at: time) + 1)
    }

    @Test("counts begin anew with the day, and only then")
    func newDay() throws {
        let ledger = ledger()
        for _ in 0..<10 { _ = try ledger.reserve(WebCharge(bucket)) }
        let resets = QuotaDay().end(after: now.time)
        let spent = QuotaStatus(spent: 10, limit: 10, isExhausted: false, resets: resets)
        #expect(ledger.status(bucket) == spent)
        now.time = resets - 1
        #expect(throws: WebError.quotaSpent(bucket, spent)) { try ledger.reserve(WebCharge(bucket)) }
        now.time = resets
        #expect(try ledger.read(bucket).left == 10)
        _ = try ledger.reserve(WebCharge(bucket))
        #expect(try ledger.read(bucket).spent == 1)
    }

    @Test("buckets, accounts and services count apart; units count as such")
    func buckets() throws {
        let ledger = ledger()
        var read = bucket
        read.name = "read"
        var other = bucket
        other.account = "def"
        _ = try ledger.reserve(WebCharge(bucket))
        _ = try ledger.reserve(WebCharge(read, units: 7))
        #expect(try ledger.read(bucket).spent == 1)
        #expect(try ledger.read(read).spent == 7)
        #expect(try ledger.read(other).spent == 0)
        #expect(throws: WebError.self) { try ledger.reserve(WebCharge(read, units: 4)) }
        _ = try ledger.reserve(WebCharge(read, units: 3))
        #expect(try ledger.read(read).left == 0)
        try ledger.forget(read)
        #expect(try ledger.read(read).left == 10)
    }

    @Test("a call is given back only when no byte of it was sent, and to the day it was taken from")
    func settle() throws {
        let ledger = ledger()
        for outcome in [SendOutcome.unknown, .answered, .notSent] {
            ledger.settle(try ledger.reserve(WebCharge(bucket)), outcome)
        }
        #expect(try ledger.read(bucket).spent == 2)
        let late = try ledger.reserve(WebCharge(bucket))
        now.time += 86_400
        _ = try ledger.reserve(WebCharge(bucket))
        ledger.settle(late, .notSent)
        #expect(try ledger.read(bucket).spent == 1)
        now.time -= 86_400
        #expect(try ledger.read(bucket).spent == 2)
    }

    @Test("an exhausted quota is learnt, across sessions, until it resets")
    func exhausted() throws {
        let server = LoopbackServer { _, reply in reply.answer(403, [], "quotaExceeded") }
        var configuration = WebConfiguration()
        configuration.ledger = ledger()
        var request = request(server, WebCharge(bucket))
        request.retry.judge = { $0.status == 403 ? .exhausted : .final }
        #expect(try WebSession(configuration).send(request).status == 403)
        configuration.ledger = ledger()
        #expect(throws: WebError.self) { try WebSession(configuration).send(request) }
        #expect(server.requests.count == 1)
        #expect(try ledger().read(bucket).left == 0)
        now.time += 86_400
        #expect(try ledger().read(bucket).left == 10)
    }

    @Test("a spent quota stops before anything is sent, and what is kept is given")
    func keptWhenSpent() throws {
        let server = LoopbackServer { _, reply in reply.answer(200, [], "x") }
        var configuration = WebConfiguration()
        configuration.ledger = ledger()
        configuration.cache = ResponseCache(store: store(scratch.folder + "/cache.db"), now: { now.time })
        let session = WebSession(configuration)
        var one = bucket
        one.limit = 1
        var request = request(server, WebCharge(one))
        request.cache = CacheUse(space: "s")
        _ = try session.send(request)
        let again = try session.send(request)
        if case .fallback(age: 0, .quotaSpent(one, _)) = again.origin {} else { Issue.record("\(again.origin)") }
        request.cache = nil
        #expect(throws: WebError.self) { try session.send(request) }
        #expect(server.requests.count == 1)
    }

    @Test(
        "a bucket that answers tell of: what is left, and when it resets in three forms",
        arguments: ["1700000060", "60", "2023-11-14T22:14:20+00:00"])
    func headers(reset: String) throws {
        let left = Monitor(2)
        let server = LoopbackServer { _, reply in
            let left = left.withLock { left in
                left -= 1
                return left
            }
            reply.answer(
                200,
                [("X-RateLimit-Limit", "100"), ("X-RateLimit-Remaining", "\(left)"), ("X-RateLimit-Reset", reset)])
        }
        let bucket = QuotaBucket(service: "vimeo", name: "rate", account: "me", limit: nil, period: .headers)
        var configuration = WebConfiguration()
        configuration.ledger = ledger()
        let session = WebSession(configuration)
        let request = request(server, WebCharge(bucket))
        #expect(try ledger().read(bucket).left == nil)
        _ = try session.send(request)
        #expect(
            ledger().status(bucket) == QuotaStatus(spent: 99, limit: 100, isExhausted: false, resets: 1_700_000_060))
        _ = try session.send(request)
        #expect(throws: WebError.self) { try session.send(request) }
        now.time = 1_700_000_060
        left.withLock { $0 = 50 }
        _ = try session.send(request)
        #expect(server.requests.count == 3)
    }

    @Test("retries are counted, each before it is sent; an old connection that died costs at most what was sent")
    func retries() throws {
        let server = LoopbackServer { request, reply in
            reply.answer(request.connection < 3 ? 503 : 200, [("Connection", "close")])
            reply.close()
        }
        var configuration = WebConfiguration()
        configuration.ledger = ledger()
        let response = try WebSession(configuration).send(request(server, WebCharge(bucket)))
        #expect(response.attempts == 3)
        #expect(try ledger().read(bucket).spent == 3)
    }

    @Test("calls that never left are given back: nobody listens, no TLS, a refused target")
    func neverSent() throws {
        let server = LoopbackServer { _, reply in reply.answer() }
        server.stop()
        usleep(50_000)
        var configuration = WebConfiguration()
        configuration.ledger = ledger()
        let session = WebSession(configuration)
        var refused = request(server, WebCharge(bucket))
        refused.target = .open(except: [])
        for request in [request(server, WebCharge(bucket)), refused] {
            #expect(throws: WebError.self) { try session.send(request) }
        }
        #expect(try ledger().read(bucket).spent == 0)
    }

    @Test("a call that cannot be written down is not made, and what is kept is given")
    func brokenStore() throws {
        let file = scratch.folder + "/file"
        close(open(file, O_CREAT | O_WRONLY, 0o600))
        let broken = QuotaLedger(store: SQLiteStore(path: file + "/x.db"), now: { now.time })
        let server = LoopbackServer { _, reply in reply.answer(200, [], "fine") }
        var configuration = WebConfiguration()
        configuration.cache = ResponseCache(store: store(scratch.folder + "/cache.db"), now: { now.time })
        var request = request(server, WebCharge(bucket))
        request.cache = CacheUse(space: "s", freshFor: 10)
        configuration.ledger = ledger()
        _ = try WebSession(configuration).send(request)
        now.time += 100
        configuration.ledger = broken
        guard case .fallback(_, .notCounted) = try WebSession(configuration).send(request).origin else {
            Issue.record("it was asked for, or not given")
            return
        }
        request.cache = nil
        var failure: WebError?
        do throws(WebError) { _ = try WebSession(configuration).send(request) } catch { failure = error }
        guard case .notCounted(bucket, .cannotOpen)? = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(server.requests.count == 1)
        #expect(broken.status(bucket) == nil)
        #expect(throws: StoreError.self) { try broken.read(bucket) }
    }

    @Test("a redirect within the first host is a call like any other, and is refused where none is left")
    func redirects() throws {
        let server = LoopbackServer { request, reply in
            let number = request.target.dropFirst().prefix(1)
            switch number {
            case "1": reply.answer(302, [("Location", "/2")])
            case "2": reply.answer(307, [("Location", "/3")])
            default: reply.answer(200, [], "there")
            }
        }
        var configuration = WebConfiguration()
        configuration.ledger = ledger()
        let session = WebSession(configuration)
        var request = request(server, WebCharge(bucket))
        request.address = server.address("/1")
        let response = try session.send(request)
        #expect(response.attempts == 3)
        #expect(try ledger().read(bucket).spent == 3)
        for _ in 0..<2 { _ = try session.send(request) }
        #expect(try ledger().read(bucket).left == 1)
        #expect(throws: WebError.self) { try session.send(request) }
        #expect(server.requests.count == 10)
        #expect(try ledger().read(bucket).spent == 10)
    }

    @Test("a fingerprint tells keys apart and is no key")
    func fingerprint() {
        let one = QuotaLedger.fingerprint(Secret("AIzaOne"))
        #expect(one.utf8.count == 16)
        #expect(one != QuotaLedger.fingerprint(Secret("AIzaTwo")))
        #expect(!one.contains("AIza"))
    }

    // MARK: Several at once

    @Test("threads and processes together never spend more than there is")
    func together() throws {
        let server = LoopbackServer { _, reply in reply.answer() }
        let probes = (0..<2).map { _ in StoreProbe(["spend", scratch.file, "\(server.port)", "8", "10"]) }
        var configuration = WebConfiguration()
        configuration.ledger = QuotaLedger(store: SQLiteStore(path: scratch.file))
        let session = WebSession(configuration)
        let request = request(server, WebCharge(bucket))
        _ = LoopbackServer.atOnce(8) { _ in try? session.send(request) }
        for probe in probes { #expect(probe?.wait() == 0) }
        #expect(server.requests.count == 10)
        #expect(try configuration.ledger?.read(bucket).spent == 10)
    }

    @Test("whatever fails, the ledger has every call the server counted, and no other when all outcomes are known")
    func faults() throws {
        for run in 0..<faultRuns {
            let scratch = StoreScratch()
            var bucket = bucket
            bucket.limit = 1000
            let fault = Fault.allCases[run % Fault.allCases.count]
            let at = Int.random(in: 1...6)
            let server = LoopbackServer { request, reply in
                guard request.target == "/\(at)" || fault == .all else { return reply.answer(200, [], request.target) }
                fault.serve(reply)
            }
            let ledger = QuotaLedger(store: SQLiteStore(path: scratch.file))
            if fault == .killed {
                let probe = try #require(StoreProbe(["spend", scratch.file, "\(server.port)", "1000", "1000"]))
                let end = Clock.monotonic() + 30
                while server.requests.count < at, Clock.monotonic() < end { usleep(500) }
                #expect(server.requests.count >= at)
                usleep(useconds_t.random(in: 0..<3000))
                probe.kill()
            } else {
                var configuration = WebConfiguration()
                configuration.ledger = ledger
                let session = WebSession(configuration)
                for number in 1...6 {
                    var request = request(server, WebCharge(bucket))
                    request.address = server.address("/\(number)")
                    request.deadlines.total = 0.3
                    request.largestBody = 10_000
                    if fault == .cancelled, number == at {
                        let token = CancellationToken()
                        request.token = token
                        LoopbackServer.thread {
                            usleep(useconds_t.random(in: 0..<3000))
                            token.cancel()
                        }
                    }
                    if fault == .stopped, number == at {
                        server.stop()
                        usleep(20_000)
                    }
                    _ = try? session.send(request)
                }
            }
            usleep(5000)
            let (spent, counted) = (try ledger.read(bucket).spent, server.requests.count)
            #expect(spent >= counted, "run \(run), \(fault) at \(at)")
            if fault.outcomeIsKnown { #expect(spent == counted, "run \(run), \(fault) at \(at)") }
            server.stop()
        }
    }

    private enum Fault: CaseIterable {
        case none, busy, all, html, truncated, endless, silent, reset, cutHeader, redirected, cancelled, stopped, killed

        /// Whether the client learns what became of every call: it got an answer, or could not connect.
        var outcomeIsKnown: Bool {
            switch self {
            case .none, .busy, .all, .html, .truncated, .endless, .redirected: true
            case .silent, .reset, .cutHeader, .cancelled, .stopped, .killed: false
            }
        }

        func serve(_ reply: LoopbackServer.Reply) {
            switch self {
            case .none, .stopped, .killed: reply.answer(200, [], "fine")
            case .busy, .all: reply.answer(503)
            case .html: reply.answer(502, [("Content-Type", "text/html")], "<html>")
            case .truncated:
                reply.raw("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nx")
                reply.close()
            case .endless:
                reply.raw("HTTP/1.1 200 OK\r\n\r\n")
                while reply.raw([UInt8](repeating: 0x20, count: 65_536)) {}
                reply.close()
            case .silent, .cancelled:
                _ = reply.clientLeaves(within: 5)
                reply.close()
            case .reset: reply.reset()
            case .cutHeader:
                reply.raw("HTTP/1.1 2")
                reply.close()
            case .redirected: reply.answer(302, [("Location", "http://127.0.0.1:1/")])
            }
        }
    }
}

private func environmentNumber(_ name: String) -> Int? { getenv(name).flatMap { Int(String(cString: $0)) } }
