// The one place that turns failures into error text and an exit code.

import Basics
import JSON
import LuaRuntime
import VideoFormats
import VideoServices
import WebClient

/// A failure as reported to a user or a program.
public struct ErrorReport: Sendable, Equatable {
    /// Exit codes of the command.
    public enum Code: Int32, Sendable {
        case done = 0
        case plugin = 1
        case usage = 2
        case configuration = 3
        case network = 4
        case quota = 5
        case refused = 6
        case empty = 7
        case interrupted = 130
    }

    public var code: Code
    /// The kind of failure in one word, for programs.
    public var kind: String
    /// What happened, in one sentence.
    public var message: String
    public var file: String?
    public var line: Int?
    /// The source text of that line.
    public var sourceLine: String?
    /// A hint on how to fix it.
    public var hint: String?
    /// Stack frames of the plugin's code, outermost last; empty when file and line suffice.
    public var trace: [String] = []
    /// The service that failed.
    public var source: String?
    /// The service's status code.
    public var status: Int?
    /// Epoch seconds of the earliest sensible retry.
    public var retryAt: Int64?
    /// The service's own error details.
    public var words: ServiceErrorDetails?

    package init(
        code: Code, kind: String, message: String, file: String? = nil, line: Int? = nil, sourceLine: String? = nil,
        hint: String? = nil, trace: [String] = [], source: String? = nil, status: Int? = nil, retryAt: Int64? = nil,
        words: ServiceErrorDetails? = nil
    ) {
        self.code = code
        self.kind = kind
        self.message = message
        self.file = file
        self.line = line
        self.sourceLine = sourceLine
        self.hint = hint
        self.trace = trace
        self.source = source
        self.status = status
        self.retryAt = retryAt
        self.words = words
    }
}

extension HostError {
    /// The report; nil if this is not a failure.
    public var report: ErrorReport? {
        switch self {
        case .usage(let message, let hint):
            return ErrorReport(code: .usage, kind: "usage", message: message, hint: hint)
        case .pluginNotFound(let name, let looked, let near):
            return ErrorReport(
                code: .usage, kind: "plugin-not-found",
                message: "there is no plugin '\(name)'" + (near.map { "; did you mean '\($0)'?" } ?? ""),
                hint: "looked for: \(looked.joined(separator: ", ")); `ythost plugin list` shows what there is")
        case .moduleNotFound(let name, let looked):
            return ErrorReport(
                code: .plugin, kind: "module-not-found", message: "there is no module '\(name)'",
                hint: "looked for: " + looked.joined(separator: ", "))
        case .plugin(let error, let plugin, let line, let hint):
            return Self.report(error, plugin: plugin, line: line, hint: hint)
        case .badPlugin(let plugin, let position, let problem, let line, let hint):
            return ErrorReport(
                code: .plugin, kind: "plugin", message: problem, file: position?.source ?? plugin,
                line: position?.line, sourceLine: line, hint: hint)
        case .service(let error):
            return ErrorReport(error)
        case .web(let error, let source):
            return ErrorReport(error, source: source)
        case .missingLibrary(let message, let package):
            return ErrorReport(
                code: .configuration, kind: "library", message: message, hint: "install it: apt-get install \(package)")
        case .server(.noLibrary):
            return ErrorReport(
                code: .configuration, kind: "configuration",
                message: "pages cannot be served: libmicrohttpd is missing",
                hint: "Debian has it as libmicrohttpd12")
        case .server(.port(let port, let reason)):
            return ErrorReport(
                code: .usage, kind: "port", message: "port \(port) of this machine cannot be had: \(reason)",
                hint: "--port N takes another, and without --port any free one is taken")
        case .store(let error):
            return ErrorReport(code: .configuration, kind: "file", message: error.words)
        case .unknownSource(let name, let known):
            return ErrorReport(
                code: .usage, kind: "usage", message: "there is no source '\(name)'",
                hint: Nearest.advice(for: name, among: known))
        case .format(let input, .malformed(let error)) where error.reason == .noMemory:
            return ErrorReport(
                code: .refused, kind: "budget", message: "\(input): there is not enough memory to read it",
                hint:
                    "--budget memory=1G gives the run more; a document is read as a whole, and records that plugins keep stay in memory"
            )
        case .format(_, .malformed(let error)) where error.missingPackage != nil:
            return ErrorReport(
                code: .configuration, kind: "library", message: error.reason.description,
                hint: error.missingPackage.map { "install it: apt-get install \($0)" })
        case .format(let input, let error):
            return ErrorReport(code: .usage, kind: "format", message: "\(input): \(error)", hint: Self.hint(error))
        case .cannotRead(let path, let reason):
            return ErrorReport(code: .usage, kind: "file", message: "cannot read \(path): \(reason)")
        case .configuration(let path, let line, let reason):
            return ErrorReport(
                code: .configuration, kind: "configuration", message: reason, file: path, line: line,
                hint: "`ythost config` shows the settings")
        case .cannotWrite(let path, let reason, let isUnchanged):
            return ErrorReport(
                code: .plugin, kind: "file", message: "cannot write \(path): \(reason)",
                hint: isUnchanged ? "nothing was changed there" : nil)
        case .readerGone:
            return nil
        case .nothingMatched:
            return ErrorReport(code: .empty, kind: "empty", message: "nothing matched")
        case .grantMissing(let plugin, let grant):
            let words = ErrorReport.quoted(grant.description)
            let forGood = plugin.map { "; ythost plugin allow \(ErrorReport.quoted($0)) \(words) for good" } ?? ""
            return ErrorReport(
                code: .refused, kind: "grant",
                message: "\(plugin ?? "code from the command line") has no grant '\(Text.visible(grant.description))'",
                hint: "--allow \(words) gives it for this run" + forGood)
        case .forbidden(let grant, let reason):
            return ErrorReport(
                code: .refused, kind: "grant", message: "'\(Text.visible(grant.description))' is refused: \(reason)")
        case .budgetSpent(let name, let budgets, let position, let line):
            return ErrorReport(
                code: .refused, kind: "budget",
                message: "the \(name.rawValue) budget of \(budgets.shown(name)) is spent",
                file: position?.source, line: position?.line, sourceLine: line,
                hint:
                    "--budget \(name.rawValue)=\(budgets.doubled(name)) doubles it, --budget \(name.rawValue)=none lifts it"
            )
        case .workerDied(let reason):
            return ErrorReport(
                code: .refused, kind: "worker", message: "the process that ran the plugins died: \(reason)",
                hint: "if it needs more memory, --budget memory=… gives it more")
        case .notAsked(let what):
            return ErrorReport(
                code: .network, kind: "dry-run",
                message: "nothing is asked in a dry run, and no answer to \(what) is kept")
        case .fault(let fault):
            return fault.report
        case .reported(let report):
            return report
        case .declaring:
            return ErrorReport(
                code: .plugin, kind: "plugin", message: "it does something while it is only asked what it declares")
        }
    }

    private static func report(_ error: LuaError, plugin: String, line: String?, hint: String?) -> ErrorReport {
        var trace: [String] = []
        if error.frames.count > 1 {
            trace = error.frames.map { frame in
                "\(frame.position.source):\(frame.position.line)" + (frame.name.map { " in \($0)" } ?? "")
            }
        }
        return ErrorReport(
            // Code from the command line was written by the user.
            code: plugin.hasPrefix("--") ? .usage : .plugin, kind: error.kind == .syntax ? "syntax" : "plugin",
            message: error.message, file: error.position?.source ?? plugin, line: error.position?.line,
            sourceLine: line, hint: hint, trace: trace)
    }

    private static func hint(_ error: FormatError) -> String? {
        switch error {
        case .unrecognised: "--as FORMAT names the format when it is one of these"
        case .badRecord: "without --strict, records that cannot be read are left out and counted"
        default: nil
        }
    }
}

extension HostError: LuaErrorFacts {
    public func fact(_ name: LuaErrorFact) -> LuaValue {
        guard let report else { return .nil }
        switch name {
        case .kind: return .string(LuaString(report.kind))
        case .message: return .string(LuaString(report.message))
        case .source:
            if case .service(let error) = self { return .string(LuaString(error.service)) }
            return report.source.map { .string(LuaString($0)) } ?? .nil
        case .status: return report.status.map { .integer(Int64($0)) } ?? .nil
        case .retryAt: return report.retryAt.map { .integer($0) } ?? .nil
        case .code: return Self.text(report.words?.code)
        case .userMessage: return Self.text(report.words?.forUsers)
        case .developerMessage: return Self.text(report.words?.forDevelopers)
        // A list of tables.
        case .invalidParameters: return .nil
        }
    }

    private static func text(_ text: String?) -> LuaValue { text.map { .string(LuaString($0)) } ?? .nil }

    public func rows(_ name: LuaErrorFact) -> [[(name: String, text: String)]]? {
        guard name == .invalidParameters, let invalid = report?.words?.invalid, !invalid.isEmpty else { return nil }
        return invalid.map { one in
            [
                ("field", one.field), ("code", one.code), ("user_message", one.forUsers),
                ("developer_message", one.forDevelopers),
            ].compactMap { name, text in text.map { (name, $0) } }
        }
    }
}

extension HostError: CustomStringConvertible {
    /// The message of the report. A plugin that catches the error sees it as the error's text.
    public var description: String { report?.message ?? "the reader of the output is gone" }
}
