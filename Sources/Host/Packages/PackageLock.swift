// `ythost.lock`: which packages are beside it, in the folder `plugins`, and exactly which bytes they are. It says what
// plugins ask for and gives nothing: what somebody gave is in their own book of grants. What is easily got wrong: the
// file may come from anybody, so what it says is checked against itself when it is read.

import Basics
import Files
import HostErrors
import JSON

/// What is locked, by the name of the package.
struct PackageLock: Sendable, Equatable {
    static let name = "ythost.lock"
    /// The version of the file's form.
    static let version: Int64 = 1
    private static let largest = 16 << 20

    /// One package.
    struct Entry: Sendable, Equatable {
        var version: PackageVersion
        var api: Int64
        var licence: String
        /// Where it came from, as it was asked for.
        var source: String
        /// The commit it was, when git told.
        var revision: String?
        /// Of the list of files below.
        var digest: String
        /// SHA-256 by path, sorted.
        var files: [File]
        /// Plugins by their path, with the grants that each asks for.
        var plugins: [Plugin]
        /// Who signed it, as the user's allowed signers name them, and the fingerprint of the key; nil for nobody.
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

    /// - Throws: `.package` for one that is damaged or newer than this program.
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

    /// Sorted and stable: the same packages are the same bytes.
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

    /// The path of a plugin, by its name.
    func plugin(_ name: String, of package: String) -> Plugin? {
        plugins.first { PackageManifest.plugin($0.path, of: package) == name }
    }

    /// What is not as it is locked, a line a file; empty when all is.
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
