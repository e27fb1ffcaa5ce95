// The file of a store, its folder, and what becomes of it when it is damaged.

import Glibc

enum StoreFile {
    static func status(_ path: String) -> stat? {
        var status = stat()
        return lstat(path, &status) == 0 ? status : nil
    }

    /// Makes the folder and an empty file when they are missing, for the user alone. The file's number.
    static func prepare(_ path: String) throws(StoreError) -> ino_t {
        if let slash = path.lastIndex(of: "/"), slash != path.startIndex {
            let folder = String(path[..<slash])
            guard makeFolder(folder) else { throw .cannotOpen(path: folder, reason: String(cString: strerror(errno))) }
        }
        // Never opened when it is there: closing it would drop the locks that SQLite has on it in this process.
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

    /// Makes a folder and those above it. The last one is for the user alone, also when it was there.
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

    /// Renames a damaged file, unless another process did so before.
    ///
    /// - Parameter file: the number of the one that is damaged.
    /// - Returns: whether it was done here.
    static func setAside(_ path: String, as name: String, ifStill file: ino_t) -> Bool {
        let lock = open(path + ".lock", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard lock >= 0 else { return false }
        defer { close(lock) }
        guard flock(lock, LOCK_EX) == 0, status(path)?.st_ino == file else { return false }
        // The log first: left alone it would be taken for that of the new file.
        rename(path + "-wal", name + "-wal")
        unlink(path + "-shm")
        return rename(path, name) == 0
    }
}
