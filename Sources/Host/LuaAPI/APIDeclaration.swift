// The declaration of one host function. The argument checks, error texts, editor stub, reference page and API golden
// are all derived from it; a function is described in no second place.

import LuaRuntime

/// A function, method or field group of the `yt` API.
public final class APIFunction: Sendable {
    /// `search`, `json.encode`, or `Results:filter` for a method.
    public let path: String
    public let summary: String
    public let parameters: [APIParameter]
    /// The same parameters, in the form that the check tests first.
    let accepted: [AcceptedKinds]
    /// The results: a type and its meaning for each.
    public let results: [APIResult]
    /// The first API version that has it.
    public let since: Int
    /// The grant a plugin needs to call it; nil if it accesses nothing outside.
    public let grant: APIGrant?
    public let example: String
    let body: Body
    /// The type a method belongs to; nil for a function.
    public let owner: Owner?
    /// `yt.search`, or `results:filter` for a method.
    public var displayName: String { owner.map { "\($0.rawValue.lowercased()):\(name)" } ?? "yt." + path }
    /// The name without owner or group.
    public let name: String
    /// `json` for `json.encode`.
    let group: String?

    /// Host types that have methods, by their names in the reference.
    public enum Owner: String, Sendable {
        case results = "Results"
        case video = "Video"
        case output = "Out"
        case mapper = "Mapper"
        case template = "Template"
        case element = "Element"
        case thumbnail = "Thumbnail"
    }

    enum Body: Sendable {
        case swift(@Sendable (APICall) throws(LuaError) -> Int32)
        /// Written in Lua, in the prelude, under the same path.
        case lua
    }

    convenience init(
        _ path: String, _ summary: String, _ parameters: [APIParameter] = [], gives results: [APIResult] = [],
        since: Int = 1, grant: APIGrant? = nil, example: String,
        body: @escaping @Sendable (APICall) throws(LuaError) -> Int32
    ) {
        self.init(path, summary, parameters, results, since, grant, example, .swift(body))
    }

    /// A function whose body is in the prelude.
    convenience init(
        lua path: String, _ summary: String, _ parameters: [APIParameter] = [], gives results: [APIResult] = [],
        since: Int = 1, grant: APIGrant? = nil, example: String
    ) {
        self.init(path, summary, parameters, results, since, grant, example, .lua)
    }

    private init(
        _ path: String, _ summary: String, _ parameters: [APIParameter], _ results: [APIResult], _ since: Int,
        _ grant: APIGrant?, _ example: String, _ body: Body
    ) {
        self.path = path
        self.summary = summary
        self.parameters = parameters
        accepted = parameters.map(AcceptedKinds.init)
        self.results = results
        self.since = since
        self.grant = grant
        self.example = example
        self.body = body
        let bytes = path.utf8
        let colon = bytes.firstIndex(of: UInt8(ascii: ":"))
        owner = colon.flatMap { Owner(rawValue: String(path[..<$0])) }
        let mark = colon ?? bytes.firstIndex(of: UInt8(ascii: "."))
        name = mark.map { String(path[bytes.index(after: $0)...]) } ?? path
        group = colon == nil ? mark.map { String(path[..<$0]) } : nil
    }
}

/// What a plugin may do outside its state.
public enum APIGrant: String, Sendable {
    /// Public searches and look-ups.
    case search
    case account = "account:SOURCE"
    case net = "net:HOST"
    case read = "read:PATH"
    case write = "write:PATH"
    case env = "env:NAME"
    case exec = "exec:NAME"
}

/// One result of a function.
public struct APIResult: Sendable {
    public let type: APIType
    public let summary: String

    init(_ type: APIType, _ summary: String = "") {
        self.type = type
        self.summary = summary
    }
}

/// One argument, or one member of an options table.
public struct APIParameter: Sendable {
    public let name: String
    public let type: APIType
    public let isOptional: Bool
    /// Whether the argument may be repeated.
    public let isVariadic: Bool
    public let summary: String

    init(_ name: String, _ type: APIType, _ summary: String = "", optional: Bool = false, variadic: Bool = false) {
        self.name = name
        self.type = type
        self.isOptional = optional
        self.isVariadic = variadic
        self.summary = summary
    }
}

/// The types of arguments and results.
public indirect enum APIType: Sendable {
    case any
    /// A string, or a number written as one.
    case text
    case integer(ClosedRange<Int64>? = nil)
    case number
    case flag
    case function
    case table
    case choice([String])
    /// Epoch seconds, or text that `yt.time.parse` reads.
    case time
    /// A time as above, or an age such as `7d`.
    case bound
    /// A list or `Results`.
    case sequence
    /// A value of a host type.
    case object(APIFunction.Owner)
    case either([APIType])
    /// A table that may have only these keys.
    case options([APIParameter])
    case list(APIType)

    /// Its name in errors and in the reference.
    public var name: String {
        switch self {
        case .any: "any value"
        case .text: "string"
        case .integer(nil): "whole number"
        case .integer(let range?):
            range.upperBound == .max
                ? "whole number from \(range.lowerBound)"
                : "whole number from \(range.lowerBound) to \(range.upperBound)"
        case .number: "number"
        case .flag: "boolean"
        case .function: "function"
        case .table: "table"
        case .choice(let words): "one of " + words.joined(separator: ", ")
        case .time: "time (epoch seconds or a date)"
        case .bound: "time (epoch seconds, a date, or an age such as 7d)"
        case .sequence: "list or results"
        case .object(let owner): owner.rawValue.lowercased()
        case .either(let types): types.map(\.name).joined(separator: " or ")
        case .options: "table of options"
        case .list(let type): "list of \(type.name)"
        }
    }

    /// The type in LuaLS annotations.
    public var annotation: String {
        switch self {
        case .any: "any"
        case .text: "string"
        case .integer: "integer"
        case .number: "number"
        case .flag: "boolean"
        case .function: "function"
        case .table: "table"
        case .choice(let words): words.map { "\"\($0)\"" }.joined(separator: "|")
        case .time, .bound: "integer|string"
        case .sequence: "Results|table"
        case .object(let owner): owner.rawValue
        case .either(let types): types.map(\.annotation).joined(separator: "|")
        case .options(let members):
            "{" + members.map { "\($0.name)\($0.isOptional ? "?" : ""): \($0.type.annotation)" }.joined(separator: ", ")
                + "}"
        case .list(let type): type.annotation + "[]"
        }
    }
}
