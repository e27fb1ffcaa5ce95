// Servers that are programs of their own, for what the loopback server does not speak.

import Foundation
import Glibc
import TestSupport

/// A server with a certificate for localhost; it is gone with the object.
final class TLSServer {
    enum Kind {
        /// `openssl s_server`.
        case openssl
        /// nghttpd, which has one file, `/file`, and speaks HTTP/2 alone.
        case secondVersion(file: String)
    }

    let port: Int
    let folder: String
    private let process: pid_t

    init?(_ kind: Kind = .openssl) {
        var name = Array("/tmp/ythost-tls-XXXXXX".utf8CString)
        guard mkdtemp(&name) != nil else { return nil }
        folder = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        let made = Self.start(
            "/usr/bin/openssl",
            [
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
        let (certificate, key) = ("\(folder)/cert.pem", "\(folder)/key.pem")
        let started: pid_t?
        switch kind {
        case .openssl:
            started = Self.start(
                "/usr/bin/openssl",
                ["s_server", "-accept", "\(port)", "-cert", certificate, "-key", key, "-www", "-quiet"])
        case .secondVersion(let file):
            let made = FileManager.default.createFile(atPath: folder + "/file", contents: Data(file.utf8))
            guard made else { return nil }
            started = Self.start(
                "/usr/sbin/nghttpd",
                ["--address=127.0.0.1", "-v", "-d", folder, "\(port)", key, certificate], output: folder + "/log")
        }
        guard let started else { return nil }
        process = started
        usleep(500_000)
    }

    deinit {
        kill(process, SIGKILL)
        var status: Int32 = 0
        waitpid(process, &status, 0)
        for file in ["key.pem", "cert.pem", "file", "log"] { unlink("\(folder)/\(file)") }
        rmdir(folder)
    }

    /// Connections that came, by what nghttpd says of each.
    var connections: Int {
        let log = (try? String(contentsOfFile: folder + "/log", encoding: .utf8)) ?? ""
        return Set(
            log.split(separator: "\n").filter { $0.contains("recv HEADERS frame") }
                .compactMap { $0.split(separator: "]").first?.split(separator: "=").last }
        ).count
    }

    private static func start(_ program: String, _ arguments: [String], output: String = "/dev/null") -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor in 0..<3 {
            let path = descriptor == 1 ? output : "/dev/null"
            posix_spawn_file_actions_addopen(&actions, Int32(descriptor), path, O_RDWR | O_CREAT, 0o600)
        }
        var argv: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
        defer { for argument in argv { free(argument) } }
        var process = pid_t()
        return posix_spawn(&process, program, &actions, nil, &argv, environ) == 0 ? process : nil
    }
}
