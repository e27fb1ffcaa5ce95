// One page on the loopback interface, for as long as somebody looks at it: players want a page that is on a site. What is
// easily got wrong: any page of the web may send a browser here, so the host must be this machine's number, and only the
// page itself may end the server.

import CServe
import Glibc
import Threads

/// Serves one page at a port of this machine until it is told to end.
public final class PageServer: Sendable {
    /// Why there is no server.
    public enum Fault: Error, Sendable, Equatable {
        /// The library that it is made of is not installed.
        case noLibrary
        case port(Int, reason: String)
    }

    private final class Desk: Sendable {
        /// Where C may look for as long as there is a desk; nobody writes there.
        nonisolated(unsafe) let page: UnsafeMutableBufferPointer<UInt8>
        let isClosed = Latch()
        /// `127.0.0.1:PORT`, once it is known.
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

    /// Where the page is.
    public var address: String { "http://127.0.0.1:\(port)/" }

    /// - Parameters:
    ///   - page: HTML in UTF-8. It ends the server by `POST /close`.
    ///   - port: 0 for any that is free.
    public init(_ page: [UInt8], port wanted: UInt16 = 0) throws(Fault) {
        guard cserve_available() else { throw .noLibrary }
        let desk = Desk(page)
        var error: Int32 = 0
        // Kept for as long as the server is there; `stop` waits for what is being answered.
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

    /// Waits until the page was closed.
    ///
    /// - Returns: whether it was before so many seconds were over.
    public func waitUntilClosed(seconds: Double = .infinity) -> Bool {
        if seconds.isInfinite {
            desk.isClosed.wait()
            return true
        }
        return desk.isClosed.wait(seconds: seconds)
    }

    /// Ends it, once what is being answered is sent.
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
        // A name that leads here is not this machine's: somebody's page would be the one that asks.
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
            // Not before: the end of the server would cut the reply off.
            reply.pointee.sent = { context in
                guard let context else { return }
                Unmanaged<Desk>.fromOpaque(context).takeUnretainedValue().isClosed.open()
            }
        default: reply.pointee.status = path == "/" || path == "/close" ? 405 : 404
        }
    }

    private nonisolated(unsafe) static let html = strdup("text/html; charset=utf-8")
}
