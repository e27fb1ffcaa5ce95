// A folder that is gone with the test, and a second process.

import Glibc

public final class StoreScratch: Sendable {
    public let folder: String
    /// In a folder of its own, which is not made.
    public let file: String
    private let parent: String

    public init() {
        var name = Array("/tmp/ythost-store-XXXXXX".utf8CString)
        mkdtemp(&name)
        parent = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        folder = parent + "/ythost"
        file = folder + "/store.db"
        mkdir(folder, 0o755)
    }

    public func mode(_ name: String) -> mode_t? {
        var status = stat()
        return stat(folder + name, &status) == 0 ? status.st_mode & 0o777 : nil
    }

    deinit {
        for path in [folder, parent] {
            guard let handle = opendir(path) else { continue }
            while let entry = readdir(handle) {
                let name = withUnsafeBytes(of: entry.pointee.d_name) {
                    String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
                }
                unlink("\(path)/\(name)")
            }
            closedir(handle)
            rmdir(path)
        }
    }
}

/// The program `Probe`, which is built beside the tests.
public final class StoreProbe {
    private var process = pid_t()
    private let output: Int32

    public init?(_ arguments: [String]) {
        let folder = StoreProbe.buildFolder
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { return nil }
        output = ends[0]
        _ = fcntl(ends[0], F_SETFD, FD_CLOEXEC)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        posix_spawn_file_actions_addclose(&actions, ends[1])
        var argv: [UnsafeMutablePointer<CChar>?] = (["Probe"] + arguments).map { strdup($0) } + [nil]
        let failure = posix_spawn(&process, folder + "/Probe", &actions, nil, &argv, environ)
        posix_spawn_file_actions_destroy(&actions)
        for argument in argv { free(argument) }
        close(ends[1])
        if failure != 0 {
            close(ends[0])
            return nil
        }
    }

    deinit {
        kill()
        close(output)
    }

    private static var buildFolder: String {
        // The first word that names the bundle of tests; else the folder of the running program.
        for argument in CommandLine.arguments where argument.hasSuffix(".xctest") {
            return String(argument[..<(argument.lastIndex(of: "/") ?? argument.endIndex)])
        }
        return String(#filePath.prefix(upTo: #filePath.range("/Tests/") ?? #filePath.endIndex)) + "/.build/debug"
    }

    /// Whether it printed that line within ten seconds.
    public func waitFor(_ line: String) -> Bool {
        var text: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 4096)
        for _ in 0..<100 {
            var wait = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
            guard poll(&wait, 1, 100) > 0 else { continue }
            let count = read(output, &block, block.count)
            if count <= 0 { return false }
            text += block[..<count]
            if String(decoding: text, as: UTF8.self).contains(line) { return true }
        }
        return false
    }

    public func kill() {
        guard process > 0 else { return }
        Glibc.kill(process, SIGKILL)
        _ = wait()
    }

    /// Its exit code; minus the signal that ended it.
    public func wait() -> Int32 {
        guard process > 0 else { return -1 }
        var status: Int32 = 0
        waitpid(process, &status, 0)
        process = 0
        return status & 0x7F == 0 ? status >> 8 & 0xFF : -(status & 0x7F)
    }
}

extension String {
    fileprivate func range(_ text: String) -> String.Index? {
        indices.last { self[$0...].hasPrefix(text) }
    }
}
