// Everything that can go wrong in a run, as facts. Only ErrorReport.swift turns them into messages and exit codes.

import LuaRuntime
import Store
import VideoFormats
import VideoServices
import WebClient

/// Why a run ended early.
public indirect enum HostError: Error {
    /// The command line, or an embedding program's request, names something that does not exist or fit.
    case usage(String, hint: String? = nil)
    /// No plugin has that name. Lists the places searched, and a similar name.
    case pluginNotFound(name: String, looked: [String], near: String? = nil)
    /// A plugin's Lua code failed. `line` is the text of the line it failed on.
    case plugin(LuaError, plugin: String, line: String?, hint: String?)
    /// A plugin loads but is invalid, or returned an invalid value.
    case badPlugin(plugin: String, position: LuaError.Position?, problem: String, line: String? = nil, hint: String?)
    case service(ServiceError)
    /// The network returned no reply. Names the service requested, if any.
    case web(WebError, source: String?)
    /// A feature needs a library that is not installed.
    case missingLibrary(String, package: String)
    /// The local page server failed.
    case server(PageServer.Fault)
    /// Cached replies or counts cannot be read or changed.
    case store(StoreError)
    case unknownSource(name: String, known: [String])
    /// An input that cannot be read as records.
    case format(input: String, FormatError)
    case cannotRead(path: String, reason: String)
    /// The configuration is invalid.
    case configuration(path: String, line: Int?, reason: String)
    /// `isUnchanged`: whether the previous contents are intact.
    case cannotWrite(path: String, reason: String, isUnchanged: Bool = true)
    /// The reader of the output closed it. Not a failure.
    case readerGone
    /// There was no output, and the run treats that as a failure.
    case nothingMatched
    /// A module that `require` cannot find.
    case moduleNotFound(name: String, looked: [String])
    /// A plugin lacks a grant; `plugin` is nil for code from the command line.
    case grantMissing(plugin: String?, Grant)
    /// Access that no grant permits.
    case forbidden(Grant, reason: String)
    /// A budget is spent.
    case budgetSpent(Budgets.Name, Budgets, position: LuaError.Position? = nil, line: String? = nil)
    /// The process that ran the plugins ended without a reason.
    case workerDied(String)
    /// A failure in a target above this one, such as a package that is not installed, changed or run.
    case fault(any ReportedFault)
    /// A failure on the other side of the gate, as its report.
    case reported(ErrorReport)
    /// A dry run cannot continue without a reply, or without the program to run.
    case notAsked(String)
    /// A plugin that is loaded for its declaration had a side effect, so it is a script.
    case declaring
}

extension HostError {
    /// Whether a plugin must stop after this error, even if it catches errors.
    package var isFinal: Bool {
        switch self {
        case .budgetSpent, .readerGone: true
        case .reported(let report): report.kind == "budget"
        default: false
        }
    }
}
