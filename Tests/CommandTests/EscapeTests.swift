// Plugins that attack, one a file in `Escape`. The first line of each says what must come of it:
//
//     -- expect: exit=6 within=3 says="the cpu budget" flags="--budget cpu=1s"
//
// exit      exit codes that will do, with | between them
// within    seconds after which it must have ended
// says      what standard output and error together must say; not: what they must not, with | between alternatives
// flags     added to small budgets; words: what to search for
// terminal  yes when it runs on a pseudo-terminal
//
// Every attack runs in a folder of its own with things to steal: keys in the environment and in files, links that lead
// out. Whatever it does, the marks of those never come out, and what lies outside the granted folder stays as it was.
// Adding an attack is adding a file.

import Foundation
import Testing

@Suite struct EscapeTests {
    @Test("an attack ends in time, as it should, and gets nothing", arguments: try Attack.all())
    func attack(_ attack: Attack) throws {
        let place = try Place(for: attack)
        let start = ContinuousClock.now
        let run = try place.run(attack)
        let took = ContinuousClock.now - start
        let said = run.output + run.errors
        #expect(attack.codes.contains(run.code), "exit \(run.code): \(said.prefix(600))")
        #expect(took < .seconds(attack.within), "took \(took)")
        if let says = attack.says { #expect(said.contains(says), "\(said.prefix(600))") }
        for text in attack.not {
            #expect(said.range(of: text, options: .literal) == nil, "\(said.debugDescription.prefix(600))")
        }
        #expect(!said.contains(Place.mark), "a secret came out")
        #expect(place.isUntouched, "\(place.scratch.names)")
    }

    @Test("there are attacks of every kind")
    func count() throws {
        #expect(try Attack.all().count >= 80)
    }
}

/// One file of the folder.
struct Attack: CustomTestStringConvertible {
    let name: String
    let source: String
    private var facts: [String: String] = [:]

    var codes: [Int32] { (facts["exit"] ?? "0").split(separator: "|").compactMap { Int32($0) } }
    var within: Double { Double(facts["within"] ?? "") ?? 3 }
    var says: String? { facts["says"] }
    var not: [String] { (facts["not"] ?? "").split(separator: "|").map(String.init) }
    var flags: [String] { Self.words(facts["flags"]) }
    var words: [String] { Self.words(facts["words"]) }
    var isOnTerminal: Bool { facts["terminal"] == "yes" }
    var testDescription: String { name }

    private static func words(_ text: String?) -> [String] { (text ?? "").split(separator: " ").map(String.init) }

    private static let known = ["exit", "within", "says", "not", "flags", "words", "terminal"]

    static func all() throws -> [Attack] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Escape")
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".lua") }.sorted()
            .map { try Attack(name: $0, source: String(contentsOf: folder.appending(path: $0), encoding: .utf8)) }
    }

    init(name: String, source: String) throws {
        self.name = name
        self.source = source
        let line = source.prefix { $0 != "\n" }
        let start = "-- expect: "
        guard line.hasPrefix(start) else {
            throw Program.Failure(description: "\(name): no '\(start)' in its first line")
        }
        let text = line.dropFirst(start.count)
        for match in text.matches(of: /(\w+)=(?:"([^"]*)"|(\S+))/) {
            let (_, key, quoted, bare) = match.output
            guard Self.known.contains(String(key)) else { throw Program.Failure(description: "\(name): \(key)?") }
            let value = String(quoted ?? bare ?? "").replacing("\\e", with: "\u{1B}")
                .replacing("\\u009b", with: "\u{9B}").replacing("\\u202e", with: "\u{202E}")
            facts[String(key)] = facts[String(key)].map { $0 + " " + value } ?? value
        }
    }
}

/// The folder an attack runs in.
final class Place {
    /// Stands in everything that must not come out.
    static let mark = "MARK-c0ffee-51"
    let scratch: Scratch
    private let kept: Scratch

    /// No dictionary: to Swift two of these names are the same.
    private static let files: KeyValuePairs = [
        "secret.txt": "\(mark)\n", "outside/secret.lua": "return '\(mark)'\n",
        "luapath/fromenv.lua": "return '\(mark)'\n",
        "granted/notes.txt": "notes", "granted2/notes.txt": "notes", "granted/tool": "#!/bin/sh\necho \(mark)\n",
        "granted/sub/notes.txt": "notes", "caf\u{E9}/notes.txt": "notes", "cafe\u{301}/notes.txt": mark,
        "config/ythost/config": "source = sample\n",
        "config/ythost/keys.json": "{\"youtube\": \"\(mark)\"}", "config/ythost/\u{301}key": mark,
        "data/ythost/plugins/other.lua": "return {}", "data/ythost/grants.json": "{}",
        "plugin/loops.lua": "return require('loops')", "plugin/spins.lua": "while true do end",
    ]
    private static let links: KeyValuePairs = [
        "plugin/linked.lua": "../outside/secret.lua", "plugin/linkedfolder": "../outside",
        "plugin/lib/liblinked.lua": "../../outside/secret.lua", "plugin/linkedtext.lua": "../secret.txt",
        "granted/link.txt": "../secret.txt", "granted/chain.txt": "link.txt", "granted/linked": "..",
        "granted/dangling": "../created.txt",
    ]

    init(for attack: Attack) throws {
        scratch = try Scratch()
        kept = try Scratch()
        for (name, text) in Self.files {
            try folder(of: name)
            try scratch.file(name, text)
        }
        for (name, target) in Self.links {
            try folder(of: name)
            try FileManager.default.createSymbolicLink(atPath: scratch.path(name), withDestinationPath: target)
        }
        _ = chmod(scratch.path("granted/tool"), 0o755)
        try scratch.file("plugin/\(attack.name)", attack.source)
        if attack.flags.contains("records.jsonl") { try makeRecords() }
    }

    private func folder(of name: String) throws {
        try FileManager.default.createDirectory(
            at: scratch.folder.appending(path: name).deletingLastPathComponent(), withIntermediateDirectories: true)
    }

    /// 120 MB of records.
    private func makeRecords() throws {
        let title = String(repeating: "t", count: 900)
        let lines = (0..<1200).map {
            #"{"ythost":1,"provider":"youtube","id":"z-j1ux\#(10000 + $0)","title":"\#(title)"}"# + "\n"
        }
        let block = Data(lines.joined().utf8)
        try scratch.file("records.jsonl", "")
        let file = try FileHandle(forWritingTo: scratch.folder.appending(path: "records.jsonl"))
        for _ in 0..<100 { try file.write(contentsOf: block) }
        try file.close()
    }

    var environment: [String: String] {
        [
            "HOME": scratch.path("home"), "XDG_CONFIG_HOME": scratch.path("config"),
            "XDG_DATA_HOME": scratch.path("data"),
            // What ythost itself keeps of what it was sent is no plugin's doing.
            "XDG_CACHE_HOME": kept.path("cache"), "XDG_STATE_HOME": kept.path("state"),
            "YTHOST_YOUTUBE_KEY": Self.mark, "YTHOST_VIMEO_TOKEN": Self.mark, "LUA_INIT": "error('\(Self.mark)')",
            "LUA_PATH": scratch.path("luapath/?.lua"), "LUA_PATH_5_4": scratch.path("luapath/?.lua"),
            "LUA_CPATH": scratch.path("luapath/?.so"),
        ]
    }

    /// Budgets small enough that a suite of attacks is short.
    private static let budgets = "cpu=0.3s,wall=10s,memory=48M,output=1M"

    func run(_ attack: Attack) throws -> Program.Run {
        let words =
            ["run", "plugin/\(attack.name)"] + attack.words + ["--budget", Self.budgets] + attack.flags
        if !attack.isOnTerminal {
            return try Command.run(words, environment: environment, in: scratch.folder, timeout: 20)
        }
        let line = ([Command.binary] + words).map { "'\($0)'" }.joined(separator: " ")
        return try Program(
            "/usr/bin/script", ["-qec", line, "/dev/null"], environment: environment, folder: scratch.folder
        ).run(timeout: 20)
    }

    private var homeHoldsKey: Bool {
        let files = FileManager.default.enumerator(atPath: scratch.path("home"))
        return (files?.allObjects as? [String] ?? []).contains { name in
            (try? Data(contentsOf: URL(filePath: scratch.path("home/" + name))))?.range(of: Data(Self.mark.utf8)) != nil
        }
    }

    /// Nothing outside the granted folder was changed or made, but for the host's own answers and counts in the home
    /// folder, which hold no key.
    var isUntouched: Bool {
        let tops = Set(Self.files.map { String($0.key.prefix { $0 != "/" }) }).union(["records.jsonl", "home"])
        return Set(scratch.names).isSubset(of: tops)
            && !homeHoldsKey
            && Self.files.allSatisfy { name, text in
                name.hasPrefix("granted/") || (try? scratch.text(name)) == text
            }
    }
}
