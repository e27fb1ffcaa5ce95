// What is said of packages: listings and descriptions, as rows of a table.

import Files
import HostErrors

enum PackageText {
    static func signer(_ signer: String?, _ key: String?) -> String {
        switch (signer, key) {
        case (let signer?, let key): "signed by \(signer)" + (key.map { " (\($0))" } ?? "")
        case (nil, let key?): "signed with \(key), which nobody here knows"
        case (nil, nil): "unsigned: nobody vouches for it"
        }
    }

    static func signer(_ found: PackageSignature.Finding) -> String {
        signer(found.signer, found.key)
            + (found.isProjectsWord ? ", as nobody but this project's \(SharingPolicy.projectName) says" : "")
    }

    /// A description; one row a fact, then one a plugin.
    ///
    /// - Parameter entry: for what the bytes do not say themselves: where they came from.
    static func rows(_ package: CheckedPackage, _ entry: PackageLock.Entry) throws(HostError) -> [[String]] {
        let name = package.manifest.name
        var rows = [
            ["package", "\(name) \(package.manifest.version)"], ["licence", package.manifest.licence],
            ["from", entry.source],
        ]
        if let revision = entry.revision { rows.append(["commit", revision]) }
        rows += [["digest", package.digest], ["signature", signer(package.signature)]]
        if let source = package.signature.source { rows.append(["signed for", source]) }
        for path in package.manifest.plugins {
            let manifest = package.declared?[path]
            let roles = manifest.map { $0.isScript ? "script" : $0.roles.map(\.rawValue).joined(separator: " ") }
            let word = "\(name)/\(PackageManifest.plugin(path, of: name))"
            rows.append(["plugin", [word, roles, manifest?.summary].compactMap(\.self).joined(separator: "  ")])
            for grant in try package.grants(of: path) { rows.append(["asks for", "\(grant)  (\(word))"]) }
        }
        return rows
    }
}

extension PackageInstaller {
    /// One row a package: what it is where it is as it is locked, and else that it is not.
    public func list() throws(HostError) -> [[String]] {
        var rows: [[String]] = []
        for (name, entry) in try home.lock().packages.sorted(by: { $0.key < $1.key }) {
            do throws(HostError) {
                let package = try home.settled { lock throws(HostError) in
                    try known(name, try self.entry(of: name, in: lock), asksPlugins: false)
                }
                let found = package.signature
                rows.append([
                    name, package.manifest.version.description, "\(package.manifest.plugins.count) plugins",
                    found.signer ?? (found.key == nil ? "unsigned" : "unknown key"), entry.source,
                ])
            } catch {
                rows.append([name, "-", "refused", "plugin verify says why", entry.source])
            }
        }
        return rows
    }

    /// What is known of a package from its own bytes, what its plugins say of themselves, and what the lock says that is not
    /// so.
    public func info(_ name: String) throws(HostError) -> [[String]] {
        try home.settled { lock throws(HostError) in
            let entry = try entry(of: name, in: lock)
            let package = try known(name, entry, asksPlugins: true)
            var rows = try PackageText.rows(package, entry)
            // Nothing in the bytes says where they came from, unless somebody signed that.
            let origin = PackageSource.origin(of: entry.source)
            if origin == nil || package.signature.source != origin {
                for index in rows.indices where ["from", "commit"].contains(rows[index][0]) {
                    rows[index][1] += "  (as the lock says)"
                }
            }
            for fact in try package.contradictions(of: entry, named: name) {
                rows.append(["LOCK", "says otherwise: \(fact)"])
            }
            return rows
        }
    }

    /// What the plugins of a package ask for, each as a command that gives it.
    public func askedFor(_ name: String) throws(HostError) -> [String] {
        try home.settled { lock throws(HostError) in
            var package = try CheckedPackage(try home.files(of: name, try entry(of: name, in: lock)), place: name)
            try package.declare(manifests, in: home, isStrict: false)
            var commands: [String] = []
            for path in package.manifest.plugins {
                let grants = try package.grants(of: path).map(ErrorReport.quoted).joined(separator: " ")
                if !grants.isEmpty { commands.append("ythost plugin allow \(word(for: path, of: name)) \(grants)") }
            }
            return commands
        }
    }

    /// How a plugin is called: by name where a bare name leads to this home, else by its path.
    private func word(for path: String, of name: String) -> String {
        isUsers
            ? "\(name)/\(PackageManifest.plugin(path, of: name))"
            : ErrorReport.quoted("\(home.plugins)/\(name)/\(path)")
    }

    /// A folder as one file, the same bytes whoever packs it.
    ///
    /// - Returns: the bytes, and the file's usual name.
    public static func pack(_ folder: String) throws(HostError) -> (bytes: [UInt8], name: String) {
        let files = try PackageFiles(folder: folder)
        let manifest = try PackageManifest(of: files, place: folder)
        return (PackageArchive.bytes(of: files, name: manifest.name), "\(manifest.name)-\(manifest.version).tar")
    }

    /// Signs a folder: `ythost.sig` is written there.
    ///
    /// - Parameters:
    ///   - source: where it is published, as it will be added from there, without a tag or commit.
    ///   - key: the file of a key, as `PackageSignature.sign` takes it.
    /// - Returns: what was signed, in words.
    public static func sign(_ folder: String, source: String, key: String) throws(HostError) -> String {
        let files = try PackageFiles(folder: folder)
        let manifest = try PackageManifest(of: files, place: folder)
        let place = PackageSource.place(of: source)
        let signature = try PackageSignature.sign(files, manifest, source: place, key: key)
        let sink = try FileSink(path: folder + "/" + PackageFiles.signatureName)
        try sink.write(signature.bytes)
        try sink.commit()
        return "\(manifest.name) \(manifest.version) for \(place), sha256:\(try files.digest())"
    }
}
