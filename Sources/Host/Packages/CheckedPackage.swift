// A package's properties, derived from its bytes: manifest, signer, and the declarations of its plugins. A lock is
// untrusted: apart from the file digests, its values are claims. Decisions and displays use the properties here, and
// the lock is compared with them.

import Basics
import HostErrors

/// A package and the properties derived from its bytes.
struct CheckedPackage {
    let files: PackageFiles
    let manifest: PackageManifest
    let digest: String
    var signature = PackageSignature.Finding()
    /// The declarations of its plugins, by path; nil before `declare`. Plugins that could not be loaded are missing.
    var declared: [String: PluginManifest]?

    init(_ files: PackageFiles, place: String) throws(HostError) {
        self.files = files
        manifest = try PackageManifest(of: files, place: place)
        digest = "sha256:" + (try files.digest())
    }

    /// Checks the signature.
    ///
    /// - Parameter origin: the network source that the signature must name; nil for a local path.
    /// - Throws: `.package(.signature)` when the signature is invalid.
    mutating func look(from origin: String?, _ policy: SharingPolicy) throws(HostError) {
        signature = try PackageSignature.finding(of: files, manifest, from: origin, policy)
    }

    /// Loads the plugins in a child process to read their declarations. It uses these bytes, not the files on disk.
    ///
    /// - Parameter isStrict: whether a plugin that cannot be loaded is an error.
    mutating func declare(_ manifests: PluginManifestReader, in home: PackageDirectory, isStrict: Bool)
        throws(HostError)
    {
        let package = try LockedPackage(manifest.name, files, in: home)
        var plugins: [PluginFile] = []
        for path in manifest.plugins { plugins.append(try package.plugin(path)) }
        var all: [String: PluginManifest] = [:]
        let answers = try manifests(plugins)
        for (path, answer) in zip(manifest.plugins, answers) {
            do throws(HostError) { all[path] = try answer.get() } catch { if isStrict { throw error } }
        }
        declared = all
        // Report malformed grants before anything is installed.
        if isStrict { for path in manifest.plugins { _ = try grants(of: path) } }
    }

    /// The grants that a plugin requests, in canonical form and sorted by bytes.
    ///
    /// - Throws: `.package(.badFile)` for a malformed grant.
    func grants(of path: String) throws(HostError) -> [String] {
        var grants: Set<Grant> = []
        for need in declared?[path]?.needs ?? [] {
            let grant: Grant
            do throws(HostError) { grant = try Grant(need) } catch {
                throw .package(.badFile(path: path, reason: "it asks for '\(Text.visible(need))', and \(error)"))
            }
            // Every plugin that is named on a command line has this grant.
            if grant != .search { grants.insert(grant) }
        }
        return grants.map(\.description).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// The lock entry for this package.
    ///
    /// - Parameters:
    ///   - source: the source as the user named it.
    ///   - revision: the commit, for git sources.
    func entry(source: String, revision: String?) throws(HostError) -> PackageLock.Entry {
        var plugins: [PackageLock.Entry.Plugin] = []
        for path in manifest.plugins { plugins.append(.init(path: path, grants: try grants(of: path))) }
        return PackageLock.Entry(
            version: manifest.version, api: manifest.api, licence: manifest.licence, source: source,
            revision: revision, digest: digest, files: files.files.map { .init(path: $0.path, digest: $0.digest) },
            plugins: plugins, signer: signature.signer, key: signature.key)
    }

    /// Describes every value of a lock entry that does not match the package; empty when all match. The signer's name
    /// is compared only when the key is known here, or when neither side has a key.
    func contradictions(of entry: PackageLock.Entry, named name: String) throws(HostError) -> [String] {
        var found: [String] = []
        func compare(_ what: String, _ said: String?, _ fact: String?) {
            if said != fact { found.append("\(what) is \(fact ?? "none") and not \(said ?? "none")") }
        }
        compare("its name", name, manifest.name)
        compare("its version", entry.version.description, manifest.version.description)
        compare("its api", "\(entry.api)", "\(manifest.api)")
        compare("its licence", entry.licence, manifest.licence)
        compare("its digest", entry.digest, digest)
        compare("the key that signed it", entry.key, signature.key)
        if let signer = signature.signer { compare("its signer", entry.signer, signer) }
        if signature.key == nil, entry.key == nil { compare("its signer", entry.signer, nil) }
        compare(
            "the list of its plugins", entry.plugins.map(\.path).sorted().joined(separator: " "),
            manifest.plugins.joined(separator: " "))
        guard let declared else { return found }
        for plugin in entry.plugins where declared[plugin.path] != nil {
            let asked = try grants(of: plugin.path)
            compare(
                "what \(plugin.path) asks for", plugin.grants.sorted().joined(separator: " "),
                asked.joined(separator: " "))
        }
        return found
    }
}
