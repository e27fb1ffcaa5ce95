// Plugins in locked packages, found by path or by a name such as `team/rss`. The whole package is read and checked
// against the lock before a plugin is loaded. The plugin and its modules are loaded from those checked bytes, so later
// changes to the files have no effect.

import Files
import Glibc
import HostErrors

/// A package whose files were read and checked.
package final class LockedPackage: Sendable {
    let name: String
    package let home: PackageDirectory
    let files: PackageFiles
    /// The digest of all files.
    let digest: String

    /// - Parameter files: the files as locked, or as they would be locked.
    init(_ name: String, _ files: PackageFiles, in home: PackageDirectory) throws(HostError) {
        self.name = name
        self.home = home
        self.files = files
        digest = "sha256:" + (try files.digest())
    }

    /// The package's folder, as shown in messages.
    var folder: String { "\(home.plugins)/\(name)" }

    /// - Parameters:
    ///   - path: the plugin's path in the package.
    ///   - shown: the path to show in messages; nil for the path in the package's folder.
    /// - Throws: `.pluginNotFound`, or `.package(.differs)` for a file that is not locked.
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

/// The location of a plugin in a package.
package struct PackagePlace: Sendable {
    package let package: LockedPackage
    let path: String

    /// The key of the plugin's grants: the package's digest and the plugin's path.
    var digest: String { "\(package.digest)/\(path)" }

    /// A module beside the plugin or in its `lib`; nil when there is none.
    ///
    /// - Parameter relative: a path such as `name/name.lua`.
    func module(_ relative: String) -> (text: [UInt8], path: String)? {
        let below = path.contains("/") ? FileSystem.folder(of: path) + "/" : ""
        for candidate in [below + relative, "\(below)lib/\(relative)"] {
            if let file = package.files[candidate] { return (file.bytes, "\(package.folder)/\(candidate)") }
        }
        return nil
    }
}

extension PluginLocator {
    /// The package directory that a plugin folder belongs to; nil when it belongs to none.
    static func home(of folder: Folder) -> PackageDirectory? {
        guard FileSystem.base(of: folder.path) == "plugins" else { return nil }
        let home = PackageDirectory(folder: FileSystem.folder(of: folder.path))
        return home.exists ? home : nil
    }

    /// The owner of the packages in which a name is looked up.
    enum Owner { case user, project }

    /// The package directories of an owner. A project's is the nearest one above the current folder.
    private func homes(of owner: Owner) -> [PackageDirectory] {
        let own = folders.compactMap(Self.home)
        guard owner == .project else { return own }
        guard let home = PackageDirectory.nearest(from: "."),
            !own.contains(where: { FileSystem.absolute($0.folder) == home.folder })
        else { return [] }
        return [home]
    }

    /// Finds a plugin by name (`rss`), or by package and name (`team/rss`); nil when no package has it.
    ///
    /// - Throws: `.package(.ambiguous)` when several packages have it.
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

    /// Finds a plugin by package and name in the user's and the project's packages. Different plugins in both are
    /// ambiguous.
    ///
    /// - Throws: `.package(.ambiguousPlace)`.
    func lockedPlugin(_ plugin: String, of package: String) throws(HostError) -> PluginFile? {
        let users = try lockedPlugin(plugin, of: package, owner: .user)
        let projects = try lockedPlugin(plugin, of: package, owner: .project)
        guard let users, let projects, users.package?.digest != projects.package?.digest else {
            return users ?? projects
        }
        throw .package(.ambiguousPlace(plugin: "\(package)/\(plugin)", paths: [users.path, projects.path]))
    }

    /// The plugin at a path when the path is in a locked package; nil otherwise. When several locks cover the path, all
    /// must match.
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
            // This project runs only plugins in its own lock.
            if plugin == nil, rules != nil, trail.isIn(home), try home.rules()?.isLocked == true { isUnlocked = true }
        }
        if isUnlocked, !isShipped(path) { throw .package(.unlocked(path: path)) }
        return found
    }

    /// Reads a package and checks it against the lock, the user's policy and the policies of all enclosing projects.
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
    /// Checks the signature now, whatever its state was at installation.
    ///
    /// - Parameter entry: the lock entry; nil reads it from the lock.
    /// - Throws: `.package` when the signature is invalid, missing or not allowed.
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
