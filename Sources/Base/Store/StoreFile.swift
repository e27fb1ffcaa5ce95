// Creates the store's file and folder, and renames a damaged file.

import Glibc

enum StoreFile {
    static func status(_ path: String) -> stat? {
        var status = stat()
        return lstat(path, &status) == 0 ? status : nil
    }

    /// Creates missing folders and an empty file that only the user can access. Returns the file's inode number.
    static func prepare(_ path: String) throws(StoreError) -> ino_t {
        if let slash = path.lastIndex(of: "/"), slash != path.startIndex {
            let folder = String(path[..<slash])
            guard makeFolder(folder) else { throw .cannotOpen(path: folder, reason: String(cString: strerror(errno))) }
        }
        // Never open an existing file here: closing it would drop the POSIX locks that SQLite holds on it in this
        // process.
        let made = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        if made >= 0 {
            close(made)
        } else if errno != EEXIST {
            throw .cannotOpen(path: path, reason: String(cString: strerror(errno)))
        }
        guard let found = status(path) else {
            throw .cannotOpen(path: path, reason: String(cString: strerror(errno)))
        }
        guard found.st_mode & S_IFMT == S_IFREG else { throw .cannotOpen(path: path, reason: "it is no plain file") }
        if found.st_mode & 0o077 != 0 { chmod(path, 0o600) }
        return found.st_ino
    }

    /// Creates a folder and its parents. The folder itself gets mode 0700 even if it existed, when the user owns it.
    private static func makeFolder(_ path: String) -> Bool {
        var status = stat()
        if stat(path, &status) == 0 {
            if status.st_mode & S_IFMT != S_IFDIR {
                errno = ENOTDIR
                return false
            }
            if status.st_uid == geteuid(), status.st_mode & 0o077 != 0 { chmod(path, 0o700) }
            return true
        }
        return makeParents(path) && (mkdir(path, 0o700) == 0 || errno == EEXIST)
    }

    private static func makeParents(_ path: String) -> Bool {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return true }
        let parent = String(path[..<slash])
        var status = stat()
        if stat(parent, &status) == 0 { return true }
        return makeParents(parent) && (mkdir(parent, 0o700) == 0 || errno == EEXIST)
    }

    /// Renames a damaged file, unless another process has already done so.
    ///
    /// - Parameter file: the inode number of the damaged file.
    /// - Returns: whether this call renamed the file.
    static func setAside(_ path: String, as name: String, ifStill file: ino_t) -> Bool {
        let lock = open(path + ".lock", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard lock >= 0 else { return false }
        defer { close(lock) }
        guard flock(lock, LOCK_EX) == 0, status(path)?.st_ino == file else { return false }
        // Rename the log first: if it stayed, SQLite would apply it to the new file.
        rename(path + "-wal", name + "-wal")
        unlink(path + "-shm")
        return rename(path, name) == 0
    }
}
