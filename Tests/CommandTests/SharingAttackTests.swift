// Packages, sources, locks and signatures made by somebody who means harm. Each is refused with its reason, and nothing is
// written: what is on the disk before and after is compared from outside.

import Foundation
import Glibc
import TestSupport
import Testing

@Suite struct SharingAttackTests {
    private let house: Household

    init() throws { house = try Household() }

    /// An add that must be refused, with nothing but that to show for it.
    private func refuses(
        _ source: String, code: Int32 = 6, _ words: String, flags: [String] = [],
        at location: SourceLocation = #_sourceLocation
    ) throws {
        let before = house.contents(of: ".").filter { $0.key != "ben" && !$0.key.hasPrefix("ben/") }
        try house.refuses("ben", ["plugin", "add"] + flags + ["--", source], code: code, words, at: location)
        let after = house.contents(of: ".").filter { $0.key != "ben" && !$0.key.hasPrefix("ben/") }
        #expect(before == after, sourceLocation: location)
        let taken = house.contents(of: "ben").filter { $0.key.contains("plugins/") || $0.key.contains("ythost.lock") }
        #expect(taken.isEmpty, "\(taken.keys)", sourceLocation: location)
        #expect(!FileManager.default.fileExists(atPath: "/tmp/ythost-escaped"), sourceLocation: location)
    }

    /// Archives that a program for the purpose makes, since honest ones do not.
    private static let archives: [(name: String, python: String, words: String)] = [
        ("parent", "file('team/../../escaped.lua')", "leads out of the package"),
        ("absolute", "file('/tmp/ythost-escaped')", "leads out of the package"),
        ("hidden parent", "file('team/.git/../../../escaped')", "leads out of the package"),
        ("link", "link('team/lib/etc', '/etc')", "it is a link"),
        ("link inside", "link('team/lib/other.lua', 'loud.lua')", "it is a link"),
        ("link, then a file through it", "link('team/out', '/tmp'); file('team/out/ythost-escaped')", "it is a link"),
        ("hard link", "link('team/passwd', '/etc/passwd', tarfile.LNKTYPE)", "it is a link"),
        ("device", "link('team/null', '', tarfile.CHRTYPE)", "it is no file"),
        ("pipe", "link('team/pipe', '', tarfile.FIFOTYPE)", "it is no file"),
        ("case", "file('team/SAY.lua')", "bears the same name"),
        ("case of a folder", "file('team/LIB/x.lua')", "bears the same name"),
        ("a file that is a folder", "file('team/lib')", "bears the same name"),
        ("twice", "file('team/say.lua')", "bears the same name"),
        ("control", "file('team/a\\nb.lua')", "names are of ASCII"),
        ("backslash", "file('team/a\\\\x.lua')", "names are of ASCII"),
        ("letters that look the same", "file('team/s\\u0430y.lua')", "names are of ASCII"),
        ("option", "file('team/-rf')", "cannot keep that name"),
        ("a lock", "file('team/ythost.lock')", "a package has no lock"),
        ("deep", "file('team/' + 'd/' * 40 + 'x.lua')", "folders deep"),
        ("long", "file('team/' + 'n' * 200)", "its name is over"),
        ("a huge file", "file('team/huge.lua', b'-' * (5 << 20))", "larger than one may be"),
        ("many files", "[file('team/f%d.lua' % i) for i in range(2100)]", "at most 2000 files"),
        ("many folders", "[link('team/d%d' % i, '', tarfile.DIRTYPE) for i in range(9000)]", "more than 8000 entries"),
    ]

    @Test("archives that lead out, collide, link or are too much", arguments: archives.indices)
    func archive(index: Int) throws {
        let row = Self.archives[index]
        try house.package()
        try house.write(
            "make.py",
            """
            import tarfile, io, sys
            archive = tarfile.open('bad.tar.gz', 'w:gz', format=tarfile.PAX_FORMAT)
            def file(name, data=b'return {}'):
                entry = tarfile.TarInfo(name); entry.size = len(data); archive.addfile(entry, io.BytesIO(data))
            def link(name, target, kind=tarfile.SYMTYPE):
                entry = tarfile.TarInfo(name); entry.type = kind; entry.linkname = target; archive.addfile(entry)
            for name in ['ythost.json', 'say.lua', 'more.lua', 'lib/loud.lua']:
                archive.add('team/' + name)
            \(row.python)
            archive.close()
            """)
        try house.tool(["python3", "make.py"])
        try refuses("bad.tar.gz", row.words)
    }

    @Test("a bomb is stopped before it goes off, in the process that reads it")
    func bomb() throws {
        try house.write(
            "make.py",
            """
            import gzip, tarfile, io
            with gzip.open('bomb.tar.gz', 'wb', 9) as out:
                entry = tarfile.TarInfo('team/x.lua'); entry.size = 2 << 30
                out.write(entry.tobuf())
                for _ in range(2048): out.write(bytes(1 << 20))
            """)
        try house.tool(["python3", "make.py"])
        let start = Date.now
        try refuses("bomb.tar.gz", "larger than one may be")
        #expect(Date.now.timeIntervalSince(start) < 5)
    }

    @Test("what is no archive, or half of one", arguments: ["cut", "noise", "empty", "text"])
    func damaged(how: String) throws {
        try house.package()
        try house.tool(["tar", "czf", "whole.tgz", "team"])
        let whole = try Data(contentsOf: house.folder.appending(path: "whole.tgz"))
        let bytes: Data =
            switch how {
            case "cut": whole.prefix(whole.count / 2)
            case "noise": Data((0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 7919 >> 3) })
            case "text": Data("just words, no archive".utf8)
            default: Data()
            }
        try bytes.write(to: house.folder.appending(path: "bad.tgz"))
        try refuses("bad.tgz", code: 2, "cannot unpack bad.tgz")
    }

    @Test(
        "sources that are options, other protocols or secrets in disguise",
        arguments: [
            ("--upload-pack=touch x", "begins with a hyphen"), ("-x", "begins with a hyphen"),
            ("git+--upload-pack=touch escaped", "followed by https://"),
            ("git+ext::sh -c 'touch escaped'", "followed by https://"),
            ("git+ext://sh/x", "not asked by 'ext'"), ("git+fd://7/x", "not asked by 'fd'"),
            ("git+ssh://-oProxyCommand=touch escaped/x", "names no host"),
            ("git+ssh://a@-oProxyCommand=touch/x", "names no host"),
            ("git+ssh://-l@example.org/x", "name or password"),
            ("git+https://user:secret@example.org/x.git", "…@example.org"),
            ("https://user:secret@example.org/x.tar", "…@example.org"),
            ("git+http://example.org/x.git", "use https"), ("http://example.org/x.tar", "use https"),
            ("ftp://example.org/x.tar", "'ftp' is no way"), ("file:///etc/passwd", "'file' is no way"),
            ("git+https://example.org/x.git@--upload-pack=x", "no tag, branch or commit"),
            ("git+https://example.org/x.git@v1..v2", "no tag, branch or commit"),
            ("git+https://example.org/x.git@v1:refs/heads/x", "no tag, branch or commit"),
            ("git+https://example.org/x.git#../out", "no folder in"),
            ("git+https://example.org/x.git#/etc", "no folder in"), ("nowhere/at/all", "no such folder or file"),
        ])
    func sources(source: String, words: String) throws {
        try refuses(source, code: 2, words)
        #expect(try !house.run("ben", ["plugin", "add", "--", source]).errors.contains("secret"))
    }

    @Test("a server that asks for a password is not waited for, and nobody is asked", arguments: ["git+", ""])
    func password(prefix: String) throws {
        let server = LoopbackServer { _, reply in
            reply.answer(401, [("WWW-Authenticate", "Basic realm=\"x\"")])
        }
        let start = Date.now
        try refuses(
            "\(prefix)http://127.0.0.1:\(server.port)/x.git", code: 4, prefix.isEmpty ? "401" : "prompts disabled")
        #expect(Date.now.timeIntervalSince(start) < 10)
    }

    @Test(
        "an archive at an address on this machine is taken when the user names it, and not when a project's lock does")
    func address() throws {
        try house.package()
        try house.must("ada", ["plugin", "pack", "team", "-o", "team.tar"])
        let archive = Array(try Data(contentsOf: house.folder.appending(path: "team.tar")))
        let server = LoopbackServer { request, reply in
            if request.target == "/team.tar" { reply.answer(200, [], archive) } else { reply.answer(404) }
        }
        let url = "http://127.0.0.1:\(server.port)/team.tar"
        try house.must("ben", ["plugin", "add", url])
        #expect(try house.must("ben", ["run", "team/say"]) == "OLD\n")
        #expect(try house.run("ben", ["plugin", "update"]).errors.contains("is up to date"))
        try refusesAnew("\(url).gz", code: 4, "the answer is 404")
        try house.write("work/x.txt", "")
        try house.must("ben", ["plugin", "add", "--project", url], in: "work")
        try house.tool(["rm", "-r", "work/plugins/team"])
        let run = try house.run("ben", ["plugin", "restore"], in: "work")
        #expect(
            run.code == 4 && !FileManager.default.fileExists(atPath: house.path("work/plugins/team")), "\(run.errors)")
    }

    /// As `refuses`, where something is there already.
    private func refusesAnew(_ source: String, code: Int32, _ words: String) throws {
        let before = house.contents(of: "ben")
        try house.refuses("ben", ["plugin", "add", source], code: code, words)
        #expect(house.contents(of: "ben") == before)
    }

    @Test("hooks, filters, attributes and LFS of a repository have no say; submodules and links are refused")
    func repository() throws {
        try house.package()
        try house.write("team/.gitattributes", "*.lua filter=bad eol=crlf text export-subst\n")
        try house.commit("team", tag: "v1")
        for hook in ["post-checkout", "post-merge", "reference-transaction", "post-upload-pack", "pre-auto-gc"] {
            try house.write("team/.git/hooks/\(hook)", "#!/bin/sh\ntouch \(house.path("escaped"))\n")
            try house.tool(["chmod", "755", "team/.git/hooks/\(hook)"])
        }
        try house.write(
            "team/.git/config",
            try house.read("team/.git/config")
                + "[filter \"bad\"]\n\tsmudge = touch \(house.path("escaped"))\n[core]\n\tfsmonitor = touch \(house.path("escaped"))\n"
                + "[uploadpack]\n\tpackObjectsHook = touch \(house.path("escaped"))\n")
        // A user's own hooks, which git would run in any repository.
        try house.write("ben/.gitconfig", "[core]\n\thooksPath = \(house.path("team/.git/hooks"))\n")
        try house.must("ben", ["plugin", "add", "git+file://\(house.path("team"))@v1"])
        #expect(try house.must("ben", ["run", "team/say"]) == "OLD\n")
        #expect(try house.read(house.data("ben") + "/plugins/team/say.lua") == house.read("team/say.lua"))
        #expect(!FileManager.default.fileExists(atPath: house.path("escaped")))
        try house.must("ben", ["plugin", "remove", "team"])

        try house.tool(["ln", "-s", "/etc/passwd", "team/words.lua"])
        try house.commit("team", tag: "v2")
        try house.refuses("ben", ["plugin", "add", "git+file://\(house.path("team"))@v2"], "it is a link")
        try house.tool(["git", "rm", "-q", "words.lua"], in: "team")
        let head = try house.tool(["git", "rev-parse", "HEAD"], in: "team")
        try house.tool(["git", "update-index", "--add", "--cacheinfo", "160000,\(head),other"], in: "team")
        try house.tool(["git", "commit", "-q", "-m", "module"], in: "team")
        try house.refuses("ben", ["plugin", "add", "git+file://\(house.path("team"))"], "it is a submodule")
        try house.tool(["git", "rm", "-q", "--cached", "other"], in: "team")
        try house.write("team/lib/loud.lua", "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n")
        try house.commit("team", tag: "v3")
        try house.refuses("ben", ["plugin", "add", "git+file://\(house.path("team"))@v3"], "git LFS")
    }

    @Test(
        "a lock that was changed by hand is not believed",
        arguments: [
            ("\"version\": 1\n}", "\"version\": 2\n}", "is of version 2"), ("{", "<<<<<<< ours\n{", "it is not JSON"),
            ("\"team\"", "\"../x\"", "is no name of a package"), ("\"say.lua\": \"", "\"say.lua\": \"0", "bad digest"),
            ("sha256:", "sha256:0", "not that of its files"), ("\"more.lua\": [", "\"other.lua\": [", "has no file"),
            ("lib/loud.lua", "../../x.lua", "is refused"), ("\"packages\"", "\"pakages\"", "it has no packages"),
        ])
    func lock(old: String, new: String, words: String) throws {
        try house.package()
        try house.must("ben", ["plugin", "add", "team"])
        let lock = house.data("ben") + "/ythost.lock"
        let text = try house.read(lock)
        let range = try #require(text.range(of: old))
        try house.write(lock, text.replacingCharacters(in: range, with: new))
        for words2 in [["plugin", "verify"], ["run", "team/say"], ["plugin", "update", "--yes"]] {
            let run = try house.run("ben", words2)
            #expect(run.code != 0 && run.errors.contains(words), "\(words2): \(run.errors)")
        }
    }

    @Test("a lock inside a package, or a link in its place, does not hide what is locked outside")
    func insideLock() throws {
        try house.package()
        try house.must("ben", ["plugin", "add", "--project", "team"])
        let lock = try house.read("ythost.lock")
        try house.write("plugins/team/say.lua", "print('other')")
        try house.write("plugins/team/ythost.lock", lock)
        try house.refuses("ben", ["run", "plugins/team/say.lua"], "a package has no lock")
        try house.tool(["rm", "plugins/team/ythost.lock"])
        try house.tool(["mv", "plugins/team", "elsewhere"])
        try house.tool(["ln", "-s", "../elsewhere", "plugins/team"])
        try house.refuses("ben", ["run", "plugins/team/say.lua"], "is missing")
    }

    @Test("a lock and a policy in a folder that everybody may write to are nobody's")
    func everybodys() throws {
        try house.package(at: "shared/plugins/team")
        try house.write("shared/work/own.lua", "print('own')")
        try house.write("shared/ythost.lock", "not a lock")
        try house.write("shared/ythost.policy", "locked = yes")
        try house.refuses("ben", ["run", "./own.lua"], "in no lock", in: "shared/work")
        try house.tool(["chmod", "1777", "shared"])
        #expect(try house.must("ben", ["run", "./own.lua"], in: "shared/work") == "own\n")
        try house.package()
        try house.must("ben", ["plugin", "add", "../../team"], in: "shared/work")
        #expect(try house.read("shared/ythost.lock") == "not a lock")
    }

    @Test("files that are put beside those of a package are not run with it")
    func added() throws {
        try house.package()
        try house.must("ben", ["plugin", "add", "team"])
        // `require "loud"` would find this one first.
        try house.write(house.data("ben") + "/plugins/team/loud.lua", "return { up = function() return 'other' end }")
        try house.refuses("ben", ["run", "team/say"], "loud.lua is new")
    }

    @Test("a package whose plugin does not load is not taken")
    func broken() throws {
        try house.package()
        try house.write("team/say.lua", "return { run = function( }")
        try refuses("team", code: 1, "say.lua:1")
        try house.write("team/say.lua", "while true do end")
        try refuses("team", "budget")
        try house.package(needs: ["net:"])
        try refuses("team", "asks for 'net:'")
    }
}
