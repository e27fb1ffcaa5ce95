// Records that are read from files instead of a search.

import Testing

@testable import YTHost

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
}
