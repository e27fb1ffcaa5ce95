// Where packages come from: a folder, an archive, the address of one, or a git repository. What is easily got wrong: the
// words end up on the command line of git, so they are taken apart and checked here, and nothing that could be taken for an
// option, or that has a password in it, gets further.

import Basics
import Files
import Glibc
import HostErrors

/// Where a package comes from, as somebody wrote it.
public enum PackageSource: Sendable, Equatable {
    case folder(String)
    case archive(String)
    /// An archive at an address of https.
    case address(WebAddress, String)
    case git(GitPlace)

    /// A commit of a repository, and a folder in it.
    public struct GitPlace: Sendable, Equatable {
        /// As git takes it: an address of https or ssh, or the absolute path of a repository here.
        public var url: String
        /// Whether the repository is on this machine.
        public var isLocal: Bool
        /// A tag, a branch or a whole commit; nil for what the repository gives out by default.
        public var reference: String?
        /// A folder in it; empty for the top.
        public var folder: String
    }

    /// Reads `git+https://HOST/PATH[@REF][#FOLDER]`, `git+ssh://…`, `git+file:///PATH`, `https://…/x.tar.gz`, or a path.
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

    /// The part of an address between `//` and the next `/`.
    fileprivate static func authority(of text: String) -> Substring {
        guard let end = text.schemeEnd else { return "" }
        return text[end...].dropFirst(3).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    }

    /// The host of an address, in brackets where it is one of IPv6, and its port.
    static func host(of text: String) -> (name: String, port: Int?) {
        let authority = authority(of: text)
        let place = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
        let end = place.first == "[" ? place.firstIndex(of: "]").map(place.index(after:)) : place.firstIndex(of: ":")
        guard let end else { return (String(place), nil) }
        return (String(place[..<end]), Int(place[end...].dropFirst()))
    }

    /// For messages: whoever wrote a password into an address need not read it again.
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

    /// Refuses a path that does not lead to where it begins: what a policy names by how it begins would be left by it.
    /// Servers take some letters for others.
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

    /// As a lock has it: the paths of this machine whole, or from the folder of the lock on.
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

    /// What an update asks again: the text of a lock, its paths from the folder of the lock on.
    init(locked text: String, in home: PackageDirectory) throws(HostError) {
        try self.init(text.hasPrefix("./") ? home.folder + text.dropFirst(1) : text)
    }

    /// Where a source is in the network, as a signature must say it; nil for a path, where anything may lie.
    static func origin(of text: String) -> String? {
        text.hasPrefix("git+") ? place(of: text) : scheme(of: text) == nil ? nil : text
    }

    /// Without tag, branch or commit: what a signature binds, and allowed signers are listed for.
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
        // The @ of a user stands before the path, that of a reference in it.
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

    /// What git-check-ref-format allows, and less: nothing that is an option or an expression of git's.
    static func isReference(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 200 && !text.hasPrefix("-") && !text.hasSuffix(".lock")
            && text.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { part in
                // No part is empty, and no two dots stand together.
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
    /// Where `://` begins.
    fileprivate var schemeEnd: String.Index? {
        guard let colon = firstIndex(of: ":"), self[colon...].hasPrefix("://") else { return nil }
        return colon
    }
}
