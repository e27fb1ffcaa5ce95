// `ythost.lock`: names the packages in the folder `plugins` beside it and the digests of their files. It records the
// grants that plugins request but gives none; grants are in the user's own grant book. The file is untrusted, so it is
// checked for consistency when it is read.

import Basics
import Files
import HostErrors
import JSON

/// The locked packages, by name.
struct PackageLock: Sendable, Equatable {
    static let name = "ythost.lock"
    /// The version of the file format.
    static let version: Int64 = 1
    private static let largest = 16 << 20

    /// One package.
    struct Entry: Sendable, Equatable {
        var version: PackageVersion
        var api: Int64
        var licence: String
        /// The source as the user named it.
        var source: String
        /// The commit, for git sources; nil for others.
        var revision: String?
        /// The digest over the list of files.
        var digest: String
        /// Paths and SHA-256 digests, sorted by path.
        var files: [File]
        /// Plugin paths with the grants that each requests.
        var plugins: [Plugin]
        /// The signer's name in the user's allowed signers, and the key's fingerprint; both nil when unsigned. `signer`
        /// is nil for an unknown key.
        var signer: String?
        var key: String?

        struct File: Sendable, Equatable {
            var path: String
            var digest: String
        }

        struct Plugin: Sendable, Equatable {
            var path: String
            var grants: [String]
        }
    }

    var packages: [String: Entry] = [:]

    /// - Throws: `.package(.badLock)` for a damaged file, `.package(.newerLock)` for a newer format.
    init(path: String) throws(HostError) {
        try self.init(try FileSystem.readFile(path, limit: Self.largest, followsLinks: false), path: path)
    }

    init() {}

    init(_ bytes: [UInt8], path: String) throws(HostError) {
        func refuse(_ reason: String) -> HostError { .package(.badLock(path: path, reason: reason)) }
        let value: FieldValue
        let saysTwice: Bool
        do throws(JSONError) {
            let batch = try JSONBatch.document(bytes)
            value = batch[0].value()
            saysTwice = batch.hasTwins()
        } catch { throw refuse("it is not JSON: \(error)") }
        if saysTwice { throw refuse("it says something twice, and only one of that can be so") }
        guard let version = value["version"].integer, version >= 1 else { throw refuse("it has no version") }
        if version > Self.version { throw .package(.newerLock(path: path, version: version)) }
        guard let members = value["packages"].members else { throw refuse("it has no packages") }
        for member in members {
            guard PackageManifest.isName(member.name) else {
                throw refuse("'\(member.name)' is no name of a package")
            }
            packages[member.name] = try Entry(member.value, name: member.name, refuse)
        }
    }

    /// Encodes the lock. The same packages always give the same bytes.
    func encoded() -> [UInt8] {
        let members = packages.sorted { $0.key < $1.key }.map { FieldValue.Member($0.key, $0.value.value) }
        let value = FieldValue.record([.init("packages", .record(members)), .init("version", .integer(Self.version))])
        return JSON.encode(value, pretty: true) + [UInt8(ascii: "\n")]
    }
}

extension PackageLock.Entry {
    fileprivate init(_ value: FieldValue, name: String, _ refuse: (String) -> HostError) throws(HostError) {
        guard let version = value["version"].text.flatMap({ PackageVersion($0) }), let api = value["api"].integer,
            let licence = value["licence"].text, let source = value["source"].text, let digest = value["digest"].text,
            let files = value["files"].members, let plugins = value["plugins"].members, !plugins.isEmpty
        else { throw refuse("'\(name)' lacks something") }
        self.version = version
        self.api = api
        self.licence = licence
        self.source = source
        revision = value["revision"].text
        signer = value["signer"].text
        key = value["key"].text
        self.files = []
        for file in files {
            guard let sum = file.value.text, Digest.isDigest(sum) else { throw refuse("'\(name)' has a bad digest") }
            try PackageFiles.check(file.name)
            self.files.append(.init(path: file.name, digest: sum))
        }
        self.plugins = []
        for plugin in plugins {
            guard files.contains(where: { $0.name == plugin.name }), plugin.name.hasSuffix(".lua") else {
                throw refuse("'\(name)' has no file \(plugin.name)")
            }
            self.plugins.append(.init(path: plugin.name, grants: plugin.value.list?.compactMap(\.text) ?? []))
        }
        let list = PackageFiles.list(self.files.map { ($0.path, $0.digest) })
        guard digest == "sha256:" + (try Digest.sha256(list)) else {
            throw refuse("the digest of '\(name)' is not that of its files")
        }
        self.digest = digest
    }

    fileprivate var value: FieldValue {
        var members: [FieldValue.Member] = [
            .init("api", .integer(api)), .init("digest", .text(digest)),
            .init("files", .record(files.map { .init($0.path, .text($0.digest)) })),
        ]
        if let key { members.append(.init("key", .text(key))) }
        members.append(.init("licence", .text(licence)))
        members.append(
            .init(
                "plugins", .record(plugins.map { .init($0.path, .list($0.grants.map(FieldValue.text))) })))
        if let revision { members.append(.init("revision", .text(revision))) }
        if let signer { members.append(.init("signer", .text(signer))) }
        members += [.init("source", .text(source)), .init("version", .text(version.description))]
        return .record(members)
    }

    /// A plugin of the package, by its name.
    func plugin(_ name: String, of package: String) -> Plugin? {
        plugins.first { PackageManifest.plugin($0.path, of: package) == name }
    }

    /// The differences from the locked files, one line per file; empty when all match.
    func changes(in found: PackageFiles) -> [String] {
        var changes: [String] = []
        for file in files {
            guard let other = found[file.path] else {
                changes.append("\(file.path) is missing")
                continue
            }
            if other.digest != file.digest { changes.append("\(file.path) is changed") }
        }
        for file in found.files where !files.contains(where: { $0.path == file.path }) {
            changes.append("\(file.path) is new")
        }
        return changes
    }
}
