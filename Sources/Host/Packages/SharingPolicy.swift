// Policies for installing and running packages, from the user and then the project, as files of `name = value` lines. A
// project's policy is untrusted, so it can only add restrictions.

import Basics
import Files
import HostErrors

/// The combined rules of the user and of the projects that contain a package.
public struct SharingPolicy: Sendable {
    /// The rules of one file.
    struct Layer: Sendable {
        var path: String
        /// Whether the file belongs to a project and is untrusted.
        var isProjects = false
        /// Only locked plugins may run.
        var isLocked = false
        /// Only packages with an allowed signer may be installed and run.
        var isSigned = false
        /// The only grants that may be given; nil for no restriction.
        var grants: [Grant]?
        /// Files of allowed signers (ssh-keygen(1)), each for sources with this prefix; `*` for all sources.
        var signers: [(source: String, file: String)] = []
        /// Files of revoked keys.
        var revoked: [String] = []
    }

    private(set) var layers: [Layer] = []

    static let projectName = "ythost.policy"

    /// No rules.
    public init() {}

    /// Reads the user's rules: the files `policy`, `allowed_signers` and `revoked_keys` in the configuration folder.
    public init(userFolder folder: String?) throws(HostError) {
        guard let folder else { return }
        var layer = Layer(path: folder + "/policy")
        var hasRules = try FileSystem.presence(of: layer.path) != nil
        if hasRules { try layer.read(below: folder) }
        if try FileSystem.presence(of: folder + "/allowed_signers") != nil {
            layer.signers.append(("*", folder + "/allowed_signers"))
            hasRules = true
        }
        if try FileSystem.presence(of: folder + "/revoked_keys") != nil {
            layer.revoked.append(folder + "/revoked_keys")
            hasRules = true
        }
        if hasRules { layers = [layer] }
    }

    /// Adds the rules of a package directory and of those that enclose it.
    func with(_ home: PackageDirectory) throws(HostError) -> SharingPolicy {
        var policy = self
        // Outermost first: inner directories cannot decide who is allowed to sign.
        for home in home.around().reversed() + [home] {
            if let layer = try home.rules() { policy.layers.append(layer) }
        }
        return policy
    }

    /// Whether only locked plugins may run.
    public var isLocked: Bool { layers.contains(where: \.isLocked) }
    var isSigned: Bool { layers.contains(where: \.isSigned) }

    /// Whether a grant may be given.
    func allows(_ grant: Grant) -> Bool { refusing(grant) == nil }

    /// - Throws: `.package(.refused)` for a grant that may not be given.
    public func check(_ grant: Grant) throws(HostError) {
        if let path = refusing(grant) {
            throw .package(.refused("the grant '\(Text.visible(grant.description))'", policy: path))
        }
    }

    /// The policy that forbids a grant. Paths are compared as resolved: `DIR/..` and links are not in DIR.
    private func refusing(_ grant: Grant) -> String? {
        func resolved(_ grant: Grant) -> Grant { (try? SystemAccess.resolved(grant, forbidden: [])) ?? grant }
        let wanted = resolved(grant)
        return layers.first { layer in
            layer.grants.map { !$0.contains { resolved($0).allows(wanted) } } ?? false
        }?.path
    }

    /// The allowed-signers files for a source: from each layer, the one with the longest matching prefix.
    func signers(of source: String) -> [(layer: Int, file: String)] {
        layers.enumerated().compactMap { place, layer in
            layer.signers.filter { Self.covers($0.source, source) }.max { $0.source.utf8.count < $1.source.utf8.count }
                .map { (place, $0.file) }
        }
    }

    /// Whether the user's own rules name a source more specifically than `*`.
    func names(_ source: String) -> Bool {
        layers.contains { layer in
            !layer.isProjects && layer.signers.contains { $0.source != "*" && Self.covers($0.source, source) }
        }
    }

    /// Refuses a package unless, for each layer that requires signatures, that layer or an earlier one allows its
    /// signer. Later layers do not count: a project could allow itself.
    func checkSigned(_ package: String, _ finding: PackageSignature.Finding) throws(HostError) {
        for (place, layer) in layers.enumerated()
        where layer.isSigned && !finding.layers.contains(where: { $0 <= place }) {
            throw .package(.refused("'\(package)', which nobody allowed has signed,", policy: layer.path))
        }
    }

    /// Whether a pattern matches a source: equal, or a prefix that ends at a `/` or `#`.
    private static func covers(_ pattern: String, _ source: String) -> Bool {
        if pattern == "*" || pattern == source { return true }
        guard source.hasPrefix(pattern) else { return false }
        return pattern.hasSuffix("/") || source.dropFirst(pattern.count).first == "/"
            || source.dropFirst(pattern.count).first == "#"
    }
}

extension PackageDirectory {
    /// The directory's own policy; nil when there is none. A dangling link counts as a policy, and reading it throws.
    func rules() throws(HostError) -> SharingPolicy.Layer? {
        let path = (folder == "/" ? "" : folder) + "/" + SharingPolicy.projectName
        guard try FileSystem.presence(of: path) != nil else { return nil }
        var layer = SharingPolicy.Layer(path: path, isProjects: true)
        try layer.read(below: folder)
        return layer
    }
}

extension SharingPolicy.Layer {
    fileprivate static let names = ["locked", "signed", "grants", "signers", "revoked"]

    /// - Parameter folder: the folder that relative file names start from.
    /// - Throws: `.package(.policy)` with the line number for invalid rules.
    fileprivate mutating func read(below folder: String) throws(HostError) {
        func file(_ name: String) -> String { name.hasPrefix("/") ? name : "\(folder)/\(name)" }
        func refuse(_ line: Int, _ reason: String) -> HostError {
            .package(.policy(path: path, line: line, reason: reason))
        }
        if FileSystem.isEverybodys(path) { throw .package(.badPlace(path: path, reason: FileSystem.everybodys)) }
        let bytes = try FileSystem.readFile(path, limit: 64 << 10)
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, bytes) in lines.enumerated() {
            let text = String(decoding: bytes, as: UTF8.self)
            if text.first == "#" { continue }
            let words = text.split(whereSeparator: { $0 == " " || $0 == "\t" || $0 == "," || $0 == "\r" }).map(
                String.init)
            if words.isEmpty { continue }
            guard words.count >= 3, words[1] == "=" else {
                throw refuse(index + 1, "a line is NAME = VALUE, and '\(words[0])' is none")
            }
            let values = Array(words[2...])
            switch words[0] {
            case "locked", "signed":
                guard values == ["yes"] || values == ["no"] else {
                    throw refuse(index + 1, "'\(words[0])' is yes or no")
                }
                if words[0] == "locked" { isLocked = values == ["yes"] } else { isSigned = values == ["yes"] }
            case "grants":
                var all = grants ?? []
                for value in values where value != "none" {
                    do throws(HostError) { all.append(try Grant(value)) } catch {
                        throw refuse(index + 1, error.report?.message ?? "that is no grant")
                    }
                }
                grants = all
            case "signers":
                guard values.count <= 2, let name = values.last else {
                    throw refuse(index + 1, "'signers' is followed by a source (or nothing) and a file")
                }
                signers.append((values.count == 2 ? values[0] : "*", file(name)))
            case "revoked": revoked += values.map(file)
            default:
                throw refuse(
                    index + 1,
                    "'\(words[0])' is nothing a policy says; " + Nearest.advice(for: words[0], among: Self.names))
            }
        }
    }
}
