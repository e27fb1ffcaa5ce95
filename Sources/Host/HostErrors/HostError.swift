// Everything that can go wrong in a run, as facts. What a person reads and the exit code are made of them in
// ErrorReport.swift, and nowhere else.

import LuaRuntime
import Store
import VideoFormats
import VideoServices
import WebClient

/// Why a run ended early.
public indirect enum HostError: Error {
    /// The command line, or an embedding program's request, asks for something that does not exist or fit.
    case usage(String, hint: String? = nil)
    /// No plugin of that name, where one was looked for, and one that is spelt much like it.
    case pluginNotFound(name: String, looked: [String], near: String? = nil)
    /// A plugin's Lua code failed. `line` is the text of the line it failed on.
    case plugin(LuaError, plugin: String, line: String?, hint: String?)
    /// A plugin loads but is not what a plugin must be, or gave back what it may not.
    case badPlugin(plugin: String, position: LuaError.Position?, problem: String, line: String? = nil, hint: String?)
    case service(ServiceError)
    /// No answer came from the network; the source that was asked, if it was one.
    case web(WebError, source: String?)
    /// What takes a library that is not installed.
    case missingLibrary(String, package: String)
    /// A page cannot be served.
    case server(PageServer.Fault)
    /// Kept answers or counts cannot be read or changed.
    case store(StoreError)
    case unknownSource(name: String, known: [String])
    /// An input that cannot be read as records.
    case format(input: String, FormatError)
    case cannotRead(path: String, reason: String)
    /// The user's settings say something that cannot be.
    case configuration(path: String, line: Int?, reason: String)
    /// `isUnchanged`: what stood there still stands.
    case cannotWrite(path: String, reason: String, isUnchanged: Bool = true)
    /// Whoever read the output went away; not a failure.
    case readerGone
    /// Nothing was left to write, and the run was told to say so.
    case nothingMatched
    /// A module that `require` does not find.
    case moduleNotFound(name: String, looked: [String])
    /// A plugin reached for something it was not given; nil for code from the command line.
    case grantMissing(plugin: String?, Grant)
    /// No grant opens that.
    case forbidden(Grant, reason: String)
    /// A budget is spent.
    case budgetSpent(Budgets.Name, Budgets, position: LuaError.Position? = nil, line: String? = nil)
    /// The process that ran the plugins ended without saying why.
    case workerDied(String)
    /// A failure of a target above this one, such as a package that is not installed, changed or run.
    case fault(any ReportedFault)
    /// A failure on the other side of the gate, told by its report.
    case reported(ErrorReport)
    /// A run that only tells its calls cannot go on without the answer to one, or without what was to be run.
    case notAsked(String)
    /// A declaring plugin reached for the outside: it is a script.
    case declaring
}

extension HostError {
    /// Whether a plugin may not go on after it, whatever it catches.
    package var isFinal: Bool {
        switch self {
        case .budgetSpent, .readerGone: true
        case .reported(let report): report.kind == "budget"
        default: false
        }
    }
}
