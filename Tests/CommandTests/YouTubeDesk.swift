// A home folder of its own for the command, and a stand-in of YouTube that it is pointed at.

import Foundation
import TestSupport

/// A home folder and a stand-in.
final class YouTubeDesk {
    let server = YouTubeStandIn()
    let scratch: Scratch

    init() throws { scratch = try Scratch() }
    deinit { server.stop() }

    var environment: [String: String] {
        [
            "HOME": scratch.path("home"), "YTHOST_YOUTUBE_URL": server.url, "YTHOST_YOUTUBE_KEY": YouTubeStandIn.key,
            "no_proxy": "127.0.0.1",
        ]
    }

    func run(_ arguments: [String], input: String = "", _ change: [String: String] = [:]) throws -> Program.Run {
        try Command.run(
            arguments, input: input, environment: environment.merging(change) { $1 }.filter { !$0.value.isEmpty },
            in: scratch.folder)
    }

    /// Every byte that was written below the home folder.
    var kept: Data {
        let files = FileManager.default.enumerator(at: scratch.folder, includingPropertiesForKeys: nil)
        return (files?.allObjects as? [URL] ?? []).reduce(into: Data()) { $0 += (try? Data(contentsOf: $1)) ?? Data() }
    }

    /// A script, and what it printed.
    func script(_ text: String, _ flags: [String] = [], _ change: [String: String] = [:]) throws -> Program.Run {
        try scratch.file("script.lua", text)
        return try run(["run", "./script.lua"] + flags, change)
    }
}
