// Encodes a RunRequest for the worker, which was forked before the command line was read. Grants and the other
// properties without a row stay in the parent.

import Basics
import HostErrors
import Pipeline
import RecordStreams
import Sandbox
import VideoServices

extension WireMessage {
    /// - Parameter inputs: descriptors of inputs that follow the message.
    package init(run request: RunRequest, inputs: Int) {
        // In the body, since the names of many inputs are longer than a header may be.
        var body = WireBody()
        let plan = MessageCoding.encode(request.write(&body))
        self.init(
            kind: .run, header: .record([.init("plan", plan.count.wire), .init("inputs", inputs.wire)]),
            body: plan + body.bytes)
    }

    /// The request of a message of the kind `run`, and the number of descriptors that follow.
    var run: (request: RunRequest, inputs: Int)? {
        guard let length = Int(wire: header["plan"]), 0...body.count ~= length,
            let inputs = Int(wire: header["inputs"]),
            let plan = MessageCoding.decode(Array(body[..<length]))
        else { return nil }
        var rest = WireBody(Array(body[length...]))
        return RunRequest(plan, &rest).map { ($0, inputs) }
    }
}

extension RunRequest: WireRecord {
    package static var blank: RunRequest { RunRequest() }

    package mutating func code(_ fields: inout WireFields) {
        fields.code("plugin", &plugin)
        fields.code("arguments", &arguments)
        fields.code("stages", &stages)
        fields.code("template", &template)
        fields.code("inputs", &inputs)
        fields.code("origins", &origins)
        fields.code("product", &product)
        fields.code("inputFormat", &inputFormat)
        fields.code("isStrict", &isStrict)
        fields.code("looksUp", &looksUp)
        fields.code("isDry", &isDry)
        fields.code("source", &source)
        fields.code("search", &search)
        fields.code("fetch", &fetch)
        fields.code("take", &take)
        fields.code("defaultFormat", &defaultFormat)
        fields.code("unknownSuffix", &unknownSuffix)
        fields.code("failsWhenEmpty", &failsWhenEmpty)
        fields.code("frozenTime", &frozenTime)
        fields.code("seed", &seed)
        fields.code("budgets", &budgets)
        fields.code("zone", &zone)
        fields.code("columns", &columns)
        fields.code("isTerminal", &isTerminal)
        fields.code("allowsColor", &allowsColor)
        fields.code("linkMark", &linkMark)
    }
}

extension RunRequest.Product: WireValue {}

extension RunRequest.Stage: WireEnum, WireValue {
    package static func code(_ cases: inout WireCases<Self>) {
        cases.add(
            "plugin", { (name, settings: [Setting]) in .plugin(name, settings: settings.map { ($0.name, $0.value) }) },
            "name", "settings",
            take: { stage in
                guard case .plugin(let name, let settings) = stage else { return nil }
                return (name, settings.map { Setting($0.name, $0.value) })
            })
        cases.add("keep", Self.keep, "expression") { if case .keep(let text) = $0 { text } else { nil } }
        cases.add("order", Self.order, "expression") { if case .order(let text) = $0 { text } else { nil } }
    }
}

/// A setting of a plugin.
private struct Setting: WirePair {
    var name: String
    var value: String

    init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
}

extension RecordInput: WireEnum, WireValue {
    package static func code(_ cases: inout WireCases<Self>) {
        cases.add("file", Self.file, "path") { if case .file(let path) = $0 { path } else { nil } }
        cases.add("found", Self.found, "path") { if case .found(let path) = $0 { path } else { nil } }
        cases.add("standardInput", { .standardInput }, take: { if case .standardInput = $0 { () } else { nil } })
    }
}

extension FeedSource: WireEnum, WireValue {
    package static func code(_ cases: inout WireCases<Self>) {
        cases.add("feed", Self.feed, "address") { if case .feed(let address) = $0 { address } else { nil } }
        cases.add("page", Self.page, "address") { if case .page(let address) = $0 { address } else { nil } }
        cases.add("channel", Self.channel, "text") { if case .channel(let text) = $0 { text } else { nil } }
        cases.add("playlist", Self.playlist, "text") { if case .playlist(let text) = $0 { text } else { nil } }
        cases.add("list", Self.list, "path") { if case .list(let path) = $0 { path } else { nil } }
    }
}

extension Budgets: WireRecord {
    package static var blank: Budgets { Budgets() }

    package mutating func code(_ fields: inout WireFields) {
        fields.code("memory", &memory)
        fields.code("cpu", &cpu)
        fields.code("wall", &wall)
        fields.code("output", &output)
        fields.code("requests", &requests)
        fields.code("calls", &calls)
        fields.code("instructions", &instructions)
    }
}

/// A compiled zone file is a byte string, a rule is text.
extension ZoneRules: WireValue {
    package func write(_ body: inout WireBody) -> FieldValue {
        switch source {
        case .file(let bytes): bytes.write(&body)
        case .rule(let text): text.write(&body)
        }
    }

    package init?(_ value: FieldValue, _ body: inout WireBody) {
        if let rule = value.text {
            self.init(rule: rule)
        } else {
            guard let bytes = [UInt8](value, &body) else { return nil }
            self.init(tzif: bytes)
        }
    }
}
