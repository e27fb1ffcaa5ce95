// `thumbnail`: pictures of videos as files, as bytes on standard output, or drawn on a terminal.

import Glibc
import YTHost

enum ThumbnailCommand: Command {
    static let name = "thumbnail"
    static let usage = "URL… | - [flags]"
    static let summary = "fetch thumbnails of videos and pages, and show or save them (-o FOLDER)"

    static func run(_ arguments: [String], _ diagnostics: Diagnostics) throws(HostError) -> ErrorReport.Code {
        let given = try RunArguments.parsed(
            arguments, words: .query, flags: RunArguments.pictures + RunArguments.runOfThumbnail)
        if given.wantsHelp {
            let flags = [("Pictures", RunArguments.pictures), ("Flags", RunArguments.runOfThumbnail)]
            try Help.print(Help.command(Self.self, flags: flags))
            return .done
        }
        var request = given.request
        request.arguments.removeAll { $0 == "--" }
        guard !request.arguments.isEmpty || !request.inputs.isEmpty else {
            throw .usage("thumbnail needs an address", hint: "ythost thumbnail https://youtu.be/dQw4w9WgXcQ -o FOLDER")
        }
        guard request.arguments.isEmpty || request.inputs.isEmpty else {
            throw .usage("thumbnail takes addresses, or records from standard input", hint: "leave one of them out")
        }
        let host = given.host(diagnostics)
        if let screen = try given.screen() {
            return try show(request, given.thumbnail, on: screen, host, diagnostics)
        }
        let place = try ImageDestination(
            given.outputPath, count: request.inputs.isEmpty ? request.arguments.count : nil)
        if case .output = place, Terminal.isOutput {
            throw .usage("a terminal shows no bytes of pictures", hint: "-o FILE, or a pipe")
        }
        let outcomes = try host.thumbnails(of: request, given.thumbnail, check: place.check) {
            outcome throws(HostError) in
            // A failed write does not stop the others.
            do throws(HostError) { try place.write(outcome) } catch {
                if case .output = place { throw error }
                outcome.writing = error
            }
            outcome.bytes = []
        }
        host.finish()
        let rows = place.rows(outcomes)
        if !rows.isEmpty { try Help.print(Help.table(rows)) }
        return told(outcomes, diagnostics)
    }

    private static func told(_ outcomes: [ThumbnailOutcome], _ diagnostics: Diagnostics) -> ErrorReport.Code {
        let failures = outcomes.compactMap(\.report)
        for failure in failures { diagnostics.show(failure) }
        return failures.first?.code ?? .done
    }

    /// Draws the pictures, one below another.
    private static func show(
        _ request: RunRequest, _ wanted: ThumbnailRequest, on screen: TerminalImageOptions, _ host: ScriptHost,
        _ diagnostics: Diagnostics
    ) throws(HostError) -> ErrorReport.Code {
        let decoder = host.decoder
        var outcomes = try host.thumbnails(of: request, wanted) { outcome throws(HostError) in
            let (text, reason) = try screen.drawn(outcome.bytes, by: decoder)
            outcome.bytes = text ?? []
            if text == nil { outcome.failure = "the picture cannot be shown: \(reason)" }
        }
        host.finish()
        for place in outcomes.indices where outcomes[place].failure == nil {
            if outcomes.count > 1 { try Help.print(outcomes[place].name) }
            try DescriptorSink(descriptor: STDOUT_FILENO, name: "standard output").write(outcomes[place].bytes + [0x0A])
            outcomes[place].bytes = []
        }
        return told(outcomes, diagnostics)
    }
}
