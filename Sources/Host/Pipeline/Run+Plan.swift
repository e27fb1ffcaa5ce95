// Dry run: the gate records each request, and the run writes the list of calls instead of results.

import Gate
import HostErrors
import LuaAPI
import RecordStreams
import VideoServices

extension Run {
    /// Writes the calls that the run would make.
    func plan(_ stream: any RecordStream) throws(HostError) {
        let notes = plugins.filter { $0.has(.run) }.map { "what \($0.manifest.name) asks for by itself" }
        guard search != nil else {
            // A source written in Lua requests its calls only by searching. So do origins.
            let isPlugin = plugins.contains { $0.has(.search) }
            if isPlugin || !request.origins.isEmpty {
                do throws(HostError) { while try stream.next() != nil {} } catch {
                    if try tellPlan(after: error, notes) { return }
                    throw error
                }
            }
            try tellPlan(notes, dependsOnAnswers: isPlugin)
            return
        }
        let query = SearchQuery(words: words.joined(separator: " "), options: request.search)
        _ = try gate.ask(
            .plan(source: request.source, query: query, limit: request.fetch, fields: Set(hints.fields)))
        try tellPlan(notes)
    }

    /// Writes the recorded calls, and what remains unknown. Returns whether there was anything to write.
    ///
    /// - Parameters:
    ///   - dependsOnAnswers: whether later requests depend on earlier replies.
    ///   - hasFailed: whether a plugin failed. This is an error unless replies were missing.
    @discardableResult
    func tellPlan(
        _ notes: [String], dependsOnAnswers: Bool = false, hasFailed: Bool = false
    ) throws(HostError) -> Bool {
        let request = GateRequest.planned(notes: notes, dependsOnAnswers: dependsOnAnswers, hasFailed: hasFailed)
        guard case .bytes(let text?) = try gate.ask(request) else { return false }
        output.unmute()
        try output.append(text)
        try output.endLine()
        return true
    }

    /// The same after a plugin failed, which is expected where a reply was missing.
    func tellPlan(after error: HostError, _ notes: [String] = []) throws(HostError) -> Bool {
        guard let report = error.report, report.kind == "plugin" || report.kind == "dry-run" else { return false }
        let place = report.file.map { file in file + (report.line.map { ":\($0)" } ?? "") + ": " } ?? ""
        return try tellPlan(
            notes + ["what comes after this: \(place)\(report.message)"], dependsOnAnswers: true, hasFailed: true)
    }
}
