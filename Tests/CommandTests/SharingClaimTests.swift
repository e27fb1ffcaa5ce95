// Locks that say what is not so. A lock comes with a project and may be anybody's: what it says of a package beside the
// digests of its files is held against what the package, its signature and its plugins say.

import Foundation
import Glibc
import TestSupport
import Testing

@Suite struct SharingClaimTests {
    private let house: Household

    init() throws { house = try Household() }

    /// Changes one thing that a project's lock says.
    private func claim(_ old: String, _ new: String, in lock: String = "work/ythost.lock") throws {
        let text = try house.read(lock)
        let range = try #require(text.range(of: old), "\(text)")
        try house.write(lock, text.replacingCharacters(in: range, with: new))
    }

    private func sign(for source: String) throws {
        try house.must("ada", ["plugin", "sign", "team", "--key", "ada/key", "--source", source])
    }

    private static let claims: [(old: String, new: String, fact: String)] = [
        ("\"version\": \"1.0.0\"", "\"version\": \"9.9.9\"", "its version is 1.0.0 and not 9.9.9"),
        ("\"api\": 1", "\"api\": 99", "its api is 1 and not 99"),
        ("\"licence\": \"MIT\"", "\"licence\": \"CC0-1.0\"", "its licence is MIT and not CC0-1.0"),
        (
            "\"read:notes.txt\"", "\"net:example.org\"",
            "what more.lua asks for is read:notes.txt and not net:example.org"
        ),
        ("\"say.lua\": []", "\"say.lua\": [\"net:example.org\"]", "what say.lua asks for is"),
        (
            "\"signer\": \"ada@example.org\"", "\"signer\": \"root@example.org\"",
            "its signer is ada@example.org and not root"
        ),
        ("\"key\": \"SHA256:", "\"key\": \"SHA256:AAAA", "the key that signed it is SHA256:"),
    ]

    @Test("verify tells what a lock says that is not so, and info tells what is", arguments: claims.indices)
    func falseLock(index: Int) throws {
        let row = Self.claims[index]
        try house.package()
        try house.key(of: "ada")
        try house.allow("ben", signers: ["ada"])
        try sign(for: "https://example.org/team.tar")
        try house.tool(["mkdir", "work"])
        try house.must("ben", ["plugin", "add", "--project", "../team"], in: "work")
        try house.must("ben", ["plugin", "verify"], in: "work")
        let honest = try house.must("ben", ["plugin", "info", "team"], in: "work")
        try claim(row.old, row.new)
        try house.refuses("ben", ["plugin", "verify"], "says of 'team' what is not so", row.fact, in: "work")
        let shown = try house.must("ben", ["plugin", "info", "team"], in: "work")
        #expect(shown.hasPrefix(honest) && shown.contains(row.fact), "\(shown)")
        let list = try house.must("ben", ["plugin", "list"], in: "work")
        #expect(list.contains("team  1.0.0  2 plugins  ada@example.org"), "\(list)")
    }

    @Test("nobody who knows no signers is told by a lock who signed")
    func unknownSigner() throws {
        try house.package()
        try house.key(of: "ada")
        try sign(for: "https://example.org/team.tar")
        try house.tool(["mkdir", "work"])
        try house.must("ben", ["plugin", "add", "--project", "../team"], in: "work")
        try claim("\"source\"", "\"signer\": \"root@official.example\",\n      \"source\"")
        let run = try house.run("ben", ["plugin", "verify"], in: "work")
        #expect(run.code == 0 && run.errors.contains("who signed 'team' is only what the lock says"), "\(run.errors)")
        for words in [["plugin", "info", "team"], ["plugin", "list"]] {
            let shown = try house.must("ben", words, in: "work")
            #expect(!shown.contains("official.example"), "\(shown)")
        }
        #expect(try house.must("ben", ["plugin", "info", "team"], in: "work").contains("which nobody here knows"))
    }

    @Test("a genuine signature for another source does not vouch for the one that a lock names")
    func otherSource() throws {
        try house.package()
        try house.key(of: "ada")
        try house.allow("ben", signers: ["ada"])
        try house.write("ben/.config/ythost/policy", "signed = yes\n")
        try sign(for: "git+https://example.org/team.git")
        try house.tool(["mkdir", "work"])
        try house.must("ben", ["plugin", "add", "--project", "../team"], in: "work")
        let source = "\"source\": \"\(house.path("team"))\""
        try claim(source, "\"source\": \"git+https://example.org/team.git@v1\"")
        try house.must("ben", ["plugin", "verify"], in: "work")
        #expect(!(try house.must("ben", ["plugin", "info", "team"], in: "work").contains("as the lock says")))
        try claim("example.org/team.git@v1", "official.example/team.git@v1")
        for words in [["plugin", "verify"], ["run", "plugins/team/say.lua"]] {
            try house.refuses("ben", words, "comes from git+https://official.example/team.git", in: "work")
        }
    }

    @Test("an update is held against what is here, whatever the lock says of it")
    func update() throws {
        try house.package(version: "2.0.0")
        try house.tool(["mkdir", "work"])
        try house.must("ben", ["plugin", "add", "--project", "../team"], in: "work")
        try claim("\"version\": \"2.0.0\"", "\"version\": \"0.0.1\"")
        try house.package(version: "1.0.0")
        try house.refuses("ben", ["plugin", "update", "--yes"], "1.0.0 is older than 2.0.0", in: "work")
        // A grant that was written in beforehand is as new as it is.
        try claim("\"say.lua\": []", "\"say.lua\": [\"net:example.org\"]")
        try house.package(version: "3.0.0", needs: ["net:example.org"])
        try house.refuses(
            "ben", ["plugin", "update", "--yes"], "asks for more than before: net:example.org", in: "work")
        // So it is where nothing is here to look at.
        try house.tool(["rm", "-r", "work/plugins/team"])
        try house.refuses("ben", ["plugin", "update", "--yes"], "asks for more than before", in: "work")
        try house.must(
            "ben", ["plugin", "update", "--yes", "--accept", "net:example.org", "--accept", "read:notes.txt"],
            in: "work")
        try house.must("ben", ["plugin", "verify"], in: "work")
    }

    @Test("where there are allowed signers, verify and restore take nothing unsigned unless told to")
    func unsigned() throws {
        try house.package()
        try house.key(of: "ada")
        try sign(for: "https://example.org/team.tar")
        try house.tool(["mkdir", "work"])
        try house.must("ada", ["plugin", "add", "--project", "../team"], in: "work")
        try house.allow("ben", signers: ["ada"])
        // All three are gone: the signature, and what the lock said of it.
        try house.tool(["rm", "work/plugins/team/ythost.sig", "team/ythost.sig"])
        let lock = try house.read("work/ythost.lock").split(separator: "\n")
        try house.write("work/ythost.lock", lock.filter { !$0.contains("\"key\"") }.joined(separator: "\n") + "\n")
        try house.refuses("ben", ["plugin", "verify"], "it has no signature", in: "work")
        try house.must("ben", ["plugin", "verify", "--unsigned"], in: "work")
        try house.tool(["rm", "-r", "work/plugins/team"])
        try house.refuses("ben", ["plugin", "restore"], "it has no signature", in: "work")
        #expect(!FileManager.default.fileExists(atPath: house.path("work/plugins/team")))
        try house.must("ben", ["plugin", "restore", "--unsigned"], in: "work")
    }

    @Test("no lock has git ask a private address, and no server leads git to another")
    func privatePlaces() throws {
        let inner = LoopbackServer { _, reply in reply.answer(200, [], "secret") }
        let outer = LoopbackServer { request, reply in
            reply.answer(301, [("Location", "http://127.0.0.1:\(inner.port)\(request.target)")])
        }
        try house.refuses(
            "ben", ["plugin", "add", "git+http://127.0.0.1:\(outer.port)/x.git"], code: 4, "is not followed")
        #expect(!outer.requests.isEmpty && inner.requests.isEmpty)

        try house.package()
        try house.tool(["mkdir", "work"])
        try house.must("ben", ["plugin", "add", "--project", "../team"], in: "work")
        for host in ["127.0.0.1", "localhost", "[::1]"] {
            let source = try #require(
                try house.read("work/ythost.lock").split(separator: "\n").first { $0.contains("\"source\"") })
            try claim(String(source), "      \"source\": \"git+http://\(host):\(inner.port)/internal.git\",")
            try house.tool(["rm", "-rf", "work/plugins/team"])
            for words in [["restore"], ["update", "--yes"]] {
                try house.refuses("ben", ["plugin"] + words, code: 4, "leads to a private address", in: "work")
            }
        }
        #expect(inner.requests.isEmpty)
        // What the user's own rules name may be there.
        try house.write(
            "ben/.config/ythost/policy", "signers = git+http://127.0.0.1:\(inner.port)/internal.git keys\n")
        try claim("[::1]", "127.0.0.1")
        _ = try house.run("ben", ["plugin", "restore"], in: "work")
        #expect(!inner.requests.isEmpty)
    }
}
