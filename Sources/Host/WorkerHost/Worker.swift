// The child that runs plugins. It is forked before any thread exists, and confines itself before it knows its work: so
// a command starts it first, and reads settings and keys while the child starts up without them.

import Basics
import CLibrary
import CProcess
import Files
import HostErrors
import LuaAPI
import Pipeline
import Sandbox

/// A child process without keys, sockets or files that waits for its work.
public final class Worker {
    let process: SandboxedProcess<WorkerMessageKind>
    package var channel: MessageChannel<WorkerMessageKind> { process.channel }

    init(_ process: SandboxedProcess<WorkerMessageKind>) { self.process = process }

    /// Starts a child. The process must have no other thread, and must not have used a library that starts threads.
    ///
    /// - Throws: `.workerDied` if no child can be started.
    public static func start() throws(HostError) -> Worker {
        do throws(ProcessFault) { return Worker(try SandboxedProcess.start { work($0) }) } catch {
            throw .workerDied(error.reason)
        }
    }

    // MARK: Instructions

    /// Minimum CPU seconds beyond the budget after which a worker that does not end by itself is killed.
    private static let grace = 0.7
    /// Bytes that a worker needs beyond even the smallest memory budget.
    private static let roomBeside = Double(16 << 20)
    /// Bytes of the program and its libraries that a worker may touch: they count in its size but not in its limit.
    private static let programTouched = Double(2 << 20)

    /// Has the kernel end the worker when it exceeds its budgets by far.
    package func limit(_ budgets: Budgets) throws(HostError) {
        // Room for Swift's memory beside Lua's, within the documented maximum of a run.
        let memory =
            budgets.memory > 0
            ? UInt64(
                max(Double(budgets.memory) * 1.3 - Self.programTouched, Double(budgets.memory) + Self.roomBeside)) : 0
        let cpu = budgets.cpu > 0 ? UInt64((budgets.cpu + Self.grace).rounded(.up)) : 0
        do throws(ProcessFault) { try process.limit(memory: memory, cpuSeconds: cpu) } catch {
            throw .workerDied(error.reason)
        }
    }

    /// Sends a message. The supervisor notices a worker that is gone.
    package func tell(_ message: WireMessage) { _ = channel.send(message) }

    package func hand(_ descriptor: Int32) { _ = channel.send(descriptor: descriptor) }

    // MARK: - In the child

    private static func work(_ channel: WorkerChannel) -> Never {
        // Libraries are opened on demand through the parent; where system calls cannot be intercepted, now.
        let asks =
            cprocess_walls() & CPROCESS_SECCOMP != 0
            && clibrary_ask(channel.descriptor, WorkerMessageKind.library.rawValue)
        if !asks { _ = clibrary_open(CLIBRARY_SIMDJSON) }
        SandboxedProcess.confine(channel, trapsLoader: asks)
        let ready = PrewarmedState()
        guard let message = channel.receive() else { cprocess_exit(0) }
        if let (request, count) = message.run {
            var inputs: [InputFile] = []
            for input in request.inputs.prefix(count) {
                guard let descriptor = channel.receiveDescriptor() else { cprocess_exit(1) }
                inputs.append(InputFile(descriptor: descriptor, path: input.name))
            }
            run(request, inputs, channel, ready)
        } else {
            declare([String](wire: message.header) ?? [], channel)
        }
        cprocess_exit(0)
    }

    private static func run(
        _ request: RunRequest, _ inputs: [InputFile], _ channel: WorkerChannel, _ ready: PrewarmedState
    ) {
        let gate = WorkerGate(channel: channel, inputs: inputs, expectsEarly: true)
        do throws(HostError) {
            let run = try Run(request, gate: gate, isAlone: true, ready: ready)
            // The process ends at once: tearing down all Lua states would take time for nothing.
            _ = Unmanaged.passRetained(run)
            let report = try run.go(WorkerSink(gate: gate))
            gate.tell(WireMessage(kind: .finished, header: report.wire))
        } catch {
            gate.tell(WireMessage(failed: error))
        }
    }

    private static func declare(_ names: [String], _ channel: WorkerChannel) {
        let gate = WorkerGate(channel: channel, inputs: [])
        for name in names {
            do throws(HostError) {
                gate.tell(WireMessage(kind: .declared, header: try Run.manifest(of: name, gate: gate).wire))
            } catch {
                gate.tell(WireMessage(kind: .declared, header: .record([.init("failure", error.failureWire)])))
            }
        }
        gate.tell(WireMessage(kind: .finished))
    }
}
