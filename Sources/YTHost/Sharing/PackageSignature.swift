// Signatures of packages, made and checked by `ssh-keygen -Y` in a namespace of their own (see ssh-keygen(1) and OpenSSH's
// PROTOCOL.sshsig). What is signed is a short text: name, version and source of the package, and the digest of its files.
// So a signature fits no other package, no other version, and no other place that the package is said to be from.

import VideoServices

/// The file `ythost.sig`: a line that names the source, and a signature as OpenSSH writes it.
struct PackageSignature: Sendable {
    static let namespace = "ythost-plugin"

    /// Where whoever signed it publishes the package.
    let source: String
    /// Beginning with `-----BEGIN SSH SIGNATURE-----`.
    let armour: [UInt8]

    /// Who signed something, as far as is known.
    enum Verdict: Sendable, Equatable {
        case unsigned
        /// The signature is whole, and nobody said whose key that is.
        case unknown(key: String)
        case signed(by: String, key: String)
    }

    init(source: String, armour: [UInt8]) {
        self.source = source
        self.armour = armour
    }

    /// Nil for what is no such file.
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

    /// What is signed.
    private static func statement(_ manifest: PackageManifest, _ source: String, _ digest: String) -> [UInt8] {
        Array(
            "ythost package 1\nname \(manifest.name)\nversion \(manifest.version)\nsource \(source)\ndigest sha256:\(digest)\n"
                .utf8)
    }

    // MARK: Signing

    /// - Parameter key: the file of a private key without a passphrase, or of a public key whose other half ssh-agent has.
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

    /// Who signed the files.
    ///
    /// - Parameter origin: where they come from; nil for this machine, where everything may lie.
    /// - Throws: `.package(.signature)` for one that does not hold, whoever is allowed.
    static func verdict(
        of files: PackageFiles, _ manifest: PackageManifest, from origin: String?, _ policy: SharingPolicy
    ) throws(HostError) -> (Verdict, source: String?) {
        func refuse(_ reason: String) -> HostError { .package(.signature(package: manifest.name, reason: reason)) }
        guard let bytes = files.signature else { return (.unsigned, nil) }
        guard let signature = PackageSignature(bytes) else {
            throw refuse("\(PackageFiles.signatureName) is no signature")
        }
        if let origin, origin != signature.source {
            throw refuse("it is for \(signature.source), and the package comes from \(origin)")
        }
        let scratch = try ScratchFolder()
        let file = scratch.path + "/signature"
        let sink = try FileSink(path: file, mode: 0o600)
        try sink.write(signature.armour)
        try sink.commit()
        defer { withExtendedLifetime(scratch) {} }
        let statement = statement(manifest, signature.source, try files.digest())
        let check = try keygen(["check-novalidate", "-n", namespace, "-s", file], input: statement)
        guard check.status == 0, let key = fingerprint(check.output) else {
            throw refuse("the files, the name, the version or the source are not those that were signed")
        }
        var names: [String] = []
        for (allowed, revoked) in policy.signers(of: signature.source) {
            let found = try keygen(["find-principals", "-s", file, "-f", allowed], input: [])
            // A line a match, each a list of names that a comma parts.
            let principal = String(decoding: found.output, as: UTF8.self)
                .split(whereSeparator: { $0 == "\n" || $0 == "," }).first { !$0.hasPrefix("!") }.map(String.init)
            guard found.status == 0, let principal else { throw refuse("the key \(key) is none of \(allowed)") }
            for list in revoked where !FileSystem.isFile(list) {
                throw .cannotRead(path: list, reason: "there is no such file")
            }
            let words = ["verify", "-n", namespace, "-s", file, "-f", allowed, "-I", principal]
            let rounds = revoked.isEmpty ? [[]] : revoked.map { ["-r", $0] }
            for round in rounds {
                let outcome = try keygen(words + round, input: statement)
                guard outcome.status == 0 else {
                    throw refuse("the key \(key) of \(principal) is revoked, or not allowed to sign this")
                }
            }
            names.append(principal)
        }
        return (names.first.map { .signed(by: $0, key: key) } ?? .unknown(key: key), signature.source)
    }

    /// `SHA256:…`, from what ssh-keygen says.
    private static func fingerprint(_ output: [UInt8]) -> String? {
        String(decoding: output, as: UTF8.self).split(whereSeparator: { $0 == " " || $0 == "\n" })
            .first { $0.hasPrefix("SHA256:") }.map(String.init)
    }

    private static func keygen(_ words: [String], input: [UInt8]) throws(HostError) -> ProgramRun.Outcome {
        guard let program = OutsideWorld.program("ssh-keygen") else {
            throw .package(.missingTool("ssh-keygen", package: "openssh-client"))
        }
        // Without a terminal, nobody is asked for a passphrase.
        var variables = ["LC_ALL=C", "SSH_ASKPASS=/bin/false", "SSH_ASKPASS_REQUIRE=force"]
        if let agent = OutsideWorld.variable("SSH_AUTH_SOCK") { variables.append("SSH_AUTH_SOCK=\(agent)") }
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
        let line = String(decoding: outcome.errors.suffix(2048), as: UTF8.self).split(separator: "\n").last
        return outcome.killed ?? line.map(String.init) ?? "it does not say why"
    }
}
