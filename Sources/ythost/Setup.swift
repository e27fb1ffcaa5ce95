// Where things are on this machine, and the host made of it.

import Glibc
import YTHost

enum Setup {
    static func host(_ diagnostics: Diagnostics) -> ScriptHost {
        ScriptHost(
            services: ScriptHost.bundledServices, locator: PluginLocator(folders: pluginFolders),
            log: { diagnostics.log($0, $1) })
    }

    /// The user's plugins, then the shipped ones.
    private static var pluginFolders: [PluginLocator.Folder] {
        var folders: [PluginLocator.Folder] = []
        if let data = Terminal.environment("XDG_DATA_HOME"), data.hasPrefix("/") {
            folders.append(.init(path: data + "/ythost/plugins", origin: "yours"))
        } else if let home = Terminal.environment("HOME"), !home.isEmpty {
            folders.append(.init(path: home + "/.local/share/ythost/plugins", origin: "yours"))
        }
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
        while let slash = folder.lastIndex(of: "/") {
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
