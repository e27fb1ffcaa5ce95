// Sinks for a run's output: standard output, an atomically replaced file, or memory.

import Glibc
import HostErrors

/// Receives a run's output.
public protocol OutputSink: AnyObject {
    func write(_ bytes: [UInt8]) throws(HostError)
    /// Makes the written bytes permanent, after all of them were written.
    func commit() throws(HostError)
    /// Waits until committed bytes are durable, for callers that depend on that.
    func waitUntilDurable() throws(HostError)
    /// Removes partial output of a failed run, where possible.
    func discard()
    /// Whether the bytes go to a terminal although the run does not format for one.
    var isTerminal: Bool { get }
}

extension OutputSink {
    public func waitUntilDurable() {}
    public func discard() {}
    public var isTerminal: Bool { false }
}

/// Collects the bytes in memory, for programs that embed ythost.
public final class MemorySink: OutputSink {
    public private(set) var bytes: [UInt8] = []
    /// Whether the run succeeded; when false, the bytes are partial output from before a failure.
    public private(set) var isCommitted = false
    public init() {}
    public func write(_ bytes: [UInt8]) { self.bytes += bytes }
    public func commit() { isCommitted = true }
    public var text: String { String(decoding: bytes, as: UTF8.self) }
}

/// An open descriptor such as standard output.
public final class DescriptorSink: OutputSink {
    private let descriptor: Int32
    private let name: String

    public init(descriptor: Int32, name: String) {
        self.descriptor = descriptor
        self.name = name
    }

    public func write(_ bytes: [UInt8]) throws(HostError) { try Self.write(bytes, to: descriptor, name: name) }
    public func commit() {}

    /// - Parameter replacing: whether the previous file is still intact when writing fails.
    package static func write(
        _ bytes: [UInt8], to descriptor: Int32, name: String, replacing: Bool = false
    ) throws(HostError) {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress?.advanced(by: done), $0.count - done)
            }
            if count >= 0 {
                done += count
            } else if errno == EPIPE {
                throw .readerGone
            } else if errno == EAGAIN {
                var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&wait, 1, -1)
            } else if errno != EINTR {
                throw .cannotWrite(path: name, reason: FileSystem.reason, isUnchanged: replacing)
            }
        }
    }
}

/// A file that is written without a name in the target's folder and renamed into place when it is complete. A killed
/// run leaves nothing behind. Devices and named pipes cannot be replaced, so they are written to directly.
public final class FileSink: OutputSink {
    private let path: String
    /// Where the target is; nil when it is written to directly.
    private let location: FileLocation?
    private var descriptor: Int32
    /// The temporary name, on file systems without unnamed files.
    private var temporary: String?

    /// - Parameters:
    ///   - mode: the permissions of a new file. A replaced file of the user keeps its permissions.
    ///   - isChosen: whether the user named the path; otherwise only a regular file is replaced.
    /// - Throws: `.cannotWrite` when the path is not writable.
    public convenience init(path: String, mode: UInt32 = 0o666, isChosen: Bool = true) throws(HostError) {
        try self.init(path: path, mode: mode, isChosen ? .followed : .followedToFolder)
    }

    /// - Parameter links: unless they are followed, only a regular file is replaced.
    package init(path: String, mode: UInt32 = 0o666, _ links: FileLocation.Links) throws(HostError) {
        self.path = path
        if links == .followed, FileSystem.exists(path), !FileSystem.isFile(path), !FileSystem.isFolder(path) {
            location = nil
            descriptor = open(path, O_WRONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw .cannotWrite(path: path, reason: FileSystem.reason) }
            return
        }
        let location: FileLocation
        do throws(FileLocation.Fault) { location = try .open(path, links) } catch {
            throw .cannotWrite(path: path, reason: error.reason)
        }
        switch location.kind {
        case nil, S_IFREG?: break
        case S_IFDIR?: throw .cannotWrite(path: path, reason: "it is a folder")
        case S_IFLNK?: throw .cannotWrite(path: path, reason: "it is a link")
        default: throw .cannotWrite(path: path, reason: "it is no file")
        }
        if faccessat(location.folder, location.name, W_OK, 0) != 0, errno != ENOENT {
            throw .cannotWrite(path: path, reason: FileSystem.reason)
        }
        self.location = location
        descriptor = openat(location.folder, ".", unnamedFile | O_WRONLY | O_CLOEXEC, mode_t(mode))
        if descriptor < 0, errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL {
            let name = temporaryName
            descriptor = openat(location.folder, name, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, mode_t(mode))
            temporary = name
        }
        guard descriptor >= 0 else { throw .cannotWrite(path: path, reason: FileSystem.reason) }
    }

    private var temporaryName: String { ".\(FileSystem.base(of: path)).ythost-\(getpid())" }

    public var isTerminal: Bool { location == nil && isatty(descriptor) == 1 }

    deinit {
        if descriptor >= 0 { close(descriptor) }
        discard()
    }

    public func discard() {
        if let temporary, let location { unlinkat(location.folder, temporary, 0) }
        temporary = nil
    }

    public func write(_ bytes: [UInt8]) throws(HostError) {
        try DescriptorSink.write(bytes, to: descriptor, name: path, replacing: location != nil)
    }

    public func commit() throws(HostError) {
        guard let location else { return }
        // Another user's permissions are not for a file that is now this user's, and no file stays set-uid.
        if let old = location.status, old.st_mode & S_IFMT == S_IFREG, old.st_uid == geteuid() {
            fchmod(descriptor, old.st_mode & 0o777)
        }
        guard fsync(descriptor) == 0 || errno == EINVAL || errno == EROFS else { throw failed() }
        if temporary == nil {
            let name = temporaryName
            unlinkat(location.folder, name, 0)
            guard linkat(AT_FDCWD, "/proc/self/fd/\(descriptor)", location.folder, name, AT_SYMLINK_FOLLOW) == 0 else {
                throw failed()
            }
            temporary = name
        }
        guard let from = temporary, renameat(location.folder, from, location.folder, location.name) == 0 else {
            throw failed()
        }
        temporary = nil
    }

    private func failed() -> HostError { .cannotWrite(path: path, reason: FileSystem.reason) }
}

/// `O_TMPFILE` from fcntl.h, which Swift does not import: `__O_TMPFILE | O_DIRECTORY`.
private let unnamedFile: Int32 = 0o20_000_000 | 0o200_000
