// `version` and `help`, run as a person would.

import Testing

@Suite struct VersionTests {
    @Test("version names the program, its Lua and its API")
    func version() throws {
        let run = try Command.run(["version"])
        #expect(run.code == 0)
        #expect(run.output.hasPrefix("ythost ") && run.output.contains("Lua 5.4") && run.output.contains("API 1"))
    }
}
