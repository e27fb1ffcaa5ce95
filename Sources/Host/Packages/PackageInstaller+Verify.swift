// Whether packages are what they are said to be: files against the lock, signatures against files, and the lock against
// what files and signatures say.

import HostErrors

extension PackageInstaller {
    /// What `verify` found in order.
    public struct Verified {
        public var packages = 0
        public var plugins = 0
        /// Packages of which the lock names a signer whose key nobody here knows.
        public var unknownSigners: [String] = []
    }

    /// Holds packages against the lock, signatures against the files, and what the lock says against both.
    ///
    /// - Parameter takesUnsigned: whether one without a signature is in order, though there are allowed signers.
    /// - Throws: the first that is not as it is locked.
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

    /// A package that is here as it is locked, and what it says itself.
    ///
    /// - Throws: `.package(.signature)` for a signature that does not hold, `.package(.differs)` for other files.
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

    /// Fetches what is locked where it is not there; nothing else is taken than the locked bytes.
    ///
    /// - Returns: the packages that were not as they are locked.
    public func restore(_ names: [String], takesUnsigned: Bool = false) throws(HostError) -> [String] {
        try home.checkPlace()
        var restored: [String] = []
        let lock = try home.lock()
        for name in try named(names, in: lock) {
            let known = try entry(of: name, in: lock)
            if let here = try? home.files(of: name, known), known.key == nil || here.signature != nil {
                // What is there need not be good any more: keys are taken back.
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
