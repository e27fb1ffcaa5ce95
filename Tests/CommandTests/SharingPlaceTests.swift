// Folders of packages that are somebody else's: links in them, files that no package brought, pipes, and rules that are not
// where they seem to be. A clone reaches nothing outside of it, and what it locked is what runs, however it is called.

import Foundation
import Glibc
import TestSupport
import Testing

@Suite struct SharingPlaceTests {
    private let house: Household

    init() throws { house = try Household() }

    /// A project of a package in a home, as a clone would bring it.
    private func clone(_ name: String, at place: String) throws {
        try house.package(name, at: "made/pkg")
        try house.must("ada", ["plugin", "add", "--project", "./pkg"], in: "made")
        try house.tool(["mkdir", "-p", "./" + (place as NSString).deletingLastPathComponent])
        try house.tool(["mv", "made", place])
    }

    @Test("a clone whose plugins folder is a link deletes and writes nothing where that leads")
    func linkedPlugins() throws {
        try clone("documents", at: "ben/src/clone")
        try house.tool(["rm", "-r", "ben/src/clone/plugins"])
        try house.tool(["ln", "-s", "../..", "ben/src/clone/plugins"])
        try house.write("ben/documents/thesis.txt", "precious")
        try house.write("ben/.vim.old/rc", "mine")
        try house.package("other")
        let before = house.contents(of: "ben")
        for words in [
            ["restore"], ["restore", "documents"], ["update", "--yes", "--older", "--unsigned"],
            ["remove", "documents"],
            ["add", "../../../other"], ["add", "--project", "../../../other"],
        ] {
            try house.refuses("ben", ["plugin"] + words, "plugins: it is a link", in: "ben/src/clone")
            #expect(house.contents(of: "ben") == before, "\(words)")
        }
    }

    @Test("a lock that is a link is neither read nor written through")
    func linkedLock() throws {
        try house.package()
        try house.write("ben/mine.json", "{\"packages\": {}, \"version\": 1}")
        try house.write("work/x.txt", "")
        try house.tool(["ln", "-s", "../ben/mine.json", "work/ythost.lock"])
        try house.refuses("ben", ["plugin", "add", "../team"], "ythost.lock: it is a link", in: "work")
        try house.refuses("ben", ["plugin", "verify"], code: 2, "it is a link", in: "work")
        #expect(try house.read("ben/mine.json") == "{\"packages\": {}, \"version\": 1}")
        // One that leads nowhere is no reason to run what it might have locked.
        try house.tool(["ln", "-sfn", "nowhere", "work/ythost.lock"])
        try house.write("work/plugins/own.lua", "print('own')")
        try house.write("work/ythost.policy", "locked = yes")
        try house.refuses("ben", ["run", "plugins/own.lua"], "in no lock", in: "work")
    }

    @Test("files that no package brought are not taken away with one, hidden ones neither")
    func strangers() throws {
        try house.package()
        try house.must("ben", ["plugin", "add", "--project", "../team"], in: try folder("work"))
        let remove = ["plugin", "remove", "team"]
        for name in ["notes.txt", ".git/config", "lib/.draft"] {
            try house.write("work/plugins/team/\(name)", "mine")
            try house.write("work/plugins/team/say.lua", "print('changed')")
            for words in [remove, ["plugin", "restore"], ["plugin", "update", "--yes", "--accept", "read:notes.txt"]] {
                try house.refuses("ben", words, "that no package brought: \(name)", in: "work")
                #expect(try house.read("work/plugins/team/\(name)") == "mine")
                #expect(try house.read("work/plugins/team/say.lua") == "print('changed')")
            }
            try house.tool(["rm", "work/plugins/team/\(name)"])
            try house.must("ben", ["plugin", "restore"], in: "work")
        }
        // Names as those that a change used to leave lying about are anybody's.
        try house.write("work/plugins/.vim.old/rc", "mine")
        try house.must("ben", remove, in: "work")
        #expect(house.contents(of: "work/plugins").keys.sorted() == [".vim.old", ".vim.old/rc"])
        // Nor is a link in a package's place followed.
        try house.must("ben", ["plugin", "add", "../team"], in: "work")
        try house.tool(["mv", "work/plugins/team", "work/elsewhere"])
        try house.tool(["ln", "-s", "../elsewhere", "work/plugins/team"])
        let before = house.contents(of: "work")
        for words in [remove, ["plugin", "restore"]] {
            try house.refuses("ben", words, "it is a link", in: "work")
            #expect(house.contents(of: "work") == before)
        }
    }

    private func folder(_ name: String) throws -> String {
        try house.tool(["mkdir", "-p", name])
        return name
    }

    @Test("a folder that everybody may write to is refused before anything is put there")
    func everybodys() throws {
        try house.package()
        try house.tool(["mkdir", "-m", "1777", "shared"])
        for words in [["--project", "../team"], ["--project", "../nowhere.tar"]] {
            let code: Int32 = words[1] == "../team" ? 6 : 2
            try house.refuses("ben", ["plugin", "add"] + words, code: code, in: "shared")
        }
        try house.refuses("ben", ["plugin", "add", "--project", "../team"], "everybody may write to it", in: "shared")
        #expect(house.contents(of: "shared").isEmpty)
    }

    @Test("what is locked is checked by whatever path it is called, links in it or not")
    func spellings() throws {
        try clone("team", at: "sl")
        try house.tool(["mv", "sl/plugins", "real"])
        try house.tool(["ln", "-s", "../real", "sl/plugins"])
        try house.tool(["ln", "-s", "sl/plugins", "short"])
        try house.tool(["ln", "-s", "sl", "again"])
        try house.tool(["mkdir", "-p", "sl/deep/er", "other"])
        try house.write("sl/ythost.policy", "locked = yes")
        let calls = [
            ("sl", "plugins/team/say.lua"), ("sl", "./plugins/team/say.lua"), ("sl", "../sl/plugins/team/say.lua"),
            ("sl", "deep/../plugins/team/say.lua"), ("sl/deep/er", "../../plugins/team/./say.lua"),
            ("other", "../short/team/say.lua"), ("other", "../again/plugins/team/say.lua"),
            ("other", "../again/./plugins//team/say.lua"), (".", house.path("sl/plugins/team/say.lua")),
            (".", house.path("other/../sl/./plugins/team/say.lua")),
        ]
        for (place, path) in calls {
            #expect(try house.must("ben", ["run", path], in: place) == "OLD\n", "\(path)")
        }
        try house.write("real/team/say.lua", "print('EVIL')")
        for (place, path) in calls { try house.refuses("ben", ["run", path], "say.lua is changed", in: place) }
        // The same for what the lock does not name.
        try house.write("real/own.lua", "print('EVIL')")
        for (place, path) in calls {
            let own = path.replacingOccurrences(of: "team/say.lua", with: "own.lua")
                .replacingOccurrences(of: "team/./say.lua", with: "own.lua")
            try house.refuses("ben", ["run", own], "in no lock", in: place)
        }
    }

    @Test("a pipe in the place of a lock or a policy is refused and not waited for")
    func pipes() throws {
        try clone("team", at: "work")
        for name in ["ythost.policy", "ythost.lock"] {
            try house.tool(["rm", "-f", "work/\(name)"])
            try house.tool(["mkfifo", "work/\(name)"])
            for words in [["run", "plugins/team/say.lua"], ["plugin", "verify"], ["plugin", "list"]] {
                let start = Date.now
                let run = try house.run("ben", words, in: "work", timeout: 10)
                #expect(run.code != 0 || words == ["plugin", "list"], "\(words): \(run.output)")
                #expect(Date.now.timeIntervalSince(start) < 8)
            }
            try house.tool(["rm", "work/\(name)"])
        }
    }

    @Test("a policy, allowed signers or revoked keys that lead nowhere do not mean that there are none")
    func danglingRules() throws {
        try house.package()
        try house.key(of: "ada")
        try house.must(
            "ada", ["plugin", "sign", "team", "--key", "ada/key", "--source", "https://example.org/team.tar"])
        try house.write("own.lua", "print('own')")
        try house.tool(["mkdir", "-p", "ben/.config/ythost"])
        for name in ["policy", "allowed_signers", "revoked_keys"] {
            let file = "ben/.config/ythost/\(name)"
            try house.tool(["ln", "-s", "nowhere", file])
            let words = name == "policy" ? ["run", "./own.lua"] : ["plugin", "add", "team"]
            let run = try house.run("ben", words)
            #expect(run.code != 0 && run.errors.contains(name), "\(name): \(run.errors)")
            try house.tool(["rm", file])
        }
        try house.must("ben", ["plugin", "add", "--project", "team"])
        try house.tool(["ln", "-s", "nowhere", "ythost.policy"])
        let run = try house.run("ben", ["run", "plugins/team/say.lua"])
        #expect(run.code != 0 && run.errors.contains("ythost.policy"), "\(run.errors)")
    }

    @Test("nothing stays behind when a fetch by git is ended", arguments: [SIGINT, SIGTERM, SIGHUP, SIGKILL])
    func ended(signal: Int32) throws {
        let server = LoopbackServer { _, reply in _ = reply.clientLeaves(within: 20) }
        let child = try house.start("ben", ["plugin", "add", "git+http://127.0.0.1:\(server.port)/x.git"])
        let end = Date.now.addingTimeInterval(20)
        while server.requests.isEmpty, Date.now < end { usleep(20_000) }
        func left() -> [String] {
            let all = (try? FileManager.default.contentsOfDirectory(atPath: house.path("."))) ?? []
            return all.filter { $0.hasPrefix("ythost-") }
        }
        #expect(!left().isEmpty)
        child.send(signal)
        _ = try child.finish()
        while !left().isEmpty, Date.now < end { usleep(20_000) }
        #expect(left().isEmpty)
    }
}
