// File types, renames and recursive removal.

import Glibc
import HostErrors
import Store

extension FileSystem {
    /// The file type (S_IFREG, S_IFDIR, S_IFLNK, …), without following a link. nil when `lstat` fails.
    package static func kind(of path: String) -> mode_t? {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
    }

    /// The file type, as `kind(of:)` gives it. nil when nothing exists at the path.
    ///
    /// - Throws: `.cannotRead` when `lstat` fails for any other reason, such as missing permission.
    package static func presence(of path: String) throws(HostError) -> mode_t? {
        if let kind = kind(of: path) { return kind }
        if errno == ENOENT || errno == ENOTDIR { return nil }
        throw .cannotRead(path: path, reason: reason)
    }

    package static let everybodys = "everybody may write to it, so that it may be anybody's"

    /// Whether the file is world-writable. A link is followed.
    package static func isEverybodys(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IWOTH != 0
    }

    /// Locks a folder, which must exist, against other processes.
    ///
    /// - Returns: nil when another process holds the lock for longer than `seconds`.
    /// - Throws: `.cannotWrite` when the folder cannot be opened or locked.
    package static func lock(_ folder: String, waiting seconds: Double) throws(HostError) -> FolderLock? {
        do throws(FolderLock.Fault) { return try FolderLock(folder, waiting: seconds) } catch {
            throw .cannotWrite(path: folder, reason: error.reason)
        }
    }

    package static func rename(_ path: String, to place: String) throws(HostError) {
        guard Glibc.rename(path, place) == 0 else { throw .cannotWrite(path: place, reason: reason) }
    }

    /// Syncs a folder, so that changes to its entries are durable. Failures are ignored.
    package static func sync(_ folder: String) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if descriptor < 0 { return }
        fsync(descriptor)
        close(descriptor)
    }

    /// Removes a file, or a folder and its contents. Links are removed, not followed, even when the path is replaced
    /// during the removal.
    package static func removeTree(_ path: String) throws(HostError) {
        let parent = open(folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if parent < 0, errno == ENOENT { return }
        guard parent >= 0 else { throw .cannotWrite(path: path, reason: reason) }
        defer { close(parent) }
        guard removeTree(Array(base(of: path).utf8CString), in: parent) else {
            throw .cannotWrite(path: path, reason: reason)
        }
    }

    private static func removeTree(_ name: [CChar], in parent: Int32) -> Bool {
        let descriptor = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        if descriptor < 0 {
            if errno == ENOTDIR || errno == ELOOP { return unlinkat(parent, name, 0) == 0 || errno == ENOENT }
            return errno == ENOENT
        }
        guard let folder = fdopendir(descriptor) else {
            close(descriptor)
            return false
        }
        defer { closedir(folder) }
        var names: [[CChar]] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                bytes.prefix { $0 != 0 }.map(CChar.init(bitPattern:)) + [0]
            }
            if !["..", "."].contains(where: { Array($0.utf8CString) == name }) { names.append(name) }
        }
        for name in names where !removeTree(name, in: descriptor) { return false }
        return unlinkat(parent, name, AT_REMOVEDIR) == 0 || errno == ENOENT
    }
}
