// Searches, look-ups and HTTP requests of the worker, and the responses to them. Limits are checked here, before a
// request of the untrusted worker reaches the gate.

import Basics
import Gate
import Sandbox
import VideoServices
import WebClient

extension SearchQuery: WireRecord {
    package static var blank: SearchQuery { SearchQuery(words: "") }

    package mutating func code(_ fields: inout WireFields) {
        fields.code("words", &words)
        fields.code("options", &options)
    }
}

/// Options are a record, sorted so that equal queries have equal headers.
extension Dictionary: WireValue where Key == SearchOption, Value == FieldValue {
    package func write(_ body: inout WireBody) -> FieldValue {
        .record(map { .init($0.key.rawValue, $0.value) }.sorted { $0.name < $1.name })
    }

    package init?(_ value: FieldValue, _ body: inout WireBody) {
        guard let members = value.members else { return nil }
        self.init()
        for member in members {
            guard let option = SearchOption(rawValue: member.name) else { return nil }
            self[option] = member.value
        }
    }
}

extension LookUp: WireEnum, WireValue {
    package static func code(_ cases: inout WireCases<Self>) {
        cases.add(
            "videos", { $0.count <= Self.batch ? .videos($0, fields: $1) : nil }, "ids", "fields",
            take: { if case .videos(let ids, let fields) = $0 { (ids, fields) } else { nil } })
        cases.add("channel", Self.channel, "text") { if case .channel(let text) = $0 { text } else { nil } }
        cases.add("playlist", Self.playlist, "text") { if case .playlist(let text) = $0 { text } else { nil } }
        cases.add("uploads", Self.uploads, "text") { if case .uploads(let text) = $0 { text } else { nil } }
        cases.add("items", Self.items, "text") { if case .items(let text) = $0 { text } else { nil } }
    }
}

extension SearchPage: WireRecord {
    package static var blank: SearchPage { SearchPage(body: [], format: "") }

    package mutating func code(_ fields: inout WireFields) {
        fields.code("body", &body)
        fields.code("format", &format)
        fields.code("next", &next)
        fields.code("previous", &previous)
        fields.code("first", &first)
        fields.code("last", &last)
        fields.code("total", &total)
        fields.code("estimate", &estimate)
        fields.code("calls", &calls)
        fields.code("kept", &kept)
        fields.code("isCounted", &isCounted)
        fields.code("tells", &tells)
        fields.code("asked", &asked)
        fields.code("remark", &remark)
        fields.code("isUnknown", &isUnknown)
    }
}

extension HTTPRequest: WireRecord {
    package static var blank: HTTPRequest { HTTPRequest(WebAddress()) }

    /// Values that `yt.http.get` does not accept are refused.
    package mutating func code(_ fields: inout WireFields) {
        fields.code("address", &address)
        fields.code("headers", &headers) { !$0.contains { HTTPRequest.isReserved(header: $0.name) } }
        fields.code("timeout", &timeout, where: HTTPRequest.timeouts.contains)
        fields.code("largestBody", &largestBody) { HTTPRequest.sizes.contains(Int64($0)) }
        fields.code("policy", &policy)
        fields.code("stores", &stores)
        fields.code("purpose", &purpose)
        fields.code("origin", &origin)
    }
}

extension HTTPRequest.Purpose: WireValue {}
extension CachePolicy: WireValue {}

extension ServiceRequest: WireRecord {
    package static var blank: ServiceRequest { ServiceRequest("") }

    package mutating func code(_ fields: inout WireFields) {
        fields.code("path", &path)
        fields.code("query", &query)
        fields.code("policy", &policy)
        fields.code("stores", &stores)
        fields.code("timeout", &timeout) { $0.map(HTTPRequest.timeouts.contains) ?? true }
    }
}

extension ServiceRequest.Item: WirePair {}

extension WebResponse: WireRecord {
    package static var blank: WebResponse { WebResponse(status: 0, address: WebAddress()) }

    package mutating func code(_ fields: inout WireFields) {
        fields.code("status", &status)
        fields.code("headers", &headers)
        fields.code("body", &body)
        fields.code("address", &address)
    }
}

extension WebHeaders: WireValue {
    package func write(_ body: inout WireBody) -> FieldValue { all.write(&body) }

    package init?(_ value: FieldValue, _ body: inout WireBody) {
        guard let all = [WebHeader](value, &body) else { return nil }
        self.init(all)
    }
}

extension WebHeader: WirePair {}

/// A name and its value.
protocol WirePair: WireRecord {
    var name: String { get set }
    var value: String { get set }
    init(_ name: String, _ value: String)
}

extension WirePair {
    package static var blank: Self { Self("", "") }

    package mutating func code(_ fields: inout WireFields) {
        fields.code("name", &name)
        fields.code("value", &value)
    }
}

extension WebAddress: WireValue {
    package func write(_ body: inout WireBody) -> FieldValue { .text(description) }

    package init?(_ value: FieldValue, _ body: inout WireBody) {
        guard let text = value.text else { return nil }
        self.init(text)
    }
}
