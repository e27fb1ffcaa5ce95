// Random input to everything that reads what others wrote. Each runs for a moment here; `scripts/soak fuzz` has them run
// for longer (YTHOST_FUZZ_SECONDS). The seed is in the message, so that a failure can be had again (YTHOST_FUZZ_SEED).

import Foundation
import TestSupport
import Testing

@testable import Basics
@testable import Files
@testable import Gate
@testable import HostErrors
@testable import LuaAPI
@testable import LuaRuntime
@testable import Packages
@testable import Pipeline
@testable import Sandbox
@testable import VideoModel
@testable import VideoServices
@testable import WorkerHost
@testable import YTHost

@Suite(.serialized) struct FuzzTests {
    private typealias Random = Fuzz.Random

    private static func mutate(_ bytes: [UInt8], _ random: inout Random) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let position = bytes.isEmpty ? 0 : Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0 where !bytes.isEmpty: bytes[position] = UInt8.random(in: 0...255, using: &random)
            case 1:
                bytes.insert(
                    contentsOf: [UInt8](repeating: UInt8.random(in: 0...255, using: &random), count: 3), at: position)
            case 2 where !bytes.isEmpty: bytes.removeSubrange(position..<min(position + 5, bytes.count))
            case 3: bytes.insert(contentsOf: bytes.suffix(from: position).prefix(40), at: position)
            default: bytes.swapAt(0, max(position - 1, 0))
            }
            if bytes.isEmpty { bytes = [0] }
        }
        return bytes
    }

    @Test("no arguments to any function of the API crash the host")
    func arguments() throws {
        let values = [
            "nil", "true", "0", "-1", "1/0", "0/0", "math.mininteger", "math.maxinteger", "1e308", "''", "'x'",
            "('x'):rep(3000)", "'\\xff\\xfe'", "'\\0'", "'https://youtu.be/dQw4w9WgXcQ'", "'{\"a\":[1,{}]}'",
            "'2024-07-01'",
            "{}", "{1, 2, 3}", "{a = {b = {}}}", "{[1e10] = 1, [-1] = 2}", "setmetatable({}, {__index = error})",
            "print",
            "function(...) return ... end", "coroutine.create(print)", "yt", "yt.video{id = 'a', title = 'b'}",
            "yt.json.null", "yt.parse('')", "yt.mapper{title = 'a'}",
            "yt.template('{{a.b|date}}{{title}}{{#x}}{{.}}{{/x}}')",
            "(function() local t = {} t[1] = t return t end)()",
            "{max = 1}", "{as = 'ythost'}", "{columns = 3, safe = true}", "yt.video{}.channel", "yt.video{}.extra",
            "'a[b^=c] > d:nth-child(2n+1)'", "yt.xml.parse('<a><b>e</b></a>')",
        ]
        let names = API.functions.map { function in
            switch function.owner {
            case nil: "yt." + function.path
            case .results: "yt.parse('{\"ythost\":1,\"id\":\"a\"}')." + function.name
            case .video: "yt.video{id = 'a', views = 3}." + function.name
            case .mapper: "yt.mapper{title = 'a'}." + function.name
            case .template: "yt.template('{{a}}{{#b}}{{.}}{{/b}}')." + function.name
            case .element: "yt.html.parse('<p class=a>b</p>')." + function.name
            case .thumbnail: "yt.thumbnail('dQw4w9WgXcQ')." + function.name
            case .output: "OUT." + function.name
            }
        }
        let sink = MemorySink()
        let host = try Workbench([]).host
        var request = RunRequest()
        request.budgets = .none  // a long run would spend them
        let run = try Run(request, gate: host.directGate(request, sink), isAlone: false)
        let context = try PluginContext(name: "x", path: "x.lua", folder: nil, environment: run.environment)
        let stack = context.state.stack
        stack.pushGlobals()
        stack.push(run.environment.output, as: context.types.output)
        stack.setField("OUT", of: -2)
        stack.pop()
        try Fuzz.forAWhile { random in
            let name = names.randomElement(using: &random) ?? ""
            let arguments = (0..<Int.random(in: 0...4, using: &random)).map { _ in
                values.randomElement(using: &random) ?? ""
            }
            let list = arguments.joined(separator: ", ")
            let call =
                "local ok, r = pcall(\(name)\(list.isEmpty ? "" : ", " + list)) if ok and type(r) == 'table' then pcall(function() for _ in r do break end end) end"
            try context.state.run(call, name: "fuzz \(Fuzz.seed)")
        }
    }

    @Test("no message from a worker crashes its parent")
    func messages() throws {
        let requests: [GateRequest] = [
            .search(source: "sample", query: .init(words: "x", options: [.order: .text("date")]), limit: 3, page: nil),
            .plugin(name: "rss"), .module(name: "yt.page", folder: "/x"), .readFile("a"), .writeFile("a", [1, 2]),
            .variable("HOME"), .zone("Europe/Berlin"), .execute(["a", "b"], input: [1], timeout: 1, limit: 2),
            .http(HTTPRequest(WebAddress(scheme: "http", host: "example.org"))),
            .service(source: "youtube", ServiceRequest("a/b")),
            .write([1, 2, 3]),
            .log(.info, "x"), .read(input: 3),
        ]
        var read = 0
        Fuzz.forAWhile { random in
            guard let request = requests.randomElement(using: &random) else { return }
            let message = WireMessage(request, for: "p")
            let header = Self.mutate(MessageCoding.encode(message.header), &random)
            guard let value = MessageCoding.decode(header) else { return }
            read += 1
            // What was read can be sent on as it is: nothing was made up.
            #expect(MessageCoding.encode(value) == header, "seed \(Fuzz.seed)")
            let kind = WorkerMessageKind(rawValue: UInt8.random(in: 0..<24, using: &random)) ?? message.kind
            let changed = WireMessage(kind: kind, header: value, body: message.body)
            _ = changed.request
            _ = try? changed.reply()
            _ = ErrorReport(wire: value)
            _ = PluginManifest(wire: value)
        }
        // Enough of the changed headers are still headers for the code behind them to be tried.
        #expect(read > 100, "seed \(Fuzz.seed)")
    }

    @Test("no plugin file crashes the loader")
    func plugins() throws {
        let bench = try Workbench([])
        let seeds = [
            "return { summary = 's', api = 1, options = { min = { type = 'duration', default = '1m', min = 0, max = '2h' } }, fields = {'duration'}, filter = function(v) return true end }",
            "local opt, words = yt.options{ n = {type = 'integer', default = 3, help = 'h'}, e = {type = 'enum', values = {'a'}} } print(opt.n)",
            "return { format = function(videos, out) for v in videos do out:line(v.title) end end, needs = {'search'} }",
        ]
        try Fuzz.forAWhile { random in
            let text = Self.mutate(Array((seeds.randomElement(using: &random) ?? "").utf8), &random)
            try Data(text).write(to: bench.folder.appending(path: "fuzz.lua"))
            _ = try? bench.host.manifest(of: bench.path("fuzz.lua"))
        }
    }

    @Test("no text crashes the template of --print or an expression")
    func expressions() throws {
        let seeds = [
            "{published:date}\t{title}", "{title:upper()} {channel.title}", "\\{{views / age_days}",
            "{get('likes', 0):grouped}",
        ]
        let host = try Workbench([]).host
        var request = RunRequest()
        request.budgets = .none
        let run = try Run(request, gate: host.directGate(request, MemorySink()), isAlone: false)
        try Fuzz.forAWhile { random in
            let text = String(
                decoding: Self.mutate(Array((seeds.randomElement(using: &random) ?? "").utf8), &random), as: UTF8.self)
            let context = try PluginContext(name: "--print", path: nil, folder: nil, environment: run.environment)
            let template = try? PrintTemplate(text, in: context)
            _ = try? template?.lines([Video([.title: .text("T"), .published: .integer(1), .views: .integer(3)])])
        }
    }
}
