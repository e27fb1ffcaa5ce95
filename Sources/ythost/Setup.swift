// Where things are on this machine, and the host made of it.

import Glibc
import YTHost

enum Setup {
    static func host(_ diagnostics: Diagnostics) -> ScriptHost {
        ScriptHost(
            services: ScriptHost.bundledServices, locator: PluginLocator(folders: pluginFolders),
            forbiddenFolders: [dataFolder, configurationFolder].compactMap(\.self),
            log: { diagnostics.log($0, $1) })
    }

    /// Where grants for good are kept.
    static var grantFile: String? { dataFolder.map { $0 + "/grants.json" } }

    /// The flags that every run starts with.
    static var configurationFile: String? { configurationFolder.map { $0 + "/config" } }
    /// The user's own things: plugins, grants.
    private static var dataFolder: String? { folder("XDG_DATA_HOME", ".local/share") }
    /// The user's settings and keys.
    static var configurationFolder: String? { folder("XDG_CONFIG_HOME", ".config") }

    /// A folder of ythost's as the XDG base directory specification has it; a path that is not absolute is ignored.
    private static func folder(_ variable: String, _ fallback: String) -> String? {
        if let base = Terminal.environment(variable), base.hasPrefix("/") { return base + "/ythost" }
        guard let home = Terminal.environment("HOME"), !home.isEmpty else { return nil }
        return "\(home)/\(fallback)/ythost"
    }

    /// The user's plugins, then the shipped ones.
    private static var pluginFolders: [PluginLocator.Folder] {
        var folders: [PluginLocator.Folder] = []
        if let dataFolder { folders.append(.init(path: dataFolder + "/plugins", origin: "yours")) }
        if let shipped { folders.append(.init(path: shipped, origin: "shipped")) }
        return folders
    }

    /// `share/ythost/plugins` beside the folder of the program, else `plugins` of the checkout it was built in.
    private static var shipped: String? {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        guard count > 0 else { return nil }
        var folder = String(decoding: buffer.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
        var candidates: [String] = []
        while let slash = folder.utf8.lastIndex(of: UInt8(ascii: "/")) {
            folder = String(folder[..<slash])
            if candidates.isEmpty {
                candidates.append(folder + "/../share/ythost/plugins")
            } else {
                candidates.append(folder + "/plugins")
            }
        }
        return candidates.first { access($0 + "/table.lua", R_OK) == 0 }
    }
}
