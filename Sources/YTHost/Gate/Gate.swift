// The one way out. Whatever a plugin does to the world outside its state is a request value that passes a gate and gets
// a reply value back. Requests and replies are plain data, so a gate may stand in this process or in another.

import VideoServices

/// Something that a plugin, or the pipeline on its behalf, wants from outside.
public enum GateRequest: Sendable {
    /// One page of a search; the first without `page`.
    case search(source: String?, query: SearchQuery, limit: Int?, page: String?)
    /// The next block of an input, by its position in the run's list.
    case read(input: Int)
    /// Bytes for the run's output, in order.
    case write([UInt8])
    /// A line for the person who runs it.
    case log(LogLevel, String)
    /// A plugin's file.
    case plugin(name: String)
    /// The text of a module that a plugin requires.
    case module(name: String, folder: String?)
}

/// What a gate answers.
public enum GateReply: Sendable {
    case done
    case page(SearchPage, source: String)
    /// A block of an input; empty at its end.
    case block([UInt8])
    case plugin(PluginFile)
    /// A module's text and the name it goes by in messages.
    case module(text: [UInt8], name: String)
}

/// Checks requests and carries them out.
public protocol Gate: AnyObject {
    func ask(_ request: GateRequest) throws(HostError) -> GateReply
}

/// How much a line on standard error matters.
public enum LogLevel: Int, Sendable, CaseIterable {
    case error, warning, info, debug

    public var name: String {
        switch self {
        case .error: "error"
        case .warning: "warning"
        case .info: "info"
        case .debug: "debug"
        }
    }
}
