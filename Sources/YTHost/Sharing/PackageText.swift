// What is said of packages: listings and descriptions, as rows of a table.

enum PackageText {
    static func signer(_ entry: PackageLock.Entry) -> String {
        switch (entry.signer, entry.key) {
        case (let signer?, let key): "signed by \(signer)" + (key.map { " (\($0))" } ?? "")
        case (nil, let key?): "signed with \(key), which nobody here knows"
        case (nil, nil): "unsigned: nobody vouches for it"
        }
    }

    /// A description; one row a fact, then one a plugin.
    static func rows(
        _ name: String, _ entry: PackageLock.Entry, _ declared: [String: PluginManifest]
    ) -> [[String]] {
        var rows = [
            ["package", "\(name) \(entry.version)"], ["licence", entry.licence], ["from", entry.source],
        ]
        if let revision = entry.revision { rows.append(["commit", revision]) }
        rows += [["digest", entry.digest], ["signature", signer(entry)]]
        for plugin in entry.plugins {
            let manifest = declared[plugin.path]
            let roles = manifest.map { $0.isScript ? "script" : $0.roles.map(\.rawValue).joined(separator: " ") }
            let word = "\(name)/\(PackageManifest.plugin(plugin.path, of: name))"
            rows.append(["plugin", [word, roles, manifest?.summary].compactMap(\.self).joined(separator: "  ")])
            for grant in plugin.grants { rows.append(["asks for", "\(grant)  (\(word))"]) }
        }
        return rows
    }
}

extension PackageDesk {
    /// One row a package.
    public func list() throws(HostError) -> [[String]] {
        try home.lock().packages.sorted { $0.key < $1.key }.map { name, entry in
            [
                name, entry.version.description, "\(entry.plugins.count) plugins",
                entry.signer ?? (entry.key == nil ? "unsigned" : "unknown key"), entry.source,
            ]
        }
    }

    /// What is known of a package, and what its plugins say of themselves.
    public func info(_ name: String) throws(HostError) -> [[String]] {
        let entry = try entry(of: name, in: try home.lock())
        let package = try LockedPackage(name, entry, in: home)
        var declared: [String: PluginManifest] = [:]
        let paths = entry.plugins.map(\.path)
        for (path, answer) in zip(paths, try host.manifestsIsolated(of: paths.map { "\(package.folder)/\($0)" })) {
            declared[path] = try? answer.get()
        }
        return PackageText.rows(name, entry, declared)
    }

    /// What the plugins of a package ask for, each as a command that gives it.
    public func askedFor(_ name: String) throws(HostError) -> [String] {
        let entry = try entry(of: name, in: try home.lock())
        return entry.plugins.filter { !$0.grants.isEmpty }.map { plugin in
            let grants = plugin.grants.map(ErrorReport.quoted).joined(separator: " ")
            return "ythost plugin allow \(word(for: plugin.path, of: name)) \(grants)"
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
