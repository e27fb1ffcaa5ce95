// Raw HTTP replies. A reply with any status is a result; a missing reply is an error.

import Basics
import Gate
import HostErrors
import LuaRuntime
import VideoServices
import WebClient

enum WebAPI {
    static let cacheOptions = [
        APIParameter(
            "cache", .choice(CachePolicy.allCases.map(\.rawValue)),
            "whether a kept answer may be given; as the run says (--cache) when absent", optional: true),
        APIParameter("store", .flag, "false: the answer is not kept", optional: true),
    ]

    static let answer = [
        APIResult(
            .table,
            "status, headers (by names in lower case), body, and json: the body read as JSON, nil when it is none")
    ]

    static let functions: [APIFunction] = [
        APIFunction(
            "http.get", "Reads an address. Redirects are followed where a grant leads to them, too.",
            [
                APIParameter("url", .text, "of http or https"),
                APIParameter(
                    "options",
                    .options(
                        [
                            APIParameter("query", .either([.table, .text]), AddressAPI.queryShape, optional: true),
                            APIParameter(
                                "headers", .table, "values by name; the answer is then neither kept nor a kept one",
                                optional: true),
                            APIParameter(
                                "timeout", .integer(1...600), "seconds for everything; 30 when absent", optional: true),
                            APIParameter(
                                "max", .integer(HTTPRequest.sizes), "bytes of the body; 8 MiB when absent",
                                optional: true),
                        ] + cacheOptions), optional: true),
            ], gives: answer, grant: .net,
            example: #"local answer = yt.http.get("https://example.org/api", {query = {q = "lua"}})"#
        ) { call throws(LuaError) in
            guard let reply = try call.slowly(.http(try call.httpRequest(options: 1))) else { return call.waits }
            return try call.gives(reply)
        },
        APIFunction(
            "request", "Reads a service's own API with the user's access: what its documentation has and yt has not.",
            [
                APIParameter("source", .text, "the service"),
                APIParameter(
                    "path", .text,
                    "below the address of the API, such as i18nRegions; a query may follow, as in addresses of pages that an answer names"
                ),
                APIParameter(
                    "options",
                    .options(
                        [
                            APIParameter("query", .either([.table, .text]), AddressAPI.queryShape, optional: true),
                            APIParameter(
                                "timeout", .integer(1...600), "seconds for everything; 60 when absent", optional: true),
                        ] + cacheOptions), optional: true),
            ], gives: answer, grant: .account,
            example: #"local regions = yt.request("youtube", "i18nRegions", {query = {part = "snippet"}}).json"#
        ) { call throws(LuaError) in
            let text = call.text(1) ?? ""
            let path = text.prefix { $0 != "?" }
            var request = ServiceRequest(String(path))
            do throws(AddressProblem) {
                let queries = [
                    path.endIndex < text.endIndex ? String(text[path.endIndex...].dropFirst()) : nil,
                    try call.query(in: 2),
                ]
                request.query = queries.compactMap(\.self).flatMap { WebAddress(query: $0).queryItems }.map {
                    .init($0.name, $0.value ?? "")
                }
            } catch {
                throw LuaError(error.reason)
            }
            request.timeout = call.option("timeout", of: 2).integer.map(Double.init)
            request.policy = call.option("cache", of: 2).text.flatMap(CachePolicy.init(rawValue:))
            if case .boolean(false) = call.option("store", of: 2) { request.stores = false }
            guard let reply = try call.slowly(.service(source: call.text(0) ?? "", request)) else { return call.waits }
            return try call.gives(reply)
        },
    ]
}

extension APICall {
    /// The request for the address in argument 0, with the options at a position.
    ///
    /// - Parameter largestBody: whether the option `max` limits the bytes of the reply.
    func httpRequest(options: Int32, largestBody: Bool = true) throws(LuaError) -> HTTPRequest {
        let text = self.text(0) ?? ""
        var address: WebAddress
        do throws(WebAddress.Problem) { address = try WebAddress(parsing: text) } catch {
            throw LuaError("'\(text)' is not a URL: \(error)")
        }
        guard address.scheme == "http" || address.scheme == "https", address.host?.isEmpty == false else {
            throw LuaError("'\(text)' is not a URL of http or https")
        }
        if address.userInformation != nil { throw LuaError("a URL with a login in it is not asked; use headers") }
        guard HostPattern(address) != nil else {
            throw LuaError("'\(address.host ?? "")' is not a host that can be asked; names are written in ASCII")
        }
        do throws(AddressProblem) {
            if let query = try query(in: options) {
                address.query = address.query.map { $0.isEmpty ? query : "\($0)&\(query)" } ?? query
            }
        } catch {
            throw LuaError(error.reason)
        }
        address.fragment = nil
        var request = HTTPRequest(address)
        request.headers = try headers(options)
        if let seconds = option("timeout", of: options).integer { request.timeout = Double(seconds) }
        if largestBody, let bytes = option("max", of: options).integer { request.largestBody = Int(bytes) }
        request.policy = option("cache", of: options).text.flatMap(CachePolicy.init(rawValue:))
        if case .boolean(false) = option("store", of: options) { request.stores = false }
        return request
    }

    /// The member `headers` of the options, sorted by name.
    private func headers(_ options: Int32) throws(LuaError) -> [WebHeader] {
        guard stack.kind(at: index(options)) == .table else { return [] }
        stack.pushField("headers", of: index(options))
        defer { stack.pop() }
        guard stack.kind(at: -1) == .table else { return [] }
        var headers: [WebHeader] = []
        try stack.forEachPair(of: -1) { stack throws(LuaError) in
            var value: [UInt8] = []
            guard let name = stack.text(at: -2), stack.append(at: -1, to: &value) else {
                throw LuaError("headers are text by name: headers = {Accept = \"text/html\"}")
            }
            if HTTPRequest.isReserved(header: name) { throw LuaError("the header '\(name)' is the host's to set") }
            headers.append(WebHeader(name, String(decoding: value, as: UTF8.self)))
        }
        return headers.sorted { $0.name < $1.name }
    }

    /// Pushes a reply as a table.
    func gives(_ reply: GateReply) throws(LuaError) -> Int32 {
        guard case .answer(let response, _, let remark) = reply else { return 0 }
        if let remark { _ = try? context.environment.gate.ask(.log(.warning, remark)) }
        stack.push(context.prelude("answer"))
        stack.pushTable(members: 3)
        stack.push(Int64(response.status))
        stack.setField("status", of: -2)
        stack.pushTable()
        var names: [String] = []
        var values: [String: String] = [:]
        for header in response.headers.all {
            let name = header.name.lowercased()
            if values[name] == nil { names.append(name) }
            // Repeated headers form one list (RFC 9110, 5.2).
            values[name] = values[name].map { "\($0), \(header.value)" } ?? header.value
        }
        for name in names {
            stack.push(values[name] ?? "")
            stack.setField(name, of: -2)
        }
        stack.setField("headers", of: -2)
        stack.push(bytes: response.body)
        stack.setField("body", of: -2)
        try stack.call(arguments: 1, results: 1)
        return 1
    }
}
