// Files, variables and programs: what plugins reach only with a grant. This is the gate's side; every path is resolved
// before it is checked, so a link leads nowhere that was not granted.

import Glibc
import HostErrors
import Sandbox

package enum SystemAccess {
    /// The largest file a plugin reads at once, in bytes.
    package static let largestFile = 64 << 20

    /// A path with every link resolved; of a file that does not exist yet, its folder is.
    static func resolved(_ path: String) -> String? {
        if let real = FileSystem.realPath(path) { return real }
        guard let folder = FileSystem.realPath(FileSystem.folder(of: path)) else { return nil }
        let name = FileSystem.base(of: path)
        return name.isEmpty || name == "." || name == ".." ? nil : (folder == "/" ? "" : folder) + "/" + name
    }

    /// A grant as it is meant: paths resolved, a program found. Throws for what no grant opens.
    package static func resolved(_ grant: Grant, forbidden: [String]) throws(HostError) -> Grant {
        func path(_ path: String) throws(HostError) -> String {
            // The system would read the name only up to there.
            if path.utf8.contains(0) { throw .cannotRead(path: path, reason: "a name has no NUL in it") }
            guard let real = resolved(path) else {
                throw .cannotRead(path: path, reason: "there is no such folder")
            }
            if isForbidden(real, forbidden) {
                throw .forbidden(grant, reason: "ythost's settings, keys and plugins are there")
            }
            // The host's own environment and memory are files there.
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

    /// Folders that no grant opens: where ythost keeps keys and settings, and where plugins are.
    static func isForbidden(_ path: String, _ forbidden: [String]) -> Bool {
        forbidden.contains { folder in
            let real = FileSystem.realPath(folder) ?? folder
            return path.isAt(real)
        }
    }

    /// - Parameter path: a resolved one; a link that has taken its place since is not followed.
    package static func read(_ path: String) throws(HostError) -> [UInt8] {
        guard FileSystem.isFile(path) else {
            throw .cannotRead(
                path: path, reason: FileSystem.exists(path) ? "it is not a file" : "there is no such file")
        }
        return try FileSystem.read(path, limit: largestFile, isResolved: true)
    }

    package static func write(_ path: String, _ bytes: [UInt8]) throws(HostError) {
        if FileSystem.exists(path), !FileSystem.isFile(path) {
            throw .cannotWrite(path: path, reason: "it is not a file")
        }
        let sink = try FileSink(path: path)
        try sink.write(bytes)
        try sink.commit()
    }

    package static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    /// The absolute path of a program; nil when PATH has none of that name.
    package static func program(_ name: String) -> String? { Programs.path(of: name, among: variable("PATH")) }
}
