// The gate: the only way for a plugin to act outside its Lua state. A plugin sends a request value and receives a reply
// value. Both are plain data, so the gate can run in this process or in another.

import HostErrors
import Packages
import VideoModel
import VideoServices
import WebClient

/// A request from a plugin, or from the pipeline on its behalf.
public enum GateRequest: Sendable {
    /// One page of a search. `page` is nil for the first page.
    case search(source: String?, query: SearchQuery, limit: Int?, page: String?)
    /// One page of a look-up by id or name. `page` is nil for the first page.
    case lookUp(source: String, LookUp, limit: Int?, page: String?)
    /// Which fields look-ups of videos tell with the keys at hand, by service.
    case lookUpOffers
    /// Records the calls that a search, and looking up these fields of its videos, would make. No request is sent.
    case plan(source: String?, query: SearchQuery, limit: Int?, fields: Set<VideoField>)
    /// Returns all recorded calls, and the unknowns of the plan, as text. The result is empty after a failure that a
    /// missing reply cannot explain.
    case planned(notes: [String], dependsOnAnswers: Bool, hasFailed: Bool)
    /// A read of a service's own API with the user's credentials.
    case service(source: String, ServiceRequest)
    /// An HTTP GET of any address.
    case http(HTTPRequest)
    /// The next block of an input. `input` is the index in the run's input list.
    case read(input: Int)
    /// Appends bytes to the run's output.
    case write([UInt8])
    /// A log message for the user.
    case log(LogLevel, String)
    /// A plugin's source file.
    case plugin(name: String)
    /// The content of a file.
    case readFile(String)
    /// Replaces a file atomically.
    case writeFile(String, [UInt8])
    /// An environment variable.
    case variable(String)
    /// The compiled rules of a time zone, by its name, from this machine's database.
    case zone(String)
    /// Runs a program with arguments and standard input. `timeout` is in seconds; `limit` is the most bytes of output.
    case execute([String], input: [UInt8], timeout: Double, limit: Int)
    /// Draws a picture for the terminal. The reply's output is the text; its errors say why there is none.
    case draw([UInt8], TerminalImageOptions)
    /// The source of a Lua module that a plugin requires.
    case module(name: String, folder: String?)
}

/// What a look-up of a service's videos tells.
public struct LookUpOffer: Sendable, Equatable {
    /// The service's name.
    public var service: String
    public var fields: Set<VideoField>

    public init(service: String, fields: Set<VideoField>) {
        self.service = service
        self.fields = fields
    }
}

/// The reply to a gate request.
public enum GateReply: Sendable {
    case done
    case page(SearchPage, source: String)
    case lookUpOffers([LookUpOffer])
    /// An HTTP response, the number of calls that the service counted for it, and a remark for the user.
    case answer(WebResponse, calls: Int, remark: String?)
    /// A block of an input; empty at the end.
    case block([UInt8])
    case plugin(PluginFile)
    /// The content of a file, variable or time zone; nil when it does not exist.
    case bytes([UInt8]?)
    case executed(status: Int, output: [UInt8], errors: [UInt8], killed: String?)
    /// A module's source and its name in error messages.
    case module(text: [UInt8], name: String)
}

extension GateReply {
    /// The number of calls that services counted for this reply.
    package var calls: Int {
        switch self {
        case .page(let page, _): page.calls
        case .answer(_, let calls, _): calls
        default: 0
        }
    }
}

extension GateReply {
    /// The body size in bytes, for the kinds of reply that a plugin can have pending in any number; 0 for others.
    package var size: Int {
        switch self {
        case .page(let page, _): page.body.count
        case .answer(let response, _, _): response.body.count
        default: 0
        }
    }
}

/// Identifies a request in progress.
public struct GateTicket: Hashable, Sendable {
    package let number: Int

    package init(number: Int) {
        self.number = number
    }
}

/// Checks requests and performs them. A gate is used from one thread only.
public protocol Gate: AnyObject {
    /// Performs a request and waits for the reply.
    ///
    /// - Parameter plugin: the path of the requesting plugin; nil for the pipeline itself.
    func ask(_ request: GateRequest, for plugin: String?) throws(HostError) -> GateReply

    /// Starts a request without waiting for the reply. Any number can be in progress. Wait for each ticket once, or
    /// abandon it.
    ///
    /// - Throws: errors that are known immediately. All others are part of the ticket's outcome.
    func start(_ request: GateRequest, for plugin: String?) throws(HostError) -> GateTicket
    /// Waits until one of the requests is done.
    ///
    /// - Parameter tickets: at least one.
    func wait(for tickets: Set<GateTicket>) -> (GateTicket, Result<GateReply, HostError>)
    /// Whether `wait` would return at once for this ticket.
    func isDone(_ ticket: GateTicket) -> Bool
    /// Cancels a request. Its work ends soon and its reply is dropped.
    func abandon(_ ticket: GateTicket)
    /// Whether the next block of an input can probably be read without blocking.
    func isReadable(input: Int) -> Bool
}

extension Gate {
    /// Performs a request of the pipeline itself.
    package func ask(_ request: GateRequest) throws(HostError) -> GateReply { try ask(request, for: nil) }
}

extension GateRequest {
    /// The service that the request names; nil when it names none.
    package var source: String? {
        switch self {
        case .search(let source, _, _, _), .plan(let source, _, _, _): source
        case .lookUp(let source, _, _, _), .service(let source, _): source
        default: nil
        }
    }

    /// The grant that a plugin needs for this request; nil when it needs none. Paths are not resolved yet.
    package var grant: Grant? {
        switch self {
        case .search, .lookUp, .lookUpOffers, .plan: .search
        case .service(let source, _): .account(source)
        // Addresses that the user named need no grant.
        case .http(let request) where request.purpose == .picture && HTTPRequest.isPicture(request.address): .search
        case .http(let request): request.origin == nil ? .net(request.address) : nil
        case .readFile(let path): .read(path)
        case .writeFile(let path, _): .write(path)
        case .variable(let name): .env(name)
        case .execute(let arguments, _, _, _): .exec(arguments.first ?? "")
        case .read, .write, .log, .plugin, .module, .zone, .planned, .draw: nil
        }
    }
}
