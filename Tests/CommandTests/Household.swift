// Several people on one machine, each with a home of their own, who share packages of plugins.

import Foundation
import Glibc
import Testing

/// A folder with homes, packages and repositories in it, gone with the value.
final class Household {
    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "ythost-sharing-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func path(_ name: String) -> String { folder.appending(path: name).path }

    func write(_ name: String, _ text: String) throws {
        let file = folder.appending(path: name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    func read(_ name: String) throws -> String { try String(contentsOf: folder.appending(path: name), encoding: .utf8) }

    /// The command as somebody calls it, in the folder of all.
    func run(_ who: String, _ arguments: [String], in place: String = ".", timeout: Double = 30) throws -> Program.Run {
        try start(who, arguments, in: place).finish(timeout: timeout)
    }

    func start(_ who: String, _ arguments: [String], in place: String = ".") throws -> Program.Child {
        try Program(
            Command.binary, arguments, environment: ["HOME": path(who), "TMPDIR": path(".")],
            folder: folder.appending(path: place)
        ).start()
    }

    /// A run that ends well; its output.
    @discardableResult
    func must(_ who: String, _ arguments: [String], in place: String = ".") throws -> String {
        let run = try run(who, arguments, in: place)
        #expect(run.code == 0, "\(arguments): \(run.errors)")
        return run.output
    }

    /// A run that is refused with that code and these words.
    func refuses(
        _ who: String, _ arguments: [String], code: Int32 = 6, _ words: String..., in place: String = ".",
        at location: SourceLocation = #_sourceLocation
    ) throws {
        let run = try run(who, arguments, in: place)
        #expect(run.code == code, "\(arguments): \(run.errors)", sourceLocation: location)
        for word in words { #expect(run.errors.contains(word), "\(run.errors)", sourceLocation: location) }
    }

    /// Another program, which must end well.
    @discardableResult
    func tool(_ words: [String], in place: String = ".") throws -> String {
        let run = try Program(
            "/usr/bin/env",
            [
                "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=a",
                "GIT_AUTHOR_EMAIL=a@example.org",
                "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.org",
            ] + words, folder: folder.appending(path: place)
        ).run()
        #expect(run.code == 0, "\(words): \(run.errors)")
        return run.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// A package whose plugin `say` prints a word in capitals, with a module, and `more` that asks for a file.
    func package(
        _ name: String = "team", at place: String? = nil, version: String = "1.0.0", says word: String = "old",
        needs: [String] = []
    ) throws {
        let place = place ?? name
        try write(
            "\(place)/ythost.json",
            """
            {"name": "\(name)", "version": "\(version)", "api": 1, "licence": "MIT", "plugins": ["say.lua", "more.lua"]}
            """)
        let list = needs.map { "\"\($0)\"" }.joined(separator: ", ")
        try write(
            "\(place)/say.lua",
            """
            local loud = require "loud"
            return {
              summary = "Say a word", needs = { \(list) },
              options = { times = { type = "integer", default = 1, help = "how often" } },
              run = function(ctx, opt) for i = 1, opt.times do print(loud.up("\(word)")) end end,
            }

            """)
        try write("\(place)/lib/loud.lua", "return { up = function(s) return s:upper() end }\n")
        try write(
            "\(place)/more.lua",
            "return { needs = { \"read:notes.txt\" }, run = function() print(yt.file.read(\"notes.txt\")) end }\n")
    }

    /// The folder as a repository of its own, all of it committed under a tag.
    @discardableResult
    func commit(_ place: String, tag: String) throws -> String {
        if !FileManager.default.fileExists(atPath: path(place + "/.git")) {
            try tool(["git", "init", "-q", "-b", "main"], in: place)
        }
        try tool(["git", "add", "-A"], in: place)
        try tool(["git", "commit", "-q", "--allow-empty", "-m", tag], in: place)
        try tool(["git", "tag", "-f", tag], in: place)
        return try tool(["git", "rev-parse", "HEAD"], in: place)
    }

    /// A key of somebody's: `NAME/key` and `NAME/key.pub`.
    func key(of who: String) throws {
        try FileManager.default.createDirectory(atPath: path(who), withIntermediateDirectories: true)
        try tool(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", who, "-f", path(who + "/key")])
    }

    /// Has one person allow what others sign.
    func allow(_ who: String, signers: [String]) throws {
        let lines = try signers.map { "\($0)@example.org namespaces=\"ythost-plugin\" \(try read($0 + "/key.pub"))" }
        try write("\(who)/.config/ythost/allowed_signers", lines.joined())
    }

    /// Where somebody's packages are.
    func data(_ who: String) -> String { "\(who)/.local/share/ythost" }

    /// Every file below a folder with its bytes, to see that nothing was written.
    func contents(of place: String) -> [String: Data] {
        var found: [String: Data] = [:]
        for name in FileManager.default.enumerator(atPath: path(place)) ?? .init() {
            guard let name = name as? String else { continue }
            found[name] = FileManager.default.contents(atPath: path(place + "/" + name)) ?? Data()
        }
        return found
    }
}
