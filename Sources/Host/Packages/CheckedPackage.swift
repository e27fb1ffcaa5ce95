// What a package is, found out from its bytes: its manifest, who signed it, and what its plugins declare. What is easily got
// wrong: a lock may be anybody's, and what it says beside the digests of files is a claim. So what is told to people, and
// what decisions rest on, comes from here, and a lock is held against it.

import HostErrors

/// A package and what its own bytes say.
struct CheckedPackage {
    let files: PackageFiles
    let manifest: PackageManifest
    let digest: String
    var signature = PackageSignature.Finding()
    /// What its plugins declare, by their path; nil where nobody asked them. One that cannot be asked is missing.
    var declared: [String: PluginManifest]?

    init(_ files: PackageFiles, place: String) throws(HostError) {
        self.files = files
        manifest = try PackageManifest(of: files, place: place)
        digest = "sha256:" + (try files.digest())
    }

    /// Looks at who signed it.
    ///
    /// - Parameter origin: where it comes from in the network, as a signature must say it; nil for a path.
    mutating func look(from origin: String?, _ policy: SharingPolicy) throws(HostError) {
        signature = try PackageSignature.finding(of: files, manifest, from: origin, policy)
    }

    /// Has its plugins declare what they are, in a process of their own; from these bytes, wherever they lie.
    ///
    /// - Parameter isStrict: whether one that cannot be loaded is an error.
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
        // What cannot be read as a grant is told before anything is taken.
        if isStrict { for path in manifest.plugins { _ = try grants(of: path) } }
    }

    /// What a plugin asks for. Grants are written one way, however a plugin writes them.
    func grants(of path: String) throws(HostError) -> [String] {
        var grants: Set<String> = []
        for need in declared?[path]?.needs ?? [] {
            let grant: Grant
            do throws(HostError) { grant = try Grant(need) } catch {
                throw .package(.badFile(path: path, reason: "it asks for '\(need)', and \(error)"))
            }
            // Given to whatever is named on a command line.
            if grant != .search { grants.insert(grant.description) }
        }
        return grants.sorted()
    }

    /// What a lock says of it.
    ///
    /// - Parameters:
    ///   - source: where it came from, as it was asked for.
    ///   - revision: the commit it was, when git told.
    func entry(source: String, revision: String?) throws(HostError) -> PackageLock.Entry {
        var plugins: [PackageLock.Entry.Plugin] = []
        for path in manifest.plugins { plugins.append(.init(path: path, grants: try grants(of: path))) }
        return PackageLock.Entry(
            version: manifest.version, api: manifest.api, licence: manifest.licence, source: source,
            revision: revision, digest: digest, files: files.files.map { .init(path: $0.path, digest: $0.digest) },
            plugins: plugins, signer: signature.signer, key: signature.key)
    }

    /// What a lock says of it that is not so, in words; empty when all is. Who it says has signed is not known to somebody
    /// who does not know the key.
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
