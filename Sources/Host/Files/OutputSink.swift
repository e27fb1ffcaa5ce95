// The end of the line: standard output, a file that appears whole or not at all, or memory.

import Glibc
import HostErrors

/// Takes a run's bytes.
public protocol OutputSink: AnyObject {
    func write(_ bytes: [UInt8]) throws(HostError)
    /// Everything was written: make it last.
    func commit() throws(HostError)
    /// Returns once what was committed lasts, for whoever acts on that.
    func waitUntilDurable() throws(HostError)
    /// The run failed: leave no trace of it where that can be done.
    func discard()
    /// Whether a terminal takes the bytes, though the run does not write for one.
    var isTerminal: Bool { get }
}

extension OutputSink {
    public func waitUntilDurable() {}
    public func discard() {}
    public var isTerminal: Bool { false }
}

/// Keeps the bytes; for programs that embed ythost.
public final class MemorySink: OutputSink {
    public private(set) var bytes: [UInt8] = []
    /// The run ended well; else the bytes are only what came before its failure.
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

    /// - Parameter replacing: whether what stood under that name is still whole when writing fails.
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

/// A file written beside its place without a name, and put there by a rename when it is whole. A run that is killed
/// leaves nothing behind. What is no file (a device, a named pipe) is written to as it is: it cannot be replaced.
public final class FileSink: OutputSink {
    private let path: String
    private let folder: String
    private var descriptor: Int32
    /// The name the file has while it is written, where the file system cannot do without one.
    private var temporary: String?
    /// Whether what stands at the place is written to and not replaced.
    private let isDirect: Bool

    /// - Throws: `.cannotWrite` at once when the place cannot be written to.
    /// - Parameter mode: the permissions of a file that is new; those of a file that is replaced are kept.
    /// - Parameter isChosen: whether somebody named the place; else nothing but a file is replaced there.
    public init(path: String, mode: UInt32 = 0o666, isChosen: Bool = true) throws(HostError) {
        if !isChosen, let kind = try FileSystem.presence(of: path), kind != S_IFREG {
            throw .cannotWrite(path: path, reason: kind == S_IFLNK ? "it is a link" : "it is no file")
        }
        // A link is followed, so that what it points to is replaced and not the link.
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

/// `O_TMPFILE` of fcntl.h, which Swift does not import: `__O_TMPFILE | O_DIRECTORY`.
private let unnamedFile: Int32 = 0o20_000_000 | 0o200_000
