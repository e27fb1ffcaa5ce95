// What lies in the memory of the process that runs plugins. Only root may read it, since it lets nobody else.

import Foundation
import Glibc
import TestSupport
import Testing

@Suite(.enabled(if: geteuid() == 0), .timeLimit(.minutes(1))) struct WorkerMemoryTests {
    @Test(
        "no key is in it, neither one that fits into registers nor a long one",
        arguments: ["k3f9a2c7e1b", "a-key-of-39-bytes-as-google-makes-them-0"],
        [("YTHOST_YOUTUBE_KEY", "YTHOST_YOUTUBE_URL"), ("YTHOST_VIMEO_TOKEN", "YTHOST_VIMEO_URL")])
    func key(key: String, variables: (key: String, address: String)) throws {
        let server = LoopbackServer { _, reply in
            _ = reply.clientLeaves(within: 20)
            reply.close()
        }
        defer { server.stop() }
        let scratch = try Scratch()
        try scratch.file("wait.lua", #"yt.search("x"):count()"#)
        let child = try Program(
            Command.binary, ["run", "./wait.lua"],
            environment: [
                "HOME": scratch.path("home"), variables.key: key, "no_proxy": "127.0.0.1",
                variables.address: "http://127.0.0.1:\(server.port)",
            ], folder: scratch.folder
        ).start()
        let end = Date(timeIntervalSinceNow: 15)
        while server.requests.isEmpty, Date() < end { usleep(5000) }
        #expect(!server.requests.isEmpty)
        let list = "/proc/\(child.process)/task/\(child.process)/children"
        let workers = try String(contentsOfFile: list, encoding: .utf8).split(separator: " ").compactMap { pid_t($0) }
        #expect(workers.count == 1)
        for worker in workers { #expect(try Self.places(of: key, in: worker).isEmpty) }
        // The parent has it, and so it would be found.
        #expect(try !Self.places(of: key, in: child.process).isEmpty)
        kill(child.process, SIGTERM)
        _ = try child.finish(timeout: 10)
    }

    /// The parts of a process's memory that have a text, as /proc/PID/maps names them.
    private static func places(of text: String, in process: pid_t) throws -> [String] {
        let memory = try FileHandle(forReadingFrom: URL(filePath: "/proc/\(process)/mem"))
        defer { try? memory.close() }
        let wanted = Data(text.utf8)
        return try String(contentsOfFile: "/proc/\(process)/maps", encoding: .utf8).split(separator: "\n").compactMap {
            line in
            let words = line.split(separator: " ", omittingEmptySubsequences: true)
            let ends = words[0].split(separator: "-").compactMap { UInt64($0, radix: 16) }
            guard ends.count == 2, words[1].hasPrefix("r"), !line.hasSuffix("[vsyscall]"), !line.contains("[vvar")
            else { return nil }
            var start = ends[0]
            // Pieces overlap, so that nothing is missed between two.
            while start < ends[1] {
                let size = min(ends[1] - start, 1 << 24)
                try? memory.seek(toOffset: start)
                if let bytes = try? memory.read(upToCount: Int(size)), bytes.range(of: wanted) != nil {
                    return String(line)
                }
                if start + size == ends[1] { break }
                start += size - UInt64(wanted.count)
            }
            return nil
        }
    }
}
