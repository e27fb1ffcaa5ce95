// The user's settings: what they set, what wins over them, and what is wrong with them.

import Foundation
import Testing

@Suite struct ConfigurationTests {
    private func run(_ settings: String?, _ arguments: [String]) throws -> Program.Run {
        let home = try Scratch()
        if let settings {
            try FileManager.default.createDirectory(
                at: home.folder.appending(path: "ythost"), withIntermediateDirectories: true)
            try home.file("ythost/config", settings)
        }
        return try Command.run(arguments, environment: ["XDG_CONFIG_HOME": home.folder.path])
    }

    @Test("settings are flags given before those of the command line")
    func order() throws {
        let settings = "# mine\nfetch = 3\nbudget = output=200 # bytes\n\nseed=7\n"
        let rows = { (text: String) in text.split(separator: "\n").count }
        let spent = try run(settings, ["run", "jsonl", "programming"])
        #expect(spent.code == 6 && spent.errors.contains("the output budget of 200 is spent"))
        let ids = try run(settings, ["run", "ids", "programming"])
        #expect(ids.code == 0 && rows(ids.output) == 3)
        let more = try run(settings, ["run", "ids", "programming", "--fetch", "5", "--budget", "output=none"])
        #expect(more.code == 0 && rows(more.output) == 5)
    }

    @Test(
        "what is wrong is said with file and line, and nothing runs",
        arguments: [
            ("fetch = 3\nallow = read:/", 2, "'allow' cannot be set; there are budget, source, fetch, tz, seed, color"),
            ("bugdet = cpu=1", 1, "'bugdet' cannot be set; did you mean 'budget'?"),
            ("tz", 1, "'tz' needs a value: tz = …"), ("\n\ntz = Mars/Olympus", 3, "Mars/Olympus"),
            ("fetch = -1", 1, "fetch: '-1' is not a whole number from 1"), ("budget = cpu", 1, "cpu"),
        ])
    func wrong(settings: String, line: Int, reason: String) throws {
        for arguments in [["run", "ids", "programming"], ["config"]] {
            let run = try run(settings, arguments)
            #expect(
                run.code == 3 && run.errors.contains("/ythost/config:\(line): ") && run.errors.contains(reason),
                "\(run.errors)")
        }
        #expect(try self.run(settings, ["run", "ids", "programming"]).output.isEmpty)
    }

    @Test("config shows what is set and where")
    func shown() throws {
        let set = try run("  tz=Europe/Berlin # home\nbudget = cpu=1,wall=2\n", ["config"])
        #expect(set.code == 0 && set.output.hasPrefix("# /"))
        #expect(set.output.hasSuffix("/ythost/config\ntz = Europe/Berlin\nbudget = cpu=1,wall=2\n"))
        let none = try run(nil, ["config"])
        #expect(none.code == 0 && none.output.contains("# Nothing is set."))
        #expect(try run(nil, ["config", "x"]).code == 2)
    }

    @Test("doctor names every wall and folder")
    func doctor() throws {
        let doctor = try run(nil, ["doctor"])
        #expect(doctor.code == 0)
        for part in ["Landlock", "seccomp", "limits", "/plugins", "shipped", "Settings: /"] {
            #expect(doctor.output.contains(part), "\(part)")
        }
    }
}
