// The command while it waits for the network: who ends it, how soon, and what is left then.

import Foundation
import Glibc
import TestSupport
import Testing
import Threads

@Suite struct NetworkTests {
    /// Answers the path after a while, except `/never`, where it waits for the client to go.
    private final class Place {
        let server: LoopbackServer
        /// How many clients went.
        let gone: Counter
        final class Counter: Sendable {
            private let number = Monitor(0)
            var count: Int { number.withLock { $0 } }
            func add() { number.withLock { $0 += 1 } }
            /// Whether so many have gone, after waiting that long for them.
            func reaches(_ wanted: Int, within seconds: Double) -> Bool {
                let end = Date(timeIntervalSinceNow: seconds)
                while count < wanted, Date() < end { usleep(5000) }
                return count >= wanted
            }
        }
        let scratch: Scratch
        let plugin: String
        var grant: String { "net:127.0.0.1:\(server.port)" }

        init(_ script: String) throws {
            let gone = Counter()
            self.gone = gone
            server = LoopbackServer { request, reply in
                if request.target == "/never" {
                    if reply.clientLeaves(within: 20) { gone.add() }
                    return reply.close()
                }
                usleep(50_000)
                reply.answer(200, [("Content-Type", "application/json")], "{\"path\": \"\(request.target)\"}")
            }
            scratch = try Scratch()
            plugin = try scratch.file(
                "net.lua", script.replacing("HERE", with: "http://127.0.0.1:\(server.port)"))
        }

        /// Starts the script, and waits until its requests are under way.
        func start(_ arguments: [String] = [], requests: Int = 1) throws -> Program.Child {
            let child = try Program(Command.binary, ["run", plugin, "--allow", grant] + arguments).start()
            let end = Date(timeIntervalSinceNow: 20)
            while server.requests.count < requests, Date() < end { usleep(5000) }
            #expect(server.requests.count >= requests)
            return child
        }
    }

    private static let waiting = """
        print("begun")
        yt.all{function() yt.http.get("HERE/never") end, function() yt.http.get("HERE/never") end}
        """

    private static func seconds(_ body: () throws -> Void) rethrows -> Double {
        let start = Date()
        try body()
        return Date().timeIntervalSince(start)
    }

    /// Processes whose parent is this one.
    private static func children(of process: pid_t) -> [pid_t] {
        let text = (try? String(contentsOfFile: "/proc/\(process)/task/\(process)/children", encoding: .utf8)) ?? ""
        return text.split(separator: " ").compactMap { pid_t($0) }
    }

    @Test("an interrupt in a slow answer ends it within 300 ms, and leaves the file and no process")
    func interrupt() throws {
        let place = try Place(Self.waiting)
        try place.scratch.file("out", "old\n")
        let child = try place.start(["-o", place.scratch.path("out")], requests: 2)
        let workers = Self.children(of: child.process)
        #expect(workers.count == 1)
        var code: Int32 = 0
        let took = try Self.seconds {
            child.send(SIGINT)
            code = try child.finish(timeout: 10).code
        }
        #expect(code == 130)
        // On a machine that has other things to do.
        #expect(took < (Command.isRelease ? 0.3 : 1), "\(took)")
        #expect(try place.scratch.text("out") == "old\n")
        #expect(place.scratch.names == ["net.lua", "out"])
        usleep(100_000)
        for worker in workers {
            let status = (try? String(contentsOfFile: "/proc/\(worker)/status", encoding: .utf8)) ?? ""
            #expect(status.isEmpty || status.contains("State:\tZ"))
        }
    }

    @Test("the wall budget ends a wait for the network")
    func wall() throws {
        let place = try Place(Self.waiting)
        var run: Program.Run?
        let took = try Self.seconds { run = try place.start(["--budget", "wall=1s"]).finish(timeout: 15) }
        #expect(run?.code == 6)
        #expect(run?.errors.contains("the wall budget of 1s is spent") == true)
        // A worker that only waits is told when its time is over, and needs no more than to end.
        #expect(took < (Command.isRelease ? 1.6 : 3), "\(took)")
    }

    @Test("a reader who goes away ends a wait for the network")
    func readerGone() throws {
        let place = try Place("print('begun') io = nil yt.http.get('HERE/never')")
        let took = try Self.seconds {
            let run = try Command.shell(
                "(ythost run '\(place.plugin)' --allow \(place.grant); echo $? >&2) | head -c 0")
            #expect(run.errors == "0\n")
        }
        #expect(took < 10, "\(took)")
    }

    @Test("a run that ends early does not wait for what is under way, and the server sees the client go")
    func leftUnderWay() throws {
        let place = try Place(
            """
            pcall(yt.map, {1, 2}, function(i)
              if i == 1 then return yt.http.get("HERE/never") end
              while true do end
            end)
            """)
        var run: Program.Run?
        let took = try Self.seconds {
            run = try place.start(["--budget", "cpu=500ms"]).finish(timeout: 15)
        }
        #expect(run?.code == 6)
        #expect(took < 5, "\(took)")
        #expect(place.gone.reaches(1, within: 2))
    }

    @Test("a script that stops reading gives up what is under way, and goes on")
    func stopsReading() throws {
        let place = try Place(
            """
            local rows = yt.parse('{"ythost":1,"id":"a"}\\n{"ythost":1,"id":"b"}')
            local stopping = rows:map(function(v)
              if v.id == "b" then
                yt.http.get("HERE/x")
                error("stop", 0)
              end
              return v
            end)
            print(pcall(yt.map, stopping, function() return yt.http.get("HERE/never") end))
            yt.log("warning", "given up")
            print(#yt.map({1, 2, 3}, function(i) return yt.http.get("HERE/" .. i) end))
            yt.http.get("HERE/never")
            """)
        let child = try place.start(["--budget", "wall=30s"])
        try child.gather(until: "given up", of: .errors, timeout: 10)
        #expect(place.gone.reaches(1, within: 2))
        while place.server.requests.count < 6 { usleep(5000) }
        child.send(SIGINT)
        let run = try child.finish(timeout: 10)
        #expect(run.code == 130)
        #expect(place.gone.reaches(2, within: 2))
    }

    @Test("a hundred requests from a worker come back each to who asked")
    func many() throws {
        let place = try Place(
            """
            local items = {}
            for i = 1, 100 do items[i] = i end
            local right = 0
            for i, o in ipairs(yt.map(items, function(i)
              local answer = yt.http.get("HERE/" .. i)
              -- The reader of JSON is opened while others are under way.
              return answer.json.path
            end, {at_once = 64})) do
              if o.value == "/" .. i then right = right + 1 end
            end
            print(right)
            """)
        let run = try Command.run(["run", place.plugin, "--allow", place.grant])
        #expect(run.output == "100\n")
        #expect(run.errors == "")
        #expect(run.code == 0)
    }

    @Test("without a grant the command says which flag gives it, and sends nothing")
    func noGrant() throws {
        let place = try Place("yt.http.get('HERE/1')")
        let run = try Command.run(["run", place.plugin])
        #expect(run.code == 6)
        #expect(
            run.errors.contains("hint: --allow \(place.grant) gives it for this run; ythost plugin allow"),
            "\(run.errors)")
        #expect(place.server.requests.isEmpty)
    }

    @Test("what a server says is no control of the terminal")
    func harmless() throws {
        let server = LoopbackServer { _, reply in
            reply.raw("HTTP/1.1 200 OK\r\nX-A: \u{1B}[31mred\r\nContent-Length: 100\r\n\r\nshort")
            reply.close()
        }
        let scratch = try Scratch()
        let plugin = try scratch.file("net.lua", "yt.http.get('http://127.0.0.1:\(server.port)/')")
        let run = try Command.run(["run", plugin, "--allow", "net:127.0.0.1:\(server.port)"])
        #expect(run.code == 4)
        #expect(run.errors.contains("the answer of 127.0.0.1 ended too early"))
        #expect(!run.errors.contains("\u{1B}"))
    }
}
