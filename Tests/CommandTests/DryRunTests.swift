// `--dry-run`: which calls a run would make, of scripts as well, what they cost together, and what cannot be known.

import Foundation
import TestSupport
import Testing

@Suite struct DryRunTests {
    @Test("a pipeline's calls and their sum, and nothing is sent or printed")
    func pipeline() throws {
        let desk = try YouTubeDesk()
        let run = try desk.run(["run", "table", "x", "--fetch", "120", "-p", "long", "--dry-run"])
        #expect(run.code == 0 && run.lines.count == 3, "\(run.output)\(run.errors)")
        #expect(run.lines[0].contains("search.list") && run.lines[0].contains("at most 3 calls"))
        #expect(run.lines[0].contains("100 of 100 left today"))
        #expect(run.lines[1].contains("videos.batchGetStats"))
        #expect(
            run.lines[2].split(separator: " ").joined(separator: " ")
                == "total at most 6 calls youtube search 3 of 100 left; youtube stats 3 of 10000 left")
        #expect(desk.server.calls.isEmpty)
        #expect(
            try Command.run(["search", "x", "--dry-run"], environment: ["HOME": "/nonexistent"]).output
                == "sample: no calls, nothing is counted\n")
    }

    @Test("without a key the feed that would be read is told")
    func feed() throws {
        let scratch = try Scratch()
        let run = try Command.run(
            ["run", "table", "--from", "channel:\(YouTubeStandIn.channelID)", "--dry-run"],
            environment: ["HOME": scratch.folder.path])
        #expect(run.code == 0, "\(run.errors)")
        #expect(
            run.lines.map { $0.split(separator: " ").joined(separator: " ") }
                == ["youtube feed 1 call channel_id=\(YouTubeStandIn.channelID)"])
    }

    @Test("a script's searches, look-ups and reads are listed with their sum, and none is told as missing")
    func script() throws {
        let desk = try YouTubeDesk()
        let script = """
            print(yt.search("x", {max = 70}):count())
            for _, o in ipairs(yt.map({"a", "b", "c"}, function(w) return yt.search(w, {max = 100}) end)) do
              print(o.ok and #o.value)
            end
            for v in yt.videos{"aaaaaaaaaaa", "bbbbbbbbbbb"} do print(v.title) end
            for v in yt.channel("@known"):uploads{max = 60} do print(v.title) end
            for v in yt.playlist("PL0123456789abcdef"):items() do print(v.title) end
            print(yt.search("x", {max = 50}):count())
            print(yt.request("youtube", "captions", {query = {part = "id", videoId = "aaaaaaaaaaa"}}).status)
            print("not reached")
            """
        let run = try desk.script(script, ["--dry-run", "--allow", "account:youtube"])
        #expect(run.code == 0 && run.errors.isEmpty, "\(run.output)\(run.errors)")
        #expect(desk.server.calls.isEmpty)
        let lines = run.lines.map { $0.split(separator: " ").joined(separator: " ") }
        let calls = lines.filter { $0.hasPrefix("youtube ") }.map { $0.split(separator: " bucket ")[0] }
        #expect(
            calls == [
                "youtube search.list at most 2 calls", "youtube search.list at most 2 calls",
                "youtube search.list at most 2 calls", "youtube search.list at most 2 calls",
                "youtube videos.list 1 call", "youtube channels.list 1 call",
                "youtube playlistItems.list at most 2 calls",
                "youtube playlists.list 1 call", "youtube playlistItems.list 1 call",
                "youtube captions 1 call of 50 units",
            ], "\(run.output)")
        #expect(
            lines.contains(
                "total at most 15 calls youtube search 8 of 100 left; youtube read 56 of 10000 left"),
            "\(run.output)")
        #expect(lines.contains { $0.hasPrefix("not known: ") && $0.contains("answers are not kept") })
        #expect(
            lines.last
                == "not known: what comes after this: nothing is asked in a dry run, and no answer to youtube captions is kept"
        )
        #expect(!run.output.contains("not reached"))
    }

    @Test("what is kept is given, so that the calls after it are known")
    func kept() throws {
        let desk = try YouTubeDesk()
        let script = """
            local ids = {}
            for v in yt.search("x", {max = 50}) do ids[#ids + 1] = v.id end
            for v in yt.videos(ids) do print(v.title) end
            """
        let before = try desk.script(script, ["--dry-run"])
        #expect(
            before.lines.count == 2 && before.lines[1].hasPrefix("not known: 1 answer is not kept"), "\(before.output)")
        #expect(try desk.script(#"print(yt.search("x", {max = 50}):count())"#).code == 0)
        desk.server.forget()
        let after = try desk.script(script, ["--dry-run"])
        let lines = after.lines.map { $0.split(separator: " ").joined(separator: " ") }
        #expect(
            lines.count == 4 && lines[0].hasPrefix("youtube search.list no call, 1 answer is kept"), "\(after.output)")
        #expect(lines[1].hasPrefix("youtube videos.list 1 call bucket read") && desk.server.calls.isEmpty)
    }

    @Test("files and programs are left alone, addresses are listed, and a mistake of the script's is one")
    func beside() throws {
        let desk = try YouTubeDesk()
        let run = try desk.script(
            """
            print(pcall(yt.http.get, "https://example.org/feed?token=secret"))
            yt.file.write("out.txt", "x")
            """, ["--dry-run", "--allow", "net:example.org", "--allow", "write:out.txt"])
        #expect(run.code == 0 && run.lines[0].contains("https://example.org/feed"), "\(run.output)\(run.errors)")
        #expect(!run.output.contains("secret"))
        #expect(!FileManager.default.fileExists(atPath: desk.scratch.path("out.txt")))
        let broken = try desk.script("local x = nil + 1", ["--dry-run"])
        #expect(broken.code == 1 && broken.output.isEmpty && broken.errors.contains("./script.lua:1"))
        #expect(try desk.script(#"yt.search("x", {after = "soon"})"#, ["--dry-run"]).code == 1)
        let short = try desk.script(
            #"for i = 1, 3 do yt.search("q" .. i, {max = 100}):count() end"#, ["--dry-run"],
            ["YTHOST_YOUTUBE_LIMITS": "search=5"])
        #expect(short.code == 0 && short.lines[3].contains("search 6 of 5 left, not enough"), "\(short.output)")
    }
}
