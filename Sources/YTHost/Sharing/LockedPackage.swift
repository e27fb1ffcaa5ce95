// Plugins of packages, found by their path or as `team/rss`. Before one is loaded, its whole package is read and held
// against the lock; the plugin and its modules are then taken from what was read, so that the bytes that run are the bytes
// that were hashed, whatever happens to the files meanwhile.

import Glibc

/// A package whose files are as they are locked.
final class LockedPackage: Sendable {
    let name: String
    let home: PackageHome
    let entry: PackageLock.Entry
    let files: PackageFiles

    init(_ name: String, _ entry: PackageLock.Entry, in home: PackageHome) throws(HostError) {
        self.name = name
        self.home = home
        self.entry = entry
        files = try home.files(of: name, entry)
    }

    /// Its place, as messages show it.
    var folder: String { "\(home.plugins)/\(name)" }

    /// - Parameter path: in the package.
    func plugin(_ path: String, shown: String? = nil) throws(HostError) -> PluginFile {
        guard let file = files[path] else {
            throw .package(.differs(package: name, lock: home.lockPath, changes: ["\(path) is new"]))
        }
        let place = shown ?? "\(folder)/\(path)"
        return PluginFile(
            name: PackageManifest.plugin(path, of: name), path: place, folder: FileSystem.folder(of: place),
            text: file.bytes, package: .init(package: self, path: path))
    }
}

/// A plugin's place in a package.
struct PackagePlace: Sendable {
    let package: LockedPackage
    let path: String

    /// What grants are kept under: these bytes, and this plugin of them.
    var digest: String { "\(package.entry.digest)/\(path)" }

    /// A module beside the plugin or in its `lib`.
    ///
    /// - Parameter relative: as `name/name.lua`.
    func module(_ relative: String) -> (text: [UInt8], path: String)? {
        let below = path.contains("/") ? FileSystem.folder(of: path) + "/" : ""
        for candidate in [below + relative, "\(below)lib/\(relative)"] {
            if let file = package.files[candidate] { return (file.bytes, "\(package.folder)/\(candidate)") }
        }
        return nil
    }
}

extension PluginLocator {
    /// The packages beside a folder of plugins.
    static func home(of folder: Folder) -> PackageHome? {
        guard FileSystem.base(of: folder.path) == "plugins" else { return nil }
        let home = PackageHome(folder: FileSystem.folder(of: folder.path))
        return home.exists ? home : nil
    }

    /// A plugin by name (`rss`), or by that of its package, too (`team/rss`); nil when no package has one.
    func lockedPlugin(_ plugin: String, of package: String? = nil) throws(HostError) -> PluginFile? {
        for folder in folders {
            guard let home = Self.home(of: folder) else { continue }
            let found = try Self.settled(home) { lock throws(HostError) -> PluginFile? in
                let having = lock.packages.filter { name, entry in
                    (package == nil || package == name) && entry.plugin(plugin, of: name) != nil
                }
                if having.count > 1 {
                    throw .package(.ambiguous(plugin: plugin, packages: having.keys.sorted()))
                }
                guard let (name, entry) = having.first, let place = entry.plugin(plugin, of: name) else { return nil }
                return try checked(LockedPackage(name, entry, in: home)).plugin(place.path)
            }
            if let found { return found }
        }
        return nil
    }

    /// The plugin at a path, if that is in a package of a lock further up. Where several locks cover it, all must hold.
    func lockedPlugin(at path: String) throws(HostError) -> PluginFile? {
        var found: PluginFile?
        // Whether it is in a project that wants only what is locked to run.
        var isInProject = false
        for file in Self.places(of: path) {
            var place = FileSystem.folder(of: file)
            while true {
                let home = PackageHome(folder: place)
                if home.exists {
                    if try rules?.with(home).isLocked == true { isInProject = true }
                    let inPlugins = file.isAt(home.plugins)
                    let parts = file.dropFirst(home.plugins.count + 1).split(separator: "/", maxSplits: 1)
                    if inPlugins, parts.count == 2 {
                        let (name, inside) = (String(parts[0]), String(parts[1]))
                        let plugin = try Self.settled(home) { lock throws(HostError) -> PluginFile? in
                            guard let entry = lock.packages[name] else { return nil }
                            return try checked(LockedPackage(name, entry, in: home)).plugin(inside, shown: path)
                        }
                        found = found ?? plugin
                    }
                }
                if place == "/" || place == "." { break }
                place = FileSystem.folder(of: place)
            }
        }
        if isInProject, found == nil, !isShipped(path) { throw .package(.unlocked(path: path)) }
        return found
    }

    /// A package that the user's and its project's policy let run.
    private func checked(_ package: LockedPackage) throws(HostError) -> LockedPackage {
        guard let policy = try rules?.with(package.home), policy.isSigned else { return package }
        let manifest = try PackageManifest(of: package.files, place: package.name)
        let verdict = try PackageSignature.verdict(of: package.files, manifest, from: nil, policy).0
        if case .signed = verdict { return package }
        throw .package(.refused("'\(package.name)', which nobody allowed has signed,", policy: "the policy"))
    }

    /// The path as it is written and, where links make that another, as it really is.
    private static func places(of path: String) -> [String] {
        var places: [String] = []
        if let real = FileSystem.realPath(path) { places.append(real) }
        let isPlain = !path.split(separator: "/").contains { $0 == ".." || $0 == "." }
        if isPlain || places.isEmpty, let folder = path.hasPrefix("/") ? "" : FileSystem.realPath(".") {
            let written = path.hasPrefix("/") ? path : (folder == "/" ? "/" : folder + "/") + path
            if places.first?.utf8.elementsEqual(written.utf8) != true { places.append(written) }
        }
        return places
    }

    /// Looks at a lock and what it names. Files that differ may be those of an update that is just taking place: then the
    /// lock has changed, and is looked at again.
    private static func settled(
        _ home: PackageHome, _ body: (PackageLock) throws(HostError) -> PluginFile?
    ) throws(HostError) -> PluginFile? {
        var lock = try home.lock()
        for _ in 0..<4 {
            do throws(HostError) { return try body(lock) } catch {
                guard case .package(.differs) = error, let now = try? home.lock(), now != lock else { throw error }
                lock = now
            }
        }
        return try body(lock)
    }
}
