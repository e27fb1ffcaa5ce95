// What is there already: a terminal is shown the first page before anybody asks for the second.

import Glibc
import Testing
import Threads

@testable import Files
@testable import Pipeline
@testable import YTHost

@Suite struct AtHandTests {
    /// Notes with every write how many pages had been asked for.
    private final class WatchedSink: OutputSink {
        let calls: FakeService.Calls
        private(set) var writes: [(text: String, pages: Int)] = []
        init(_ calls: FakeService.Calls) { self.calls = calls }
        func write(_ bytes: [UInt8]) { writes.append((String(decoding: bytes, as: UTF8.self), calls.all.count)) }
        func commit() {}
        /// How many pages had been asked for when a row was written.
        func pages(before row: String) -> Int? { writes.first { $0.text.contains(row) }?.pages }
    }

    private func table(isTerminal: Bool, _ change: (inout RunRequest) -> Void = { _ in }) throws -> WatchedSink {
        let service = FakeService.standard
        let bench = try Workbench([service])
        let sink = WatchedSink(service.calls)
        var request = RunRequest()
        request.plugin = Workbench.root.path + "/plugins/table.lua"
        request.arguments = ["lua", "--columns", "id,title"]
        request.source = "fake"
        request.isTerminal = isTerminal
        request.columns = isTerminal ? 80 : nil
        change(&request)
        _ = try bench.host.run(request, to: sink)
        #expect(sink.writes.map(\.text).joined().split(separator: "\n").count == 11)
        return sink
    }

    @Test("a terminal shows a page of a table before the next is asked for")
    func terminal() throws {
        let sink = try table(isTerminal: true)
        #expect(sink.pages(before: "ID") == 1 && sink.pages(before: "d ") == 1)
        #expect(sink.pages(before: "e ") == 2 && sink.pages(before: "j ") == 3)
    }

    @Test("a pipe gets the table at the end, with widths that all rows have made")
    func pipe() throws {
        #expect(try table(isTerminal: false).pages(before: "ID") == 3)
    }

    /// Is open once a row was written.
    private final class RowSink: OutputSink {
        private let row: String
        private let isThere: Latch
        private var text = ""
        init(_ row: String, _ isThere: Latch) {
            self.row = row
            self.isThere = isThere
        }
        func write(_ bytes: [UInt8]) {
            text += String(decoding: bytes, as: UTF8.self)
            if text.contains(row) { isThere.open() }
        }
        func commit() {}
    }

    @Test("a terminal shows the records that came through a pipe while the next are awaited")
    func awaited() throws {
        let bench = try Workbench()
        let pipe = bench.path("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        let isThere = Latch()
        let shown = Latch()
        let isStarted = Thread.start {
            let writer = open(pipe, O_WRONLY)
            func send(_ ids: [String]) {
                let lines = ids.map { #"{"ythost":1,"provider":"p","id":"\#($0)","title":"t"}"# + "\n" }.joined()
                _ = write(writer, lines, lines.utf8.count)
            }
            send(["id1", "id2"])
            if isThere.wait(seconds: 10) { shown.open() }
            send(["id3"])
            close(writer)
        }
        var request = RunRequest()
        request.plugin = Workbench.root.path + "/plugins/table.lua"
        request.inputs = [.file(pipe)]
        request.isTerminal = true
        request.columns = 80
        #expect(isStarted)
        #expect(try bench.host.run(request, to: RowSink("id2", isThere)).written == 3)
        #expect(shown.wait(seconds: 0))
    }

    @Test("what is at hand is read without asking, and the rest can be asked for")
    func atHand() throws {
        let outcome = try Workbench().script(
            """
            local results = yt.search("lua")
            print(results:at_hand())
            local last, ids = results(nil, nil), {}
            ids[1] = last.id
            while true do
              local v = results:at_hand()
              if v == nil then break end
              last, ids[#ids + 1] = v, v.id
            end
            print(table.concat(ids))
            print(results(nil, last).id, results:at_hand().id)
            print(yt.search("lua"):map(function(v) return v end):at_hand())
            """)
        #expect(outcome.lines == ["nil", "abcd", "e\tf", "nil"])
    }

    @Test("a list has positions, and nothing at hand")
    func list() throws {
        #expect(
            try Workbench().message("yt.search('lua'):list():at_hand()").contains(
                "a list has no next item; read it with ipairs"))
    }
}
