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
    private let folder: String
    private var descriptor: Int32
    /// The temporary name, on file systems without unnamed files.
    private var temporary: String?
    /// Whether the target is written to directly instead of replaced.
    private let isDirect: Bool

    /// - Parameters:
    ///   - mode: the permissions of a new file. A replaced file keeps its permissions.
    ///   - isChosen: whether the user named the path; otherwise only a regular file is replaced.
    /// - Throws: `.cannotWrite` when the path is not writable.
    public init(path: String, mode: UInt32 = 0o666, isChosen: Bool = true) throws(HostError) {
        if !isChosen, let kind = try FileSystem.presence(of: path), kind != S_IFREG {
            throw .cannotWrite(path: path, reason: kind == S_IFLNK ? "it is a link" : "it is no file")
        }
        // Follow a link, to replace its target and not the link.
        self.path = isChosen ? Self.resolved(path) : path
        folder = FileSystem.folder(of: self.path)
        isDirect = FileSystem.exists(self.path) && !FileSystem.isFile(self.path)
        if FileSystem.isFolder(self.path) { throw .cannotWrite(path: path, reason: "it is a folder") }
        if FileSystem.exists(self.path), access(self.path, W_OK) != 0 {
            throw .cannotWrite(path: path, reason: FileSystem.reason)
        }
        if isDirect {
            descriptor = open(self.path, O_WRONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw .cannotWrite(path: path, reason: FileSystem.reason) }
            return
        }
        descriptor = open(folder, unnamedFile | O_WRONLY | O_CLOEXEC, mode_t(mode))
        if descriptor < 0, errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL {
            let name = "\(folder)/.\(FileSystem.base(of: self.path)).ythost-\(getpid())"
            descriptor = open(name, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, mode_t(mode))
            temporary = name
        }
        guard descriptor >= 0 else { throw .cannotWrite(path: path, reason: FileSystem.reason) }
    }

    public var isTerminal: Bool { isDirect && isatty(descriptor) == 1 }

    deinit {
        if descriptor >= 0 { close(descriptor) }
        discard()
    }

    public func discard() {
        if let temporary { unlink(temporary) }
        temporary = nil
    }

    public func write(_ bytes: [UInt8]) throws(HostError) {
        try DescriptorSink.write(bytes, to: descriptor, name: path, replacing: !isDirect)
    }

    public func commit() throws(HostError) {
        if isDirect { return }
        var status = stat()
        if stat(path, &status) == 0 { fchmod(descriptor, status.st_mode & 0o7777) }
        guard fsync(descriptor) == 0 || errno == EINVAL || errno == EROFS else { throw failed() }
        if temporary == nil {
            let name = "\(folder)/.\(FileSystem.base(of: path)).ythost-\(getpid())"
            unlink(name)
            guard linkat(AT_FDCWD, "/proc/self/fd/\(descriptor)", AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0 else {
                throw failed()
            }
            temporary = name
        }
        guard let from = temporary, rename(from, path) == 0 else { throw failed() }
        temporary = nil
    }

    private func failed() -> HostError { .cannotWrite(path: path, reason: FileSystem.reason) }

    private static func resolved(_ path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }
}

/// `O_TMPFILE` from fcntl.h, which Swift does not import: `__O_TMPFILE | O_DIRECTORY`.
private let unnamedFile: Int32 = 0o20_000_000 | 0o200_000
