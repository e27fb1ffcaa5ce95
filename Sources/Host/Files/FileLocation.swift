// A file's name in its opened folder. A path is followed one name at a time through opened folders, so a folder that is
// replaced by a link afterwards redirects nothing.

import Glibc
import HostErrors

package final class FileLocation {
    /// What a link in the path means.
    package enum Links: Sendable {
        /// Links are followed, but not those of other users in folders such as /tmp: anyone can make them there.
        case followed
        /// As `followed`, but a link at the end of the path is the file itself.
        case followedToFolder
        /// The path was resolved before. A link in it is an error.
        case refused
    }

    struct Fault: Error {
        let reason: String
        static var system: Fault { Fault(reason: FileSystem.reason) }
    }

    /// Opened with `O_PATH`.
    let folder: Int32
    /// Ends with a NUL; "." for a folder.
    let name: [CChar]

    private init(_ folder: Int32, _ name: [CChar]) {
        self.folder = folder
        self.name = name
    }

    deinit { close(folder) }

    /// The system's limit on followed links.
    private static let mostLinks = 40

    static func open(_ path: String, _ links: Links) throws(Fault) -> FileLocation {
        if path.utf8.contains(0) { throw Fault(reason: "a name has no NUL in it") }
        let start = Glibc.open(path.hasPrefix("/") ? "/" : ".", pathOnly | O_DIRECTORY | O_CLOEXEC)
        guard start >= 0 else { throw .system }
        var here = FileLocation(start, folderItself)
        // The last name comes first.
        var rest: [[CChar]] = names(path.utf8.map(CChar.init(bitPattern:))).reversed()
        var followed = 0
        while let name = rest.popLast() {
            let next = openat(here.folder, name, pathOnly | O_NOFOLLOW | O_CLOEXEC)
            if next < 0, errno == ENOENT, rest.isEmpty { return try FileLocation(copying: here, name) }
            guard next >= 0 else { throw .system }
            let found = FileLocation(next, folderItself)
            var status = stat()
            guard fstat(next, &status) == 0 else { throw .system }
            switch status.st_mode & S_IFMT {
            case S_IFDIR: here = found
            case S_IFLNK:
                if rest.isEmpty, links == .followedToFolder { return try FileLocation(copying: here, name) }
                if links == .refused { throw Fault(reason: "another file took its place") }
                if isStrangers(status, in: here.folder) {
                    throw Fault(reason: "it is a link that another user made in a folder for everybody")
                }
                followed += 1
                guard followed <= mostLinks else { throw Fault(reason: String(cString: strerror(ELOOP))) }
                let target = try target(of: next)
                if target.first == slash {
                    let root = Glibc.open("/", pathOnly | O_DIRECTORY | O_CLOEXEC)
                    guard root >= 0 else { throw .system }
                    here = FileLocation(root, folderItself)
                }
                rest += names(target).reversed()
            default:
                guard rest.isEmpty else { throw Fault(reason: String(cString: strerror(ENOTDIR))) }
                return try FileLocation(copying: here, name)
            }
        }
        return here
    }

    private convenience init(copying other: FileLocation, _ name: [CChar]) throws(Fault) {
        let copy = fcntl(other.folder, F_DUPFD_CLOEXEC, 3)
        guard copy >= 0 else { throw .system }
        self.init(copy, name)
    }

    /// Whether another user, who does not own the folder, made a link in a sticky folder that everybody may write to
    /// (`protected_symlinks` in proc(5)).
    private static func isStrangers(_ link: stat, in folder: Int32) -> Bool {
        var status = stat()
        guard fstat(folder, &status) == 0 else { return true }
        return status.st_mode & S_ISVTX != 0 && status.st_mode & S_IWOTH != 0 && link.st_uid != geteuid()
            && link.st_uid != status.st_uid
    }

    private static func target(of link: Int32) throws(Fault) -> [CChar] {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        let count = readlinkat(link, "", &buffer, buffer.count)
        guard count > 0, count < buffer.count else { throw .system }
        return Array(buffer.prefix(count))
    }

    private static let slash = CChar(bitPattern: UInt8(ascii: "/"))
    private static let folderItself: [CChar] = [CChar(bitPattern: UInt8(ascii: ".")), 0]

    private static func names(_ path: [CChar]) -> [[CChar]] { path.split(separator: slash).map { Array($0) + [0] } }

    // MARK: The file

    /// The file's status, of a link itself; nil when there is no such file.
    var status: stat? {
        var status = stat()
        return fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? status : nil
    }

    /// The file's type, as `FileSystem.kind` gives it.
    var kind: mode_t? { status.map { $0.st_mode & S_IFMT } }

    /// Opens the file for reading. A link fails, and a pipe does not block.
    func openForReading() -> Int32 { openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC) }
}

/// `O_PATH` from fcntl.h, which Swift does not import.
private let pathOnly: Int32 = 0o10_000_000
