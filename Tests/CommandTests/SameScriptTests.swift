// The same plugins over stand-ins of three services: same rules, same columns, and no word of a service in Lua.

import Foundation
import TestSupport
import Testing

@Suite struct SameScriptTests {
    /// The three services and a home folder.
    private final class Desk {
        let youtube = YouTubeStandIn()
        let vimeo = VimeoStandIn()
        let peertube = PeerTubeStandIn()
        let scratch: Scratch

        init() throws {
            scratch = try Scratch()
            try scratch.file(
                "between.lua",
                """
                return {
                  summary = "Keep videos between two lengths", fields = {"duration"},
                  options = {
                    min = {type = "duration", default = "5m", help = "the shortest"},
                    max = {type = "duration", default = "20m", help = "the longest"},
                  },
                  filter = function(v, opt) return v.duration and v.duration >= opt.min and v.duration <= opt.max end,
                }
                """)
            try scratch.file(
                "seen.lua",
                """
                return {
                  summary = "Most seen first", fields = {"views", "duration"},
                  score = function(v) return v.views and v.views / math.max(v.duration or 1, 1) + v.views end,
                }
                """)
        }

        deinit {
            youtube.stop()
            vimeo.stop()
            peertube.stop()
        }

        func run(_ arguments: [String]) throws -> Program.Run {
            try Command.run(
                arguments,
                environment: [
                    "HOME": scratch.path("home"), "no_proxy": "127.0.0.1", "YTHOST_YOUTUBE_URL": youtube.url,
                    "YTHOST_YOUTUBE_KEY": YouTubeStandIn.key, "YTHOST_VIMEO_URL": vimeo.url,
                    "YTHOST_VIMEO_TOKEN": VimeoStandIn.ownToken, "YTHOST_PEERTUBE_URL": peertube.url,
                ], in: scratch.folder)
        }
    }

    private static let services = ["youtube", "vimeo", "peertube"]

    @Test("a filter by length and a score by views give the same rows of each service")
    func rows() throws {
        let desk = try Desk()
        var columns: [String: [String]] = [:]
        for source in Self.services {
            let run = try desk.run([
                "run", "csv", "lua", "--source", source, "--fetch", "60", "-p", "./between.lua:min=5m,max=20m", "-p",
                "./seen.lua", "--columns", "duration,views,published",
            ])
            #expect(run.code == 0, "\(source): \(run.errors)")
            columns[source] = run.lines
        }
        let youtube = try #require(columns["youtube"])
        #expect(youtube.count == 17 && youtube[1].hasPrefix("1200,200,2024-01-01"), "\(youtube)")
        #expect(columns["peertube"] == youtube)
        // Of each fourth video Vimeo's stand-in does not tell how often it was seen: those come last, and nothing else differs.
        let vimeo = try #require(columns["vimeo"])
        #expect(vimeo.count == 17 && vimeo[0] == youtube[0])
        let known = vimeo.filter { !$0.contains(",,") }
        #expect(known == youtube.filter { line in known.contains(line) } && known.count == 13)
        #expect(vimeo.suffix(4).allSatisfy { $0.contains(",,") })
    }

    @Test("a feed of each service has the same members for every item")
    func feeds() throws {
        let desk = try Desk()
        for source in Self.services {
            let run = try desk.run([
                "run", "rss", "lua", "--source", source, "--fetch", "60", "-p", "./between.lua", "--take", "5",
            ])
            #expect(run.code == 0, "\(source): \(run.errors)")
            let text = run.output
            func count(_ tag: String) -> Int { text.components(separatedBy: "<\(tag)").count - 1 }
            #expect(count("item>") == 5 && count("guid ") == 5 && count("pubDate>") == 5, "\(source): \(text)")
            #expect(count("title>") >= 6 && text.contains("&amp;"))
            #expect(
                text.contains(#"<guid isPermaLink="false">\#(source == "youtube" ? "yt" : source):video:"#), "\(text)")
        }
    }

    @Test("a page that no service named is refused, however large")
    func madeUpPages() throws {
        let desk = try Desk()
        for source in ["vimeo", "peertube"] {
            for page in ["-5", "x", "", "9223372036854775807", "99999999999999999999"] {
                try desk.scratch.file(
                    "script.lua", #"print(pcall(function() return yt.search("x", {page = "\#(page)"}):first() end))"#)
                let run = try desk.run(["run", "./script.lua", "--source", source])
                #expect(run.code == 0 && run.output.contains("names no page"), "\(source) \(page): \(run.errors)")
            }
        }
        #expect(desk.vimeo.calls.isEmpty && desk.peertube.targets.isEmpty)
    }

    @Test("a script that searches knows nothing of services")
    func script() throws {
        let desk = try Desk()
        try desk.scratch.file(
            "script.lua",
            """
            local kept = yt.search("lua", {max = 30}):enrich{"duration"}:filter(function(v) return v:get("duration", 0) > 600 end)
            for v in kept:sort_by("duration", "desc"):take(3) do
              print(v.duration, v.published, v.channel.title ~= nil or v.provider, v.kind)
            end
            """)
        var outputs: [[String]] = []
        for source in Self.services {
            let run = try desk.run(["run", "./script.lua", "--source", source])
            #expect(run.code == 0 && run.lines.count == 3, "\(source): \(run.errors)")
            outputs.append(run.lines.map { $0.split(separator: "\t").prefix(2).joined(separator: " ") })
        }
        #expect(outputs == Array(repeating: ["1740 1704067200", "1680 1704067200", "1620 1704067200"], count: 3))
    }
}
