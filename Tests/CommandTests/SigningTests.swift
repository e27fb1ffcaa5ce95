// Signatures of packages: who may sign what, and what becomes of one that is changed, taken elsewhere or taken back.

import Foundation
import Testing

@Suite struct SigningTests {
    private let house: Household
    private let source = "https://example.org/team.tar"

    init() throws {
        house = try Household()
        for who in ["ada", "eve"] { try house.key(of: who) }
        try house.package()
    }

    private func sign(_ who: String = "ada", _ place: String = "team", source: String? = nil) throws {
        try house.must(who, ["plugin", "sign", place, "--key", "\(who)/key", "--source", source ?? self.source])
    }

    @Test("a signature binds the files, the name, the version and the source")
    func bound() throws {
        try house.allow("ben", signers: ["ada"])
        try sign()
        let signature = try house.read("team/ythost.sig")
        let changes: [(file: String, old: String, new: String)] = [
            ("say.lua", "old", "bad"), ("lib/loud.lua", "upper", "lower"), ("ythost.json", "1.0.0", "1.0.1"),
            ("ythost.json", "\"team\"", "\"other\""), ("ythost.sig", "example.org", "example.com"),
            ("ythost.sig", "A", "B"),
        ]
        for (file, old, new) in changes {
            let text = try house.read("team/\(file)")
            let range = try #require(text.range(of: old))
            try house.write("team/\(file)", text.replacingCharacters(in: range, with: new))
            try house.refuses("ben", ["plugin", "add", "team"], "does not hold")
            // A broken signature is no matter of choice.
            try house.refuses("ben", ["plugin", "add", "team", "--unsigned"], "does not hold")
            try house.write("team/\(file)", text)
        }
        #expect(try house.read("team/ythost.sig") == signature)
        try house.must("ben", ["plugin", "add", "team"])
    }

    @Test("what is signed for one place is not taken from another")
    func elsewhere() throws {
        try house.allow("ben", signers: ["ada"])
        try sign()
        try house.commit("team", tag: "v1")
        let url = "git+file://" + house.path("team")
        try house.refuses("ben", ["plugin", "add", url + "@v1"], "it is for https://example.org/team.tar")
        try sign(source: url)
        try house.commit("team", tag: "v2")
        #expect(try house.must("ben", ["plugin", "add", url + "@v2"]).contains("signed by ada@example.org"))
    }

    @Test("where there are allowed signers, others and nobody are refused; where there are none, that is said")
    func allowed() throws {
        #expect(try house.must("cat", ["plugin", "add", "team"]).contains("unsigned: nobody vouches for it"))
        try house.allow("ben", signers: ["ada"])
        try house.refuses("ben", ["plugin", "add", "team"], "it has no signature")
        #expect(try house.must("ben", ["plugin", "add", "team", "--unsigned"]).contains("unsigned"))
        try house.must("ben", ["plugin", "remove", "team"])
        try sign("eve")
        try house.refuses("ben", ["plugin", "add", "team"], "is none of")
        try house.refuses("ben", ["plugin", "add", "team", "--unsigned"], "is none of")
        try house.must("cat", ["plugin", "remove", "team"])
        #expect(try house.must("cat", ["plugin", "add", "team"]).contains("which nobody here knows"))
    }

    @Test("allowed signers are listed by source, and a project's list narrows the user's")
    func bySource() throws {
        try house.write("ben/.config/ythost/policy", "signers = https://example.org/ good\nsigners = * other\n")
        try house.write("ben/.config/ythost/good", "ada@example.org \(try house.read("ada/key.pub"))")
        try house.write("ben/.config/ythost/other", "eve@example.org \(try house.read("eve/key.pub"))")
        try sign("eve")
        try house.refuses("ben", ["plugin", "add", "team"], "is none of")
        try sign("eve", source: "https://example.org.evil.example/team.tar")
        #expect(try house.must("ben", ["plugin", "add", "team"]).contains("signed by eve@"))
        try sign("ada")
        try house.write("work/ythost.policy", "signers = eves\n")
        try house.write("work/eves", "eve@example.org \(try house.read("eve/key.pub"))")
        try house.refuses("ben", ["plugin", "add", "--project", "../team"], "is none of", in: "work")
        try house.write("work/eves", "ada@example.org \(try house.read("ada/key.pub"))")
        try house.must("ben", ["plugin", "add", "--project", "../team"], in: "work")
    }

    @Test("a key that is revoked, or allowed for other things only, signs nothing")
    func revoked() throws {
        try sign()
        try house.allow("ben", signers: ["ada"])
        try house.write("ben/.config/ythost/revoked_keys", try house.read("ada/key.pub"))
        try house.refuses("ben", ["plugin", "add", "team"], "is revoked")
        try house.write("ben/.config/ythost/revoked_keys", try house.read("eve/key.pub"))
        try house.must("ben", ["plugin", "add", "team"])
        try house.write("ben/.config/ythost/revoked_keys", try house.read("ada/key.pub"))
        try house.refuses("ben", ["plugin", "verify"], "is revoked")
        let lines = "ada@example.org namespaces=\"git\" \(try house.read("ada/key.pub"))"
        try house.write("cat/.config/ythost/allowed_signers", lines)
        try house.refuses("cat", ["plugin", "add", "team"], "does not hold")
    }

    @Test("a revoked key signs nothing, whoever is allowed and whether anybody is")
    func revokedAlone() throws {
        try sign()
        try house.must("ben", ["plugin", "add", "team"])
        try house.write("ben/.config/ythost/revoked_keys", try house.read("ada/key.pub"))
        try house.refuses("ben", ["plugin", "verify"], "is revoked")
        try house.must("ben", ["plugin", "remove", "team"])
        try house.refuses("ben", ["plugin", "add", "team"], "is revoked")
        // So it is where other sources have their signers, and where only a project says so.
        try house.write("ben/.config/ythost/policy", "signers = https://example.com/ keys\n")
        try house.write("ben/.config/ythost/keys", "eve@example.org \(try house.read("eve/key.pub"))")
        try house.refuses("ben", ["plugin", "add", "team"], "is revoked")
        try house.write("work/ythost.policy", "revoked = gone\n")
        try house.write("work/gone", try house.read("ada/key.pub"))
        try house.refuses("cat", ["plugin", "add", "--project", "../team"], "is revoked", in: "work")
        // As a key revocation list, too.
        try house.tool(["ssh-keygen", "-q", "-k", "-f", "work/gone", "ada/key.pub"])
        try house.refuses("cat", ["plugin", "add", "--project", "../team"], "is revoked", in: "work")
        try house.tool(["ssh-keygen", "-q", "-k", "-f", "work/gone", "eve/key.pub"])
        try house.must("cat", ["plugin", "add", "--project", "../team"], in: "work")
    }

    @Test("whoever wants signatures names the signers, or somebody above does; a project cannot allow itself")
    func layers() throws {
        try sign("eve")
        try house.write("ben/.config/ythost/policy", "signed = yes\n")
        try house.write("work/keys", "root@official.example \(try house.read("eve/key.pub"))")
        try house.write("work/ythost.policy", "signers = keys\n")
        let add = ["plugin", "add", "--project", "../team"]
        try house.refuses("ben", add, "which nobody allowed has signed", ".config/ythost/policy", in: "work")
        #expect(!FileManager.default.fileExists(atPath: house.path("work/plugins")))
        // Somebody without that rule takes it, and is told who says so.
        let shown = try house.must("cat", add, in: "work")
        #expect(shown.contains("signed by root@official.example") && shown.contains("nobody but this project"))
        for words in [["run", "plugins/team/say.lua"], ["plugin", "verify"]] {
            try house.refuses("ben", words, "which nobody allowed has signed", in: "work")
        }
        // A project that wants signatures may name the signers itself.
        try house.write("work/ythost.policy", "signers = keys\nsigned = yes\n")
        #expect(try house.must("cat", ["run", "plugins/team/say.lua"], in: "work") == "OLD\n")
        try house.refuses("ben", ["run", "plugins/team/say.lua"], "which nobody allowed has signed", in: "work")
        try house.allow("ben", signers: ["eve"])
        #expect(try house.must("ben", ["run", "plugins/team/say.lua"], in: "work") == "OLD\n")
    }

    @Test(
        "a key that has expired, or is not valid yet, is said to be that",
        arguments: ["valid-before=\"20200101\"", "valid-after=\"20990101\""])
    func expired(option: String) throws {
        try sign()
        try house.write(
            "ben/.config/ythost/allowed_signers", "ada@example.org \(option) \(try house.read("ada/key.pub"))")
        try house.refuses(
            "ben", ["plugin", "add", "team"], option.hasPrefix("valid-before") ? "has expired" : "is not valid yet")
    }

    @Test("a signed package is not replaced by an older, an unsigned or somebody else's without a word")
    func rollback() throws {
        try house.allow("ben", signers: ["ada", "eve"])
        try house.package(version: "2.0.0", says: "new")
        try sign()
        try house.must("ben", ["plugin", "add", "team"])
        try house.package(version: "1.9.0")
        try sign()
        try house.refuses("ben", ["plugin", "update", "--yes"], "1.9.0 is older than 2.0.0")
        try house.package(version: "2.1.0")
        try sign("eve")
        try house.refuses("ben", ["plugin", "update", "--yes"], "ada@example.org signed what is here, and not this")
        try house.tool(["rm", "team/ythost.sig"])
        try house.refuses("ben", ["plugin", "update", "--yes"], "it has no signature")
        try sign()
        try house.must("ben", ["plugin", "update", "--yes"])
    }

    @Test("a policy that wants signatures has them checked before each run")
    func signedOnly() throws {
        try sign()
        try house.write("ben/.config/ythost/policy", "signed = yes\n")
        try house.refuses("ben", ["plugin", "add", "team", "--unsigned"], "which nobody allowed has signed")
        try house.allow("ben", signers: ["ada"])
        try house.must("ben", ["plugin", "add", "team"])
        #expect(try house.must("ben", ["run", "team/say"]) == "OLD\n")
        // A lock that says so is not enough.
        try house.tool(["rm", house.data("ben") + "/plugins/team/ythost.sig"])
        try house.refuses("ben", ["run", "team/say"], "which nobody allowed has signed")
        try house.refuses("ben", ["plugin", "verify"], "the signature is gone")
    }

    @Test("a key with a passphrase is not asked for on the terminal")
    func passphrase() throws {
        try house.tool(["ssh-keygen", "-q", "-t", "ed25519", "-N", "words", "-f", "locked"])
        let start = Date.now
        try house.refuses("ada", ["plugin", "sign", "team", "--key", "locked", "--source", source], "ssh-agent")
        #expect(Date.now.timeIntervalSince(start) < 10)
        try house.refuses("ada", ["plugin", "sign", "team"], code: 2, "needs a key")
    }
}
