// A folder of plugins that a test writes, and runs of the host over them. What messages say of the folder's place is
// taken out, so that a test names a plugin's file as it wrote it.

import Foundation

@testable import Files
@testable import Gate
@testable import HostErrors
@testable import Packages
@testable import Pipeline
@testable import VideoServices
@testable import YTHost

final class Workbench {
    /// How a run ended well.
    struct Outcome {
        var text: String
        var report: RunReport
        var log: [String]
        /// The output's lines.
        var lines: [String] { text.split(separator: "\n").map(String.init) }
    }

    /// A run that was to fail went well.
    struct DidNotFail: Error { var output: String }

    /// Where the package is.
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    let folder: URL
    let services: [any VideoService]
    private let notes = Notes()

    /// Log lines, as `level: text`.
    private final class Notes { var lines: [String] = [] }
    var log: [String] { notes.lines }

    init(_ services: [any VideoService] = [FakeService.standard]) throws {
        self.services = services
        folder = FileManager.default.temporaryDirectory.appending(path: "ythost-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func path(_ name: String) -> String { folder.path + "/" + name }

    /// Writes a file into the folder.
    func write(_ name: String, _ text: String) throws {
        let file = folder.appending(path: name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    var host: ScriptHost {
        ScriptHost(
            services: services,
            locator: PluginLocator(folders: [
                .init(path: folder.path, origin: "yours"),
                .init(path: Self.root.path + "/plugins", origin: "shipped"),
            ]),
            log: { [notes, folder] level, text in
                notes.lines.append("\(level.name): \(text)".replacing(folder.path + "/", with: ""))
            })
    }

    /// Runs a request that searches for "lua", from ten rows that have ids a to j unless other services were given.
    @discardableResult
    func run(
        plugin text: String? = nil, arguments: [String] = ["lua"], to sink: MemorySink = MemorySink(),
        _ change: (inout RunRequest) -> Void = { _ in }
    ) throws -> Outcome {
        var request = RunRequest()
        if let text {
            try write("mine.lua", text)
            request.plugin = path("mine.lua")
        }
        request.arguments = arguments
        request.source = services.first?.name
        request.frozenTime = 1_700_000_000
        change(&request)
        let report = try host.run(request, to: sink)
        return Outcome(text: sink.text, report: report, log: log)
    }

    /// Runs a request that fails, and tells how.
    func failure(
        plugin text: String? = nil, arguments: [String] = ["lua"], _ change: (inout RunRequest) -> Void = { _ in }
    ) throws -> ErrorReport {
        do {
            let outcome = try run(plugin: text, arguments: arguments, change)
            throw DidNotFail(output: outcome.text)
        } catch let error as HostError {
            return try report(error)
        }
    }

    func report(_ error: HostError) throws -> ErrorReport {
        guard var report = error.report else { throw error }
        func short(_ text: String) -> String {
            text.replacing(folder.path + "/", with: "").replacing(folder.path, with: "FOLDER")
        }
        report.message = short(report.message)
        report.file = report.file.map(short)
        report.hint = report.hint.map { short($0).replacing(Self.root.path, with: "ROOT") }
        report.trace = report.trace.map(short)
        return report
    }

    /// Runs a script: the text sees the whole API, and what it prints is the output.
    func script(_ text: String, arguments: [String] = []) throws -> Outcome {
        try run(plugin: text, arguments: arguments)
    }

    /// The message of an error that a script ends with, place included.
    func message(_ text: String) throws -> String {
        try failure(plugin: text, arguments: []).text
    }
}
