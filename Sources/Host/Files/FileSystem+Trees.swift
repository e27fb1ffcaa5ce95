// Kinds of files, renames, and removal of whole folders.

import Glibc
import HostErrors

extension FileSystem {
    /// What is there, a link being one itself: S_IFREG, S_IFDIR, S_IFLNK, …; nil for nothing.
    package static func kind(of path: String) -> mode_t? {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
    }

    /// What is there, as `kind(of:)` has it.
    ///
    /// - Throws: `.cannotRead` where that cannot be told, which is not that there is nothing.
    package static func presence(of path: String) throws(HostError) -> mode_t? {
        if let kind = kind(of: path) { return kind }
        if errno == ENOENT || errno == ENOTDIR { return nil }
        throw .cannotRead(path: path, reason: reason)
    }

    package static let everybodys = "everybody may write to it, so that it may be anybody's"

    /// Whether everybody may write to it, or to what a link leads to.
    package static func isEverybodys(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IWOTH != 0
    }

    package static func rename(_ path: String, to place: String) throws(HostError) {
        guard Glibc.rename(path, place) == 0 else { throw .cannotWrite(path: place, reason: reason) }
    }

    /// Has the names in a folder last.
    package static func sync(_ folder: String) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if descriptor < 0 { return }
        fsync(descriptor)
        close(descriptor)
    }

    /// Removes a folder and all in it, or a file; a link itself and not what it leads to, whatever becomes of the path
    /// meanwhile.
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
