// Finding plugins and their modules. A path is that file; a bare name is looked up in the user's plugin folder, then
// among the shipped ones, and never in the current folder, so that a run does not depend on where it is started.

import Glibc

/// A plugin's file, read.
public struct PluginFile: Sendable {
    /// The bare name: the file's without `.lua`, or the folder's.
    public let name: String
    /// As messages show it.
    public let path: String
    /// Where its modules are.
    public let folder: String
    let text: [UInt8]
}

/// Knows the folders plugins are in.
public struct PluginLocator: Sendable {
    /// A folder of plugins and what it is called in listings.
    public struct Folder: Sendable {
        public let path: String
        public let origin: String

        public init(path: String, origin: String) {
            self.path = path
            self.origin = origin
        }
    }

    /// In the order they are searched.
    public var folders: [Folder]

    public init(folders: [Folder]) { self.folders = folders }

    /// The largest plugin or module that is read, in bytes.
    static let largestFile = 4 << 20

    /// Finds and reads a plugin.
    public func find(_ name: String) throws(HostError) -> PluginFile {
        if name.contains("/") || name.hasSuffix(".lua") { return try file(at: name) }
        guard Self.isModuleName(name) else {
            throw .usage(
                "'\(name)' is no plugin name", hint: "a name is letters, digits, _ and -; a path has a / in it")
        }
        var looked: [String] = []
        for folder in folders {
            if let found = Self.plugin(name, in: folder.path) { return try file(at: found) }
            for path in Self.subfolders(of: folder.path) {
                if let found = Self.plugin(name, in: path) { return try file(at: found) }
            }
            looked.append(folder.path)
        }
        throw .pluginNotFound(name: name, looked: looked, near: Nearest.name(to: name, among: list().map(\.name)))
    }

    private static func plugin(_ name: String, in folder: String) -> String? {
        ["\(folder)/\(name).lua", "\(folder)/\(name)/plugin.lua"].first(where: FileSystem.isFile)
    }

    private func file(at path: String) throws(HostError) -> PluginFile {
        let isFolder = FileSystem.isFolder(path)
        let file = isFolder ? (path.hasSuffix("/") ? path : path + "/") + "plugin.lua" : path
        guard FileSystem.isFile(file) else { throw .pluginNotFound(name: path, looked: [file]) }
        let text = try FileSystem.read(file, limit: Self.largestFile)
        let folder = FileSystem.folder(of: file)
        let base = isFolder || file.hasSuffix("/plugin.lua") ? FileSystem.base(of: folder) : FileSystem.base(of: file)
        return PluginFile(
            name: base.hasSuffix(".lua") ? String(base.dropLast(4)) : base, path: file, folder: folder, text: text)
    }

    /// All plugins of a folder and its subfolders, by name.
    public func list() -> [(name: String, path: String, origin: String)] {
        var found: [(name: String, path: String, origin: String)] = []
        for folder in folders {
            for path in [folder.path] + Self.subfolders(of: folder.path) {
                for entry in FileSystem.entries(of: path) {
                    if entry.hasSuffix(".lua"), !entry.hasSuffix("_test.lua") {
                        found.append((String(entry.dropLast(4)), "\(path)/\(entry)", folder.origin))
                    } else if FileSystem.isFile("\(path)/\(entry)/plugin.lua") {
                        found.append((entry, "\(path)/\(entry)/plugin.lua", folder.origin))
                    }
                }
            }
        }
        return found
    }

    /// Folders inside that sort plugins; `lib` holds modules.
    private static func subfolders(of path: String) -> [String] {
        FileSystem.entries(of: path)
            .filter { $0 != "lib" && !$0.hasPrefix(".") && FileSystem.isFolder("\(path)/\($0)") }
            .filter { !FileSystem.isFile("\(path)/\($0)/plugin.lua") }
            .map { "\(path)/\($0)" }
    }

    /// The text of a module: beside the plugin, in its `lib`, among the shipped helpers (`yt.…`), or lpeg's `re`.
    func module(_ name: String, folder: String?) throws(HostError) -> (text: [UInt8], name: String) {
        guard Self.isModuleName(name) else {
            throw .usage("'\(name)' is no module name", hint: "a name is letters, digits, _, - and single dots")
        }
        let relative = name.split(separator: ".").joined(separator: "/") + ".lua"
        // Places, and the folder that a link there may not lead out of.
        var candidates: [(path: String, within: String?)] = []
        if let folder { candidates += [("\(folder)/\(relative)", folder), ("\(folder)/lib/\(relative)", folder)] }
        if name.hasPrefix("yt.") { candidates += folders.map { ("\($0.path)/lib/\(relative)", $0.path) } }
        if name == "re" { candidates.append((Self.patternModule, nil)) }
        for (path, within) in candidates where FileSystem.isFile(path) {
            if let within {
                guard let real = FileSystem.realPath(path), let home = FileSystem.realPath(within), real.isAt(home)
                else {
                    throw .cannotRead(path: path, reason: "it is a link that leads out of the plugin's folder")
                }
            }
            return (try FileSystem.read(path, limit: Self.largestFile), path)
        }
        throw .moduleNotFound(name: name, looked: candidates.map(\.path))
    }

    /// Where Debian's lua-lpeg keeps the module of its pattern syntax.
    private static let patternModule = "/usr/share/lua/5.4/re.lua"

    /// Words that dots part in a module's name, at most: what a digest of a plugin covers.
    static let deepestName = 5

    static func isModuleName(_ name: String) -> Bool {
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
