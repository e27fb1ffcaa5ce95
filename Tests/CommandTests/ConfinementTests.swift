// The worker seen from outside: which calls of the system it makes, how much memory it takes, how it dies, and that
// nothing secret is in what it says or can reach.

import Foundation
import Glibc
import Testing

@Suite struct ConfinementTests {
    // MARK: what it may do

    /// The system's calls that a worker makes once it is shut in. Anything else must have been refused.
    private static let allowed: Set = [
        "read", "readv", "pread64", "write", "writev", "close", "lseek", "fstat", "sendto", "recvfrom", "sendmsg",
        "recvmsg",
        "poll", "ppoll", "munmap", "mremap", "madvise", "brk", "mmap", "mprotect", "clock_gettime", "clock_nanosleep",
        "nanosleep", "gettimeofday", "setitimer", "getitimer", "time", "exit", "exit_group", "rt_sigaction",
        "rt_sigprocmask", "rt_sigreturn", "sigaltstack", "restart_syscall", "futex", "getpid", "gettid", "getrandom",
        "sched_yield", "sched_getaffinity", "getrusage", "membarrier", "rseq", "set_robust_list",
    ]

    @Test(
        "a worker opens no file and no socket, starts no process, and makes no memory executable but a library's",
        .enabled(if: Tracer.works, "strace is not installed, or may not trace"),
        arguments: [
            ["run", "PLUGIN"], ["search", "programming"], ["parse", "RECORDS"],
            ["run", "PLUGIN", "--allow", "read:PLUGIN", "--allow", "exec:echo", "--allow", "env:HOME"],
        ])
    func calls(words: [String]) throws {
        let scratch = try Scratch()
        let plugin = try scratch.file(
            "plugin.lua",
            """
            pcall(yt.file.read, "PLUGIN") pcall(yt.file.write, "x", "y") pcall(yt.env, "HOME")
            pcall(yt.exec, {"echo", "x"}) pcall(require, "re") pcall(require, "yt.none") pcall(yt.file.read, "/etc/passwd")
            for v in yt.search("programming") do print(v.title, yt.time.format(0), os.date(), os.time()) end
            local t = {} for i = 1, 100000 do t[i] = {i} end table.sort(t, function(a, b) return a[1] > b[1] end)
            error("the end")
            """)
        let records = try scratch.file("records.jsonl", "{\"ythost\":1,\"title\":\"x\",\"id\":\"a\"}\n")
        let trace = scratch.path("trace")
        let arguments = words.map {
            $0.replacing("PLUGIN", with: plugin).replacing("RECORDS", with: records)
        }
        let run = try Program(
            Tracer.path, ["-f", "-o", trace, Command.binary] + arguments, environment: ["HOME": scratch.folder.path]
        ).run()
        #expect([0, 1].contains(run.code), "\(run.errors)")
        let lines = try scratch.text("trace").split(separator: "\n")
        let shutIn = try #require(lines.firstIndex { $0.contains("PR_SET_SECCOMP") || $0.contains("seccomp(") })
        let worker = lines[shutIn].prefix { $0 != " " }
        // Where the parent had a word in between, the call that shuts it in ends on a line of its own.
        let after = Array(
            lines[(shutIn + 1)...].filter { $0.hasPrefix("\(worker) ") && !$0.contains("<unfinished") }
                .drop { $0.contains("<... prctl resumed>") || $0.contains("<... seccomp resumed>") })
        #expect(after.count > 3)
        for (index, line) in after.enumerated() {
            guard let name = line.firstMatch(of: /^\d+ +(?:<\.\.\. )?(\w+)/)?.output.1 else { continue }
            // What the loader of libraries asks is not done but raises a signal.
            let isCaught =
                ["openat", "newfstatat"].contains(name) && index + 1 < after.count
                && after[index + 1].contains("SIGSYS")
            #expect(Self.allowed.contains(String(name)) || line.contains("= -1 E") || isCaught, "\(line)")
            // The code of a library, from a file, not to be written to.
            let isLibrary =
                name == "mmap" && line.contains("PROT_READ|PROT_EXEC, MAP_PRIVATE") && !line.contains("MAP_ANONYMOUS")
            #expect(!line.contains("PROT_EXEC") || line.contains("= -1 E") || isLibrary, "\(line)")
        }
    }

    @Test(
        "a worker that is shut in gets the parser of JSON when it first needs it",
        arguments: [
            "for v in yt.search('programming'):take(1) do print(#yt.json.decode('[1, 2, 3]')) end",
            "print(#yt.json.decode('[1, 2, 3]'))", "print(#yt.json.decode('[1, 2, 3]'), yt.json.decode('['))",
            "local m = yt.mapper{title = 'a'} print(3, m('{\"a\": \"x\"}'):first().title)",
        ])
    func parser(source: String) throws {
        let scratch = try Scratch()
        let run = try Command.run(["run", try scratch.file("plugin.lua", source), "-q"])
        #expect(run.code == 0 && run.output.hasPrefix("3"), "\(run.output) \(run.errors)")
    }

    // MARK: what it may take

    private static let bombs = [
        "local t = {} while true do t[#t + 1] = {} end",
        "local t = {} while true do t[#t + 1] = ('x'):rep(100000) .. #t end",
        "local t = {} while true do pcall(function() while true do t[#t + 1] = {#t} end end) end",
        "local t, s = {}, {} for i = 1, 400000 do t[i] = 'k' .. i end while true do s[#s + 1] = yt.json.encode(t) end",
        "local t = {} while true do t[#t + 1] = yt.video({title = ('x'):rep(200) .. #t}) end",
        "local t = {} while true do t[#t + 1] = yt.search('programming'):list() end",
        "local s = ('\\\"'):rep(10000000) print(yt.html.escape(s), yt.csv.row({s, s, s, s}))",
        "print(assert(yt.json.decode('[' .. ('[1,2,3],'):rep(3000000) .. '1]')))",
        "local lpeg = require('lpeg') local p = lpeg.P('a') while true do p = p * p end",
        "local s = 'x' while true do s = s .. s end",
    ]

    @Test(
        "a worker takes at most 1.3 times its memory budget and what it takes when idle",
        .enabled(if: Command.isRelease && Judge.judgesWithPython, "only the release binary's memory counts"),
        arguments: bombs)
    func memory(bomb: String) throws {
        let idle = try peak("error('x')").kilobytes
        let (code, kilobytes, errors) = try peak(bomb)
        #expect([1, 6].contains(code), "\(errors)")
        #expect(kilobytes <= (64 << 10) * 13 / 10 + idle, "\(kilobytes) KB, idle \(idle): \(errors)")
    }

    /// The exit code, and the most memory that the command or its worker had.
    private func peak(_ source: String) throws -> (code: Int, kilobytes: Int, errors: String) {
        let scratch = try Scratch()
        let plugin = try scratch.file("bomb.lua", source)
        let code = """
            import resource, subprocess, sys
            run = subprocess.run(sys.argv[1:], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            print(run.returncode, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
            print(run.stderr.decode("utf-8", "replace")[:300])
            """
        let flags = ["--budget", "memory=64M,cpu=10s,wall=20s,output=200M,requests=none,calls=none"]
        let lines = try Judge.python(
            code, Data(), arguments: [Command.binary, "run", plugin] + flags
        ).split(separator: "\n", maxSplits: 1)
        let numbers = lines[0].split(separator: " ").compactMap { Int($0) }
        return (numbers[0], numbers[1], lines.count > 1 ? String(lines[1]) : "")
    }

    // MARK: what it may know

    /// Prints every string that can be reached, and whatever errors say.
    private static let walk = """
        yt.log("warning", "begin")
        local seen = {}
        local function walk(value)
          if type(value) == "string" then print(value) return end
          if value == nil or seen[value] then return end
          seen[value] = true
          local meta = getmetatable(value)
          if meta then walk(meta) end
          if type(value) == "table" then for k, v in next, value do walk(k) walk(v) end end
          if type(value) == "userdata" then
            for _, name in ipairs({"title", "id", "extra", "channel", "raw", "__index", "__gc"}) do
              local ok, v = pcall(function() return value[name] end)
              walk(v)
            end
          end
          if type(value) == "function" and value ~= walk and value ~= print then
            for _, a in ipairs({"YTHOST_YOUTUBE_KEY", "config/ythost/keys.json", "/proc/self/environ", {}}) do
              if value ~= yt.exec then walk(select(2, pcall(value, a))) end
            end
          end
        end
        walk(_G) walk(yt) walk(require("lpeg")) walk(require("re")) walk(yt.search("programming"):first())
        walk(yt.search("programming")) walk(getmetatable("x"))
        print(yt.exec({"env"}).output) print(yt.exec({"cat", "/proc/self/environ"}).output)
        for _, words in ipairs({{"nothing"}, {"env", "-x"}}) do walk(select(2, pcall(yt.exec, words))) end
        print("walked")
        """

    @Test("no secret is in what a run says, in what Lua reaches, or in the environment of a program")
    func secrets() throws {
        let mark = Place.mark
        let scratch = try Scratch()
        try FileManager.default.createDirectory(
            at: scratch.folder.appending(path: "config/ythost"), withIntermediateDirectories: true)
        try scratch.file("config/ythost/keys.json", #"{"youtube": "\#(mark)"}"#)
        try scratch.file("config/ythost/config", "source = sample\n")
        let plugin = try scratch.file("walk.lua", Self.walk)
        var environment = ["XDG_CONFIG_HOME": scratch.path("config"), "XDG_DATA_HOME": scratch.path("data")]
        for name in ["YOUTUBE_KEY", "VIMEO_TOKEN", "PEERTUBE_TOKEN", "KEY", "X"] {
            environment["YTHOST_\(name)"] = mark
        }
        let grants = ["--allow", "exec:env", "--allow", "exec:cat", "--allow", "read:/", "--allow", "env:HOME"]
        for words in [
            ["run", plugin] + grants, ["run", plugin, "-v", "-v", "--errors", "json"] + grants,
            ["run", plugin, "--help"],
            ["search", "programming", "--where", "yt.env('YTHOST_YOUTUBE_KEY')", "--allow", "read:/"],
            ["plugin", "list"], ["sources"], ["search", "programming", "--source", "none"],
        ] {
            let run = try Command.run(words, environment: environment, in: scratch.folder)
            #expect(!run.output.contains(mark) && !run.errors.contains(mark), "\(words)")
            if words.count > 3, words[1] == plugin { #expect(run.output.contains("walked"), "\(run.errors)") }
        }
    }

    @Test("a worker has forgotten the environment", .enabled(if: getuid() == 0, "only root sees into a worker"))
    func environment() throws {
        let endless = try Self.endless(environment: ["YTHOST_YOUTUBE_KEY": Place.mark])
        defer { endless.child.send(SIGKILL) }
        let environment = try Data(contentsOf: URL(filePath: "/proc/\(endless.worker)/environ"))
        #expect(environment.allSatisfy { $0 == 0 })
    }

    // MARK: how it ends

    /// A run of a plugin that never ends.
    private struct Endless {
        let child: Program.Child
        let worker: pid_t
        /// Where its plugin is.
        let scratch: Scratch
    }

    private static func endless(
        _ source: String = "while true do pcall(function() while true do end end) end",
        flags: [String] = [], environment: [String: String] = [:]
    ) throws -> Endless {
        let scratch = try Scratch()
        let plugin = try scratch.file("endless.lua", source)
        let child = try Program(
            Command.binary, ["run", plugin, "--budget", "cpu=none,wall=20s"] + flags, environment: environment
        ).start()
        for _ in 0..<500 {
            // A worker has one task, and runs Lua once its environment is gone and its walls stand.
            if let worker = children(of: child.process).first, isShutIn(worker) {
                return Endless(child: child, worker: worker, scratch: scratch)
            }
            usleep(10_000)
        }
        child.send(SIGKILL)
        throw Program.Failure(description: "no worker")
    }

    private static func children(of process: pid_t) -> [pid_t] {
        let text = try? String(contentsOfFile: "/proc/\(process)/task/\(process)/children", encoding: .utf8)
        return (text ?? "").split(separator: " ").compactMap { pid_t($0) }
    }

    private static func status(_ process: pid_t) -> String? {
        try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    }

    private static func isShutIn(_ process: pid_t) -> Bool { status(process)?.contains("Seccomp:\t2") == true }

    private static func isGone(_ process: pid_t, within seconds: Double) -> Bool {
        for _ in 0..<Int(seconds * 100) {
            guard let status = status(process), !status.contains("State:\tZ") else { return true }
            usleep(10_000)
        }
        return false
    }

    @Test("an interrupt ends the run and its worker within a second")
    func interrupt() throws {
        let endless = try Self.endless()
        let start = ContinuousClock.now
        endless.child.send(SIGINT)
        let run = try endless.child.finish(timeout: 5)
        #expect(run.code == 130)
        #expect(Self.isGone(endless.worker, within: 1))
        #expect(ContinuousClock.now - start < .seconds(1))
    }

    @Test("a worker does not outlive a command that is killed", arguments: [SIGKILL, SIGTERM, SIGHUP])
    func killed(signal: Int32) throws {
        let endless = try Self.endless()
        endless.child.send(signal)
        #expect(Self.isGone(endless.worker, within: 1))
        #expect(try endless.child.finish(timeout: 5).code == -signal)
    }

    @Test(
        "a crash runs no swift-backtrace of the current folder",
        arguments: [SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV], [false, true])
    func backtrace(signal: Int32, inWorker: Bool) throws {
        let scratch = try Scratch()
        for name in ["swift-backtrace", "libexec/swift/linux/swift-backtrace", "libexec/swift/swift-backtrace"] {
            let file = URL(filePath: scratch.path(name))
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data("#!/bin/sh\ntouch '\(scratch.path("ran"))'\n".utf8).write(to: file)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
        }
        // Under a bare name, as a shell starts what it finds on PATH.
        let child = try Program(
            "/bin/bash", ["-c", "exec -a ythost \"$0\" run table -", Command.binary], folder: scratch.folder
        ).start()
        var worker: pid_t?
        for _ in 0..<500 where worker == nil {
            worker = Self.children(of: child.process).first { Self.isShutIn($0) }
            usleep(10_000)
        }
        kill(inWorker ? try #require(worker) : child.process, signal)
        let run = try child.finish(timeout: 10)
        #expect(inWorker ? run.code == 6 : run.code == -signal, "\(run.code) \(run.errors)")
        #expect(!FileManager.default.fileExists(atPath: scratch.path("ran")))
    }

    @Test("a program that a plugin started does not outlive the command", arguments: [SIGINT, SIGKILL])
    func program(signal: Int32) throws {
        let endless = try Self.endless(
            "yt.exec({'sleep', '15'}, {timeout = 20})", flags: ["--allow", "exec:sleep"])
        var all: [pid_t] = []
        for _ in 0..<200 where all.count < 2 {
            all = Self.children(of: endless.child.process)
            usleep(10_000)
        }
        #expect(all.count == 2)
        endless.child.send(signal)
        for process in all + [endless.worker] { #expect(Self.isGone(process, within: 1)) }
        _ = try endless.child.finish(timeout: 5)
    }

    @Test("what such a program started does not outlive an interrupt either", arguments: [SIGINT, SIGTERM])
    func programOfProgram(signal: Int32) throws {
        let endless = try Self.endless(
            "yt.exec({'sh', '-c', 'sleep 15; true'}, {timeout = 20})", flags: ["--allow", "exec:sh"])
        var all: [pid_t] = []
        for _ in 0..<200 where all.isEmpty {
            all = Self.children(of: endless.child.process).flatMap { Self.children(of: $0) }
            usleep(10_000)
        }
        #expect(all.count == 1)
        endless.child.send(signal)
        for process in all { #expect(Self.isGone(process, within: 1)) }
        _ = try endless.child.finish(timeout: 5)
    }

    @Test("what such a program started does not outlive the wall budget either")
    func programOverWall() throws {
        let scratch = try Scratch()
        try scratch.file(
            "p.lua", "yt.exec({'sh', '-c', 'sleep 15 & echo $! >\(scratch.path("child")); wait'}, {timeout = 20})")
        let run = try Command.run(
            ["run", "./p.lua", "--allow", "exec:sh", "--budget", "wall=500ms"], in: scratch.folder)
        #expect(run.code == 6, "\(run.errors)")
        let child = try #require(
            pid_t(
                String(decoding: try Data(contentsOf: URL(filePath: scratch.path("child"))), as: UTF8.self)
                    .trimmingCharacters(in: .whitespacesAndNewlines)))
        #expect(Self.isGone(child, within: 1))
    }

    @Test(
        "a worker that dies is a clear error",
        // A debug build has handlers of its own for what a crash raises.
        arguments: [SIGKILL, SIGTERM, SIGXCPU] + (Command.isRelease ? [SIGSEGV, SIGABRT, SIGILL, SIGBUS] : []))
    func dies(signal: Int32) throws {
        let endless = try Self.endless()
        let start = ContinuousClock.now
        kill(endless.worker, signal)
        let run = try endless.child.finish(timeout: 5)
        #expect(run.code == 6, "\(run.errors)")
        #expect(run.errors.contains("the process that ran the plugins died"), "\(run.errors)")
        #expect(ContinuousClock.now - start < .seconds(1))
    }

    @Test("a worker that is stopped is killed when its time is over")
    func stopped() throws {
        let endless = try Self.endless(flags: ["--budget", "wall=1s"])
        let start = ContinuousClock.now
        kill(endless.worker, SIGSTOP)
        let run = try endless.child.finish(timeout: 10)
        #expect(run.code == 6 && run.errors.contains("wall budget"), "\(run.errors)")
        #expect(ContinuousClock.now - start < .seconds(2.5))
        #expect(Self.isGone(endless.worker, within: 1))
    }

    @Test("a plugin that hangs in C does not hide the others from the list")
    func list() throws {
        let scratch = try Scratch()
        try FileManager.default.createDirectory(
            at: scratch.folder.appending(path: "ythost/plugins"), withIntermediateDirectories: true)
        try scratch.file(
            "ythost/plugins/aaa.lua",
            """
            local lpeg = require("lpeg")
            local p = lpeg.P({lpeg.P("a") * lpeg.V(1) * "b" + lpeg.P("a") * lpeg.V(1) * "c" + "a"})
            while true do p:match(("a"):rep(60)) end
            """)
        let run = try Command.run(["plugin", "list"], environment: ["XDG_DATA_HOME": scratch.folder.path])
        #expect(run.code == 0 && run.lines.first?.contains("broken") == true, "\(run.errors)")
        #expect(run.lines.contains { $0.hasPrefix("table ") && !$0.contains("broken") }, "\(run.output)")
    }

    @Test("a run whose reader does not read ends when its time is over")
    func readerAsleep() throws {
        let scratch = try Scratch()
        let plugin = try scratch.file("flood.lua", "while true do print(('x'):rep(10000)) end")
        let start = ContinuousClock.now
        let run = try Command.shell(
            """
            mkfifo pipe; sleep 9 <pipe &
            ythost run '\(plugin)' --budget cpu=none,wall=0.5s,output=none >pipe; echo $?; kill $!
            """, in: scratch.folder)
        #expect(run.output == "6\n" && run.errors.contains("the wall budget"), "\(run.errors)")
        #expect(ContinuousClock.now - start < .seconds(3))
    }

    @Test("a run whose reader has gone ends within a second, though it writes nothing")
    func readerGone() throws {
        let scratch = try Scratch()
        let plugin = try scratch.file("spin.lua", "while true do end")
        let start = ContinuousClock.now
        let run = try Command.shell("{ ythost run '\(plugin)' --budget cpu=none,wall=9s; echo $? >&2; } | true")
        #expect(ContinuousClock.now - start < .seconds(1.5))
        #expect(run.errors.hasSuffix("0\n") || run.errors.hasSuffix("1\n"), "\(run.errors)")
    }
}

/// strace, where it is and may be used.
enum Tracer {
    static let path = Judge.find("strace") ?? "/usr/bin/strace"
    static let works = (try? Program(path, ["-f", "-o", "/dev/null", "/bin/true"]).run().code) == 0
}
