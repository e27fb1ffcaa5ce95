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

    /// The grants of a plugin. `search` is always included, because the user named the plugin.
    package func grants(of plugin: PluginFile) -> [Grant] {
        var rules = policy
        // A project's policy limits the grants of its plugins. An invalid policy gives none.
        if let place = plugin.package {
            guard let both = try? policy.with(place.package.home) else { return [] }
            rules = both
        }
        return (forThisRun + kept(plugin)).filter(rules.allows) + [.search]
    }

    private func kept(_ plugin: PluginFile) -> [Grant] {
        guard let entries = try? entries(), !entries.isEmpty, let digest = Self.digest(plugin) else { return [] }
        let entry = entries.first { $0.name == digest }?.value ?? .none
        return entry["grants"].list?.compactMap(\.text).compactMap { try? Grant($0) } ?? []
    }

    /// Stores permanent grants.
    ///
    /// - Parameter forbidden: folders that no grant opens.
    /// - Throws: `.package(.refused)` when a policy forbids a grant, `.forbidden`, `.cannotRead`, `.cannotWrite`,
    ///   `.usage` when there is no data folder.
    public func allow(
        _ grants: [Grant], to plugin: PluginFile, forbidden: [String]
    ) throws(HostError) {
        guard let file else { throw .usage("grants cannot be kept: neither HOME nor XDG_DATA_HOME is set") }
        guard let digest = Self.digest(plugin) else {
            throw .cannotRead(path: "libcrypto.so.3", reason: "it is not installed")
        }
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
        guard let held = try FolderLock(folder, waiting: Self.patience) else {
            throw .cannotWrite(path: file, reason: "another ythost is changing it")
        }
        defer { withExtendedLifetime(held) {} }
        var entries = try entries()
        let all = Set(kept(plugin) + pinned).map(\.description).sorted()
        let entry = FieldValue.record([
            .init("plugin", .text(FileSystem.absolute(plugin.path))), .init("grants", .list(all.map { .text($0) })),
        ])
        entries.removeAll { $0.name == digest || $0.value["plugin"] == entry["plugin"] }
        entries.append(.init(digest, entry))
        let sink = try FileSink(path: file, mode: 0o600)
        try sink.write(JSON.encode(.record(entries.sorted { $0.name < $1.name }), pretty: true) + [UInt8(ascii: "\n")])
        try sink.commit()
    }

    /// Seconds to wait for another process that changes grants.
    private static let patience = 10.0

    /// The stored entries, by digest.
    private func entries() throws(HostError) -> [FieldValue.Member] {
        guard let file, FileSystem.exists(file) else { return [] }
        let bytes = try FileSystem.read(file, limit: 16 << 20)
        do throws(JSONError) {
            return try JSON.decode(bytes).members ?? []
        } catch {
            throw .cannotRead(path: file, reason: "\(error)")
        }
    }

    /// SHA-256 over the plugin's file and every module that it could require from its folder, in lower-case
    /// hexadecimal. For a plugin in a package: the package's digest and the plugin's path. nil when a file cannot be
    /// read.
    static func digest(_ plugin: PluginFile) -> String? {
        if let place = plugin.package { return place.digest }
        var bytes: [UInt8] = []
        func add(_ name: String, _ text: [UInt8]) {
            bytes += Array("\(name)\0\(text.count)\0".utf8)
            bytes += text
        }
        add("plugin", plugin.text)
        for file in modules(in: plugin.folder, below: "") where file != FileSystem.base(of: plugin.path) {
            guard let text = try? FileSystem.read("\(plugin.folder)/\(file)", limit: PluginLocator.largestFile) else {
                return nil
            }
            add(file, text)
        }
        return try? Digest.sha256(bytes)
    }

    /// The Lua files that `require` can find from a plugin in this folder, up to the deepest module name, including
    /// `lib`.
    private static func modules(in folder: String, below: String) -> [String] {
        var found: [String] = []
        for entry in FileSystem.entries(of: below.isEmpty ? folder : "\(folder)/\(below)") {
            let name = below.isEmpty ? entry : "\(below)/\(entry)"
            if entry.hasSuffix(".lua"), FileSystem.isFile("\(folder)/\(name)") {
                found.append(name)
            } else if FileSystem.isFolder("\(folder)/\(name)"),
                name.split(separator: "/").count <= PluginLocator.deepestName
            {
                found += modules(in: folder, below: name)
            }
        }
        return found
    }
}
