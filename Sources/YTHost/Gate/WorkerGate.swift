// The gate on the worker's side: requests go to the parent over a socket. Inputs are read here, from descriptors that
// the parent opened before the fork, unless they are too many to be open at once; everything else is the parent's.

import CProcess
import VideoModel

final class WorkerGate: Gate {
    private let channel: WireChannel
    /// Empty when the parent reads them.
    private let inputs: [InputFile]
    private var lastTicket = 0
    /// Replies that the parent sends before they are asked for: how many are still to be read, and those that were.
    private var ahead: Int
    private var early: [(plugin: String, reply: WireMessage)] = []
    /// Requests that were started and neither waited for nor abandoned, by ticket.
    private var open: [Int: GateRequest] = [:]

    init(channel: WireChannel, inputs: [InputFile], ahead: Int = 0) {
        self.channel = channel
        self.inputs = inputs
        self.ahead = ahead
    }

    func ask(_ request: GateRequest, for plugin: String?) throws(HostError) -> GateReply {
        if case .read(let index) = request, !inputs.isEmpty { return .block(try inputs[index].next()) }
        if case .plugin(let name) = request {
            readAhead()
            if let index = early.firstIndex(where: { $0.plugin == name }) {
                return try early.remove(at: index).reply.reply(to: request)
            }
        }
        try send(WireMessage(request, for: plugin))
        switch request {
        case .write, .log: return .done
        default: return try answer().reply(to: request)
        }
    }

    func start(_ request: GateRequest, for plugin: String?) throws(HostError) -> GateTicket {
        lastTicket += 1
        var message = WireMessage(request, for: plugin)
        message.ticket = lastTicket
        try send(message)
        open[lastTicket] = request
        return GateTicket(number: lastTicket)
    }

    func wait(for tickets: Set<GateTicket>) -> (GateTicket, Result<GateReply, HostError>) {
        // One that was waited for already, or abandoned, would never come.
        for ticket in tickets where open[ticket.number] == nil {
            return (ticket, .failure(.web(.cancelled, source: nil)))
        }
        tell(WireMessage(waitingFor: tickets.map(\.number)))
        guard let number = answer().ticket, let request = open.removeValue(forKey: number) else { cprocess_exit(1) }
        let reply = answer()
        return (GateTicket(number: number), Result { () throws(HostError) in try reply.reply(to: request) })
    }

    /// Only the parent knows; to ask it takes as long as to wait for what is there.
    func isDone(_ ticket: GateTicket) -> Bool { open[ticket.number] == nil }

    func abandon(_ ticket: GateTicket) {
        guard open.removeValue(forKey: ticket.number) != nil else { return }
        tell(WireMessage(kind: .abandon, ticket: ticket.number))
    }

    private func send(_ message: WireMessage) throws(HostError) {
        guard let isThere = channel.send(message) else { throw .usage("what is asked for is over a megabyte long") }
        if !isThere { cprocess_exit(1) }
    }

    /// Sends a message; without a parent there is nothing left to do.
    func tell(_ message: WireMessage) {
        if channel.send(message) != true { cprocess_exit(1) }
    }

    /// The next reply to something that was asked.
    fileprivate func answer() -> WireMessage {
        readAhead()
        return receive()
    }

    private func receive() -> WireMessage {
        guard let message = channel.receive() else { cprocess_exit(1) }
        return message
    }

    private func readAhead() {
        while ahead > 0 {
            ahead -= 1
            let message = receive()
            guard message.kind == .ahead, let name = message.header.text else { cprocess_exit(1) }
            early.append((name, receive()))
        }
    }
}

/// The end of the line on the worker's side: the parent has the sink.
final class WorkerSink: OutputSink {
    private let gate: WorkerGate
    private var isSettled = true

    init(gate: WorkerGate) { self.gate = gate }

    func write(_ bytes: [UInt8]) throws(HostError) { _ = try gate.ask(.write(bytes)) }

    /// The parent ends the run if this fails, so there is nothing to wait for but by those who act on it.
    func commit() throws(HostError) {
        gate.tell(WireMessage(kind: .commit))
        isSettled = false
    }

    func settle() throws(HostError) {
        if isSettled { return }
        isSettled = true
        let message = gate.answer()
        if message.kind == .failure { throw HostError(failureWire: message.header) }
    }
}
