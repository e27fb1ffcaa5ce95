// Serves one page on the loopback interface, because embedded players refuse to run outside a web site. Any web page
// can make a browser send requests here: the Host header must name this machine, and only the page itself may close the
// server.

import CServe
import Glibc
import Threads

/// Serves one page on a local port until it is stopped.
public final class PageServer: Sendable {
    /// Why the server cannot start.
    public enum Fault: Error, Sendable, Equatable {
        /// The HTTP server library is not installed.
        case noLibrary
        case port(Int, reason: String)
    }

    private final class Desk: Sendable {
        /// Read by C code for as long as the desk exists. Never written after init.
        nonisolated(unsafe) let page: UnsafeMutableBufferPointer<UInt8>
        let isClosed = Latch()
        /// Accepted Host headers: `127.0.0.1:PORT` and `localhost:PORT`. Empty until the port is known.
        let hosts = Monitor<[String]>([])

        init(_ page: [UInt8]) {
            self.page = .allocate(capacity: page.count)
            _ = self.page.initialize(from: page)
        }

        deinit { page.deallocate() }
    }

    private let desk: Desk
    private let server: Monitor<OpaquePointer?>
    public let port: Int

    /// The URL of the page.
    public var address: String { "http://127.0.0.1:\(port)/" }

    /// - Parameters:
    ///   - page: HTML in UTF-8. It closes the server with `POST /close`.
    ///   - port: 0 for any free port.
    public init(_ page: [UInt8], port wanted: UInt16 = 0) throws(Fault) {
        guard cserve_available() else { throw .noLibrary }
        let desk = Desk(page)
        var error: Int32 = 0
        // `desk` outlives the server: `stop` waits for open requests.
        let context = Unmanaged.passUnretained(desk).toOpaque()
        guard let server = cserve_start(wanted, Self.answer, context, &error) else {
            throw .port(Int(wanted), reason: String(cString: strerror(error)))
        }
        self.desk = desk
        self.server = Monitor(server)
        port = Int(cserve_port(server))
        let port = port
        desk.hosts.withLock { $0 = ["127.0.0.1:\(port)", "localhost:\(port)"] }
    }

    deinit { stop() }

    /// Blocks until the page is closed.
    ///
    /// - Returns: false if the timeout in seconds expired first.
    public func waitUntilClosed(seconds: Double = .infinity) -> Bool {
        if seconds.isInfinite {
            desk.isClosed.wait()
            return true
        }
        return desk.isClosed.wait(seconds: seconds)
    }

    /// Stops the server after open requests are answered.
    public func stop() {
        let open = server.withLock { server in
            defer { server = nil }
            return server
        }
        if let open { cserve_stop(open) }
    }

    private static let answer: cserve_answer = { context, request, reply in
        guard let context, let request = request?.pointee, let reply else { return }
        let desk = Unmanaged<Desk>.fromOpaque(context).takeUnretainedValue()
        func text(_ pointer: UnsafePointer<CChar>?) -> String { pointer.map { String(cString: $0) } ?? "" }
        let (method, path, host) = (text(request.method), text(request.path), text(request.host).lowercased())
        // Reject other Host headers: a web page could resolve its own host name to this machine (DNS rebinding).
        guard desk.hosts.withLock({ $0.contains(host) }) else {
            reply.pointee.status = 403
            return
        }
        switch (method, path) {
        case ("GET", "/"), ("HEAD", "/"):
            reply.pointee.status = 200
            reply.pointee.type = UnsafePointer(html)
            reply.pointee.body = UnsafePointer(desk.page.baseAddress)
            reply.pointee.length = desk.page.count
        case ("POST", "/close"):
            guard text(request.origin) == "http://\(host)" else {
                reply.pointee.status = 403
                return
            }
            reply.pointee.status = 204
            // Signal only after the reply is sent: stopping the server earlier would cut it off.
            reply.pointee.sent = { context in
                guard let context else { return }
                Unmanaged<Desk>.fromOpaque(context).takeUnretainedValue().isClosed.open()
            }
        default: reply.pointee.status = path == "/" || path == "/close" ? 405 : 404
        }
    }

    private nonisolated(unsafe) static let html = strdup("text/html; charset=utf-8")
}
