// Updates packages. The new version is compared with the installed one and shown before the user accepts it. The
// installed version's properties come from its bytes: a lock that claims an older version or more grants would let
// changes through that the user did not accept.

import Basics
import Files
import HostErrors

extension PackageInstaller {
    /// Updates a package after showing the changes.
    ///
    /// - Parameter source: the new source; nil for the one in the lock.
    /// - Returns: whether anything changed.
    /// - Throws: `.package(.consent)` when the user does not accept the changes, and other package faults.
    public func update(
        _ name: String, from source: PackageSource? = nil, _ choices: Choices
    ) throws(HostError) -> Bool {
        try home.checkPlace()
        let known = try entry(of: name, in: try home.lock())
        let place = if let source { source } else { try PackageSource(locked: known.source, in: home) }
        var fetched = try fetch(
            place, as: source?.text(in: home) ?? known.source, takesUnsigned: choices.takesUnsigned,
            isTyped: source != nil)
        guard fetched.name == name else {
            throw .package(
                .badManifest(place: fetched.source, reason: "the package is '\(fetched.name)' now, and was '\(name)'"))
        }
        return try home.changing { lock throws(HostError) in
            let claimed = try entry(of: name, in: lock)
            let installed = installed(name, claimed)
            let old = try before(claimed, installed)
            try check(fetched.package, against: [claimed, old], choices)
            try fetched.package.declare(manifests, in: home, isStrict: true)
            let new = try fetched.package.entry(source: fetched.source, revision: fetched.revision)
            if installed != nil, new == claimed { return false }
            try show(installed, old, fetched.package, new, choices)
            try agree(name, PackageChanges.newGrants(from: old, to: new), choices)
            try home.take(fetched.package.files, as: name, new, in: &lock)
            return true
        }
    }

    /// The installed package; nil when its files do not match the lock. Its signature is checked again.
    private func installed(_ name: String, _ entry: PackageLock.Entry) -> CheckedPackage? {
        guard let files = try? home.files(of: name, entry), var package = try? CheckedPackage(files, place: name) else {
            return nil
        }
        try? package.look(from: PackageSource.origin(of: entry.source), policy)
        try? package.declare(manifests, in: home, isStrict: false)
        return package
    }

    /// The entry to compare an update with, made from the installed package. Without one it is the lock's entry with no
    /// grants, so that all grants count as new.
    private func before(
        _ claimed: PackageLock.Entry, _ installed: CheckedPackage?
    ) throws(HostError) -> PackageLock.Entry {
        if let installed, let entry = try? installed.entry(source: claimed.source, revision: claimed.revision) {
            return entry
        }
        var entry = claimed
        for index in entry.plugins.indices { entry.plugins[index].grants = [] }
        return entry
    }

    /// Refuses a downgrade, and the loss or change of a signature, compared with both the lock and the installed
    /// package.
    private func check(
        _ new: CheckedPackage, against old: [PackageLock.Entry], _ choices: Choices
    ) throws(HostError) {
        let name = new.manifest.name
        for old in old {
            if new.manifest.version < old.version, !choices.takesOlder {
                throw .package(
                    .older(package: name, have: old.version.description, found: new.manifest.version.description))
            }
            guard let before = old.signer ?? old.key.map({ "the key \($0)" }) else { continue }
            guard let key = new.signature.key else {
                if choices.takesUnsigned { continue }
                throw .package(.unsigned(package: name, reason: "\(before) signed what is here, and not this"))
            }
            if key == old.key || (old.signer != nil && old.signer == new.signature.signer) { continue }
            let signer = new.signature.signer ?? "the key \(key)"
            throw .package(.otherSigner(package: name, signer: signer, before: before))
        }
    }

    private func show(
        _ installed: CheckedPackage?, _ old: PackageLock.Entry, _ package: CheckedPackage, _ new: PackageLock.Entry,
        _ choices: Choices
    ) throws(HostError) {
        let name = package.manifest.name
        var rows = [["\(name)", "\(old.version) -> \(new.version)", new.revision ?? new.source]]
        if let installed {
            rows += PackageChanges.rows(
                name, from: .init(files: installed.files, entry: old, declared: installed.declared ?? [:]),
                to: .init(files: package.files, entry: new, declared: package.declared ?? [:]))
        } else {
            rows.append(["files", "all", "what is here is not what was locked, and is replaced"])
            for grant in PackageChanges.newGrants(from: old, to: new) {
                rows.append(["GRANT", name, "asks for \(Text.visible(grant)), and nobody knows whether it did"])
            }
        }
        if old.signer != new.signer || old.key != new.key {
            rows.append([
                "signer", PackageText.signer(package.signature), "was " + PackageText.signer(old.signer, old.key),
            ])
        }
        try choices.show(TextTable.text(rows))
        guard choices.showsLines, let installed else { return }
        let lines = PackageChanges.lines(from: installed.files, to: package.files).map(Text.clean)
        if !lines.isEmpty { try choices.show(lines.joined(separator: "\n")) }
    }

    private func agree(_ name: String, _ grants: [String], _ choices: Choices) throws(HostError) {
        let accepted = choices.accepted.map(\.description)
        let open = grants.filter { !accepted.holds($0) }
        if open.isEmpty, choices.agrees { return }
        // The changed lines may have moved the grants out of sight.
        let reminder =
            open.isEmpty ? "" : "\(name) asks for new grants: \(open.map(Text.visible).joined(separator: ", "))\n"
        if let ask = choices.ask, !choices.agrees || !open.isEmpty, try ask(reminder + "Take it?") { return }
        throw .package(.consent(package: name, grants: open))
    }
}
