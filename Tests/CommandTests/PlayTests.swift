// `play`, `yt.action`, answers, and the shipped sources in Lua, from the command line, against servers and programs that
// the tests make.

import Foundation
import TestSupport
import Testing

@Suite struct PlayTests {
    /// A folder with programs that say how they were called.
    private func programs(_ desk: OriginDesk, _ names: String...) throws -> String {
        let folder = desk.scratch.folder.appending(path: "bin")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for name in names {
            let path = folder.appending(path: name)
            try Data("#!/bin/sh\necho \"\(name) got: $*\"\nenv | cut -d= -f1 | sort\n".utf8).write(to: path)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path.path)
        }
        return folder.path + ":/usr/bin:/bin"
    }

    @Test("play prints the path of a page that leads to the first video, and makes the same page for the same words")
    func page() throws {
        let desk = try OriginDesk()
        let run = try desk.run(["play", "play", "programming"])
        let path = run.lines.last ?? ""
        #expect(run.code == 0 && path.hasSuffix("/.cache/ythost/player/programming.html"), "\(run.errors)")
        let page = try String(contentsOfFile: path, encoding: .utf8)
        #expect(page.contains("https://www.youtube.com/watch?v=") && page.contains("default-src &#39;none&#39;"))
        #expect(page.components(separatedBy: "class=\"play\"").count == 2)
        #expect(try desk.run(["play", "programming"]).lines == run.lines)
        let other = try desk.run(["play", "programming", "--take", "3", "-o", "p.html"])
        #expect(other.lines == ["p.html"])
        #expect(try desk.scratch.text("p.html").components(separatedBy: "class=\"play\"").count == 4)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect((attributes[.posixPermissions] as? Int) == 0o600)
    }

    @Test("what a file has that is not played is told, with the reason, and how to play more")
    func leftOut() throws {
        let desk = try OriginDesk()
        func record(_ id: String, _ rest: String = "") -> String {
            #"{"ythost":1,"provider":"youtube","id":"\#(id)"\#(rest)}"# + "\n"
        }
        let lines =
            record("aaaaaaaaaa0", #","availability":"private""#) + record("aaaaaaaaaa1", #","availability":"removed""#)
            + record("PLabcdefghijklmnop", #","kind":"playlist""#)
            + record("aaaaaaaaaa2", #","availability":"private""#)
            + record("aaaaaaaaaa3") + record("aaaaaaaaaa4")
        try desk.scratch.file("in.jsonl", lines)
        let run = try desk.run(["play", "-i", "in.jsonl", "-o", "p.html"])
        #expect(run.code == 0, "\(run.errors)")
        for told in [
            "left out 2: private", "left out 1: removed", "left out 1: no video but a playlist",
            "only the first video is played; --take N plays more",
        ] {
            #expect(run.errors.contains(told), "\(run.errors)")
        }
        let more = try desk.run(["play", "-i", "in.jsonl", "-o", "p.html", "--take", "5"])
        #expect(more.code == 0 && !more.errors.contains("--take N") && more.errors.contains("left out 2: private"))
        #expect(try desk.scratch.text("p.html").components(separatedBy: "class=\"play\"").count == 3)
        try desk.scratch.file("none.jsonl", record("aaaaaaaaaa0", #","availability":"deleted""#))
        let none = try desk.run(["play", "-i", "none.jsonl", "-o", "p.html"])
        #expect(none.code == 7 && none.errors.contains("left out 1: deleted"), "\(none.errors)")
    }

    @Test("several addresses are a queue, and a page that goes where it is asked for is as readable as any file")
    func queue() throws {
        let desk = try OriginDesk()
        let words = ["https://youtu.be/dQw4w9WgXcQ?t=5", "https://vimeo.com/76979871", "https://youtu.be/jNQXAC9IVRw"]
        let run = try desk.run(["play"] + words + ["-o", "p.html"])
        #expect(run.code == 0 && run.errors == "", "\(run.errors)")
        #expect(try desk.scratch.text("p.html").components(separatedBy: "class=\"play\"").count == 4)
        let mode = try FileManager.default.attributesOfItem(atPath: desk.scratch.path("p.html"))[.posixPermissions]
        #expect((mode as? Int).map { $0 & 0o400 == 0o400 && $0 != 0o600 } == true)
        let one = try desk.run(["play"] + words + ["-o", "p.html", "--take", "1"])
        #expect(one.code == 0)
        #expect(try desk.scratch.text("p.html").components(separatedBy: "class=\"play\"").count == 2)
        let search = try desk.run(["play"] + words + ["-o", "p.html", "--channel", "x"])
        #expect(search.code == 2 && search.errors.contains("is about a search"), "\(search.errors)")
    }

    @Test(
        "--with hands addresses to a program behind --, --open the page to the browser; neither gets more than it needs"
    )
    func handsOver() throws {
        let desk = try OriginDesk()
        let environment = [
            "PATH": try programs(desk, "mpv", "xdg-open"), "YTHOST_SECRET": "x", "API_TOKEN": "y", "DISPLAY": ":9",
            "LC_ALL": "C",
        ]
        let mpv = try desk.run(["play", "programming", "--with", "mpv", "--take", "2"], environment)
        #expect(mpv.code == 0 && mpv.lines.first?.hasPrefix("mpv got: -- https://www.youtube.com/watch?v=") == true)
        #expect(mpv.lines.first?.components(separatedBy: "https://").count == 3)
        #expect(mpv.lines.contains("DISPLAY") && mpv.lines.contains("LC_ALL"))
        #expect(!mpv.output.contains("TOKEN") && !mpv.output.contains("SECRET"))
        let open = try desk.run(["play", "programming", "--open"], environment)
        #expect(open.code == 0 && open.lines.count > 2)
        #expect(open.lines[1] == "xdg-open got: \(open.lines[0])", "\(open.errors)")
    }

    @Test(
        "what cannot be played is told before anything is searched, or that nothing was found",
        arguments: [
            (["--with", "no-such-player"], 2, "no program 'no-such-player'"),
            (["--open", "--with", "sh"], 2, "--open"),
            (["zzzzqqqq", "xxxxyyyy"], 7, "nothing matched"),
        ] as [([String], Int32, String)])
    func refused(words: [String], code: Int32, error: String) throws {
        let desk = try OriginDesk()
        let run = try desk.run(["play"] + (words[0].hasPrefix("-") ? ["programming"] : []) + words)
        #expect(run.code == code && run.errors.contains(error), "\(run.errors)")
        #expect(run.output == "")
    }

    @Test("a channel that comes first is not played, and what a hostile record says is text")
    func firstVideo() throws {
        let desk = try OriginDesk()
        try desk.scratch.file(
            "source.lua",
            """
            return { summary = "x", search = function() return {
              yt.video{provider = "youtube", kind = "channel", id = "UC_x5XG1OV2P6uZZ5FSM9Ttw", title = "Channel"},
              yt.video{provider = "x", id = "1", title = "No address"},
              yt.video{provider = "x", id = "2", title = "Bad", url = "javascript:alert(1)"},
              yt.video{provider = "x", id = "3", title = "<script>alert(1)</script>", url = "https://x.example/?a=1&b=\\"2"},
            } end }
            """)
        let run = try desk.run(["play", "x", "-p", "./source.lua"])
        let page = try String(contentsOfFile: run.lines.last ?? "", encoding: .utf8)
        #expect(page.contains("&lt;script&gt;") && !page.contains("<script>alert") && !page.contains("javascript:"))
        #expect(page.contains("href=\"https://x.example/?a=1&amp;b="))
    }

    @Test("actions are in the words of chat replies")
    func actions() throws {
        let desk = try OriginDesk()
        try desk.scratch.file(
            "s.lua",
            """
            for _, text in ipairs{"play programming", "display settings", "play", "play zzzzqqqq", " ",
              "play https://youtu.be/dQw4w9WgXcQ", "play https://framatube.org/w/kmtJJ4jnGmKD6v9JV99Wf4"} do
              local action, video = yt.action(text)
              print(action.type, action.identifier_type, video and #action.identifier, action.query or action.expression)
            end
            local both = yt.all{function() return yt.action("play python") end, function() return yt.action("play lua") end}
            print(both[1].ok, both[2].ok)
            """)
        let run = try desk.run(["run", "./s.lua"])
        #expect(
            run.lines == [
                "video_play\tyoutube\t11\tnil", "websearch\tnil\tnil\tdisplay settings",
                "answer\tnil\tnil\tsay what to play, such as: play kygo firestone",
                "answer\tnil\tnil\tno video was found for 'zzzzqqqq'", "answer\tnil\tnil\tthere is nothing to answer",
                "video_play\tyoutube\t11\tnil", "video_play\turl\t46\tnil", "true\ttrue",
            ], "\(run.errors)")
    }

    @Test("an address or id is played without a search, from where it says")
    func named() throws {
        let desk = try OriginDesk()
        try desk.scratch.file(
            "s.lua",
            """
            for _, text in ipairs{"play https://youtu.be/dQw4w9WgXcQ?t=42", "https://youtu.be/dQw4w9WgXcQ?t=1m&end=90",
              "play dQw4w9WgXcQ", "play https://vimeo.com/76979871#t=5s", "play https://files.example/a.mp4"} do
              local action, video = yt.action(text)
              print(action.type, action.identifier_type, action.identifier, action.start, action.finish, video.url)
            end
            print(yt.action("play programming").type, yt.action("https://files.example/").query)
            """)
        let run = try desk.run(["run", "./s.lua"])
        let watch = "https://www.youtube.com/watch?v=dQw4w9WgXcQ"
        #expect(
            run.lines == [
                "video_play\tyoutube\tdQw4w9WgXcQ\t42\tnil\t\(watch)&t=42s",
                "video_play\tyoutube\tdQw4w9WgXcQ\t60\t90\t\(watch)&t=60s&end=90",
                "video_play\tyoutube\tdQw4w9WgXcQ\tnil\tnil\t\(watch)",
                "video_play\turl\thttps://vimeo.com/76979871#t=5s\t5\tnil\thttps://vimeo.com/76979871#t=5s",
                "video_play\turl\thttps://files.example/a.mp4\tnil\tnil\thttps://files.example/a.mp4",
                "video_play\thttps://files.example/",
            ], "\(run.errors)")
        let played = try desk.run(["play", "play https://youtu.be/dQw4w9WgXcQ?t=42"])
        let page = try String(contentsOfFile: played.lines.last ?? "", encoding: .utf8)
        #expect(page.contains("/embed/dQw4w9WgXcQ?") && page.contains("start=42") && page.contains("&amp;t=42s"))
        let environment = ["PATH": try programs(desk, "mpv")]
        let mpv = try desk.run(["play", "https://youtu.be/dQw4w9WgXcQ?t=42", "--with", "mpv"], environment)
        #expect(mpv.lines.first == "mpv got: -- \(watch)&t=42s", "\(mpv.errors)")
        let unknown = try desk.run(["play", "dQw4w9WgXcQ", "-p", "long"])
        #expect(unknown.code == 7 && unknown.errors.contains("duration"), "\(unknown.errors)")
        let idle = try desk.run(["play", "dQw4w9WgXcQ", "--order", "date"])
        #expect(idle.code == 2 && idle.errors.contains("--order is about a search"), "\(idle.errors)")
    }

    // MARK: answers, and sources in Lua

    private func chat() throws -> OriginDesk {
        try OriginDesk { request, reply in
            switch request.target.prefix(while: { $0 != "?" }) {
            case "/susi/chat.json":
                if request.target.contains("q=bad") {
                    reply.answer(200, [], "{\"answers\":[{}]}")
                    return true
                }
                if request.target.contains("q=odd") {
                    reply.answer(
                        200, [],
                        """
                        {"query":"odd","answers":[{"data":[{"title":"One"}],"actions":[{"type":"rss","title":"title","link":"l",
                        "count":-7},{"type":"rss","count":99},{"type":"video_play"},{"type":"table"},{"type":"websearch"},
                        {"type":"moonwalk","x":1},{"type":"answer","expression":"Odd"},{}]}]}
                        """)
                    return true
                }
                if request.target.contains("q=shown") {
                    reply.answer(
                        200, [],
                        """
                        {"answers":[{"data":[{"n":"Lua","y":1993},{"n":"Swift","y":2014,"x":[1]},{"n":""}],"actions":[
                        {"type":"table","columns":{"n":"Name","y":"Year"},"count":-1},{"type":"table","columns":["y"],
                        "count":1},{"type":"map","latitude":"52.52","longitude":"13.4","zoom":"13"},{"type":"map"},
                        {"type":"table","columns":5}]}]}
                        """)
                    return true
                }
                reply.answer(
                    200, [],
                    """
                    {"query":"q","answers":[{"data":[{"t":"Row one","l":"https://x.example/1"},{"t":"Row two"}],"actions":[
                    {"type":"answer","expression":"Said"},{"type":"rss","title":"t","link":"l","count":-1},
                    {"type":"websearch","query":"lua"},{"type":"pause"},
                    {"type":"video_play","identifier":"dQw4w9WgXcQ","identifier_type":"youtube"}]}]}
                    """)
            case "/ddg":
                if !request.target.contains("q=lua") {
                    reply.answer(
                        200, [],
                        #"{"Heading":"","AbstractText":"","RelatedTopics":[],"Results":[],"Type":"","Image":""}"#)
                    return true
                }
                reply.answer(
                    200, [("Content-Type", "application/x-javascript")],
                    """
                    {"Heading":"Lua","AbstractText":"A language.","AbstractSource":"W","AbstractURL":"https://w.example/",
                    "RelatedTopics":[],"Results":[],"Type":"A"}
                    """)
            case "/advancedsearch.php":
                reply.answer(
                    200, [],
                    """
                    {"response":{"docs":[{"identifier":"night_1","title":"Night","creator":"A","date":"1968-10-01T00:00:00Z",
                    "downloads":12},{"identifier":"b c","title":"B"}]}}
                    """)
            default: return false
            }
            return true
        }
    }

    private func run(_ desk: OriginDesk, _ words: String...) throws -> Program.Run {
        try desk.run(
            ["run"] + words + ["--server", desk.url("").dropLast(desk.url("").hasSuffix("/") ? 1 : 0).description]
                + ["--allow", "net:127.0.0.1:\(desk.server.port)", "--print", "{title} {url}"],
            ["YTHOST_DUCKDUCKGO_URL": desk.url("/ddg")])
    }

    @Test("the chat source asks a server, and does what its reply says")
    func susi() throws {
        let desk = try chat()
        let run = try run(desk, "susi", "what is lua")
        #expect(
            run.lines == [
                "Said -", "Row one https://x.example/1", "Row two -", "- https://www.youtube.com/watch?v=dQw4w9WgXcQ",
                "Lua https://w.example/",
            ], "\(run.errors)")
        #expect(desk.server.requests.first?.target == "/susi/chat.json?language=en&q=what%20is%20lua&timezoneOffset=0")
    }

    @Test("a table of a chat server is shown row by row, a map as a link to one")
    func tablesAndMaps() throws {
        let run = try run(try chat(), "susi", "shown")
        #expect(
            run.lines == [
                "Name: Lua, Year: 1993 -", "Name: Swift, Year: 2014 -", "y: 1993 -",
                "Map https://www.openstreetmap.org/#map=13/52.52000/13.40000",
            ], "\(run.errors)")
    }

    @Test("a sentence that plays asks no chat server; odd replies are read as far as they go, and bad ones are told")
    func oddReplies() throws {
        let desk = try chat()
        let play = try run(desk, "susi", "play programming")
        #expect(play.lines.count == 1 && play.output.contains("youtube.com/watch?v="))
        #expect(desk.server.requests.isEmpty)
        let odd = try run(desk, "susi", "odd")
        #expect(
            odd.code == 0 && odd.lines.contains("One -") && odd.lines.contains("Odd -"), "\(odd.output)\(odd.errors)")
        let bad = try run(desk, "susi", "bad")
        #expect(bad.code == 1 || bad.code == 0 && bad.output == "", "\(bad.output)")
    }

    @Test("a source in under 30 lines of Lua reads a JSON API that nobody knew before")
    func archive() throws {
        let file = Command.root.appending(path: "plugins/sources/archive.lua")
        #expect(
            try String(contentsOf: file, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false).count
                <= 30)
        let desk = try chat()
        let run = try run(desk, "archive", "night")
        #expect(
            run.lines == ["Night \(desk.url("/details/night_1"))", "B \(desk.url("/details/b%20c"))"], "\(run.errors)")
        #expect(desk.server.requests.first?.target.contains("q=mediatype%3Amovies%20AND%20%28night%29") == true)
        let denied = try desk.run(["run", "archive", "night"])
        #expect(denied.code == 6 && denied.errors.contains("net:archive.org"))
    }

    @Test("an instant answer is asked by name, and that there is none is said")
    func answers() throws {
        let desk = try chat()
        let environment = ["YTHOST_DUCKDUCKGO_URL": desk.url("/ddg")]
        let found = try desk.run(["run", "jsonl", "lua", "--source", "duckduckgo"], environment)
        #expect(found.lines.count == 1 && found.output.contains(#""channel":{"title":"W"}"#))
        #expect(found.output.contains(#""found_in":[{"source":"duckduckgo","query":"lua"}]"#))
        let none = try desk.run(["run", "jsonl", "zzz", "--source", "duckduckgo"], environment)
        #expect(none.code == 0 && none.output == "" && none.errors.contains("has no instant answer to 'zzz'"))
        let refused = try desk.run(["search", "a", "--source", "duckduckgo", "--order", "date"], environment)
        #expect(refused.code == 2 && refused.errors.contains("cannot honour --order"))
    }

    @Test("yt-dlp is a source when it is on PATH and chosen, and says plainly when it is not")
    func ytDlp() throws {
        let desk = try OriginDesk()
        let none = try desk.run(["search", "x", "--source", "ytdlp"], ["PATH": "/nowhere"])
        #expect(none.code == 3 && none.errors.contains("there is no yt-dlp on PATH"))
        let folder = desk.scratch.folder.appending(path: "bin")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let program = folder.appending(path: "yt-dlp")
        let answer = """
            {"_type":"playlist","extractor":"youtube:search","entries":[{"_type":"url","ie_key":"Youtube","id":"aaaaaaaaa01",
            "url":"https://www.youtube.com/watch?v=aaaaaaaaa01","title":"One","duration":5}]}
            """
        try Data("#!/bin/sh\ncat <<'E'\n\(answer)\nE\n".utf8).write(to: program)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
        let environment = ["PATH": folder.path + ":/bin:/usr/bin"]
        let run = try desk.run(["run", "table", "x", "--source", "ytdlp", "--where", "duration < 10"], environment)
        #expect(run.code == 0 && run.lines.count == 2 && run.lines[1].hasSuffix("aaaaaaaaa01"), "\(run.errors)")
        // Who may search may not make a program run, unless the user chose it or lets them.
        try desk.scratch.file("s.lua", "for v in yt.search('x', {source = 'ytdlp'}) do print(v.title) end")
        let denied = try desk.run(["run", "./s.lua"], environment)
        #expect(denied.code == 6 && denied.errors.contains("has no grant 'exec:yt-dlp'"), "\(denied.errors)")
        #expect(try desk.run(["run", "./s.lua", "--allow", "exec:yt-dlp"], environment).lines == ["One"])
        #expect(try desk.run(["run", "./s.lua", "--source", "ytdlp"], environment).lines == ["One"])
        let dry = try desk.run(["run", "table", "x", "--source", "ytdlp", "--dry-run"], environment)
        #expect(dry.output.contains("ytsearch50:x") && !dry.output.contains("One"))
    }
}
