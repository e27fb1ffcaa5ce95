// Replies sent to a worker before it requests them: the plugins of a run, the modules that they require, and a search
// of a local service. The worker waits for none of them.

import Gate
import HostErrors
import LuaAPI
import Packages
import Pipeline
import Sandbox

/// On the worker's side: a reply, and the request that it answers.
struct PushedReply {
    /// The request in the parent's form: its header as the header, its kind as the body.
    let request: WireMessage
    let reply: WireMessage

    /// The kinds of requests that may be answered early.
    static let kinds: [WorkerMessageKind] = [.plugin, .module, .search]

    func answers(_ asked: WireMessage) -> Bool {
        request.body == [asked.kind.rawValue] && request.header == asked.header
    }
}

/// On the parent's side: sends replies while they fit into the socket buffer, since a busy worker does not read.
package struct PushedReplies {
    private let channel: WorkerChannel
    private let gate: DirectGate
    /// Bytes that may still be sent: the socket's buffer, with a margin.
    private var room = 96 << 10
    /// Modules that were sent or do not exist, with the folder of the plugin that requires them.
    private var modules: [(name: String, folder: String)] = []

    /// Bytes that the socket buffer needs in addition to each message.
    private static let overhead = 2048
    /// Maximum number of modules sent for a run.
    private static let mostModules = 16

    package init(_ channel: WorkerChannel, _ gate: DirectGate) {
        self.channel = channel
        self.gate = gate
    }

    /// Sends what a run will request, the plugins first.
    package mutating func send(for run: RunRequest) {
        for name in run.pluginsInOrder {
            let request = GateRequest.plugin(name: name)
            do throws(HostError) {
                let reply = try gate.ask(request)
                send(WireMessage(reply), to: request)
                if case .plugin(let file) = reply { sendModules(of: file.text, in: file.folder) }
            } catch {
                send(WireMessage(failure: error), to: request)
            }
        }
        if let (request, reply) = gate.prefetch(run) { send(WireMessage(reply), to: request) }
        _ = channel.send(WireMessage(kind: .late))
    }

    /// Sends the modules that a text requires, and theirs. A missing module is reported when the worker requests it.
    private mutating func sendModules(of text: [UInt8], in folder: String) {
        for name in ModuleNames.required(by: text) where !modules.contains(where: { $0 == (name, folder) }) {
            guard modules.count < Self.mostModules else { return }
            modules.append((name, folder))
            let request = GateRequest.module(name: name, folder: folder)
            guard let reply = try? gate.ask(request), case .module(let text, _) = reply else { continue }
            send(WireMessage(reply), to: request)
            sendModules(of: text, in: folder)
        }
    }

    private mutating func send(_ reply: WireMessage, to request: GateRequest) {
        let asked = WireMessage(request, for: nil)
        let early = WireMessage(kind: .early, header: asked.header, body: [asked.kind.rawValue])
        guard room > 0, let first = WorkerChannel.frame(early), let second = WorkerChannel.frame(reply) else { return }
        let size = first.count + second.count + Self.overhead
        guard size <= room else { return }
        room -= size
        _ = channel.send(first + second)
    }
}
