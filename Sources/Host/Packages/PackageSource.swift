// Package sources: a folder, an archive, an archive's URL, or a git repository. Sources become git command-line
// arguments, so they are parsed and checked here: anything that looks like an option or contains a password is refused.

import Basics
import Files
import Glibc
import HostErrors

/// A package source as the user wrote it.
public enum PackageSource: Sendable, Equatable {
    case folder(String)
    case archive(String)
    /// An archive at an https URL (http only for this machine), with the original text.
    case address(WebAddress, String)
    case git(GitPlace)

    /// A commit of a repository, and a folder in it.
    public struct GitPlace: Sendable, Equatable {
        /// The address for git: an https or ssh URL, or the absolute path of a local repository.
        public var url: String
        /// Whether the repository is on this machine.
        public var isLocal: Bool
        /// A tag, a branch or a full commit; nil for the repository's default.
        public var reference: String?
        /// A folder in the repository; empty for the top.
        public var folder: String
    }

    /// Parses `git+https://HOST/PATH[@REF][#FOLDER]`, `git+ssh://…`, `git+file:///PATH`, `https://…/x.tar.gz`, or a
    /// path.
    ///
    /// - Throws: `.package(.badSource)`.
    public init(_ text: String) throws(HostError) {
        func refuse(_ reason: String) -> HostError { .package(.badSource(Self.withoutUser(text), reason: reason)) }
        guard !text.isEmpty, text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { throw refuse("it is no name") }
        if text.hasPrefix("-") { throw refuse("it begins with a hyphen; ./\(text) is a path") }
        if text.hasPrefix("git+") {
            self = .git(try GitPlace(String(text.dropFirst(4)), refuse))
        } else if let scheme = Self.scheme(of: text) {
            guard scheme == "https" || scheme == "http" else {
                throw refuse("'\(scheme)' is no way to fetch a package; git+https, git+ssh, git+file and https are")
            }
            guard let address = WebAddress(text) else { throw refuse("it is no address") }
            try Self.check(authority: text, scheme, refuse)
            self = .address(address, text)
        } else if FileSystem.isFolder(text) {
            self = .folder(text)
        } else if FileSystem.isFile(text) {
            self = .archive(text)
        } else {
            throw refuse("there is no such folder or file, and it is no address")
        }
    }

    private static func scheme(of text: String) -> String? {
        guard let end = text.schemeEnd else { return nil }
        let scheme = text[..<end]
        return scheme.utf8.allSatisfy { $0 < 0x80 && ($0 > 0x40 || (0x2B...0x39).contains($0)) }
            ? scheme.lowercased() : nil
    }

    /// The authority of a URL: the part between `//` and the next `/`, `?` or `#`.
    fileprivate static func authority(of text: String) -> Substring {
        guard let end = text.schemeEnd else { return "" }
        return text[end...].dropFirst(3).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    }

    /// The host and port of a URL. IPv6 hosts include their brackets.
    static func host(of text: String) -> (name: String, port: Int?) {
        let authority = authority(of: text)
        let place = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
        let end = place.first == "[" ? place.firstIndex(of: "]").map(place.index(after:)) : place.firstIndex(of: ":")
        guard let end else { return (String(place), nil) }
        return (String(place[..<end]), Int(place[end...].dropFirst()))
    }

    /// Redacts user and password for error messages.
    private static func withoutUser(_ text: String) -> String {
        let authority = authority(of: text)
        guard let at = authority.lastIndex(of: "@") else { return text }
        return text[..<authority.startIndex] + "…" + text[at...]
    }

    fileprivate static func check(
        authority text: String, _ scheme: String, _ refuse: (String) -> HostError
    ) throws(HostError) {
        let authority = authority(of: text)
        let halves = authority.split(separator: "@", omittingEmptySubsequences: false)
        let host = halves.last ?? ""
        if host.isEmpty || host.hasPrefix("-") { throw refuse("it names no host") }
        guard authority.utf8.allSatisfy({ $0 < 0x80 }),
            authority.allSatisfy({ $0.isLetter || $0.isNumber || ".-_:@[]".contains($0) })
        else { throw refuse("its host cannot be") }
        if halves.count > 2
            || (halves.count == 2 && (halves[0].contains(":") || scheme != "ssh" || halves[0].hasPrefix("-")))
        {
            throw refuse("a name or password does not belong into an address: the lock would tell it to everybody")
        }
        try check(path: text[authority.endIndex...], refuse)
        if scheme == "http" {
            let name = host.hasPrefix("[") ? host.prefix { $0 != "]" } + "]" : host.prefix { $0 != ":" }
            guard ["127.0.0.1", "[::1]", "localhost"].contains(String(name)) else {
                throw refuse("what comes by http may be anybody's; use https")
            }
        }
    }

    /// Refuses `.` and `..` in URL paths: such a path could leave the prefix that a policy allows. Percent-encoded dots
    /// and slashes and backslashes are included, because servers decode them.
    fileprivate static func check(path text: Substring, _ refuse: (String) -> HostError) throws(HostError) {
        var path: [UInt8] = []
        var rest = text.prefix { $0 != "?" && $0 != "#" }.utf8
        while let byte = rest.popFirst() {
            let digits = String(decoding: rest.prefix(2), as: UTF8.self).lowercased()
            let meant: UInt8? =
                switch (byte, digits) {
                case (UInt8(ascii: "%"), "2e"): UInt8(ascii: ".")
                case (UInt8(ascii: "%"), "2f"), (UInt8(ascii: "%"), "5c"): UInt8(ascii: "/")
                default: nil
                }
            if meant != nil { rest = rest.dropFirst(2) }
            path.append(meant ?? (byte == UInt8(ascii: "\\") ? UInt8(ascii: "/") : byte))
        }
        for part in path.split(separator: UInt8(ascii: "/")) where part.elementsEqual("..".utf8) || part == [0x2E] {
            throw refuse("'.' and '..' do not belong into an address")
        }
    }

    /// The source as written in a lock. Local paths are absolute, or relative to the lock's folder when they are inside
    /// it.
    func text(in home: PackageDirectory) -> String {
        switch self {
        case .folder(let path), .archive(let path): Self.path(path, home)
        case .address(_, let text): text
        case .git(let place):
            "git+" + (place.isLocal ? "file://" : "") + place.url + (place.reference.map { "@" + $0 } ?? "")
                + (place.folder.isEmpty ? "" : "#" + place.folder)
        }
    }

    private static func path(_ path: String, _ home: PackageDirectory) -> String {
        let real = FileSystem.absolute(path)
        let folder = FileSystem.absolute(home.folder)
        return real.isAt(folder) && real != folder ? "./" + real.dropFirst(folder.count + 1) : real
    }

    /// Parses the source in a lock; relative paths are relative to the lock's folder.
    init(locked text: String, in home: PackageDirectory) throws(HostError) {
        try self.init(text.hasPrefix("./") ? home.folder + text.dropFirst(1) : text)
    }

    /// The network source that a signature must name; nil for a local path, which can hold packages from any source.
    static func origin(of text: String) -> String? {
        text.hasPrefix("git+") ? place(of: text) : scheme(of: text) == nil ? nil : text
    }

    /// The source without tag, branch or commit, as signatures and allowed signers use it.
    static func place(of text: String) -> String {
        guard text.hasPrefix("git+"), let place = try? GitPlace(String(text.dropFirst(4)), { _ in .readerGone }) else {
            return text
        }
        return "git+" + (place.isLocal ? "file://" : "") + place.url + (place.folder.isEmpty ? "" : "#" + place.folder)
    }
}

extension PackageSource.GitPlace {
    fileprivate init(_ text: String, _ refuse: (String) -> HostError) throws(HostError) {
        guard let end = text.schemeEnd else { throw refuse("git+ is followed by https://, ssh:// or file://") }
        let scheme = text[..<end]
        guard ["https", "http", "ssh", "file"].contains(scheme) else {
            throw refuse("git is not asked by '\(scheme)'; git+https, git+ssh and git+file are taken")
        }
        let halves = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        folder = halves.count == 2 ? halves[1] : ""
        while folder.hasSuffix("/") { folder.removeLast() }
        if !folder.isEmpty {
            do throws(HostError) { try PackageFiles.check(folder) } catch {
                throw refuse("'\(folder)' is no folder in a package's repository")
            }
        }
        var url = halves[0]
        // An `@` before the path belongs to the user, one in the path starts the reference.
        let rest = url[end...].dropFirst(3)
        let pathStart = rest.firstIndex(of: "/") ?? url.endIndex
        if let at = url[pathStart...].lastIndex(of: "@") {
            let reference = String(url[url.index(after: at)...])
            guard Self.isReference(reference) else { throw refuse("'\(reference)' is no tag, branch or commit") }
            self.reference = reference
            url = String(url[..<at])
        } else {
            reference = nil
        }
        isLocal = scheme == "file"
        if isLocal {
            self.url = String(url[end...].dropFirst(3))
            guard self.url.hasPrefix("/") else { throw refuse("git+file:// is followed by an absolute path") }
            try PackageSource.check(path: self.url[...], refuse)
        } else {
            try PackageSource.check(authority: url, String(scheme), refuse)
            self.url = url
        }
    }

    /// A subset of git-check-ref-format without options and revision expressions.
    static func isReference(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 200 && !text.hasPrefix("-") && !text.hasSuffix(".lock")
            && text.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { part in
                // Parts are not empty and contain no `..`.
                !part.isEmpty && !part.split(separator: ".", omittingEmptySubsequences: false).contains("")
            }
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "._-/+".utf8.contains(byte)
                }
            }
    }
}

extension String {
    /// The index of `://`; nil when there is none.
    fileprivate var schemeEnd: String.Index? {
        guard let colon = firstIndex(of: ":"), self[colon...].hasPrefix("://") else { return nil }
        return colon
    }
}
