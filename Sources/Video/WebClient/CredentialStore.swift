// Keys and tokens on disk: one small file per profile, mode 0600, in folders of mode 0700. Links, other owners and
// permissions for other users are rejected; the checks are done on the opened descriptor, not on the path.

import Basics
import Glibc
import Store

/// Why credentials cannot be read or written. No case contains a secret.
public enum CredentialError: Error, Sendable, Equatable {
    case cannotRead(path: String, reason: String)
    case cannotWrite(path: String, reason: String)
    /// The file or folder is readable by other users, is a link, or belongs to another user.
    case unsafe(path: String, CredentialFault)
    /// The file was not written by this store, or is truncated.
    case malformed(path: String)
    /// A service or profile name that is empty, is longer than 100 bytes, starts with a dot, or has characters other
    /// than ASCII letters, digits, `-`, `_`, `.` and `@`.
    case badName(String)
}

public enum CredentialFault: Sendable, Equatable {
    case link
    /// Its permissions are too wide; the value is the mode.
    case mode(Int)
    case owner
    case notPlain
}

/// The fields of one profile: names and values, such as `key`, or `token` and `scope`.
public struct Credentials: Sendable, Equatable {
    public var values: [String: Secret]

    public init(_ values: [String: Secret] = [:]) { self.values = values }

    public subscript(_ name: String) -> Secret? {
        get { values[name] }
        set { values[name] = newValue }
    }
}

/// Named profiles of each service. One profile is the selected one, used when the caller names no profile.
public struct CredentialStore: Sendable {
    /// The profile that is used when none is selected.
    public static let defaultProfile = "default"

    private let folder: String

    /// - Parameter folder: for example `credentials` in the user's configuration folder; created when first needed.
    public init(folder: String) { self.folder = folder }

    /// The path of a profile's file.
    public func path(of service: String, profile: String) -> String { path(service, profile) }

    /// Creates the folder of a service and tests that it is writable. Call this before prompting the user for a secret
    /// that could then not be saved.
    public func prepare(_ service: String) throws(CredentialError) {
        try check(service, Self.defaultProfile)
        try replace(service, nil, [])
    }

    /// nil if the profile does not exist.
    public func read(_ service: String, profile: String? = nil) throws(CredentialError) -> Credentials? {
        let profile = if let profile { profile } else { try chosen(service) }
        try check(service, profile)
        guard let bytes = try contents(service, profile) else { return nil }
        var values: [String: Secret] = [:]
        // Names and values are escaped, so each line is plain ASCII. A file without a final newline was truncated.
        guard bytes.last == UInt8(ascii: "\n"), bytes.allSatisfy({ (0x21...0x7E).contains($0) || $0 == 0x0A }) else {
            throw .malformed(path: path(service, profile))
        }
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty else { throw .malformed(path: path(service, profile)) }
            values[WebAddress.decode(String(parts[0]))] = Secret(WebAddress.decode(String(parts[1])))
        }
        return Credentials(values)
    }

    /// Saves a profile, replacing an existing one of the same name.
    public func write(
        _ credentials: Credentials, _ service: String, profile: String = defaultProfile
    ) throws(CredentialError) {
        try check(service, profile)
        let lines = credentials.values.sorted { $0.key < $1.key }.map { name, value in
            "\(Escape.url(name))=\(Escape.url(value.reveal()))\n"
        }
        try replace(service, profile, Array(lines.joined().utf8))
    }

    /// Saves a profile and selects it. If either step fails, the selection and the profile stay unchanged.
    public func keep(_ credentials: Credentials, _ service: String, profile: String) throws(CredentialError) {
        try check(service, profile)
        try prepare(service)
        try changing(service) { () throws(CredentialError) in
            let before = try? contents(service, Self.choice)
            try choose(service, profile: profile)
            do throws(CredentialError) { try write(credentials, service, profile: profile) } catch {
                // A selection file that could not be read is dropped.
                if let before { try? replace(service, Self.choice, before) } else { removeChoice(service) }
                throw error
            }
        }
    }

    /// Runs `body` while no other process changes more than one file of a service: a profile and the selection belong
    /// together. Do not call `keep` in it.
    package func changing<Value>(
        _ service: String, _ body: () throws(CredentialError) -> Value
    ) throws(CredentialError) -> Value {
        try check(service, Self.defaultProfile)
        guard let place = try opened(service, making: false) else { return try body() }
        close(place)
        let path = "\(folder)/\(service)"
        let held: FolderLock?
        do throws(FolderLock.Fault) { held = try FolderLock(path, waiting: Self.patience) } catch {
            throw .cannotWrite(path: path, reason: error.reason)
        }
        guard let held else { throw .cannotWrite(path: path, reason: "another ythost is changing it") }
        defer { withExtendedLifetime(held) {} }
        return try body()
    }

    /// Seconds to wait for another process.
    private static let patience = 10.0

    private func removeChoice(_ service: String) {
        guard let place = (try? opened(service, making: false)) ?? nil else { return }
        unlinkat(place, Self.choice, 0)
        close(place)
    }

    /// Deletes a profile. Returns false if it did not exist.
    @discardableResult
    public func delete(_ service: String, profile: String) throws(CredentialError) -> Bool {
        try check(service, profile)
        guard let place = try opened(service, making: false) else { return false }
        defer { close(place) }
        guard unlinkat(place, profile, 0) == 0 else {
            if errno == ENOENT { return false }
            throw .cannotWrite(path: path(service, profile), reason: String(cString: strerror(errno)))
        }
        return true
    }

    /// The profile names of a service, sorted.
    public func profiles(_ service: String) throws(CredentialError) -> [String] {
        try check(service, Self.defaultProfile)
        guard let place = try opened(service, making: false) else { return [] }
        guard let list = fdopendir(place) else {
            close(place)
            throw .cannotRead(path: "\(folder)/\(service)", reason: String(cString: strerror(errno)))
        }
        defer { closedir(list) }
        var names: [String] = []
        while let entry = readdir(list) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if Self.isName(name) { names.append(name) }
        }
        return names.sorted()
    }

    /// The profile that is used when the caller names none.
    public func chosen(_ service: String) throws(CredentialError) -> String {
        try check(service, Self.defaultProfile)
        guard let bytes = try contents(service, Self.choice) else { return Self.defaultProfile }
        let name = String(decoding: bytes, as: UTF8.self)
        guard Self.isName(name) else { throw .malformed(path: path(service, Self.choice)) }
        return name
    }

    public func choose(_ service: String, profile: String) throws(CredentialError) {
        try check(service, profile)
        try replace(service, Self.choice, Array(profile.utf8))
    }

    // MARK: Files

    /// The file that holds the name of the selected profile. The leading dot makes it an invalid profile name.
    private static let choice = ".chosen"
    private static let largest = 64 << 10

    private func path(_ service: String, _ name: String) -> String { "\(folder)/\(service)/\(name)" }

    /// Whether a name is valid for a service or profile. It is also a file name.
    public static func isName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= 100 && name.utf8.first != UInt8(ascii: ".")
            && name.unicodeScalars.allSatisfy {
                $0.isASCII && ($0.properties.isAlphabetic || "0123456789-_.@".unicodeScalars.contains($0))
            }
    }

    private func check(_ service: String, _ profile: String) throws(CredentialError) {
        for name in [service, profile] where !Self.isName(name) { throw .badName(name) }
    }

    /// Opens the folder of a service. Returns nil if it does not exist and `making` is false.
    private func opened(_ service: String, making: Bool) throws(CredentialError) -> Int32? {
        var place: Int32 = -1
        for path in [folder, "\(folder)/\(service)"] {
            if making, !Self.makeFolder(path) {
                if place >= 0 { close(place) }
                throw .cannotWrite(path: path, reason: String(cString: strerror(errno)))
            }
            let next =
                place < 0
                ? open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
                : openat(place, service, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            let failure = errno
            if place >= 0 { close(place) }
            guard next >= 0 else {
                if failure == ENOENT { return nil }
                // For a link in place of a folder, the error code depends on the kernel version.
                if failure == ELOOP || (failure == ENOTDIR && Self.isLink(path)) { throw .unsafe(path: path, .link) }
                throw .cannotRead(path: path, reason: String(cString: strerror(failure)))
            }
            place = next
            do throws(CredentialError) {
                try Self.checkOpened(place, path, kind: S_IFDIR)
            } catch {
                close(place)
                throw error
            }
        }
        return place
    }

    private static func isLink(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }

    private static func makeFolder(_ path: String) -> Bool {
        if mkdir(path, 0o700) == 0 || errno == EEXIST { return true }
        guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return false }
        return makeFolder(String(path[..<slash])) && (mkdir(path, 0o700) == 0 || errno == EEXIST)
    }

    private static func checkOpened(_ descriptor: Int32, _ path: String, kind: mode_t) throws(CredentialError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            throw .cannotRead(path: path, reason: String(cString: strerror(errno)))
        }
        guard status.st_mode & S_IFMT == kind else { throw .unsafe(path: path, .notPlain) }
        guard status.st_uid == geteuid() else { throw .unsafe(path: path, .owner) }
        guard status.st_mode & 0o077 == 0 else { throw .unsafe(path: path, .mode(Int(status.st_mode & 0o777))) }
    }

    private func contents(_ service: String, _ name: String) throws(CredentialError) -> [UInt8]? {
        guard let place = try opened(service, making: false) else { return nil }
        defer { close(place) }
        let path = path(service, name)
        // Non-blocking, in case the file is a pipe.
        let file = openat(place, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else {
            if errno == ENOENT { return nil }
            if errno == ELOOP { throw .unsafe(path: path, .link) }
            throw .cannotRead(path: path, reason: String(cString: strerror(errno)))
        }
        defer { close(file) }
        try Self.checkOpened(file, path, kind: S_IFREG)
        var bytes = [UInt8](repeating: 0, count: Self.largest + 1)
        var count = 0
        while count < bytes.count {
            let more = bytes.withUnsafeMutableBytes {
                Glibc.read(file, $0.baseAddress?.advanced(by: count), $0.count - count)
            }
            if more == 0 { break }
            guard more > 0 else { throw .cannotRead(path: path, reason: String(cString: strerror(errno))) }
            count += more
        }
        guard count <= Self.largest else { throw .malformed(path: path) }
        return Array(bytes[..<count])
    }

    /// Writes a temporary file and renames it over the old one. Without a name the temporary file is deleted again.
    private func replace(_ service: String, _ name: String?, _ bytes: [UInt8]) throws(CredentialError) {
        let path = name.map { self.path(service, $0) } ?? "\(folder)/\(service)"
        guard let place = try opened(service, making: true) else {
            throw .cannotWrite(path: path, reason: "its folder is gone")
        }
        defer { close(place) }
        let temporary = ".new-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
        let file = openat(place, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .cannotWrite(path: path, reason: String(cString: strerror(errno))) }
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress?.advanced(by: done), $0.count - done) }
            if count < 0 { break }
            done += count
        }
        let isWhole = done == bytes.count && fsync(file) == 0
        let failure = errno
        close(file)
        if isWhole, name == nil {
            unlinkat(place, temporary, 0)
            return
        }
        guard isWhole, let name, renameat(place, temporary, place, name) == 0 else {
            let reason = isWhole ? errno : failure
            unlinkat(place, temporary, 0)
            throw .cannotWrite(path: path, reason: String(cString: strerror(reason)))
        }
        fsync(place)
    }
}
