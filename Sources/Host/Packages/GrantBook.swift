// The grants of plugins. Permanent grants are stored per plugin and digest in the user's data folder: a changed plugin
// must be allowed again, and no file in a project can add a grant.

import Basics
import Files
import Glibc
import HostErrors
import JSON

/// The grants of a run: those on the command line and the permanent ones.
public struct GrantBook: Sendable {
    /// Grants on the command line, for every plugin named there.
    public var forThisRun: [Grant] = []
    /// The rules that limit which grants may be given.
    public var policy = SharingPolicy()
    /// The file with the permanent grants; nil when there is no data folder.
    public var file: String?

    public init(file: String? = nil) { self.file = file }

    /// The grants on the command line, resolved, as code without a plugin has them.
    package var ofThisRun: [Grant] { typed.filter(policy.allows) }

    /// Grants that cannot be resolved are left out: nothing can be read or run with them.
    private var typed: [Grant] { forThisRun.compactMap { try? SystemAccess.resolved($0, forbidden: []) } }

    /// The grants of a plugin, resolved. Call this once, when the plugin is loaded: the grants are bound to the bytes
    /// that were read then, and to the files that their paths led to. `search` is always included, because the user
    /// named the plugin.
    ///
    /// - Parameter plugin: receives the bytes of its modules if it has permanent grants.
    /// - Throws: `.configuration` when the file of the permanent grants is damaged, or may be another user's.
    package func grants(of plugin: inout PluginFile) throws(HostError) -> [Grant] {
        var rules = policy
        // A project's policy limits the grants of its plugins. An invalid policy gives none.
        if let place = plugin.package {
            guard let both = try? policy.with(place.package.home) else { return [] }
            rules = both
        }
        return (typed + (try kept(&plugin))).filter(rules.allows) + [.search]
    }

    /// The permanent grants. Their paths are compared as they were resolved when they were given.
    private func kept(_ plugin: inout PluginFile) throws(HostError) -> [Grant] {
        let entries = try entries()
        if entries.isEmpty { return [] }
        // A folder with too many files has no permanent grants.
        guard let (digest, modules) = try? Self.digest(plugin), let entry = entries.first(where: { $0.name == digest })
        else { return [] }
        plugin.modules = modules
        return Self.grants(entry.value)
    }

    private static func grants(_ entry: FieldValue) -> [Grant] {
        entry["grants"].list?.compactMap(\.text).compactMap { try? Grant($0) } ?? []
    }

    /// Stores permanent grants.
    ///
    /// - Parameter forbidden: folders that no grant opens.
    /// - Throws: `.package(.refused)` when a policy forbids a grant, `.forbidden`, `.cannotRead`, `.cannotWrite`,
    ///   `.configuration` for a damaged file, `.usage` when there is no data folder or the plugin's folder is too large.
    public func allow(
        _ grants: [Grant], to plugin: PluginFile, forbidden: [String]
    ) throws(HostError) {
        guard let file else { throw .usage("grants cannot be kept: neither HOME nor XDG_DATA_HOME is set") }
        let digest = try Self.digest(plugin).digest
        // Store resolved grants: a path or program name could mean another file later.
        var pinned: [Grant] = []
        // Refuse grants that the policy would remove at every run.
        let rules = if let place = plugin.package { try policy.with(place.package.home) } else { policy }
        for grant in grants { try rules.check(grant) }
        // Refuse packages whose signing key was revoked.
        if let package = plugin.package?.package { try package.checkSignature(nil, rules) }
        for grant in grants { pinned.append(try SystemAccess.resolved(grant, forbidden: forbidden)) }
        // Read under the lock: another process may have given a grant meanwhile.
        let folder = FileSystem.folder(of: file)
        try FileSystem.makeFolder(folder)
        guard let held = try FileSystem.lock(folder, waiting: Self.patience) else {
            throw .cannotWrite(path: file, reason: "another ythost is changing it")
        }
        defer { withExtendedLifetime(held) {} }
        var entries = try entries()
        let old = entries.first { $0.name == digest }.map { Self.grants($0.value) } ?? []
        let all = Set(old + pinned).map(\.description).sorted()
        let entry = FieldValue.record([
            .init("plugin", .text(FileSystem.absolute(plugin.path))), .init("grants", .list(all.map { .text($0) })),
        ])
        let path = FileSystem.absolute(plugin.path)
        entries.removeAll { $0.name == digest || $0.value["plugin"].text?.isSameName(as: path) == true }
        entries.append(.init(digest, entry))
        let sink = try FileSink(path: file, mode: 0o600)
        try sink.write(JSON.encode(.record(entries.sorted { $0.name < $1.name }), pretty: true) + [UInt8(ascii: "\n")])
        try sink.commit()
    }

    /// Seconds to wait for another process that changes grants.
    private static let patience = 10.0

    /// The stored entries, by digest.
    private func entries() throws(HostError) -> [FieldValue.Member] {
        guard let file, FileSystem.kind(of: file) != nil else { return [] }
        func refuse(_ reason: String) -> HostError { .configuration(path: file, line: nil, reason: reason) }
        let bytes: [UInt8]
        do throws(HostError) {
            bytes = try FileSystem.readFile(file, limit: Self.largest) { status throws(HostError) in
                if status.st_uid != geteuid() { throw refuse("it is another user's") }
                if status.st_mode & (S_IWGRP | S_IWOTH) != 0 {
                    throw refuse("others may write to it, so that its grants may be theirs; chmod 600 closes it")
                }
            }
        } catch {
            if case .cannotRead(_, let reason) = error { throw refuse(reason) }
            throw error
        }
        let batch: JSONBatch
        do throws(JSONError) { batch = try JSONBatch.document(bytes) } catch {
            throw refuse("it is not JSON: \(error); without the file no plugin has a grant for good")
        }
        if batch.hasTwins() { throw refuse("it says something twice, and only one of that can be so") }
        guard let members = batch[0].value().members else { throw refuse("it is not an object") }
        return members
    }

    private static let largest = 16 << 20

    /// The key of a plugin's permanent grants, and the modules that it covers. For a plugin in a package the key is the
    /// package's digest and the plugin's path.
    private static func digest(_ plugin: PluginFile) throws(HostError) -> (digest: String, modules: PluginModules?) {
        if let place = plugin.package { return (place.digest, nil) }
        let modules = try PluginModules(of: plugin)
        return (try modules.digest(of: plugin), modules)
    }
}
