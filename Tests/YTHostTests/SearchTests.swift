// What a run reads from a source: pages when they are needed, no row twice, no more than was asked for.

import Testing

@testable import HostErrors
@testable import Pipeline
@testable import VideoServices

@Suite struct SearchTests {
    private func ids(_ service: FakeService, _ change: (inout RunRequest) -> Void = { _ in }) throws -> String {
        try Workbench([service]).run {
            $0.template = "{id}"
            change(&$0)
        }.lines.joined()
    }

    @Test("all pages are read, in order, when nothing limits them")
    func all() throws {
        let service = FakeService.standard
        #expect(try ids(service) == "abcdefghij")
        #expect(service.calls.all == ["first all", "2 all", "3 all"])
    }

    @Test(
        "pages are fetched only for the rows that --fetch allows",
        arguments: [
            (0, "", []), (1, "a", ["first 1"]), (4, "abcd", ["first 4"]), (5, "abcde", ["first 5", "2 1"]),
            (50, "abcdefghij", ["first 50", "2 46", "3 42"]),
        ] as [(Int, String, [String])])
    func fetch(limit: Int, rows: String, calls: [String]) throws {
        let service = FakeService.standard
        #expect(try ids(service) { $0.fetch = limit } == rows)
        #expect(service.calls.all == calls)
    }

    @Test("--take reads no further than it must, and counts after the filters")
    func take() throws {
        let service = FakeService.standard
        let rows = try ids(service) {
            $0.stages = [.keep(expression: "views % 2 == 0")]
            $0.take = 2
        }
        #expect(rows == "bd")
        #expect(service.calls.all == ["first all"])
        #expect(try ids(.standard) { $0.take = 0 } == "")
    }

    @Test("a format that stops reading stops the fetching")
    func lazy() throws {
        let service = FakeService.standard
        let outcome = try Workbench([service]).run(
            plugin: "return { format = function(videos, out) for v in videos do out:line(v.id) break end end }")
        #expect(outcome.text == "a\n")
        #expect(service.calls.all == ["first all"])
        #expect(outcome.report.written == 1)
    }

    @Test("results that are made and never read cost no call")
    func unread() throws {
        let service = FakeService.standard
        _ = try Workbench([service]).script("local r = yt.search('lua'):filter(print):sort_by('views'):group('id')")
        #expect(service.calls.all == [])
    }

    @Test("a row that came on an earlier page is dropped, one of another kind is kept")
    func duplicates() throws {
        let service = FakeService(pages: [
            "": FakeService.page("abca", next: "2"),
            "2": .init(rows: [
                #""id":"b""#, #""id":"b","kind":"channel""#, #""title":"no id""#, #""title":"no id""#, #""id":"d""#,
            ]),
        ])
        let lines = try Workbench([service]).run { $0.template = "{id} {kind}" }.lines
        #expect(
            lines == [
                "a video", "b video", "c video", "b channel", "- video", "- video", "d video",
            ])
    }

    @Test("a page whose token is its own still gives its rows, and ends the search")
    func repeatedToken() throws {
        let service = FakeService(pages: [
            "": FakeService.page("ab", next: "2"), "2": FakeService.page("cd", next: "2"),
        ])
        #expect(try ids(service) == "abcd")
        #expect(service.calls.all.count == 2)
    }

    @Test("tokens that go round end the search")
    func tokensInACircle() throws {
        let service = FakeService(pages: [
            "": FakeService.page("ab", next: "2"), "2": FakeService.page("cd", next: "3"),
            "3": FakeService.page("ef", next: "2"),
        ])
        #expect(try ids(service) == "abcdef")
        #expect(service.calls.all.count <= 4)
    }

    @Test("tokens that go round end a search of rows without ids")
    func idlessCircle() throws {
        let page = ["\"title\":\"A\""]
        let service = FakeService(pages: [
            "": .init(rows: page, next: "2"), "2": .init(rows: page, next: "3"), "3": .init(rows: page, next: "2"),
        ])
        let outcome = try Workbench([service]).run { $0.template = "{title}" }
        #expect(outcome.lines.count == 3)
    }

    @Test("a page without rows in the middle does not end a search")
    func emptyPage() throws {
        let service = FakeService(pages: [
            "": FakeService.page("ab", next: "2"), "2": FakeService.page("", next: "3"), "3": FakeService.page("c"),
        ])
        #expect(try ids(service) == "abc")
    }

    @Test(
        "what a source cannot do is told before anything is sent",
        arguments: [
            ("duration", "long", "the source 'fake' cannot honour --duration"),
            ("region", "DE", "the source 'fake' cannot honour --region"),
        ])
    func notHonoured(option: String, value: String, message: String) throws {
        let service = FakeService.standard
        let bench = try Workbench([service])
        var setting = RunRequest()
        try setting.set(searchOption: option, to: value)
        let report = try bench.failure {
            $0.template = "{id}"
            $0.search = setting.search
        }
        #expect(report.message == message)
        #expect(report.code == .usage)
        #expect(
            report.hint == "leave it out, or choose another --source; `ythost sources` shows what each one honours")
        #expect(service.calls.all == [])
    }

    @Test("an unknown source is told with the nearest known one")
    func unknownSource() throws {
        let report = try Workbench().failure { $0.source = "fak" }
        #expect(report.text == "ythost: there is no source 'fak'\n  hint: did you mean 'fake'?")
        #expect(report.code == .usage)
    }

    @Test("a search without words is told to have nothing to search for", arguments: [[], [""], [" ", "  "]])
    func nothing(words: [String]) throws {
        let report = try Workbench().failure(arguments: words)
        #expect(
            report.text == "ythost: nothing to search for\n  hint: give words, or read records with --input FILE or -")
    }

    @Test("a source that was not chosen is said once, whatever is searched")
    func notChosen() throws {
        let bench = try Workbench([SampleService()])
        _ = try bench.run(plugin: "yt.search('a'):count() yt.search('b'):count()", arguments: []) { $0.source = nil }
        #expect(bench.log == ["warning: no key is configured: searching the bundled sample library (--source chooses)"])
    }

    @Test("what to do about an answer that is none depends on who gave it: a program of this machine, or a server")
    func hints() {
        func hint(_ service: String) -> String? {
            ErrorReport(ServiceError.badAnswer(service: service, reason: "it is no JSON")).hint
        }
        #expect(hint(YtDlpService.name)?.contains("yt-dlp --version") == true)
        #expect(hint(YtDlpService.name)?.contains("proxy") == false)
        #expect(hint("peertube")?.contains("proxy") == true && hint("feed") == nil)
    }

    @Test("an answer that is no JSON names the source")
    func badAnswer() throws {
        let service = FakeService(pages: ["": .init(rows: [#""id":"#])])
        let bench = try Workbench([service])
        #expect(try bench.failure { $0.template = "{id}" }.message.hasPrefix("the answer of fake cannot be read: "))
    }
}
