// Package signatures, made and checked with `ssh-keygen -Y` in a separate namespace (see ssh-keygen(1) and OpenSSH's
// PROTOCOL.sshsig). The signed text contains the package's name, version, source and file digest, so a signature is not
// valid for any other package, version or source.

import Basics
import Files
import Glibc
import HostErrors
import Sandbox

/// The file `ythost.sig`: a line with the source, then a signature in OpenSSH's format.
struct PackageSignature: Sendable {
    static let namespace = "ythost-plugin"

    /// The source from which the signer publishes the package.
    let source: String
    /// The armoured signature, starting with `-----BEGIN SSH SIGNATURE-----`.
    let armour: [UInt8]

    /// The known signer of a package.
    enum Verdict: Sendable, Equatable {
        case unsigned
        /// The signature is valid, but the key belongs to no known signer.
        case unknown(key: String)
        case signed(by: String, key: String)
    }

    /// The result of checking a signature.
    struct Finding: Sendable, Equatable {
        var verdict = Verdict.unsigned
        /// The source from which the signer publishes the package; nil without a signature.
        var source: String?
        /// The indices of the policy layers that allow the signer.
        var layers: [Int] = []
        /// Whether only the project's policy, which is untrusted, names the key's owner.
        var isProjectsWord = false

        /// The fingerprint of the key; nil without a signature.
        var key: String? {
            switch verdict {
            case .unsigned: nil
            case .unknown(let key), .signed(_, let key): key
            }
        }

        var signer: String? { if case .signed(let signer, _) = verdict { signer } else { nil } }
    }

    init(source: String, armour: [UInt8]) {
        self.source = source
        self.armour = armour
    }

    /// Parses a signature file; nil for any other content.
    init?(_ bytes: [UInt8]) {
        guard bytes.count < 64 << 10, bytes.starts(with: Self.label),
            let end = bytes.firstIndex(of: UInt8(ascii: "\n"))
        else { return nil }
        source = String(decoding: bytes[Self.label.count..<end], as: UTF8.self)
        armour = Array(bytes[(end + 1)...])
        guard !source.isEmpty, armour.starts(with: "-----BEGIN SSH SIGNATURE-----".utf8) else { return nil }
    }

    private static let label = Array("source ".utf8)

    var bytes: [UInt8] { Self.label + Array(source.utf8) + [UInt8(ascii: "\n")] + armour }

    /// The signed text.
    private static func statement(_ manifest: PackageManifest, _ source: String, _ digest: String) -> [UInt8] {
        Array(
            "ythost package 1\nname \(manifest.name)\nversion \(manifest.version)\nsource \(source)\ndigest sha256:\(digest)\n"
                .utf8)
    }

    // MARK: Signing

    /// - Parameter key: the file of a private key without a passphrase, or of a public key whose private key ssh-agent
    ///   holds.
    /// - Throws: `.package(.signature)` when ssh-keygen cannot sign, `.cannotRead` when there is no such key.
    static func sign(
        _ files: PackageFiles, _ manifest: PackageManifest, source: String, key: String
    ) throws(HostError) -> PackageSignature {
        guard FileSystem.isFile(key) else { throw .cannotRead(path: key, reason: "there is no such key") }
        let outcome = try keygen(
            ["sign", "-q", "-n", namespace, "-f", key], input: statement(manifest, source, try files.digest()))
        let signature = PackageSignature(source: source, armour: outcome.output)
        guard outcome.status == 0, PackageSignature(signature.bytes) != nil else {
            throw .package(
                .signature(
                    package: manifest.name,
                    reason:
                        "ssh-keygen cannot sign with \(key): \(reason(outcome)); a key with a passphrase is taken from ssh-agent, by its .pub file"
                ))
        }
        return signature
    }

    // MARK: Checking

    /// Checks the signature of the files.
    ///
    /// - Parameter origin: the source the files came from; nil for a local path, which can hold packages from any
    ///   source.
    /// - Throws: `.package(.signature)` when the signature is invalid, whether or not any signers are configured.
    static func finding(
        of files: PackageFiles, _ manifest: PackageManifest, from origin: String?, _ policy: SharingPolicy
    ) throws(HostError) -> Finding {
        func refuse(_ reason: String) -> HostError { .package(.signature(package: manifest.name, reason: reason)) }
        guard let bytes = files.signature else { return Finding() }
        guard let signature = PackageSignature(bytes) else {
            throw refuse("\(PackageFiles.signatureName) is no signature")
        }
        if let origin, origin != signature.source {
            throw refuse("it is for \(signature.source), and the package comes from \(origin)")
        }
        let armour = try MemoryFile(signature.armour)
        defer { withExtendedLifetime(armour) {} }
        let file = armour.path
        let statement = statement(manifest, signature.source, try files.digest())
        let check = try keygen(["check-novalidate", "-n", namespace, "-s", file], input: statement)
        guard check.status == 0, let key = fingerprint(check.output), let publicKey = signature.publicKey else {
            throw refuse("the files, the name, the version or the source are not those that were signed")
        }
        func holds(_ principal: String, _ allowed: String, _ more: [String] = []) throws(HostError) -> Bool {
            let words = ["verify", "-n", namespace, "-s", file, "-f", allowed, "-I", principal]
            return try keygen(words + more, input: statement).status == 0
        }
        // Revoked keys are refused even when no signers are configured.
        let itself = try MemoryFile(Array("anybody \(publicKey)\n".utf8))
        for list in policy.layers.flatMap(\.revoked) {
            try Self.check(list)
            guard try holds("anybody", itself.path, ["-r", list]) else {
                throw refuse("the key \(key) is revoked by \(list)")
            }
        }
        var found = Finding(verdict: .unknown(key: key), source: signature.source)
        for (layer, allowed) in policy.signers(of: signature.source) {
            try Self.check(allowed)
            let answer = try keygen(["find-principals", "-s", file, "-f", allowed], input: [])
            // One line per match, each a comma-separated list of names.
            let principal = answer.output.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D || $0 == 0x2C })
                .first { $0.first != UInt8(ascii: "!") }.map { String(decoding: $0, as: UTF8.self) }
            guard answer.status == 0, let principal else {
                let said = String(decoding: answer.errors, as: UTF8.self)
                if said.contains("expired") { throw refuse("the key \(key) has expired, as \(allowed) says") }
                if said.contains("not yet valid") {
                    throw refuse("the key \(key) is not valid yet, as \(allowed) says")
                }
                throw refuse("the key \(key) is none of \(allowed)")
            }
            guard try holds(principal, allowed) else {
                throw refuse("the key \(key) of \(principal) is not allowed to sign this by \(allowed)")
            }
            if found.layers.isEmpty {
                found.verdict = .signed(by: principal, key: key)
                found.isProjectsWord = policy.layers[layer].isProjects
            }
            found.layers.append(layer)
        }
        return found
    }

    /// ssh-keygen would treat an unreadable list as empty, so throw instead.
    private static func check(_ list: String) throws(HostError) {
        guard FileSystem.isFile(list) else { throw .cannotRead(path: list, reason: "there is no such file") }
        guard access(list, R_OK) == 0 else { throw .cannotRead(path: list, reason: FileSystem.reason) }
    }

    /// The public key in the signature, in the format of an allowed-signers line. The key follows the magic preamble
    /// and the version; every string has a four-byte length prefix (PROTOCOL.sshsig).
    private var publicKey: String? {
        let lines = armour.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D })
        guard lines.count > 2, let bytes = Base64.decode(lines.dropFirst().dropLast().joined()) else { return nil }
        func text(at place: Int) -> ArraySlice<UInt8>? {
            guard bytes.count >= place + 4 else { return nil }
            let length = bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
            return bytes.count - place - 4 >= length ? bytes[(place + 4)..<(place + 4 + length)] : nil
        }
        let start = 10
        guard bytes.starts(with: "SSHSIG".utf8), let key = text(at: start), key.count > 4,
            let kind = text(at: start + 4),
            kind.endIndex <= key.endIndex, kind.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else { return nil }
        return String(decoding: kind, as: UTF8.self) + " " + Base64.encode(Array(key))
    }

    /// The `SHA256:…` fingerprint in ssh-keygen's output.
    private static func fingerprint(_ output: [UInt8]) -> String? {
        String(decoding: output, as: UTF8.self).split(whereSeparator: { $0 == " " || $0 == "\n" })
            .first { $0.hasPrefix("SHA256:") }.map(String.init)
    }

    private static func keygen(_ words: [String], input: [UInt8]) throws(HostError) -> ProgramRun.Outcome {
        guard let program = SystemAccess.program("ssh-keygen") else {
            throw .package(.missingTool("ssh-keygen", package: "openssh-client"))
        }
        // Prevents passphrase prompts.
        var variables = ["LC_ALL=C", "SSH_ASKPASS=/bin/false", "SSH_ASKPASS_REQUIRE=force"]
        if let agent = SystemAccess.variable("SSH_AUTH_SOCK") { variables.append("SSH_AUTH_SOCK=\(agent)") }
        do throws(ProgramFault) {
            return try ProgramRun(
                path: "/usr/bin/env", arguments: variables + [program, "-Y"] + words, input: input, timeout: 20,
                limit: 1 << 20
            ).run()
        } catch {
            throw .cannotRead(path: error.path, reason: error.reason)
        }
    }

    private static func reason(_ outcome: ProgramRun.Outcome) -> String {
        let line = outcome.errors.suffix(2048).split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).last
        return outcome.killed ?? line.map { String(decoding: $0, as: UTF8.self) } ?? "it does not say why"
    }
}
