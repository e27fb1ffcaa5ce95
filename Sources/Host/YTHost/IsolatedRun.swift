// Runs in a child process, which is how the command runs plugins. The child is a `Worker`; its parent serves and
// watches it.

import Basics
import Files
import Glibc
import HostErrors
import Packages
import Pipeline
import RecordStreams
import Sandbox
import WorkerHost

extension ScriptHost {
    /// Performs a run in a child process without keys, sockets or files, under the kernel's limits where available. The
    /// calling process must have a single thread, and must not have used a library that starts threads.
    ///
    /// - Parameters:
    ///   - worker: a child that was started in advance; nil starts one.
    ///   - output: the descriptor that the sink writes to, so that the run ends when the reader closes it; -1 when
    ///     there is no reader.
    ///   - done: called with the report once the output is committed. A command can exit in it, without waiting for the
    ///     worker's teardown or freeing its own memory.
    /// - Throws: as `run`, and `.workerDied` when the child ended without a result.
    public func runIsolated(
        _ request: RunRequest, in worker: Worker? = nil, to sink: any OutputSink, output: Int32 = -1,
        done: @escaping (RunReport) -> Void = { _ in }
    ) throws(HostError) -> RunReport {
        try runIsolated(request, in: worker, pictures: nil, to: sink, output: output, done: done)
    }

    /// - Parameter pictures: collects responses to named pages that turn out to be pictures.
    func runIsolated(
        _ request: RunRequest, in worker: Worker? = nil, pictures: DirectPictures?, to sink: any OutputSink,
        output: Int32 = -1, done: @escaping (RunReport) -> Void = { _ in }
    ) throws(HostError) -> RunReport {
        let worker = if let worker { worker } else { try Worker.start() }
        try checkSource(request)
        var request = request
        request.inputs = try FolderWalk.expanded(request.inputs)
        // List files are untrusted, so they are read in a child process of their own.
        request.typedOrigins = Set(request.origins.map(\.line))
        request.origins = try expanded(request.origins) { list, sink throws(HostError) in
            _ = try runIsolated(list, to: sink)
        }
        // The parent opens the inputs, because the child cannot. When there are too many, the parent reads them one by
        // one.
        var inputs: [InputFile] = []
        if request.inputs.count <= Self.mostDescriptors {
            for input in request.inputs where !input.isFound {
                do throws(HostError) { inputs.append(try InputFile(input)) } catch {
                    guard errno == EMFILE else { throw error }
                    break
                }
            }
        }
        if inputs.count < request.inputs.count {
            inputs = []
            // Report unreadable files before any output is written.
            for case .file(let path) in request.inputs where access(path, R_OK) != 0 {
                throw .cannotRead(path: path, reason: FileSystem.reason)
            }
        }
        let gate = directGate(request, sink, named: request.pluginNames, pictures: pictures)
        try worker.limit(request.budgets)
        worker.tell(WireMessage(run: request, inputs: inputs.count))
        for input in inputs { worker.hand(input.descriptor) }
        // Start fetching what the worker will request while it loads its plugins.
        var early = PushedReplies(worker.channel, gate)
        early.send(for: request)
        do throws(HostError) {
            return try Supervisor(
                worker: worker, gate: gate, sink: sink,
                budgets: request.budgets, outputDescriptor: output, done: done
            ).serve()
        } catch {
            gate.endOutput()
            sink.discard()
            throw error
        }
    }

    /// Loads plugins in a child process and returns what each declares, or why it could not be loaded.
    public func manifestsIsolated(of names: [String]) throws(HostError) -> [Result<PluginManifest, HostError>] {
        var answers: [Result<PluginManifest, HostError>] = []
        while answers.count < names.count {
            let (some, failure) = try declarations(of: Array(names[answers.count...]))
            answers += some
            // The plugin that crashed its worker gets the failure; the plugins after it get another worker.
            if let failure, answers.count < names.count { answers.append(.failure(failure)) }
        }
        return answers
    }

    /// Declarations up to the first plugin that crashed the worker, and the worker's failure.
    private func declarations(
        of names: [String]
    ) throws(HostError) -> ([Result<PluginManifest, HostError>], HostError?) {
        var request = RunRequest()
        request.budgets.cpu = 1 + 0.05 * Double(names.count)
        request.budgets.wall = 5 + 0.5 * Double(names.count)
        let gate = directGate(request, MemorySink(), named: Set(names))
        let worker = try Worker.start()
        try worker.limit(request.budgets)
        worker.tell(WireMessage(kind: .declare, header: names.wire))
        let answers = MemorySink()
        do throws(HostError) {
            _ = try Supervisor(
                worker: worker, gate: gate, sink: answers, budgets: request.budgets, outputDescriptor: -1
            ).serve()
        } catch {
            return (gate.declared, error)
        }
        if gate.declared.count != names.count { throw .workerDied("it did not say what plugins declare") }
        return (gate.declared, nil)
    }

    /// The most inputs opened at once. For more, the parent reads each itself.
    private static let mostDescriptors = 64
}
