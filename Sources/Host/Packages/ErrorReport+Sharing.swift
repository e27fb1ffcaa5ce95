// Error texts for shared packages.

import Basics
import HostErrors

extension PackageFault: ReportedFault {
    public var report: ErrorReport { ErrorReport(self) }
}

extension HostError {
    /// A failure to install, change or run a package.
    package static func package(_ fault: PackageFault) -> HostError { .fault(fault) }

    /// The underlying package fault; nil for other errors.
    var packageFault: PackageFault? { if case .fault(let fault) = self { fault as? PackageFault } else { nil } }
}

extension ErrorReport {
    fileprivate init(_ fault: PackageFault) {
        switch fault {
        case .noManifest(let place):
            self.init(
                .usage, "\(place) is no package: it has no \(PackageFiles.manifestName)",
                "a package has one such as \(PackageManifest.example)")
        case .badManifest(let place, let reason):
            self.init(
                .usage, "\(PackageFiles.manifestName) of \(place): \(reason)", "one is \(PackageManifest.example)")
        case .badFile(let path, let reason):
            self.init(.refused, "the package's file '\(path)' is refused: \(reason)", "nothing was written")
        case .tooMuch(let reason):
            self.init(.refused, "the package is too large: \(reason)", "nothing was written")
        case .badArchive(let place, let reason):
            self.init(
                .usage, "cannot unpack \(place): \(reason)",
                "`ythost plugin pack` makes archives; tar and zip are read, packed with gzip, bzip2, xz or zstd")
        case .badSource(let text, let reason):
            self.init(
                .usage, "'\(text)' is no source of a package: \(reason)",
                "git+https://HOST/PATH.git@TAG, https://HOST/PATH.tar, or the path of a folder or archive")
        case .git(let source, let reason):
            self.init(
                .network, "git cannot fetch \(source): \(reason)",
                "git is asked without prompts: credentials come from your git settings or ssh-agent")
        case .download(let source, let reason):
            self.init(.network, "cannot fetch \(source): \(reason)", "nothing was changed")
        case .missingTool(let tool, let package):
            self.init(.configuration, "\(tool) is not installed", "install it: apt-get install \(package)")
        case .badLock(let path, let reason):
            self.init(
                .configuration, "\(path) cannot be believed: \(reason)",
                "take it from version control again, or remove it and add the packages anew")
        case .newerLock(let path, let version):
            self.init(
                .configuration,
                "\(path) is of version \(version), and this ythost knows version \(PackageLock.version)",
                "update ythost")
        case .differs(let package, let lock, let changes):
            let shown = changes.prefix(8).joined(separator: ", ")
            let more = changes.count > 8 ? " and \(changes.count - 8) more" : ""
            self.init(
                .refused, "package '\(package)' is not what \(lock) says: \(shown)\(more)",
                "ythost plugin restore \(package) fetches what is locked; ythost plugin update \(package) shows what is new"
            )
        case .badPlace(let path, let reason):
            self.init(
                .refused, "packages are not kept at \(path): \(reason)",
                "nothing was changed; ythost.lock, ythost.policy and plugins are plain ones that not everybody may write to (chmod o-w), in such a folder"
            )
        case .strangers(let place, let files):
            let more = files.count > 4 ? " and \(files.count - 4) more" : ""
            self.init(
                .refused,
                "\(place) has files that no package brought: \(files.prefix(4).joined(separator: ", "))\(more)",
                "nothing was changed; move them elsewhere first")
        case .falseLock(let package, let lock, let facts):
            self.init(
                .refused, "\(lock) says of '\(package)' what is not so: \(facts.joined(separator: "; "))",
                "take the lock from version control again; ythost plugin update \(package) writes down what is so")
        case .ambiguousPlace(let plugin, let paths):
            self.init(
                .usage, "your packages and this project's have different plugins '\(plugin)'",
                "say which, by its path: " + paths.map(ErrorReport.quoted).joined(separator: " or "))
        case .unlocked(let path):
            self.init(
                .refused, "\(path) is in no lock, and only what is locked may run",
                "`ythost plugin add` locks packages; without --locked, or a policy that says so, it would run")
        case .unknown(let package, let lock, let near):
            self.init(
                .usage, "\(lock) has no package '\(package)'" + (near.map { "; did you mean '\($0)'?" } ?? ""),
                "`ythost plugin list` shows what there is")
        case .taken(let package, let lock, let source?):
            self.init(
                .usage, "there is a package '\(package)' in \(lock) already, from \(source)",
                "ythost plugin update \(package) brings it up to date; ythost plugin remove \(package) makes room")
        case .taken(let package, let lock, nil):
            self.init(
                .usage, "beside \(lock) there is something of the name '\(package)' that is no package",
                "move it away: plugins/\(package)")
        case .ambiguous(let plugin, let packages):
            self.init(
                .usage, "several packages have a plugin '\(plugin)'",
                "say which: " + packages.map { "\($0)/\(plugin)" }.joined(separator: ", "))
        case .busy(let folder):
            self.init(
                .configuration, "another ythost is changing the packages in \(folder)", "try again when it is done")
        case .signature(let package, let reason):
            self.init(.refused, "the signature of '\(package)' does not hold: \(reason)", "nothing was changed")
        case .signatureGone(let package):
            self.init(
                .refused,
                "the signature of '\(package)' does not hold: the lock names a signer, and the signature is gone",
                "ythost plugin restore \(package) fetches what is locked")
        case .otherSigner(let package, let signer, let before):
            self.init(
                .refused, "'\(package)' is signed by \(signer); \(before) signed what is here, and not this",
                "nothing was changed; where that is right, remove the package and add it anew")
        case .unsigned(let package, let reason):
            self.init(
                .refused, "'\(package)' is not signed by anybody allowed: \(reason)",
                "nothing was changed; --unsigned takes it all the same")
        case .older(let package, let have, let found):
            self.init(
                .refused, "'\(package)' \(found) is older than \(have), which is here",
                "nothing was changed; --older takes it all the same")
        case .consent(let package, let grants) where grants.isEmpty:
            self.init(
                .refused, "nobody agreed to the change of '\(package)'",
                "nothing was changed; on a terminal it asks, --yes agrees")
        case .consent(let package, let grants):
            self.init(
                .refused, "'\(package)' asks for more than before: \(grants.map(Text.visible).joined(separator: ", "))",
                "nothing was changed; --yes does not agree to that: answer on a terminal, or name each, as in --accept \(ErrorReport.quoted(grants[0]))"
            )
        case .policy(let path, let line, let reason):
            self.init(.configuration, reason, "docs/sharing.md says what a policy may say")
            file = path
            self.line = line
        case .refused(let what, let policy):
            self.init(.refused, "\(what) is refused by \(policy)", "whoever wrote the policy can change it")
        }
    }

    private init(_ code: Code, _ message: String, _ hint: String) {
        self.init(code: code, kind: "package", message: message, hint: hint)
    }
}
