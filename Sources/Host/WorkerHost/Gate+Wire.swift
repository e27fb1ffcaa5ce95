// Requests and replies of the gate as messages: a row a case.

import Basics
import Gate
import HostErrors
import Packages
import Sandbox
import VideoServices

extension GateRequest: WireEnum {
    package typealias WireKind = WorkerMessageKind

    package static func code(_ cases: inout WireCases<Self>) {
        cases.add(.search, Self.search, "source", "query", "limit", "page") {
            if case .search(let a, let b, let c, let d) = $0 { (a, b, c, d) } else { nil }
        }
        cases.add(.lookUp, Self.lookUp, "source", "question", "limit", "page") {
            if case .lookUp(let a, let b, let c, let d) = $0 { (a, b, c, d) } else { nil }
        }
        cases.add(.lookUpOffers, { .lookUpOffers }, take: { if case .lookUpOffers = $0 { () } else { nil } })
        cases.add(.plan, Self.plan, "source", "query", "limit", "fields") {
            if case .plan(let a, let b, let c, let d) = $0 { (a, b, c, d) } else { nil }
        }
        cases.add(.planned, Self.planned, "notes", "dependsOnAnswers", "hasFailed") {
            if case .planned(let notes, let depends, let failed) = $0 { (notes.cut, depends, failed) } else { nil }
        }
        cases.add(.service, Self.service, "source", "request") {
            if case .service(let source, let request) = $0 { (source, request) } else { nil }
        }
        cases.add(.http, Self.http, "request") { if case .http(let request) = $0 { request } else { nil } }
        cases.add(.plugin, Self.plugin, "name") { if case .plugin(let name) = $0 { name } else { nil } }
        cases.add(.module, Self.module, "name", "folder") {
            if case .module(let name, let folder) = $0 { (name, folder) } else { nil }
        }
        cases.add(.readFile, Self.readFile, "path") { if case .readFile(let path) = $0 { path } else { nil } }
        cases.add(.writeFile, Self.writeFile, "path", "bytes") {
            if case .writeFile(let path, let bytes) = $0 { (path, bytes) } else { nil }
        }
        cases.add(.read, Self.read, "input") { if case .read(let input) = $0 { input } else { nil } }
        cases.add(.write, Self.write, "bytes") { if case .write(let bytes) = $0 { bytes } else { nil } }
        cases.add(.log, Self.log, "level", "text") {
            if case .log(let level, let text) = $0 { (level, text.cut) } else { nil }
        }
        cases.add(.variable, Self.variable, "name") { if case .variable(let name) = $0 { name } else { nil } }
        cases.add(.zone, Self.zone, "name") { if case .zone(let name) = $0 { name } else { nil } }
        cases.add(.execute, Self.execute, "arguments", "input", "timeout", "limit") {
            if case .execute(let a, let b, let c, let d) = $0 { (a, b, c, d) } else { nil }
        }
        cases.add(.draw, Self.draw, "picture", "options") {
            if case .draw(let picture, let options) = $0 { (picture, options) } else { nil }
        }
    }
}

extension LogLevel: WireValue {}

/// The options for drawing with symbols. Pixels are drawn by the parent alone.
extension TerminalImageOptions: WireRecord {
    package static var blank: TerminalImageOptions { TerminalImageOptions() }

    package mutating func code(_ fields: inout WireFields) {
        fields.code("columns", &columns, where: Self.sides.contains)
        fields.code("rows", &rows, where: Self.sides.contains)
        fields.code("colours", &colours)
        fields.code("symbols", &symbols)
    }
}

extension TerminalImageOptions.Colours: WireValue {}

extension GateReply: WireEnum {
    package typealias WireKind = WorkerMessageKind

    package static func code(_ cases: inout WireCases<Self>) {
        cases.add(.done, { .done }, take: { if case .done = $0 { () } else { nil } })
        cases.add(.block, Self.block, "bytes") { if case .block(let bytes) = $0 { bytes } else { nil } }
        cases.add(.page, Self.page, "page", "source") {
            if case .page(let page, let source) = $0 { (page, source) } else { nil }
        }
        cases.add(.offers, Self.lookUpOffers, "offers") {
            if case .lookUpOffers(let offers) = $0 { offers } else { nil }
        }
        cases.add(.answer, Self.answer, "response", "calls", "remark") {
            if case .answer(let response, let calls, let remark) = $0 { (response, calls, remark) } else { nil }
        }
        cases.add(.pluginFile, Self.plugin, "file") { if case .plugin(let file) = $0 { file } else { nil } }
        cases.add(.moduleFile, Self.module, "text", "name") {
            if case .module(let text, let name) = $0 { (text, name) } else { nil }
        }
        cases.add(.bytes, Self.bytes, "bytes") { if case .bytes(let bytes) = $0 { .some(bytes) } else { nil } }
        cases.add(.executed, Self.executed, "status", "output", "errors", "killed") {
            if case .executed(let a, let b, let c, let d) = $0 { (a, b, c, d) } else { nil }
        }
    }
}

extension LookUpOffer: WireRecord {
    package static var blank: LookUpOffer { LookUpOffer(service: "", fields: []) }

    package mutating func code(_ fields: inout WireFields) {
        fields.code("service", &service)
        fields.code("fields", &self.fields)
    }
}

extension PluginFile: WireRecord {
    package static var blank: PluginFile { PluginFile(name: "", path: "", folder: "", text: []) }

    package mutating func code(_ fields: inout WireFields) {
        fields.code("name", &name)
        fields.code("path", &path)
        fields.code("folder", &folder)
        fields.code("text", &text)
    }
}
