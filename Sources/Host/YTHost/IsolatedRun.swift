// Runs in a process of their own: the way the command runs plugins. The child is a `Worker`, served and watched by its
// parent.

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
    /// Carries a request out in a child process without keys, sockets or files, under the kernel's limits where it has
    /// them. The program may have no other thread, and must not have begun to use any that a library starts.
    ///
    /// - Parameters:
    ///   - worker: a child that was started before, while this process got ready; one is started when absent.
    ///   - output: the descriptor that the sink writes to, so that a reader who goes away ends the run at once; -1 where
    ///     nobody reads.
    ///   - done: is told how it went once the output is committed. A command may end the process in it, and so wait
    ///     neither for the system to take the worker apart nor for what it would free itself.
    /// - Throws: as `run`, and `.workerDied` when the child ended without a word.
    public func runIsolated(
        _ request: RunRequest, in worker: Worker? = nil, to sink: any OutputSink, output: Int32 = -1,
        done: @escaping (RunReport) -> Void = { _ in }
    ) throws(HostError) -> RunReport {
        try runIsolated(request, in: worker, pictures: nil, to: sink, output: output, done: done)
    }

    /// - Parameter pictures: stores responses to named pages that turn out to be pictures.
    func runIsolated(
        _ request: RunRequest, in worker: Worker? = nil, pictures: DirectPictures?, to sink: any OutputSink,
        output: Int32 = -1, done: @escaping (RunReport) -> Void = { _ in }
    ) throws(HostError) -> RunReport {
        let worker = if let worker { worker } else { try Worker.start() }
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
            for input in request.inputs where !input.isFound {
                do throws(HostError) { inputs.append(try InputFile(input)) } catch {
                    guard errno == EMFILE else { throw error }
                    break
                }
            }
        }
        if inputs.count < request.inputs.count {
            inputs = []
            // What cannot be read is told before anything is written.
            for case .file(let path) in request.inputs where access(path, R_OK) != 0 {
                throw .cannotRead(path: path, reason: FileSystem.reason)
            }
        }
        let gate = directGate(request, sink, named: request.pluginNames, pictures: pictures)
        try worker.limit(request.budgets)
        worker.tell(WireMessage(run: request, inputs: inputs.count))
        for input in inputs { worker.hand(input.descriptor) }
        // While the worker gets ready and loads its plugins, what it will ask for is on its way.
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

    /// Inputs that are open at once; more are read by the parent.
    private static let mostDescriptors = 64
}
