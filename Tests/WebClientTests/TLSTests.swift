// TLS against `openssl s_server` with a certificate that nobody signed, and HTTP/2 against nghttpd. Skipped where they are
// not installed.

import Glibc
import TestSupport
import Testing
import Threads
import VideoModel

@testable import WebClient

@Suite("TLS", .enabled(if: access("/usr/bin/openssl", X_OK) == 0), .timeLimit(.minutes(2)))
struct TLSTests {
    @Test("a certificate that nobody vouches for is refused; one that a given file vouches for is not")
    func selfSigned() throws {
        let server = try #require(TLSServer())
        var request = WebRequest(.get, try #require(WebAddress("https://localhost:\(server.port)/")))
        request.target = .trusted
        request.retry = .never
        do throws(WebError) {
            _ = try WebSession().send(request)
            Issue.record("answered")
        } catch {
            if case .noTLS("localhost", _) = error {} else { Issue.record("\(error)") }
        }
        var configuration = WebConfiguration()
        configuration.environment = WebEnvironment { $0 == "SSL_CERT_FILE" ? server.folder + "/cert.pem" : nil }
        let session = WebSession(configuration)
        #expect(try session.send(request).status == 200)

        // The certificate is for localhost alone.
        request.address.host = "127.0.0.1"
        do throws(WebError) {
            _ = try session.send(request)
            Issue.record("answered")
        } catch {
            if case .noTLS("127.0.0.1", _) = error {} else { Issue.record("\(error)") }
        }
    }

    @Test(
        "HTTP/2 is spoken where the server does, several requests at the same time over one connection",
        .enabled(if: access("/usr/sbin/nghttpd", X_OK) == 0))
    func secondVersion() throws {
        let server = try #require(TLSServer(.secondVersion(file: "the body")))
        var configuration = WebConfiguration()
        configuration.environment = WebEnvironment { $0 == "CURL_CA_BUNDLE" ? server.folder + "/cert.pem" : nil }
        let session = WebSession(configuration)
        var request = WebRequest(.get, try #require(WebAddress("https://localhost:\(server.port)/file")))
        request.target = .trusted
        let first = try session.send(request)
        #expect(first.status == 200 && first.version == 20 && first.body == Array("the body".utf8))
        let versions = Monitor<[Int]>([])
        let done = Latch()
        for _ in 0..<8 {
            LoopbackServer.thread { [request] in
                let version = (try? session.send(request))?.version ?? 0
                if versions.withLock({
                    $0.append(version)
                    return $0.count
                }) == 8 {
                    done.open()
                }
            }
        }
        #expect(done.wait(seconds: 20))
        #expect(versions.withLock { $0 } == Array(repeating: 20, count: 8))
        #expect(server.connections <= 2, "\(server.connections)")
        request.address.path = "/nothing"
        #expect(try session.send(request).status == 404)
    }

    @Test("plain HTTP where TLS is asked for is a failure of TLS, and nothing is sent")
    func plain() {
        let server = LoopbackServer { _, reply in reply.answer() }
        var request = WebRequest(.get, WebAddress("https://127.0.0.1:\(server.port)/") ?? WebAddress())
        request.target = .trusted
        request.retry = .never
        request.deadlines.connect = 2
        do throws(WebError) {
            _ = try WebSession().send(request)
            Issue.record("answered")
        } catch {
            switch error {
            case .noTLS, .timedOut(_, .connection): break
            default: Issue.record("\(error)")
            }
        }
    }
}
