// A package's files in canonical form: sorted by the bytes of their paths, text lines ending in LF, no modes or times.
// Everything is checked here before any file is written. A run loads the bytes that were hashed here and never reads a
// file again.

import Files
import Glibc
import HostErrors

/// The checked files of a package, in canonical order.
struct PackageFiles: Sendable {
    struct File: Sendable, Equatable {
        /// A relative ASCII path with `/` separators.
        let path: String
        let bytes: [UInt8]
        /// SHA-256 of the bytes, in hexadecimal.
        let digest: String
    }

    let files: [File]
    /// The content of the signature file, which is not one of the signed files.
    let signature: [UInt8]?

    static let manifestName = "ythost.json"
    static let signatureName = "ythost.sig"

    /// Limits of a package: number of files, bytes per file and in total, bytes per path and path component, components
    /// per path.
    static let mostFiles = 2000
    static let largestFile = PluginLocator.largestFile
    static let largestSum = 32 << 20
    private static let longestPath = 150
    private static let longestPart = 60
    private static let deepest = 8

    /// - Throws: `.package` for forbidden files and exceeded limits.
    init(_ found: [(path: String, bytes: [UInt8])]) throws(HostError) {
        var files: [File] = []
        var signature: [UInt8]?
        var sum = 0
        // The spelling of each path and its folders by lower-cased path, to find clashes on case-insensitive file
        // systems.
        var spellings: [String: (spelling: String, isFile: Bool)] = [:]
        for (path, bytes) in found {
            try Self.check(path)
            guard bytes.count <= Self.largestFile else {
                throw .package(.tooMuch(reason: "\(path) is over \(Self.largestFile >> 20) MiB"))
            }
            sum += bytes.count
            guard sum <= Self.largestSum, found.count <= Self.mostFiles else { throw Self.tooMuch }
            var end = path.startIndex
            while true {
                let slash = path[end...].firstIndex(of: "/")
                let part = String(path[..<(slash ?? path.endIndex)])
                let known = spellings[part.lowercased()]
                if let known, known.spelling != part || known.isFile || slash == nil {
                    throw .package(.badFile(path: path, reason: "'\(known.spelling)' bears the same name"))
                }
                spellings[part.lowercased()] = (part, slash == nil)
                guard let slash else { break }
                end = path.index(after: slash)
            }
            if path == Self.signatureName {
                signature = bytes
                continue
            }
            if bytes.starts(with: Self.pointer) {
                throw .package(
                    .badFile(path: path, reason: "it only points to a file that git LFS keeps, and LFS is not used"))
            }
            let canonical = Self.canonical(bytes)
            files.append(File(path: path, bytes: canonical, digest: try Digest.sha256(canonical)))
        }
        self.files = files.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
        self.signature = signature
    }

    static let tooMuch = HostError.package(
        .tooMuch(reason: "a package holds at most \(mostFiles) files and \(largestSum >> 20) MiB"))

    private static let pointer = Array("version https://git-lfs.github.com/spec/".utf8)

    subscript(path: String) -> File? { files.first { $0.path == path } }

    /// One line per file with its digest and path. The package digest is computed over this list.
    static func list(_ files: some Sequence<(path: String, digest: String)>) -> [UInt8] {
        Array(files.map { "\($0.digest)  \($0.path)\n" }.joined().utf8)
    }

    /// The digest of the package.
    func digest() throws(HostError) -> String {
        try Digest.sha256(Self.list(files.map { ($0.path, $0.digest) }))
    }

    /// Drops each CR before an LF in text, which is any file without a NUL: a checkout may have added it, and Lua
    /// ignores it. The function is idempotent, because files read from an installed package are already canonical.
    static func canonical(_ bytes: [UInt8]) -> [UInt8] {
        let (cr, lf) = (UInt8(ascii: "\r"), UInt8(ascii: "\n"))
        guard bytes.contains(cr), !bytes.contains(0) else { return bytes }
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        for byte in bytes {
            if byte == lf { while text.last == cr { text.removeLast() } }
            text.append(byte)
        }
        return text
    }

    // MARK: Paths

    /// Whether a path is skipped: hidden files, such as git's own.
    static func isHidden(_ path: String) -> Bool {
        path.split(separator: "/").contains { $0.hasPrefix(".") }
    }

    /// Refuses a path that leads outside the package or is not portable between systems.
    ///
    /// - Throws: `.package(.badFile)`.
    static func check(_ path: String) throws(HostError) {
        func refuse(_ reason: String) -> HostError { .package(.badFile(path: path, reason: reason)) }
        if path.hasPrefix("/") { throw refuse("a path begins in the package") }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        for part in parts {
            if part == ".." || part == "." || part.isEmpty { throw refuse("a path leads nowhere else") }
            if part.utf8.count > longestPart { throw refuse("its name is over \(longestPart) bytes") }
            if part.hasSuffix(" ") || part.hasSuffix(".") || part.hasPrefix(" ") || part.hasPrefix("-") {
                throw refuse("some systems cannot keep that name")
            }
            guard part.utf8.allSatisfy(isAllowed) else {
                throw refuse("names are of ASCII letters, digits, spaces and . _ - + @ ( ) ,")
            }
        }
        if parts.count > deepest { throw refuse("it is over \(deepest) folders deep") }
        if path.utf8.count > longestPath { throw refuse("its path is over \(longestPath) bytes") }
        if parts.last?.lowercased() == PackageLock.name { throw refuse("a package has no lock") }
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: " ._-+@(),".utf8.contains(byte)
        }
    }

    // MARK: Folders

    /// Reads the files of a folder.
    ///
    /// - Throws: `.package` for forbidden files, links included; `.cannotRead`.
    init(folder: String) throws(HostError) {
        var found: [(path: String, bytes: [UInt8])] = []
        var sum = 0
        var rest = [""]
        while let below = rest.popLast() {
            for entry in try Self.names(in: below.isEmpty ? folder : "\(folder)/\(below)") {
                if entry.hasPrefix(".") { continue }
                let path = below.isEmpty ? entry : "\(below)/\(entry)"
                var status = stat()
                guard lstat("\(folder)/\(path)", &status) == 0 else {
                    throw .cannotRead(path: "\(folder)/\(path)", reason: FileSystem.reason)
                }
                switch status.st_mode & S_IFMT {
                case S_IFDIR:
                    try Self.check(path)
                    rest.append(path)
                case S_IFREG:
                    sum += Int(status.st_size)
                    guard sum <= Self.largestSum, found.count < Self.mostFiles else { throw Self.tooMuch }
                    found.append((path, try Self.read("\(folder)/\(path)")))
                case S_IFLNK: throw .package(.badFile(path: path, reason: "it is a link, and packages have none"))
                default: throw .package(.badFile(path: path, reason: "it is no file"))
                }
            }
        }
        try self.init(found)
    }

    /// All names in a folder, sorted. Throws when the folder cannot be read, because its files would be missing
    /// silently.
    private static func names(in folder: String) throws(HostError) -> [String] {
        guard let stream = opendir(folder) else { throw .cannotRead(path: folder, reason: FileSystem.reason) }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let bytes = withUnsafeBytes(of: entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            guard let name = String(validating: bytes, as: UTF8.self) else {
                throw .package(
                    .badFile(path: String(decoding: bytes, as: UTF8.self), reason: "its name is no text in UTF-8"))
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// The digest of a file in canonical form; nil when it cannot be read or is too large.
    static func digest(ofFile path: String) -> String? {
        do throws(HostError) { return try Digest.sha256(canonical(try read(path))) } catch { return nil }
    }

    private static func read(_ path: String) throws(HostError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { throw .cannotRead(path: path, reason: FileSystem.reason) }
        let file = InputFile(descriptor: descriptor, path: path)
        var bytes: [UInt8] = []
        while true {
            let block = try file.next(upTo: file.size + 1)
            if block.isEmpty { return bytes }
            bytes += block
            if bytes.count > largestFile {
                throw .package(.tooMuch(reason: "\(path) is over \(largestFile >> 20) MiB"))
            }
        }
    }
}
