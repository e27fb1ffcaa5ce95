// The single thread that runs libcurl. Other threads hand it transfers and wait. The thread starts with the first
// transfer, so a process without network requests never loads libcurl and may fork.

import CCurl
import Glibc
import Threads

final class Engine: Sendable {
    private let loop = EngineLoop()

    deinit { loop.close() }

    /// Sends one request and blocks until it ends.
    func perform(_ exchange: Exchange, tokens: [CancellationToken]) -> ExchangeEnd {
        let transfer = Transfer(exchange, tokens: tokens)
        let numbers = tokens.map { token in token.onCancel { [loop] in loop.wake() } }
        defer { for (token, number) in zip(tokens, numbers) { token.forget(number) } }
        do throws(WebError) {
            try loop.add(transfer)
        } catch {
            return ExchangeEnd(result: .failure(error), outcome: .notSent)
        }
        transfer.finished.wait()
        return transfer.end
    }
}

private final class EngineLoop: Sendable {
    private struct Inbox {
        var waiting: [Transfer] = []
        var isClosed = false
        /// The libcurl engine while the thread runs.
        var engine: EnginePointer?
    }
    /// Unchecked: other threads only call `ccurl_wake`, which libcurl allows from any thread.
    private struct EnginePointer: @unchecked Sendable {
        let pointer: OpaquePointer
    }
    private let inbox = Monitor(Inbox())

    /// Adds a transfer. Its latch opens when it ends.
    func add(_ transfer: Transfer) throws(WebError) {
        try inbox.withLock { (inbox) throws(WebError) in
            if inbox.isClosed { throw .cancelled }
            if inbox.engine == nil { inbox.engine = try start() }
            inbox.waiting.append(transfer)
            if let engine = inbox.engine { ccurl_wake(engine.pointer) }
        }
    }

    func wake() {
        inbox.withLock { if let engine = $0.engine { ccurl_wake(engine.pointer) } }
    }

    /// Cancels all active transfers. New transfers are rejected.
    func close() {
        inbox.withLock { inbox in
            inbox.isClosed = true
            if let engine = inbox.engine { ccurl_wake(engine.pointer) }
        }
    }

    private func start() throws(WebError) -> EnginePointer {
        if let reason = ccurl_load() { throw .noLibrary(reason: String(cString: reason)) }
        guard let engine = ccurl_engine_new() else { throw .outOfMemory }
        guard Thread.start({ [self] in run() }) else {
            ccurl_engine_free(engine)
            throw .outOfMemory
        }
        return EnginePointer(pointer: engine)
    }

    // MARK: On the engine's thread

    /// The longest wait for activity, in milliseconds. Shorter waits are ended by `ccurl_wake`.
    private static let longestWait: Int32 = 60_000

    private func run() {
        // Block all signals: other threads handle them.
        var all = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_BLOCK, &all, nil)
        guard let engine = inbox.withLock({ $0.engine })?.pointer else { return }
        var active: [ObjectIdentifier: Transfer] = [:]
        while true {
            let (arrived, isClosed) = inbox.withLock { inbox in
                defer { inbox.waiting = [] }
                return (inbox.waiting, inbox.isClosed)
            }
            for transfer in arrived { begin(transfer, engine, &active) }
            for transfer in active.values where isClosed || transfer.isCancelled {
                end(transfer, engine, &active)
                transfer.stop(.cancelled)
            }
            if isClosed { break }
            let goesOn = ccurl_work(engine)
            finish(engine, &active)
            if goesOn, ccurl_wait(engine, Self.longestWait) { continue }
            for transfer in active.values {
                end(transfer, engine, &active)
                transfer.stop(.outOfMemory)
            }
        }
        inbox.withLock { $0.engine = nil }
        ccurl_engine_free(engine)
    }

    private func begin(_ transfer: Transfer, _ engine: OpaquePointer, _ active: inout [ObjectIdentifier: Transfer]) {
        if transfer.isCancelled { return transfer.stop(.cancelled) }
        guard let handle = transfer.start(on: engine) else { return transfer.stop(.outOfMemory) }
        transfer.handle = handle
        active[ObjectIdentifier(transfer)] = transfer
    }

    private func end(_ transfer: Transfer, _ engine: OpaquePointer, _ active: inout [ObjectIdentifier: Transfer]) {
        if let handle = transfer.handle { ccurl_drop(engine, handle) }
        transfer.handle = nil
        active[ObjectIdentifier(transfer)] = nil
    }

    private func finish(_ engine: OpaquePointer, _ active: inout [ObjectIdentifier: Transfer]) {
        var result = ccurl_result()
        while ccurl_next(engine, &result) {
            guard let context = result.context else { continue }
            let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
            // `reason` points into the handle: read it before the handle is freed.
            let ended = result
            let reason = ended.reason.map { String(cString: $0) } ?? ""
            end(transfer, engine, &active)
            transfer.ended(ended, reason: reason)
        }
    }
}

extension Transfer {
    /// Starts the transfer in libcurl. nil if out of memory.
    fileprivate func start(on engine: OpaquePointer) -> OpaquePointer? {
        var request = ccurl_request()
        let deadlines = exchange.deadlines
        func milliseconds(_ seconds: Double) -> Int { max(1, Int(min(seconds, 1e6) * 1000)) }
        request.connect_milliseconds = milliseconds(deadlines.connect)
        request.total_milliseconds = milliseconds(deadlines.total)
        request.slow_bytes = deadlines.slowBytes
        request.slow_seconds = deadlines.slowSeconds
        request.context = Unmanaged.passUnretained(self).toOpaque()
        request.header = { context, line, length in
            guard let context, let line else { return false }
            return line.withMemoryRebound(to: UInt8.self, capacity: length) {
                Transfer.at(context).take(header: UnsafeBufferPointer(start: $0, count: length))
            }
        }
        request.body_part = { context, bytes, length in
            guard let context, let bytes else { return false }
            return Transfer.at(context).take(body: UnsafeBufferPointer(start: bytes, count: length))
        }
        request.address = { context, address, length in
            guard let context, let address else { return false }
            return Transfer.at(context).allows(NetworkAddress.socket(address, length: length))
        }
        request.ready = { context, address, port in
            guard let context, let address else { return false }
            return Transfer.at(context).isReady(String(cString: address), port: Int(port))
        }
        // Copies for the duration of the call. libcurl makes its own.
        var copies: [UnsafeMutablePointer<CChar>] = []
        defer { for copy in copies { free(copy) } }
        func copy(_ text: String?) -> UnsafePointer<CChar>? {
            guard let text, let made = strdup(text) else { return nil }
            copies.append(made)
            return UnsafePointer(made)
        }
        request.method = copy(exchange.method.rawValue)
        request.codings = copy(ContentDecoder.accepted)
        request.url = copy(exchange.url)
        request.proxy = copy(exchange.proxy ?? "")
        request.ca_file = copy(exchange.authorityFile)
        request.ca_folder = copy(exchange.authorityFolder)
        let headers = exchange.headers.map { copy($0) }
        guard request.method != nil, request.codings != nil, request.url != nil, request.proxy != nil else {
            return nil
        }
        return headers.withUnsafeBufferPointer { headers in
            request.headers = headers.baseAddress
            request.header_count = headers.count
            guard let body = exchange.body else { return ccurl_start(engine, &request) }
            return body.withUnsafeBufferPointer { bytes in
                request.body = bytes.baseAddress
                request.body_length = bytes.count
                return ccurl_start(engine, &request)
            }
        }
    }

    private static func at(_ context: UnsafeMutableRawPointer) -> Transfer {
        Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    }
}
