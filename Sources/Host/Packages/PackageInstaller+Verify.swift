// Verifies packages: files against the lock, signatures against the files, and the lock's other values against both.

import HostErrors

extension PackageInstaller {
    /// The result of a successful `verify`.
    public struct Verified {
        public var packages = 0
        public var plugins = 0
        /// Packages whose signer, as the lock names it, has no known key here.
        public var unknownSigners: [String] = []
    }

    /// Verifies files against the lock, signatures against the files, and the lock's values against both.
    ///
    /// - Parameter takesUnsigned: whether unsigned packages are accepted although there are allowed signers.
    /// - Throws: the first mismatch.
    public func verify(_ names: [String], takesUnsigned: Bool = false) throws(HostError) -> Verified {
        if !home.exists {
            throw .usage("there is no \(PackageLock.name) here or above", hint: "ythost plugin add makes one")
        }
        return try home.settled { lock throws(HostError) in
            var verified = Verified()
            for name in try named(names, in: lock) {
                let entry = try entry(of: name, in: lock)
                let package = try known(name, entry, asksPlugins: true)
                try check(package, from: entry.source, takesUnsigned: takesUnsigned)
                let contradictions = try package.contradictions(of: entry, named: name)
                if !contradictions.isEmpty {
                    throw .package(.falseLock(package: name, lock: home.lockPath, facts: contradictions))
                }
                if entry.signer != nil, package.signature.signer == nil { verified.unknownSigners.append(name) }
                verified.packages += 1
                verified.plugins += entry.plugins.count
            }
            return verified
        }
    }

    /// The installed package, which matches the lock.
    ///
    /// - Throws: `.package(.signature)` for an invalid signature, `.package(.signatureGone)` for a missing one,
    ///   `.package(.differs)` for other files.
    func known(
        _ name: String, _ entry: PackageLock.Entry, asksPlugins: Bool
    ) throws(HostError) -> CheckedPackage {
        var package = try CheckedPackage(try home.files(of: name, entry), place: name)
        try package.look(from: PackageSource.origin(of: entry.source), policy)
        if entry.key != nil, package.signature.key == nil {
            throw .package(.signatureGone(of: name))
        }
        if asksPlugins { try package.declare(manifests, in: home, isStrict: false) }
        return package
    }

    /// Fetches locked packages that are missing or changed. Only the locked bytes are accepted.
    ///
    /// - Returns: the names of the restored packages.
    public func restore(_ names: [String], takesUnsigned: Bool = false) throws(HostError) -> [String] {
        try home.checkPlace()
        var restored: [String] = []
        let lock = try home.lock()
        for name in try named(names, in: lock) {
            let known = try entry(of: name, in: lock)
            if let here = try? home.files(of: name, known), known.key == nil || here.signature != nil {
                // An installed package can be invalid by now, for example when its key was revoked.
                let package = try self.known(name, known, asksPlugins: false)
                try check(package, from: known.source, takesUnsigned: takesUnsigned)
                let contradictions = try package.contradictions(of: known, named: name)
                if !contradictions.isEmpty {
                    throw .package(.falseLock(package: name, lock: home.lockPath, facts: contradictions))
                }
                continue
            }
            var source = try PackageSource(locked: known.source, in: home)
            if case .git(var place) = source, let revision = known.revision {
                place.reference = revision
                source = .git(place)
            }
            let package = try fetch(source, as: known.source, takesUnsigned: takesUnsigned, isTyped: false).package
            let changes = known.changes(in: package.files)
            if !changes.isEmpty {
                throw .package(.differs(package: "\(name) from \(known.source)", lock: home.lockPath, changes: changes))
            }
            let contradictions = try package.contradictions(of: known, named: name)
            if !contradictions.isEmpty {
                throw .package(.falseLock(package: name, lock: home.lockPath, facts: contradictions))
            }
            try home.changing { lock throws(HostError) in
                guard lock.packages[name] == known else { throw .package(.busy(folder: home.folder)) }
                try home.take(package.files, as: name, known, in: &lock)
            }
            restored.append(name)
        }
        return restored
    }
}
