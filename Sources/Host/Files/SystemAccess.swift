// Access to files, environment variables and programs that plugins reach only with a grant. This is the gate's side.
// Paths are resolved before they are checked, so a link cannot lead outside a grant.

import Glibc
import HostErrors
import Sandbox

package enum SystemAccess {
    /// The largest file a plugin can read, in bytes.
    package static let largestFile = 64 << 20

    /// A path with all links resolved. When the file does not exist, its folder is resolved instead; nil when that is
    /// missing, too.
    static func resolved(_ path: String) -> String? {
        if let real = FileSystem.realPath(path) { return real }
        guard let folder = FileSystem.realPath(FileSystem.folder(of: path)) else { return nil }
        let name = FileSystem.base(of: path)
        return name.isEmpty || name == "." || name == ".." ? nil : (folder == "/" ? "" : folder) + "/" + name
    }

    /// Resolves a grant: paths are made canonical and programs are looked up on PATH.
    ///
    /// - Throws: `.forbidden` for resources that no grant can open, `.cannotRead` for those that do not exist.
    package static func resolved(_ grant: Grant, forbidden: [String]) throws(HostError) -> Grant {
        func path(_ path: String) throws(HostError) -> String {
            // The system would cut the name off at the NUL.
            if path.utf8.contains(0) { throw .cannotRead(path: path, reason: "a name has no NUL in it") }
            guard let real = resolved(path) else {
                throw .cannotRead(path: path, reason: "there is no such folder")
            }
            if isForbidden(real, forbidden) {
                throw .forbidden(grant, reason: "ythost's settings, keys and plugins are there")
            }
            // These folders expose the host's own environment and memory as files.
            if real.isAt("/proc") || real.isAt("/sys") { throw .forbidden(grant, reason: "the system's own files") }
            return real
        }
        switch grant {
        case .read(let name): return .read(try path(name))
        case .write(let name): return .write(try path(name))
        case .exec(let name):
            guard let program = program(name) else {
                throw .cannotRead(path: name, reason: "there is no such program on PATH")
            }
            return .exec(program)
        case .env(let name):
            if Grant.isSecret(variable: name) { throw .forbidden(grant, reason: "ythost's own variables hold keys") }
            return grant
        case .search, .account, .library, .net: return grant
        }
    }

    /// Whether a path is in a folder that no grant opens: ythost's keys, settings and plugins.
    static func isForbidden(_ path: String, _ forbidden: [String]) -> Bool {
        forbidden.contains { folder in
            let real = FileSystem.realPath(folder) ?? folder
            return path.isAt(real)
        }
    }

    /// - Parameter path: a resolved path. If a link has replaced the file or a folder since, the read fails.
    package static func read(_ path: String) throws(HostError) -> [UInt8] {
        let location: FileLocation
        do throws(FileLocation.Fault) { location = try .open(path, .refused) } catch {
            throw .cannotRead(path: path, reason: error.reason)
        }
        guard let kind = location.kind else { throw .cannotRead(path: path, reason: "there is no such file") }
        guard kind == S_IFREG else { throw .cannotRead(path: path, reason: "it is not a file") }
        return try FileSystem.readFile(location.openForReading(), path, limit: largestFile)
    }

    /// - Parameter path: a resolved path. If a link has replaced a folder since, the write fails.
    package static func write(_ path: String, _ bytes: [UInt8]) throws(HostError) {
        let sink = try FileSink(path: path, .refused)
        try sink.write(bytes)
        try sink.commit()
    }

    package static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    /// The absolute path of a program; nil when it is not on PATH.
    package static func program(_ name: String) -> String? { Programs.path(of: name, among: variable("PATH")) }
}
