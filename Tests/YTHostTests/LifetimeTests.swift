// What a run made goes when the run is over.

import Testing

@testable import Basics
@testable import Files
@testable import LuaAPI
@testable import LuaRuntime
@testable import Pipeline
@testable import VideoModel
@testable import YTHost

@Suite struct LifetimeTests {
    @Test(
        "a plugin's state goes with its plugin",
        arguments: [
            "", "local x = require 'yt.page'", "local p = yt.mapper{title = 'a'}", "for l in yt.parse('') do end",
            "yt.video{id = 'a'}.extra.x = 1", "pcall(error, 'x')", "local lpeg = require 'lpeg'",
        ])
    func contexts(source: String) throws {
        let run = try Run(
            RunRequest(), gate: try Workbench().host.directGate(RunRequest(), MemorySink()), isAlone: false)
        weak var gone: PluginContext?
        do {
            let context = try PluginContext(name: "x", path: nil, folder: nil, environment: run.environment)
            gone = context
            try context.state.run(source, name: "x")
        }
        #expect(gone == nil)
        #expect(run.budget.memoryUsed == 0)
    }

    @Test(
        "an expression and a template go, too", arguments: ["title", "get('likes', 0)", "video.title .. channel.title"])
    func expressions(text: String) throws {
        let run = try Run(
            RunRequest(), gate: try Workbench().host.directGate(RunRequest(), MemorySink()), isAlone: false)
        do {
            let context = try PluginContext(name: "x", path: nil, folder: nil, environment: run.environment)
            let expression = try Expression(text, flag: "--by", in: context)
            _ = try expression.evaluate(0, of: expression.rows([Video([.title: .text("t")])]))
            let template = try PrintTemplate("{\(text)}", in: context)
            _ = try template.lines([Video([.title: .text("t")])])
        }
        #expect(run.budget.memoryUsed == 0)
    }
}
