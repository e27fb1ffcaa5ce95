// Fields that a search does not tell, read in every way from records of every source: the right rows, with the fewest
// calls.

import Foundation
import TestSupport
import Testing

@Suite struct LookUpByNeedTests {
    /// A place that records come from, with a script's expression for the same.
    struct Source: Sendable, CustomTestStringConvertible {
        let name: String
        /// Words of the command line; nil for scripts alone.
        let words: [String]?
        let script: String?
        /// What was asked before any look-up.
        var calls = ["search"]
        var testDescription: String { name }

        static let list = "PL0123456789abcdef"
        static let parsed = #"{"ythost":1,"provider":"youtube","id":"\#(YouTubeStandIn.id(49))"}"#

        static let all = [
            Source(name: "search", words: ["x", "--source", "youtube"], script: #"yt.search("x", {max = 50})"#),
            Source(
                name: "playlist", words: ["--from", "playlist:\(list)", "--fetch", "50"],
                script: #"yt.playlist("\#(list)"):items{max = 50}"#, calls: ["playlistItems"]),
            Source(name: "searching plugin", words: ["-p", "plugins/finds.lua"], script: nil),
            Source(name: "plugin that makes records", words: ["-p", "plugins/makes.lua"], script: nil, calls: []),
            Source(
                name: "merge", words: nil,
                script: #"yt.merge{yt.search("x", {max = 50}), yt.search("y", {max = 50})}"#,
                calls: ["search", "search"]),
            Source(
                name: "pipe with --look-up", words: ["-", "--look-up"],
                script: "yt.parse('\(parsed)')", calls: []),
        ]
    }

    /// A way to read the duration of records longer than 48 minutes: the last of 50.
    static let readers: [(name: String, words: [String], isScript: Bool)] = [
        ("plugin with fields", ["-p", "plugins/declared.lua", "--print", "{id}"], false),
        ("plugin without fields", ["-p", "plugins/undeclared.lua", "--print", "{id}"], false),
        ("score", ["-p", "plugins/longest.lua", "--take", "1", "--print", "{id}"], false),
        ("--where", ["--where", "duration > 48m", "--print", "{id}"], false),
        ("--by", ["--by", "duration", "--take", "1", "--print", "{id}"], false),
        ("--print", ["--print", "{duration > 2880 and id or ''}"], false),
        ("script", ["--look-up"], true),
    ]

    @Test("the duration is looked up once, wherever records come from and whatever reads it", arguments: Source.all)
    func matrix(source: Source) throws {
        let desk = try YouTubeDesk()
        let filter = "filter = function(v) return v.duration ~= nil and v.duration > 2880 end"
        try desk.plugin("declared", "return { fields = {'duration'}, \(filter) }")
        try desk.plugin("undeclared", "return { \(filter) }")
        try desk.plugin("all", "return { filter = function() return true end }")
        try desk.plugin("longest", "return { score = function(v) return v.duration end }")
        try desk.plugin(
            "finds", "return { search = function() return yt.search('x', {max = 50}) end }")
        try desk.plugin(
            "makes",
            """
            return { search = function()
              local made = {}
              for i = 0, 49 do made[#made + 1] = { provider = 'youtube', id = ('v'):rep(11 - #tostring(i)) .. i } end
              return made
            end }
            """)
        let piped = (0..<50).map { #"{"ythost":1,"provider":"youtube","id":"\#(YouTubeStandIn.id($0))"}"# }
        for reader in Self.readers {
            desk.server.forget()
            let run: Program.Run
            if reader.isScript {
                guard let script = source.script else { continue }
                try desk.scratch.file(
                    "s.lua", "for v in \(script) do if v.duration and v.duration > 2880 then print(v.id) end end")
                run = try desk.run(["run", "s.lua", "--fresh", "--cache", "network-only"] + reader.words)
            } else {
                guard let words = source.words else { continue }
                run = try desk.run(
                    ["run", "plugins/all.lua"] + words + reader.words + ["--cache", "network-only"],
                    input: piped.joined(separator: "\n") + "\n")
            }
            #expect(run.code == 0, "\(reader.name): \(run.errors)")
            #expect(run.lines.filter { !$0.isEmpty && $0 != "-" } == [YouTubeStandIn.id(49)], "\(reader.name)")
            let calls = desk.server.calls.map(\.path)
            let lookUps = calls.filter { $0.hasPrefix("videos") }
            #expect(lookUps.count == 1, "\(reader.name): \(calls)")
            let others = calls.filter { !$0.hasPrefix("videos") && $0 != "playlists" }
            #expect(others == source.calls, "\(reader.name): \(calls)")
        }
    }

    @Test("records that were only read are not looked up, and what was dropped says what that would cost")
    func read() throws {
        let desk = try YouTubeDesk()
        let piped = (0..<120).map { #"{"ythost":1,"provider":"youtube","id":"\#(YouTubeStandIn.id($0))"}"# }
        let run = try desk.run(
            ["parse", "-", "--where", "duration > 20m"], input: piped.joined(separator: "\n") + "\n")
        #expect(run.lines.isEmpty && desk.server.calls.isEmpty)
        #expect(
            run.errors.hasPrefix(
                "ythost: --where dropped 120 videos whose duration is unknown; --look-up asks youtube (3 calls)\n"),
            "\(run.errors)")
    }

    @Test("what a format does not show costs no call", arguments: ["ids", "urls", "jsonl"])
    func formats(format: String) throws {
        let desk = try YouTubeDesk()
        #expect(try desk.run(["run", format, "x"]).code == 0)
        #expect(desk.server.calls.map(\.path) == ["search"])
    }

    @Test("several fields are one call, hinted or not")
    func fields() throws {
        let desk = try YouTubeDesk()
        let run = try desk.run(
            ["search", "x", "--where", "views > 480", "--by", "duration", "--print", "{id} {views} {definition}"])
        #expect(run.lines == ["\(YouTubeStandIn.id(49)) 490 -"], "\(run.errors)")
        #expect(desk.server.calls.map(\.path) == ["search", "videos"])
        desk.server.forget()
        let script = "for v in yt.search('y', {max = 50}) do local _ = v.duration, v.views, v.likes, v.description end"
        try desk.scratch.file("s.lua", script)
        #expect(try desk.run(["run", "s.lua"]).code == 0)
        #expect(desk.server.calls.map(\.path) == ["search", "videos"])
    }

    @Test("stages run in the order of the command line, and --take is last")
    func order() throws {
        let desk = try YouTubeDesk()
        try desk.plugin("two", "return { rank = function(list) return {list[1], list[2]} end }")
        func ids(_ words: String...) throws -> [String] {
            let run = try desk.run(
                ["search", "x"] + words + ["--print", "{id}"])
            #expect(run.code == 0, "\(run.errors)")
            return run.lines
        }
        let long = ["--where", "duration > 30m"]
        #expect(try ids("-p", "plugins/two.lua", long[0], long[1]) == [])
        #expect(try ids(long[0], long[1], "-p", "plugins/two.lua") == [YouTubeStandIn.id(31), YouTubeStandIn.id(32)])
        #expect(try ids("--take", "1", "--by", "duration") == [YouTubeStandIn.id(49)])
        #expect(
            try ids("--by", "duration", "-p", "plugins/two.lua", "--by", "-duration").map { $0 }
                == [48, 49].map(YouTubeStandIn.id))
    }

    @Test("an order without a value for any row says so")
    func noOrder() throws {
        let desk = try YouTubeDesk()
        let run = try desk.run(["search", "x", "--by", "starts", "--print", "{id}", "--fetch", "20"])
        #expect(run.lines.count == 20 && run.errors == "ythost: --by has no value for any of 20 videos\n")
    }
}

extension YouTubeDesk {
    /// Writes a plugin of the working folder.
    fileprivate func plugin(_ name: String, _ text: String) throws {
        try FileManager.default.createDirectory(
            atPath: scratch.path("plugins"), withIntermediateDirectories: true)
        try scratch.file("plugins/\(name).lua", text)
    }
}
