// Replies the supervisor still has to send. The worker is untrusted: the number of open requests is bounded.

import Basics
import Files
import Gate
import Glibc
import HostErrors
import Sandbox
import Threads

struct PendingReplies {
    /// Maximum number of requests that are started and not awaited. Nested tasks stay far below it.
    private static let mostOpen = 8192

    let waker = Waker()
    private let gate: DirectGate
    private let channel: WorkerChannel
    /// The gate's tickets by the worker's numbers.
    private var tickets: [Int: GateTicket] = [:]
    /// What the worker is waiting for.
    private var expected = Expected.nothing

    private enum Expected {
        case nothing
        /// The reply to one request.
        case reply(GateTicket)
        /// The first reply of several started requests, by the gate's tickets.
        case first([GateTicket: Int])
    }

    init(_ gate: DirectGate, _ channel: WorkerChannel) {
        self.gate = gate
        self.channel = channel
        gate.onOutcome = { [waker] in waker.wake() }
    }

    /// Carries a request out: at once, or on another thread if it takes long.
    mutating func take(_ request: GateRequest, _ message: WireMessage) throws(HostError) {
        let work = Result { () throws(HostError) in try gate.admit(request, for: message.plugin) }
        if message.ticket == nil, case .success(.done(let reply)) = work { return send(.success(reply)) }
        if message.ticket == nil, case .failure(let error) = work { return send(.failure(error)) }
        guard waker.open() else { throw .workerDied("there is no pipe to wait with: \(FileSystem.reason)") }
        let ticket = gate.begin(work)
        guard let number = message.ticket else {
            expected = .reply(ticket)
            return
        }
        guard tickets.count < Self.mostOpen, tickets.updateValue(ticket, forKey: number) == nil else {
            throw .workerDied("it began too much at the same time")
        }
    }

    mutating func wait(for numbers: [Int]) throws(HostError) {
        var wanted: [GateTicket: Int] = [:]
        for number in numbers {
            guard let ticket = tickets[number] else { throw .workerDied("it waits for what it did not begin") }
            wanted[ticket] = number
        }
        if wanted.isEmpty { throw .workerDied("it waits for nothing") }
        expected = .first(wanted)
    }

    mutating func abandon(_ number: Int?) {
        guard let number, let ticket = tickets.removeValue(forKey: number) else { return }
        gate.abandon(ticket)
    }

    /// Sends the reply that the worker waits for, if it is available.
    mutating func answer() throws(HostError) {
        waker.rest()
        switch expected {
        case .nothing: return
        case .reply(let ticket):
            guard let (_, outcome) = gate.take(firstOf: [ticket]) else { return }
            send(outcome)
        case .first(let wanted):
            guard let (ticket, outcome) = gate.take(firstOf: wanted.keys), let number = wanted[ticket] else { return }
            tickets[number] = nil
            _ = channel.send(WireMessage(kind: .ready, ticket: number))
            send(outcome)
        }
        expected = .nothing
    }

    /// Whether the worker waits for a slow request.
    var isAwaited: Bool { if case .nothing = expected { false } else { true } }

    /// Fails the reply that the worker waits for, so that the worker can end by itself, and abandons its request.
    mutating func fail(_ error: HostError) {
        switch expected {
        case .nothing: return
        case .reply(let ticket): gate.abandon(ticket)
        case .first(let wanted):
            guard let (ticket, number) = wanted.first else { return }
            gate.abandon(ticket)
            tickets[number] = nil
            _ = channel.send(WireMessage(kind: .ready, ticket: number))
        }
        expected = .nothing
        send(.failure(error))
    }

    private func send(_ outcome: RequestPool.Outcome) {
        let message =
            switch outcome {
            case .success(let reply): WireMessage(reply)
            case .failure(let error): WireMessage(failure: error)
            }
        if channel.send(message) == nil { _ = channel.send(WireMessage(failure: .usage("the reply is too long"))) }
    }
}

/// Wakes the serving thread from other threads: they write to a pipe that it polls.
final class Waker: Sendable {
    private let ends = Monitor<(reading: Int32, writing: Int32)>((-1, -1))

    deinit {
        ends.withLock { ends in
            for end in [ends.reading, ends.writing] where end >= 0 { close(end) }
        }
    }

    /// The descriptor to poll; -1 until the pipe is open.
    var descriptor: Int32 { ends.withLock { $0.reading } }

    /// Opens the pipe; false if that fails.
    func open() -> Bool {
        ends.withLock { ends in
            if ends.reading >= 0 { return true }
            var made: [Int32] = [-1, -1]
            guard pipe(&made) == 0 else { return false }
            for end in made {
                _ = fcntl(end, F_SETFD, FD_CLOEXEC)
                _ = fcntl(end, F_SETFL, O_NONBLOCK)
            }
            ends = (made[0], made[1])
            return true
        }
    }

    func wake() {
        ends.withLock { ends in
            var byte: UInt8 = 0
            if ends.writing >= 0 { _ = write(ends.writing, &byte, 1) }
        }
    }

    /// Drains the pipe, so that the next wake is noticed.
    func rest() {
        ends.withLock { ends in
            guard ends.reading >= 0 else { return }
            var bytes = [UInt8](repeating: 0, count: 64)
            while read(ends.reading, &bytes, bytes.count) > 0 {}
        }
    }
}
