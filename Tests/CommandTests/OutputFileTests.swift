// `-o FILE`: the file is there whole, or it is as it was. What is easily got wrong: a run that fails or is killed
// half-way, and things at that place that are no files.

import Foundation
import Glibc
import Testing

@Suite struct OutputFileTests {
    /// Writes a row and a lot more, then fails.
    private static let failing = """
        return { format = function(videos, out)
          for v in videos do out:line(v.id); out:write(("x"):rep(300000)); error("half-way") end
        end }
        """
    /// Writes a row and a lot more, then waits for ever.
    private static let waiting = """
        return { format = function(videos, out)
          for v in videos do
            out:line(v.id); out:write(("x"):rep(300000)); yt.log("warning", "half-way")
            while true do end
          end
        end }
        """

    @Test(
        "the name of the file chooses the format",
        arguments: [
            ("x.rss", "<?xml"), ("x.html", "<!DOCTYPE html>"), ("x.csv", "id,title,"), ("x.jsonl", "{\"ythost\":1,"),
        ])
    func suffix(name: String, start: String) throws {
        let scratch = try Scratch()
        for command in [["search", "programming"], ["run", "long", "programming"]] {
            let run = try Command.run(command + ["-o", scratch.path(name)])
            #expect(run.code == 0 && run.output.isEmpty, "\(run.errors)")
            #expect(try scratch.text(name).hasPrefix(start))
            #expect(scratch.names == [name])
        }
    }

    @Test("a plan of calls replaces no file")
    func dry() throws {
        let scratch = try Scratch()
        let file = try scratch.file("x.csv", "old")
        let run = try Command.run(["search", "programming", "--dry-run", "-o", file])
        #expect(run.code == 0 && !run.output.isEmpty, "\(run.errors)")
        #expect(try scratch.text("x.csv") == "old")
    }

    @Test("an address of one's own that holds a key is not shown when it is wrong")
    func wrongAddress() throws {
        for address in ["http://127.0.0.1:1/youtube/v3?key=k-secret-1", "http://u:k-secret-1@127.0.0.1:1/"] {
            let run = try Command.run(
                ["search", "a", "--source", "youtube"],
                environment: ["YTHOST_YOUTUBE_URL": address, "YTHOST_YOUTUBE_KEY": "k-secret-2"])
            #expect(run.code == 3 && run.errors.contains("YTHOST_YOUTUBE_URL is no"), "\(run.errors)")
            #expect(!run.errors.contains("k-secret"))
        }
    }

    @Test("a suffix that no format is known for is told")
    func unknownSuffix() throws {
        let scratch = try Scratch()
        let run = try Command.run(["search", "programming", "-o", scratch.path("x.zip")])
        #expect(run.code == 0 && run.errors.contains("no format is known for files that end in .zip"), "\(run.errors)")
        #expect(try scratch.text("x.zip").hasPrefix("{\"ythost\":1,"))
        for quiet in [
            ["run", "ids", "programming", "-o", scratch.path("x.zip")], ["search", "a", "-o", scratch.path("x.1")],
        ] {
            #expect(try !Command.run(quiet).errors.contains("no format is known"))
        }
    }

    @Test("a format that is named is written whatever the file is called")
    func namedFormat() throws {
        let scratch = try Scratch()
        let run = try Command.run(["run", "ids", "programming", "-o", scratch.path("x.rss"), "--take", "2"])
        #expect(run.code == 0)
        #expect(try scratch.text("x.rss").split(separator: "\n").map(\.count) == [11, 11])
    }

    @Test("a file holds what standard output would")
    func sameBytes() throws {
        let scratch = try Scratch()
        for format in ["rss", "html", "csv", "jsonl", "ids", "urls", "table"] {
            let file = try Command.run(["run", format, "programming", "-o", scratch.path("out")])
            #expect(file.code == 0)
            let stream = try Command.run(["run", format, "programming"])
            #expect(try scratch.text("out") == stream.output, "\(format)")
        }
    }

    @Test(
        "an existing file is replaced as a whole and keeps its permissions",
        arguments: [0o600, 0o644, 0o664, 0o400] as [mode_t])
    func replaced(mode: mode_t) throws {
        if mode == 0o400, geteuid() != 0 { return }
        let scratch = try Scratch()
        let path = try scratch.file("ids.txt", String(repeating: "old and longer than what comes\n", count: 1000))
        chmod(path, mode)
        let run = try Command.run(["run", "ids", "programming", "--take", "1", "-o", path])
        #expect(run.code == 0, "\(run.errors)")
        #expect(try scratch.text("ids.txt").count == 12)
        #expect(try Self.mode(path) == mode)
        #expect(scratch.names == ["ids.txt"])
    }

    @Test("a new file has the permissions the umask leaves")
    func newFile() throws {
        let scratch = try Scratch()
        let run = try Command.shell(
            "umask 027; ythost run ids programming --take 1 -q -o \"$1\"", arguments: [scratch.path("new")])
        #expect(run.code == 0)
        #expect(try Self.mode(scratch.path("new")) == 0o640)
    }

    private static func mode(_ path: String) throws -> mode_t {
        var status = stat()
        try #require(stat(path, &status) == 0)
        return status.st_mode & 0o7777
    }

    @Test("a link stays a link, and what it points to is replaced")
    func link() throws {
        let scratch = try Scratch()
        try scratch.file("target", "old")
        try FileManager.default.createSymbolicLink(atPath: scratch.path("link"), withDestinationPath: "target")
        #expect(try Command.run(["run", "ids", "programming", "--take", "1", "-o", scratch.path("link")]).code == 0)
        #expect(try scratch.text("target").count == 12)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: scratch.path("link")) == "target")
    }

    @Test("a run that fails half-way leaves the old file and nothing else", arguments: [true, false])
    func failedHalfWay(existed: Bool) throws {
        let scratch = try Scratch()
        let plugin = try scratch.file("half.lua", Self.failing)
        if existed { try scratch.file("out", "old\n") }
        let run = try Command.run(["run", plugin, "programming", "-o", scratch.path("out")])
        #expect(run.code == 1 && run.errors.contains("half-way"))
        #expect(scratch.names == (existed ? ["half.lua", "out"] : ["half.lua"]))
        if existed { #expect(try scratch.text("out") == "old\n") }
    }

    @Test("a run that is killed half-way leaves the old file and nothing else", arguments: [SIGKILL, SIGTERM, SIGINT])
    func killed(signal: Int32) throws {
        let scratch = try Scratch()
        let plugin = try scratch.file("wait.lua", Self.waiting)
        try scratch.file("out", "old\n")
        let child = try Program(
            Command.binary, ["run", plugin, "programming", "-o", scratch.path("out")]
        ).start()
        try child.gather(until: "half-way", of: .errors, timeout: 20)
        child.send(signal)
        let run = try child.finish()
        #expect(run.code == (signal == SIGINT ? 130 : -signal))
        #expect(try scratch.text("out") == "old\n")
        #expect(scratch.names == ["out", "wait.lua"])
    }

    @Test("an interrupt ends a run at once with 130")
    func interrupted() throws {
        let scratch = try Scratch()
        let plugin = try scratch.file("wait.lua", Self.waiting)
        let child = try Program(Command.binary, ["run", plugin, "programming"]).start()
        try child.gather(until: "half-way", of: .errors, timeout: 20)
        let start = ContinuousClock.now
        child.send(SIGINT)
        #expect(try child.finish().code == 130)
        #expect(ContinuousClock.now - start < .seconds(2))
    }

    @Test("a place that cannot be written is told before anything is done")
    func unwritable() throws {
        let scratch = try Scratch()
        try FileManager.default.createDirectory(atPath: scratch.path("folder"), withIntermediateDirectories: false)
        for (path, reason) in [
            (scratch.path("folder"), "it is a folder"), (scratch.path("missing/x.rss"), "No such file or directory"),
        ] {
            let run = try Command.run(["search", "programming", "-o", path])
            #expect(run.code == 1 && run.output.isEmpty)
            #expect(run.errors.hasPrefix("ythost: cannot write \(path): \(reason)\n"), "\(run.errors)")
        }
        #expect(scratch.names == ["folder"])
        let empty = try Command.run(["search", "programming", "-o", ""], in: scratch.folder)
        #expect(empty.code == 2 && scratch.names == ["folder"])
    }

    @Test("a folder without permission is told")
    func noPermission() throws {
        let scratch = try Scratch()
        chmod(scratch.folder.path, 0o500)
        defer { chmod(scratch.folder.path, 0o700) }
        // Root may write everywhere, unless that is taken away.
        let mortal = geteuid() == 0 ? ["/usr/bin/setpriv", "--bounding-set=-dac_override,-dac_read_search"] : []
        let words = mortal + [Command.binary, "search", "programming", "-o", scratch.path("x.rss")]
        let run = try Program(words[0], Array(words.dropFirst()), folder: Command.root).run()
        #expect(run.code == 1 && run.errors.contains("Permission denied"))
    }

    @Test("a named pipe is written to, and stays one")
    func namedPipe() throws {
        let scratch = try Scratch()
        let run = try Command.shell(
            "mkfifo \"$1\"; cat \"$1\" & ythost run ids programming --take 2 -q -o \"$1\"; code=$?; wait; test -p \"$1\" && exit $code",
            arguments: [scratch.path("pipe")])
        #expect(run.code == 0, "\(run.errors)")
        #expect(run.lines.map(\.count) == [11, 11])
    }

    @Test("a device is written to, and stays one", .enabled(if: geteuid() == 0, "only root makes devices"))
    func device() throws {
        let scratch = try Scratch()
        // Devices of the test's own: a mistake here must not reach those of the system.
        try #require(mknod(scratch.path("null"), S_IFCHR | 0o666, 0x103) == 0)
        try #require(mknod(scratch.path("full"), S_IFCHR | 0o666, 0x107) == 0)
        #expect(try Command.run(["search", "programming", "-o", scratch.path("null")]).code == 0)
        let full = try Command.run(["search", "programming", "-o", scratch.path("full"), "-q"])
        #expect(full.code == 1)
        #expect(full.errors == "ythost: cannot write \(scratch.path("full")): No space left on device\n")
        for name in ["null", "full"] {
            var status = stat()
            #expect(lstat(scratch.path(name), &status) == 0 && status.st_mode & S_IFMT == S_IFCHR)
        }
        #expect(scratch.names == ["full", "null"])
    }

    /// Whether this process may mount a file system of its own.
    private static let mayMount = (try? Program("/usr/bin/unshare", ["-m", "true"]).run().code) == 0

    @Test("a full disk leaves the old file", .enabled(if: mayMount, "no file system can be mounted here"))
    func fullDisk() throws {
        let scratch = try Scratch()
        let script = """
            mount -t tmpfs -o size=32k tmpfs "$1" && cd "$1" && echo old >out || exit 99
            '\(Command.binary)' search programming -q --take 200 -o out; code=$?
            cat out; ls -A; exit $code
            """
        let search = try Program("/usr/bin/unshare", ["-m", "sh", "-c", script, "sh", scratch.folder.path]).run()
        try #require(search.code != 99, "\(search.errors)")
        let needed = try Command.run(["search", "programming", "-q", "--take", "200"]).data.count
        try #require(needed > 40 << 10)
        #expect(search.code == 1 && search.output == "old\nout\n")
    }

    @Test(
        "a full standard output is a failure",
        arguments: ["search programming", "help", "version", "run rss programming"])
    func fullOutput(arguments: String) throws {
        let run = try Command.shell("ythost \(arguments) -q >/dev/full")
        #expect(run.code == 1)
        #expect(run.errors == "ythost: cannot write standard output: No space left on device\n")
    }
}
