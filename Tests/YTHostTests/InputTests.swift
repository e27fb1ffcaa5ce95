// Records that are read from files instead of a search.

import Foundation
import Testing

@testable import HostErrors
@testable import Pipeline

@Suite struct InputTests {
    private func bench() throws -> Workbench {
        let bench = try Workbench()
        try bench.write("a.jsonl", #"{"ythost":1,"id":"a"}"# + "\n" + #"{"ythost":1,"id":"b"}"# + "\n")
        try bench.write("b.jsonl", #"{"ythost":1,"id":"c"}"#)
        try bench.write("bad.jsonl", #"{"ythost":1,"id":"d"}"# + "\n{broken\n" + #"{"ythost":1,"id":"e"}"# + "\n")
        try bench.write("text.txt", "hello")
        try bench.write("empty.jsonl", "")
        return bench
    }

    private func ids(_ names: String..., fetch: Int? = nil) throws -> (String, [String]) {
        let bench = try bench()
        let outcome = try bench.run(arguments: []) {
            $0.template = "{id}"
            $0.inputs = names.map { .file(bench.path($0)) }
            $0.fetch = fetch
        }
        return (outcome.lines.joined(), outcome.log)
    }

    @Test("inputs are read one after another")
    func several() throws {
        #expect(try ids("a.jsonl", "b.jsonl").0 == "abc")
        #expect(try ids("b.jsonl", "empty.jsonl", "a.jsonl").0 == "cab")
        #expect(try ids("a.jsonl", "a.jsonl", fetch: 3).0 == "aba")
    }

    @Test("an empty input matches nothing, and says so")
    func empty() throws {
        #expect(try ids("empty.jsonl") == ("", ["warning: nothing matched"]))
    }

    @Test("a record that cannot be read is left out and said")
    func skipped() throws {
        let (rows, log) = try ids("bad.jsonl")
        #expect(rows == "de")
        #expect(log.count == 1 && log[0].hasPrefix("warning: bad.jsonl: left out line 2"))
    }

    @Test("a bad record ends a strict run")
    func strict() throws {
        let bench = try bench()
        let report = try bench.failure(arguments: []) {
            $0.inputs = [.file(bench.path("bad.jsonl"))]
            $0.isStrict = true
        }
        #expect(report.message.hasPrefix("bad.jsonl: line 2"))
        #expect(report.hint == "without --strict, records that cannot be read are left out and counted")
        #expect(report.code == .usage)
    }

    @Test("an input of no known format names the flag that says one")
    func unrecognised() throws {
        let bench = try bench()
        let report = try bench.failure(arguments: []) { $0.inputs = [.file(bench.path("text.txt"))] }
        #expect(report.message.hasPrefix("text.txt: "))
        #expect(report.hint == "--as FORMAT names the format when it is one of these")
    }

    @Test("a file that is not there is told with the system's reason")
    func missing() throws {
        let bench = try bench()
        let report = try bench.failure(arguments: []) { $0.inputs = [.file(bench.path("none"))] }
        #expect(report.text == "ythost: cannot read none: No such file or directory")
        #expect(report.code == .usage)
    }

    @Test("an input and words to search for do not go together")
    func both() throws {
        let bench = try bench()
        let report = try bench.failure { $0.inputs = [.file(bench.path("a.jsonl"))] }
        #expect(report.message == "both an input and words to search for")
        let other = try bench.failure(plugin: "return { search = function() return {} end }", arguments: []) {
            $0.inputs = [.file(bench.path("a.jsonl"))]
        }
        #expect(other.message == "both an input and a searching plugin")
    }

    // MARK: folders

    private func folder() throws -> Workbench {
        let bench = try Workbench()
        for folder in ["box", "box/b", "box/.hidden"] {
            try FileManager.default.createDirectory(
                at: bench.folder.appending(path: folder), withIntermediateDirectories: true)
        }
        for (name, id) in [("a", "1"), ("b/a", "2"), ("b/z", "3"), ("c", "4"), (".dot", "5"), (".hidden/x", "6")] {
            try bench.write("box/\(name).jsonl", "{\"ythost\":1,\"id\":\"\(id)\"}\n")
        }
        try FileManager.default.createSymbolicLink(
            at: bench.folder.appending(path: "box/b/loop"), withDestinationURL: bench.folder.appending(path: "box"))
        try FileManager.default.createSymbolicLink(
            at: bench.folder.appending(path: "box/d.jsonl"),
            withDestinationURL: bench.folder.appending(path: "box/a.jsonl"))
        return bench
    }

    private func read(_ bench: Workbench, strict: Bool = false) throws -> (String, [String]) {
        let outcome = try bench.run(arguments: []) {
            $0.template = "{id}"
            $0.inputs = [.file(bench.path("box"))]
            $0.isStrict = strict
        }
        return (outcome.lines.joined(), outcome.log)
    }

    @Test("a folder is read in the order of its names, without hidden files, and through no link to a folder")
    func walk() throws {
        let (ids, log) = try read(folder())
        #expect(ids == "12341")
        #expect(log == [])
    }

    @Test("files of a folder that are of no known format are counted and named, and a bad one ends nothing")
    func others() throws {
        let bench = try folder()
        try bench.write("box/b/picture.jpg", "\u{1}\u{2}picture")
        try bench.write("box/b/notes.txt", "hello")
        try bench.write("box/b/broken.json", "{\"items\": [1,")
        let (ids, log) = try read(bench)
        #expect(ids == "12341")
        #expect(log.count == 2)
        #expect(log[0].contains("broken.json: not JSON: line 1") && log[0].hasPrefix("warning: left out "))
        #expect(log[1].hasPrefix("warning: left out 2 files of no format that is read here: "))
        #expect(log[1].contains("notes.txt, ") && log[1].hasSuffix("picture.jpg"))
        let report = try bench.failure(arguments: []) {
            $0.inputs = [.file(bench.path("box"))]
            $0.isStrict = true
        }
        #expect(report.message.contains("broken.json"))
    }

    @Test("a folder with nothing to read is an error")
    func nothing() throws {
        let bench = try Workbench()
        try FileManager.default.createDirectory(
            at: bench.folder.appending(path: "box"), withIntermediateDirectories: true)
        let empty = try bench.failure(arguments: []) { $0.inputs = [.file(bench.path("box"))] }
        #expect(empty.message.hasPrefix("there are no files in ") && empty.code == .usage)
        try bench.write("box/a.txt", "hello")
        let other = try bench.failure(arguments: []) { $0.inputs = [.file(bench.path("box"))] }
        #expect(other.message.hasPrefix("nothing that was found is of a format that is read here: "))
        #expect(other.code == .usage)
    }
}
