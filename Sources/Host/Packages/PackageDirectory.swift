// A package directory: a folder with `ythost.lock` and, in `plugins`, the packages that the lock names. Changes take an
// exclusive lock on the folder, and the rename of the new `ythost.lock` commits them. New files lie in a staging folder
// until then, and readers also find them there until they are moved. A process that is killed at any time leaves either
// the old or the new state.

import Files
import Glibc
import HostErrors

/// The directory of a set of packages.
public struct PackageDirectory: Sendable {
    /// The folder that contains the lock.
    public let folder: String

    public init(folder: String) { self.folder = folder }

    public var lockPath: String { (folder == "/" ? "" : folder) + "/" + PackageLock.name }
    var plugins: String { (folder == "/" ? "" : folder) + "/plugins" }

    /// The staging folder: new packages as `NAME.next`, old ones as `NAME.old`. It contains nothing else, so it can be
    /// deleted as a whole.
    private var staging: String { plugins + "/.ythost" }

    /// Whether there is a lock. A lock in a world-writable folder such as /tmp is untrusted and does not count. When
    /// the lock's presence cannot be determined this is true, and reading the lock throws the reason.
    public var exists: Bool {
        do throws(HostError) {
            return try FileSystem.presence(of: lockPath) != nil && !isEverybodys
        } catch {
            return true
        }
    }

    private var isEverybodys: Bool { FileSystem.isEverybodys(folder) }

    /// The package directories that enclose this one, innermost first.
    func around() -> [PackageDirectory] {
        var place = folder
        // A folder that does not exist yet: start from its nearest existing parent.
        while FileSystem.realPath(place) == nil, place != "/", place != "." { place = FileSystem.folder(of: place) }
        let real = FileSystem.absolute(place)
        var homes: [PackageDirectory] = []
        var outer = place == folder ? FileSystem.folder(of: real) : real
        if real == "/", place == folder { return [] }
        while outer != "." {
            let home = PackageDirectory(folder: outer)
            if home.exists { homes.append(home) }
            if outer == "/" { break }
            outer = FileSystem.folder(of: outer)
        }
        return homes
    }

    /// Paths that no plugin of these packages may access, whatever its grants.
    package var closed: [String] {
        [plugins, lockPath, (folder == "/" ? "" : folder) + "/" + SharingPolicy.projectName]
    }

    /// The nearest package directory at or above a folder; nil when there is none.
    public static func nearest(from folder: String) -> PackageDirectory? {
        guard var place = FileSystem.realPath(folder) else { return nil }
        while true {
            let home = PackageDirectory(folder: place)
            if home.exists { return home }
            if place == "/" { return nil }
            place = FileSystem.folder(of: place)
        }
    }

    /// Reads the lock; it is empty when there is none.
    ///
    /// - Throws: `.package` when the lock is invalid or world-writable.
    func lock() throws(HostError) -> PackageLock {
        if !exists { return PackageLock() }
        try checkOwners()
        return try PackageLock(path: lockPath)
    }

    /// Refuses a world-writable lock or plugin folder: its content is untrusted.
    private func checkOwners() throws(HostError) {
        for path in [lockPath, plugins] where FileSystem.isEverybodys(path) {
            throw .package(.badPlace(path: path, reason: FileSystem.everybodys))
        }
    }

    // MARK: Reading

    /// The possible locations of a package: its folder, then the staging paths of the new and the old version.
    private func places(of name: String) -> [String] {
        ["\(plugins)/\(name)", "\(staging)/\(name).next", "\(staging)/\(name).old"]
    }

    /// Passes the lock to `body`, which checks the files it names. Differing files may belong to a change in progress:
    /// this waits for it and runs `body` again under a shared lock.
    func settled<Value>(_ body: (PackageLock) throws(HostError) -> Value) throws(HostError) -> Value {
        do throws(HostError) { return try body(try lock()) } catch {
            guard case .differs? = error.packageFault else { throw error }
            let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            guard descriptor >= 0 else { throw error }
            defer { close(descriptor) }
            // Wait at most 2 seconds: another process can hold the lock while it waits for the user, with nothing
            // changed yet.
            var rounds = 400
            while flock(descriptor, LOCK_SH | LOCK_NB) != 0, rounds > 0 {
                usleep(5000)
                rounds -= 1
            }
            return try body(try lock())
        }
    }

    /// The files of a package, which match the lock entry.
    ///
    /// - Throws: `.package(.differs)` with the files that do not match.
    func files(of name: String, _ entry: PackageLock.Entry) throws(HostError) -> PackageFiles {
        var changes: [String] = []
        for (index, place) in places(of: name).enumerated() where FileSystem.kind(of: place) == S_IFDIR {
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

    // MARK: Changing

    /// Refuses a folder where a change would write outside it or have no effect. A folder may be an untrusted clone, so
    /// this is checked before fetching and again before changing files.
    func checkPlace() throws(HostError) {
        func refuse(_ path: String, _ reason: String) -> HostError { .package(.badPlace(path: path, reason: reason)) }
        if isEverybodys { throw refuse(folder, "everybody may write to it, so that no lock in it counts") }
        for (path, kind, word) in [
            (plugins, S_IFDIR, "folder"), (staging, S_IFDIR, "folder"), (lockPath, S_IFREG, "file"),
        ] {
            guard let found = try FileSystem.presence(of: path), found != kind else { continue }
            throw refuse(path, found == S_IFLNK ? "it is a link, which leads elsewhere" : "it is no \(word)")
        }
        try checkOwners()
    }

    /// Refuses to delete files that do not belong to the package, including hidden ones.
    private func checkOwn(_ name: String, _ entry: PackageLock.Entry) throws(HostError) {
        let place = places(of: name)[0]
        switch FileSystem.kind(of: place) {
        case nil: return
        case S_IFDIR: break
        case S_IFLNK: throw .package(.badPlace(path: place, reason: "it is a link, and packages are none"))
        default: throw .package(.badPlace(path: place, reason: "it is no folder"))
        }
        var strangers: [String] = []
        var changed: [String] = []
        var isPackage = false
        var rest = [""]
        while let below = rest.popLast() {
            for name in FileSystem.entries(of: below.isEmpty ? place : "\(place)/\(below)") {
                let path = below.isEmpty ? name : "\(below)/\(name)"
                if FileSystem.kind(of: "\(place)/\(path)") == S_IFDIR {
                    rest.append(path)
                } else if let file = entry.files.first(where: { $0.path == path }) {
                    if PackageFiles.digest(ofFile: "\(place)/\(path)") != file.digest {
                        changed.append(path)
                    } else if path == PackageFiles.manifestName {
                        isPackage = true
                    }
                } else if path != PackageFiles.signatureName {
                    strangers.append(path)
                }
            }
        }
        // Equal names can be coincidence. Changed files count as the package's only when its manifest is unchanged.
        if !isPackage { strangers += changed }
        if !strangers.isEmpty { throw .package(.strangers(place: place, files: strangers.sorted())) }
    }

    /// The timeout for another process's changes to the same packages, in seconds.
    private static let patience = 30.0

    /// Runs `body` under the exclusive lock, after cleaning up what a killed process left.
    ///
    /// - Throws: `.package(.busy)` after 30 seconds, `.package(.badPlace)`, and errors of `body`.
    func changing<Value>(_ body: (inout PackageLock) throws(HostError) -> Value) throws(HostError) -> Value {
        try checkPlace()
        try FileSystem.makeFolder(folder)
        try FileSystem.makeFolder(plugins, mode: 0o755)
        guard let held = try FileSystem.lock(folder, waiting: Self.patience) else {
            throw .package(.busy(folder: folder))
        }
        defer { withExtendedLifetime(held) {} }
        try checkPlace()
        var lock = try lock()
        try settle(lock)
        defer { rmdir(staging) }
        return try body(&lock)
    }

    /// Moves staged packages to their folders and deletes leftovers.
    private func settle(_ lock: PackageLock) throws(HostError) {
        for entry in FileSystem.entries(of: staging) {
            let leftover = "\(staging)/\(entry)"
            let name = entry.split(separator: ".").first.map(String.init) ?? ""
            let place = places(of: name)[0]
            if let locked = lock.packages[name], FileSystem.kind(of: place) == nil, isIntact(leftover, locked) {
                try FileSystem.rename(leftover, to: place)
            } else {
                try FileSystem.removeTree(leftover)
            }
        }
    }

    private func isIntact(_ place: String, _ entry: PackageLock.Entry) -> Bool {
        guard FileSystem.kind(of: place) == S_IFDIR, let files = try? PackageFiles(folder: place) else { return false }
        return entry.changes(in: files).isEmpty
    }

    private func write(_ lock: PackageLock) throws(HostError) {
        // Never world-writable.
        let sink = try FileSink(path: lockPath, mode: 0o644)
        try sink.write(lock.encoded())
        try sink.commit()
        FileSystem.sync(folder)
    }

    /// Installs files as a package. Call only inside `changing`.
    func take(
        _ files: PackageFiles, as name: String, _ entry: PackageLock.Entry, in lock: inout PackageLock
    ) throws(HostError) {
        let places = places(of: name)
        let old = lock.packages[name]
        do throws(HostError) {
            try FileSystem.removeTree(places[1])
            try files.write(to: places[1])
            try putAway(name, old ?? (isLeft(name, entry.digest) ? entry : nil))
            lock.packages[name] = entry
            try write(lock)
        } catch {
            lock.packages[name] = old
            try? FileSystem.removeTree(places[1])
            try? FileSystem.rename(places[2], to: places[0])
            throw error
        }
        try FileSystem.rename(places[1], to: places[0])
        try FileSystem.removeTree(places[2])
    }

    func remove(_ name: String, in lock: inout PackageLock) throws(HostError) {
        // Move the files away first: unlocked files could run as ordinary plugins.
        try putAway(name, lock.packages[name])
        lock.packages[name] = nil
        try write(lock)
        try FileSystem.removeTree(places(of: name)[2])
    }

    /// Moves a package to staging, where readers find it while the lock names it.
    private func putAway(_ name: String, _ entry: PackageLock.Entry?) throws(HostError) {
        guard let entry else { return }
        try checkOwn(name, entry)
        let places = places(of: name)
        guard FileSystem.kind(of: places[0]) != nil else { return }
        try FileSystem.makeFolder(staging)
        try FileSystem.removeTree(places[2])
        try FileSystem.rename(places[0], to: places[2])
    }

    /// Whether a package's path has exactly the files with this digest.
    func isLeft(_ name: String, _ digest: String) -> Bool {
        let place = places(of: name)[0]
        guard FileSystem.kind(of: place) == S_IFDIR, FileSystem.kind(of: place + ".lua") == nil,
            let found = try? PackageFiles(folder: place).digest()
        else { return false }
        return "sha256:" + found == digest
    }

    /// Whether an existing file or folder occupies a package's path.
    func isTaken(_ name: String) -> Bool {
        FileSystem.kind(of: places(of: name)[0]) != nil || FileSystem.kind(of: places(of: name)[0] + ".lua") != nil
    }
}

extension PackageFiles {
    /// Writes the files into a new folder. They are readable by others, whatever the umask.
    func write(to folder: String) throws(HostError) {
        try FileSystem.makeFolder(FileSystem.folder(of: folder))
        func makeFolder(_ place: String) throws(HostError) {
            if FileSystem.isFolder(place) { return }
            try makeFolder(FileSystem.folder(of: place))
            guard mkdir(place, 0o700) == 0, chmod(place, 0o755) == 0 else {
                throw .cannotWrite(path: place, reason: FileSystem.reason)
            }
        }
        try makeFolder(folder)
        func write(_ path: String, _ bytes: [UInt8]) throws(HostError) {
            let place = "\(folder)/\(path)"
            try makeFolder(FileSystem.folder(of: place))
            let descriptor = open(place, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw .cannotWrite(path: place, reason: FileSystem.reason) }
            defer { close(descriptor) }
            try DescriptorSink.write(bytes, to: descriptor, name: place)
            guard fchmod(descriptor, 0o644) == 0, fsync(descriptor) == 0 || errno == EINVAL else {
                throw .cannotWrite(path: place, reason: FileSystem.reason)
            }
        }
        for file in files { try write(file.path, file.bytes) }
        if let signature { try write(Self.signatureName, signature) }
    }
}
