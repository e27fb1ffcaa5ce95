// Files, variables and programs: what plugins reach only with a grant. This is the gate's side; every path is resolved
// before it is checked, so a link leads nowhere that was not granted.

import CProcess
import Glibc
import Threads

enum OutsideWorld {
    /// The largest file a plugin reads at once, in bytes.
    static let largestFile = 64 << 20

    /// A path with every link resolved; of a file that does not exist yet, its folder is.
    static func resolved(_ path: String) -> String? {
        if let real = FileSystem.realPath(path) { return real }
        guard let folder = FileSystem.realPath(FileSystem.folder(of: path)) else { return nil }
        let name = FileSystem.base(of: path)
        return name.isEmpty || name == "." || name == ".." ? nil : (folder == "/" ? "" : folder) + "/" + name
    }

    /// A grant as it is meant: paths resolved, a program found. Throws for what no grant opens.
    static func resolved(_ grant: Grant, forbidden: [String]) throws(HostError) -> Grant {
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
    static func read(_ path: String) throws(HostError) -> [UInt8] {
        guard FileSystem.isFile(path) else {
            throw .cannotRead(
                path: path, reason: FileSystem.exists(path) ? "it is not a file" : "there is no such file")
        }
        return try FileSystem.read(path, limit: largestFile, isResolved: true)
    }

    static func write(_ path: String, _ bytes: [UInt8]) throws(HostError) {
        if FileSystem.exists(path), !FileSystem.isFile(path) {
            throw .cannotWrite(path: path, reason: "it is not a file")
        }
        let sink = try FileSink(path: path)
        try sink.write(bytes)
        try sink.commit()
    }

    static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    /// The absolute path of a program; nil when PATH has none of that name.
    static func program(_ name: String) -> String? {
        if name.hasPrefix("/") { return FileSystem.isFile(name) && access(name, X_OK) == 0 ? name : nil }
        if name.contains("/") { return nil }
        for folder in (variable("PATH") ?? "/usr/bin:/bin").split(separator: ":") where folder.hasPrefix("/") {
            let path = "\(folder)/\(name)"
            if FileSystem.isFile(path), access(path, X_OK) == 0 { return path }
        }
        return nil
    }
}

/// A program's run: no shell, a scrubbed environment, bounded in time and output.
struct ProgramRun {
    var path: String
    var arguments: [String]
    var input: [UInt8]
    /// Seconds after which it is killed.
    var timeout: Double
    /// Bytes of output after which it is killed.
    var limit: Int

    struct Outcome: Sendable {
        var status: Int
        var output: [UInt8]
        var errors: [UInt8]
        /// Why it was killed; nil when it ended by itself.
        var killed: String?
    }

    func run() throws(HostError) -> Outcome {
        var pipes: [Int32] = [-1, -1, -1]
        var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) }
        words.append(nil)
        let child = cprocess_spawn(path, words, &pipes)
        for word in words { free(word) }
        guard child > 0 else { throw .cannotRead(path: path, reason: FileSystem.reason) }
        let outcome = exchange(child, &pipes)
        for descriptor in pipes where descriptor >= 0 { close(descriptor) }
        return outcome
    }

    /// Feeds and drains the pipes until the program ends, its time is over, or it says too much.
    private func exchange(_ child: pid_t, _ pipes: inout [Int32]) -> Outcome {
        var outcome = Outcome(status: 0, output: [], errors: [])
        var rest = input[...]
        if rest.isEmpty { shut(&pipes, 0) }
        let end = Clock.monotonic() + timeout
        while pipes[1] >= 0 || pipes[2] >= 0 {
            let left = end - Clock.monotonic()
            if left <= 0 {
                outcome.killed = "its time of \(timeout) s was over"
                break
            }
            if outcome.output.count + outcome.errors.count > limit {
                outcome.killed = "it wrote more than \(limit) bytes"
                break
            }
            var watched = [
                pollfd(fd: pipes[0], events: Int16(POLLOUT), revents: 0),
                pollfd(fd: pipes[1], events: Int16(POLLIN), revents: 0),
                pollfd(fd: pipes[2], events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&watched, 3, Int32((left * 1000).rounded(.up))) > 0 else { continue }
            if watched[0].revents != 0 { feed(&rest, &pipes) }
            if watched[1].revents != 0 { drain(&pipes, 1, &outcome.output) }
            if watched[2].revents != 0 { drain(&pipes, 2, &outcome.errors) }
        }
        // It may have closed its output and run on.
        var status: Int32 = 0
        while outcome.killed == nil, waitpid(child, &status, Int32(WNOHANG)) == 0 {
            if Clock.monotonic() > end { outcome.killed = "its time of \(timeout) s was over" }
            usleep(2000)
        }
        kill(-child, SIGKILL)  // it, and whatever it left running
        if outcome.killed != nil { while waitpid(child, &status, 0) < 0, errno == EINTR {} }
        outcome.status = status & 0x7F == 0 ? Int(status >> 8 & 0xFF) : 128 + Int(status & 0x7F)
        return outcome
    }

    private func shut(_ pipes: inout [Int32], _ index: Int) {
        close(pipes[index])
        pipes[index] = -1
    }

    private func feed(_ rest: inout ArraySlice<UInt8>, _ pipes: inout [Int32]) {
        let count = rest.withUnsafeBytes { Glibc.write(pipes[0], $0.baseAddress, $0.count) }
        if count > 0 { rest = rest.dropFirst(count) }
        if rest.isEmpty || (count < 0 && errno != EAGAIN && errno != EINTR) { shut(&pipes, 0) }
    }

    private func drain(_ pipes: inout [Int32], _ index: Int, _ into: inout [UInt8]) {
        var count = 0
        let block = [UInt8](unsafeUninitializedCapacity: 64 << 10) { buffer, filled in
            count = Glibc.read(pipes[index], buffer.baseAddress, buffer.count)
            filled = max(count, 0)
        }
        if count > 0 {
            into += block
        } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
            shut(&pipes, index)
        }
    }
}
