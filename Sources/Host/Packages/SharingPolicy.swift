// What may run and what may be taken, as the user and then the project wrote it down. Each says so in a file of lines
// `name = value`. What is easily got wrong: a project's file comes with the project, so it can only ask for more.

import Files
import HostErrors

/// The rules of the user and, for what is in a project, those of the project.
public struct SharingPolicy: Sendable {
    /// What one file says.
    struct Layer: Sendable {
        var path: String
        /// Whether it came with a project, and so may be anybody's.
        var isProjects = false
        /// Only what is locked runs.
        var isLocked = false
        /// Only what somebody allowed has signed is taken, and runs.
        var isSigned = false
        /// The only grants that may be given; nil for any.
        var grants: [Grant]?
        /// Files of allowed signers (ssh-keygen(1)), each for the sources that begin so; `*` for all.
        var signers: [(source: String, file: String)] = []
        /// Files of keys that are no longer good.
        var revoked: [String] = []
    }

    private(set) var layers: [Layer] = []

    static let projectName = "ythost.policy"

    /// No rules.
    public init() {}

    /// The user's: the file `policy` of the folder of settings, and the files `allowed_signers` and `revoked_keys` there.
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

    /// With the rules of a project and of those around it, as far as they have some.
    func with(_ home: PackageDirectory) throws(HostError) -> SharingPolicy {
        var policy = self
        // From the outside in: who is allowed to sign is not said by what is further in.
        for home in home.around().reversed() + [home] {
            if let layer = try home.rules() { policy.layers.append(layer) }
        }
        return policy
    }

    /// Whether only what is locked runs.
    public var isLocked: Bool { layers.contains(where: \.isLocked) }
    var isSigned: Bool { layers.contains(where: \.isSigned) }

    /// Whether a grant may be given.
    func allows(_ grant: Grant) -> Bool { refusing(grant) == nil }

    /// - Throws: `.package(.refused)` for a grant that may not be given.
    public func check(_ grant: Grant) throws(HostError) {
        if let path = refusing(grant) { throw .package(.refused("the grant '\(grant)'", policy: path)) }
    }

    private func refusing(_ grant: Grant) -> String? {
        layers.first { layer in layer.grants.map { !$0.contains { $0.covers(grant) } } ?? false }?.path
    }

    /// The files of allowed signers for a source, one of each layer that has one: the one whose source is longest.
    func signers(of source: String) -> [(layer: Int, file: String)] {
        layers.enumerated().compactMap { place, layer in
            layer.signers.filter { Self.covers($0.source, source) }.max { $0.source.utf8.count < $1.source.utf8.count }
                .map { (place, $0.file) }
        }
    }

    /// Whether the user's own rules name a source, more closely than as any.
    func names(_ source: String) -> Bool {
        layers.contains { layer in
            !layer.isProjects && layer.signers.contains { $0.source != "*" && Self.covers($0.source, source) }
        }
    }

    /// Refuses what nobody signed whom a layer that wants signatures, or one above it, allows. Signers that only a later
    /// layer names are not asked about: a project would allow itself.
    func checkSigned(_ package: String, _ finding: PackageSignature.Finding) throws(HostError) {
        for (place, layer) in layers.enumerated()
        where layer.isSigned && !finding.layers.contains(where: { $0 <= place }) {
            throw .package(.refused("'\(package)', which nobody allowed has signed,", policy: layer.path))
        }
    }

    /// Whether a source is meant by how it begins: up to a `/` or `#`, or as a whole.
    private static func covers(_ pattern: String, _ source: String) -> Bool {
        if pattern == "*" || pattern == source { return true }
        guard source.hasPrefix(pattern) else { return false }
        return pattern.hasSuffix("/") || source.dropFirst(pattern.count).first == "/"
            || source.dropFirst(pattern.count).first == "#"
    }
}

extension PackageDirectory {
    /// What the project's own policy says; nil where it has none. A link that leads nowhere is one.
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

    /// - Parameter folder: that names of files in it are relative to.
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
