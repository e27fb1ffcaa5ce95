// File locations on this machine, and the host configured with them.

import Glibc
import YTHost

enum Setup {
    /// - Parameter rules: the policy for running plugins; nil if plugins are only inspected.
    static func host(
        _ diagnostics: Diagnostics, _ services: ServiceSetup = Setup.services, rules: SharingPolicy? = nil,
        lockedOnly: Bool = false
    ) -> ScriptHost {
        var services = services
        services.warn = { diagnostics.log(.warning, $0) }
        let network = services.network()
        var locator = PluginLocator(folders: pluginFolders)
        locator.shipped = locator.folders.last { $0.origin == "shipped" }?.path
        locator.rules = rules
        locator.lockedOnly = lockedOnly
        let host = ScriptHost(
            services: ScriptHost.bundledServices(network), locator: locator,
            forbiddenFolders: [dataFolder, configurationFolder, cacheFolder, stateFolder].compactMap(\.self),
            network: network, log: { diagnostics.log($0, $1) })
        // Runs this executable, even if the file at its path was replaced.
        host.decoder = PictureDecoder(program: "/proc/self/exe")
        return host
    }

    /// The service setup from the environment.
    static var services: ServiceSetup {
        var services = ServiceSetup()
        services.variable = { Terminal.environment($0) }
        services.hasVariable = { Terminal.hasVariable($0) }
        services.configurationFolder = configurationFolder
        services.cacheFolder = cacheFolder
        services.stateFolder = stateFolder
        return services
    }

    /// The time set in the environment, in epoch seconds; nil for the real clock.
    static func frozenTime() throws(HostError) -> Int64? {
        guard let epoch = Terminal.environment("SOURCE_DATE_EPOCH"), !epoch.isEmpty else { return nil }
        guard let time = Int64(epoch) else { throw .usage("SOURCE_DATE_EPOCH is '\(epoch)', not epoch seconds") }
        return time
    }

    /// The file with permanent grants.
    static var grantFile: String? { dataFolder.map { $0 + "/grants.json" } }

    /// The user's packages; nil if there is no data folder.
    static var packages: PackageDirectory? { dataFolder.map { PackageDirectory(folder: $0) } }

    /// The user's policy for running, installing and granting.
    static func policy() throws(HostError) -> SharingPolicy { try SharingPolicy(userFolder: configurationFolder) }

    /// The file with default flags for every run.
    static var configurationFile: String? { configurationFolder.map { $0 + "/config" } }
    /// The user's data: plugins, grants.
    private static var dataFolder: String? { folder("XDG_DATA_HOME", ".local/share") }
    /// The user's configuration and keys.
    static var configurationFolder: String? { folder("XDG_CONFIG_HOME", ".config") }

    /// Cached replies.
    private static var cacheFolder: String? { folder("XDG_CACHE_HOME", ".cache") }
    /// Pages made by `play`.
    static var playerFolder: String? { cacheFolder.map { $0 + "/player" } }

    /// Call counts.
    private static var stateFolder: String? { folder("XDG_STATE_HOME", ".local/state") }

    /// A ythost folder by the XDG base directory specification. A relative path is ignored.
    private static func folder(_ variable: String, _ fallback: String) -> String? {
        if let base = Terminal.environment(variable), base.hasPrefix("/") { return base + "/ythost" }
        guard let home = Terminal.environment("HOME"), !home.isEmpty else { return nil }
        return "\(home)/\(fallback)/ythost"
    }

    /// The user's plugins, then the bundled ones.
    private static var pluginFolders: [PluginLocator.Folder] {
        var folders: [PluginLocator.Folder] = []
        if let dataFolder { folders.append(.init(path: dataFolder + "/plugins", origin: "yours")) }
        if let shipped { folders.append(.init(path: shipped, origin: "shipped")) }
        return folders
    }

    /// `share/ythost/plugins` beside the program's folder, else `plugins` of the checkout it was built in.
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
