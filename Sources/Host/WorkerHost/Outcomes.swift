// Replies that the caller has not taken yet.

import Gate
import HostErrors
import WebClient

/// The outcomes of requests that were started and neither awaited nor abandoned.
struct Outcomes {
    /// Maximum bytes of replies that are not taken yet.
    private static let mostHeld = 256 << 20

    /// nil until the outcome is available.
    var open: [GateTicket: RequestPool.Outcome?] = [:]
    private var held = 0

    /// Stores an outcome unless the request was abandoned.
    mutating func put(_ outcome: RequestPool.Outcome, _ ticket: GateTicket) {
        guard open[ticket] != nil else { return }
        if held + outcome.size > Self.mostHeld {
            open[ticket] = .failure(
                .usage("replies of over \(Self.mostHeld >> 20) MiB wait to be read; ask for fewer at once"))
        } else {
            open[ticket] = outcome
            held += outcome.size
        }
    }

    /// Takes the first outcome that is available. A ticket that is not open fails at once, since it would never complete.
    mutating func take(firstOf tickets: some Sequence<GateTicket>) -> (GateTicket, RequestPool.Outcome)? {
        for ticket in tickets {
            guard let entry = open[ticket] else { return (ticket, .failure(.web(.cancelled, source: nil))) }
            guard let outcome = entry else { continue }
            forget(ticket)
            return (ticket, outcome)
        }
        return nil
    }

    mutating func forget(_ ticket: GateTicket) {
        if let outcome = open.removeValue(forKey: ticket), let outcome { held -= outcome.size }
    }
}

extension RequestPool.Outcome {
    /// Bytes of the reply.
    fileprivate var size: Int {
        guard case .success(let reply) = self else { return 0 }
        return reply.size
    }
}
