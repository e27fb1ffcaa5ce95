// Runs in a process of their own: the way the command runs plugins. The child is forked before any thread exists, shut in
// by the kernel, and served and watched by its parent.

import CLibrary
import CProcess
import VideoModel

extension ScriptHost {
    /// Carries a request out in a child process without keys, sockets or files, under the kernel's limits where it has
    /// them. The program may have no other thread, and must not have begun to use any that a library starts.
    ///
    /// - Parameters:
    ///   - output: the descriptor that the sink writes to, so that a reader who goes away ends the run at once; -1 where
    ///     nobody reads.
    ///   - done: is told how it went once the output is committed. A command may end the process in it, and so wait
    ///     neither for the system to take the worker apart nor for what it would free itself.
    /// - Throws: as `run`, and `.workerDied` when the child ended without a word.
    public func runIsolated(
        _ request: RunRequest, to sink: any OutputSink, output: Int32 = -1,
        done: @escaping (RunReport) -> Void = { _ in }
    ) throws(HostError) -> RunReport {
        try checkSource(request)
        var request = request
        request.inputs = try FolderWalk.expanded(request.inputs)
        // In a process of its own: a list may be anybody's file.
        request.typedOrigins = Set(request.origins.map(\.line))
        request.origins = try expanded(request.origins) { list, sink throws(HostError) in
            _ = try runIsolated(list, to: sink)
        }
        // Opened here, since the child can open nothing; what are too many the parent opens one by one.
        var inputs: [InputFile] = []
        if request.inputs.count <= Self.mostDescriptors {
            for input in request.inputs where !input.isFound { inputs.append(try InputFile(input)) }
            if inputs.count < request.inputs.count { inputs = [] }
        }
        let gate = directGate(request, sink, named: request.pluginNames)
        var descriptor: Int32 = -1
        let child = cprocess_fork(&descriptor)
        if child == 0 { Self.work(request, inputs, WireChannel(descriptor: descriptor)) }
        guard child > 0 else { throw .workerDied("it could not be started: \(FileSystem.reason)") }
        let channel = WireChannel(descriptor: descriptor)
        // While the worker gets ready its plugins are on their way to it, and while it loads them what it will search.
        for name in request.pluginsInOrder {
            _ = channel.send(WireMessage(kind: .ahead, header: .text(name)))
            do throws(HostError) {
                _ = channel.send(WireMessage(try gate.ask(.plugin(name: name))))
            } catch {
                _ = channel.send(WireMessage(failure: error))
            }
        }
        gate.anticipate(request)
        do throws(HostError) {
            return try Supervisor(
                child: child, channel: channel, gate: gate, sink: sink,
                budgets: request.budgets, outputDescriptor: output, done: done
            ).serve()
        } catch {
            sink.discard()
            throw error
        }
    }

    /// What plugins declare, asked in a child process. A plugin that cannot be loaded has its failure instead.
    public func manifestsIsolated(of names: [String]) throws(HostError) -> [Result<PluginManifest, HostError>] {
        var answers: [Result<PluginManifest, HostError>] = []
        while answers.count < names.count {
            let (some, failure) = try declarations(of: Array(names[answers.count...]))
            answers += some
            // The plugin that took its worker along is broken; those after it are asked in another.
            if let failure, answers.count < names.count { answers.append(.failure(failure)) }
        }
        return answers
    }

    /// What plugins declare, up to one that the worker did not survive, and what became of it then.
    private func declarations(
        of names: [String]
    ) throws(HostError) -> ([Result<PluginManifest, HostError>], HostError?) {
        var request = RunRequest()
        request.budgets.cpu = 1 + 0.05 * Double(names.count)
        request.budgets.wall = 5 + 0.5 * Double(names.count)
        let gate = directGate(request, MemorySink(), named: Set(names))
        var descriptor: Int32 = -1
        let child = cprocess_fork(&descriptor)
        if child == 0 {
            let channel = WireChannel(descriptor: descriptor)
            Self.shutIn(channel, [], request.budgets)
            Self.declare(names, channel)
        }
        guard child > 0 else { throw .workerDied("it could not be started: \(FileSystem.reason)") }
        let answers = MemorySink()
        do throws(HostError) {
            _ = try Supervisor(
                child: child, channel: WireChannel(descriptor: descriptor), gate: gate, sink: answers,
                budgets: request.budgets, outputDescriptor: -1
            ).serve()
        } catch {
            return (gate.declared, error)
        }
        if gate.declared.count != names.count { throw .workerDied("it did not say what plugins declare") }
        return (gate.declared, nil)
    }

    /// Inputs that are open at once; more are read by the parent.
    private static let mostDescriptors = 64

    // MARK: in the child

    /// Seconds of CPU time a worker that does not end by itself may take beyond its budget, at least.
    private static let grace = 0.7
    /// Bytes that a worker needs beside even the smallest memory budget.
    private static let roomBeside = Double(16 << 20)

    private static func shutIn(_ channel: WireChannel, _ inputs: [InputFile], _ budgets: Budgets) {
        var kept = [channel.descriptor]
        for input in inputs { kept.append(input.descriptor) }
        // Room for what Swift makes beside Lua's memory, within what a run is promised to take at most.
        let memory =
            budgets.memory > 0 ? UInt64(max(Double(budgets.memory) * 1.3, Double(budgets.memory) + roomBeside)) : 0
        let cpu = budgets.cpu > 0 ? UInt64((budgets.cpu + grace).rounded(.up)) : 0
        // Libraries are opened when they are needed, through the parent; where calls cannot be caught, now.
        let asks =
            cprocess_walls() & CPROCESS_SECCOMP != 0
            && clibrary_ask(channel.descriptor, WireMessage.Kind.library.rawValue)
        if !asks { _ = clibrary_open(CLIBRARY_SIMDJSON) }
        _ = kept.withUnsafeBufferPointer { cprocess_confine($0.baseAddress, $0.count, memory, cpu, asks) }
    }

    private static func work(_ request: RunRequest, _ inputs: [InputFile], _ channel: WireChannel) -> Never {
        shutIn(channel, inputs, request.budgets)
        let gate = WorkerGate(channel: channel, inputs: inputs, ahead: request.pluginsInOrder.count)
        do throws(HostError) {
            let run = try Run(request, gate: gate, isAlone: true)
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
        cprocess_exit(0)
    }

    private static func declare(_ names: [String], _ channel: WireChannel) -> Never {
        let gate = WorkerGate(channel: channel, inputs: [])
        for name in names {
            do throws(HostError) {
                gate.tell(WireMessage(kind: .declared, header: try manifest(of: name, gate: gate).wire))
            } catch {
                gate.tell(WireMessage(kind: .declared, header: .record([.init("failure", error.failureWire)])))
            }
        }
        gate.tell(WireMessage(kind: .finished))
        cprocess_exit(0)
    }
}
