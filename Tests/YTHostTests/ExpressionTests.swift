// `--where` and `--by`: Lua expressions over the fields, in which unknown never matches.

import Testing

@testable import HostErrors
@testable import Pipeline

@Suite struct ExpressionTests {
    /// Rows that know all, some, and nothing.
    private static var service: FakeService {
        .rows(
            #""id":"a","title":"Lua","duration":100,"views":10,"published":"2023-11-04T00:00:00Z","tags":["x"],"channel":{"title":"C"},"extra":{"n":1}"#,
            #""id":"b","title":"swift","duration":200,"published":"2023-11-14T21:00:00Z""#, #""id":"c","views":30"#)
    }

    private func kept(_ expression: String) throws -> (String, [String]) {
        let outcome = try Workbench([Self.service]).run {
            $0.template = "{id}"
            $0.stages = [.keep(expression: expression)]
        }
        return (outcome.lines.joined(), outcome.log)
    }

    private func failure(_ expression: String) throws -> ErrorReport {
        try Workbench([Self.service]).failure {
            $0.template = "{id}"
            $0.stages = [.keep(expression: expression)]
        }
    }

    @Test(
        "an expression keeps the videos for which it is true",
        arguments: [
            ("true", "abc"), ("nil", ""), ("0", "abc"), ("id == 'b'", "b"), ("title:find('Lua')", "a"),
            ("title:upper() == 'SWIFT'", "b"), ("#tags == 1", "a"), ("channel.title == 'C'", "a"),
            ("get('views', 0) < 20", "ab"), ("get('tags', {})[1] ~= 'x'", "bc"), ("video.id == 'c'", "c"),
            ("video:get('duration', 5) == 5", "c"), ("extra.n == 1", "a"), ("kind == 'video' -- all", "abc"),
            ("yt.text.fold(title) == 'lua'", "a"), ("math.max(duration, 150) == 150", "a"), ("live == nil", "abc"),
            ("video.live == nil", "abc"), ("age > 864000", "a"), ("age_days < 1", "b"),
            ("age_days >= 10 and age_days < 11", "a"),
            ("published > 1699920000", "b"), ("\n  duration\n  > 150\n", "b"), ("(views)", "ac"),
            ("not (views > 15)", "a"), ("not short", "abc"), ("views == nil", "b"), ("duration ~= 5 or true", "abc"),
            ("views and views > 5 or (duration or 0) > 150", "abc"), ("duration > 2m", "b"), ("duration > 1m30s", "ab"),
            ("published > 2023-11-14", "b"), ("published < 2023-11-14T21:00:00Z", "a"), ("age < 1d", "b"),
            ("views >= 0.01k", "ac"), ("views > 0.01k", "c"), ("channel == 'C'", "a"), ("'C' == channel", "a"),
            ("channel ~= 'C'", "bc"), ("channel == nil", "bc"), ("id == '2m' or id == \"b\"", "b"),
            ("0x10 == 16 and 1e1 == 10 and 1 ..2 == '12'", "abc"), ("title == [[Lua]]", "a"),
        ])
    func keeps(expression: String, rows: String) throws {
        #expect(try kept(expression).0 == rows)
    }

    @Test("an unknown field never matches, whatever is asked of it, and is counted")
    func unknown() throws {
        #expect(try kept("duration < 1000") == ("ab", ["warning: --where dropped 1 video whose duration is unknown"]))
        #expect(try kept("not (duration > 1000)").0 == "ab")
        #expect(try kept("title:lower() ~= ''").1 == ["warning: --where dropped 1 video whose title is unknown"])
        #expect(
            try kept("channel.title:find('C')") == ("a", ["warning: --where dropped 2 videos whose channel is unknown"])
        )
        #expect(try kept("video.views > 5").0 == "ac")
        #expect(try kept("age > 0").1 == ["warning: --where dropped 1 video whose published is unknown"])
    }

    @Test(
        "a mistake shows the expression",
        arguments: [
            ("durtion > 5", "there is no field 'durtion'; did you mean 'duration'?"),
            ("ages > 5", "there is no field 'ages'; did you mean 'age'?"),
            ("duration >", "unexpected symbol near <eof>"),
            ("duration > 5)", "<eof> expected near ')'"),
            ("id > 5", "attempt to compare number with string"), ("error('mine')", "mine"),
            ("title = 'x'", "<eof> expected near '='"),
            ("video.titel", "a video has no field 'titel'; did you mean 'title'?"),
            ("get('titel')", "get(field, default) takes the name of a field"),
            ("yt.text.width()", "bad argument #1 to 'yt.text.width' (text): string expected, got no value"),
            ("require 'nothing'", "there is no module 'nothing'"),
            ("duration > 20x", "--where: '20x' is neither a number, a duration, a date nor a count"),
            ("string.nothing('x')", "attempt to use a value that is nil"),
        ])
    func mistakes(expression: String, message: String) throws {
        let report = try failure(expression)
        #expect(report.message == message)
        #expect(report.code == (expression.hasPrefix("require") ? .plugin : .usage))
        if report.kind != "module-not-found", report.file != nil {
            #expect(report.file == "--where" && report.line == 1)
            #expect(report.sourceLine == expression)
        }
    }

    @Test("the whole text of a mistake")
    func text() throws {
        #expect(
            try failure("durtion > 5").text == """
                ythost: --where:1: there is no field 'durtion'; did you mean 'duration'?
                  1 | durtion > 5
                """)
    }

    @Test("a time before the clock's reach has an age")
    func extremeAge() throws {
        let bench = try Workbench([FakeService.rows(#""id":"a""#, #""id":"b""#)])
        try bench.write(
            "old.lua",
            """
            return { map = function(v) v.published = v.id == 'a' and math.mininteger or math.maxinteger return v end }
            """)
        let outcome = try bench.run {
            $0.stages = [.plugin("old", settings: [])]
            $0.template = "{age} {age_days > 1} {published:ago} {published:date}"
        }
        #expect(outcome.lines.count == 2)
        #expect(outcome.lines[0].hasPrefix("9223372036854775807 true "))
        #expect(outcome.lines[1].hasPrefix("0 false "))
    }

    @Test("expressions see what stages before them made, and run in their place")
    func order() throws {
        let bench = try Workbench()
        try bench.write("more.lua", "return { map = function(v) v.views = v.views + 5 return v end }")
        let outcome = try bench.run {
            $0.template = "{id}"
            $0.stages = [
                .keep(expression: "views < 3"), .plugin("more", settings: []), .keep(expression: "views == 7"),
            ]
        }
        #expect(outcome.text == "b\n")
    }

    // MARK: --by

    @Test(
        "numbers sort high to low, text A to Z, unknown last, equal ones as they were",
        arguments: [
            ("views", "cab"), ("-views", "acb"), ("title", "abc"), ("title == 'swift' and 'A' or 'B'", "bac"),
            ("views / 0", "acb"), ("0/0", "abc"), ("nil", "abc"), ("true", "abc"), ("5", "abc"), ("id", "abc"),
            ("get('views', 20)", "cba"), ("video", "abc"), ("duration", "bac"), ("-title", "bac"),
            ("live, -views", "acb"), ("kind, -id", "cba"), ("-duration + 0", "abc"), ("-(duration)", "abc"),
            ("math.min(views, 10), -id", "cab"), ("channel.title, -views", "acb"),
        ])
    func by(expression: String, rows: String) throws {
        let outcome = try Workbench([Self.service]).run {
            $0.template = "{id}"
            $0.stages = [.order(expression: expression)]
        }
        #expect(outcome.lines.joined() == rows)
    }

    @Test("an order of numbers and text at once is refused")
    func mixed() throws {
        let report = try Workbench().failure { $0.stages = [.order(expression: "views < 5 and views or id")] }
        #expect(report.text == "ythost: --by: the expression is a number for some videos and text for others")
        #expect(report.code == .usage)
    }

    @Test("a mistake in --by shows the expression")
    func byMistake() throws {
        let report = try Workbench().failure { $0.stages = [.order(expression: "veiws")] }
        #expect(
            report.text == "ythost: --by:1: there is no field 'veiws'; did you mean 'views'?\n  1 | veiws")
    }
}
