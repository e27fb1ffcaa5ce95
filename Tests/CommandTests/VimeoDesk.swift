// A home folder of its own for the command, and a stand-in of Vimeo that it is pointed at.

import Foundation
import TestSupport

/// A home folder and a stand-in.
final class VimeoDesk {
    let server = VimeoStandIn()
    let scratch: Scratch
    /// Whether the token that was made by hand is in the environment.
    let hasToken: Bool

    init(hasToken: Bool = true) throws {
        scratch = try Scratch()
        self.hasToken = hasToken
    }
    deinit { server.stop() }

    var environment: [String: String] {
        [
            "HOME": scratch.path("home"), "YTHOST_VIMEO_URL": server.url,
            "YTHOST_VIMEO_TOKEN": hasToken ? VimeoStandIn.ownToken : "", "no_proxy": "127.0.0.1",
        ]
    }

    func run(_ arguments: [String], _ change: [String: String] = [:]) throws -> Program.Run {
        try run(arguments, input: "", change)
    }

    func run(_ arguments: [String], input: String, _ change: [String: String] = [:]) throws -> Program.Run {
        try Command.run(
            arguments, input: input, environment: environment.merging(change) { $1 }.filter { !$0.value.isEmpty },
            in: scratch.folder)
    }

    /// Begins a run that goes on while a test does something else.
    func start(_ arguments: [String], _ change: [String: String] = [:]) throws -> Program.Child {
        try Program(
            Command.binary, arguments,
            environment: environment.merging(change) { $1 }.filter { !$0.value.isEmpty }, folder: scratch.folder
        ).start()
    }

    /// A script, and what it printed.
    func script(_ text: String, _ flags: [String] = [], _ change: [String: String] = [:]) throws -> Program.Run {
        try scratch.file("script.lua", text)
        return try run(["run", "./script.lua"] + flags, change)
    }

    /// The app's identifier and secret, as variables.
    static let app = [
        "YTHOST_VIMEO_CLIENT_ID": VimeoStandIn.clientID, "YTHOST_VIMEO_CLIENT_SECRET": VimeoStandIn.clientSecret,
    ]

    /// Every byte that was written below the home folder but for the accounts.
    var kept: Data {
        let files = FileManager.default.enumerator(at: scratch.folder, includingPropertiesForKeys: nil)
        return (files?.allObjects as? [URL] ?? []).filter { !$0.path.contains("/credentials/") }
            .reduce(into: Data()) { $0 += (try? Data(contentsOf: $1)) ?? Data() }
    }
}
