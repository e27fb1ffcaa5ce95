// A folder that holds `ythost.lock` and, in `plugins`, the packages that it names. Packages change under an exclusive
// lock on that folder, and the rename of a new `ythost.lock` is the one moment when they change: before it what was there
// still holds, after it what is new, for new files lie ready beside the old ones and are found there until they have
// taken their place. So a process that is killed at any moment leaves either.

import Files
import Glibc
import HostErrors

/// Where packages are.
public struct PackageDirectory: Sendable {
    /// The folder of the lock.
    public let folder: String

    public init(folder: String) { self.folder = folder }

    public var lockPath: String { (folder == "/" ? "" : folder) + "/" + PackageLock.name }
    var plugins: String { (folder == "/" ? "" : folder) + "/plugins" }

    /// Where changes are prepared: new packages as `NAME.next`, old ones as `NAME.old`. Nothing else is ever in it, so that
    /// all of it may be thrown away.
    private var staging: String { plugins + "/.ythost" }

    /// Whether there is a lock. One in a folder that everybody may write to, such as /tmp, is anybody's, and none. One that
    /// cannot be looked at is there: reading it tells why.
    public var exists: Bool {
        do throws(HostError) {
            return try FileSystem.presence(of: lockPath) != nil && !isEverybodys
        } catch {
            return true
        }
    }

    private var isEverybodys: Bool { FileSystem.isEverybodys(folder) }

    /// The homes that this one is in, from the inside out.
    func around() -> [PackageDirectory] {
        var place = folder
        // One that is not there yet will be where its folder is.
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

    /// What no plugin of these packages may touch, whatever it is granted.
    package var closed: [String] {
        [plugins, lockPath, (folder == "/" ? "" : folder) + "/" + SharingPolicy.projectName]
    }

    /// The nearest one upwards from a folder, its lock being there; nil when there is none.
    public static func nearest(from folder: String) -> PackageDirectory? {
        guard var place = FileSystem.realPath(folder) else { return nil }
        while true {
            let home = PackageDirectory(folder: place)
            if home.exists { return home }
            if place == "/" { return nil }
            place = FileSystem.folder(of: place)
        }
    }

    /// - Throws: `.package` when it cannot be believed.
    func lock() throws(HostError) -> PackageLock {
        if !exists { return PackageLock() }
        try checkOwners()
        return try PackageLock(path: lockPath)
    }

    /// A lock that everybody may write to is anybody's, and so is what is locked where everybody may put something.
    private func checkOwners() throws(HostError) {
        for path in [lockPath, plugins] where FileSystem.isEverybodys(path) {
            throw .package(.badPlace(path: path, reason: FileSystem.everybodys))
        }
    }

    // MARK: Reading

    /// Where a package may be: in its place, or on its way there or away.
    private func places(of name: String) -> [String] {
        ["\(plugins)/\(name)", "\(staging)/\(name).next", "\(staging)/\(name).old"]
    }

    /// Looks at the lock and at what it names. Files that differ may be those of a change that is just taking place: that
    /// is waited for, and they are looked at again while nobody can change anything.
    func settled<Value>(_ body: (PackageLock) throws(HostError) -> Value) throws(HostError) -> Value {
        do throws(HostError) { return try body(try lock()) } catch {
            guard case .differs? = error.packageFault else { throw error }
            let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            guard descriptor >= 0 else { throw error }
            defer { close(descriptor) }
            // One that waits for an answer of somebody's holds it for long, and has changed nothing yet.
            var rounds = 400
            while flock(descriptor, LOCK_SH | LOCK_NB) != 0, rounds > 0 {
                usleep(5000)
                rounds -= 1
            }
            return try body(try lock())
        }
    }

    /// The files of a package as they are locked.
    ///
    /// - Throws: `.package(.differs)` naming the files that are not.
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

    /// Refuses a place where a change would reach out of the folder, or count for nothing. A folder may be anybody's clone:
    /// it is asked before anything is fetched, and again before anything is changed.
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

    /// Refuses to take away what no package brought: other files, hidden ones too, are somebody's.
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
        // A name is soon the same. What differs is the package's, changed, where its manifest says that this is the package.
        if !isPackage { strangers += changed }
        if !strangers.isEmpty { throw .package(.strangers(place: place, files: strangers.sorted())) }
    }

    /// Seconds that a process waits for another that changes the same packages.
    private static let patience = 30.0

    /// Does something that nobody else does here at the same time. What a killed process left is put in order first.
    func changing<Value>(_ body: (inout PackageLock) throws(HostError) -> Value) throws(HostError) -> Value {
        try checkPlace()
        try FileSystem.makeFolder(folder)
        try FileSystem.makeFolder(plugins, mode: 0o755)
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
        try checkPlace()
        var lock = try lock()
        try settle(lock)
        defer { rmdir(staging) }
        return try body(&lock)
    }

    /// Brings packages to their places, and takes away what nobody needs any more.
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
        // Never one that everybody may write to.
        let sink = try FileSink(path: lockPath, mode: 0o644)
        try sink.write(lock.encoded())
        try sink.commit()
        FileSystem.sync(folder)
    }

    /// Takes files as a package. Only inside `changing`.
    func take(
        _ files: PackageFiles, as name: String, _ entry: PackageLock.Entry, in lock: inout PackageLock
    ) throws(HostError) {
        let places = places(of: name)
        let old = lock.packages[name]
        do throws(HostError) {
            try FileSystem.removeTree(places[1])
            try files.write(to: places[1])
            try putAway(name, old)
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
        // Out of the way first: files that are in no lock would run as anybody's.
        try putAway(name, lock.packages[name])
        lock.packages[name] = nil
        try write(lock)
        try FileSystem.removeTree(places(of: name)[2])
    }

    /// Moves what is in a package's place to where it is found as long as the lock names it, and thrown away then.
    private func putAway(_ name: String, _ entry: PackageLock.Entry?) throws(HostError) {
        guard let entry else { return }
        try checkOwn(name, entry)
        let places = places(of: name)
        guard FileSystem.kind(of: places[0]) != nil else { return }
        try FileSystem.makeFolder(staging)
        try FileSystem.removeTree(places[2])
        try FileSystem.rename(places[0], to: places[2])
    }

    /// Whether something that is no package stands where one would be.
    func isTaken(_ name: String) -> Bool {
        FileSystem.kind(of: places(of: name)[0]) != nil || FileSystem.kind(of: places(of: name)[0] + ".lua") != nil
    }
}

extension PackageFiles {
    /// Writes them into a folder that is not there yet, whatever the umask readable for others.
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
