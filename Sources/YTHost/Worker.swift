// The child that runs plugins. It is forked before any thread exists, and shuts itself in by the kernel before it knows
// what it will do: so a command starts it first, and reads settings and keys while the child gets ready without them.

import CLibrary
import CProcess
import VideoModel

/// A child process without keys, sockets or files, that waits for what it is to do.
public final class Worker {
    let child: Int32
    let channel: WireChannel
    /// Whether it was waited for already.
    private var isGone = false

    init(child: Int32, channel: WireChannel) {
        self.child = child
        self.channel = channel
    }

    /// Starts a child. The program may have no other thread, and must not have begun to use any that a library starts.
    ///
    /// - Throws: `.workerDied` when there is none to be had.
    public static func start() throws(HostError) -> Worker {
        var descriptor: Int32 = -1
        let child = cprocess_fork(&descriptor)
        if child == 0 { work(WireChannel(descriptor: descriptor)) }
        guard child > 0 else { throw .workerDied("it could not be started: \(FileSystem.reason)") }
        return Worker(child: child, channel: WireChannel(descriptor: descriptor))
    }

    deinit { if !isGone { _ = reap(killing: true) } }

    /// Waits until it has ended; says what signal ended it.
    func reap(killing: Bool) -> Int32 {
        var code: Int32 = 0
        isGone = true
        return cprocess_reap(child, killing, &code)
    }

    /// As `reap`, for one whose socket has closed, with the CPU seconds and the bytes that it took.
    func reapGone() -> (signal: Int32, seconds: Double, bytes: UInt64) {
        var seconds = 0.0
        var bytes: UInt64 = 0
        isGone = true
        let signal = cprocess_reap_gone(child, &seconds, &bytes)
        return (signal, seconds, bytes)
    }

    // MARK: Telling it what to do

    /// Seconds of CPU time a worker that does not end by itself may take beyond its budget, at least.
    private static let grace = 0.7
    /// Bytes that a worker needs beside even the smallest memory budget.
    private static let roomBeside = Double(16 << 20)
    /// Bytes of the program and its libraries that a worker may come to touch: they are of its size, and in no limit of it.
    private static let programTouched = Double(2 << 20)

    /// Has the kernel end it when it takes much more than its budgets.
    func limit(_ budgets: Budgets) throws(HostError) {
        // Room for what Swift makes beside Lua's memory, within what a run is promised to take at most.
        let memory =
            budgets.memory > 0
            ? UInt64(
                max(Double(budgets.memory) * 1.3 - Self.programTouched, Double(budgets.memory) + Self.roomBeside)) : 0
        let cpu = budgets.cpu > 0 ? UInt64((budgets.cpu + Self.grace).rounded(.up)) : 0
        guard cprocess_limit(child, memory, cpu) else {
            throw .workerDied("it could not be limited: \(FileSystem.reason)")
        }
    }

    /// One that is gone is noticed by who serves it.
    func tell(_ message: WireMessage) { _ = channel.send(message) }

    func hand(_ descriptor: Int32) { _ = channel.send(descriptor: descriptor) }

    // MARK: - In the child

    private static func work(_ channel: WireChannel) -> Never {
        // Libraries are opened when they are needed, through the parent; where calls cannot be caught, now.
        let asks =
            cprocess_walls() & CPROCESS_SECCOMP != 0
            && clibrary_ask(channel.descriptor, WireMessage.Kind.library.rawValue)
        if !asks { _ = clibrary_open(CLIBRARY_SIMDJSON) }
        _ = cprocess_confine(channel.descriptor, asks)
        let ready = ReadyState()
        guard let message = channel.receive() else { cprocess_exit(0) }
        if let (request, count) = message.run {
            var inputs: [InputFile] = []
            for input in request.inputs.prefix(count) {
                guard let descriptor = channel.receiveDescriptor() else { cprocess_exit(1) }
                inputs.append(InputFile(descriptor: descriptor, path: input.name))
            }
            run(request, inputs, channel, ready)
        } else {
            declare(message.header.list?.compactMap(\.text) ?? [], channel)
        }
        cprocess_exit(0)
    }

    private static func run(
        _ request: RunRequest, _ inputs: [InputFile], _ channel: WireChannel, _ ready: ReadyState
    ) {
        let gate = WorkerGate(channel: channel, inputs: inputs, expectsEarly: true)
        do throws(HostError) {
            let run = try Run(request, gate: gate, isAlone: true, ready: ready)
            // The process ends at once, so nobody waits until all states are taken apart.
            _ = Unmanaged.passRetained(run)
            let report = try run.go(WorkerSink(gate: gate))
            gate.tell(
                WireMessage(
                    kind: .finished,
                    header: .record([
                        .init("written", .integer(Int64(report.written))), .init("script", .bool(report.isScript)),
                    ])))
        } catch {
            gate.tell(WireMessage(failed: error))
        }
    }

    private static func declare(_ names: [String], _ channel: WireChannel) {
        let gate = WorkerGate(channel: channel, inputs: [])
        for name in names {
            do throws(HostError) {
                gate.tell(WireMessage(kind: .declared, header: try ScriptHost.manifest(of: name, gate: gate).wire))
            } catch {
                gate.tell(WireMessage(kind: .declared, header: .record([.init("failure", error.failureWire)])))
            }
        }
        gate.tell(WireMessage(kind: .finished))
    }
}
