// Inputs that are large or odd. Memory is that of the release binary; a debug build is not measured.

import Foundation
import Testing

@Suite struct LargeInputTests {
    @Test("a million records stream through in under 24 MB")
    func million() throws {
        let block = try Record.lines(
            (0..<1000).map {
                Record(
                    provider: "youtube", id: "id\(100_000_000 + $0)", title: "A title of a usual length, number \($0)",
                    channel: .init(title: "A channel"), published: "2024-07-01T12:00:00Z", duration: $0, views: $0)
            })
        // A process is charged with the memory of what started it, so that something small has to start this one.
        let code = """
            import resource, subprocess, sys
            code = subprocess.run(sys.argv[1:]).returncode
            print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=sys.stderr)
            sys.exit(code)
            """
        let python = try #require(Judge.python)
        let times = Command.isRelease ? 1000 : 10
        let run = try Program(python, ["-c", code, Command.binary, "run", "ids", "-"])
            .run(input: .repeated(Data(block.utf8), times: times), timeout: 50)
        #expect(run.code == 0)
        #expect(run.data.count == times * 1000 * 12)
        let kilobytes = try #require(Int(run.errors.trimmingCharacters(in: .whitespacesAndNewlines)), "\(run.errors)")
        if Command.isRelease { #expect(kilobytes < 24 << 10) }
    }

    @Test("a document of 50 MB on one line is read")
    func oneLine() throws {
        let item =
            #"{"kind":"youtube#video","id":"abcdefghijk","snippet":{"title":"\#(String(repeating: "x", count: 900))"}},"#
        let count = Command.isRelease ? 50 << 20 : 1 << 20
        var document = Data(#"{"kind":"youtube#videoListResponse","items":["#.utf8)
        let items = Data(String(repeating: item, count: count / item.utf8.count + 1).utf8)
        document.append(items.dropLast())
        document.append(Data("]}".utf8))
        let run = try Command.run(["run", "ids", "-", "--budget", "memory=1G"], input: .bytes(document))
        #expect(run.code == 0, "\(run.errors)")
        #expect(run.data.count == items.count / item.utf8.count * 12)
    }

    @Test("a title of 50 MB is one cell of a table")
    func longTitle() throws {
        let size = Command.isRelease ? 50 << 20 : 1 << 20
        let record = Record(id: "a", title: String(repeating: "x", count: size))
        let run = try Command.run(
            ["run", "table", "-", "--budget", "memory=1G"], input: .bytes(Data(try Record.lines([record]).utf8)))
        #expect(run.code == 0, "\(run.errors)")
        #expect(run.lines.count == 2 && run.data.count < 1000)
    }

    @Test("a document that is too large for the run's memory is told as that")
    func tooLarge() throws {
        let document =
            #"{"kind":"youtube#videoListResponse","items":[{"kind":"youtube#video","id":""#
            + String(repeating: "x", count: 8 << 20) + #""}]}"#
        let run = try Command.run(["run", "ids", "-", "--budget", "memory=24M"], input: document)
        #expect(run.code == 6 && run.output.isEmpty, "\(run.errors)")
        #expect(run.errors.hasPrefix("ythost: standard input: there is not enough memory to read it\n  hint: "))
    }

    private static let good = #"{"ythost":1,"id":"a"}"# + "\n"

    struct OddInput: CustomTestStringConvertible {
        var name: String
        var input: String
        var ids: [String]
        var says: String
        var testDescription: String { name }

        init(_ name: String, _ input: String, _ ids: [String], _ says: String) {
            (self.name, self.input, self.ids, self.says) = (name, input, ids, says)
        }
    }

    @Test(
        "odd bytes spoil no more than their line",
        arguments: [
            OddInput("a byte order mark", "\u{feff}" + good, ["a"], ""),
            OddInput("no line end at the end", String(good.dropLast()), ["a"], ""),
            OddInput("line ends of Windows", good.replacing("\n", with: "\r\n") + good, ["a", "a"], ""),
            OddInput("blank lines", "\n\n" + good + "\n \t\n" + good, ["a", "a"], ""),
            OddInput("a NUL byte after a record", good + "\0\n" + good, ["a", "a"], "line 2"),
            OddInput(
                "a NUL byte in text", good + "{\"ythost\":1,\"id\":\"x\0y\"}\n" + good, ["a", "a"],
                "line 2: column 20: a control character"
            ),
            OddInput("an escaped NUL byte", good + "{\"ythost\":1,\"id\":\"x\\u0000y\"}\n", ["a", "xy"], ""),
            OddInput(
                "half a surrogate pair", good + "{\"ythost\":1,\"id\":\"b\\ud83d\"}\n" + good, ["a", "b", "a"], ""),
            OddInput(
                "nesting",
                good + String(repeating: "[", count: 5000) + String(repeating: "]", count: 5000) + "\n" + good,
                ["a", "a"], "line 2: "
            ),
            OddInput(
                "a number as big as none", good + "{\"ythost\":1,\"id\":\"b\",\"views\":1e999}\n" + good,
                ["a", "b", "a"], ""
            ),
            OddInput("values of other types", good + "3\n\"x\"\nnull\n[]\n" + good, ["a", "a"], "line 2"),
        ])
    func oddBytes(row: OddInput) throws {
        let run = try Command.run(["run", "ids", "-"], input: row.input)
        #expect(run.code == 0, "\(run.errors)")
        #expect(run.lines.map { $0.filter { $0 != "\u{fffd}" && $0 != " " } } == row.ids, "\(run.errors)")
        #expect(row.says.isEmpty ? run.errors.isEmpty : run.errors.contains(row.says), "\(run.errors)")
    }

    @Test(
        "bytes that are no UTF-8 spoil no more than their line",
        arguments: [[0xFF, 0xFE], [0xC3], [0xED, 0xA0, 0x80], [0xF5]] as [[UInt8]])
    func notUTF8(bytes: [UInt8]) throws {
        let input =
            Data(Self.good.utf8) + Data("{\"ythost\":1,\"id\":\"".utf8) + Data(bytes) + Data("\"}\n".utf8)
            + Data(Self.good.utf8)
        let run = try Command.run(["run", "ids", "-"], input: .bytes(input))
        #expect(run.code == 0 && run.lines == ["a", "a"])
        #expect(run.errors.contains("line 2: column 19: not valid UTF-8"), "\(run.errors)")
    }

    @Test(
        "an empty file, a file of blanks and a lone byte order mark hold no record",
        arguments: ["", "\n\n", " ", "\u{feff}", "[]"])
    func empty(text: String) throws {
        let scratch = try Scratch()
        let file = try scratch.file("empty", text)
        for arguments in [["parse", file], ["run", "rss", "--input", file]] {
            let run = try Command.run(arguments)
            #expect(run.code == 0 && run.errors == "ythost: nothing matched\n", "\(run.errors)")
        }
    }

    @Test("a named pipe is read like a file")
    func namedPipe() throws {
        let scratch = try Scratch()
        let run = try Command.shell(
            "mkfifo \"$1\"; printf '%s' \"$2\" > \"$1\" & ythost parse \"$1\" --print '{id}'",
            arguments: [scratch.path("pipe"), Self.good])
        #expect(run.code == 0 && run.output == "a\n", "\(run.errors)")
    }

    @Test("records come out while others are still to come")
    func streaming() throws {
        let child = try Program(Command.binary, ["run", "ids", "-"]).start()
        let block = Data(String(repeating: #"{"ythost":1,"id":"abcdefghijk"}"# + "\n", count: 40_000).utf8)
        try child.gather(input: .bytes(block), until: "abcdefghijk\n", of: .output, timeout: 20)
        #expect(try child.finish().lines.count == 40_000)
    }

    @Test("words of any length and kind are searched for, not a crash")
    func words() throws {
        for words in [String(repeating: "x", count: 100_000), "日本語 👨‍👩‍👧‍👦", "\u{1b}[31m", "%s%n", "a\nb", "\"", "(", "-x"] {
            let run = try Command.run(["search", "--", words])
            #expect(run.code == 0 || run.code == 2, "\(words.prefix(20))")
            #expect(run.errors.unsafeForTerminal.isEmpty && run.errors.hasPrefix("ythost: "))
        }
    }
}
