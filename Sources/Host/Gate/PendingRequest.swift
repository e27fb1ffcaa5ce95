// A gate request in progress. Releasing it cancels the request, so that a plugin that fails or stops reading leaves
// none behind.

import HostErrors
import WebClient

/// A gate request in progress.
package final class PendingRequest {
    private let gate: any Gate
    private let ticket: GateTicket
    private var outcome: Result<GateReply, HostError>?
    /// State of the waiting code between its calls.
    package var work: AnyObject?

    /// Starts a request.
    package init(_ request: GateRequest, for plugin: String?, at gate: any Gate) throws(HostError) {
        self.gate = gate
        ticket = try gate.start(request, for: plugin)
    }

    deinit { abandon() }

    /// Cancels the request unless the reply has arrived.
    package func abandon() {
        if outcome != nil { return }
        outcome = .failure(.web(.cancelled, source: nil))
        gate.abandon(ticket)
    }

    /// Whether `reply` returns without waiting.
    package var isDone: Bool { outcome != nil || gate.isDone(ticket) }

    /// Waits for the reply.
    package func reply() throws(HostError) -> GateReply {
        while true {
            if let outcome { return try outcome.get() }
            _ = Self.first(of: [self])
        }
    }

    /// Waits until one of the requests is done and returns its index; nil for an empty list.
    package static func first(of errands: [PendingRequest]) -> Int? {
        if let done = errands.firstIndex(where: { $0.outcome != nil }) { return done }
        guard let gate = errands.first?.gate else { return nil }
        let (ticket, outcome) = gate.wait(for: Set(errands.map(\.ticket)))
        guard let place = errands.firstIndex(where: { $0.ticket == ticket }) else { return nil }
        errands[place].outcome = outcome
        return place
    }
}
