// Adding, updating and removing packages: everything is fetched and checked first, shown to whoever asked, and then taken
// at once. What is easily got wrong: nothing here gives a grant. A package asks, the lock writes down that it asks, and only
// `plugin allow` gives, for the very bytes that are there then.

import VideoModel
import VideoServices

/// Packages of one place, and the work on them.
public struct PackageDesk {
    public let home: PackageHome
    let host: ScriptHost
    let policy: SharingPolicy
    let network: Network

    /// What whoever asks agrees to.
    public struct Choices {
        /// Changes are taken without a question, but for new grants.
        public var agrees = false
        /// New grants that are agreed to, by name.
        public var accepted: [Grant] = []
        public var takesUnsigned = false
        public var takesOlder = false
        /// Whether an update shows the lines that change, too.
        public var showsLines = false
        /// Asks a question that is answered with yes or no; nil where nobody is there.
        public var ask: ((String) throws(HostError) -> Bool)?
        /// Is told what there is to be read before a question.
        public var show: (String) throws(HostError) -> Void = { _ in }

        public init() {}
    }

    public init(home: PackageHome, host: ScriptHost, network: Network, policy: SharingPolicy) throws(HostError) {
        self.home = home
        self.host = host
        self.network = network
        self.policy = try policy.with(home)
    }

    /// Whether these are packages that bare names lead to: the user's own, and no project's.
    var isUsers: Bool { host.locator.folders.contains { PluginLocator.home(of: $0)?.folder == home.folder } }

    // MARK: Fetching

    struct Fetched {
        var files: PackageFiles
        var manifest: PackageManifest
        var revision: String?
        /// As the lock has it.
        var source: String
        var verdict: PackageSignature.Verdict
    }

    /// Fetches a package and looks at who signed it.
    ///
    /// - Parameter isTyped: whether the user named the source. A project's lock may be anybody's.
    func fetch(
        _ source: PackageSource, as text: String, takesUnsigned: Bool, isTyped: Bool
    ) throws(HostError) -> Fetched {
        let files: PackageFiles
        var revision: String?
        var origin: String?
        switch source {
        case .folder(let path): files = try PackageFiles(folder: path)
        case .archive(let path):
            files = try ArchiveReader.files(
                of: try FileSystem.read(path, limit: ArchiveReader.largest), place: path)
        case .address(let address, _):
            files = try ArchiveReader.files(
                of: try PackageDownload.bytes(of: address, network: network, isTyped: isTyped || isUsers),
                place: "\(address)")
            origin = text
        case .git(let place):
            (files, revision) = try PackageGit.fetch(place, source: text, isTyped: isTyped || isUsers)
            origin = PackageSource.place(of: text)
        }
        let manifest = try PackageManifest(of: files, place: text)
        let (verdict, signedSource) = try PackageSignature.verdict(of: files, manifest, from: origin, policy)
        let place = signedSource ?? origin ?? text
        try check(verdict, of: manifest.name, from: place, takesUnsigned: takesUnsigned)
        return Fetched(files: files, manifest: manifest, revision: revision, source: text, verdict: verdict)
    }

    private func check(
        _ verdict: PackageSignature.Verdict, of name: String, from place: String, takesUnsigned: Bool
    ) throws(HostError) {
        if case .signed = verdict { return }
        if policy.isSigned {
            throw .package(.refused("'\(name)', which nobody allowed has signed,", policy: "the policy"))
        }
        if case .unsigned = verdict, !policy.signers(of: place).isEmpty, !takesUnsigned {
            throw .package(
                .unsigned(package: name, reason: "it has no signature, and there are allowed signers for \(place)"))
        }
    }

    /// Has the plugins declare what they are, from where they are staged.
    private func declared(
        _ paths: [String], in folder: String
    ) throws(HostError) -> [String: PluginManifest] {
        var declared: [String: PluginManifest] = [:]
        for (path, answer) in zip(paths, try host.manifestsIsolated(of: paths.map { "\(folder)/\($0)" })) {
            declared[path] = try answer.get()
        }
        return declared
    }

    /// What the lock will say. Grants are written one way, however a plugin writes them.
    private func entry(_ fetched: Fetched, _ declared: [String: PluginManifest]) throws(HostError) -> PackageLock.Entry
    {
        var plugins: [PackageLock.Entry.Plugin] = []
        for path in fetched.manifest.plugins {
            var grants: Set<String> = []
            for need in declared[path]?.needs ?? [] {
                let grant: Grant
                do throws(HostError) { grant = try Grant(need) } catch {
                    throw .package(.badFile(path: path, reason: "it asks for '\(need)', and \(error)"))
                }
                // Given to whatever is named on a command line.
                if grant != .search { grants.insert(grant.description) }
            }
            plugins.append(.init(path: path, grants: grants.sorted()))
        }
        var entry = PackageLock.Entry(
            version: fetched.manifest.version, api: fetched.manifest.api, licence: fetched.manifest.licence,
            source: fetched.source, revision: fetched.revision, digest: "sha256:" + (try fetched.files.digest()),
            files: fetched.files.files.map { .init(path: $0.path, digest: $0.digest) }, plugins: plugins)
        switch fetched.verdict {
        case .unsigned: break
        case .unknown(let key): entry.key = key
        case .signed(let signer, let key): (entry.signer, entry.key) = (signer, key)
        }
        return entry
    }

    // MARK: Adding

    /// Adds a package; its description is shown.
    ///
    /// - Returns: its name.
    public func add(_ source: PackageSource, _ choices: Choices) throws(HostError) -> String {
        let fetched = try fetch(source, as: source.text(in: home), takesUnsigned: choices.takesUnsigned, isTyped: true)
        let name = fetched.manifest.name
        try home.changing { lock throws(HostError) in
            if let known = lock.packages[name] {
                throw .package(.taken(package: name, lock: home.lockPath, source: known.source))
            }
            if home.isTaken(name) { throw .package(.taken(package: name, lock: home.lockPath, source: nil)) }
            try staging(fetched) { entry, declared throws(HostError) in
                try choices.show(TextTable.text(PackageText.rows(name, entry, declared)))
                try home.take(name, entry, in: &lock)
            }
        }
        return name
    }

    private func staging(
        _ fetched: Fetched, _ body: (PackageLock.Entry, [String: PluginManifest]) throws(HostError) -> Void
    ) throws(HostError) {
        let name = fetched.manifest.name
        do throws(HostError) {
            let folder = try home.stage(fetched.files, as: name)
            let declared = try declared(fetched.manifest.plugins, in: folder)
            try body(try entry(fetched, declared), declared)
        } catch {
            home.unstage(name)
            throw error
        }
    }

    // MARK: Updating

    /// Brings a package up to date, after showing what changes.
    ///
    /// - Parameter source: where it comes from now; nil for where it came from.
    /// - Returns: whether anything changed.
    public func update(
        _ name: String, from source: PackageSource? = nil, _ choices: Choices
    ) throws(HostError) -> Bool {
        let known = try entry(of: name, in: try home.lock())
        let place = if let source { source } else { try PackageSource(locked: known.source, in: home) }
        let fetched = try fetch(
            place, as: source?.text(in: home) ?? known.source, takesUnsigned: choices.takesUnsigned,
            isTyped: source != nil)
        guard fetched.manifest.name == name else {
            throw .package(
                .badManifest(
                    place: fetched.source, reason: "the package is '\(fetched.manifest.name)' now, and was '\(name)'"))
        }
        return try home.changing { lock throws(HostError) in
            let old = try entry(of: name, in: lock)
            try check(fetched, against: old, choices)
            let digest = "sha256:" + (try fetched.files.digest())
            let intact = try? home.files(of: name, old)
            if old.digest == digest, intact != nil, old.version == fetched.manifest.version {
                if old.source == fetched.source, old.revision == fetched.revision, old.key == fetched.key {
                    return false
                }
            }
            try staging(fetched) { new, declared throws(HostError) in
                let before = intact.map { files in
                    PackageState(files: files, entry: old, declared: (try? oldDeclared(name, old)) ?? [:])
                }
                try show(name, before, old, PackageState(files: fetched.files, entry: new, declared: declared), choices)
                try agree(name, PackageChanges.newGrants(from: old, to: new), choices)
                try home.take(name, new, in: &lock)
            }
            return true
        }
    }

    private func oldDeclared(_ name: String, _ entry: PackageLock.Entry) throws(HostError) -> [String: PluginManifest] {
        try declared(entry.plugins.map(\.path), in: "\(home.plugins)/\(name)")
    }

    /// Refuses what would take something back: a version, or a signature.
    private func check(_ new: Fetched, against old: PackageLock.Entry, _ choices: Choices) throws(HostError) {
        let name = new.manifest.name
        if new.manifest.version < old.version, !choices.takesOlder {
            throw .package(
                .older(package: name, have: old.version.description, found: new.manifest.version.description))
        }
        if let signer = old.signer, !choices.takesUnsigned {
            guard case .signed(let other, _) = new.verdict, other == signer else {
                throw .package(.unsigned(package: name, reason: "\(signer) signed what is here, and not this"))
            }
        } else if let key = old.key, new.key != key, old.signer == nil, !choices.takesUnsigned {
            throw .package(.unsigned(package: name, reason: "the key \(key) signed what is here, and not this"))
        }
    }

    private func show(
        _ name: String, _ before: PackageState?, _ old: PackageLock.Entry, _ after: PackageState, _ choices: Choices
    ) throws(HostError) {
        var rows = [
            ["\(name)", "\(old.version) -> \(after.entry.version)", after.entry.revision ?? after.entry.source]
        ]
        if let before {
            rows += PackageChanges.rows(name, from: before, to: after)
        } else {
            rows.append(["files", "all", "what is here is not what was locked, and is replaced"])
        }
        if old.signer != after.entry.signer || old.key != after.entry.key {
            rows.append(["signer", PackageText.signer(after.entry), "was \(PackageText.signer(old))"])
        }
        try choices.show(TextTable.text(rows))
        guard choices.showsLines, let before else { return }
        let lines = PackageChanges.lines(from: before.files, to: after.files).map(Text.clean)
        if !lines.isEmpty { try choices.show(lines.joined(separator: "\n")) }
    }

    private func agree(_ name: String, _ grants: [String], _ choices: Choices) throws(HostError) {
        let accepted = choices.accepted.map(\.description)
        let open = grants.filter { !accepted.contains($0) }
        if open.isEmpty, choices.agrees { return }
        if let ask = choices.ask, !choices.agrees || !open.isEmpty, try ask("Take it?") { return }
        throw .package(.consent(package: name, grants: open))
    }

    // MARK: The rest

    /// Removes a package. Grants that were given to its plugins stay with the bytes they were given to.
    public func remove(_ name: String) throws(HostError) {
        try home.changing { lock throws(HostError) in
            _ = try entry(of: name, in: lock)
            try home.remove(name, in: &lock)
        }
    }

    /// Fetches what is locked where it is not there; nothing else is taken than the locked bytes.
    ///
    /// - Returns: the packages that were not as they are locked.
    public func restore(_ names: [String]) throws(HostError) -> [String] {
        var restored: [String] = []
        let lock = try home.lock()
        for name in try named(names, in: lock) {
            let known = try entry(of: name, in: lock)
            if (try? home.files(of: name, known)) != nil { continue }
            var source = try PackageSource(locked: known.source, in: home)
            if case .git(var place) = source, let revision = known.revision {
                place.reference = revision
                source = .git(place)
            }
            let files = try fetch(source, as: known.source, takesUnsigned: true, isTyped: false).files
            let changes = known.changes(in: files)
            if !changes.isEmpty {
                throw .package(.differs(package: "\(name) from \(known.source)", lock: home.lockPath, changes: changes))
            }
            try home.changing { lock throws(HostError) in
                guard lock.packages[name] == known else { throw .package(.busy(folder: home.folder)) }
                _ = try home.stage(files, as: name)
                try home.take(name, known, in: &lock)
            }
            restored.append(name)
        }
        return restored
    }

    /// Holds packages against the lock, and signatures against the files.
    ///
    /// - Returns: how many packages and plugins there are.
    /// - Throws: the first that is not as it is locked.
    public func verify(_ names: [String]) throws(HostError) -> (packages: Int, plugins: Int) {
        if !home.exists {
            throw .usage("there is no \(PackageLock.name) here or above", hint: "ythost plugin add makes one")
        }
        let lock = try home.lock()
        let all = try named(names, in: lock)
        var plugins = 0
        for name in all {
            let known = try entry(of: name, in: lock)
            let files = try home.files(of: name, known)
            try verify(signature: name, known, files)
            plugins += known.plugins.count
        }
        return (all.count, plugins)
    }

    private func verify(
        signature name: String, _ known: PackageLock.Entry, _ files: PackageFiles
    ) throws(HostError) {
        guard known.key != nil || policy.isSigned || files.signature != nil else { return }
        let manifest = try PackageManifest(of: files, place: name)
        let (verdict, place) = try PackageSignature.verdict(of: files, manifest, from: nil, policy)
        if case .unsigned = verdict, known.key != nil {
            throw .package(.signature(package: name, reason: "the lock names a signer, and the signature is gone"))
        }
        try check(verdict, of: name, from: place ?? known.source, takesUnsigned: true)
    }

    func entry(of name: String, in lock: PackageLock) throws(HostError) -> PackageLock.Entry {
        guard let entry = lock.packages[name] else {
            let near = Nearest.name(to: name, among: lock.packages.keys)
            throw .package(.unknown(package: name, lock: home.lockPath, near: near))
        }
        return entry
    }

    /// The packages that are named, or all.
    func named(_ names: [String], in lock: PackageLock) throws(HostError) -> [String] {
        for name in names { _ = try entry(of: name, in: lock) }
        return names.isEmpty ? lock.packages.keys.sorted() : names
    }

    /// Names of all packages.
    public func names() throws(HostError) -> [String] { try home.lock().packages.keys.sorted() }
}

extension PackageDesk.Fetched {
    var key: String? {
        switch verdict {
        case .unsigned: nil
        case .unknown(let key), .signed(_, let key): key
        }
    }
}
