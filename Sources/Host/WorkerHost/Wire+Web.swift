// Requests over HTTP and their answers as headers of messages.

import Basics
import Gate
import VideoServices
import WebClient

extension WebHeader {
    fileprivate var wire: FieldValue { .list([.text(name), .text(value)]) }

    fileprivate init?(wire value: FieldValue) {
        guard let parts = value.list, parts.count == 2, let name = parts[0].text, let text = parts[1].text else {
            return nil
        }
        self.init(name, text)
    }
}

extension HTTPRequest {
    var wire: FieldValue {
        .record([
            .init("address", .text(address.description)), .init("headers", .list(headers.map(\.wire))),
            .init("timeout", .number(timeout)), .init("max", .integer(Int64(largestBody))),
            .init("cache", FieldValue(policy?.rawValue)), .init("store", .bool(stores)),
            .init("purpose", .text(purpose.rawValue)), .init("origin", FieldValue(origin.map(Int64.init))),
        ])
    }

    /// nil for what no plugin can ask by `yt.http.get`.
    init?(wire value: FieldValue) {
        guard let address = value["address"].text.flatMap({ WebAddress($0) }),
            let headers = value["headers"].list?.compactMap(WebHeader.init(wire:)),
            let timeout = value["timeout"].double, let largest = value["max"].integer, let stores = value["store"].bool,
            HTTPRequest.timeouts.contains(timeout), HTTPRequest.sizes.contains(largest),
            !headers.contains(where: { HTTPRequest.isReserved(header: $0.name) })
        else { return nil }
        self.init(address)
        self.headers = headers
        self.timeout = timeout
        largestBody = Int(largest)
        policy = value["cache"].text.flatMap(CachePolicy.init(rawValue:))
        self.stores = stores
        guard let purpose = value["purpose"].text.flatMap(Purpose.init(rawValue:)) else { return nil }
        self.purpose = purpose
        origin = value["origin"].integer.flatMap { Int(exactly: $0) }
    }
}

extension ServiceRequest {
    var wire: FieldValue {
        let items = query.map { FieldValue.list([.text($0.name), .text($0.value)]) }
        return .record([
            .init("path", .text(path)), .init("query", .list(items)), .init("cache", FieldValue(policy?.rawValue)),
            .init("store", .bool(stores)), .init("timeout", timeout.map { .number($0) } ?? .none),
        ])
    }

    init?(wire value: FieldValue) {
        guard let path = value["path"].text, let items = value["query"].list, let stores = value["store"].bool else {
            return nil
        }
        self.init(path)
        for item in items {
            guard let parts = item.list, parts.count == 2, let name = parts[0].text, let text = parts[1].text else {
                return nil
            }
            query.append(.init(name, text))
        }
        policy = value["cache"].text.flatMap(CachePolicy.init(rawValue:))
        self.stores = stores
        if let seconds = value["timeout"].double {
            guard HTTPRequest.timeouts.contains(seconds) else { return nil }
            timeout = seconds
        }
    }
}

extension WebResponse {
    func wire(_ calls: Int, _ remark: String?) -> FieldValue {
        .record([
            .init("status", .integer(Int64(status))), .init("headers", .list(headers.all.map(\.wire))),
            .init("address", .text(address.description)), .init("calls", .integer(Int64(calls))),
            .init("remark", FieldValue(remark)),
        ])
    }

    init(wire value: FieldValue, _ body: [UInt8]) {
        self.init(
            status: value["status"].integer.map { Int(truncatingIfNeeded: $0) } ?? 0,
            headers: WebHeaders(value["headers"].list?.compactMap(WebHeader.init(wire:)) ?? []), body: body,
            address: value["address"].text.flatMap { WebAddress($0) } ?? WebAddress())
    }
}
