// `thumbnail`: the pictures of videos, as files or as bytes on standard output.

import Glibc
import YTHost

enum ThumbnailCommand: Command {
    static let name = "thumbnail"
    static let usage = "URL… | - [flags]"
    static let summary = "fetch the pictures of videos and pages: -o FOLDER, or -o FILE for one"

    static func run(_ arguments: [String], _ diagnostics: Diagnostics) throws(HostError) -> ErrorReport.Code {
        var parser = RequestParser(words: .query, flags: ThumbnailRequest.flags + HostFlags.thumbnail)
        try parser.parse(arguments)
        if parser.wantsHelp {
            let flags = [("Pictures", ThumbnailRequest.flags), ("Flags", HostFlags.thumbnail)]
            try Help.print(Help.command(Self.self, flags: flags))
            return .done
        }
        var request = parser.request
        request.arguments.removeAll { $0 == "--" }
        guard !request.arguments.isEmpty || !request.inputs.isEmpty else {
            throw .usage("thumbnail needs an address", hint: "ythost thumbnail https://youtu.be/dQw4w9WgXcQ -o FOLDER")
        }
        guard request.arguments.isEmpty || request.inputs.isEmpty else {
            throw .usage("thumbnail takes addresses, or records from standard input", hint: "leave one of them out")
        }
        let place = try PicturePlace(parser.outputPath, isOne: request.arguments.count == 1)
        if case .output = place, Terminal.isOutput {
            throw .usage("a terminal shows no bytes of pictures", hint: "-o FILE, or a pipe")
        }
        let host = parser.host(diagnostics)
        let outcomes = try host.thumbnails(of: request, parser.thumbnail) { outcome throws(HostError) in
            try place.write(outcome)
            outcome.bytes = []
        }
        host.finish()
        let rows = place.rows(outcomes)
        if !rows.isEmpty { try Help.print(Help.table(rows)) }
        let failures = outcomes.compactMap(\.report)
        for failure in failures { diagnostics.show(failure) }
        return failures.first?.code ?? .done
    }
}
