// A run that only tells its calls: what it asks for is noted at the gate, and written in place of what would be found.

import Gate
import HostErrors
import LuaAPI
import RecordStreams
import VideoServices

extension Run {
    /// Says what calls there would be.
    func plan(_ stream: any RecordStream) throws(HostError) {
        let notes = plugins.filter { $0.has(.run) }.map { "what \($0.manifest.name) asks for by itself" }
        guard search != nil else {
            // A source written in Lua tells by searching; so do origins.
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
            .plan(source: request.source, query: query, limit: request.fetch, fields: isEnriched ? wanted : []))
        try tellPlan(notes)
    }

    /// Writes what calls were noted, and what is not known; whether there was something to tell.
    ///
    /// - Parameters:
    ///   - dependsOnAnswers: whether what is asked for depends on what was answered before.
    ///   - hasFailed: whether a plugin failed, which is a failure unless answers were missing.
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

    /// The same when a plugin failed, which is no wonder where an answer was missing.
    func tellPlan(after error: HostError, _ notes: [String] = []) throws(HostError) -> Bool {
        guard let report = error.report, report.kind == "plugin" || report.kind == "dry-run" else { return false }
        let place = report.file.map { file in file + (report.line.map { ":\($0)" } ?? "") + ": " } ?? ""
        return try tellPlan(
            notes + ["what comes after this: \(place)\(report.message)"], dependsOnAnswers: true, hasFailed: true)
    }
}
