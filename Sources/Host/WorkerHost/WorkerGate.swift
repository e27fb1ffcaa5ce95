// The worker's side of the gate: sends requests to the parent over a socket. Inputs are read here, from descriptors that
// the parent opened before the fork, unless they are too many to be open at once. The parent does everything else.

import CLibrary
import CProcess
import Files
import Gate
import HostErrors
import Sandbox
import WebClient

final class WorkerGate: Gate {
    private let channel: WorkerChannel
    /// Empty if the parent reads the inputs.
    private let inputs: [InputFile]
    private var lastTicket = 0
    /// Pushed replies: whether more will arrive, and those that were read.
    private var expectsEarly: Bool
    private var early: [PushedReply] = []
    /// Tickets of requests that were started and neither waited for nor abandoned.
    private var open: Set<Int> = []

    /// - Parameter expectsEarly: whether the parent pushes replies. The gate must then live until the process ends.
    init(channel: WorkerChannel, inputs: [InputFile], expectsEarly: Bool = false) {
        self.channel = channel
        self.inputs = inputs
        self.expectsEarly = expectsEarly
        guard expectsEarly else { return }
        clibrary_prepare(
            { context in
                guard let context else { return }
                Unmanaged<WorkerGate>.fromOpaque(context).takeUnretainedValue().readAllEarly()
            }, Unmanaged.passRetained(self).toOpaque())
    }

    func ask(_ request: GateRequest, for plugin: String?) throws(HostError) -> GateReply {
        if case .read(let index) = request, !inputs.isEmpty { return .block(try inputs[index].next()) }
        let message = WireMessage(request, for: plugin)
        if let reply = takeEarly(message) {
            // A search is counted, and may have a notice for the user.
            if message.kind == .search {
                tell(WireMessage(kind: .took))
                try send(message)
            }
            return try reply.reply()
        }
        try send(message)
        switch request {
        case .write, .log: return .done
        default: return try answer().reply()
        }
    }

    func isReadable(input: Int) -> Bool { !inputs.isEmpty && inputs[input].isReadable }

    func start(_ request: GateRequest, for plugin: String?) throws(HostError) -> GateTicket {
        lastTicket += 1
        try send(WireMessage(request, for: plugin, ticket: lastTicket))
        open.insert(lastTicket)
        return GateTicket(number: lastTicket)
    }

    func wait(for tickets: Set<GateTicket>) -> (GateTicket, Result<GateReply, HostError>) {
        // A request that was already awaited or abandoned would never complete.
        for ticket in tickets where !open.contains(ticket.number) {
            return (ticket, .failure(.web(.cancelled, source: nil)))
        }
        tell(WireMessage(waitingFor: tickets.map(\.number)))
        guard let number = answer().ticket, open.remove(number) != nil else { cprocess_exit(1) }
        let reply = answer()
        return (GateTicket(number: number), Result { () throws(HostError) in try reply.reply() })
    }

    /// Only the parent knows, and a request to it takes as long as waiting for an available reply.
    func isDone(_ ticket: GateTicket) -> Bool { !open.contains(ticket.number) }

    func abandon(_ ticket: GateTicket) {
        guard open.remove(ticket.number) != nil else { return }
        tell(WireMessage(kind: .abandon, ticket: ticket.number))
    }

    private func send(_ message: WireMessage) throws(HostError) {
        guard let isThere = channel.send(message) else { throw .usage("what is asked for is over a megabyte long") }
        if !isThere { cprocess_exit(1) }
    }

    /// Sends a message. If the parent is gone, the process exits.
    func tell(_ message: WireMessage) {
        if channel.send(message) != true { cprocess_exit(1) }
    }

    /// The next reply to a request.
    fileprivate func answer() -> WireMessage {
        readAllEarly()
        return receive()
    }

    private func receive() -> WireMessage {
        guard let message = channel.receive() else { cprocess_exit(1) }
        return message
    }

    /// The pushed reply to a request, if the parent sent one.
    private func takeEarly(_ request: WireMessage) -> WireMessage? {
        guard PushedReply.kinds.contains(request.kind) else { return nil }
        while true {
            if let index = early.firstIndex(where: { $0.answers(request) }) { return early.remove(at: index).reply }
            guard expectsEarly else { return nil }
            readEarly()
        }
    }

    private func readAllEarly() { while expectsEarly { readEarly() } }

    private func readEarly() {
        let message = receive()
        switch message.kind {
        case .early: early.append(PushedReply(request: message, reply: receive()))
        case .late: expectsEarly = false
        default: cprocess_exit(1)
        }
    }
}

/// The output sink on the worker's side: the parent has the real one.
final class WorkerSink: OutputSink {
    private let gate: WorkerGate
    private var isSettled = true

    init(gate: WorkerGate) { self.gate = gate }

    func write(_ bytes: [UInt8]) throws(HostError) { _ = try gate.ask(.write(bytes)) }

    /// If this fails the parent ends the run, so only callers that depend on the result wait for it.
    func commit() throws(HostError) {
        gate.tell(WireMessage(kind: .commit))
        isSettled = false
    }

    func waitUntilDurable() throws(HostError) {
        if isSettled { return }
        isSettled = true
        let message = gate.answer()
        if message.kind == .failure { throw HostError(failureWire: message.header) }
    }
}
