// What happens at the same time: waits of tasks, pages ahead, budgets that several spend, and what is given up.

import Glibc
import Testing
import Threads

@testable import HostErrors
@testable import Pipeline
@testable import VideoModel
@testable import VideoServices
@testable import WebClient

@Suite struct TaskTests {
    /// Answers after a while with pages of a few rows, and notes how many were asked at the same time.
    final class SlowService: VideoService {
        struct Counts {
            var now = 0
            var most = 0
            var asked: [String] = []
            var cancelled = 0
        }
        let name = "slow"
        let summary = "takes its time"
        let honoured: Set<SearchOption> = []
        let counts = Monitor(Counts())
        let pages: Int
        let seconds: Double
        let rows: Int

        init(pages: Int = 3, seconds: Double = 0.05, rows: Int = 2) {
            self.pages = pages
            self.seconds = seconds
            self.rows = rows
        }

        func search(_ query: SearchQuery, limit: Int, page: String?) throws(ServiceError) -> SearchPage {
            let number = page.flatMap { Int($0) } ?? 1
            counts.withLock { counts in
                counts.now += 1
                counts.most = max(counts.most, counts.now)
                counts.asked.append("\(query.words) \(number)")
            }
            let end = Clock.monotonic() + seconds
            var isCancelled = false
            while Clock.monotonic() < end, !isCancelled {
                usleep(2000)
                isCancelled = CancellationToken.current?.isCancelled == true
            }
            counts.withLock { counts in
                counts.now -= 1
                if isCancelled { counts.cancelled += 1 }
            }
            if query.words == "bad" { throw .emptyQuery(service: name) }
            return answer(query.words, number, next: number < pages)
        }

        let lookUps: Set<LookUp.Kind> = [.channel, .videos]

        func lookUp(_ question: LookUp, limit: Int, page: String?) throws(ServiceError) -> SearchPage {
            if case .videos(let ids, _) = question {
                _ = try search(SearchQuery(words: "ids"), limit: limit, page: nil)
                let rows = ids.map { #"{"ythost":1,"provider":"slow","id":"\#($0)","views":\#($0.utf8.count)}"# }
                return SearchPage(body: Array(rows.joined(separator: "\n").utf8), format: "ythost", calls: 1)
            }
            guard case .channel(let name) = question else { throw .lookUpNotOffered(service: self.name, question.kind) }
            let answer = try search(SearchQuery(words: name), limit: limit, page: nil)
            if name == "none" { return SearchPage(body: [], format: "ythost", calls: 1) }
            return answer
        }

        private func answer(_ words: String, _ number: Int, next: Bool) -> SearchPage {
            let rows = (1...rows).map { #"{"ythost":1,"provider":"slow","id":"\#(words) \#(number) \#($0)"}"# }
            var page = SearchPage(
                body: Array(rows.joined(separator: "\n").utf8), format: "ythost",
                next: next ? "\(number + 1)" : nil, calls: 1)
            page.tells = [.views]
            return page
        }
    }

    private func run(_ script: String, _ service: SlowService, _ change: (inout RunRequest) -> Void = { _ in }) throws
        -> String
    {
        try Workbench([service]).run(plugin: script, arguments: [], change).text
    }

    @Test("ten searches of three pages take little longer than one")
    func atTheSameTime() throws {
        let service = SlowService(seconds: 0.1)
        let start = Clock.monotonic()
        let text = try run(
            """
            local calls = {}
            for i = 1, 10 do calls[i] = function() return yt.search("q" .. i) end end
            local n = 0
            for _, o in ipairs(yt.all(calls)) do n = n + #o.value end
            print(n)
            """, service)
        let took = Clock.monotonic() - start
        #expect(text == "60\n")
        #expect(service.counts.withLock { $0.most } > 5)
        // One after another they would take 3 seconds.
        #expect(took < 2, "\(took)")
    }

    @Test("look-ups wait at the same time, too, and one that finds nothing says so")
    func lookUps() throws {
        let service = SlowService(pages: 1)
        let text = try run(
            """
            local found = yt.map({"a", "b", "none", "c", "d", "e"}, function(name)
              local channel, reason = yt.channel(name, {source = "slow"})
              return channel and channel.id or reason
            end)
            for _, o in ipairs(found) do print(o.value) end
            """, service)
        #expect(text == "a 1 1\nb 1 1\nslow has no channel 'none'\nc 1 1\nd 1 1\ne 1 1\n")
        #expect(service.counts.withLock { $0.most } > 3)
    }

    @Test("enrichment waits at the same time, too, for one service after another, and blocks where nobody can wait")
    func enrichments() throws {
        let service = SlowService(pages: 1)
        let text = try run(
            """
            local function rows(i)
              return yt.parse('{"ythost":1,"provider":"slow","id":"' .. ("x"):rep(i) .. '"}\\n'
                .. '{"ythost":1,"provider":"elsewhere","id":"e"}\\n{"ythost":1,"provider":"slow","id":"y"}')
            end
            local found = yt.map({1, 2, 3, 4, 5, 6}, function(i) return rows(i):enrich{"views"} end)
            for i, o in ipairs(found) do print(#o.value, o.value[1].views, o.value[2].views, o.value[3].views) end
            local sorted = rows(7):list()
            table.sort(sorted, function(a, b)
              return (rows(7):enrich{"views"}:first().views or 0) > 7 and a.id < b.id
            end)
            print(rows(3):enrich{"views"}:sort_by("views"):first().id)
            """, service)
        let lines = text.split(separator: "\n").map(String.init)
        #expect(lines == (1...6).map { "3\t\($0)\tnil\t1" } + ["y"], "\(text)")
        #expect(service.counts.withLock { $0.most } > 3)
    }

    @Test("at_once bounds how many are under way", arguments: [1, 3])
    func bounded(most: Int) throws {
        let service = SlowService(pages: 1)
        let text = try run(
            """
            local items = {}
            for i = 1, 12 do items[i] = i end
            print(#yt.map(items, function(i) return yt.search("q" .. i) end, {at_once = \(most)}))
            """, service)
        #expect(text == "12\n")
        #expect(service.counts.withLock { $0.most } == most)
    }

    @Test("more at once than there are threads all come")
    func many() throws {
        let service = SlowService(pages: 1, seconds: 0.005)
        let text = try run(
            """
            local calls = {}
            for i = 1, 300 do calls[i] = function() return yt.search("q" .. i) end end
            local n = 0
            for i, o in ipairs(yt.all(calls, {at_once = 64})) do
              if o.value[1].id == "q" .. i .. " 1 1" then n = n + 1 end
            end
            print(n)
            """, service
        ) { $0.budgets.calls = 0 }
        #expect(text == "300\n")
        #expect(service.counts.withLock { $0.most } <= 32)
    }

    @Test("one that fails loses the others nothing")
    func failure() throws {
        let text = try run(
            """
            local a, b = table.unpack(yt.all{
              function() return yt.search("bad") end, function() return yt.search("good") end})
            print(a.ok, a.error.kind, tostring(a.error), #b.value)
            """, SlowService())
        #expect(text == "false\tusage\tthere is nothing to search for in 'slow'\t6\n")
    }

    @Test("a budget of requests or calls is never overspent at the same time", arguments: ["requests", "calls"])
    func budgets(name: String) throws {
        let service = SlowService()
        let report = try Workbench([service]).failure(
            plugin: """
                yt.all{
                  function() pcall(function() yt.search("a"):list() end) while true do end end,
                  function() pcall(function() yt.search("b"):list() end) while true do end end,
                  function() pcall(function() yt.search("c"):list() end) while true do end end,
                }
                """, arguments: []
        ) { try? $0.budgets.apply("\(name)=4") }
        #expect(report.kind == "budget")
        #expect(report.message == "the \(name) budget of 4 is spent")
        // The last ones may be given up before they are sent.
        #expect((1...4).contains(service.counts.withLock { $0.asked.count }))
    }

    @Test("calls under way that cost nothing leave the budget to others")
    func callsAreNotReservedForGood() throws {
        let service = SlowService(pages: 1)
        let text = try run(
            """
            local items = {}
            for i = 1, 20 do items[i] = i end
            local ok = 0
            for _, o in ipairs(yt.map(items, function(i) return yt.search("q" .. i) end, {at_once = 20})) do
              if o.ok then ok = ok + 1 end
            end
            print(ok)
            """, service
        ) { $0.budgets.calls = 20 }
        #expect(text == "20\n")
    }

    @Test(
        "the next page is begun when half of one is read and max needs it, and not else",
        arguments: [
            // read, max, pages asked
            (1, 6, ["x 1", "x 2"]), (1, 2, ["x 1"]), (2, 2, ["x 1"]), (3, 6, ["x 1", "x 2", "x 3"]),
            (1, 0, ["x 1"]), (3, 0, ["x 1", "x 2"]), (6, 6, ["x 1", "x 2", "x 3"]),
        ])
    func ahead(read: Int, max: Int, asked: [String]) throws {
        let service = SlowService(seconds: 0.05)
        let text = try run(
            """
            local step = yt.search("x", {max = \(max > 0 ? "\(max)" : "nil")})
            local n = 0
            for v in step do n = n + 1 if n == \(read) then break end end
            yt.all{function() return yt.search("y", {max = 1}) end} -- behind what was begun
            print(n)
            """, service)
        #expect(text == "\(read)\n")
        #expect(service.counts.withLock { $0.asked.filter { $0.hasPrefix("x") } } == asked)
    }

    @Test(
        "a page is looked up while the next is fetched where all will be read, and not where rows are taken",
        arguments: [
            (nil, 2, ["ids 1", "ids 1", "ids 1", "x 1", "x 2", "x 3"]), (2, 1, ["ids 1", "x 1"]),
        ])
    func lookedUpAhead(take: Int?, most: Int, asked: [String]) throws {
        let service = SlowService(seconds: 0.1, rows: 4)
        let outcome = try Workbench([service]).run(arguments: ["x"]) {
            $0.fetch = 12
            $0.take = take
            $0.stages = [.keep(expression: "views > 0")]
        }
        #expect(outcome.report.written == take ?? 12)
        let counts = service.counts.withLock { $0 }
        #expect(counts.asked.sorted() == asked)
        #expect(counts.most == most)
    }

    @Test("what nobody waits for any more is given up at the end of a run")
    func abandoned() throws {
        let service = SlowService(pages: 2, seconds: 2)
        let start = Clock.monotonic()
        let report = try Workbench([service]).failure(
            plugin: """
                yt.map({1, 2, 3}, function(i)
                  if i == 3 then while true do end end
                  return yt.search("q" .. i)
                end)
                """, arguments: []
        ) { $0.budgets.cpu = 0.2 }
        #expect(report.message == "the cpu budget of 0.2s is spent")
        #expect(Clock.monotonic() - start < 1.5)
        while service.counts.withLock({ $0.now }) > 0 { usleep(1000) }
        #expect(service.counts.withLock { $0.cancelled } == 2)
    }

    @Test("the wall budget ends a wait")
    func wall() throws {
        let service = SlowService(seconds: 5)
        let start = Clock.monotonic()
        let report = try Workbench([service]).failure(
            plugin: "yt.all{function() return yt.search('a') end}", arguments: []
        ) { $0.budgets.wall = 0.3 }
        #expect(report.message == "the wall budget of 0.3s is spent")
        #expect(Clock.monotonic() - start < 2)
    }

    @Test("ten thousand items take the memory of their outcomes")
    func memory() throws {
        let text = try run(
            """
            local items = {}
            for i = 1, 10000 do items[i] = i end
            local before = collectgarbage("count")
            local most = 0
            local outcomes = yt.map(items, function(i)
              if i % 100 == 0 then
                if i % 1000 == 0 then yt.search("q" .. i):first() end
                most = math.max(most, collectgarbage("count") - before)
              end
              return i
            end)
            print(#outcomes, outcomes[10000].value, most < 8192)
            """, SlowService(pages: 1, seconds: 0.001)
        ) { $0.budgets.memory = 16 << 20 }
        #expect(text == "10000\t10000\ttrue\n")
    }
}
