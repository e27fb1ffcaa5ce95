// Messages between the worker and its parent: requests of the gate and their replies, as a small header of plain data
// (`MessageCoding`) and a body of bytes. Neither side believes the other's lengths: a message over the limit ends the
// connection.

import Basics
import CLibrary
import Gate
import Glibc
import HostErrors
import Packages
import Sandbox
import VideoModel
import VideoServices
import WebClient

/// The kinds of messages between the worker and its parent.
package enum WorkerMessageKind: UInt8, Sendable {
    // Asked by the worker, and replied to.
    case search, lookUp, plan, plugin, module, readFile, writeFile, variable, zone, execute, commit, read, wait,
        http, service, planned, draw
    // Asked by the loader of libraries in the worker (`CLibrary`): a file's name as the body.
    case library
    // Told by the worker, without a reply. Behind `took` comes a request whose reply it has.
    case write, log, declared, finished, failed, abandon, took
    // Replies. One to `wait` comes behind `ready`, which names its ticket; one that comes before it is asked for,
    // behind `early`, which holds the request as it will be asked. `late` says that no more come early.
    case done, page, file, bytes, executed, failure, block, ready, answer, early, late
    // The first message to a worker: what it is for. Descriptors of the inputs come behind `run`.
    case run, declare
}

package typealias WireMessage = Message<WorkerMessageKind>
package typealias WorkerChannel = MessageChannel<WorkerMessageKind>

extension WorkerChannel {
    /// Answers a request for a library: `done`, with the file's descriptor if it is one that may be had.
    func answer(library name: [UInt8]) {
        let file = name.withUnsafeBufferPointer { clibrary_find($0.baseAddress, $0.count) }
        defer { if file >= 0 { close(file) } }
        let frame: [UInt8] = [WorkerMessageKind.done.rawValue, 0, 0, 0, 0, 0, 0, 0, 0]
        _ = frame.withUnsafeBufferPointer { clibrary_send(descriptor, $0.baseAddress, $0.count, file) }
    }
}

// MARK: - Tickets

extension WireMessage {
    /// A request that is begun and waited for later; other requests are replied to before the worker says more.
    var ticket: Int? {
        get { header["ticket"].integer.flatMap { Int(exactly: $0) } }
        set {
            let others = (header.members ?? []).filter { $0.name != "ticket" }
            header = .record(others + [.init("ticket", FieldValue(newValue.map(Int64.init)))])
        }
    }

    init(waitingFor tickets: some Sequence<Int>) {
        self.init(kind: .wait, header: .list(tickets.map { .integer(Int64($0)) }))
    }

    /// The tickets that are waited for.
    var waitsFor: [Int] { header.list?.compactMap { $0.integer.flatMap { Int(exactly: $0) } } ?? [] }

    init(kind: Kind, ticket: Int) {
        self.init(kind: kind)
        self.ticket = ticket
    }
}

// MARK: - Values as headers

extension SearchQuery {
    var wire: FieldValue {
        .record([
            .init("words", .text(words)),
            .init("options", .record(options.map { .init($0.key.rawValue, $0.value) }.sorted { $0.name < $1.name })),
        ])
    }

    init?(wire value: FieldValue) {
        guard let words = value["words"].text else { return nil }
        self.init(words: words)
        for member in value["options"].members ?? [] {
            guard let option = SearchOption(rawValue: member.name) else { return nil }
            options[option] = member.value
        }
    }
}

extension LookUp {
    fileprivate var wire: FieldValue {
        var members: [FieldValue.Member] = [.init("kind", .text(kind.rawValue))]
        switch self {
        case .videos(let ids, let fields):
            members.append(.init("ids", .list(ids.map { .text($0) })))
            if let fields { members.append(.init("fields", fields.wire)) }
        case .channel(let text), .playlist(let text), .uploads(let text), .items(let text):
            members.append(.init("text", .text(text)))
        }
        return .record(members)
    }

    fileprivate init?(wire value: FieldValue) {
        guard let kind = value["kind"].text.flatMap(Kind.init) else { return nil }
        let text = value["text"].text ?? ""
        switch kind {
        case .videos:
            guard let ids = value["ids"].list?.compactMap(\.text), ids.count <= Self.batch else { return nil }
            self = .videos(ids, fields: Set(wire: value["fields"]))
        case .channel: self = .channel(text)
        case .playlist: self = .playlist(text)
        case .uploads: self = .uploads(text)
        case .items: self = .items(text)
        }
    }
}

extension Set<VideoField> {
    fileprivate var wire: FieldValue { .list(VideoField.allCases.filter(contains).map { .text($0.name) }) }

    fileprivate init?(wire value: FieldValue) {
        guard let names = value.list else { return nil }
        self.init(names.compactMap { $0.text.flatMap(VideoField.init(name:)) })
    }
}

extension WireMessage {
    /// A request as the worker sends it.
    init(_ request: GateRequest, for plugin: String?) {
        var members: [FieldValue.Member] = [.init("plugin", FieldValue(plugin))]
        let kind: Kind
        var body: [UInt8] = []
        switch request {
        case .search(let source, let query, let limit, let page):
            kind = .search
            members += [
                .init("source", FieldValue(source)), .init("query", query.wire),
                .init("limit", FieldValue(limit.map(Int64.init))), .init("page", FieldValue(page)),
            ]
        case .lookUp(let source, let question, let limit, let page):
            kind = .lookUp
            members += [
                .init("source", .text(source)), .init("question", question.wire),
                .init("limit", FieldValue(limit.map(Int64.init))), .init("page", FieldValue(page)),
            ]
        case .plan(let source, let query, let limit, let fields):
            kind = .plan
            members += [
                .init("source", FieldValue(source)), .init("query", query.wire),
                .init("limit", FieldValue(limit.map(Int64.init))), .init("fields", fields.wire),
            ]
        case .planned(let notes, let depends, let hasFailed):
            kind = .planned
            members += [
                .init("notes", .list(notes.map { .text($0.cut) })), .init("depends", .bool(depends)),
                .init("failed", .bool(hasFailed)),
            ]
        case .service(let source, let request):
            kind = .service
            members += [.init("source", .text(source)), .init("request", request.wire)]
        case .http(let request):
            kind = .http
            members.append(.init("request", request.wire))
        case .plugin(let name):
            kind = .plugin
            members.append(.init("name", .text(name)))
        case .module(let name, let folder):
            kind = .module
            members += [.init("name", .text(name)), .init("folder", FieldValue(folder))]
        case .readFile(let path):
            kind = .readFile
            members.append(.init("name", .text(path)))
        case .writeFile(let path, let bytes):
            kind = .writeFile
            members.append(.init("name", .text(path)))
            body = bytes
        case .variable(let name):
            kind = .variable
            members.append(.init("name", .text(name)))
        case .zone(let name):
            kind = .zone
            members.append(.init("name", .text(name)))
        case .execute(let arguments, let input, let timeout, let limit):
            kind = .execute
            members += [
                .init("arguments", .list(arguments.map { .text($0) })), .init("timeout", .number(timeout)),
                .init("limit", .integer(Int64(limit))),
            ]
            body = input
        case .draw(let picture, let screen):
            kind = .draw
            members += [
                .init("columns", .integer(Int64(screen.columns))), .init("rows", .integer(Int64(screen.rows))),
                .init("colours", .integer(Int64(screen.colours.rawValue))), .init("symbols", .text(screen.symbols)),
            ]
            body = picture
        case .write(let bytes):
            self.init(kind: .write, body: bytes)
            return
        case .log(let level, let text):
            kind = .log
            members += [.init("level", .integer(Int64(level.rawValue))), .init("text", .text(text.cut))]
        case .read(let input):
            kind = .read
            members.append(.init("input", .integer(Int64(input))))
        }
        self.init(kind: kind, header: .record(members), body: body)
    }

    /// The request that a message is, for the parent; nil when it is none or is badly made.
    var request: GateRequest? {
        switch kind {
        case .search:
            guard let query = SearchQuery(wire: header["query"]) else { return nil }
            return .search(
                source: header["source"].text, query: query, limit: header["limit"].integer.map(Int.init),
                page: header["page"].text)
        case .lookUp:
            guard let source = header["source"].text, let question = LookUp(wire: header["question"]) else {
                return nil
            }
            return .lookUp(
                source: source, question, limit: header["limit"].integer.map(Int.init), page: header["page"].text)
        case .plan:
            guard let query = SearchQuery(wire: header["query"]) else { return nil }
            return .plan(
                source: header["source"].text, query: query, limit: header["limit"].integer.map(Int.init),
                fields: Set(wire: header["fields"]) ?? [])
        case .planned:
            return .planned(
                notes: header["notes"].list?.compactMap(\.text) ?? [],
                dependsOnAnswers: header["depends"].bool ?? false, hasFailed: header["failed"].bool ?? false)
        case .service:
            guard let source = header["source"].text, let request = ServiceRequest(wire: header["request"]) else {
                return nil
            }
            return .service(source: source, request)
        case .http: return HTTPRequest(wire: header["request"]).map { .http($0) }
        case .plugin: return header["name"].text.map { .plugin(name: $0) }
        case .module: return header["name"].text.map { .module(name: $0, folder: header["folder"].text) }
        case .readFile: return header["name"].text.map { .readFile($0) }
        case .writeFile: return header["name"].text.map { .writeFile($0, body) }
        case .variable: return header["name"].text.map { .variable($0) }
        case .zone: return header["name"].text.map { .zone($0) }
        case .execute:
            guard let arguments = header["arguments"].list?.compactMap(\.text), let limit = header["limit"].integer
            else {
                return nil
            }
            return .execute(arguments, input: body, timeout: header["timeout"].double ?? 10, limit: Int(limit))
        case .draw:
            var screen = TerminalImageOptions()
            guard let columns = header["columns"].integer, let rows = header["rows"].integer,
                TerminalImageOptions.sides.contains(Int(clamping: columns)),
                TerminalImageOptions.sides.contains(Int(clamping: rows)),
                let colours = header["colours"].integer.flatMap({
                    TerminalImageOptions.Colours(rawValue: Int(clamping: $0))
                }),
                let symbols = header["symbols"].text
            else { return nil }
            (screen.columns, screen.rows) = (Int(columns), Int(rows))
            (screen.colours, screen.symbols) = (colours, symbols)
            return .draw(body, screen)
        case .read: return header["input"].integer.flatMap { Int(exactly: $0) }.map { .read(input: $0) }
        case .write: return .write(body)
        case .log:
            guard let level = header["level"].integer.flatMap({ LogLevel(rawValue: Int($0)) }),
                let text = header["text"].text
            else { return nil }
            return .log(level, text)
        default: return nil
        }
    }

    init(_ reply: GateReply) {
        switch reply {
        case .done: self.init(kind: .done)
        case .block(let bytes): self.init(kind: .block, body: bytes)
        case .page(let page, let source):
            self.init(
                kind: .page,
                header: .record([
                    .init("source", .text(source)), .init("format", .text(page.format)),
                    .init("next", FieldValue(page.next)), .init("previous", FieldValue(page.previous)),
                    .init("first", FieldValue(page.first)), .init("last", FieldValue(page.last)),
                    .init("total", FieldValue(page.total.map(Int64.init))),
                    .init("estimate", FieldValue(page.estimate.map(Int64.init))),
                    .init("calls", .integer(Int64(page.calls))), .init("kept", .integer(Int64(page.kept))),
                    .init("counted", .bool(page.isCounted)), .init("tells", page.tells.wire),
                    .init("asked", FieldValue(page.asked)), .init("remark", FieldValue(page.remark)),
                    .init("unknown", .bool(page.isUnknown)),
                ]), body: page.body)
        case .answer(let response, let calls, let remark):
            self.init(kind: .answer, header: response.wire(calls, remark), body: response.body)
        case .plugin(let file):
            self.init(
                kind: .file,
                header: .record([
                    .init("name", .text(file.name)), .init("path", .text(file.path)),
                    .init("folder", .text(file.folder)),
                ]), body: file.text)
        case .module(let text, let name):
            self.init(kind: .file, header: .record([.init("name", .text(name))]), body: text)
        case .bytes(let bytes):
            self.init(kind: .bytes, header: .record([.init("known", .bool(bytes != nil))]), body: bytes ?? [])
        case .executed(let status, let output, let errors, let killed):
            self.init(
                kind: .executed,
                header: .record([
                    .init("status", .integer(Int64(status))), .init("output", .integer(Int64(output.count))),
                    .init("killed", FieldValue(killed)),
                ]), body: output + errors)
        }
    }

    /// The reply that a message is, for the worker.
    func reply(to request: GateRequest) throws(HostError) -> GateReply {
        switch (kind, request) {
        case (.done, _): return .done
        case (.page, _):
            var page = SearchPage(
                body: body, format: header["format"].text ?? "", next: header["next"].text,
                estimate: header["estimate"].integer.map(Int.init), calls: header["calls"].integer.map(Int.init) ?? 0)
            page.previous = header["previous"].text
            (page.first, page.last) = (header["first"].text, header["last"].text)
            page.total = header["total"].integer.map(Int.init)
            page.kept = header["kept"].integer.map(Int.init) ?? 0
            page.isCounted = header["counted"].bool ?? false
            page.tells = Set(wire: header["tells"]) ?? []
            page.asked = header["asked"].text
            page.remark = header["remark"].text
            page.isUnknown = header["unknown"].bool ?? false
            return .page(page, source: header["source"].text ?? "")
        case (.answer, _):
            return .answer(
                WebResponse(wire: header, body), calls: header["calls"].integer.map(Int.init) ?? 0,
                remark: header["remark"].text)
        case (.block, _): return .block(body)
        case (.bytes, _): return .bytes(header["known"].bool == true ? body : nil)
        case (.executed, _):
            let output = Int(header["output"].integer ?? 0)
            return .executed(
                status: Int(header["status"].integer ?? 0), output: Array(body.prefix(output)),
                errors: Array(body.dropFirst(output)), killed: header["killed"].text)
        case (.file, .plugin):
            return .plugin(
                PluginFile(
                    name: header["name"].text ?? "", path: header["path"].text ?? "",
                    folder: header["folder"].text ?? "", text: body))
        case (.file, _): return .module(text: body, name: header["name"].text ?? "")
        default: throw HostError(failureWire: header)
        }
    }

    init(failure error: HostError) { self.init(kind: .failure, header: error.failureWire) }
    init(failed error: HostError) { self.init(kind: .failed, header: error.failureWire) }
}
