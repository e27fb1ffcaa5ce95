// Plugins of packages, found by their path or as `team/rss`. Before one is loaded, its whole package is read and held
// against the lock; the plugin and its modules are then taken from what was read, so that the bytes that run are the bytes
// that were hashed, whatever happens to the files meanwhile.

import Glibc

/// A package whose files were read and checked.
final class LockedPackage: Sendable {
    let name: String
    let home: PackageHome
    let files: PackageFiles
    /// Of all its files.
    let digest: String

    /// - Parameter files: as they are locked, or as they would be.
    init(_ name: String, _ files: PackageFiles, in home: PackageHome) throws(HostError) {
        self.name = name
        self.home = home
        self.files = files
        digest = "sha256:" + (try files.digest())
    }

    /// Its place, as messages show it.
    var folder: String { "\(home.plugins)/\(name)" }

    /// - Parameter path: in the package.
    func plugin(_ path: String, shown: String? = nil) throws(HostError) -> PluginFile {
        let place = shown ?? "\(folder)/\(path)"
        guard let file = files[path] else {
            if FileSystem.kind(of: place) == nil { throw .pluginNotFound(name: place, looked: ["\(folder)/\(path)"]) }
            throw .package(.differs(package: name, lock: home.lockPath, changes: ["\(path) is new"]))
        }
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
    var digest: String { "\(package.digest)/\(path)" }

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

    /// Whose packages names lead to.
    enum Owner { case user, project }

    /// The homes of an owner's packages. A project's is the nearest upwards from the current folder.
    private func homes(of owner: Owner) -> [PackageHome] {
        let own = folders.compactMap(Self.home)
        guard owner == .project else { return own }
        guard let home = PackageHome.nearest(from: "."),
            !own.contains(where: { FileSystem.absolute($0.folder) == home.folder })
        else { return [] }
        return [home]
    }

    /// A plugin by name (`rss`), or by that of its package, too (`team/rss`); nil when no package has one.
    func lockedPlugin(
        _ plugin: String, of package: String? = nil, owner: Owner
    ) throws(HostError) -> PluginFile? {
        for home in homes(of: owner) {
            let found = try home.settled { lock throws(HostError) -> PluginFile? in
                let having = lock.packages.filter { name, entry in
                    (package == nil || package == name) && entry.plugin(plugin, of: name) != nil
                }
                if having.count > 1 {
                    throw .package(.ambiguous(plugin: plugin, packages: having.keys.sorted()))
                }
                guard let (name, entry) = having.first, let place = entry.plugin(plugin, of: name) else { return nil }
                return try checked(name, entry, in: home).plugin(place.path)
            }
            if let found { return found }
        }
        return nil
    }

    /// A plugin by the name of its package and its own, of the user's packages or of the project's. Where both have it,
    /// and not the same, nobody can know which is meant.
    func lockedPlugin(_ plugin: String, of package: String) throws(HostError) -> PluginFile? {
        let users = try lockedPlugin(plugin, of: package, owner: .user)
        let projects = try lockedPlugin(plugin, of: package, owner: .project)
        guard let users, let projects, users.package?.digest != projects.package?.digest else {
            return users ?? projects
        }
        throw .package(.ambiguousPlace(plugin: "\(package)/\(plugin)", paths: [users.path, projects.path]))
    }

    /// The plugin at a path, if that is in a package of a lock further up. Where several locks cover it, all must hold.
    func lockedPlugin(at path: String) throws(HostError) -> PluginFile? {
        var found: PluginFile?
        // Whether it is in a project that wants only what is locked to run.
        var isInProject = false
        for file in FileSystem.spellings(of: path) {
            var place = FileSystem.folder(of: file)
            while true {
                let home = PackageHome(folder: place)
                if home.exists {
                    if try rules?.with(home).isLocked == true { isInProject = true }
                    let inPlugins = file.isAt(home.plugins)
                    let parts = file.dropFirst(home.plugins.count + 1).split(separator: "/", maxSplits: 1)
                    if inPlugins, parts.count == 2 {
                        let (name, inside) = (String(parts[0]), String(parts[1]))
                        let plugin = try home.settled { lock throws(HostError) -> PluginFile? in
                            guard let entry = lock.packages[name] else { return nil }
                            return try checked(name, entry, in: home).plugin(inside, shown: path)
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

    /// A package whose files are as they are locked, and that the user's and its project's policy let run.
    private func checked(
        _ name: String, _ entry: PackageLock.Entry, in home: PackageHome
    ) throws(HostError) -> LockedPackage {
        let files = try home.files(of: name, entry)
        if let policy = try rules?.with(home), policy.isSigned {
            let manifest = try PackageManifest(of: files, place: name)
            let finding = try PackageSignature.finding(
                of: files, manifest, from: PackageSource.origin(of: entry.source), policy)
            try policy.checkSigned(name, finding)
        }
        return try LockedPackage(name, files, in: home)
    }
}

extension FileSystem {
    /// Every absolute path that a path goes by: as it is written, and with one link after another replaced by what it leads
    /// to. The last comes first, which has no link in it. The dots of `./` and `../` mean what the system takes them for.
    static func spellings(of path: String) -> [String] {
        var rest = path.split(separator: "/").map(String.init)
        var folder: [String] = []
        if !path.hasPrefix("/") { folder = realPath(".")?.split(separator: "/").map(String.init) ?? [] }
        var found: [String] = []
        func add(_ parts: [String]) { found.append("/" + parts.joined(separator: "/")) }
        // As many as the kernel follows.
        var links = 40
        while !rest.isEmpty {
            let part = rest.removeFirst()
            if part == "." { continue }
            if part == ".." {
                _ = folder.popLast()
                continue
            }
            let place = "/" + (folder + [part]).joined(separator: "/")
            guard links > 0, kind(of: place) == S_IFLNK, let target = link(at: place) else {
                folder.append(part)
                continue
            }
            links -= 1
            let below = rest.filter { $0 != "." }
            if !below.contains("..") { add(folder + [part] + below) }
            if target.hasPrefix("/") { folder = [] }
            rest = target.split(separator: "/").map(String.init) + rest
        }
        add(folder)
        return found.reversed()
    }

    private static func link(at path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &buffer, buffer.count)
        return count > 0 ? String(validating: buffer.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
    }
}
