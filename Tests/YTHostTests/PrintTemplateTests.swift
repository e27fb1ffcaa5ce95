// `--print`: a line a record, from a template with expressions in braces.

import Testing

@testable import Files
@testable import HostErrors
@testable import Pipeline

@Suite struct PrintTemplateTests {
    private static var service: FakeService {
        .rows(
            #""id":"a","title":"A\u001b[31m \"b\"\nc","duration":3900,"views":3170000,"published":"2023-11-14T21:00:00Z","live":false,"tags":["x","y"],"channel":{"title":"C"},"regions":{"blocked":["DE"]},"score":1.5"#
        )
    }

    private func line(_ template: String, _ change: (inout RunRequest) -> Void = { _ in }) throws -> String {
        var text = try Workbench([Self.service]).run {
            $0.template = template
            change(&$0)
        }.text
        #expect(text.last == "\n")
        if text.last == "\n" { text.removeLast() }
        return text
    }

    private func failure(_ template: String) throws -> ErrorReport {
        try Workbench([Self.service]).failure { $0.template = template }
    }

    @Test(
        "values are written fit for one line, unknown ones as -",
        arguments: [
            ("", ""), ("plain", "plain"), ("{id}", "a"), ("[{id}|{id}]", "[a|a]"), ("{title}", "A \"b\" c"),
            ("{likes}", "-"), ("{likes + 1}", "-"), ("{nil}", "-"), ("{live}", "false"), ("{score}", "1.5"),
            ("{2.0}", "2.0"),
            ("{tags}", "x, y"), ("{channel}", "C"), ("{channel.title}", "C"), ("{channel.id}", "-"),
            ("{regions}", #"{"blocked":["DE"]}"#),
            ("{views * 2}", "6340000"), ("{#tags}", "2"), ("{{}}", "[]"), ("{{1, {2}}}", "[1,[2]]"),
            ("{({ a = 1 }).a}", "1"),
            ("{get('likes', 0)}", "0"), ("{video.id .. '!'}", "a!"), ("{title:sub(1, 1)}", "A"), ("{id:upper()}", "A"),
            ("{id:rep(2):upper()}", "AA"), ("{title:gsub('%c', '')}", "A[31m \"b\"c"), ("{('%d'):format(5)}", "5"),
            ("{id -- all}", "a"),
        ])
    func values(template: String, line: String) throws {
        #expect(try self.line(template) == line)
    }

    @Test(
        "a form behind a colon says how a value is written",
        arguments: [
            ("{published:date}", "2023-11-14"), ("{published:rfc3339}", "2023-11-14T21:00:00Z"),
            ("{published:rfc822}", "Tue, 14 Nov 2023 21:00:00 GMT"), ("{published:ago}", "1 hour ago"),
            ("{published:%H:%M on %d.%m.}", "21:00 on 14.11."), ("{published + 3600:%H:%M}", "22:00"),
            ("{duration:duration}", "1:05:00"), ("{duration / 2:duration}", "32:30"), ("{duration/7:duration}", "9:17"),
            ("{views:grouped}", "3,170,000"), ("{views:compact}", "3.2M"), ("{likes:grouped}", "-"),
            ("{nil:date}", "-"),
            ("{get('likes', 5):grouped}", "5"), ("{starts:%H:%M}", "-"),
        ])
    func forms(template: String, line: String) throws {
        #expect(try self.line(template) == line)
    }

    @Test(
        "a backslash writes tabs, line ends, braces and itself",
        arguments: [
            (#"{id}\t{id}"#, "a\ta"), (#"a\nb"#, "a\nb"), (#"\{id\}"#, "{id}"), (#"\\"#, #"\"#), (#"\x"#, "x"),
            (#"a\"#, #"a\"#),
            ("}", "}"),
        ])
    func escapes(template: String, line: String) throws {
        #expect(try self.line(template) == line)
    }

    @Test(
        "a mistake is told before anything is written",
        arguments: [
            ("{id", "--print: a { without its }"), ("{{id}", "--print: a { without its }"),
            ("{published:dat}", "--print: unknown form 'dat'; did you mean 'date'?"),
            (
                "{published:long}",
                "--print: unknown form 'long'; known: date, rfc3339, rfc822, ago, duration, grouped, compact"
            ),
            ("{titel}", "there is no field 'titel'; did you mean 'title'?"), ("{}", "unexpected symbol near ')'"),
            ("{id id}", "<eof> expected near 'id'"),
            ("{title:date}", "--print: a string cannot be written as a time, duration or count"),
            ("{tags:grouped}", "--print: a table cannot be written as a time, duration or count"),
            ("{views / 0:grouped}", "--print: inf cannot be written as a time, duration or count"),
            ("{0/0:date}", "--print: -nan cannot be written as a time, duration or count"),
            ("{1e300:duration}", "--print: 1e+300 cannot be written as a time, duration or count"),
            ("{print}", "--print: a function cannot be printed"),
        ])
    func mistakes(template: String, message: String) throws {
        #expect(try failure(template).message == message)
    }

    @Test("a mistake in an expression shows it")
    func shown() throws {
        #expect(
            try failure("{id}: {titel}").text
                == "ythost: --print:1: there is no field 'titel'; did you mean 'title'?\n  1 | titel")
        #expect(try failure("{id").text == "ythost: --print: a { without its }\n  hint: \\{ is a plain brace")
    }

    @Test("times are written in the zone that was asked for")
    func zone() throws {
        let zone = try TimeZones.rules(of: "Asia/Tokyo")
        #expect(try line("{published:%d. %H:%M}") { $0.zone = zone } == "15. 06:00")
    }
}
