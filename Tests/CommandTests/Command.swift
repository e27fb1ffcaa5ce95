// Runs the built command, and the programs that judge what it writes, as processes of their own. A process gets the
// arguments, environment, folder and standard input a test gives it, nothing of the test's own; one that does not end
// in time is killed with everything it started.

import Foundation
import Glibc
import Testing

/// The command under test.
enum Command {
    /// The package's folder.
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The program that `scripts/test` built; without it the one that was built with the tests.
    static let binary: String =
        ProcessInfo.processInfo.environment["YTHOST_TEST_BINARY"] ?? root.appending(path: ".build/debug/ythost").path

    /// Whether it is the program as people get it, whose speed and memory count.
    static var isRelease: Bool { binary.contains("/release/") }

    /// Runs it to the end, in the package's folder unless another is given.
    static func run(
        _ arguments: [String], input: Program.Input = .none, environment: [String: String] = [:], in folder: URL? = nil,
        timeout: Double = 30
    ) throws -> Program.Run {
        try Program(binary, arguments, environment: environment, folder: folder ?? root)
            .run(input: input, timeout: timeout)
    }

    static func run(
        _ arguments: [String], input: String, environment: [String: String] = [:], in folder: URL? = nil
    ) throws -> Program.Run {
        try run(arguments, input: .bytes(Data(input.utf8)), environment: environment, in: folder)
    }

    /// A script in `sh` that calls it as `ythost`, for what only a shell does: pipes, redirections, limits.
    static func shell(
        _ script: String, arguments: [String] = [], environment: [String: String] = [:], in folder: URL? = nil,
        timeout: Double = 30
    ) throws -> Program.Run {
        try Program(
            "/bin/sh", ["-c", "ythost() { '\(binary)' \"$@\"; }\n\(script)", "sh"] + arguments,
            environment: environment, folder: folder ?? root
        ).run(timeout: timeout)
    }
}

/// A program outside, with what it is started with.
struct Program {
    /// How a run ended.
    struct Run {
        /// The exit code; minus the number of the signal that ended it.
        var code: Int32
        var data: Data
        var errorData: Data
        var output: String { String(decoding: data, as: UTF8.self) }
        var errors: String { String(decoding: errorData, as: UTF8.self) }
        /// The lines of its output. Of bytes, since Swift takes CR LF for one character.
        var lines: [String] {
            var lines = data.split(separator: 0x0A, omittingEmptySubsequences: false)
            if lines.last?.isEmpty == true { lines.removeLast() }
            return lines.map { String(decoding: $0, as: UTF8.self) }
        }
    }

    /// What stands on standard input.
    enum Input {
        case none
        case bytes(Data)
        /// The same bytes so many times.
        case repeated(Data, times: Int)

        fileprivate var count: Int {
            switch self {
            case .none: 0
            case .bytes(let data): data.count
            case .repeated(let data, let times): data.count * times
            }
        }
        fileprivate var block: Data {
            switch self {
            case .none: Data()
            case .bytes(let data), .repeated(let data, _): data
            }
        }
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    let path: String
    let arguments: [String]
    let environment: [String: String]
    let folder: URL

    init(_ path: String, _ arguments: [String], environment: [String: String] = [:], folder: URL = Command.root) {
        self.path = path
        self.arguments = arguments
        self.environment = ["PATH": "/usr/bin:/bin", "HOME": "/nonexistent"].merging(environment) { $1 }
        self.folder = folder
    }

    func run(input: Input = .none, timeout: Double = 30) throws -> Run {
        try start().finish(input: input, timeout: timeout)
    }

    /// Starts it with pipes on its three streams.
    func start() throws -> Child {
        signal(SIGPIPE, SIG_IGN)
        // Between the making of a pipe and its mark no other process may start, or it would hold the pipe open.
        Self.starting.lock()
        defer { Self.starting.unlock() }
        let (input, output, errors) = (try Channel(), try Channel(), try Channel())
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input.reading, 0)
        posix_spawn_file_actions_adddup2(&actions, output.writing, 1)
        posix_spawn_file_actions_adddup2(&actions, errors.writing, 2)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        for signal in [SIGPIPE, SIGINT, SIGTERM] { sigaddset(&signals, signal) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
        // env changes the folder, which spawning itself does only with GNU's extensions.
        let words = (["env", "-C", folder.path, path] + arguments).map { strdup($0) } + [nil]
        let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in words + variables { free(text) } }
        var process: pid_t = 0
        let failure = posix_spawn(&process, "/usr/bin/env", &actions, &attributes, words, variables)
        for descriptor in [input.reading, output.writing, errors.writing] { close(descriptor) }
        let child = Child(process, input.writing, output.reading, errors.reading, name: "\(path) \(arguments)")
        guard failure == 0 else {
            throw Failure(description: "\(path) does not start: \(String(cString: strerror(failure)))")
        }
        return child
    }

    private static let starting = NSLock()

    /// Two ends of a pipe that no other process inherits.
    private struct Channel {
        let reading: Int32
        let writing: Int32
        init() throws {
            var ends: [Int32] = [0, 0]
            guard pipe(&ends) == 0 else { throw Failure(description: "no pipe") }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            (reading, writing) = (ends[0], ends[1])
        }
    }

    /// A process that runs.
    final class Child {
        let process: pid_t
        private let name: String
        private var input: Int32
        private var output: Int32
        private var errors: Int32
        private var collected = (output: Data(), errors: Data())

        fileprivate init(_ process: pid_t, _ input: Int32, _ output: Int32, _ errors: Int32, name: String) {
            (self.process, self.input, self.output, self.errors, self.name) = (process, input, output, errors, name)
            _ = fcntl(input, F_SETFL, O_NONBLOCK)
            _ = fcntl(input, 1031, 1 << 20)  // F_SETPIPE_SZ: fewer turns for large inputs
        }

        deinit { for descriptor in [input, output, errors] where descriptor >= 0 { _ = Glibc.close(descriptor) } }

        func send(_ signal: Int32) { kill(process, signal) }

        enum Stream {
            case output, errors
        }

        /// Feeds the input and waits until a stream says this; the input stays open.
        func gather(input: Input = .none, until text: String, of stream: Stream, timeout: Double) throws {
            isHeld = true
            let wanted = Data(text.utf8)
            try gather(input: input, deadline: Date(timeIntervalSinceNow: timeout)) {
                (stream == .output ? $0.output : $0.errors).range(of: wanted) != nil
            }
        }

        /// Feeds the input and gathers the output, until `isEnough` says so or all is there.
        private func gather(
            input: Input, deadline: Date, until isEnough: ((output: Data, errors: Data)) -> Bool = { _ in false }
        ) throws {
            var sent = 0
            let block = input.block
            var buffer = [UInt8](repeating: 0, count: 256 << 10)
            while output >= 0 || errors >= 0 {
                if sent == input.count, isEnough(collected) { return }
                if sent == input.count, self.input >= 0, !isHeld { close(&self.input) }
                var waits = [
                    pollfd(fd: sent < input.count ? self.input : -1, events: Int16(POLLOUT), revents: 0),
                    pollfd(fd: output, events: Int16(POLLIN), revents: 0),
                    pollfd(fd: errors, events: Int16(POLLIN), revents: 0),
                ]
                let left = deadline.timeIntervalSinceNow
                guard left > 0, poll(&waits, 3, Int32(left * 1000) + 1) >= 0 || errno == EINTR else {
                    kill(-process, SIGKILL)
                    waitpid(process, nil, 0)
                    throw Failure(description: "\(name) was killed, it did not end in time: \(errorsSoFar)")
                }
                if waits[0].revents != 0 {
                    let start = sent % block.count
                    let count = block.withUnsafeBytes { write(self.input, $0.baseAddress! + start, $0.count - start) }
                    if count > 0 { sent += count } else if errno == EPIPE { sent = input.count }
                }
                if waits[1].revents != 0 { take(&output, &buffer, into: \.output) }
                if waits[2].revents != 0 { take(&errors, &buffer, into: \.errors) }
            }
        }

        /// Keeps standard input open when all is sent.
        private var isHeld = false

        var errorsSoFar: String { String(decoding: collected.errors, as: UTF8.self) }

        private func take(
            _ descriptor: inout Int32, _ buffer: inout [UInt8],
            into place: WritableKeyPath<(output: Data, errors: Data), Data>
        ) {
            let count = read(descriptor, &buffer, buffer.count)
            if count > 0 { collected[keyPath: place].append(contentsOf: buffer[..<count]) }
            if count == 0 { close(&descriptor) }
        }

        private func close(_ descriptor: inout Int32) {
            _ = Glibc.close(descriptor)
            descriptor = -1
        }

        /// Feeds and gathers to the end.
        func finish(input: Input = .none, timeout: Double = 30) throws -> Run {
            isHeld = false
            try gather(input: input, deadline: Date(timeIntervalSinceNow: timeout))
            var status: Int32 = 0
            while waitpid(process, &status, 0) < 0 && errno == EINTR {}
            let signal = status & 0x7f
            return Run(
                code: signal == 0 ? (status >> 8) & 0xff : -signal, data: collected.output,
                errorData: collected.errors)
        }
    }
}
