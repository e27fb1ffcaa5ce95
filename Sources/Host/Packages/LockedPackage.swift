// Plugins of packages, found by their path or as `team/rss`. Before one is loaded, its whole package is read and held
// against the lock; the plugin and its modules are then taken from what was read, so that the bytes that run are the bytes
// that were hashed, whatever happens to the files meanwhile.

import Files
import Glibc
import HostErrors

/// A package whose files were read and checked.
package final class LockedPackage: Sendable {
    let name: String
    package let home: PackageDirectory
    let files: PackageFiles
    /// Of all its files.
    let digest: String

    /// - Parameter files: as they are locked, or as they would be.
    init(_ name: String, _ files: PackageFiles, in home: PackageDirectory) throws(HostError) {
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
package struct PackagePlace: Sendable {
    package let package: LockedPackage
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
    static func home(of folder: Folder) -> PackageDirectory? {
        guard FileSystem.base(of: folder.path) == "plugins" else { return nil }
        let home = PackageDirectory(folder: FileSystem.folder(of: folder.path))
        return home.exists ? home : nil
    }

    /// Whose packages names lead to.
    enum Owner { case user, project }

    /// The homes of an owner's packages. A project's is the nearest upwards from the current folder.
    private func homes(of owner: Owner) -> [PackageDirectory] {
        let own = folders.compactMap(Self.home)
        guard owner == .project else { return own }
        guard let home = PackageDirectory.nearest(from: "."),
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
        let trail = try PathAliases(to: path)
        var found: PluginFile?
        var isUnlocked = false
        for home in try trail.homes() {
            let places = trail.places(in: home)
            var plugin: PluginFile?
            if !places.isEmpty {
                plugin = try home.settled { lock throws(HostError) -> PluginFile? in
                    var first: PluginFile?
                    for (name, inside) in places {
                        guard let entry = lock.packages[name] else { continue }
                        let plugin = try checked(name, entry, in: home).plugin(inside, shown: path)
                        first = first ?? plugin
                    }
                    return first
                }
            }
            found = found ?? plugin
            // It wants only what it has locked itself to run.
            if plugin == nil, rules != nil, trail.isIn(home), try home.rules()?.isLocked == true { isUnlocked = true }
        }
        if isUnlocked, !isShipped(path) { throw .package(.unlocked(path: path)) }
        return found
    }

    /// A package whose files are as they are locked, and that the user's policy and those of all projects around let run.
    private func checked(
        _ name: String, _ entry: PackageLock.Entry, in home: PackageDirectory
    ) throws(HostError) -> LockedPackage {
        let package = try LockedPackage(name, try home.files(of: name, entry), in: home)
        guard let rules else { return package }
        for outer in home.around() where try outer.rules()?.isLocked == true {
            throw .package(.unlocked(path: package.folder))
        }
        let policy = try rules.with(home)
        if policy.isSigned { try package.checkSignature(entry, policy) }
        return package
    }
}

extension LockedPackage {
    /// Refuses a package whose signature does not hold now, whatever it did when it was taken.
    ///
    /// - Parameter entry: what the lock says of it; nil for asking the lock.
    func checkSignature(_ entry: PackageLock.Entry? = nil, _ policy: SharingPolicy) throws(HostError) {
        let locked = if let entry { entry } else { try home.lock().packages[name] }
        guard let entry = locked else { return }
        let finding = try PackageSignature.finding(
            of: files, try PackageManifest(of: files, place: name), from: PackageSource.origin(of: entry.source), policy
        )
        try policy.checkSigned(name, finding)
        if entry.key != nil, finding.key == nil { throw .package(.signatureGone(of: name)) }
    }
}
