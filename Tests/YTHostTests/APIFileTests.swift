// The API as plugins see it, tested in Lua: every file of Lua/ is a script of asserts that the host runs.

import Foundation
import Testing

@testable import HostErrors
@testable import Pipeline

@Suite struct APIFileTests {
    private static let folder = Workbench.root.appending(path: "Tests/YTHostTests/Lua")

    static let files: [String] =
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
        .filter { $0.hasSuffix(".lua") && $0 != "check.lua" }.sorted()

    @Test("there are files to run") func some() { #expect(Self.files.count > 10) }

    @Test("the asserts of a Lua file hold", arguments: files)
    func holds(file: String) throws {
        let bench = try Workbench()
        do {
            let outcome = try bench.run(arguments: []) { $0.plugin = Self.folder.appending(path: file).path }
            #expect(outcome.report.isScript)
            #expect(outcome.text == "", "a file of asserts prints nothing")
        } catch let error as HostError {
            Issue.record("\(error.report?.text ?? "\(error)")")
        }
    }
}
