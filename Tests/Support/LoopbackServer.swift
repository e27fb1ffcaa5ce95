// A server of HTTP/1.1 on a port of this machine, one thread a connection. A test says what is answered, byte for byte
// if it likes, and asks afterwards what came. It ends with the object, and its connections with it.

import Basics
import Glibc
import Threads

public final class LoopbackServer: Sendable {
    public struct Request: Sendable {
        public let method: String
        /// With the query.
        public let target: String
        public let headers: [(name: String, value: String)]
        public let body: [UInt8]
        /// Counted from 1.
        public let connection: Int

        public func header(_ name: String) -> String? {
            headers.first { $0.name.lowercased() == name.lowercased() }?.value
        }
    }

    /// What a test answers with.
    public final class Reply {
        fileprivate let descriptor: Int32
        fileprivate var isOver = false
        fileprivate init(_ descriptor: Int32) { self.descriptor = descriptor }

        /// Bytes as they are; false when the client has gone.
        @discardableResult
        public func raw(_ bytes: [UInt8]) -> Bool {
            var done = 0
            while done < bytes.count {
                let count = bytes.withUnsafeBytes {
                    Glibc.send(descriptor, $0.baseAddress?.advanced(by: done), $0.count - done, Int32(MSG_NOSIGNAL))
                }
                if count <= 0 { return false }
                done += count
            }
            return true
        }

        @discardableResult
        public func raw(_ text: String) -> Bool { raw(Array(text.utf8)) }

        public func answer(_ status: Int = 200, _ headers: [(String, String)] = [], _ body: String = "") {
            answer(status, headers, Array(body.utf8))
        }

        public func answer(_ status: Int, _ headers: [(String, String)], _ body: [UInt8]) {
            var head = "HTTP/1.1 \(status) Status\r\n"
            for (name, value) in headers { head += "\(name): \(value)\r\n" }
            raw(Array("\(head)Content-Length: \(body.count)\r\n\r\n".utf8) + body)
        }

        /// Ends the connection in the middle, as a machine does that lost power.
        public func reset() {
            var linger = linger(l_onoff: 1, l_linger: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
            isOver = true
        }

        public func close() { isOver = true }

        /// Whether the client has gone, after waiting that long for it.
        public func clientLeaves(within seconds: Double) -> Bool {
            var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            return poll(&wait, 1, Int32(seconds * 1000)) > 0
        }
    }

    private struct State {
        var requests: [Request] = []
        var connections: [Int32] = []
        var count = 0
        var isOver = false
    }

    public let port: Int
    private let listener: Int32
    private let state = Monitor(State())
    private let handle: @Sendable (Request, Reply) -> Void

    public init(_ handle: @escaping @Sendable (Request, Reply) -> Void) {
        self.handle = handle
        listener = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var one: Int32 = 1
        setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, 4)
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let socket = listener
        port = withUnsafeMutablePointer(to: &place) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                _ = bind(socket, address, length)
                _ = listen(socket, 256)
                _ = getsockname(socket, address, &length)
            }
            return Int(pointer.pointee.sin_port.bigEndian)
        }
        Self.thread { [listener, weak self] in
            while true {
                let descriptor = accept(listener, nil, nil)
                if descriptor < 0 {
                    if errno == EINTR || errno == ECONNABORTED { continue }
                    Glibc.close(listener)
                    return
                }
                guard let self else {
                    Glibc.close(descriptor)
                    Glibc.close(listener)
                    return
                }
                let number = self.state.withLock { state in
                    state.count += 1
                    state.connections.append(descriptor)
                    return state.count
                }
                Self.thread { self.serve(descriptor, number) }
            }
        }
    }

    deinit { stop() }

    public func stop() {
        // Whoever waits on a descriptor closes it: its number may be somebody else's at once.
        state.withLock { state in
            if state.isOver { return }
            state.isOver = true
            for descriptor in state.connections { shutdown(descriptor, Int32(SHUT_RDWR)) }
            shutdown(listener, Int32(SHUT_RDWR))
        }
    }

    public var requests: [Request] { state.withLock { $0.requests } }
    public var connections: Int { state.withLock { $0.count } }

    public func address(_ path: String = "/", host: String = "127.0.0.1") -> WebAddress {
        WebAddress("http://\(host):\(port)\(path)") ?? WebAddress()
    }

    private func serve(_ descriptor: Int32, _ number: Int) {
        var time = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        var one: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, 4)
        let reply = Reply(descriptor)
        var buffer: [UInt8] = []
        while !reply.isOver, let request = Self.read(descriptor, &buffer, number) {
            state.withLock { $0.requests.append(request) }
            handle(request, reply)
        }
        state.withLock { $0.connections.removeAll { $0 == descriptor } }
        Glibc.close(descriptor)
    }

    private static func read(_ descriptor: Int32, _ buffer: inout [UInt8], _ number: Int) -> Request? {
        let end = Array("\r\n\r\n".utf8)
        var block = [UInt8](repeating: 0, count: 65_536)
        func more() -> Bool {
            let count = recv(descriptor, &block, block.count, 0)
            if count > 0 { buffer += block[..<count] }
            return count > 0
        }
        var place: Int?
        while true {
            place = buffer.indices.dropLast(3).first { buffer[$0] == 13 && buffer[$0..<$0 + 4].elementsEqual(end) }
            if place != nil { break }
            if !more() { return nil }
        }
        let head = String(decoding: buffer[..<(place ?? 0)], as: UTF8.self)
        buffer.removeFirst((place ?? 0) + 4)
        // A carriage return and a line feed are one character.
        let lines = head.split(separator: "\r\n")
        let words = lines[0].split(separator: " ")
        let headers = lines.dropFirst().map { line in
            let colon = line.firstIndex(of: ":") ?? line.endIndex
            return (String(line[..<colon]), String(line[colon...].dropFirst().drop { $0 == " " }))
        }
        let length = headers.first { $0.0.lowercased() == "content-length" }.flatMap { Int($0.1) } ?? 0
        while buffer.count < length { if !more() { return nil } }
        let body = Array(buffer[..<length])
        buffer.removeFirst(length)
        return Request(
            method: String(words[0]), target: String(words[1]), headers: headers.map { (name: $0.0, value: $0.1) },
            body: body, connection: number)
    }

    /// Runs something on a thread of its own, so that a test can block without starving the others.
    public static func thread(_ body: @escaping @Sendable () -> Void) {
        final class Box: Sendable {
            let body: @Sendable () -> Void
            init(_ body: @escaping @Sendable () -> Void) { self.body = body }
        }
        var thread = pthread_t()
        let box = Unmanaged.passRetained(Box(body))
        let failure = pthread_create(
            &thread, nil,
            { context in
                if let context { Unmanaged<Box>.fromOpaque(context).takeRetainedValue().body() }
                return nil
            }, box.toOpaque())
        if failure == 0 { pthread_detach(thread) } else { box.release() }
    }

    /// Runs the body so many times at once, each on a thread of its own, and gives what they give.
    public static func atOnce<Value: Sendable>(_ count: Int, _ body: @escaping @Sendable (Int) -> Value) -> [Value] {
        let results = Results<Value>()
        for index in 0..<count {
            thread {
                let value = body(index)
                results.values.withLock { $0[index] = value }
            }
        }
        while results.values.withLock({ $0.count }) < count { usleep(1000) }
        return results.values.withLock { values in (0..<count).compactMap { values[$0] } }
    }

    public static func seconds(_ body: () throws -> Void) rethrows -> Double {
        func now() -> Double {
            var time = timespec()
            clock_gettime(CLOCK_MONOTONIC, &time)
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        }
        let start = now()
        try body()
        return now() - start
    }
}

private final class Results<Value: Sendable>: Sendable {
    let values = Monitor<[Int: Value]>([:])
    init() {}
}
