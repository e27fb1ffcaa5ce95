// Replies that nobody has taken yet.

import Gate
import HostErrors
import WebClient

/// The outcomes of requests that were begun and neither waited for nor abandoned.
struct Outcomes {
    /// Bytes of replies that nobody has taken, at most.
    private static let mostHeld = 256 << 20

    /// nil until the outcome is there.
    var open: [GateTicket: RequestPool.Outcome?] = [:]
    private var held = 0

    /// Unless it was abandoned.
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

    /// The first that is there, taken out. A ticket that is not open never comes, and is a failure at once.
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
    /// Bytes that a reply holds.
    fileprivate var size: Int {
        guard case .success(let reply) = self else { return 0 }
        return reply.size
    }
}
