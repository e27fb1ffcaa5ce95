// A request under way, held by whoever wants the reply. When nobody holds it any more it is given up, so that a plugin
// that stops reading, or fails, leaves nothing under way.

import HostErrors
import WebClient

/// A request that was begun.
package final class PendingRequest {
    private let gate: any Gate
    private let ticket: GateTicket
    private var outcome: Result<GateReply, HostError>?
    /// What whoever waits is at, for when it is called again.
    package var work: AnyObject?

    /// Begins a request.
    package init(_ request: GateRequest, for plugin: String?, at gate: any Gate) throws(HostError) {
        self.gate = gate
        ticket = try gate.start(request, for: plugin)
    }

    deinit { abandon() }

    /// Gives it up, unless the reply is taken.
    package func abandon() {
        if outcome != nil { return }
        outcome = .failure(.web(.cancelled, source: nil))
        gate.abandon(ticket)
    }

    /// Whether the reply is there, so that nobody has to wait for it.
    package var isDone: Bool { outcome != nil || gate.isDone(ticket) }

    /// The reply, waited for.
    package func reply() throws(HostError) -> GateReply {
        while true {
            if let outcome { return try outcome.get() }
            _ = Self.first(of: [self])
        }
    }

    /// Waits until one of them is done, and gives its position; nil when there is none.
    package static func first(of errands: [PendingRequest]) -> Int? {
        if let done = errands.firstIndex(where: { $0.outcome != nil }) { return done }
        guard let gate = errands.first?.gate else { return nil }
        let (ticket, outcome) = gate.wait(for: Set(errands.map(\.ticket)))
        guard let place = errands.firstIndex(where: { $0.ticket == ticket }) else { return nil }
        errands[place].outcome = outcome
        return place
    }
}
