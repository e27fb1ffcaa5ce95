// Runs external programs as child processes, without a shell, with only PATH, HOME and LANG in the environment, and
// limited in time and output. A program may close its output and keep running, or leave children behind.

import CProcess
import Glibc
import Threads

package enum Programs {
    /// The absolute path of a program; nil when no folder of the PATH contains it.
    package static func path(of name: String, among folders: String?) -> String? {
        if name.hasPrefix("/") { return isProgram(name) ? name : nil }
        if name.isEmpty || name.utf8.contains(UInt8(ascii: "/")) || name.utf8.contains(0) { return nil }
        for folder in (folders ?? "/usr/bin:/bin").split(separator: ":") where folder.hasPrefix("/") {
            let path = "\(folder)/\(name)"
            if isProgram(path) { return path }
        }
        return nil
    }

    private static func isProgram(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
    }
}

/// Why a program could not be started.
package struct ProgramFault: Error {
    package var path: String
    package var reason: String
}

/// One run of a program, without a shell, with a minimal environment and limits on time and output.
package struct ProgramRun: Sendable {
    package var path: String
    package var arguments: [String]
    package var input: [UInt8]
    /// Timeout in seconds; the program is killed when it expires.
    package var timeout: Double
    /// Maximum output in bytes; the program is killed when it exceeds it.
    package var limit: Int

    package struct Outcome: Sendable {
        package var status: Int
        package var output: [UInt8]
        package var errors: [UInt8]
        /// Why the program was killed; nil when it exited by itself.
        package var killed: String?
    }

    package init(path: String, arguments: [String], input: [UInt8] = [], timeout: Double, limit: Int) {
        self.path = path
        self.arguments = arguments
        self.input = input
        self.timeout = timeout
        self.limit = limit
    }

    /// Runs the program to its end.
    ///
    /// - Throws: `ProgramFault` when it cannot be started.
    package func run() throws(ProgramFault) -> Outcome {
        var pipes: [Int32] = [-1, -1, -1]
        var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) }
        words.append(nil)
        var child = cprocess_spawn(path, words, &pipes)
        // ETXTBSY: a child that another thread just forked still holds a freshly written executable open.
        for _ in 0..<10 where child < 0 && errno == ETXTBSY {
            usleep(20_000)
            child = cprocess_spawn(path, words, &pipes)
        }
        for word in words { free(word) }
        guard child > 0 else { throw ProgramFault(path: path, reason: String(cString: strerror(errno))) }
        let outcome = exchange(child, &pipes)
        for descriptor in pipes where descriptor >= 0 { close(descriptor) }
        return outcome
    }

    /// Feeds and drains the pipes until the program ends, times out, is cancelled or exceeds the output limit.
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
            if CancellationToken.current?.isCancelled == true {
                outcome.killed = "it was no longer wanted"
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
            // Wake up periodically to check for cancellation.
            guard poll(&watched, 3, Int32((min(left, 0.1) * 1000).rounded(.up))) > 0 else { continue }
            if watched[0].revents != 0 { feed(&rest, &pipes) }
            if watched[1].revents != 0 { drain(&pipes, 1, &outcome.output) }
            if watched[2].revents != 0 { drain(&pipes, 2, &outcome.errors) }
        }
        // The program may have closed its output without exiting.
        var status: Int32 = 0
        cprocess_finish_program(child)
        while outcome.killed == nil, waitpid(child, &status, Int32(WNOHANG)) == 0 {
            if Clock.monotonic() > end { outcome.killed = "its time of \(timeout) s was over" }
            usleep(2000)
        }
        if outcome.killed != nil {
            cprocess_end_program(child)
            while waitpid(child, &status, 0) < 0, errno == EINTR {}
        }
        cprocess_forget_program(child)
        outcome.status = status & 0x7F == 0 ? Int(status >> 8 & 0xFF) : 128 + Int(status & 0x7F)
        return outcome
    }

    private func shut(_ pipes: inout [Int32], _ index: Int) {
        close(pipes[index])
        pipes[index] = -1
    }

    private func feed(_ rest: inout ArraySlice<UInt8>, _ pipes: inout [Int32]) {
        let count = rest.withUnsafeBytes { cprocess_feed(pipes[0], $0.baseAddress, $0.count) }
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
