// Parses and builds addresses by RFC 3986. Parts stay percent-encoded. Only query members are decoded, because only
// they are unambiguous.

import Basics
import LuaRuntime

enum AddressAPI {
    static let queryShape =
        "names and values, sorted by name; a list of values repeats the name; or a list of {name, value} in your order"

    static let functions: [APIFunction] = [
        APIFunction(
            "url.parse", "Takes an address apart (RFC 3986). Without a scheme it is a relative reference.",
            [
                APIParameter("url", .text),
                APIParameter(
                    "options",
                    .options([
                        APIParameter(
                            "base", .text, "the page's address, which relative ones start from", optional: true)
                    ]), optional: true),
            ],
            gives: [
                APIResult(
                    .table,
                    "url and path; where written scheme, user, host, port, fragment and query, whose values are decoded (a list where a name repeats); nil and a reason when it is no address"
                )
            ], example: #"yt.url.parse("https://example.org/a?b=c").query.b -- c"#
        ) { call throws(LuaError) in
            let address: WebAddress
            do throws(AddressProblem) {
                address = try AddressProblem.read(call.text(0) ?? "", base: call.option("base", of: 1).text)
            } catch {
                return call.unreadable(error.reason)
            }
            try call.stack.push(address.fields)
            return 1
        },
        APIFunction(
            "url.build", "Puts an address together, encoding what must be (RFC 3986).",
            [
                APIParameter(
                    "parts",
                    .options([
                        APIParameter("base", .text, "an address that the other parts are relative to", optional: true),
                        APIParameter("scheme", .text, "https and the like", optional: true),
                        APIParameter("user", .text, "user information", optional: true),
                        APIParameter("host", .text, "a name or a number, without the port", optional: true),
                        APIParameter("port", .integer(0...65_535), "when it is not the usual one", optional: true),
                        APIParameter(
                            "path", .either([.text, .list(.text)]), "as a list, its segments, `/` in them encoded",
                            optional: true),
                        APIParameter("query", .either([.table, .text]), queryShape, optional: true),
                        APIParameter("fragment", .text, "what follows #", optional: true),
                        APIParameter("url", .text, "not used: it is here for tables of yt.url.parse", optional: true),
                    ]))
            ], gives: [APIResult(.text, "nil and a reason when a part is bad")],
            example: #"yt.url.build{base = "https://example.org/api/", path = "search", query = {q = "a b", max = 5}}"#
        ) { call throws(LuaError) in
            do throws(AddressProblem) {
                return call.gives(try call.address().description)
            } catch {
                return call.unreadable(error.reason)
            }
        },
        APIFunction(
            "url.link", "An address that may be put into a link: http or https, made safe to show and to quote.",
            [APIParameter("url", .text, optional: true)], gives: [APIResult(.text, "nil for anything else")],
            example: "local link = yt.url.link(v.url)"
        ) { call throws(LuaError) in call.gives(call.text(0).flatMap(Escape.webAddress)) },
        APIFunction(
            "url.encode", "Percent-encodes everything but unreserved characters (RFC 3986).",
            [APIParameter("text", .text)], gives: [APIResult(.text)], example: #""?q=" .. yt.url.encode(words)"#
        ) { call throws(LuaError) in call.gives(Escape.url(call.text(0) ?? "")) },
        APIFunction(
            "url.decode", "Decodes percent-encoding.",
            [APIParameter("text", .text)],
            gives: [APIResult(.text, "nil and a reason when a % is not followed by two digits")],
            example: #"yt.url.decode("caf%C3%A9")"#
        ) { call throws(LuaError) in
            guard let text = Escape.unurl(call.text(0) ?? "") else {
                return call.unreadable("a % that is not followed by two hexadecimal digits")
            }
            return call.gives(text)
        },
    ]
}

/// Why an address could not be parsed or built.
enum AddressProblem: Error {
    case notURL(String, WebAddress.Problem)
    case relativeBase(String)
    case scheme(String)
    case host(String)
    case noHost(String)
    case segment(String)
    case query(String)

    var reason: String {
        switch self {
        case .notURL(let text, let problem): "'\(text)' is not a URL: \(problem)"
        case .relativeBase(let text): "the base '\(text)' has no scheme: it must be a whole URL"
        case .scheme(let text): "'\(text)' is not a scheme: letters, digits, + - ."
        case .host(let text): "'\(text)' is not a host"
        case .noHost(let part): "there is a \(part) but no host"
        case .segment(let dots): "'\(dots)' in a list of segments would mean another path"
        case .query(let what): "the query has \(what)"
        }
    }

    /// Reads an address, resolved against the base if there is one.
    static func read(_ text: String, base: String?) throws(AddressProblem) -> WebAddress {
        let address = try read(text)
        guard let base else { return address }
        return try read(base: base).resolving(address)
    }

    static func read(base: String) throws(AddressProblem) -> WebAddress {
        let page = try read(base)
        guard page.scheme != nil else { throw .relativeBase(base) }
        return page
    }

    private static func read(_ text: String) throws(AddressProblem) -> WebAddress {
        do throws(WebAddress.Problem) { return try WebAddress(parsing: text) } catch { throw .notURL(text, error) }
    }
}

extension WebAddress {
    /// The parts as plugins see them.
    fileprivate var fields: FieldValue {
        .record([
            .init("url", .text(description)), .init("scheme", FieldValue(scheme)),
            .init("user", FieldValue(userInformation)), .init("host", FieldValue(host)),
            .init("port", FieldValue(port.map(Int64.init))), .init("path", .text(path)),
            .init("query", query == nil ? .none : queryRecord), .init("fragment", FieldValue(fragment)),
        ])
    }

    private var queryRecord: FieldValue {
        var names: [String] = []
        var values: [String: [FieldValue]] = [:]
        for item in queryItems {
            if values[item.name] == nil { names.append(item.name) }
            values[item.name, default: []].append(.text(item.value ?? ""))
        }
        return .record(
            names.map { name in
                let all = values[name] ?? []
                return .init(name, all.count == 1 ? all[0] : .list(all))
            })
    }
}

// MARK: - Building

extension APICall {
    /// The address of `yt.url.build`.
    fileprivate func address() throws(AddressProblem) -> WebAddress {
        var address = WebAddress(path: try path)
        if let scheme = part("scheme") {
            guard WebAddress.isScheme(scheme) else { throw .scheme(scheme) }
            address.scheme = scheme.lowercased()
        }
        if let host = part("host") {
            guard WebAddress.isHost(host) else { throw .host(host) }
            address.host = host.lowercased()
        }
        address.port = option("port", of: 0).integer.map(Int.init)
        address.userInformation = part("user").map { WebAddress.encoded($0, in: .user) }
        if address.host == nil {
            if address.port != nil { throw .noHost("port") }
            if address.userInformation != nil { throw .noHost("user") }
        }
        address.query = try query(in: 0)
        address.fragment = part("fragment").map { WebAddress.encoded($0, in: .fragment) }
        return try part("base").map { base throws(AddressProblem) in
            try AddressProblem.read(base: base).resolving(address)
        } ?? address
    }

    /// A part that is a string or a number; nil when it is absent.
    private func part(_ name: String) -> String? {
        stack.pushField(name, of: index(0))
        defer { stack.pop() }
        return scalar
    }

    /// The string or number on top of the stack.
    private var scalar: String? {
        if let flag = stack.bool(at: -1) { return "\(flag)" }
        var bytes: [UInt8] = []
        return stack.append(at: -1, to: &bytes) ? String(decoding: bytes, as: UTF8.self) : nil
    }

    private var path: String {
        get throws(AddressProblem) {
            stack.pushField("path", of: index(0))
            defer { stack.pop() }
            guard stack.kind(at: -1) == .table else {
                return WebAddress.encoded(scalar ?? "", in: .path)
            }
            var segments: [String] = []
            for position in 0..<Int64(stack.rawLength(at: -1)) {
                stack.pushElement(position + 1, of: -1)
                defer { stack.pop() }
                let segment = scalar ?? ""
                guard segment != ".", segment != ".." else { throw .segment(segment) }
                segments.append(Escape.url(segment))
            }
            return segments.joined(separator: "/")
        }
    }

    /// The member `query` of the options table at that position, encoded; nil when it is absent or empty.
    func query(in position: Int32) throws(AddressProblem) -> String? {
        guard stack.kind(at: index(position)) == .table else { return nil }
        stack.pushField("query", of: index(position))
        defer { stack.pop() }
        if stack.isNil(at: -1) { return nil }
        guard stack.kind(at: -1) == .table else { return scalar.map { WebAddress.encoded($0, in: .query) } }
        let items = try stack.rawLength(at: -1) > 0 ? orderedItems() : namedItems()
        return items.isEmpty ? nil : WebAddress.query(items)
    }

    /// The pairs of a list on top of the stack.
    private func orderedItems() throws(AddressProblem) -> [WebAddress.QueryItem] {
        var items: [WebAddress.QueryItem] = []
        for position in 0..<Int64(stack.rawLength(at: -1)) {
            stack.pushElement(position + 1, of: -1)
            defer { stack.pop() }
            guard stack.kind(at: -1) == .table else { throw .query("no {name, value} at \(position + 1)") }
            var pair: [String] = []
            for half: Int64 in [1, 2] {
                stack.pushElement(half, of: -1)
                defer { stack.pop() }
                guard let text = scalar else { throw .query("no {name, value} at \(position + 1)") }
                pair.append(text)
            }
            items.append(.init(pair[0], pair[1]))
        }
        return items
    }

    /// The members of a table on top of the stack, sorted by the bytes of their names.
    private func namedItems() throws(AddressProblem) -> [WebAddress.QueryItem] {
        var problem: AddressProblem?
        var members: [(name: String, values: [String])] = []
        try? stack.forEachPair(of: stack.count) { stack throws(LuaError) in
            guard let name = stack.text(at: -2) else {
                problem = problem ?? .query("a name that is a \(stack.kind(at: -2).name)")
                return
            }
            if let value = scalar {
                members.append((name, [value]))
                return
            }
            var values: [String] = []
            let isList = stack.kind(at: -1) == .table
            for position in 0..<Int64(isList ? stack.rawLength(at: -1) : 0) {
                stack.pushElement(position + 1, of: -1)
                defer { stack.pop() }
                guard let value = scalar else { break }
                values.append(value)
            }
            if !isList || values.count != stack.rawLength(at: -1) {
                problem = problem ?? .query("a value for '\(name)' that is no text, number, boolean or list of them")
            }
            members.append((name, values))
        }
        if let problem { throw problem }
        return members.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
            .flatMap { member in member.values.map { WebAddress.QueryItem(member.name, $0) } }
    }
}
