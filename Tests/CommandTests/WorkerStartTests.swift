// The worker that starts before anybody knows what it will do, and what it is sent before it asks.

import Foundation
import Testing

@Suite struct WorkerStartTests {
    /// The socket holds so much and no more; and a plugin that writes while others load has its words read meanwhile.
    @Test("many plugins on long paths hold nobody up, whatever the first of them does")
    func manyPlugins() throws {
        let scratch = try Scratch()
        let deep = Array(repeating: String(repeating: "d", count: 100), count: 5).joined(separator: "/")
        let folder = scratch.folder.appending(path: deep)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let chatty = try scratch.file(
            "chatty.lua",
            "for i = 1, 400 do print(string.rep('z', 1000)) end return { filter = function() return true end }")
        var words = ["run", "ids", "programming", "--budget", "wall=10s", "-p", chatty]
        for index in 1...95 {
            let file = folder.appending(path: "p\(index).lua")
            try Data("return { filter = function() return true end }".utf8).write(to: file)
            words += ["-p", file.path]
        }
        let run = try Command.run(words)
        #expect(run.code == 0 && run.lines.count > 500, "\(run.errors)")
    }

    @Test(
        "an input that is missing is told before anything is written, however many there are", arguments: [2, 60, 70])
    func missingInput(count: Int) throws {
        let scratch = try Scratch()
        var words = ["run", "ids"]
        for index in 1...count {
            words += ["-i", try scratch.file("\(index).jsonl", "{\"ythost\":1,\"id\":\"a\",\"title\":\"b\"}\n")]
        }
        let run = try Command.run(words + ["-i", scratch.path("none")])
        #expect(run.code == 2 && run.data.isEmpty && run.errors.contains("cannot read \(scratch.path("none"))"))
        // Fewer than the inputs, with room for what a test runner leaves open.
        let good = try Command.shell("ulimit -n 48; ythost \"$@\"", arguments: words)
        #expect(good.code == 0 && good.lines.count == count, "\(good.errors)")
    }
}
