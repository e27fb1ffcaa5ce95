// Waits for the browser redirect of a login on the loopback interface (RFC 8252, 7.3). Browsers open connections that
// they never use, and any web page can send a browser here: every wait has a timeout, and other requests are rejected.
// The page that the browser shows must report the actual result of the login.

import Basics
import Glibc
import Threads

/// A listening local port, closed when the listener is deinitialized.
public final class RedirectListener {
    /// Why the port cannot be opened.
    public struct Failure: Error, Sendable, Equatable {
        public var port: Int
        public var reason: String
    }

    /// The port. Equals the requested port unless that was 0.
    public let port: Int
    private let listener: Int32
    private var clients: [Client] = []

    private struct Client {
        let descriptor: Int32
        let begin: Double
        var head: [UInt8] = []
    }

    /// An accepted redirect that waits for a response.
    public final class Visit {
        public let query: [WebAddress.QueryItem]
        private var descriptor: Int32

        fileprivate init(_ query: [WebAddress.QueryItem], _ descriptor: Int32) {
            self.query = query
            self.descriptor = descriptor
        }

        deinit { if descriptor >= 0 { close(descriptor) } }

        /// Sends a short page and closes the connection. Later calls have no effect.
        ///
        /// - Parameters:
        ///   - isGood: whether the login succeeded.
        ///   - text: plain text; it is escaped.
        public func answer(isGood: Bool, _ text: String) {
            guard descriptor >= 0 else { return }
            RedirectListener.answer(descriptor, isGood ? "200 OK" : "400 Bad Request", text)
            close(descriptor)
            descriptor = -1
        }
    }

    /// Whether a request to the path was rejected because of its query.
    public private(set) var sawOthers = false

    private static let mostClients = 16
    private static let longestHead = 16 << 10
    /// The timeout for reading a request, in seconds.
    private static let patience = 10.0

    /// Listens on a port of 127.0.0.1. 0 selects a free port.
    public init(port wanted: Int) throws(Failure) {
        func failure() -> Failure { Failure(port: wanted, reason: String(cString: strerror(errno))) }
        let socket = Glibc.socket(
            AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        guard socket >= 0 else { throw failure() }
        // A port that an earlier login used is available again immediately.
        var one: Int32 = 1
        setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_port = in_port_t(UInt16(truncatingIfNeeded: wanted).bigEndian)
        place.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &place) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(socket, address, length) == 0 && listen(socket, 16) == 0
                    && getsockname(socket, address, &length) == 0
            }
        }
        guard isBound else {
            let failure = failure()
            close(socket)
            throw failure
        }
        listener = socket
        port = Int(UInt16(bigEndian: place.sin_port))
    }

    deinit {
        for client in clients { close(client.descriptor) }
        close(listener)
    }

    /// Waits for a GET request to a path whose query `isMeant` accepts. Other requests get an error response.
    ///
    /// - Parameter seconds: the timeout in seconds.
    /// - Returns: nil if the timeout expires.
    public func visit(
        at path: String, within seconds: Double, where isMeant: ([WebAddress.QueryItem]) -> Bool
    ) -> Visit? {
        let end = Clock.monotonic() + seconds
        while true {
            let now = Clock.monotonic()
            guard now < end else { return nil }
            for client in clients where now - client.begin > Self.patience { drop(client.descriptor) }
            var waits = [pollfd(fd: listener, events: Int16(POLLIN), revents: 0)]
            waits += clients.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
            let count = poll(&waits, nfds_t(waits.count), Int32(min(end - now, 1) * 1000) + 1)
            if count < 0, errno != EINTR { return nil }
            if count <= 0 { continue }
            for wait in waits.dropFirst() where wait.revents != 0 {
                if let visit = serve(wait.fd, path, isMeant) { return visit }
            }
            if waits[0].revents != 0 { admit() }
        }
    }

    private func admit() {
        let descriptor = accept(listener, nil, nil)
        guard descriptor >= 0 else { return }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        if clients.count >= Self.mostClients, let oldest = clients.first { drop(oldest.descriptor) }
        clients.append(Client(descriptor: descriptor, begin: Clock.monotonic()))
    }

    private func drop(_ descriptor: Int32) {
        clients.removeAll { $0.descriptor == descriptor }
        close(descriptor)
    }

    /// Reads from a client, and answers once the request head is complete.
    private func serve(
        _ descriptor: Int32, _ path: String, _ isMeant: ([WebAddress.QueryItem]) -> Bool
    ) -> Visit? {
        guard let place = clients.firstIndex(where: { $0.descriptor == descriptor }) else { return nil }
        var block = [UInt8](repeating: 0, count: 4096)
        let count = recv(descriptor, &block, block.count, 0)
        if count < 0, errno == EAGAIN || errno == EINTR { return nil }
        guard count > 0, clients[place].head.count + count <= Self.longestHead else {
            drop(descriptor)
            return nil
        }
        clients[place].head += block[..<count]
        let lines = String(decoding: clients[place].head, as: UTF8.self).split(
            separator: "\r\n", omittingEmptySubsequences: false)
        // An empty line ends the head.
        guard lines.dropLast().contains("") else { return nil }
        let words = lines[0].split(separator: " ")
        let host = lines.lazy.compactMap(Self.host).first
        guard words.count == 3, words[0] == "GET", host == "127.0.0.1:\(port)" || host == "localhost:\(port)",
            let address = WebAddress("http://127.0.0.1" + words[1]), address.path == path
        else {
            Self.answer(descriptor, "404 Not Found", "There is nothing here.")
            drop(descriptor)
            return nil
        }
        guard isMeant(address.queryItems) else {
            sawOthers = true
            Self.answer(
                descriptor, "400 Bad Request",
                "This is not the answer to the login that waits here. Close this page, and open the address that ythost shows."
            )
            drop(descriptor)
            return nil
        }
        clients.removeAll { $0.descriptor == descriptor }
        return Visit(address.queryItems, descriptor)
    }

    /// The value of a Host header line. Requests with another host are rejected: a web page could resolve its own host
    /// name to this machine.
    private static func host(_ line: Substring) -> String? {
        let parts = line.split(separator: ":", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "host" else { return nil }
        return parts[1].filter { $0 != " " }
    }

    private static func answer(_ descriptor: Int32, _ status: String, _ text: String) {
        let page = "<!doctype html><meta charset=utf-8><title>ythost</title><p>\(Escape.html(text))\n"
        let head = [
            "HTTP/1.1 \(status)", "Content-Type: text/html; charset=utf-8", "Content-Length: \(page.utf8.count)",
            "Cache-Control: no-store", "Referrer-Policy: no-referrer", "Content-Security-Policy: default-src 'none'",
            "Connection: close",
        ]
        let bytes = Array((head.joined(separator: "\r\n") + "\r\n\r\n" + page).utf8)
        // The response fits into the socket buffer.
        _ = bytes.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        shutdown(descriptor, Int32(SHUT_WR))
    }
}
