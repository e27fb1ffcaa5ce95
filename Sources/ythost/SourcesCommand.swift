// `sources`: where can be searched, and which options each place honours, from the declarations that reject the others.

import YTHost

enum SourcesCommand: Command {
    static let name = "sources"
    static let usage = ""
    static let summary = "where can be searched, and with which options"

    static func run(_ arguments: [String], _ diagnostics: Diagnostics) throws(HostError) -> ErrorReport.Code {
        if try Help.isAsked(of: Self.self, arguments) { return .done }
        let host = Setup.host(diagnostics)
        var lines: [String] = []
        lines.append(Help.table(host.services.map { [$0.name, $0.summary] }))
        lines.append("")
        lines.append(Help.table(SourceTable.rows(host.services)))
        try Help.print(lines.joined(separator: "\n"))
        return .done
    }
}
