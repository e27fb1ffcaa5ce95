// Descriptions and listings of packages, as table rows.

import Basics
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

    /// A description: one row per property, then one per plugin and grant.
    ///
    /// - Parameter entry: supplies the source and commit, which the bytes do not contain.
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
            for grant in try package.grants(of: path) {
                rows.append(["asks for", "\(Text.visible(grant))  (\(word))"])
            }
        }
        return rows
    }
}

extension PackageInstaller {
    /// One row per package. Packages that do not match the lock are listed as refused.
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

    /// A description from the package's bytes, its plugins' declarations, and the lock's values that do not match.
    public func info(_ name: String) throws(HostError) -> [[String]] {
        try home.settled { lock throws(HostError) in
            let entry = try entry(of: name, in: lock)
            let package = try known(name, entry, asksPlugins: true)
            var rows = try PackageText.rows(package, entry)
            // Source and commit are claims of the lock, unless the signature confirms the source.
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

    /// The requested grants of a package's plugins, as commands that give them.
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

    /// A plugin's name on the command line: by package and name for the user's packages, by path otherwise.
    private func word(for path: String, of name: String) -> String {
        isUsers
            ? "\(name)/\(PackageManifest.plugin(path, of: name))"
            : ErrorReport.quoted("\(home.plugins)/\(name)/\(path)")
    }

    /// Packs a folder into an archive. The result is the same on every machine.
    ///
    /// - Returns: the bytes, and the default file name.
    public static func pack(_ folder: String) throws(HostError) -> (bytes: [UInt8], name: String) {
        let files = try PackageFiles(folder: folder)
        let manifest = try PackageManifest(of: files, place: folder)
        return (PackageArchive.bytes(of: files, name: manifest.name), "\(manifest.name)-\(manifest.version).tar")
    }

    /// Signs a folder and writes `ythost.sig` into it.
    ///
    /// - Parameters:
    ///   - source: the source from which it will be added, without a tag or commit.
    ///   - key: a key file, as for `PackageSignature.sign`.
    /// - Returns: a description of what was signed.
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
