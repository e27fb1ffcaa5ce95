// Options: their declaration, their values on a command line, and the words between them.

import Testing

@testable import Basics
@testable import HostErrors
@testable import Packages
@testable import Pipeline
@testable import YTHost

@Suite struct PluginOptionTests {
    /// The message for a plugin with these options.
    private func problem(_ options: String) throws -> ErrorReport {
        try Workbench().failure(plugin: "return {\n  filter = print,\n  options = \(options),\n}")
    }

    @Test(
        "a declaration that is wrong is told at its line",
        arguments: [
            ("{ min = {} }", "option 'min' is written {type = …, help = …}"),
            ("{ min = { help = 'x' } }", "option 'min' has no type"),
            (
                "{ min = { type = 'int' } }",
                "option 'min' has an unknown type 'int'; known: string, integer, number, boolean, duration, date, enum, list"
            ),
            ("{ min = { type = 'intger' } }", "option 'min' has an unknown type 'intger'; did you mean 'integer'?"),
            (
                "{ min = { type = 'integer', defalt = 5 } }",
                "option 'min' has an unknown key 'defalt'; did you mean 'default'?"
            ),
            ("{ min = 'integer' }", "option 'min' is written {type = …, help = …}"),
            ("{ how = { type = 'enum' } }", "option 'how' is an enum without values = {…}"),
            ("{ how = { type = 'enum', values = {} } }", "option 'how' is an enum without values = {…}"),
            ("{ how = { type = 'string', values = { 'a' } } }", "option 'how' has values, but is no enum"),
            (
                "{ how = { type = 'enum', values = { 'up', 'down' }, default = 'side' } }",
                "option 'how': its default does not fit: 'side' is not one of up, down"
            ),
            (
                "{ min = { type = 'integer', default = 'x' } }",
                "option 'min': its default does not fit: 'x' is not a whole number"
            ),
            (
                "{ min = { type = 'integer', default = 1.5 } }",
                "option 'min': its default does not fit: the value is not of type integer"
            ),
            (
                "{ min = { type = 'integer', default = 5, max = 4 } }",
                "option 'min': its default does not fit: 5 is over the most, 4"
            ),
            (
                "{ min = { type = 'duration', default = '1m', min = '2m' } }",
                "option 'min': its default does not fit: 1m is under the least, 2:00"
            ),
            (
                "{ min = { type = 'duration', default = 1, min = math.maxinteger } }",
                "option 'min': its default does not fit: 1 is under the least, 2562047788015215:30:07"
            ),
            (
                "{ min = { type = 'duration', default = -1 } }",
                "option 'min': its default does not fit: a duration is not negative"
            ),
            (
                "{ min = { type = 'date', default = 'soon' } }",
                "option 'min': its default does not fit: 'soon' is not a date; write 2024-07-01 or 2024-07-01T12:00:00Z"
            ),
            (
                "{ min = { type = 'boolean', default = 'maybe' } }",
                "option 'min': its default does not fit: 'maybe' is not true or false"
            ),
            ("{ min = { type = 'boolean', min = 1 } }", "option 'min' has min, but a boolean has no range"),
            ("{ min = { type = 'string', max = 1 } }", "option 'min' has max, but a string has no range"),
            (
                "{ fetch = { type = 'integer' } }",
                "option 'fetch' has the name of a flag of ythost itself; choose another"
            ),
            (
                "{ fail_empty = { type = 'boolean' } }",
                "option 'fail_empty' has the name of a flag of ythost itself; choose another"
            ),
            (
                "{ allow = { type = 'string' } }",
                "option 'allow' has the name of a flag of ythost itself; choose another"
            ),
            (
                "{ Min = { type = 'string' } }",
                "option 'Min' must be lower-case letters, digits and _, beginning with a letter"
            ),
            (
                "{ ['2x'] = { type = 'string' } }",
                "option '2x' must be lower-case letters, digits and _, beginning with a letter"
            ),
            (
                "{ ['a-b'] = { type = 'string' } }",
                "option 'a-b' must be lower-case letters, digits and _, beginning with a letter"
            ),
            (
                "{ ['é'] = { type = 'string' } }",
                "option 'é' must be lower-case letters, digits and _, beginning with a letter"
            ),
            (
                "{ [''] = { type = 'string' } }",
                "option '' must be lower-case letters, digits and _, beginning with a letter"
            ),
            ("{ 'min' }", "options is written {name = {type = …, default = …, help = …}}"),
            ("'min'", "options is written {name = {type = …, default = …, help = …}}"),
        ])
    func wrongDeclaration(options: String, message: String) throws {
        let report = try problem(options)
        #expect(report.message == message)
        #expect(report.file == "mine.lua")
        #expect(report.code == .plugin)
    }

    @Test("a wrong option is told at the line that has its name")
    func line() throws {
        let report = try problem("{\n    good = { type = 'string' },\n    bad = { type = 'sting' },\n  }")
        #expect(report.line == 5)
        #expect(report.sourceLine == "    bad = { type = 'sting' },")
    }

    @Test("defaults are in the unit of the type, and options without one are unknown")
    func defaults() throws {
        let bench = try Workbench()
        try bench.write(
            "all.lua",
            """
            return { filter = print, options = {
              a = { type = "string", default = "x" }, b = { type = "integer", default = 5, min = 1, max = 9 },
              c = { type = "number", default = 1 }, d = { type = "boolean", default = false },
              e = { type = "duration", default = "1h" }, f = { type = "date", default = "2024-01-01" },
              g = { type = "enum", values = { "x", "y" }, default = "y" }, h = { type = "list", default = "p,q" },
              i = { type = "list", default = { "p" } }, j = { type = "string", help = "H" }, k = { type = "list", default = "" },
              l = { type = "duration", default = 90 },
            } }
            """)
        let options = try bench.host.manifest(of: "all").options
        #expect(options.map(\.name).joined() == "abcdefghijkl")
        #expect(
            options.map(\.shownFallback) == [
                "x", "5", "1", "false", "1:00:00", "2024-01-01", "y", "p,q", "p", nil, "", "1:30",
            ])
        #expect(options[4].fallback == .integer(3600))
        #expect(options[5].fallback == .integer(1_704_067_200))
        #expect(options[9].help == "H")
    }

    private static let plugin = """
        return {
          options = {
            min = { type = "duration", default = "10m", min = "1m", max = "2h", help = "the shortest" },
            n = { type = "integer", min = 1, max = 10 }, x = { type = "number", min = 0.5 }, on = { type = "boolean" },
            how = { type = "enum", values = { "up", "down" } }, per_day = { type = "boolean" },
            day = { type = "date", min = "2020-01-01" }, words = { type = "list" }, s = { type = "string" },
          },
          run = function(ctx, opt)
            for name, value in yt.pairs(opt) do ctx.out:write(name, "=", yt.json.encode(value), " ") end
            ctx.out:write("| ", table.concat(ctx.args, ","))
          end,
        }
        """

    @Test(
        "flags stand anywhere among the words, with a space or =",
        arguments: [
            ([], "min=600 | "), (["a", "--min", "5m", "b"], "min=300 | a,b"), (["--min=1:00:00", "a"], "min=3600 | a"),
            (["--n", "5", "--n", "6"], "min=600 n=6 | "), (["--on"], "min=600 on=true | "),
            (["--no-on", "x"], "min=600 on=false | x"), (["--on=false"], "min=600 on=false | "),
            (["--on=yes", "--per-day"], "min=600 on=true per_day=true | "),
            (["--no-per-day"], "min=600 per_day=false | "),
            (["--how", "up"], #"how="up" min=600 | "#), (["--words", "a,b,,c"], #"min=600 words=["a","b","","c"] | "#),
            (["--words="], "min=600 words=[] | "), (["--s=", "w"], #"min=600 s="" | w"#),
            (["--s", "--n"], #"min=600 s="--n" | "#), (["--", "--min", "5m"], "min=600 | --min,5m"),
            (["--x=2.5"], "min=600 x=2.5 | "), (["--x=1"], "min=600 x=1.0 | "), (["-x", "-"], "min=600 | -x,-"),
            (["--day=2024-01-01"], "day=1704067200 min=600 | "), (["--s=a=b"], #"min=600 s="a=b" | "#),
        ] as [([String], String)])
    func flags(arguments: [String], output: String) throws {
        #expect(try Workbench().run(plugin: Self.plugin, arguments: arguments).text == output)
    }

    @Test(
        "a flag that does not fit says what would",
        arguments: [
            (["--min"], "--min needs a value", "the shortest"),
            (["--min", "soon"], "--min: 'soon' is not a duration; write 90, 20m, 1h30m or 1:05:00", "the shortest"),
            (["--min=30"], "--min: 30 is under the least, 1:00", "the shortest"),
            (["--min=3h"], "--min: 3h is over the most, 2:00:00", "the shortest"),
            (["--n=0"], "--n: 0 is under the least, 1", nil), (["--n=11"], "--n: 11 is over the most, 10", nil),
            (["--n=1.5"], "--n: '1.5' is not a whole number", nil), (["--x=nan"], "--x: 'nan' is not a number", nil),
            (["--x=0.1"], "--x: 0.1 is under the least, 0.5", nil), (["--x="], "--x: '' is not a number", nil),
            (["--on=maybe"], "--on: 'maybe' is not true or false", nil),
            (["--how=upp"], "--how: 'upp' is not one of up, down; did you mean 'up'?", nil),
            (["--day=1999-01-01"], "--day: 1999-01-01 is under the least, 2020-01-01", nil),
            (["--day=x"], "--day: 'x' is not a date; write 2024-07-01 or 2024-07-01T12:00:00Z", nil),
            (["--mni", "5"], "unknown flag --mni; did you mean '--min'?", nil),
            (["--pre-day"], "unknown flag --pre-day; did you mean '--per-day'?", nil),
            (["--fecth=5"], "unknown flag --fecth; did you mean '--fetch'?", nil),
            (
                ["--no-min"], "unknown flag --no-min",
                "mine has --day, --how, --min, --n, --on, --per-day, --s, --words, --x"
            ),
        ] as [([String], String, String?)])
    func wrongFlag(arguments: [String], message: String, hint: String?) throws {
        let report = try Workbench().failure(plugin: Self.plugin, arguments: arguments)
        #expect(report.message == message)
        #expect(report.hint?.replacing("FOLDER/", with: "").replacing("mine.lua", with: "mine") == hint)
        #expect(report.code == .usage)
    }

    @Test(
        "settings behind a colon are read as flags are",
        arguments: [
            ("mni", "5m", "unknown option 'long:mni'; did you mean 'min'?"),
            ("min", "x", "long:min: 'x' is not a duration; write 90, 20m, 1h30m or 1:05:00"),
            ("colour", "x", "unknown option 'long:colour'"),
        ])
    func settings(name: String, value: String, message: String) throws {
        let report = try Workbench().failure { $0.stages = [.plugin("long", settings: [(name, value)])] }
        #expect(report.message == message)
    }

    @Test("a plugin without options says so when it is given one")
    func none() throws {
        let report = try Workbench().failure(plugin: "return { filter = print }", arguments: ["--zzz"])
        #expect(report.message == "unknown flag --zzz")
        #expect(report.hint == "mine.lua has no options of its own; `ythost run --help` lists ythost's")
    }
}
