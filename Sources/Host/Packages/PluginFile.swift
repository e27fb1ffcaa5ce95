// Finds plugins and their modules. A path means that file. A bare name is looked up in the user's packages, the user's
// plugin folder, the shipped plugins, and last the project's packages; never in the current folder. A package cannot
// shadow a shipped plugin, and a project cannot shadow the user's plugins.

import Files
import Glibc
import HostErrors

/// A plugin's source file.
public struct PluginFile: Sendable {
    /// The bare name: the file name without `.lua`, or the folder's name.
    public package(set) var name: String
    /// The path as shown in messages.
    public package(set) var path: String
    /// The folder of its modules.
    public package(set) var folder: String
    package var text: [UInt8]
    /// Its location in a locked package; nil for any other file.
    package var package: PackagePlace?
    /// Its modules, if its permanent grants are bound to them; nil to read them when they are required.
    package var modules: PluginModules?

    package init(name: String, path: String, folder: String, text: [UInt8], package: PackagePlace? = nil) {
        self.name = name
        self.path = path
        self.folder = folder
        self.text = text
        self.package = package
    }
}

/// Finds plugins in a list of folders.
public struct PluginLocator: Sendable {
    /// A plugin folder and its label in listings.
    public struct Folder: Sendable {
        public let path: String
        public let origin: String

        public init(path: String, origin: String) {
            self.path = path
            self.origin = origin
        }
    }

    /// The plugin folders, in search order.
    public var folders: [Folder]
    /// Whether only locked and shipped plugins are returned.
    public var lockedOnly = false
    /// The policy for running plugins; nil when plugins are only inspected.
    public var rules: SharingPolicy?
    /// The folder of the shipped plugins.
    public var shipped: String?
    /// Preloaded plugins, by the name used to find them.
    package var given: [String: PluginFile] = [:]

    public init(folders: [Folder]) { self.folders = folders }

    /// The largest plugin or module, in bytes.
    static let largestFile = 4 << 20

    /// Finds and reads a plugin by name or path.
    ///
    /// - Throws: `.pluginNotFound`, `.usage` for an invalid name, `.package` for plugins that may not run.
    public func find(_ name: String) throws(HostError) -> PluginFile {
        if let file = given[name] { return file }
        if name.contains("/") || name.hasSuffix(".lua") {
            let parts = name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
            if parts.count == 2, PackageManifest.isName(parts[0]), Self.isModuleName(parts[1]),
                let plugin = try lockedPlugin(parts[1], of: parts[0])
            {
                return plugin
            }
            return try file(at: name)
        }
        guard Self.isModuleName(name) else {
            throw .usage(
                "'\(name)' is no plugin name", hint: "a name is letters, digits, _ and -; a path has a / in it")
        }
        if hasPackages, !comesWithHost(name), let plugin = try lockedPlugin(name, owner: .user) { return plugin }
        var looked: [String] = []
        for folder in folders {
            if let found = Self.plugin(name, in: folder.path) { return try file(at: found) }
            for path in Self.subfolders(of: folder) {
                if let found = Self.plugin(name, in: path) { return try file(at: found) }
            }
            looked.append(folder.path)
        }
        if let plugin = try lockedPlugin(name, owner: .project) { return plugin }
        throw .pluginNotFound(name: name, looked: looked, near: Nearest.name(to: name, among: list().map(\.name)))
    }

    private var hasPackages: Bool { folders.contains { Self.home(of: $0) != nil } }

    private func comesWithHost(_ name: String) -> Bool {
        guard let shipped else { return false }
        return Self.plugin(name, in: shipped) != nil
            || Self.subfolders(of: Folder(path: shipped, origin: "")).contains { Self.plugin(name, in: $0) != nil }
    }

    private static func plugin(_ name: String, in folder: String) -> String? {
        ["\(folder)/\(name).lua", "\(folder)/\(name)/plugin.lua"].first(where: FileSystem.isFile)
    }

    private func file(at path: String) throws(HostError) -> PluginFile {
        let isFolder = FileSystem.isFolder(path)
        let file = isFolder ? (path.hasSuffix("/") ? path : path + "/") + "plugin.lua" : path
        if let plugin = try lockedPlugin(at: file) { return plugin }
        guard FileSystem.isFile(file) else { throw .pluginNotFound(name: path, looked: [file]) }
        if lockedOnly || rules?.isLocked == true, !isShipped(file) { throw .package(.unlocked(path: path)) }
        let text = try FileSystem.read(file, limit: Self.largestFile)
        let folder = FileSystem.folder(of: file)
        let base = isFolder || file.hasSuffix("/plugin.lua") ? FileSystem.base(of: folder) : FileSystem.base(of: file)
        return PluginFile(
            name: base.hasSuffix(".lua") ? String(base.dropLast(4)) : base, path: file, folder: folder, text: text)
    }

    /// All plugins in the folders, their subfolders and their packages.
    public func list() -> [(name: String, path: String, origin: String)] {
        var found: [(name: String, path: String, origin: String)] = []
        for folder in folders {
            for path in [folder.path] + Self.subfolders(of: folder) {
                for entry in FileSystem.entries(of: path) {
                    if entry.hasSuffix(".lua"), !entry.hasSuffix("_test.lua") {
                        found.append((String(entry.dropLast(4)), "\(path)/\(entry)", folder.origin))
                    } else if FileSystem.isFile("\(path)/\(entry)/plugin.lua") {
                        found.append((entry, "\(path)/\(entry)/plugin.lua", folder.origin))
                    }
                }
            }
        }
        for folder in folders {
            guard let home = Self.home(of: folder), let lock = try? home.lock() else { continue }
            for (name, entry) in lock.packages.sorted(by: { $0.key < $1.key }) {
                for plugin in entry.plugins {
                    let word = "\(name)/\(PackageManifest.plugin(plugin.path, of: name))"
                    found.append((word, word, name))
                }
            }
        }
        return found
    }

    func isShipped(_ file: String) -> Bool {
        guard let shipped = shipped.flatMap(FileSystem.realPath), let real = FileSystem.realPath(file) else {
            return false
        }
        return real.isAt(shipped)
    }

    /// Subfolders that group plugins. `lib` holds modules, and packages are listed by their own names.
    private static func subfolders(of folder: Folder) -> [String] {
        let path = folder.path
        let hasPackages = home(of: folder) != nil
        return FileSystem.entries(of: path)
            .filter { $0 != "lib" && !$0.hasPrefix(".") }
            .filter { !hasPackages || !FileSystem.isFile("\(path)/\($0)/\(PackageFiles.manifestName)") }
            .filter { FileSystem.isFolder("\(path)/\($0)") }
            .filter { !FileSystem.isFile("\(path)/\($0)/plugin.lua") }
            .map { "\(path)/\($0)" }
    }

    /// The source of a module: beside the plugin, in its `lib`, among the shipped helpers (`yt.…`), or lpeg's `re`.
    ///
    /// - Parameter plugin: the plugin that requires it; nil for code from the command line. The modules of a plugin in a
    ///   package come from the package alone, and those that permanent grants are bound to from the bytes read then.
    /// - Throws: `.moduleNotFound`, `.usage` for an invalid name, `.cannotRead`.
    package func module(_ name: String, of plugin: PluginFile?) throws(HostError) -> (text: [UInt8], name: String) {
        guard Self.isModuleName(name) else {
            throw .usage("'\(name)' is no module name", hint: "a name is letters, digits, _, - and single dots")
        }
        let relative = name.split(separator: ".").joined(separator: "/") + ".lua"
        // Candidate paths, and the folder that a link there must not leave.
        var candidates: [(path: String, within: String?)] = []
        if let found = plugin?.package?.module(relative) { return (found.text, found.path) }
        if let plugin, plugin.package == nil {
            for path in [relative, "lib/" + relative] {
                if let text = plugin.modules?[path] { return (text, "\(plugin.folder)/\(path)") }
                candidates.append(("\(plugin.folder)/\(path)", plugin.folder))
            }
        }
        if name.hasPrefix("yt.") {
            let policy = try policy(for: plugin)
            let isLocked = lockedOnly || policy?.isLocked == true
            candidates += folders.filter { !isLocked || $0.path == shipped }
                .map { ("\($0.path)/lib/\(relative)", $0.path) }
        }
        if name == "re" { candidates.append((Self.patternModule, nil)) }
        for (path, within) in candidates where FileSystem.isFile(path) {
            if let within {
                if plugin?.modules != nil, within == plugin?.folder {
                    throw .cannotRead(
                        path: path, reason: "it is a link or new, and the plugin's grants for good do not cover it")
                }
                guard let real = FileSystem.realPath(path), let home = FileSystem.realPath(within), real.isAt(home)
                else {
                    throw .cannotRead(path: path, reason: "it is a link that leads out of the plugin's folder")
                }
            }
            return (try FileSystem.read(path, limit: Self.largestFile), path)
        }
        throw .moduleNotFound(name: name, looked: candidates.map(\.path))
    }

    /// The user's policy, with that of the plugin's package.
    private func policy(for plugin: PluginFile?) throws(HostError) -> SharingPolicy? {
        guard let rules, let home = plugin?.package?.package.home else { return rules }
        return try rules.with(home)
    }

    /// The `re` module of Debian's lua-lpeg.
    private static let patternModule = "/usr/share/lua/5.4/re.lua"

    /// The most dot-separated parts in a module name; a plugin's digest covers modules to this depth.
    static let deepestName = 5

    package static func isModuleName(_ name: String) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return !parts.isEmpty && parts.count <= deepestName
            && parts.allSatisfy { part in
                !part.isEmpty
                    && part.utf8.allSatisfy { byte in
                        switch byte {
                        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
                            true
                        default: false
                        }
                    }
            }
    }
}
