// `embed`: prints video players as markup to paste into a page.

import YTHost

enum EmbedCommand: Command {
    static let name = "embed"
    static let usage = "URL… [flags]"
    static let summary = "print embed markup for URLs; `run embed` does it for search results"

    static func run(_ arguments: [String], _ diagnostics: Diagnostics) throws(HostError) -> ErrorReport.Code {
        let given = try FlagArguments(arguments, EmbedRequest.flags)
        if given.wantsHelp {
            try Help.print(Help.command(Self.self, flags: [("Flags", EmbedRequest.flags)]))
            return .done
        }
        if given.words.isEmpty {
            throw .usage("embed needs an address", hint: "ythost embed https://youtu.be/dQw4w9WgXcQ")
        }
        var request = EmbedRequest()
        try given.apply(to: &request)
        request.addresses = given.words
        try Help.print(try request.markup())
        return .done
    }
}
