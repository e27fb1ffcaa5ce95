// `sources`: lists the services that can be searched and the options each supports, from the declarations that reject
// other options.

import YTHost

enum SourcesCommand: Command {
    static let name = "sources"
    static let usage = ""
    static let summary = "list the services that can be searched and the options each supports"

    static func run(_ arguments: [String], _ diagnostics: Diagnostics) throws(HostError) -> ErrorReport.Code {
        if try Help.isAsked(of: Self.self, arguments) { return .done }
        let host = Setup.host(diagnostics)
        let tables = [
            SourceTable.sources(host.services), SourceTable.options(host.services), SourceTable.values(host.services),
        ]
        try Help.print(tables.filter { !$0.isEmpty }.map(Help.table).joined(separator: "\n\n"))
        return .done
    }
}
