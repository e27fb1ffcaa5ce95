// `plugin list` and `plugin info`: what plugins there are and what they say of themselves.

import YTHost

enum PluginCommand: Command {
    static let name = "plugin"
    static let usage = "list | info NAME | allow NAME GRANT…"
    static let summary = "what plugins there are, what one does, and what it may do"

    static func run(_ arguments: [String], _ diagnostics: Diagnostics) throws(HostError) -> ErrorReport.Code {
        var words = arguments
        Help.dropDiagnosticFlags(&words)
        switch words.first {
        case "list" where words.count == 1:
            try list(Setup.host(diagnostics))
        case "info" where words.count == 2:
            try Help.print(Help.info(try Setup.host(diagnostics).manifestsIsolated(of: [words[1]])[0].get()))
        case "allow" where words.count > 2:
            var grants: [Grant] = []
            for word in words.dropFirst(2) { grants.append(try Grant(word)) }
            let host = Setup.host(diagnostics)
            let plugin = try host.locator.find(words[1])
            try GrantBook(file: Setup.grantFile).allow(grants, to: plugin, forbidden: host.closedFolders)
            diagnostics.log(
                .warning, "\(plugin.path) has \(grants.map(\.description).joined(separator: ", ")) until it changes")
        case "allow":
            throw .usage(
                "plugin allow needs a plugin and at least one grant", hint: "ythost plugin allow NAME read:PATH")
        case "--help", "-h":
            try Help.print(Help.command(Self.self, flags: []))
        case "info": throw .usage("plugin info needs one name", hint: "`ythost plugin list` shows the names")
        case "list": throw .usage("plugin list takes no further words")
        case let word?:
            let near = Nearest.name(to: word, among: ["list", "info", "allow"])
            throw .usage(
                "there is no 'plugin \(word)'" + (near.map { "; did you mean 'plugin \($0)'?" } ?? ""),
                hint: "ythost plugin \(usage)")
        case nil: throw .usage("plugin needs a word more", hint: "ythost plugin \(usage)")
        }
        return .done
    }

    private static func list(_ host: ScriptHost) throws(HostError) {
        var rows: [[String]] = []
        let plugins = host.locator.list()
        for (plugin, answer) in zip(plugins, try host.manifestsIsolated(of: plugins.map(\.path))) {
            switch answer {
            case .success(let manifest):
                let roles = manifest.isScript ? "script" : manifest.roles.map(\.rawValue).joined(separator: " ")
                rows.append([plugin.name, roles, plugin.origin, manifest.summary ?? ""])
            case .failure(let error):
                rows.append([plugin.name, "broken", plugin.origin, error.report?.message ?? ""])
            }
        }
        try Help.print(Help.table(rows))
    }
}
