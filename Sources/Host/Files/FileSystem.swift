// File access with the system's error texts. Only the host's side of the gate uses it.

import Glibc
import HostErrors

package enum FileSystem {
    /// The most bytes per `read` call.
    static let blockSize = 256 << 10

    /// The text of `errno`.
    package static var reason: String { String(cString: strerror(errno)) }

    /// Reads a whole file.
    ///
    /// - Parameter limit: the largest accepted size in bytes.
    /// - Throws: `.cannotRead`.
    package static func read(_ path: String, limit: Int) throws(HostError) -> [UInt8] {
        try rest(of: try InputFile(path: path), path, limit)
    }

    /// Reads a regular file. Pipes and devices are refused: a pipe can block, and a device may never end.
    ///
    /// - Parameter check: may refuse the opened file by its status.
    package static func readFile(
        _ path: String, limit: Int, followsLinks: Bool = true, check: (stat) throws(HostError) -> Void = { _ in }
    ) throws(HostError) -> [UInt8] {
        let descriptor = open(
            path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (followsLinks ? 0 : O_NOFOLLOW))
        if descriptor < 0, errno == ELOOP, !followsLinks { throw .cannotRead(path: path, reason: "it is a link") }
        return try readFile(descriptor, path, limit: limit, check: check)
    }

    /// - Parameter descriptor: the opened file, which is closed here; negative when it could not be opened.
    static func readFile(
        _ descriptor: Int32, _ path: String, limit: Int, check: (stat) throws(HostError) -> Void = { _ in }
    ) throws(HostError) -> [UInt8] {
        guard descriptor >= 0 else { throw .cannotRead(path: path, reason: reason) }
        let input = InputFile(descriptor: descriptor, path: path)
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw .cannotRead(path: path, reason: "it is no file")
        }
        try check(status)
        return try rest(of: input, path, limit)
    }

    private static func rest(of input: InputFile, _ path: String, _ limit: Int) throws(HostError) -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let block = try input.next(upTo: input.size + 1)
            if block.isEmpty { return bytes }
            bytes += block
            if bytes.count > limit { throw .cannotRead(path: path, reason: "it is over \(limit >> 20) MiB") }
        }
    }

    package static func isFile(_ path: String) -> Bool { mode(path) == S_IFREG }
    package static func isFolder(_ path: String) -> Bool { mode(path) == S_IFDIR }
    package static func exists(_ path: String) -> Bool { mode(path) != nil }

    private static func mode(_ path: String) -> mode_t? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
    }

    /// The names in a folder, sorted. Empty when the folder cannot be read.
    ///
    /// - Parameter most: the number of names after which the others are left out.
    package static func entries(of path: String, most: Int = .max) -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while names.count < most, let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// The path with all links resolved; nil when nothing exists there or the result is not valid UTF-8.
    package static func realPath(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(validatingCString: real)
    }

    package static func absolute(_ path: String) -> String { realPath(path) ?? path }

    /// Creates a folder and its missing parents. By default only the user has access.
    package static func makeFolder(_ path: String, mode: UInt32 = 0o700) throws(HostError) {
        if isFolder(path) { return }
        if path != "/", path.contains("/") { try makeFolder(folder(of: path), mode: mode) }
        guard mkdir(path, mode_t(mode)) == 0 || errno == EEXIST else { throw .cannotWrite(path: path, reason: reason) }
    }

    package static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    package static func base(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
    }
}

/// An open file, or standard input, read in blocks.
package final class InputFile {
    package let descriptor: Int32
    private let path: String
    private let owns: Bool

    package init(path: String) throws(HostError) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .cannotRead(path: path, reason: FileSystem.reason) }
        self.path = path
        owns = true
    }

    /// Takes ownership of a descriptor that another process opened.
    package init(descriptor: Int32, path: String) {
        self.descriptor = descriptor
        self.path = path
        owns = true
    }

    package init(standardInput: Void) {
        descriptor = STDIN_FILENO
        path = "standard input"
        owns = false
    }

    deinit { if owns { close(descriptor) } }

    /// The file size in bytes; 0 when `fstat` fails.
    package var size: Int {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
    }

    /// Whether a read returns at once, with data or at the end of the file.
    package var isReadable: Bool {
        var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&watched, 1, 0) > 0
    }

    /// The next block; empty at the end.
    package func next(upTo limit: Int = FileSystem.blockSize) throws(HostError) -> [UInt8] {
        while true {
            var count = 0
            let block = [UInt8](unsafeUninitializedCapacity: min(limit, FileSystem.blockSize)) { buffer, filled in
                count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
                filled = max(count, 0)
            }
            if count >= 0 { return block }
            if errno != EINTR { throw .cannotRead(path: path, reason: FileSystem.reason) }
        }
    }
}
