// Messages between the worker and its supervisor: a kind, a header of plain data (`MessageCoding`) and a body of bytes.
// The worker is untrusted: a message that is too long or malformed ends the run.

import Basics
import CLibrary
import Gate
import Glibc
import HostErrors
import Pipeline
import Sandbox

/// The kinds of messages between the worker and its supervisor.
package enum WorkerMessageKind: UInt8, Sendable {
    // Requests of the worker that have a reply.
    case search, lookUp, plan, plugin, module, readFile, writeFile, variable, zone, execute, commit, read, wait,
        http, service, planned, draw, lookUpOffers
    // A request of the library loader in the worker (`CLibrary`). The body is the name of a file.
    case library
    // Messages of the worker without a reply. `took` precedes a request whose reply the worker already has.
    case write, log, declared, finished, failed, abandon, took
    // Replies. `ready` holds a ticket and precedes the reply to `wait`. `early` holds a request and precedes a reply that
    // is sent before the worker requests it. `late` ends the early replies.
    case done, page, pluginFile, bytes, executed, failure, block, ready, answer, early, late, moduleFile, offers
    // The first message to a worker. Descriptors of the inputs follow `run`.
    case run, declare
}

package typealias WireMessage = Message<WorkerMessageKind>
package typealias WorkerChannel = MessageChannel<WorkerMessageKind>

extension WorkerChannel {
    /// Replies to a request for a library: `done`, with a descriptor if the file is on the list of libraries.
    func answer(library name: [UInt8]) {
        let file = name.withUnsafeBufferPointer { clibrary_find($0.baseAddress, $0.count) }
        defer { if file >= 0 { close(file) } }
        let frame: [UInt8] = [WorkerMessageKind.done.rawValue, 0, 0, 0, 0, 0, 0, 0, 0]
        _ = frame.withUnsafeBufferPointer { clibrary_send(descriptor, $0.baseAddress, $0.count, file) }
    }
}

// MARK: - Tickets

extension WireMessage {
    /// The number of a request that runs while the worker goes on; nil when the worker waits for the reply.
    var ticket: Int? { Int(wire: header["ticket"]) }

    init(kind: Kind, ticket: Int) { self.init(kind: kind, header: .record([.init("ticket", ticket.wire)])) }

    init(_ request: GateRequest, for plugin: String?, ticket: Int) {
        self.init(request, for: plugin)
        append(.init("ticket", ticket.wire))
    }

    private mutating func append(_ member: FieldValue.Member) { header = .record((header.members ?? []) + [member]) }

    init(waitingFor tickets: some Sequence<Int>) { self.init(kind: .wait, header: Array(tickets).wire) }

    /// The tickets of a message of the kind `wait`; nil when it is malformed.
    var waitsFor: [Int]? { [Int](wire: header) }
}

// MARK: - Requests and replies

extension WireMessage {
    /// A request as the worker sends it.
    ///
    /// - Parameter plugin: the path of the plugin that makes it.
    init(_ request: GateRequest, for plugin: String?) {
        self.init(request, orElse: .failure)
        if let plugin { append(.init("plugin", .text(plugin))) }
    }

    /// The request, for the supervisor; nil when the message is none, or is malformed.
    var request: GateRequest? { value() }

    /// The path of the plugin that made the request.
    var plugin: String? { header["plugin"].text }

    init(_ reply: GateReply) { self.init(reply, orElse: .failure) }

    /// The reply, for the worker.
    func reply() throws(HostError) -> GateReply {
        if let reply: GateReply = value() { return reply }
        throw HostError(failureWire: header)
    }

    init(failure error: HostError) { self.init(kind: .failure, header: error.failureWire) }
    init(failed error: HostError) { self.init(kind: .failed, header: error.failureWire) }
}

extension RunReport: WireRecord {
    package static var blank: RunReport { RunReport() }

    package mutating func code(_ fields: inout WireFields) {
        fields.code("written", &written)
        fields.code("isScript", &isScript)
    }
}
