// Ways around what is checked: paths that leave a project and come back, projects in projects, files of one's own in a
// package's place, addresses with dots, links under usual names, and rules that everybody may write.

import Foundation
import Glibc
import TestSupport
import Testing

@Suite struct SharingGapTests {
    private let house: Household

    init() throws { house = try Household() }

    private func project(_ place: String = "work", _ source: String = "team") throws {
        try house.tool(["mkdir", "-p", place])
        try house.must("ben", ["plugin", "add", "--project", house.path(source)], in: place)
    }

    private func sign(_ who: String = "ada", _ place: String = "team", for source: String = "https://example.org/t.tar")
        throws
    {
        if !FileManager.default.fileExists(atPath: house.path(who + "/key")) { try house.key(of: who) }
        try house.must(who, ["plugin", "sign", place, "--key", "\(who)/key", "--source", source])
    }

    @Test("a plugin of one's own is not taken away because a lock has a package of its name", arguments: [false, true])
    func ownFile(hasManifest: Bool) throws {
        try house.package("notes")
        try project("work", "notes")
        try house.tool(["rm", "-r", "work/plugins"])
        try house.write("work/plugins/notes/say.lua", "print('precious')")
        if hasManifest { try house.write("work/plugins/notes/ythost.json", "{\"name\": \"notes\"}") }
        let before = house.contents(of: "work")
        for words in [["restore"], ["remove", "notes"], ["update", "--yes", "--accept", "read:notes.txt"]] {
            try house.refuses("ben", ["plugin"] + words, "that no package brought: say.lua", in: "work")
            #expect(house.contents(of: "work") == before, "\(words)")
        }
        // What is the package's, and no longer whole, is put in order.
        try house.tool(["rm", "-r", "work/plugins"])
        try house.must("ben", ["plugin", "restore"], in: "work")
        try house.tool(["rm", "work/plugins/notes/ythost.json"])
        try house.must("ben", ["plugin", "restore"], in: "work")
        try house.write("work/plugins/notes/say.lua", "print('changed')")
        try house.must("ben", ["plugin", "restore"], in: "work")
        #expect(try house.must("ben", ["run", "plugins/notes/say.lua"], in: "work") == "OLD\n")
    }

    @Test("changed code runs by no path that leaves the project and comes back")
    func detours() throws {
        try house.package()
        try project()
        try house.write("work/ythost.policy", "locked = yes")
        try house.tool(["mv", "work/plugins", "real"])
        try house.tool(["ln", "-s", "../real", "work/plugins"])
        try house.tool(["bash", "-c", "ln -s work/plugins $'q\\xff'; ln -s $'q\\xff' out"])
        let calls = [
            ("work", "plugins/team/../team/say.lua"), ("work", "/proc/self/cwd/plugins/team/../team/say.lua"),
            ("work", "plugins/team/lib/../say.lua"), ("work", "../real/team/say.lua"), (".", "out/team/say.lua"),
            (".", "work/plugins/team/lib/../../team/say.lua"),
        ]
        func check(_ calls: [(String, String)]) throws {
            for (place, path) in calls {
                #expect(try house.must("ben", ["run", path], in: place) == "OLD\n", "\(path)")
            }
            let place = house.path("real/team")
            let folder = FileManager.default.fileExists(atPath: place) ? "real/team" : "elsewhere"
            let text = try house.read("\(folder)/say.lua")
            try house.write("\(folder)/say.lua", "return { run = function() print('EVIL') end }")
            for (place, path) in calls { try house.refuses("ben", ["run", path], "say.lua is changed", in: place) }
            try house.write("\(folder)/say.lua", text)
        }
        try check(calls)
        // The same with a link in the package's place.
        try house.tool(["mv", "real/team", "elsewhere"])
        try house.tool(["ln", "-s", "../elsewhere", "real/team"])
        try house.write("elsewhere/say.lua", "return { run = function() print('EVIL') end }")
        for path in ["plugins/team/../elsewhere/say.lua", "plugins/team/lib/../say.lua", "../elsewhere/say.lua"] {
            let run = try house.run("ben", ["run", path], in: "work")
            #expect(run.code == 6 && !run.output.contains("EVIL"), "\(path): \(run.errors)")
        }
    }

    @Test("where it cannot be told what is in the folders above, nothing runs")
    func unknownPlaces() throws {
        try house.package()
        try project()
        try house.write("work/ythost.policy", "locked = yes")
        try house.write("work/plugins/team/say.lua", "return { run = function() print('EVIL') end }")
        // A current folder whose path no call can name.
        let script = """
            d=$(printf 'x%.0s' {1..200}); cp -r "$PWD/work" "$PWD/deep"; cd deep
            for i in {1..25}; do mkdir $d; mv plugins ythost.lock ythost.policy $d; cd $d; done
            exec "$0" run plugins/team/say.lua
            """
        let run = try Program(
            "/bin/bash", ["-c", script, Command.binary], environment: ["HOME": house.path("ben")],
            folder: house.folder
        ).run()
        #expect(run.code != 0 && !run.output.contains("EVIL"), "\(run.output) \(run.errors)")
        #expect(run.errors.contains("name too long"), "\(run.errors)")
    }

    @Test("a policy further out holds for the packages of a project further in")
    func nested() throws {
        try house.package(needs: ["net:example.org"])
        try house.package("outer")
        try project("work", "outer")
        try project("work/vendor", "team")
        #expect(try house.must("ben", ["run", "vendor/plugins/team/say.lua"], in: "work") == "OLD\n")
        try house.write("work/ythost.policy", "grants = none\n")
        let allow = ["plugin", "allow", "plugins/team/say.lua", "net:example.org"]
        try house.refuses("ben", allow, "the grant 'net:example.org' is refused by", in: "work/vendor")
        try house.write("work/ythost.policy", "signed = yes\n")
        for (place, words) in [
            ("work", ["run", "vendor/plugins/team/say.lua"]), ("work/vendor", ["run", "team/say"]),
            ("work/vendor", ["run", "plugins/team/say.lua"]),
        ] { try house.refuses("ben", words, "which nobody allowed has signed, is refused", in: place) }
        try house.tool(["rm", "-r", "work/vendor/plugins", "work/vendor/ythost.lock"])
        try house.refuses(
            "ben", ["plugin", "add", "--project", "../../team"], "which nobody allowed has signed", in: "work/vendor")
        try house.write("work/ythost.policy", "locked = yes\n")
        try project("work/vendor", "team")
        for (place, words) in [
            ("work", ["run", "vendor/plugins/team/say.lua"]), ("work/vendor", ["run", "team/say"]),
            ("work/vendor", ["run", "plugins/team/say.lua"]),
        ] { try house.refuses("ben", words, "in no lock", in: place) }
        #expect(try house.must("ben", ["run", "outer/say"], in: "work") == "OLD\n")
        // Whom it allows is not what the outer one asked for.
        try house.tool(["rm", "-r", "work/vendor"])
        try sign()
        try house.write("work/ythost.policy", "signed = yes\n")
        try house.write("work/vendor/keys", "ada \(try house.read("ada/key.pub"))")
        try house.write("work/vendor/ythost.policy", "signers = keys\n")
        try house.refuses(
            "ben", ["plugin", "add", "--project", "../../team"], "which nobody allowed has signed", in: "work/vendor")
    }

    @Test("what is here is not passed over when its key was taken back or its signature is gone")
    func revoked() throws {
        try house.package()
        try sign()
        try project()
        try house.tool(["mv", "work/plugins/team/ythost.sig", "ythost.sig"])
        // It is fetched anew.
        let run = try house.run("ben", ["plugin", "restore"], in: "work")
        #expect(run.code == 0 && run.errors.contains("restored team"), "\(run.errors)")
        try house.tool(["cmp", "work/plugins/team/ythost.sig", "ythost.sig"])
        try house.tool(["mkdir", "-p", "ben/.config/ythost"])
        try house.tool(["cp", "ada/key.pub", "ben/.config/ythost/revoked_keys"])
        let allow = ["plugin", "allow", "plugins/team/more.lua", "read:team/say.lua"]
        for words in [["plugin", "restore"], allow] { try house.refuses("ben", words, "is revoked by", in: "work") }
        try house.tool(["rm", "ben/.config/ythost/revoked_keys"])
        try house.tool(["rm", "work/plugins/team/ythost.sig", "team/ythost.sig"])
        try house.refuses("ben", ["plugin", "restore"], "the key that signed it is none", in: "work")
        try house.refuses("ben", allow, "the signature is gone", in: "work")
        // Unsigned, and now there are allowed signers.
        try house.tool(["rm", "-r", "work"])
        try project()
        try house.must("ben", ["plugin", "restore"], in: "work")
        try house.allow("ben", signers: ["ada"])
        try house.refuses("ben", ["plugin", "restore"], "it has no signature", in: "work")
        try house.must("ben", ["plugin", "restore", "--unsigned"], in: "work")
    }

    @Test("--unsigned takes what nobody signed, and not what somebody else did")
    func otherSigner() throws {
        try house.package()
        try sign()
        try house.must("ben", ["plugin", "add", "team"])
        try house.package(version: "1.1.0", says: "new")
        try sign("eve")
        for flags in [[], ["--unsigned"]] {
            let words = ["plugin", "update", "--yes"] + flags
            try house.refuses("ben", words, "signed what is here, and not this", "remove the package and add it anew")
        }
        try house.tool(["rm", "team/ythost.sig"])
        try house.refuses("ben", ["plugin", "update", "--yes"], "it", "--unsigned takes it all the same")
        try house.must("ben", ["plugin", "update", "--yes", "--unsigned"])
        #expect(try house.must("ben", ["run", "team/say"]) == "NEW\n")
    }

    @Test("pack writes through no link under its usual name")
    func packLink() throws {
        try house.package()
        try house.write("ben/rc", "precious")
        try house.tool(["ln", "-s", "ben/rc", "team-1.0.0.tar"])
        try house.refuses("ben", ["plugin", "pack", "team"], code: 1, "team-1.0.0.tar", "it is a link")
        #expect(try house.read("ben/rc") == "precious")
        // Whoever names it means it.
        try house.must("ben", ["plugin", "pack", "team", "-o", "team-1.0.0.tar"])
        #expect(try house.read("ben/rc") != "precious")
        try house.tool(["rm", "team-1.0.0.tar"])
        for _ in 0..<2 { try house.must("ben", ["plugin", "pack", "team"]) }
    }

    @Test("a lock's source leads out of nothing that the user's policy names")
    func dots() throws {
        let server = LoopbackServer { _, reply in reply.answer(200, [], "secret") }
        try house.package()
        try project()
        let lock = try house.read("work/ythost.lock")
        let base = "http://127.0.0.1:\(server.port)/pub/"
        try house.write("keys", "")
        try house.write(
            "ben/.config/ythost/policy", "signers = \(base) \(house.path("keys"))\nsigners = git+\(base) keys\n")
        try house.tool(["rm", "-r", "work/plugins"])
        for dots in ["../", "%2e%2e/", ".%2E/", "a/..%2F", "..%5c", "..\\\\", "./", "x/%2E./"] {
            for source in [base + dots + "team.tar", "git+" + base + dots + "team.git"] {
                try house.write("work/ythost.lock", lock.replacing(house.path("team"), with: source))
                let words = dots.hasSuffix("\\") ? "is no source" : "do not belong into an address"
                try house.refuses("ben", ["plugin", "restore"], code: 2, words, in: "work")
            }
        }
        try house.write("work/ythost.lock", lock.replacing(house.path("team"), with: "git+file:///pub/../x"))
        try house.refuses("ben", ["plugin", "restore"], code: 2, "do not belong into an address", in: "work")
        #expect(server.requests.isEmpty)
        try house.write("work/ythost.lock", lock.replacing(house.path("team"), with: base + "..team./a...tar"))
        _ = try house.run("ben", ["plugin", "restore"], in: "work")
        #expect(!server.requests.isEmpty)
    }

    @Test("a lock leads nowhere by ssh that the user's policy does not name")
    func lockedSSH() throws {
        try house.package()
        try project()
        let lock = try house.read("work/ythost.lock")
        let source = "git+ssh://git@alias:1/x.git"
        try house.write("work/ythost.lock", lock.replacing(house.path("team"), with: source))
        try house.tool(["rm", "-r", "work/plugins"])
        for words in [["restore"], ["update", "--yes"]] {
            try house.refuses("ben", ["plugin"] + words, code: 4, "goes by ssh", "--from SOURCE", in: "work")
        }
        try house.write("ben/.config/ythost/policy", "signers = git+ssh://git@alias:1/ keys\n")
        let run = try house.run("ben", ["plugin", "restore"], in: "work")
        #expect(run.code == 4 && !run.errors.contains("goes by ssh"), "\(run.errors)")
    }

    @Test("nothing stays behind when a signature's check is ended", arguments: [SIGTERM, SIGKILL])
    func ended(signal: Int32) throws {
        try house.package()
        try sign()
        for step in 1...12 {
            let child = try house.start("ben", ["plugin", "add", "team"])
            usleep(UInt32(step) * 7000)
            child.send(signal)
            _ = try child.finish()
            let left = try FileManager.default.contentsOfDirectory(atPath: house.path("."))
            #expect(!left.contains { $0.hasPrefix("ythost-") }, "\(left)")
            _ = try house.run("ben", ["plugin", "remove", "team"])
        }
    }

    @Test("a lock that says something twice is believed in nothing")
    func twice() throws {
        try house.package()
        try project()
        let lock = try house.read("work/ythost.lock")
        let zeros = String(repeating: "0", count: 64)
        for (old, new) in [
            ("\"packages\": {", "\"packages\": {}, \"packages\": {"),
            ("\"licence\"", "\"api\": 1, \"licence\""), ("\"more.lua\": [", "\"more.lua\": [], \"more.lua\": ["),
            ("\"lib/loud.lua\": \"", "\"lib/loud.lua\": \"\(zeros)\", \"lib/loud.lua\": \""),
        ] {
            let text = lock.replacing(old, with: new)
            #expect(text != lock)
            try house.write("work/ythost.lock", text)
            for words in [["plugin", "verify"], ["run", "plugins/team/say.lua"]] {
                try house.refuses("ben", words, code: 3, "twice", in: "work")
            }
        }
    }

    @Test("what everybody may write to is not believed", arguments: ["ythost.lock", "plugins", "ythost.policy"])
    func everybodys(name: String) throws {
        try house.package()
        try project()
        try house.write("work/ythost.policy", "locked = yes")
        try house.tool(["chmod", "o+w", "work/\(name)"])
        for words in [["run", "plugins/team/say.lua"], ["plugin", "verify"], ["plugin", "add", "../team"]] {
            // To look at packages needs no policy.
            if name == "ythost.policy", words == ["plugin", "verify"] { continue }
            try house.refuses("ben", words, "\(name): everybody may write to it", in: "work")
        }
        try house.tool(["chmod", "o-w", "work/\(name)"])
        try house.must("ben", ["run", "plugins/team/say.lua"], in: "work")
    }

    @Test("packages are readable for others, whatever the umask", arguments: ["000", "077"])
    func modes(umask: String) throws {
        try house.package()
        try house.tool(["mkdir", "-p", "work"])
        let run = try Program(
            "/bin/bash",
            ["-c", "umask \(umask); exec \"$0\" plugin add --project ../team", Command.binary],
            environment: ["HOME": house.path("ben")], folder: house.folder.appending(path: "work")
        ).run()
        #expect(run.code == 0, "\(run.errors)")
        let modes = try house.tool(["find", "work/plugins/team", "-printf", "%y%m\n"]).split(separator: "\n")
        #expect(Set(modes) == ["d755", "f644"])
    }

    @Test("git's own reason is told for a repository that is not there")
    func missingRepository() throws {
        try house.refuses(
            "ben", ["plugin", "add", "git+file:///nowhere/at/all.git"], code: 4,
            "'/nowhere/at/all.git' does not appear to be a git repository")
    }
}
