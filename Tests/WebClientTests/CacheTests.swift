import Glibc
import Store
import TestSupport
import Testing
import Threads
import VideoModel

@testable import WebClient

@Suite("Answers that are kept", .timeLimit(.minutes(2)))
struct CacheTests {
    private let scratch = StoreScratch()
    private let now = Ticker(1_700_000_000)

    private func session(_ change: (inout WebConfiguration) -> Void = { _ in }) -> WebSession {
        var configuration = WebConfiguration()
        configuration.cache = ResponseCache(store: SQLiteStore(path: scratch.file, options: options), now: { now.time })
        change(&configuration)
        return WebSession(configuration)
    }

    private var options: StoreOptions {
        var options = StoreOptions(capacity: 8 << 20)
        options.now = { now.time }
        return options
    }

    private func request(
        _ server: LoopbackServer, _ policy: CachePolicy, freshFor: Int64 = 0, path: String = "/a?q=1"
    ) -> WebRequest {
        var request = WebRequest(.get, server.address(path))
        request.target = .trusted
        request.retry = .never
        request.secretQuery = [SecretField("key", Secret("AIzaTheSecretKey"))]
        request.cache = CacheUse(space: "youtube/abc", policy: policy, freshFor: freshFor)
        return request
    }

    private static func counting() -> LoopbackServer {
        let count = Monitor(0)
        return LoopbackServer { _, reply in
            let number = count.withLock { count in
                count += 1
                return count
            }
            reply.answer(200, [], "\(number)")
        }
    }

    private func text(_ response: WebResponse) -> String { String(decoding: response.body, as: UTF8.self) }

    @Test("within its time an answer is given again, in later sessions too; after it, the server is asked")
    func fresh() throws {
        let server = Self.counting()
        let request = request(server, .networkThenLocal, freshFor: 60)
        #expect(try text(session().send(request)) == "1")
        now.time += 59
        let again = try session().send(request)
        #expect(text(again) == "1")
        #expect(again.origin == .kept(age: 59))
        #expect(server.requests.count == 1)
        now.time += 1
        #expect(try text(session().send(request)) == "2")
    }

    @Test("an answer from what is the future, since the clock was set back, is old")
    func setBack() throws {
        let server = Self.counting()
        let request = request(server, .networkThenLocal, freshFor: 60)
        #expect(try text(session().send(request)) == "1")
        now.time -= 86_400
        #expect(try text(session().send(request)) == "2")
        #expect(try text(session().send(request)) == "2")
        now.time -= 30
        #expect(try session().send(request).origin == .kept(age: 0))
    }

    @Test("what one may ask of a private address is not given to another who may not")
    func foreign() throws {
        let server = Self.counting()
        var request = request(server, .networkThenLocal, freshFor: 60)
        let place = WebEndpoint("127.0.0.1", port: server.port)
        request.target = .open(except: [place])
        #expect(try text(session().send(request)) == "1")
        #expect(try text(session().send(request)) == "1")
        request.target = .open(except: [])
        #expect(throws: WebError.refusedTarget(host: "127.0.0.1", address: "127.0.0.1")) {
            try session().send(request)
        }
        request.cache?.policy = .localOnly
        #expect(throws: WebError.notKept) { try session().send(request) }
    }

    @Test("network-only always asks, and keeps; local-only never asks")
    func onlyPolicies() throws {
        let server = Self.counting()
        let session = session()
        #expect(throws: WebError.notKept) { try session.send(request(server, .localOnly)) }
        #expect(try text(session.send(request(server, .networkOnly))) == "1")
        #expect(try text(session.send(request(server, .networkOnly, freshFor: 100))) == "2")
        #expect(try text(session.send(request(server, .localOnly))) == "2")
        #expect(server.requests.count == 2)
    }

    @Test("offline, nothing is sent")
    func offline() throws {
        let server = Self.counting()
        _ = try session().send(request(server, .networkOnly))
        let offline = session { $0.isOffline = true }
        #expect(try text(offline.send(request(server, .networkOnly))) == "1")
        #expect(throws: WebError.notKept) { try offline.send(request(server, .networkOnly, path: "/b")) }
        var plain = request(server, .networkOnly)
        plain.cache = nil
        #expect(throws: WebError.notKept) { try offline.send(plain) }
        #expect(server.requests.count == 1)
    }

    @Test("what is kept stands in for a server that is gone or in trouble, not for one that says no")
    func fallback() throws {
        let status = Monitor(200)
        let server = LoopbackServer { _, reply in reply.answer(status.withLock { $0 }, [], "body") }
        let request = request(server, .networkThenLocal)
        let session = session()
        _ = try session.send(request)
        now.time += 5
        status.withLock { $0 = 503 }
        #expect(try session.send(request).origin == .fallbackAfter(age: 5, status: 503))
        status.withLock { $0 = 404 }
        #expect(try session.send(request).status == 404)
        server.stop()
        usleep(50_000)
        let response = try session.send(request)
        #expect(response.status == 200)
        if case .fallback(age: 5, _) = response.origin {} else { Issue.record("\(response.origin)") }
        var uncached = request
        uncached.cache?.policy = .networkOnly
        #expect(throws: (any Error).self) { try session.send(uncached) }
    }

    @Test("local-then-network gives what is kept at once, and has a newer one before the end")
    func localThenNetwork() throws {
        let server = LoopbackServer { request, reply in
            usleep(200_000)
            reply.answer(200, [], "\(request.target)")
        }
        let session = session()
        let request = request(server, .localThenNetwork)
        _ = try session.send(request)
        now.time += 10
        var origins: [ResponseOrigin] = []
        let seconds = try LoopbackServer.seconds {
            for _ in 0..<2 { origins.append(try session.send(request).origin) }
        }
        #expect(origins == [.kept(age: 10), .kept(age: 10)])
        #expect(seconds < 0.2)
        session.finish(within: 5)
        #expect(server.requests.count == 2)
        var local = request
        local.cache?.policy = .localOnly
        #expect(try session.send(local).origin == .kept(age: 0))
    }

    @Test("both completions come in VIMNetworking's order")
    func completions() {
        let server = Self.counting()
        let session = session()
        func steps(_ policy: CachePolicy, _ session: WebSession) -> [String] {
            var steps: [String] = []
            session.send(request(server, policy)) { result, isFinal in
                let what: String
                switch result {
                case .success(let response): what = response.origin == .network ? "network" : "kept"
                case .failure(.notKept): what = "nothing"
                case .failure: what = "failure"
                }
                steps.append(what + (isFinal ? "." : ","))
            }
            return steps
        }
        #expect(steps(.localOnly, session) == ["nothing."])
        #expect(steps(.localThenNetwork, session) == ["nothing,", "network."])
        #expect(steps(.localThenNetwork, session) == ["kept,", "network."])
        #expect(steps(.networkThenLocal, session) == ["network."])
        #expect(steps(.networkOnly, session) == ["network."])
        server.stop()
        usleep(50_000)
        #expect(steps(.networkThenLocal, self.session()) == ["failure,", "kept."])
        #expect(steps(.networkOnly, self.session()) == ["failure."])
    }

    @Test("an ETag or a date is sent back, and 304 means that what is kept still holds")
    func conditional() throws {
        let server = LoopbackServer { request, reply in
            if request.header("If-None-Match") == "\"v1\"" || request.header("If-Modified-Since") == "yesterday" {
                reply.raw("HTTP/1.1 304 Not Modified\r\nETag: \"v1\"\r\n\r\n")
                return
            }
            reply.answer(
                200, [request.target.hasPrefix("/a") ? ("ETag", "\"v1\"") : ("Last-Modified", "yesterday")], "body")
        }
        let session = session()
        for path in ["/a", "/b"] {
            let request = request(server, .networkThenLocal, freshFor: 100, path: path)
            _ = try session.send(request)
            now.time += 100
            let confirmed = try session.send(request)
            #expect(confirmed.status == 200)
            #expect(text(confirmed) == "body")
            #expect(confirmed.origin == .confirmed)
            // Confirmed is as good as new.
            now.time += 99
            #expect(try session.send(request).origin == .kept(age: 99))
        }
        #expect(server.requests.count == 4)
    }

    @Test("what must not be kept is not: a wish, a failure, another method, another account")
    func notKept() throws {
        let server = LoopbackServer { request, reply in
            reply.answer(request.target.hasPrefix("/404") ? 404 : 200, [("Set-Cookie", "a=b")], "x")
        }
        let session = session()
        var wish = request(server, .networkOnly, path: "/wish")
        wish.cache?.stores = false
        var post = request(server, .networkOnly, path: "/post")
        post.method = .post
        for request in [wish, post, request(server, .networkOnly, path: "/404")] {
            _ = try session.send(request)
            var local = request
            local.method = .get
            local.cache?.policy = .localOnly
            #expect(throws: WebError.notKept) { try session.send(local) }
        }
        let mine = request(server, .networkOnly)
        _ = try session.send(mine)
        var other = request(server, .localOnly)
        other.cache?.space = "youtube/def"
        #expect(throws: WebError.notKept) { try session.send(other) }
        other.cache?.space = "youtube/abc"
        #expect(try session.send(other).headers["set-cookie"] == nil)
    }

    @Test("an answer that came by a redirect says where from, kept or not")
    func redirected() throws {
        let server = LoopbackServer { request, reply in
            if request.target.hasPrefix("/old") { return reply.answer(301, [("Location", "/new?x=é")]) }
            reply.answer(200, [("X-Colon", "a:b")], "x\n\ny")
        }
        let session = session()
        let first = try session.send(request(server, .networkThenLocal, freshFor: 60, path: "/old"))
        var again = try session.send(request(server, .networkThenLocal, freshFor: 60, path: "/old"))
        #expect(again.origin == .kept(age: 0))
        #expect(again.address == server.address("/new?x=é"))
        again.origin = .network
        #expect(again.address == first.address && again.body == first.body)
        #expect(again.headers["X-Colon"] == "a:b")
    }

    @Test("after its days an answer is gone, for a shorter time that holds now as well")
    func expiry() throws {
        let server = Self.counting()
        let session = session()
        _ = try session.send(request(server, .networkOnly))
        now.time += 10 * 86_400
        var shorter = request(server, .localOnly)
        shorter.cache?.keptFor = 7 * 86_400
        #expect(throws: WebError.notKept) { try session.send(shorter) }
        #expect(try session.send(request(server, .localOnly)).status == 200)
        now.time += 20 * 86_400
        #expect(throws: WebError.notKept) { try session.send(request(server, .localOnly)) }
    }

    @Test("the cache says what it has, forgets one space or all, and holds no key")
    func information() throws {
        let server = Self.counting()
        let session = session()
        for path in ["/a", "/b", "/c"] { _ = try session.send(request(server, .networkOnly, path: path)) }
        var other = request(server, .networkOnly)
        other.cache?.space = "vimeo/me"
        _ = try session.send(other)
        let cache = ResponseCache(store: SQLiteStore(path: scratch.file, options: options), now: { now.time })
        let info = try cache.info()
        #expect(info.entries == 4)
        #expect(info.spaces.mapValues(\.entries) == ["youtube/abc": 3, "vimeo/me": 1])
        #expect(info.oldest == now.time)
        for suffix in ["", "-wal"] {
            let bytes = LoopbackServer.bytes(of: scratch.file + suffix)
            #expect(!bytes.isEmpty)
            #expect(!Redaction([Secret("AIzaTheSecretKey")]).finds(in: String(decoding: bytes, as: UTF8.self)))
        }
        #expect(try cache.clear(space: "vimeo/me") == 1)
        now.time += 31 * 86_400
        #expect(try cache.prune() == 3)
        #expect(try cache.clear() == 0)
    }

    @Test("a full disk or a folder that cannot be made is told once, and requests are answered")
    func broken() throws {
        let server = Self.counting()
        let warnings = Monitor<[StoreError]>([])
        var configuration = WebConfiguration()
        configuration.warn = { error in warnings.withLock { $0.append(error) } }
        let file = scratch.folder + "/file"
        close(open(file, O_CREAT | O_WRONLY, 0o600))
        configuration.cache = ResponseCache(store: SQLiteStore(path: file + "/cache.db"))
        let session = WebSession(configuration)
        for number in 1...3 {
            #expect(try text(session.send(request(server, .networkThenLocal, freshFor: 60))) == "\(number)")
        }
        #expect(warnings.withLock { $0 } == [.cannotOpen(path: file, reason: "Not a directory")])
    }
}

/// A clock that a test moves.
final class Ticker: Sendable {
    private let value: Monitor<Int64>
    init(_ time: Int64) { value = Monitor(time) }
    var time: Int64 {
        get { value.withLock { $0 } }
        set { value.withLock { $0 = newValue } }
    }
}

extension LoopbackServer {
    static func bytes(of path: String) -> [UInt8] {
        let file = open(path, O_RDONLY)
        guard file >= 0 else { return [] }
        defer { close(file) }
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(file, &block, block.count)
            if count <= 0 { return bytes }
            bytes += block[..<count]
        }
    }
}
