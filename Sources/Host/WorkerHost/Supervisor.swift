// The parent of a worker: it serves the worker's requests, watches the clock, and kills the worker if its time is over,
// if the reader of the output is gone, or if the worker breaks the protocol. It always reaps the worker, unless `done`
// ends the process. Slow requests run on other threads, so that none of this waits for them.

import Basics
import CProcess
import Files
import Gate
import Glibc
import HostErrors
import Pipeline
import Sandbox
import Threads

package struct Supervisor {
    package let worker: Worker
    package let gate: DirectGate
    package let sink: any OutputSink
    package let budgets: Budgets
    /// The descriptor whose reader may close it; -1 for a file.
    package let outputDescriptor: Int32
    private var channel: WorkerChannel { worker.channel }
    /// Called on success before the worker is reaped; need not return.
    package var done: (RunReport) -> Void = { _ in }

    package init(
        worker: Worker, gate: DirectGate, sink: any OutputSink, budgets: Budgets, outputDescriptor: Int32,
        done: @escaping (RunReport) -> Void = { _ in }
    ) {
        self.worker = worker
        self.gate = gate
        self.sink = sink
        self.budgets = budgets
        self.outputDescriptor = outputDescriptor
        self.done = done
    }

    /// How long after its budget a worker that does not end by itself is killed, in seconds.
    private static let grace = 0.7

    /// Serves until the worker ends.
    package func serve() throws(HostError) -> RunReport {
        let start = Clock.monotonic()
        defer { gate.cancelAll() }
        if budgets.wall > 0 { channel.deadline = start + budgets.wall + Self.grace }
        do throws(HostError) {
            let outcome = try talk(start)
            if let outcome {
                if case .success(let report) = outcome { done(report) }
                _ = worker.process.wait(killing: false)
                switch outcome {
                case .success(let report): return report
                case .failure(let error): throw error
                }
            }
        } catch {
            _ = worker.process.wait(killing: true)
            throw error
        }
        throw died()
    }

    /// Handles messages; nil if the worker closed the channel without a final message.
    private func talk(_ start: Double) throws(HostError) -> Result<RunReport, HostError>? {
        var desk = PendingReplies(gate, channel)
        while true {
            try desk.answer()
            // A worker that only waits needs no grace period to notice that its time is over.
            let waits = desk.isAwaited
            let left = milliseconds(start, grace: waits ? 0 : Self.grace)
            switch cprocess_wait(channel.descriptor, outputDescriptor, desk.waker.descriptor, left) {
            case 0 where waits:
                desk.fail(.budgetSpent(.wall, budgets))
                continue
            case 0: throw .budgetSpent(.wall, budgets)
            case 2: throw .readerGone
            case 3, 4: continue
            default: break
            }
            guard let message = channel.receive() else {
                if milliseconds(start, grace: Self.grace) == 0 { throw .budgetSpent(.wall, budgets) }
                return nil
            }
            switch message.kind {
            case .finished:
                // A worker that only declares plugins has no report.
                return .success(RunReport(wire: message.header) ?? RunReport())
            case .failed:
                return .failure(HostError(failureWire: message.header))
            case .declared:
                gate.note(declared: message.header)
            case .library:
                channel.answer(library: message.body)
            case .commit:
                gate.endOutput()
                try sink.commit()
                _ = channel.send(WireMessage(kind: .done))
            case .wait:
                try desk.wait(for: message.waitsFor ?? [])
            case .abandon:
                desk.abandon(message.ticket)
            case .took:
                try admitTaken()
            default:
                guard let request = message.request else { throw .workerDied("it sent a message that makes no sense") }
                if message.kind == .write || message.kind == .log {
                    _ = try gate.ask(request)
                    continue
                }
                try desk.take(request, message)
            }
        }
    }

    /// Counts a pushed reply that the worker used.
    private func admitTaken() throws(HostError) {
        guard let message = channel.receive(), message.kind == .search, let request = message.request else {
            throw .workerDied("it sent a message that makes no sense")
        }
        _ = try gate.admit(request, for: message.plugin)
    }

    /// The rest of the wall budget and a grace period as a poll timeout; -1 for no timeout.
    private func milliseconds(_ start: Double, grace: Double) -> Int32 {
        guard budgets.wall > 0 else { return -1 }
        let left = start + budgets.wall + grace - Clock.monotonic()
        return Int32(max(0, min(left * 1000, Double(Int32.max / 2))).rounded(.up))
    }

    /// Why the worker ended without a final message.
    private func died() -> HostError {
        let (signal, seconds, bytes) = worker.process.waitAfterClose()
        switch signal {
        // The kernel sends these for a budget; another process may send them too.
        case SIGXCPU, SIGKILL:
            if budgets.cpu > 0, seconds >= budgets.cpu { return .budgetSpent(.cpu, budgets) }
            return .workerDied("it was killed with signal \(signal)")
        case SIGTERM: return .workerDied("it was killed with signal \(signal)")
        case 4, 5, 6, 7, 11:
            // Swift ends a process with one of these when an allocation fails; near its limit that is the likely cause.
            if budgets.memory > 0, bytes >= UInt64(budgets.memory / 10 * 8) { return .budgetSpent(.memory, budgets) }
            return .workerDied("it ended with signal \(signal)")
        default: return .workerDied("it ended without a word")
        }
    }
}
