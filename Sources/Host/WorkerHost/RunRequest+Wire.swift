// Encodes a RunRequest for the worker, which was started before its work was known. Default values are omitted; grants
// stay in the parent.

import Basics
import HostErrors
import Pipeline
import RecordStreams
import Sandbox
import VideoServices

extension WireMessage {
    /// - Parameter inputs: how many input descriptors follow.
    package init(run request: RunRequest, inputs: Int) {
        // In the body, since the names of many inputs may be long.
        let plan = MessageCoding.encode(request.wire)
        var zone: [UInt8] = []
        if case .file(let bytes)? = request.zone?.source { zone = bytes }
        self.init(
            kind: .run,
            header: .record([.init("plan", .integer(Int64(plan.count))), .init("inputs", .integer(Int64(inputs)))]),
            body: plan + zone)
    }

    /// The request in a message of the kind `run`, and how many descriptors follow.
    var run: (request: RunRequest, inputs: Int)? {
        guard let length = header["plan"].integer.flatMap({ Int(exactly: $0) }), 0...body.count ~= length,
            let inputs = header["inputs"].integer.flatMap({ Int(exactly: $0) }),
            let plan = MessageCoding.decode(Array(body[..<length]))
        else { return nil }
        var request = RunRequest(wire: plan)
        if length < body.count { request.zone = ZoneRules(tzif: Array(body[length...])) }
        return (request, inputs)
    }
}

extension RunRequest {
    fileprivate var wire: FieldValue {
        let usual = RunRequest()
        var members: [FieldValue.Member] = []
        func add(_ name: String, _ value: FieldValue) {
            if !value.isNone { members.append(.init(name, value)) }
        }
        func add(_ name: String, _ list: [FieldValue]) {
            if !list.isEmpty { members.append(.init(name, .list(list))) }
        }
        func add(_ name: String, _ flag: Bool) {
            if flag { members.append(.init(name, .bool(true))) }
        }
        add("plugin", FieldValue(plugin))
        add("arguments", arguments.map { .text($0) })
        add("stages", stages.map(\.wire))
        add("template", FieldValue(template))
        add("inputs", inputs.map(\.wire))
        add("origins", origins.map(\.wire))
        if product != usual.product { add("product", .text(product.rawValue)) }
        add("inputFormat", FieldValue(inputFormat))
        add("isStrict", isStrict)
        add("isDry", isDry)
        add("source", FieldValue(source))
        if !search.isEmpty { add("search", SearchQuery(words: "", options: search).wire) }
        add("fetch", FieldValue(fetch.map(Int64.init)))
        add("take", FieldValue(take.map(Int64.init)))
        if defaultFormat != usual.defaultFormat { add("defaultFormat", .text(defaultFormat)) }
        add("unknownSuffix", FieldValue(unknownSuffix))
        add("failsWhenEmpty", failsWhenEmpty)
        add("frozenTime", FieldValue(frozenTime))
        if seed != usual.seed { add("seed", .integer(Int64(bitPattern: seed))) }
        if budgets != usual.budgets { add("budgets", budgets.wire) }
        if case .rule(let text)? = zone?.source { add("zone", .text(text)) }
        add("columns", FieldValue(columns.map(Int64.init)))
        add("isTerminal", isTerminal)
        add("allowsColor", allowsColor)
        if allowsLinks { add("linkMark", .text(linkMark)) }
        return .record(members)
    }

    fileprivate init(wire value: FieldValue) {
        self.init()
        for member in value.members ?? [] {
            let value = member.value
            func whole() -> Int? { value.integer.flatMap { Int(exactly: $0) } }
            switch member.name {
            case "plugin": plugin = value.text
            case "arguments": arguments = value.list?.compactMap(\.text) ?? []
            case "stages": stages = value.list?.compactMap(Stage.init(wire:)) ?? []
            case "template": template = value.text
            case "inputs": inputs = value.list?.compactMap(Input.init(wire:)) ?? []
            case "origins": origins = value.list?.compactMap(Origin.init(wire:)) ?? []
            case "product": product = value.text.flatMap(Product.init) ?? product
            case "inputFormat": inputFormat = value.text
            case "isStrict": isStrict = true
            case "isDry": isDry = true
            case "source": source = value.text
            case "search": search = SearchQuery(wire: value)?.options ?? [:]
            case "fetch": fetch = whole()
            case "take": take = whole()
            case "defaultFormat": defaultFormat = value.text ?? defaultFormat
            case "unknownSuffix": unknownSuffix = value.text
            case "failsWhenEmpty": failsWhenEmpty = true
            case "frozenTime": frozenTime = value.integer
            case "seed": seed = value.integer.map(UInt64.init(bitPattern:)) ?? seed
            case "budgets": budgets = Budgets(wire: value)
            case "zone": zone = value.text.flatMap(ZoneRules.init(rule:))
            case "columns": columns = whole()
            case "isTerminal": isTerminal = true
            case "allowsColor": allowsColor = true
            case "linkMark":
                allowsLinks = true
                linkMark = value.text ?? linkMark
            default: break
            }
        }
    }
}

extension RunRequest.Stage {
    fileprivate var wire: FieldValue {
        switch self {
        case .plugin(let name, let settings):
            .record([
                .init("plugin", .text(name)),
                .init("settings", .list(settings.map { .list([.text($0.name), .text($0.value)]) })),
            ])
        case .keep(let expression): .record([.init("keep", .text(expression))])
        case .order(let expression): .record([.init("order", .text(expression))])
        }
    }

    fileprivate init?(wire value: FieldValue) {
        if let name = value["plugin"].text {
            let settings = value["settings"].list?.compactMap { $0.list?.compactMap(\.text) } ?? []
            self = .plugin(name, settings: settings.filter { $0.count == 2 }.map { ($0[0], $0[1]) })
        } else if let expression = value["keep"].text {
            self = .keep(expression: expression)
        } else if let expression = value["order"].text {
            self = .order(expression: expression)
        } else {
            return nil
        }
    }
}

extension RecordInput {
    fileprivate var wire: FieldValue {
        switch self {
        case .file(let path): .list([.text("file"), .text(path)])
        case .found(let path): .list([.text("found"), .text(path)])
        case .standardInput: .list([])
        }
    }

    fileprivate init?(wire value: FieldValue) {
        guard let parts = value.list?.compactMap(\.text) else { return nil }
        switch parts.first {
        case "file": self = .file(parts.last ?? "")
        case "found": self = .found(parts.last ?? "")
        default: self = .standardInput
        }
    }
}

extension FeedSource {
    fileprivate var wire: FieldValue {
        switch self {
        case .feed(let address): .list([.text("feed"), .text(address.description)])
        case .page(let address): .list([.text("page"), .text(address.description)])
        case .channel(let text): .list([.text("channel"), .text(text)])
        case .playlist(let text): .list([.text("playlist"), .text(text)])
        case .list(let path): .list([.text("list"), .text(path)])
        }
    }

    fileprivate init?(wire value: FieldValue) {
        guard let parts = value.list?.compactMap(\.text), parts.count == 2 else { return nil }
        switch parts[0] {
        case "feed", "page":
            guard let address = WebAddress(parts[1]) else { return nil }
            self = parts[0] == "feed" ? .feed(address) : .page(address)
        case "channel": self = .channel(parts[1])
        case "playlist": self = .playlist(parts[1])
        default: self = .list(parts[1])
        }
    }
}

extension Budgets {
    fileprivate var wire: FieldValue {
        .list([
            .integer(Int64(memory)), .number(cpu), .number(wall), .integer(Int64(output)), .integer(Int64(requests)),
            .integer(Int64(calls)), .integer(instructions),
        ])
    }

    fileprivate init(wire value: FieldValue) {
        self.init()
        guard let list = value.list, list.count == 7 else { return }
        memory = list[0].integer.map { Int($0) } ?? memory
        cpu = list[1].double ?? cpu
        wall = list[2].double ?? wall
        output = list[3].integer.map { Int($0) } ?? output
        requests = list[4].integer.map { Int($0) } ?? requests
        calls = list[5].integer.map { Int($0) } ?? calls
        instructions = list[6].integer ?? instructions
    }
}
