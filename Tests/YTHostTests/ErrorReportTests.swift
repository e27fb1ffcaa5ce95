// Facts about failures become words, JSON and exit codes in one place.

import Testing

@testable import Files
@testable import Gate
@testable import HostErrors
@testable import Pipeline
@testable import VideoServices

@Suite struct ErrorReportTests {
    @Test(
        "a report is written as lines that a terminal can show",
        arguments: [
            (ErrorReport(code: .usage, kind: "usage", message: "no"), "ythost: no"),
            (ErrorReport(code: .plugin, kind: "plugin", message: "no", file: "a.lua"), "ythost: a.lua: no"),
            (
                ErrorReport(
                    code: .plugin, kind: "plugin", message: "a\u{1B}[31mb\nc\u{202E}d", file: "a.lua", line: 3,
                    sourceLine: "\tx\u{7}", hint: "h", trace: ["a.lua:3", "a.lua:9 in f"]),
                "ythost: a.lua:3: ab cd\n  3 | x\n  hint: h\n  at a.lua:3\n  at a.lua:9 in f"
            ),
        ])
    func text(report: ErrorReport, text: String) {
        let shown = report.text
        #expect(shown.unicodeScalars.allSatisfy { $0.value >= 32 || $0 == "\n" })
        #expect(shown.split(separator: "\n").count == text.split(separator: "\n").count)
        if report.line == nil { #expect(shown == text) }
    }

    @Test("as JSON a report has what is known, and the exit code")
    func json() {
        let report = ErrorReport(
            code: .plugin, kind: "plugin", message: "a \"b\"", file: "a.lua", line: 3, sourceLine: "x", hint: "h",
            trace: ["a.lua:3"])
        #expect(
            report.json
                == #"{"error":{"kind":"plugin","message":"a \"b\"","file":"a.lua","line":3,"source_line":"x","hint":"h","trace":["a.lua:3"],"exit":1}}"#
        )
        #expect(
            ErrorReport(code: .usage, kind: "usage", message: "m").json
                == #"{"error":{"kind":"usage","message":"m","exit":2}}"#)
        #expect(ErrorReport.json(level: .info, "t") == #"{"log":{"level":"info","message":"t"}}"#)
    }

    @Test(
        "each failure has its exit code",
        arguments: [
            (HostError.usage("x"), 2), (.pluginNotFound(name: "x", looked: []), 2),
            (.moduleNotFound(name: "x", looked: []), 1),
            (.badPlugin(plugin: "x", position: nil, problem: "p", hint: nil), 1),
            (.service(.emptyQuery(service: "s")), 2), (.unknownSource(name: "x", known: []), 2),
            (.cannotRead(path: "p", reason: "r"), 2), (.cannotWrite(path: "p", reason: "r"), 1), (.nothingMatched, 7),
        ] as [(HostError, Int32)])
    func codes(error: HostError, code: Int32) {
        #expect(error.report?.code.rawValue == code)
    }

    @Test("a reader that is gone is no failure")
    func readerGone() {
        #expect(HostError.readerGone.report == nil)
    }

    @Test(
        "what a service cannot do names it and what it can",
        arguments: [
            (
                ServiceError.optionNotHonoured(service: "s", option: .region), "the source 's' cannot honour --region",
                "leave it out, or choose another --source; `ythost sources` shows what each one honours"
            ),
            (
                .valueNotHonoured(service: "s", option: .order, value: "views", possible: ["date", "title"]),
                "the source 's' cannot honour --order views", "it can do date, title"
            ),
            (
                .valueNotHonoured(service: "s", option: .order, value: "views", possible: []),
                "the source 's' cannot honour --order views", nil
            ),
            (
                .emptyQuery(service: "s"), "there is nothing to search for in 's'",
                "give at least one word that is not excluded"
            ),
        ] as [(ServiceError, String, String?)])
    func service(error: ServiceError, message: String, hint: String?) {
        let report = HostError.service(error).report
        #expect(report?.message == message)
        #expect(report?.hint == hint)
    }

    // MARK: values on a command line

    @Test(
        "a search option that does not fit says what would",
        arguments: [
            ("ordr", "date", "there is no search option 'ordr'; did you mean 'order'?"),
            (
                "order", "dat",
                "--order: 'dat' is not one of relevance, date, views, rating, title, videos; did you mean 'date'?"
            ),
            (
                "after", "soon",
                "--after: 'soon' is no date; write 2024-07-01, 2024-07-01T12:00:00Z, or an age such as 7d, 2w or 3mo"
            ),
        ])
    func searchOption(name: String, value: String, message: String) {
        var request = RunRequest()
        do {
            try request.set(searchOption: name, to: value)
            Issue.record("it was taken")
        } catch { #expect(error.report?.message == message) }
    }

    @Test(
        "a time zone that is not there is told, and no path is one",
        arguments: ["Europe/Berln", "", "../../etc/passwd", "/etc/passwd", "Europe"])
    func zone(name: String) {
        do {
            _ = try TimeZones.rules(of: name)
            Issue.record("it was taken")
        } catch { #expect(error.report?.message == "there is no time zone '\(name)'") }
    }

    @Test(
        "a file's suffix chooses the format",
        arguments: [
            ("a.csv", "csv"), ("dir.x/a.HTML", "html"), ("feed.xml", "rss"), ("a.b.txt", "table"),
            ("a.ndjson", "jsonl"), ("a.zip", nil),
            ("csv", nil), (".csv", nil), ("dir.csv/a", nil),
        ] as [(String, String?)])
    func suffix(path: String, format: String?) {
        #expect(Formats.suffix(ofFile: path).flatMap(Formats.format(ofSuffix:)) == format)
    }
}
