// A folder that holds `ythost.lock` and, in `plugins`, the packages that it names. Packages change under an exclusive
// lock on that folder, and the rename of a new `ythost.lock` is the one moment when they change: before it what was there
// still holds, after it what is new, for new files lie ready beside the old ones and are found there until they have
// taken their place. So a process that is killed at any moment leaves either.

import Glibc

/// Where packages are.
public struct PackageHome: Sendable {
    /// The folder of the lock.
    public let folder: String

    public init(folder: String) { self.folder = folder }

    public var lockPath: String { (folder == "/" ? "" : folder) + "/" + PackageLock.name }
    var plugins: String { (folder == "/" ? "" : folder) + "/plugins" }

    /// Whether there is a lock. One in a folder that everybody may write to, such as /tmp, is anybody's, and none.
    public var exists: Bool {
        guard FileSystem.exists(lockPath) else { return false }
        var status = stat()
        return stat(folder, &status) == 0 && status.st_mode & S_IWOTH == 0
    }

    /// What no plugin of these packages may touch, whatever it is granted.
    var closed: [String] { [plugins, lockPath, (folder == "/" ? "" : folder) + "/" + SharingPolicy.projectName] }

    /// The nearest one upwards from a folder, its lock being there; nil when there is none.
    public static func nearest(from folder: String) -> PackageHome? {
        guard var place = FileSystem.realPath(folder) else { return nil }
        while true {
            let home = PackageHome(folder: place)
            if home.exists { return home }
            if place == "/" { return nil }
            place = FileSystem.folder(of: place)
        }
    }

    /// - Throws: `.package` when it cannot be believed.
    func lock() throws(HostError) -> PackageLock { exists ? try PackageLock(path: lockPath) : PackageLock() }

    // MARK: Reading

    /// Where a package may be: in its place, or on its way there or away.
    private func places(of name: String) -> [String] {
        ["\(plugins)/\(name)", "\(plugins)/.\(name).next", "\(plugins)/.\(name).old"]
    }

    /// The files of a package as they are locked.
    ///
    /// - Throws: `.package(.differs)` naming the files that are not.
    func files(of name: String, _ entry: PackageLock.Entry) throws(HostError) -> PackageFiles {
        var changes: [String] = []
        for (index, place) in places(of: name).enumerated() where Self.isPlainFolder(place) {
            do throws(HostError) {
                let files = try PackageFiles(folder: place)
                let found = entry.changes(in: files)
                if found.isEmpty { return files }
                if index == 0 { changes = found }
            } catch {
                if index == 0 { changes = [error.report?.message ?? "it cannot be read"] }
            }
        }
        if changes.isEmpty { changes = ["plugins/\(name) is missing"] }
        throw .package(.differs(package: name, lock: lockPath, changes: changes))
    }

    private static func isPlainFolder(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    // MARK: Changing

    /// Seconds that a process waits for another that changes the same packages.
    private static let patience = 30.0

    /// Does something that nobody else does here at the same time. What a killed process left is put in order first.
    func changing<Value>(_ body: (inout PackageLock) throws(HostError) -> Value) throws(HostError) -> Value {
        try FileSystem.makeFolder(plugins)
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .cannotWrite(path: folder, reason: FileSystem.reason) }
        defer { close(descriptor) }
        var waited = 0.0
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR else {
                throw .cannotWrite(path: folder, reason: FileSystem.reason)
            }
            guard waited < Self.patience else { throw .package(.busy(folder: folder)) }
            usleep(50_000)
            waited += 0.05
        }
        var lock = try lock()
        try settle(lock)
        return try body(&lock)
    }

    /// Brings packages to their places, and takes away what nobody needs any more.
    private func settle(_ lock: PackageLock) throws(HostError) {
        for entry in FileSystem.entries(of: plugins) where entry.hasPrefix(".") {
            guard let name = Self.name(ofLeftover: entry) else { continue }
            let places = places(of: name)
            if let locked = lock.packages[name], !isIntact(places[0], locked), isIntact("\(plugins)/\(entry)", locked) {
                try FileSystem.removeTree(places[0])
                try FileSystem.rename("\(plugins)/\(entry)", to: places[0])
            } else {
                try FileSystem.removeTree("\(plugins)/\(entry)")
            }
        }
    }

    private func isIntact(_ place: String, _ entry: PackageLock.Entry) -> Bool {
        guard Self.isPlainFolder(place), let files = try? PackageFiles(folder: place) else { return false }
        return entry.changes(in: files).isEmpty
    }

    private static func name(ofLeftover entry: String) -> String? {
        for ending in [".next", ".old"] where entry.hasPrefix(".") && entry.hasSuffix(ending) {
            let name = String(entry.dropFirst().dropLast(ending.count))
            if PackageManifest.isName(name) { return name }
        }
        return nil
    }

    private func write(_ lock: PackageLock) throws(HostError) {
        let sink = try FileSink(path: lockPath)
        try sink.write(lock.encoded())
        try sink.commit()
        FileSystem.sync(folder)
    }

    /// Writes files where they are ready to take a package's place. Only inside `changing`.
    ///
    /// - Returns: the folder.
    func stage(_ files: PackageFiles, as name: String) throws(HostError) -> String {
        let place = places(of: name)[1]
        try FileSystem.removeTree(place)
        try files.write(to: place)
        return place
    }

    /// Takes staged files as the package.
    func take(_ name: String, _ entry: PackageLock.Entry, in lock: inout PackageLock) throws(HostError) {
        let places = places(of: name)
        lock.packages[name] = entry
        try write(lock)
        if FileSystem.isThere(places[0]) {
            try FileSystem.removeTree(places[2])
            try FileSystem.rename(places[0], to: places[2])
        }
        try FileSystem.rename(places[1], to: places[0])
        try FileSystem.removeTree(places[2])
    }

    /// Takes back what was staged.
    func unstage(_ name: String) { try? FileSystem.removeTree(places(of: name)[1]) }

    func remove(_ name: String, in lock: inout PackageLock) throws(HostError) {
        let places = places(of: name)
        // Out of the way first: files that are in no lock would run as anybody's.
        if FileSystem.isThere(places[0]) {
            try FileSystem.removeTree(places[2])
            try FileSystem.rename(places[0], to: places[2])
        }
        lock.packages[name] = nil
        try write(lock)
        try FileSystem.removeTree(places[2])
    }

    /// Whether something that is no package stands where one would be.
    func isTaken(_ name: String) -> Bool {
        FileSystem.isThere(places(of: name)[0]) || FileSystem.isThere(places(of: name)[0] + ".lua")
    }
}

extension PackageFiles {
    /// Writes them into a folder that is not there yet, whatever the umask readable for others.
    func write(to folder: String) throws(HostError) {
        try FileSystem.makeFolder(folder)
        func write(_ path: String, _ bytes: [UInt8]) throws(HostError) {
            let place = "\(folder)/\(path)"
            try FileSystem.makeFolder(FileSystem.folder(of: place))
            let descriptor = open(place, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
            guard descriptor >= 0 else { throw .cannotWrite(path: place, reason: FileSystem.reason) }
            defer { close(descriptor) }
            try DescriptorSink.write(bytes, to: descriptor, name: place)
            guard fsync(descriptor) == 0 || errno == EINVAL else {
                throw .cannotWrite(path: place, reason: FileSystem.reason)
            }
        }
        for file in files { try write(file.path, file.bytes) }
        if let signature { try write(Self.signatureName, signature) }
    }
}

extension FileSystem {
    /// Whether there is anything of that name, a link included.
    static func isThere(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    static func rename(_ path: String, to place: String) throws(HostError) {
        guard Glibc.rename(path, place) == 0 else { throw .cannotWrite(path: place, reason: reason) }
    }

    /// Has the names in a folder last.
    static func sync(_ folder: String) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if descriptor < 0 { return }
        fsync(descriptor)
        close(descriptor)
    }

    /// Removes a folder and all in it, or a file; a link itself and not what it leads to.
    static func removeTree(_ path: String) throws(HostError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            guard unlink(path) == 0 || errno == ENOENT else { throw .cannotWrite(path: path, reason: reason) }
            return
        }
        for entry in entries(of: path) { try removeTree("\(path)/\(entry)") }
        guard rmdir(path) == 0 || errno == ENOENT else { throw .cannotWrite(path: path, reason: reason) }
    }
}
