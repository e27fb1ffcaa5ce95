// Who was given what. Grants for good are kept per plugin and digest in the user's data folder: a file that changed has
// to be allowed again, and nothing in a project can add to the book.

import Basics
import Files
import Glibc
import HostErrors
import JSON

/// The grants of one run: those of the command line, and those kept for good.
public struct GrantBook: Sendable {
    /// Given on the command line to every plugin that is named there.
    public var forThisRun: [Grant] = []
    /// What may be given at all.
    public var policy = SharingPolicy()
    /// Where grants for good are kept; nil where there is no such place.
    public var file: String?

    public init(file: String? = nil) { self.file = file }

    /// What a plugin may do: `search` because it was named, and what was given to it.
    package func grants(of plugin: PluginFile) -> [Grant] {
        var rules = policy
        // A project says which grants what is in it may have; one that says so badly gives none.
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

    /// Gives grants for good.
    ///
    /// - Parameter forbidden: folders that no grant opens.
    public func allow(
        _ grants: [Grant], to plugin: PluginFile, forbidden: [String]
    ) throws(HostError) {
        guard let file else { throw .usage("grants cannot be kept: neither HOME nor XDG_DATA_HOME is set") }
        guard let digest = Self.digest(plugin) else {
            throw .cannotRead(path: "libcrypto.so.3", reason: "it is not installed")
        }
        var entries = try entries()
        // Kept as they are meant now: a path or a program of that name may be another one tomorrow.
        var pinned: [Grant] = []
        // What would be taken out at every run is not given at all.
        let rules = if let place = plugin.package { try policy.with(place.package.home) } else { policy }
        for grant in grants { try rules.check(grant) }
        // Whose key was taken back since is given nothing.
        if let package = plugin.package?.package { try package.checkSignature(nil, rules) }
        for grant in grants { pinned.append(try SystemAccess.resolved(grant, forbidden: forbidden)) }
        let all = Set(kept(plugin) + pinned).map(\.description).sorted()
        let entry = FieldValue.record([
            .init("plugin", .text(FileSystem.absolute(plugin.path))), .init("grants", .list(all.map { .text($0) })),
        ])
        entries.removeAll { $0.name == digest || $0.value["plugin"] == entry["plugin"] }
        entries.append(.init(digest, entry))
        try FileSystem.makeFolder(FileSystem.folder(of: file))
        let sink = try FileSink(path: file, mode: 0o600)
        try sink.write(JSON.encode(.record(entries.sorted { $0.name < $1.name }), pretty: true) + [UInt8(ascii: "\n")])
        try sink.commit()
    }

    /// What is kept, by digest.
    private func entries() throws(HostError) -> [FieldValue.Member] {
        guard let file, FileSystem.exists(file) else { return [] }
        let bytes = try FileSystem.read(file, limit: 16 << 20)
        do throws(JSONError) {
            return try JSON.decode(bytes).members ?? []
        } catch {
            throw .cannotRead(path: file, reason: "\(error)")
        }
    }

    /// SHA-256 over the plugin's file and every module it could require beside it, in lower-case hexadecimal; for one of
    /// a package the digest of the package, and which of its plugins it is.
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

    /// Lua files that `require` would find from a plugin in this folder, as deep as a name may be, and its `lib`.
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
