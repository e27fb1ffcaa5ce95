// Stages on a command line: their order, plain scripts, where flags end, and readers that go away.

import Foundation
import Testing

@Suite struct PipelineTests {
    /// Videos of known lengths.
    private static let records =
        [30, 299, 300, 1200, 3600, 3601, 7200].map { (seconds: Int) in
            Record(provider: "youtube", id: "s\(seconds)", title: "of \(seconds) seconds", duration: seconds)
        } + [Record(provider: "youtube", id: "unknown", title: "of no known length")]

    private func ids(_ arguments: [String]) throws -> [String] {
        let run = try Command.run(["run", "ids", "-"] + arguments, input: try Record.lines(Self.records))
        #expect(run.code == 0, "\(run.errors)")
        return run.lines
    }

    @Test(
        "stages apply in the order they are given",
        arguments: [
            (["-p", "long:min=5m", "-p", "long:min=0,max=1h"], ["s300", "s1200", "s3600"]),
            (["-p", "long:min=5m,max=1h"], ["s300", "s1200", "s3600"]),
            (["--plugin=long:min=1h", "--where", "duration ~= 3601"], ["s3600", "s7200"]),
            (["--where", "duration > 3600", "--by", "-duration"], ["s3601", "s7200"]),
            (["--by", "duration", "--take", "2"], ["s7200", "s3601"]),
            (["--by", "duration", "--by", "title", "--take", "1"], ["s1200"]),
            (["--where", "title:find('3')", "--take", "2"], ["s30", "s300"]),
            (["--where", "get('duration', 0) == 0"], ["unknown"]),
            (["--fetch", "2"], ["s30", "s299"]),
            (["-p", "short_clips:max=30s"], ["s30"]),
            (["-p", "words:all=no,none=300"], ["unknown"]),
        ])
    func stages(arguments: [String], expected: [String]) throws {
        #expect(try ids(arguments) == expected)
    }

    @Test("an unknown value sorts last and is counted when it drops a video")
    func unknown() throws {
        #expect(try ids(["--by", "duration"]).last == "unknown")
        #expect(try ids(["--by", "-duration"]).last == "unknown")
        let run = try Command.run(
            ["run", "ids", "-", "--where", "duration > 0"], input: try Record.lines(Self.records))
        #expect(run.errors == "ythost: --where dropped 1 video whose duration is unknown\n")
    }

    @Test("a rank is repeatable with its seed")
    func shuffle() throws {
        let once = try ids(["-p", "shuffle", "--seed", "7"])
        #expect(try ids(["-p", "shuffle", "--seed", "7"]) == once)
        #expect(once.sorted() == Self.records.compactMap(\.id).sorted())
        #expect(try (1...5).contains { try ids(["-p", "shuffle", "--seed", "\($0)"]) != once })
    }

    @Test(
        "every plugin that ranks puts the known before the unknown",
        arguments: ["popular", "recent", "popular:per_day=true"])
    func ranks(plugin: String) throws {
        let records = [
            Record(id: "neither"), Record(id: "old", published: "2001-01-01T00:00:00Z", views: 900),
            Record(id: "new", published: "2024-01-01T00:00:00Z", views: 1000),
        ]
        let run = try Command.run(["run", "ids", "-", "-p", plugin], input: try Record.lines(records))
        #expect(run.lines == ["new", "old", "neither"])
    }

    @Test("a plain script of the manual prints what it finds")
    func script() throws {
        let scratch = try Scratch()
        let path = try scratch.file(
            "long.lua",
            "for v in yt.search(\"programming\"):filter(function(v) return v:get(\"duration\", 0) > 3600 end):take(5) "
                + "do print(v.title, v.url) end\n")
        let run = try Command.run(["run", path])
        let expected = try Record.read(
            try Command.run(["search", "programming", "--where", "duration > 3600", "--take", "5"]))
        #expect(run.code == 0 && run.lines.count == 5)
        #expect(run.lines == expected.map { "\($0.title ?? "")\t\($0.url ?? "")" })
    }

    @Test("a script takes its own flags and words")
    func scriptFlags() throws {
        let scratch = try Scratch()
        let path = try scratch.file(
            "s.lua",
            "local opt, words = yt.options { n = { type = 'integer', default = 1 } }\nprint(opt.n, table.concat(words, '+'))"
        )
        #expect(try Command.run(["run", path, "a", "--n", "3", "b c"]).output == "3\ta+b c\n")
        #expect(try Command.run(["run", path, "--", "--n"]).output == "1\t--n\n")
    }

    @Test("behind -- everything is a word")
    func words() throws {
        #expect(try Command.run(["search", "--", "programming"]).data == Command.run(["search", "programming"]).data)
        let run = try Command.run(["run", "ids", "--take", "1", "--", "programming", "--take"])
        #expect(!run.errors.contains("needs a value"))
        let file = try Scratch()
        try file.file("-x.jsonl", try Record.lines([Record(id: "a")]))
        #expect(try Command.run(["parse", "--print", "{id}", "--", "-x.jsonl"], in: file.folder).output == "a\n")
    }

    @Test("flags of ythost may stand anywhere")
    func anywhere() throws {
        let expected = try Command.run(["run", "ids", "programming", "--take", "3"]).output
        for arguments in [
            ["run", "--take", "3", "ids", "programming"], ["run", "--take=3", "ids", "programming"],
            ["run", "ids", "--take", "3", "programming"], ["run", "-q", "ids", "programming", "--take", "3", "-v"],
        ] { #expect(try Command.run(arguments).output == expected, "\(arguments)") }
    }

    @Test("inputs are read one after another, whatever their formats")
    func inputs() throws {
        let scratch = try Scratch()
        let one = try scratch.file("one", try Record.lines([Record(id: "a"), Record(id: "b")]))
        let two = try scratch.file(
            "two", #"{"kind":"youtube#videoListResponse","items":[{"kind":"youtube#video","id":"abcdefghijk"}]}"#)
        let run = try Command.run(
            ["run", "ids", "-i", one, "--input=\(two)", "-"], input: try Record.lines([Record(id: "c")]))
        #expect(run.lines == ["a", "b", "abcdefghijk", "c"], "\(run.errors)")
        #expect(try Command.run(["parse", two, one, "--print", "{id}"]).lines == ["abcdefghijk", "a", "b"])
    }

    @Test(
        "searching and piping give what searching at once gives",
        arguments: ["rss", "html", "csv", "ids", "urls", "table"])
    func piped(format: String) throws {
        let searched = try Command.run(["search", "programming"])
        let piped = try Command.run(["run", "plugins/\(format).lua", "-"], input: .bytes(searched.data))
        #expect(piped.code == 0 && piped.errors.isEmpty)
        #expect(piped.data == (try Command.run(["run", format, "programming"])).data)
    }

    @Test("only the first search without a source says that samples are searched, and -q says nothing")
    func sampleNotice() throws {
        let notice = "ythost: no key is configured: searching the bundled sample library (--source chooses)\n"
        #expect(try Command.run(["search", "programming"]).errors == notice)
        #expect(try Command.run(["search", "programming", "--source", "sample"]).errors.isEmpty)
        #expect(try Command.run(["search", "programming", "-q"]).errors.isEmpty)
    }

    // MARK: readers that go away

    private static let chatty = """
        return {
          format = function(videos, out) for v in videos do for i = 1, 20000 do out:line(("x"):rep(100)) end end end,
          written = function() yt.log("warning", "WRITTEN") end,
        }
        """

    @Test("a reader that goes away ends the run quietly, and nothing counts as written")
    func readerGone() throws {
        let scratch = try Scratch()
        let plugin = try scratch.file("chatty.lua", Self.chatty)
        let script = "{ ythost run \"$1\" programming -q; echo \"code $?\" >&2; } | head -1"
        let run = try Command.shell(script, arguments: [plugin])
        #expect(run.errors == "code 0\n")
        #expect(run.lines == [String(repeating: "x", count: 100)])
        let whole = try Command.shell("{ ythost run \"$1\" programming --take 1; } | tail -1", arguments: [plugin])
        #expect(whole.errors.hasSuffix("ythost: chatty: WRITTEN\n"))
    }

    @Test(
        "a reader that was never there ends every command quietly",
        arguments: ["search programming", "help", "plugin list"])
    func noReader(arguments: String) throws {
        let run = try Command.shell("{ sleep 0.2; ythost \(arguments) -q; echo \"code $?\" >&2; } | true")
        #expect(run.errors == "code 0\n")
    }

    @Test("a closed standard output or input is told, not a crash")
    func closed() throws {
        let output = try Command.shell("ythost search programming -q >&-")
        #expect(output.code == 1 && output.errors.contains("cannot write standard output"), "\(output.errors)")
        let input = try Command.shell("ythost run ids - <&-")
        #expect(input.code == 2 && input.errors.contains("cannot read standard input"), "\(input.errors)")
    }
}
