// `config` and `doctor`: the configuration and environment of runs on this machine.

import YTHost

enum ConfigCommand: Command {
    static let name = "config"
    static let usage = ""
    static let summary = "show the settings and the file that holds them"

    static func run(_ arguments: [String], _ diagnostics: Diagnostics) throws(HostError) -> ErrorReport.Code {
        if try Help.isAsked(of: Self.self, arguments) { return .done }
        guard let path = Setup.configurationFile else {
            throw .usage("there is no place for settings: neither HOME nor XDG_CONFIG_HOME is set")
        }
        let configuration = try Configuration(path: path)
        var lines = ["# \(path)"]
        if configuration.settings.isEmpty {
            lines.append("# Nothing is set. A line a flag, such as: budget = memory=512M,wall=2m")
            lines.append("# It may set \(Configuration.names.joined(separator: ", ")).")
        }
        lines += configuration.settings.map { "\($0.name) = \($0.value)" }
        try Help.print(lines.joined(separator: "\n"))
        // Fail where a run would fail.
        _ = try RunArguments.parsed([], words: .query, flags: RunArguments.all)
        return .done
    }
}

enum DoctorCommand: Command {
    static let name = "doctor"
    static let usage = ""
    static let summary = "check what this machine provides and what is missing"

    static func run(_ arguments: [String], _ diagnostics: Diagnostics) throws(HostError) -> ErrorReport.Code {
        if try Help.isAsked(of: Self.self, arguments) { return .done }
        var lines = [Version.text, "", "The process that runs plugins:"]
        lines.append(
            Help.table(
                SandboxFeature.all.map { ["  \($0.stands ? "ok" : "missing")", $0.name, $0.summary] }))
        if !SandboxFeature.all.allSatisfy(\.stands) {
            lines.append(
                "What the kernel lacks is not replaced; all else holds. Plugins have no way out of Lua by themselves.")
        }
        lines.append("")
        lines.append("Folders of plugins:")
        lines.append(
            Help.table(
                Setup.host(diagnostics).locator.folders.map {
                    ["  \($0.path)", $0.origin, "\(PluginLocator(folders: [$0]).list().count) plugins"]
                }))
        lines.append("")
        lines.append("Settings: " + (Setup.configurationFile ?? "no place for them: HOME is not set"))
        if let path = Setup.configurationFile { _ = try Configuration(path: path) }
        try Help.print(lines.joined(separator: "\n"))
        return .done
    }
}
