// `plugin`: lists plugins, shows their declarations, edits their grants, and manages packages.

import YTHost

enum PluginCommand: Command {
    static let name = "plugin"
    static let usage =
        "list | info NAME | allow NAME GRANT… | " + PackageCommands.words.map(\.name).joined(separator: " | ") + " …"
    static let summary = "list, install and update plugins, and give them permissions"

    static func run(_ arguments: [String], _ diagnostics: Diagnostics) throws(HostError) -> ErrorReport.Code {
        let words = Diagnostics.withoutFlags(arguments)
        if let word = words.first, let code = try PackageCommands.run(word, Array(words.dropFirst()), diagnostics) {
            return code
        }
        switch words.first {
        case "list" where words.count == 1:
            try list(Setup.host(diagnostics))
            try listPackages(diagnostics)
        case "info" where words.count == 2:
            let desk = try PackageArguments([]).desk(diagnostics)
            if try desk.names().contains(words[1]) {
                try Help.print(Help.table(try desk.info(words[1])))
                break
            }
            try Help.print(Help.info(try Setup.host(diagnostics).manifestsIsolated(of: [words[1]])[0].get()))
        case "allow" where words.count > 2:
            var grants: [Grant] = []
            for word in words.dropFirst(2) { grants.append(try Grant(word)) }
            let host = Setup.host(diagnostics)
            let plugin = try host.locator.find(words[1])
            var book = GrantBook(file: Setup.grantFile)
            book.policy = try Setup.policy()
            try book.allow(grants, to: plugin, forbidden: host.closedFolders)
            diagnostics.log(
                .warning,
                "\(plugin.path) has \(grants.map { Text.visible($0.description) }.joined(separator: ", ")) until it changes"
            )
        case "allow":
            throw .usage(
                "plugin allow needs a plugin and at least one grant", hint: "ythost plugin allow NAME read:PATH")
        case "--help", "-h":
            try Help.print(help)
        case "info": throw .usage("plugin info needs one name", hint: "`ythost plugin list` shows the names")
        case "list": throw .usage("plugin list takes no further words")
        case let word?:
            let near = Nearest.name(to: word, among: ["list", "info", "allow"] + PackageCommands.words.map(\.name))
            throw .usage(
                "there is no 'plugin \(word)'" + (near.map { "; did you mean 'plugin \($0)'?" } ?? ""),
                hint: "ythost plugin \(usage)")
        case nil: throw .usage("plugin needs a word more", hint: "ythost plugin \(usage)")
        }
        return .done
    }

    static var help: String {
        let words = PackageCommands.words.map { ["  ythost plugin \($0.name) \($0.usage)"] }
        return Help.command(Self.self, flags: [("Flags of packages", PackageArguments.flags)]) + "\n\nPackages:\n"
            + Help.table(words)
            + "\n\nA SOURCE is git+https://HOST/PATH.git@TAG#FOLDER, https://HOST/PATH.tar, or a path."
    }

    /// Lists the packages of a project, which bare names do not resolve to, and those of the user.
    private static func listPackages(_ diagnostics: Diagnostics) throws(HostError) {
        guard let desk = try? PackageArguments([]).desk(diagnostics), desk.home.exists else { return }
        let rows = try desk.list()
        if !rows.isEmpty { try Help.print("\nPackages of \(desk.home.lockPath):\n" + Help.table(rows)) }
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
