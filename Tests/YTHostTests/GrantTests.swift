// Files, variables and programs: nothing without a grant, nothing through a link, nothing of ythost's own.

import Foundation
import Testing

@testable import Files
@testable import Gate
@testable import HostErrors
@testable import LuaAPI
@testable import LuaRuntime
@testable import Packages
@testable import Pipeline
@testable import YTHost

@Suite final class GrantTests {
    private let bench: Workbench
    /// A folder beside the plugins', since theirs is closed.
    private let folder: URL

    init() throws {
        bench = try Workbench()
        folder = FileManager.default.temporaryDirectory.appending(path: "ythost-grants-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data("hello\r\nworld".utf8).write(to: folder.appending(path: "a.txt"))
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/link", withDestinationPath: "/etc/passwd")
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private var real: String { FileSystem.absolute(folder.path) }

    private func run(_ text: String, _ grants: String...) throws -> String {
        return try bench.run(plugin: text.replacing("HERE", with: folder.path), arguments: []) { request in
            request.grants.forThisRun = grants.compactMap { try? Grant($0.replacing("HERE", with: folder.path)) }
        }.text
    }

    private func failure(_ text: String, _ grants: String...) throws -> ErrorReport {
        return try bench.failure(plugin: text.replacing("HERE", with: folder.path), arguments: []) { request in
            request.grants.forThisRun = grants.compactMap { try? Grant($0.replacing("HERE", with: folder.path)) }
        }
    }

    @Test(
        "a file is read with the grant of the file, or of a folder above it",
        arguments: ["read:HERE/a.txt", "read:HERE"])
    func read(grant: String) throws {
        #expect(try run("print(yt.file.read('HERE/a.txt'))", grant) == "hello\r\nworld\n")
    }

    @Test("lines come without their ends")
    func lines() throws {
        #expect(
            try run("for l in yt.file.lines('HERE/a.txt') do print(#l, l) end", "read:HERE") == "5\thello\n5\tworld\n")
    }

    @Test(
        "without the grant it is refused with the flag that would give it",
        arguments: [
            ("yt.file.read('HERE/a.txt')", "read:HERE/a.txt", "write:HERE"),
            ("yt.file.write('HERE/b.txt', 'x')", "write:HERE/b.txt", "read:HERE"),
            ("yt.env('HOME')", "env:HOME", "env:PATH"), ("yt.exec({'true'})", "exec:", "exec:false"),
        ])
    func refused(call: String, wanted: String, other: String) throws {
        let report = try failure(call, other)
        #expect(report.code == .refused)
        #expect(report.hint?.contains("--allow " + wanted.replacing("HERE", with: real)) == true, "\(report)")
    }

    @Test("a neighbour with the same beginning is not covered, and dots lead nowhere")
    func neighbours() throws {
        #expect(try failure("yt.file.read('HERE/a.txt')", "read:HERE/a").code == .refused)
        #expect(try failure("yt.file.read('HERE/../../etc/passwd')", "read:HERE").code == .refused)
    }

    @Test("a link out of a granted folder is followed before it is checked")
    func links() throws {
        let report = try failure("yt.file.read('HERE/link')", "read:HERE")
        #expect(report.code == .refused && report.message.contains("read:/etc/passwd"))
        #expect(try failure("yt.file.write('HERE/link', 'x')", "write:HERE").code == .refused)
    }

    @Test("a written file is whole, and a refused one is not there")
    func write() throws {
        #expect(
            try run(
                "yt.file.write('HERE/b.txt', 'a\\0b') print(#yt.file.read('HERE/b.txt'))", "write:HERE", "read:HERE")
                == "3\n")
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/c.txt"))
    }

    @Test("plugins' own folders, settings and ythost's variables are closed to every grant")
    func closed() throws {
        #expect(try failure("yt.file.read('\(bench.path("mine.lua"))')", "read:/").message.contains("refused"))
        #expect(try failure("yt.file.write('\(bench.path("x.lua"))', '')", "write:/").code == .refused)
        #expect(try failure("yt.env('YTHOST_YOUTUBE_KEY')", "env:YTHOST_YOUTUBE_KEY").code == .refused)
        #expect(throws: HostError.self) { try Grant("env:ythost_key") }
    }

    @Test(
        "a grant that is written wrong is a usage error that says how",
        arguments: ["reed:x", "read", "read:", "search:x", ""])
    func syntax(text: String) {
        let error = #expect(throws: HostError.self) { try Grant(text) }
        #expect(error?.report?.code == .usage)
    }

    @Test("a program gets its arguments and input, no shell and an empty environment")
    func exec() throws {
        let text = """
            local r = yt.exec({"sh", "-c", "cat; echo $1; echo e >&2; exit 3", "sh", "$(id) ;x"}, {input = "in|"})
            print(r.status, r.output, r.errors, r.killed)
            print((yt.exec({"env"}).output:gsub("\\n", " ")))
            """
        #expect(
            try run(text, "exec:sh", "exec:env")
                == "3\tin|$(id) ;x\n\te\n\tnil\nPATH=/usr/local/bin:/usr/bin:/bin LANG=C.UTF-8 HOME=/nonexistent \n")
    }

    @Test(
        "a program is killed when it takes too long or says too much, with what it started",
        arguments: [
            ("{'sh', '-c', 'sleep 30 & sleep 30'}, {timeout = 1}", "its time"),
            ("{'sh', '-c', 'exec >&- 2>&-; sleep 30'}, {timeout = 1}", "its time"),
            ("{'yes'}, {max = 1000}", "it wrote more"),
        ])
    func bounded(arguments: String, reason: String) throws {
        let start = ContinuousClock.now
        let text = try run("print(yt.exec(\(arguments)).killed)", "exec:sh", "exec:yes")
        #expect(text.hasPrefix(reason))
        #expect(ContinuousClock.now - start < .seconds(10))
    }

    @Test("a program that does not exist, and an empty list, are errors")
    func noProgram() throws {
        #expect(try failure("yt.exec({'no-such-program'})", "exec:no-such-program").message.contains("no-such-program"))
        #expect(try failure("yt.exec({})", "exec:sh").message.contains("empty"))
    }

    @Test("grants for good hold until a byte of the plugin or of a module beside it changes")
    func kept() throws {
        let book = GrantBook(file: folder.path + "/data/grants.json")
        try bench.write("p/mine.lua", "print(yt.file.read('\(folder.path)/a.txt'))")
        try bench.write("p/lib/helper.lua", "return 1")
        let host = bench.host
        func runs() throws -> Bool {
            var request = RunRequest()
            request.plugin = bench.path("p/mine.lua")
            request.grants = book
            do throws(HostError) {
                _ = try host.run(request, to: MemorySink())
                return true
            } catch {
                guard case .grantMissing = error else { throw error }
                return false
            }
        }
        #expect(try !runs())
        try book.allow(
            [try Grant("read:\(folder.path)/a.txt")], to: try host.locator.find(bench.path("p/mine.lua")), forbidden: []
        )
        #expect(try runs())
        let mode =
            try FileManager.default.attributesOfItem(atPath: folder.path + "/data/grants.json")[.posixPermissions]
            as? Int
        #expect(mode == 0o600)
        try bench.write("p/lib/helper.lua", "return 2")
        #expect(try !runs())
        try bench.write("p/lib/helper.lua", "return 1")
        #expect(try runs())
        try bench.write("p/mine.lua", "print(yt.file.read('\(folder.path)/a.txt')) ")
        #expect(try !runs())
    }

    @Test("a link that took a file's place after the check is not read")
    func swapped() throws {
        let secret = folder.appending(path: "secret.txt").path
        try Data("secret".utf8).write(to: URL(filePath: secret))
        let path = try #require(SystemAccess.resolved(folder.path)) + "/swapped.txt"
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: secret)
        #expect(throws: HostError.self) { try SystemAccess.read(path) }
    }

    @Test("code from the command line needs grants like a plugin, and keys have none")
    func commandLine() throws {
        func run(_ expression: String, allowing grants: [Grant] = []) throws {
            var request = RunRequest()
            request.arguments = ["programming"]
            request.stages = [.keep(expression: expression)]
            request.grants.forThisRun = grants
            _ = try bench.host.run(request, to: MemorySink())
        }
        #expect(throws: HostError.self) { try run("yt.env('HOME')") }
        try run("yt.env('HOME')", allowing: [.env("HOME")])
        #expect(throws: HostError.self) { try run("yt.env('YTHOST_KEY')", allowing: [.env("YTHOST_KEY")]) }
    }

    @Test("every function that reaches outside names its grant")
    func declared() throws {
        // Each function is called by its example under a gate that notes what it is asked.
        for function in API.functions {
            let gate = NotingGate()
            let run = try Run(RunRequest(), gate: gate, isAlone: false)
            let context = try PluginContext(name: "x", path: "x.lua", folder: nil, environment: run.environment)
            _ = try? context.state.call(try context.load(Array(function.example.utf8), name: "x.lua"))
            for grant in gate.grants {
                #expect(
                    function.grant.map { $0.rawValue.prefix { $0 != ":" } } == grant.description.prefix { $0 != ":" },
                    "\(function.displayName) asks for \(grant)")
            }
        }
    }

    /// Notes the grants that requests need, and answers nothing.
    private final class NotingGate: Gate {
        var grants: [Grant] = []
        func ask(_ request: GateRequest, for plugin: String?) throws(HostError) -> GateReply {
            if let grant = request.grant { grants.append(grant) }
            return .done
        }
        func start(_ request: GateRequest, for plugin: String?) throws(HostError) -> GateTicket {
            _ = try ask(request, for: plugin)
            return GateTicket(number: 1)
        }
        func wait(for tickets: Set<GateTicket>) -> (GateTicket, Result<GateReply, HostError>) {
            (GateTicket(number: 1), .success(.done))
        }
        func isDone(_ ticket: GateTicket) -> Bool { true }
        func abandon(_ ticket: GateTicket) {}
        func isReadable(input: Int) -> Bool { true }
    }
}
