// Flags: how they are written, and that the tables of a command agree.

import Testing

@testable import Arguments
@testable import HostErrors
@testable import Pictures
@testable import Pipeline
@testable import Players

@Suite struct FlagTests {
    private func parsed(
        _ arguments: [String], words: RunArguments.Words = .plugin
    ) throws(HostError) -> RunArguments {
        var given = RunArguments(words: words, flags: RunArguments.all)
        try given.parse(arguments)
        return given
    }

    private static let value: [[String]] = [
        ["--output=f"], ["--output", "f"], ["-o", "f"], ["-of"], ["-qof"], ["-qvo", "f"], ["--output", "g", "-o", "f"],
    ]

    @Test("a value stands behind =, in the next argument or after the letter", arguments: value)
    func forms(arguments: [String]) throws {
        let given = try parsed(["table"] + arguments + ["word"])
        #expect(given.outputPath == "f")
        #expect(given.request.arguments == ["word"])
    }

    @Test(
        "a mistaken flag is named as it was written",
        arguments: [
            (["--take"], "--take needs a value: N"), (["-o"], "-o needs a value: FILE"),
            (["-qo"], "-o needs a value: FILE"), (["--strict=yes"], "--strict takes no value"),
            (["--take", "x"], "--take: 'x' is not a whole number from 1"),
            (["--output="], "--output needs the name of a file"),
            (["-q=3"], "unknown flag -= in '-q=3'"), (["-qx"], "unknown flag -x in '-qx'"),
            (["--tkae", "3"], "unknown flag --tkae; did you mean '--take'?"),
        ])
    func mistakes(arguments: [String], message: String) {
        let error = #expect(throws: HostError.self) { try parsed(arguments) }
        #expect(error?.report?.message == message)
        #expect(error?.report?.code == .usage)
    }

    @Test("unknown long flags after a plugin's name are the plugin's, and so is everything after --")
    func pluginFlags() throws {
        let given = try parsed(["long", "--min=5m", "--take", "3", "--on", "-5", "-", "--", "--take", "4"])
        #expect(given.request.plugin == "long")
        #expect(given.request.arguments == ["--min=5m", "--on", "-5", "--", "--take", "4"])
        #expect(given.request.take == 3)
        #expect(given.request.inputs == [.standardInput])
    }

    @Test(
        "-p takes a plugin and its settings",
        arguments: [
            ("long", "long", []), ("long:", "long", nil), ("long:min=5m", "long", ["min=5m"]),
            ("a:b=1,c=2", "a", ["b=1", "c=2"]), ("a:b=1,2,c=x=y", "a", ["b=1,2", "c=x=y"]), ("a:b", "a", nil),
        ] as [(String, String, [String]?)])
    func settings(text: String, name: String, settings: [String]?) throws {
        guard let settings else {
            #expect(throws: HostError.self) { try parsed(["-p", text]) }
            return
        }
        guard case .plugin(name, let given)? = try parsed(["-p", text]).request.stages.first else {
            Issue.record("no plugin")
            return
        }
        #expect(given.map { "\($0.name)=\($0.value)" } == settings)
    }

    @Test("no two flags of a command have the same name or letter")
    func distinct() {
        check(RunArguments.all)
        check(RunArguments.play + RunArguments.all)
        check(RunArguments.pictures + RunArguments.runOfThumbnail)
        check(EmbedRequest.flags)
    }

    private func check<Target>(_ flags: [Flag<Target>]) {
        let letters = flags.compactMap(\.letter)
        #expect(Set(flags.map(\.name)).count == flags.count)
        #expect(Set(letters).count == letters.count)
    }

    @Test("options of plugins may not have the name of any flag of a run")
    func reserved() throws {
        for name in RunArguments.all.map(\.name) {
            let option = name.replacing("-", with: "_")
            let plugin = "return { filter = print, options = { [\"\(option)\"] = { type = \"string\" } } }"
            let report = try Workbench().failure(plugin: plugin)
            #expect(report.message == "option '\(option)' has the name of a flag of ythost itself; choose another")
        }
    }
}
