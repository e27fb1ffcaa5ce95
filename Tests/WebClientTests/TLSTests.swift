// TLS against `openssl s_server` with a certificate that nobody signed. Skipped where openssl is not installed.

import Glibc
import TestSupport
import Testing
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

/// `openssl s_server` with a certificate for localhost; it is gone with the object.
private final class TLSServer {
    let port: Int
    let folder: String
    private let process: pid_t

    init?() {
        var name = Array("/tmp/ythost-tls-XXXXXX".utf8CString)
        guard mkdtemp(&name) != nil else { return nil }
        folder = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        let made = Self.start([
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
            "-subj",
            "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", "\(folder)/key.pem", "-out",
            "\(folder)/cert.pem",
        ])
        var status: Int32 = 0
        guard let made, waitpid(made, &status, 0) == made, status == 0 else { return nil }
        // A port that was free a moment ago.
        let probe = LoopbackServer { _, _ in }
        port = probe.port
        probe.stop()
        usleep(50_000)
        guard
            let process = Self.start([
                "s_server", "-accept", "\(port)", "-cert", "\(folder)/cert.pem", "-key", "\(folder)/key.pem", "-www",
                "-quiet",
            ])
        else { return nil }
        self.process = process
        usleep(500_000)
    }

    deinit {
        kill(process, SIGKILL)
        var status: Int32 = 0
        waitpid(process, &status, 0)
        for file in ["key.pem", "cert.pem"] { unlink("\(folder)/\(file)") }
        rmdir(folder)
    }

    private static func start(_ arguments: [String]) -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor in 0..<3 {
            posix_spawn_file_actions_addopen(&actions, Int32(descriptor), "/dev/null", O_RDWR, 0)
        }
        var argv: [UnsafeMutablePointer<CChar>?] = (["openssl"] + arguments).map { strdup($0) } + [nil]
        defer { for argument in argv { free(argument) } }
        var process = pid_t()
        return posix_spawn(&process, "/usr/bin/openssl", &actions, nil, &argv, environ) == 0 ? process : nil
    }
}
