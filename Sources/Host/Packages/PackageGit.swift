// Fetches packages from git repositories with the `git` program. Nothing is ever checked out: files are read from git's
// objects, so hooks, filters, attributes, LFS and submodules do not apply and the bytes are the same on every machine.
// git never prompts, and the address follows `--`.

import Files
import HostErrors
import Sandbox
import WebClient

struct PackageGit {
    private let git: String
    private let place: PackageSource.GitPlace
    private let source: String
    private let scratch: ScratchFolder
    /// The IP addresses that git must use for the server; empty for any.
    private var pinned: [String] = []
    private var folder: String { scratch.path }

    /// The largest file of a fetched repository in bytes, and the timeout per git command in seconds.
    private static let largestPack = 256 << 20
    private static let seconds = 120.0

    /// The memory limit in bytes of git and each of its child processes, and settings that make git process large files
    /// in pieces.
    private static let memory = 512 << 20
    private static let frugality = ["core.bigFileThreshold=\(PackageFiles.largestFile)", "pack.threads=1"]

    /// Fetches the package's files and returns them with their commit.
    ///
    /// - Parameter isTyped: whether the user named the source. Only then may it be at a private address.
    /// - Throws: `.package(.git)` with git's reason.
    static func fetch(
        _ place: PackageSource.GitPlace, source: String, isTyped: Bool
    ) throws(HostError) -> (PackageFiles, String) {
        var git = try PackageGit(place, source, ScratchFolder())
        if !isTyped, !place.isLocal {
            // ssh settings can map a host name to a private address or a program.
            if place.url.hasPrefix("ssh:") { throw git.failed(PackageDownload.lockedSSH) }
            try git.pin()
        }
        return try git.fetch()
    }

    /// Resolves the server's name and pins its addresses, which must be public.
    private mutating func pin() throws(HostError) {
        let host = PackageSource.host(of: place.url)
        let isBehindProxy =
            scheme == "https" && ["https_proxy", "HTTPS_PROXY"].contains { SystemAccess.variable($0) != nil }
        let found: [String]
        do throws(WebError) {
            found = try NameLookUp.publicAddresses(of: host.name, isBehindProxy: isBehindProxy)
        } catch {
            throw failed(PackageDownload.privatePlace)
        }
        if isBehindProxy { return }
        guard !found.isEmpty else { throw failed("no address is known for \(host.name)") }
        let addresses = found.map { $0.contains(":") ? "[\($0)]" : $0 }.joined(separator: ",")
        pinned = ["\(host.name):\(host.port ?? 443):\(addresses)"]
    }

    private init(_ place: PackageSource.GitPlace, _ source: String, _ scratch: ScratchFolder) throws(HostError) {
        guard let git = SystemAccess.program("git") else { throw .package(.missingTool("git", package: "git")) }
        self.git = git
        self.place = place
        self.source = source
        self.scratch = scratch
    }

    private func fetch() throws(HostError) -> (PackageFiles, String) {
        _ = try run(["init", "-q", "--bare", "--template=", "\(folder)/repository"], inRepository: false)
        let isCommit = place.reference.map(Self.isCommit) ?? false
        let wanted = isCommit ? place.reference ?? "" : try reference()
        let target = "refs/ythost/package"
        var fetch = ["fetch", "-q", "--no-tags", "--no-recurse-submodules", "--no-auto-gc", "--no-write-fetch-head"]
        // For a local repository, upload-pack is a separate git that does not inherit these settings.
        if place.isLocal {
            let words = [git] + Self.frugality.flatMap { ["-c", $0] } + ["upload-pack"]
            fetch.append("--upload-pack=" + words.map(ErrorReport.quoted).joined(separator: " "))
        }
        do throws(HostError) {
            _ = try run(fetch + ["--depth=1", "--", place.url, "+\(wanted):\(target)"])
        } catch {
            // Not every server allows fetching an arbitrary commit.
            guard isCommit, case .git? = error.packageFault else { throw error }
            _ = try run(fetch + ["--", place.url, "+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*"])
            _ = try run(["update-ref", target, wanted])
        }
        let commit = text(try run(["rev-parse", "--verify", "-q", "\(target)^{commit}"]))
        guard Self.isCommit(commit), !isCommit || commit == wanted.lowercased() else {
            throw failed("'\(place.reference ?? "HEAD")' is no commit")
        }
        return (try PackageFiles(try contents(of: try entries(of: commit))), commit)
    }

    static func isCommit(_ text: String) -> Bool {
        (text.utf8.count == 40 || text.utf8.count == 64)
            && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0 | 0x20) }
    }

    /// The full name of the tag or branch; a tag takes precedence.
    private func reference() throws(HostError) -> String {
        guard let name = place.reference else { return "HEAD" }
        let candidates = ["refs/tags/\(name)", "refs/heads/\(name)"]
        let found = text(try run(["ls-remote", "-q", "--", place.url] + candidates))
            .split(separator: "\n").compactMap { $0.split(separator: "\t").last.map(String.init) }
        guard let full = candidates.first(where: found.contains) else {
            throw failed("it has no tag and no branch '\(name)'")
        }
        return full
    }

    // MARK: Files

    private struct Entry {
        var path: String
        var object: String
    }

    private func entries(of commit: String) throws(HostError) -> [Entry] {
        let below = place.folder.isEmpty ? "" : place.folder + "/"
        let listing = try run(["ls-tree", "-r", "-z", "-l", "--full-tree", commit] + (below.isEmpty ? [] : [below]))
        var entries: [Entry] = []
        var sum = 0
        for line in listing.split(separator: 0) {
            // Each line: mode, type, object, size, tab, path.
            guard let tab = line.firstIndex(of: UInt8(ascii: "\t")) else { throw failed("it lists files strangely") }
            let facts = line[..<tab].split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
            let full = String(decoding: line[(tab + 1)...], as: UTF8.self)
            guard facts.count == 4, full.hasPrefix(below) else { throw failed("it lists files strangely") }
            let path = String(full.dropFirst(below.count))
            if path.split(separator: "/", omittingEmptySubsequences: false).contains(where: { $0 == ".." || $0.isEmpty }
            ) {
                throw .package(.badFile(path: path, reason: "it leads out of the package"))
            }
            if PackageFiles.isHidden(path) { continue }
            switch facts[0] {
            case "100644", "100755", "100664": break
            case "120000": throw .package(.badFile(path: path, reason: "it is a link, and packages have none"))
            case "160000":
                throw .package(.badFile(path: path, reason: "it is a submodule, and those are not fetched"))
            default: throw .package(.badFile(path: path, reason: "it is no file"))
            }
            try PackageFiles.check(path)
            sum += Int(facts[3]) ?? PackageFiles.largestSum
            guard sum <= PackageFiles.largestSum, entries.count < PackageFiles.mostFiles else {
                throw PackageFiles.tooMuch
            }
            entries.append(Entry(path: path, object: facts[2]))
        }
        if entries.isEmpty { throw .package(.noManifest(place: source)) }
        return entries
    }

    private func contents(of entries: [Entry]) throws(HostError) -> [(path: String, bytes: [UInt8])] {
        let asked = entries.map { $0.object + "\n" }.joined()
        let output = try run(["cat-file", "--batch"], input: Array(asked.utf8))
        var found: [(path: String, bytes: [UInt8])] = []
        var rest = output[...]
        for entry in entries {
            // Each object: a line with object, type and size, then the bytes and a line end.
            guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { throw failed("a file is missing") }
            let facts = String(decoding: rest[..<end], as: UTF8.self).split(separator: " ")
            guard facts.count == 3, facts[1] == "blob", let size = Int(facts[2]), rest.endIndex - end - 2 >= size else {
                throw failed("the file '\(entry.path)' is missing")
            }
            found.append((entry.path, Array(rest[(end + 1)...].prefix(size))))
            rest = rest[(end + 1)...].dropFirst(size + 1)
        }
        return found
    }

    // MARK: git

    /// Settings that override the user's.
    private var settings: [String] {
        [
            "core.hooksPath=/dev/null", "core.fsmonitor=false", "core.askPass=", "credential.interactive=false",
            "submodule.recurse=false", "fetch.recurseSubmodules=false", "gc.auto=0", "maintenance.auto=false",
            "transfer.fsckObjects=true", "transfer.bundleURI=false", "protocol.allow=never",
            "protocol.\(scheme).allow=always",
            "http.followRedirects=false",
        ] + Self.frugality + pinned.map { "http.curloptResolve=\($0)" }
    }

    private var scheme: String { place.isLocal ? "file" : String(place.url.prefix { $0 != ":" }) }

    private var variables: [String] {
        var variables = [
            "LC_ALL=C", "GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=/bin/false", "SSH_ASKPASS=/bin/false",
            "SSH_ASKPASS_REQUIRE=never", "GIT_SSH_COMMAND=ssh -oBatchMode=yes -oConnectTimeout=15",
            "GIT_ALLOW_PROTOCOL=\(scheme)", "GIT_NO_LAZY_FETCH=1", "GIT_ATTR_NOSYSTEM=1", "GIT_LFS_SKIP_SMUDGE=1",
        ]
        for name in ["SSH_AUTH_SOCK", "XDG_CONFIG_HOME", "https_proxy", "HTTPS_PROXY", "no_proxy", "NO_PROXY"] {
            // Skip URLs with credentials: all local users can read a program's arguments.
            if let value = SystemAccess.variable(name), !value.contains("@") { variables.append("\(name)=\(value)") }
        }
        return variables
    }

    private func run(
        _ arguments: [String], input: [UInt8] = [], inRepository: Bool = true
    ) throws(HostError) -> [UInt8] {
        var words = variables + [git]
        if inRepository { words += ["--git-dir=\(folder)/repository"] }
        for setting in settings { words += ["-c", setting] }
        var path = "/usr/bin/env"
        // File size and memory are limited only when prlimit is installed; the timeout always applies.
        if let limiter = SystemAccess.program("prlimit") {
            words = ["--fsize=\(Self.largestPack)", "--data=\(Self.memory)", "--core=0", "--", path] + words
            path = limiter
        }
        let outcome: ProgramRun.Outcome
        do throws(ProgramFault) {
            outcome = try ProgramRun(
                path: path, arguments: words + arguments, input: input, timeout: Self.seconds,
                limit: PackageFiles.largestSum + (4 << 20)
            ).run()
        } catch {
            throw failed(error.reason)
        }
        if let killed = outcome.killed { throw failed("it was ended: \(killed)") }
        guard outcome.status == 0 else { throw failed(Self.reason(outcome.errors)) }
        return outcome.output
    }

    /// The most informative line of git's errors: the last "fatal" or "error" line.
    private static func reason(_ errors: [UInt8]) -> String {
        // ssh ends lines with CR LF.
        let lines = errors.suffix(4096).split(whereSeparator: { $0 == 0x0A || $0 == 0x0D })
            .map { String(decoding: $0, as: UTF8.self) }
        func isComplaint(_ line: String) -> Bool { line.hasPrefix("fatal: ") || line.hasPrefix("error: ") }
        guard let line = lines.last(where: isComplaint) ?? lines.last else { return "it does not say why" }
        let reason = isComplaint(line) ? String(line.dropFirst(7)) : line
        if reason.contains("returned error: 30") {
            return reason + "; where it leads is not followed: name that address"
        }
        // git's last line is only "could not read"; the reason from ssh or the remote git is in an earlier line.
        if reason.hasPrefix("Could not read from remote") {
            if let first = lines.first(where: isComplaint), first != line { return String(first.dropFirst(7)) }
            let said = lines.first { $0 != line && !$0.lowercased().hasPrefix("warning: ") }
            if let said { return said }
        }
        return reason
    }

    private func text(_ bytes: [UInt8]) -> String {
        String(decoding: bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes[...], as: UTF8.self)
    }

    private func failed(_ reason: String) -> HostError { .package(.git(source: source, reason: reason)) }
}
