// The one way out. Whatever a plugin does to the world outside its state is a request value that passes a gate and gets
// a reply value back. Requests and replies are plain data, so a gate may stand in this process or in another.

import HostErrors
import Packages
import VideoModel
import VideoServices
import WebClient

/// Something that a plugin, or the pipeline on its behalf, wants from outside.
public enum GateRequest: Sendable {
    /// One page of a search; the first without `page`.
    case search(source: String?, query: SearchQuery, limit: Int?, page: String?)
    /// One page of what is asked for by name.
    case lookUp(source: String, LookUp, limit: Int?, page: String?)
    /// Notes what calls a search, and looking its videos up for these fields, would make. Nothing is sent.
    case plan(source: String?, query: SearchQuery, limit: Int?, fields: Set<VideoField>)
    /// All calls that were noted, and what else is not known: text. Nothing after a failure that no missing answer can
    /// be behind.
    case planned(notes: [String], dependsOnAnswers: Bool, hasFailed: Bool)
    /// A service's own API, read with the user's access.
    case service(source: String, ServiceRequest)
    /// Any address, read.
    case http(HTTPRequest)
    /// The next block of an input, by its position in the run's list.
    case read(input: Int)
    /// Bytes for the run's output, in order.
    case write([UInt8])
    /// A line for the person who runs it.
    case log(LogLevel, String)
    /// A plugin's file.
    case plugin(name: String)
    /// A file's bytes.
    case readFile(String)
    /// A file written whole or not at all.
    case writeFile(String, [UInt8])
    /// An environment variable.
    case variable(String)
    /// The compiled rules of a time zone of this machine's database, by its name.
    case zone(String)
    /// A program with arguments, what it reads, seconds and bytes of output it may take.
    case execute([String], input: [UInt8], timeout: Double, limit: Int)
    /// A picture as symbols: text in the reply's output, or why there is none in its errors.
    case draw([UInt8], TerminalImageOptions)
    /// The text of a module that a plugin requires.
    case module(name: String, folder: String?)
}

/// What a gate answers.
public enum GateReply: Sendable {
    case done
    case page(SearchPage, source: String)
    /// An answer over HTTP, the calls that a service counted for it, and what a person should know of it.
    case answer(WebResponse, calls: Int, remark: String?)
    /// A block of an input; empty at its end.
    case block([UInt8])
    case plugin(PluginFile)
    /// A file's bytes, a variable's or a zone's.
    case bytes([UInt8]?)
    case executed(status: Int, output: [UInt8], errors: [UInt8], killed: String?)
    /// A module's text and the name it goes by in messages.
    case module(text: [UInt8], name: String)
}

extension GateReply {
    /// Calls that services counted for it.
    package var calls: Int {
        switch self {
        case .page(let page, _): page.calls
        case .answer(_, let calls, _): calls
        default: 0
        }
    }
}

extension GateReply {
    /// Bytes that it holds, of those that may come in any number.
    package var size: Int {
        switch self {
        case .page(let page, _): page.body.count
        case .answer(let response, _, _): response.body.count
        default: 0
        }
    }
}

/// A request that is under way.
public struct GateTicket: Hashable, Sendable {
    package let number: Int

    package init(number: Int) {
        self.number = number
    }
}

/// Checks requests and carries them out. A gate is used from one thread.
public protocol Gate: AnyObject {
    /// - Parameter plugin: the path of the plugin that asks; nil when the pipeline itself does.
    func ask(_ request: GateRequest, for plugin: String?) throws(HostError) -> GateReply

    /// Begins a request, and does not wait for the reply. Any number may be under way; each ticket is waited for once,
    /// or abandoned.
    ///
    /// - Throws: what is known at once. Everything else is the ticket's outcome.
    func start(_ request: GateRequest, for plugin: String?) throws(HostError) -> GateTicket
    /// Waits until one of the requests is done.
    ///
    /// - Parameter tickets: one at least.
    func wait(for tickets: Set<GateTicket>) -> (GateTicket, Result<GateReply, HostError>)
    /// Whether waiting for it would take no time.
    func isDone(_ ticket: GateTicket) -> Bool
    /// Gives a request up: what it is at ends soon, and its reply goes nowhere.
    func abandon(_ ticket: GateTicket)
    /// Whether reading the next block of an input would take no time, as far as that is known.
    func isReadable(input: Int) -> Bool
}

extension Gate {
    /// Asks for the pipeline itself.
    package func ask(_ request: GateRequest) throws(HostError) -> GateReply { try ask(request, for: nil) }
}

extension GateRequest {
    /// The service that is named; nil where none is.
    package var source: String? {
        switch self {
        case .search(let source, _, _, _), .plan(let source, _, _, _): source
        case .lookUp(let source, _, _, _), .service(let source, _): source
        default: nil
        }
    }

    /// The grant that a plugin needs to ask this; nil when it needs none. Paths are not resolved yet.
    package var grant: Grant? {
        switch self {
        case .search, .lookUp, .plan: .search
        case .service(let source, _): .account(source)
        // What the user named needs none.
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
