// What goes wrong, what is said about it, and the exit code, one row each.

import Foundation
import Testing

/// A run that fails: its exit code, and what standard error says.
struct FailureRow: CustomTestStringConvertible, Sendable {
    var claim: String
    var code: Int32
    var arguments: [String]
    /// The text of a plugin; its path stands for PLUGIN in arguments.
    var plugin: String?
    var input: String?
    var says: [String]
    var testDescription: String { claim }

    init(
        _ claim: String, _ code: Int32, _ arguments: [String], plugin: String? = nil, input: String? = nil,
        says: [String]
    ) {
        (self.claim, self.code, self.arguments) = (claim, code, arguments)
        (self.plugin, self.input, self.says) = (plugin, input, says)
    }
}

@Suite struct FailureTests {
    static let usage: [FailureRow] = [
        .init("an unknown command", 2, ["rum", "x"], says: ["there is no command 'rum'; did you mean 'run'?"]),
        .init(
            "a plugin that is not there, with where it was looked for", 2, ["run", "nosuch", "x"],
            says: ["there is no plugin 'nosuch'", "/nonexistent/.local/share/ythost/plugins", "/plugins;"]),
        .init("a misspelt plugin", 2, ["run", "rs", "x"], says: ["there is no plugin 'rs'; did you mean 'rss'?"]),
        .init(
            "a plugin file that is not there", 2, ["run", "./no.lua", "x"],
            says: ["'./no.lua'", "looked for: ./no.lua"]),
        .init(
            "a bare name is not looked for in the current folder", 2, ["run", "Package", "x"],
            says: ["there is no plugin 'Package'"]),
        .init("no plugin", 2, ["run"], says: ["run needs a plugin"]),
        .init(
            "a misspelt flag of ythost", 2, ["search", "x", "--souce", "y"],
            says: ["unknown flag --souce; did you mean '--source'?"]),
        .init(
            "a misspelt flag of a plugin", 2, ["run", "rss", "x", "--tittle", "y"],
            says: ["unknown flag --tittle; did you mean '--title'?"]),
        .init(
            "a flag of nobody", 2, ["run", "table", "x", "--frobnicate"],
            says: [
                "unknown flag --frobnicate",
                "table has --columns, --dates, --group, --header, --numbers, --thumbnails, --width",
            ]),
        .init(
            "a misspelt option behind a colon", 2, ["run", "ids", "x", "-p", "long:mim=3"],
            says: ["unknown option 'long:mim'; did you mean 'min'?"]),
        .init("an option without its value", 2, ["run", "ids", "x", "-p", "long:5"], says: ["NAME:OPTION=VALUE"]),
        .init("a letter that is no flag", 2, ["search", "-z"], says: ["unknown flag -z", "put -- before"]),
        .init("a flag without its value", 2, ["search", "x", "--take"], says: ["--take needs a value"]),
        .init(
            "a value that is no number", 2, ["search", "x", "--take", "0"], says: ["'0' is not a whole number from 1"]),
        .init(
            "a value for a flag that takes none", 2, ["search", "x", "--strict=yes"], says: ["--strict takes no value"]),
        .init("a value out of range", 2, ["run", "table", "x", "--width", "3"], says: ["3 is under the least, 20"]),
        .init(
            "a value that is no duration", 2, ["run", "long", "x", "--min", "soon"],
            says: ["'soon' is not a duration", "1h30m"]),
        .init(
            "a word that is none of the choices", 2, ["search", "x", "--order", "sideways"],
            says: ["'sideways' is not one of relevance"]),
        .init(
            "an unknown source", 2, ["search", "x", "--source", "sampel"],
            says: ["there is no source 'sampel'", "sample"]),
        .init(
            "an option the source cannot honour", 2, ["search", "x", "--region", "DE"],
            says: ["the source 'sample' cannot honour --region"]),
        .init(
            "an unknown time zone", 2, ["search", "x", "--tz", "Mars/Olympus"],
            says: ["there is no time zone 'Mars/Olympus'"]),
        .init("no words", 2, ["search"], says: ["nothing to search for"]),
        .init("an empty query", 2, ["search", ""], says: ["nothing to search for"]),
        .init("a query of blanks", 2, ["run", "table", " \t"], says: ["nothing to search for"]),
        .init("standard input twice", 2, ["run", "table", "-", "-"], says: ["standard input can be read only once"]),
        .init(
            "standard input twice, once as --input", 2, ["run", "table", "-i", "-", "-"],
            says: ["standard input can be read only once"]),
        .init("words and an input", 2, ["run", "table", "x", "-"], says: ["both an input and words"]),
        .init(
            "two formats", 2, ["run", "table", "x", "-p", "csv"], says: ["two plugins write the output: table and csv"]),
        .init("--print and a format", 2, ["run", "table", "x", "--print", "{id}"], says: ["both --print and table"]),
        .init(
            "--strict without an input", 2, ["search", "x", "--strict"], says: ["--as and --strict are about inputs"]),
        .init("an input that is not there", 2, ["parse", "no.json"], says: ["cannot read no.json: No such file"]),
        .init(
            "a folder of other things as an input", 2, ["parse", "plugins"],
            says: ["nothing that was found is of a format that is read here: plugins/", "--as FORMAT"]),
        .init("an unknown input format", 2, ["parse", "-", "--as", "yotube"], says: ["yotube", "youtube"]),
        .init("no file to parse", 2, ["parse"], says: ["parse needs a file"]),
        .init("help on nothing there is", 2, ["help", "serach"], says: ["did you mean 'search'?"]),
        .init("help on a misspelt function", 2, ["help", "api", "serch"], says: ["did you mean 'search'?"]),
        .init("words after version", 2, ["version", "x"], says: ["version takes no words"]),
        .init("an unknown word after plugin", 2, ["plugin", "lst"], says: ["did you mean 'plugin list'?"]),
        .init(
            "a form of errors that is not there", 2, ["search", "x", "--errors", "xml"],
            says: ["'xml' is not one of text, json"]),
    ]

    static let plugins: [FailureRow] = [
        .init(
            "a syntax error, with its line", 1, ["run", "PLUGIN", "x"],
            plugin: "local a = 1\nreturn { filter = functon() end }\n",
            says: ["PLUGIN:2: ", "2 | return { filter = functon() end }"]),
        .init(
            "an unknown role", 1, ["run", "PLUGIN", "x"], plugin: "return { filtr = function() end }",
            says: ["unknown role or key 'filtr'; did you mean 'filter'?"]),
        .init(
            "no role", 1, ["run", "PLUGIN", "x"], plugin: "return { summary = 'x' }",
            says: ["a plugin has at least one role"]),
        .init(
            "something else than a table", 1, ["run", "PLUGIN", "x"], plugin: "return 3",
            says: ["this returned a number"]),
        .init(
            "a role that is no function", 1, ["run", "PLUGIN", "x"], plugin: "return { filter = 3 }",
            says: ["'filter' must be a function, it is a number"]),
        .init(
            "an option with the name of a flag of ythost", 1, ["run", "PLUGIN", "x"],
            plugin: "return { options = { where = { type = 'string' } }, filter = function() return true end }",
            says: ["option 'where' has the name of a flag of ythost itself"]),
        .init(
            "an option of a type there is not", 1, ["run", "PLUGIN", "x"],
            plugin: "return { options = { x = { type = 'sting' } }, filter = function() return true end }",
            says: ["unknown type 'sting'; did you mean 'string'?"]),
        .init(
            "an option's default out of its range", 1, ["run", "PLUGIN", "x"],
            plugin:
                "return { options = { x = { type = 'integer', min = 3, default = 2 } }, filter = function() return true end }",
            says: ["its default does not fit: 2 is under the least, 3"]),
        .init(
            "a field there is not among those it reads", 1, ["run", "PLUGIN", "x"],
            plugin: "return { fields = {'duraton'}, filter = function() return true end }",
            says: ["did you mean 'duration'?"]),
        .init(
            "a version of the API to come", 1, ["run", "PLUGIN", "x"],
            plugin: "return { api = 99, filter = function() return true end }", says: ["version 99", "update ythost"]),
        .init(
            "a misspelt field", 1, ["run", "PLUGIN", "programming"],
            plugin: "return { filter = function(v)\n  return v.duraton\nend }",
            says: ["PLUGIN:2: ", "no field 'duraton'; did you mean 'duration'?", "2 |   return v.duraton"]),
        .init(
            "a misspelt function of the API", 1, ["run", "PLUGIN", "programming"], plugin: "yt.serach('x')",
            says: ["PLUGIN:1: "]),
        .init(
            "a filter without return", 1, ["run", "PLUGIN", "programming"],
            plugin: "return { filter = function(v) local keep = true end }",
            says: ["its filter function must return true", "it returned nothing", "is a 'return' missing?"]),
        .init(
            "a map that gives no video", 1, ["run", "PLUGIN", "programming"],
            plugin: "return { map = function(v) return 3 end }",
            says: ["its map function must return the video, it returned a number"]),
        .init(
            "a score that is no number", 1, ["run", "PLUGIN", "programming"],
            plugin: "return { score = function(v) return 'high' end }",
            says: ["its score function must return a number", "a string"]),
        .init(
            "a rank that gives no list", 1, ["run", "PLUGIN", "programming"],
            plugin: "return { rank = function(v) return true end }", says: ["its rank function must return"]),
        .init(
            "a format that returns its text", 1, ["run", "PLUGIN", "programming"],
            plugin: "return { format = function(videos) return 'text' end }",
            says: ["its format function must return nothing, since it writes with out:write, it returned a string"]),
        .init(
            "comparing what is unknown", 1, ["run", "PLUGIN", "programming"],
            plugin: "return { filter = function(v) return v.views > 3 end }",
            says: [
                "attempt to compare number with nil", "hint: views is unknown for this video; video:get(\"views\", 0)",
            ]),
        .init(
            "an error that is a table", 1, ["run", "PLUGIN", "programming"],
            plugin: "return { map = function(v)\n error({ code = 3 }) end }", says: ["PLUGIN:2: ", "a table"]),
        .init(
            "an error that is a table with a message", 1, ["run", "PLUGIN", "programming"],
            plugin: "return { map = function(v)\n error({ message = 'no luck' }) end }", says: ["no luck"]),
        .init(
            "an error that is nil", 1, ["run", "PLUGIN", "programming"],
            plugin: "return { map = function(v)\n error() end }", says: ["PLUGIN:2: ", "nil"]),
        .init(
            "a module that is not there", 1, ["run", "PLUGIN", "programming"], plugin: "require 'nowhere'",
            says: ["there is no module 'nowhere'", "looked for"]),
        .init(
            "a script as a stage", 1, ["run", "ids", "x", "-p", "PLUGIN"], plugin: "local x = 1",
            says: ["it is a script, not a plugin with roles"]),
        .init(
            "a flag for a script that has none", 2, ["run", "PLUGIN", "--deep"], plugin: "print('x')",
            says: ["unknown flag --deep"]),
    ]

    static let inputs: [FailureRow] = [
        .init(
            "a bad line when strict, with its number", 2, ["run", "ids", "-", "--strict"],
            input: "{\"ythost\":1,\"id\":\"a\"}\n{broken\n{\"ythost\":1,\"id\":\"b\"}\n",
            says: ["standard input: line 2: ", "without --strict"]),
        .init(
            "text that is no format", 2, ["run", "ids", "-"], input: "hello\nworld\n",
            says: ["standard input: this is no format that is read here", "--as"]),
        .init(
            "a document that breaks off", 2, ["run", "ids", "-"],
            input: "{\n\"kind\": \"youtube#searchListResponse\",\n\"items\": [",
            says: ["standard input: not JSON: line 3"]),
        .init(
            "a document nested too deep", 2, ["run", "ids", "-"], input: String(repeating: "[", count: 100_000),
            says: ["nested more than"]),
        .init(
            "nothing matched and --fail-empty", 7, ["search", "zqxjkvbw", "--fail-empty"], says: ["nothing matched"]),
        .init(
            "nothing kept and --fail-empty", 7, ["run", "ids", "programming", "--where", "false", "--fail-empty"],
            says: ["nothing matched"]),
    ]

    @Test("a failure says what happened, and its exit code says of what sort", arguments: usage + plugins + inputs)
    func fails(row: FailureRow) throws {
        let scratch = try Scratch()
        let path = try scratch.file("plugin.lua", row.plugin ?? "")
        let arguments = row.arguments.map { $0 == "PLUGIN" ? path : $0 }
        let run = try Command.run(arguments, input: row.input ?? "")
        #expect(run.code == row.code, "\(run.errors)")
        #expect(run.output.isEmpty)
        for text in row.says.map({ $0.replacing("PLUGIN", with: path) }) {
            #expect(run.errors.contains(text), "\(run.errors)")
        }
        #expect(run.errors.hasPrefix("ythost: ") && run.errors.hasSuffix("\n"))
        #expect(run.errors.unsafeForTerminal.isEmpty)

        // The same as JSON: an object a line, the last of them the error.
        let json = try Command.run(
            [arguments[0]] + ["--errors", "json"] + arguments.dropFirst(), input: row.input ?? "")
        if row.claim != "a form of errors that is not there" {
            #expect(json.code == row.code)
            let lines = json.errors.split(separator: "\n")
            for line in lines {
                #expect((try? JSONSerialization.jsonObject(with: Data(line.utf8))) is [String: Any], "\(line)")
            }
            let last = try #require(
                try JSONSerialization.jsonObject(with: Data((lines.last ?? "").utf8)) as? [String: Any])
            let error = try #require(last["error"] as? [String: Any])
            #expect(error["exit"] as? Int == Int(row.code))
            #expect(error["message"] is String && error["kind"] is String)
        }

        // With -q the error alone is said, once.
        let quiet = try Command.run([arguments[0], "-q"] + arguments.dropFirst(), input: row.input ?? "")
        #expect(quiet.code == row.code)
        #expect(quiet.errors.components(separatedBy: "ythost: ").count >= 2)
        #expect(
            !quiet.errors.contains("sample library")
                && quiet.errors.split(separator: "\n").filter { $0.hasPrefix("ythost: ") }.count == 1)
    }

    @Test("an error with --errors json has its place as data")
    func place() throws {
        let scratch = try Scratch()
        let path = try scratch.file("p.lua", "return { filter = function(v)\n  return v.views > 3\nend }")
        let run = try Command.run(["run", path, "programming", "--errors=json", "-q"])
        let root = try #require(try JSONSerialization.jsonObject(with: run.errorData) as? [String: Any])
        let error = try #require(root["error"] as? [String: Any])
        #expect(error["file"] as? String == path && error["line"] as? Int == 2)
        #expect(error["source_line"] as? String == "  return v.views > 3")
        #expect((error["hint"] as? String)?.hasPrefix("views is unknown") == true)
    }

    @Test("a query that matches nothing is no failure, and is said", arguments: ["table", "ids", "jsonl", "rss"])
    func nothingMatched(format: String) throws {
        let run = try Command.run(["run", format, "zqxjkvbw"])
        #expect(run.code == 0)
        #expect(run.errors.hasSuffix("ythost: nothing matched\n"))
        #expect(try Command.run(["run", format, "zqxjkvbw", "-q"]).errors.isEmpty)
    }

    @Test("a bad line is told by its number, and the others count")
    func badLines() throws {
        let input =
            "{\"ythost\":1,\"id\":\"a\"}\n\n{broken\n{\"ythost\":1,\"id\":\"b\"}\n[1]\n{\"ythost\":1,\"id\":\"c\"}"
        let run = try Command.run(["run", "ids", "-"], input: input)
        #expect(run.code == 0)
        #expect(run.lines == ["a", "b", "c"])
        #expect(run.errors.contains("left out line 3: column 2: ") && run.errors.contains("left out line 5: "))
    }

    @Test("many bad lines are counted, not listed")
    func manyBadLines() throws {
        let input = "{\"ythost\":1,\"id\":\"a\"}\n" + String(repeating: "{broken\n", count: 5000)
        let run = try Command.run(["run", "ids", "-"], input: input)
        #expect(run.code == 0 && run.lines == ["a"])
        #expect(run.errors.contains("left out 4997 more records"))
        #expect(run.errors.split(separator: "\n").count < 10)
    }
}
