// What packages are made of at their edges: names, lengths, line ends and versions that just fit, and what is told of a
// change before it is taken.

import Foundation
import Glibc
import Testing

@Suite struct SharingFormTests {
    private let house: Household

    init() throws { house = try Household() }

    @Test("whatever a package may hold is packed, and taken again from the archive")
    func longest() throws {
        let name = String(repeating: "n", count: 40)
        let version = "1.0.0-" + String(repeating: "a", count: 90)
        try house.package(name, at: "team", version: version)
        let deep = (1...7).map { "d\($0)" }.joined(separator: "/") + "/x.txt"
        let long = [49, 49, 50].map { String(repeating: "p", count: $0) }.joined(separator: "/")
        for path in [deep, long, String(repeating: "q", count: 60)] { try house.write("team/\(path)", path) }
        try house.must("ada", ["plugin", "pack", "team"])
        let archive = "\(name)-\(version).tar"
        try house.must("ben", ["plugin", "add", archive])
        try house.must("cat", ["plugin", "add", "team"])
        try house.must("ben", ["plugin", "verify"])
        #expect(
            house.contents(of: house.data("ben") + "/plugins") == house.contents(of: house.data("cat") + "/plugins"))
        let words = "abcde".map { String(repeating: $0, count: 32) }.joined(separator: ".")
        try house.package(name, at: "team", version: "1.0.0-\(words)")
        try house.refuses("ada", ["plugin", "pack", "team"], code: 2, "of at most 100 bytes")
    }

    @Test(
        "line ends of any kind are as they were taken",
        arguments: ["a\r\r\nb\n", "a\r\r\r\n\r\nb\r", "a\rb\r\n", "\r\n\r"])
    func lineEnds(text: String) throws {
        try house.package()
        try house.write("team/n.txt", text)
        try house.must("ben", ["plugin", "add", "team"])
        try house.must("ben", ["plugin", "verify"])
        #expect(try house.must("ben", ["run", "team/say"]) == "OLD\n")
    }

    @Test("a file that a package cannot have is told, and not left out")
    func leftOut() throws {
        try house.package()
        try house.tool(["python3", "-c", "open(b'team/bad\\xff.lua', 'w').write('return {}')"])
        for words in [
            ["pack", "team"], ["add", "team"], ["sign", "team", "--key", "k", "--source", "https://example.org/x"],
        ] {
            try house.refuses("ada", ["plugin"] + words, "its name is no text")
        }
        try house.tool(["python3", "-c", "import os; os.unlink(b'team/bad\\xff.lua')"])
        if getuid() == 0 { return }
        try house.tool(["chmod", "000", "team/lib"])
        try house.refuses("ada", ["plugin", "pack", "team"], code: 2, "team/lib")
        try house.tool(["chmod", "755", "team/lib"])
    }

    @Test("an archive's file with a hole at its end is not taken as a shorter one")
    func sparse() throws {
        try house.package()
        for size in ["10G", "64K"] {
            try house.tool(["truncate", "-s", size, "team/hole.txt"])
            try house.tool(["tar", "-S", "-cf", "team.tar", "team"])
            let run = try house.run("ben", ["plugin", "add", "team.tar"])
            if size == "10G" {
                #expect(run.code == 6 && run.errors.contains("larger than one may be"), "\(run.errors)")
            } else if run.code == 0 {
                let file = house.path(house.data("ben") + "/plugins/team/hole.txt")
                #expect(FileManager.default.contents(atPath: file)?.count == 64 << 10)
            } else {
                #expect(run.code == 6 && run.errors.contains("hole.txt"), "\(run.errors)")
            }
        }
    }

    @Test("a change of any part of an option is shown, and no code hides behind a CR")
    func shownChanges() throws {
        func script(_ options: String, _ more: String = "") -> String {
            "\(more)return { options = { \(options) },\nrun = function(ctx, opt) print('x') end }\n"
        }
        try house.package()
        try house.write(
            "team/say.lua",
            script("n = { type = 'integer', max = 5, help = 'how many' }, w = { type = 'enum', values = { 'a', 'b' } }")
        )
        try house.must("ben", ["plugin", "add", "team"])
        try house.write(
            "team/say.lua",
            script(
                "n = { type = 'integer', min = 1, max = 5000, help = 'how much' }, w = { type = 'enum', values = { 'a', 'b', 'rm' } }",
                "-- harmless\rlocal hidden = 1 -- \u{8}\u{9D}code()\u{9C}\n"))
        let run = try house.run("ben", ["plugin", "update", "--diff"])
        for line in [
            "--n has max 5000, was 5", "--n has min 1, was none", "--n has help \"how much\", was \"how many\"",
            "--w has values a,b,rm, was a,b", "+-- harmless^Mlocal hidden = 1 -- ^H<9D>code()<9C>",
        ] { #expect(run.output.contains(line), "\(run.output)") }
    }

    @Test("an older version is one whatever the size of its numbers")
    func olderVersions() throws {
        try house.package(version: "1.0.0-10000000000")
        try house.must("ben", ["plugin", "add", "team"])
        try house.package(version: "1.0.0-9999999999")
        try house.refuses("ben", ["plugin", "update", "--yes"], "is older than 1.0.0-10000000000")
        try house.package(version: "1.0.0+build5")
        try house.must("ben", ["plugin", "update", "--yes"])
        #expect(try house.must("ben", ["plugin", "info", "team"]).contains("team 1.0.0+build5"))
    }

    @Test("an update of all goes on after one that fails, and ends as the first did that failed")
    func updateAll() throws {
        for name in ["one", "two", "xyz"] {
            try house.package(name)
            try house.must("ben", ["plugin", "add", name])
            try house.package(name, version: "1.1.0", says: "new")
        }
        try house.package("one", version: "0.9.0")
        try house.tool(["rm", "-r", "xyz"])
        let run = try house.run("ben", ["plugin", "update", "--yes"])
        #expect(run.code == 6)
        for words in ["'one' 0.9.0 is older", "updated two", "there is no such folder"] {
            #expect(run.errors.contains(words), "\(run.errors)")
        }
        #expect(try house.must("ben", ["run", "two/say"]) == "NEW\n")
    }

    @Test("no package is called as the folder that packages are in, so that a path of a project is that path")
    func reserved() throws {
        try house.package("plugins", at: "team")
        try house.refuses("ben", ["plugin", "add", "team"], code: 2, "a folder with a meaning of its own")
    }

    @Test(
        "names lead to the user's packages, then to files, then to the project's, and never from one to another unseen")
    func names() throws {
        try house.package()
        try house.tool(["mkdir", "-p", "work/deep"])
        try house.must("ben", ["plugin", "add", "--project", "../team"], in: "work")
        for word in ["team/say", "say"] {
            for place in ["work", "work/deep"] { #expect(try house.must("ben", ["run", word], in: place) == "OLD\n") }
            try house.refuses("ben", ["run", word], code: 2, "there is no plugin")
        }
        // The user's own files and packages keep their names.
        try house.write(house.data("ben") + "/plugins/say.lua", "print('own')")
        #expect(try house.must("ben", ["run", "say"], in: "work") == "own\n")
        try house.must("ben", ["plugin", "add", "--user", "../team"], in: "work")
        #expect(try house.must("ben", ["run", "say"], in: "work") == "OLD\n")
        #expect(try house.must("ben", ["run", "team/say"], in: "work") == "OLD\n")
        try house.package(says: "new")
        try house.must("ben", ["plugin", "update", "--user", "--yes"], in: "work")
        #expect(try house.must("ben", ["run", "team/say"]) == "NEW\n")
        try house.refuses("ben", ["run", "team/say"], code: 2, "different plugins 'team/say'", in: "work")
        #expect(try house.must("ben", ["run", "plugins/team/say.lua"], in: "work") == "OLD\n")
    }

    @Test("a path in a package where nothing is is not said to be a change")
    func noSuchPlugin() throws {
        try house.package()
        try house.must("ben", ["plugin", "add", "--project", "team"])
        for path in ["plugins/team/say", "plugins/team/none.lua"] {
            let run = try house.run("ben", ["run", path])
            #expect(run.code == 2 && run.errors.contains("there is no plugin"), "\(run.errors)")
        }
    }

    @Test("a grant that the project's policy takes out is not given")
    func allow() throws {
        try house.package()
        try house.tool(["mkdir", "work"])
        try house.must("ben", ["plugin", "add", "--project", "../team"], in: "work")
        try house.write("work/ythost.policy", "grants = none\n")
        let words = ["plugin", "allow", "plugins/team/say.lua", "net:example.org"]
        try house.refuses("ben", words, "ythost.policy", in: "work")
        #expect(!FileManager.default.fileExists(atPath: house.path(house.data("ben") + "/grants.json")))
        try house.write("work/ythost.policy", "grants = net:example.org\n")
        try house.must("ben", words, in: "work")
    }

    @Test("verify, info and list find all in order while packages are updated")
    func duringUpdates() throws {
        try house.package("team", at: "old", version: "1.0.0")
        try house.package("team", at: "new", version: "2.0.0", says: "new")
        try house.must("ben", ["plugin", "add", "old"])
        try house.write(
            "loop.sh",
            """
            while [ ! -e stop ]; do for source in new old; do
              "$1" plugin update team --from $source --yes --older >/dev/null 2>&1
            done; done
            """)
        let loop = try Program(
            "/bin/sh", ["loop.sh", Command.binary],
            environment: ["HOME": house.path("ben"), "TMPDIR": house.path(".")],
            folder: house.folder
        ).start()
        for round in 0..<60 {
            let words = [["plugin", "verify"], ["plugin", "info", "team"], ["plugin", "list"]][round % 3]
            let run = try house.run("ben", words)
            #expect(run.code == 0 && !run.output.contains("refused"), "\(words): \(run.errors)")
        }
        try house.write("stop", "")
        _ = try loop.finish()
        try house.must("ben", ["plugin", "verify"])
    }

    @Test("what differs while somebody changes packages is looked at again when that is done")
    func amidChange() throws {
        try house.package()
        try house.must("ben", ["plugin", "add", "team"])
        let file = house.data("ben") + "/plugins/team/say.lua"
        let script = try house.read(file)
        for words in [["plugin", "verify"], ["plugin", "info", "team"], ["plugin", "list"], ["run", "team/say"]] {
            let folder = open(house.path(house.data("ben")), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            #expect(flock(folder, LOCK_EX) == 0)
            try house.write(file, "half of it")
            let child = try house.start("ben", words)
            usleep(400_000)
            try house.write(file, script)
            close(folder)
            let run = try child.finish()
            #expect(run.code == 0 && !run.output.contains("refused"), "\(words): \(run.errors)")
        }
    }

    @Test("git has no large file of a repository in memory")
    func memory() throws {
        try house.package()
        try house.tool(["truncate", "-s", "200M", "team/zeros.bin"])
        try house.commit("team", tag: "v1")
        try house.write(
            "measure.py",
            """
            import os, resource, subprocess, sys
            run = subprocess.run(sys.argv[1:], stderr=subprocess.PIPE, env=dict(os.environ, HOME='\(house.path("ben"))'))
            print(run.returncode, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10)
            """)
        let answer = try house.tool([
            "python3", "measure.py", Command.binary, "plugin", "add", "git+file://\(house.path("team"))@v1",
        ])
        let numbers = answer.split(separator: " ").compactMap { Int($0) }
        #expect(numbers.count == 2 && numbers[0] == 6 && numbers[1] < 120, "\(answer) MiB")
    }

    @Test("what ssh says is told, though its lines end otherwise")
    func secureShell() throws {
        let run = try house.run("ben", ["plugin", "add", "git+ssh://git@127.0.0.1:1/x.git"])
        #expect(run.code == 4, "\(run.errors)")
        let words = ["Connection refused", "ssh: not found", "cannot run ssh"]
        #expect(words.contains { run.errors.contains($0) }, "\(run.errors)")
    }
}
