// Adds, updates and removes packages. Everything is fetched, checked and shown to the user before it is installed in
// one step. Nothing here gives a grant: the lock records requested grants, and only `plugin allow` gives them, for the
// exact bytes installed then.

import Files
import HostErrors
import VideoServices

/// The installer for one package directory.
public struct PackageInstaller {
    public let home: PackageDirectory
    /// The folders in which plugins are looked up.
    let folders: [PluginLocator.Folder]
    let manifests: PluginManifestReader
    let policy: SharingPolicy
    let network: Network

    /// The user's choices for an operation.
    public struct Choices {
        /// Accepts changes without a question, except for new grants.
        public var agrees = false
        /// New grants that the user accepted explicitly.
        public var accepted: [Grant] = []
        public var takesUnsigned = false
        public var takesOlder = false
        /// Whether an update also shows the changed lines.
        public var showsLines = false
        /// Asks the user a yes/no question; nil when no user is present.
        public var ask: ((String) throws(HostError) -> Bool)?
        /// Shows text to the user before a question.
        public var show: (String) throws(HostError) -> Void = { _ in }

        public init() {}
    }

    package init(
        home: PackageDirectory, folders: [PluginLocator.Folder], network: Network, policy: SharingPolicy,
        manifests: @escaping PluginManifestReader
    ) throws(HostError) {
        self.home = home
        self.folders = folders
        self.manifests = manifests
        self.network = network
        self.policy = try policy.with(home)
    }

    /// Whether bare plugin names resolve to these packages: true for the user's own packages, false for a project's.
    var isUsers: Bool { folders.contains { PluginLocator.home(of: $0)?.folder == home.folder } }

    // MARK: Fetching

    struct Fetched {
        var package: CheckedPackage
        var revision: String?
        /// The source as written in the lock.
        var source: String

        var name: String { package.manifest.name }
    }

    /// Fetches a package and checks its signature.
    ///
    /// - Parameter isTyped: whether the user named the source. A source from a project's lock is untrusted.
    func fetch(
        _ source: PackageSource, as text: String, takesUnsigned: Bool, isTyped: Bool
    ) throws(HostError) -> Fetched {
        let files: PackageFiles
        var revision: String?
        let isTrusted = isTyped || isUsers || policy.names(PackageSource.place(of: text))
        switch source {
        case .folder(let path): files = try PackageFiles(folder: path)
        case .archive(let path):
            files = try ArchiveReader.files(
                of: try FileSystem.readFile(path, limit: ArchiveReader.largest), place: path)
        case .address(let address, _):
            files = try ArchiveReader.files(
                of: try PackageDownload.bytes(of: address, network: network, isTyped: isTrusted), place: "\(address)")
        case .git(let place): (files, revision) = try PackageGit.fetch(place, source: text, isTyped: isTrusted)
        }
        var package = try CheckedPackage(files, place: text)
        try package.look(from: PackageSource.origin(of: text), policy)
        try check(package, from: text, takesUnsigned: takesUnsigned)
        return Fetched(package: package, revision: revision, source: text)
    }

    /// Refuses a package that lacks a required signature.
    func check(_ package: CheckedPackage, from source: String, takesUnsigned: Bool) throws(HostError) {
        let name = package.manifest.name
        try policy.checkSigned(name, package.signature)
        let place = package.signature.source ?? PackageSource.place(of: source)
        if case .unsigned = package.signature.verdict, !policy.signers(of: place).isEmpty, !takesUnsigned {
            throw .package(
                .unsigned(package: name, reason: "it has no signature, and there are allowed signers for \(place)"))
        }
    }

    // MARK: Adding

    /// Adds a package and shows its description.
    ///
    /// - Returns: the package's name.
    /// - Throws: `.package(.taken)` when the name is in use, and other package faults.
    public func add(_ source: PackageSource, _ choices: Choices) throws(HostError) -> String {
        try home.checkPlace()
        var fetched = try fetch(source, as: source.text(in: home), takesUnsigned: choices.takesUnsigned, isTyped: true)
        let name = fetched.name
        try home.changing { lock throws(HostError) in
            if let known = lock.packages[name] {
                throw .package(.taken(package: name, lock: home.lockPath, source: known.source))
            }
            // The same files without a lock: what is left after a damaged lock was removed.
            let isLeft = home.isLeft(name, fetched.package.digest)
            if !isLeft, home.isTaken(name) { throw .package(.taken(package: name, lock: home.lockPath, source: nil)) }
            try fetched.package.declare(manifests, in: home, isStrict: true)
            let entry = try fetched.package.entry(source: fetched.source, revision: fetched.revision)
            try choices.show(TextTable.text(try PackageText.rows(fetched.package, entry)))
            try home.take(fetched.package.files, as: name, entry, in: &lock)
        }
        return name
    }

    // MARK: The rest

    /// Removes a package. Grants stay recorded for the removed bytes.
    public func remove(_ name: String) throws(HostError) {
        try home.checkPlace()
        try home.changing { lock throws(HostError) in
            _ = try entry(of: name, in: lock)
            try home.remove(name, in: &lock)
        }
    }

    func entry(of name: String, in lock: PackageLock) throws(HostError) -> PackageLock.Entry {
        guard let entry = lock.packages[name] else {
            let near = Nearest.name(to: name, among: lock.packages.keys)
            throw .package(.unknown(package: name, lock: home.lockPath, near: near))
        }
        return entry
    }

    /// The given names, checked against the lock; all names when empty.
    func named(_ names: [String], in lock: PackageLock) throws(HostError) -> [String] {
        for name in names { _ = try entry(of: name, in: lock) }
        return names.isEmpty ? lock.packages.keys.sorted() : names
    }

    /// The names of all packages, sorted.
    public func names() throws(HostError) -> [String] { try home.lock().packages.keys.sorted() }
}
