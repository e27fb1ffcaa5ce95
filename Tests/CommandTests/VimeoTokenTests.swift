// What becomes of tokens at logins that go wrong or take another's place: the old one stays where the new one cannot be
// kept, two of one person are told nothing of each other, and one that could not be ended is told.

import Foundation
import Glibc
import TestSupport
import Testing

@Suite struct VimeoTokenTests {
    private static let folder = "home/.config/ythost/credentials/vimeo"

    private static func desk() throws -> VimeoDesk { try VimeoDesk(hasToken: false) }

    private static func logIn(
        _ desk: VimeoDesk, _ flags: [String] = [], _ change: [String: String] = [:]
    ) throws -> Program.Run {
        let child = try desk.start(
            ["login", "vimeo", "--paste", "--redirect", "https://example.org/callback"] + flags,
            VimeoDesk.app.merging(change) { $1 })
        try child.gather(until: "code_challenge_method=S256", of: .errors, timeout: 20)
        let address = child.errorsSoFar.split(separator: "\n").last { $0.hasPrefix("http") } ?? ""
        let shown = try Program(
            "/usr/bin/curl",
            ["-s", "--max-time", "10", "-o", "/dev/null", "-w", "%{redirect_url}", String(address)]
        ).run().output
        return try child.finish(input: .bytes(Data("\(shown)\n".utf8)))
    }

    @Test("two profiles of one person are told nothing that was kept for the other")
    func profiles() throws {
        let desk = try Self.desk()
        #expect(try Self.logIn(desk, ["--profile", "a"]).code == 0)
        #expect(try Self.logIn(desk, ["--profile", "b", "--scope", "public"]).code == 0)
        let mine = ["run", "ids", "--from", "channel:1", "--source", "vimeo", "--fetch", "1", "--profile"]
        #expect(try desk.run(mine + ["a"]).lines == ["800"])
        #expect(try desk.run(mine + ["b"]).lines == ["1000"])
        let offline = try desk.run(mine + ["b", "--offline"])
        #expect(offline.lines == ["1000"], "\(offline.errors)")
        let kept = try desk.run(["cache", "info"]).output
        #expect(kept.components(separatedBy: "vimeo/user_1/").count == 3, "\(kept)")
        #expect(try desk.run(["logout", "vimeo", "--profile", "b"]).code == 0)
        desk.server.forget()
        #expect(try desk.run(mine + ["a"]).lines == ["800"] && desk.server.calls.isEmpty)
        #expect(try desk.run(["cache", "info"]).output.components(separatedBy: "vimeo/user_1/").count == 2)
    }

    @Test("where a login cannot be finished the token that was kept before stays", arguments: [".chosen", "user_1"])
    func unfinished(place: String) throws {
        let desk = try Self.desk()
        #expect(try desk.run(["login", "vimeo"], VimeoDesk.app).code == 0)
        if place == ".chosen" { #expect(try Self.logIn(desk).code == 0) }
        let files = FileManager.default
        let path = desk.scratch.path(Self.folder + "/" + place)
        if place == ".chosen" { try files.removeItem(atPath: path) }
        try files.createDirectory(atPath: path, withIntermediateDirectories: true)
        chmod(path, 0o700)
        let tokens = desk.server.tokens
        let run = try Self.logIn(desk)
        #expect(run.code == 3 && run.errors.contains("cannot write") && run.errors.contains(place), "\(run.errors)")
        #expect(desk.server.tokens == tokens && desk.server.calls.last?.method == "DELETE")
        try files.removeItem(atPath: path)
        // As it was: the profile, and which one is used.
        let search = ["search", "x", "--source", "vimeo", "--fetch", "1", "--print", "{id}", "--fresh"]
        let flags = place == ".chosen" ? ["--profile", "user_1"] : []
        let again = try desk.run(search + flags)
        #expect(again.lines == ["1000"], "\(again.errors)")
    }

    @Test("a token that is left alive is told, with where to end it")
    func left() throws {
        let desk = try Self.desk()
        func told(_ run: Program.Run, _ words: String) -> Bool {
            run.errors.contains("is still good at vimeo") && run.errors.contains(words)
                && run.errors.contains("developer.vimeo.com") && !run.errors.contains("must-not-be-seen")
        }
        let first = try desk.run(["login", "vimeo"], VimeoDesk.app)
        #expect(first.code == 0 && !first.errors.contains("still good"), "\(first.errors)")
        desk.server.answer("/tokens", .init(503, "{}"))
        let refused = try desk.run(["login", "vimeo"], VimeoDesk.app)
        #expect(refused.code == 0 && told(refused, "could not be revoked (vimeo"), "\(refused.errors)")
        let other = VimeoStandIn()
        defer { other.stop() }
        let moved = try desk.run(["login", "vimeo"], VimeoDesk.app.merging(["YTHOST_VIMEO_URL": other.url]) { $1 })
        #expect(moved.code == 0 && told(moved, "\(desk.server.url) gave it"), "\(moved.errors)")
        #expect(!other.calls.contains { $0.method == "DELETE" })
        let offline = try desk.run(
            ["login", "vimeo", "--token", "--offline", "--profile", "app"], input: "made-by-hand-1\n",
            ["YTHOST_VIMEO_URL": other.url])
        #expect(offline.code == 0 && told(offline, "since nothing may be sent"), "\(offline.errors)")
        #expect(offline.errors.contains("the profile 'app' had before"))
        // One that was made by hand is not ours to end.
        let hand = try desk.run(
            ["login", "vimeo", "--token", "--offline", "--profile", "app"], input: "made-by-hand-2\n",
            ["YTHOST_VIMEO_URL": other.url])
        #expect(hand.code == 0 && !hand.errors.contains("still good"), "\(hand.errors)")
    }

    @Test("a token of a kind that cannot be used is ended at once, or told")
    func unusable() throws {
        let desk = try Self.desk()
        let token = #"{"access_token":"mac-token-must-not-be-seen","token_type":"mac"}"#
        for (status, isTold) in [(204, false), (401, true), (503, true)] {
            desk.server.forget()
            desk.server.answer("/oauth/authorize/client", .init(200, token))
            desk.server.answer("/tokens", .init(status, "{}"))
            let run = try desk.run(["login", "vimeo"], VimeoDesk.app)
            #expect(run.code == 4 && run.errors.contains("of the kind 'mac'"), "\(run.errors)")
            #expect(desk.server.calls.last?.method == "DELETE")
            #expect(desk.server.calls.last?.token == "mac-token-must-not-be-seen")
            #expect(run.errors.contains("just issued") == isTold && !run.errors.contains("must-not-be-seen"))
        }
        desk.server.answer("/oauth/authorize/client", .init(200, #"{"access_token":"two words-of-it"}"#))
        let odd = try desk.run(["login", "vimeo"], VimeoDesk.app)
        #expect(odd.code == 4 && odd.errors.contains("still good"), "\(odd.errors)")
    }

    @Test("what is about tokens is not a plugin's, in whatever case it is written")
    func reserved() throws {
        let desk = try VimeoDesk()
        let run = try desk.script(
            """
            for _, name in ipairs{"_METHOD", "Access_Token", "Callback", "CLIENT_ID", "client_Secret"} do
              print(pcall(yt.request, "vimeo", "me", {query = {[name] = "DELETE"}}))
            end
            for _, path in ipairs{"OAuth/verify", "Tokens", "/TOKENS", "OAUTH/authorize"} do
              print(pcall(yt.request, "vimeo", path))
            end
            """, ["--allow", "account:vimeo"])
        #expect(run.lines.count == 9 && run.lines.allSatisfy { $0.hasPrefix("false\t") }, "\(run.output)\(run.errors)")
        #expect(run.output.contains("the parameter '_METHOD' is not") && run.output.contains("below /OAuth is about"))
        #expect(desk.server.calls.isEmpty)
    }
}
