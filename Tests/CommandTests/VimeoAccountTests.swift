// Tokens that nobody uses any more are ended, damaged accounts are told, and flags that would be left unread are refused.

import Foundation
import Glibc
import TestSupport
import Testing

@Suite struct VimeoAccountTests {
    private static func desk() throws -> VimeoDesk { try VimeoDesk(hasToken: false) }
    private static let folder = "home/.config/ythost/credentials"

    private static func logIn(_ desk: VimeoDesk, _ flags: [String] = []) throws -> Program.Run {
        let child = try desk.start(
            ["login", "vimeo", "--paste", "--redirect", "https://example.org/callback"] + flags, VimeoDesk.app)
        try child.gather(until: "code_challenge_method=S256", of: .errors, timeout: 20)
        let address = child.errorsSoFar.split(separator: "\n").last { $0.hasPrefix("http") } ?? ""
        let shown = try Program(
            "/usr/bin/curl",
            ["-s", "--max-time", "10", "-o", "/dev/null", "-w", "%{redirect_url}", String(address)]
        ).run().output
        return try child.finish(input: .bytes(Data("\(shown)\n".utf8)))
    }

    @Test("nothing is asked for where a token could not be kept", arguments: ["place", "file", "mode", "unwritable"])
    func store(fault: String) throws {
        // Whoever may write everywhere is kept out by nothing.
        guard fault != "unwritable" || geteuid() != 0 else { return }
        let desk = try Self.desk()
        var change = VimeoDesk.app
        let files = FileManager.default
        switch fault {
        case "place": change["XDG_CONFIG_HOME"] = "/dev/null/none"
        case "file": try desk.scratch.file("home", "a file")
        case "mode":
            try files.createDirectory(atPath: desk.scratch.path(Self.folder), withIntermediateDirectories: true)
            chmod(desk.scratch.path(Self.folder), 0o755)
        default:
            try files.createDirectory(atPath: desk.scratch.path("home/.config"), withIntermediateDirectories: true)
            chmod(desk.scratch.path("home/.config"), 0o500)
        }
        for flags in [[], ["--user"], ["--paste"], ["--token"]] {
            let run = try desk.run(["login", "vimeo"] + flags, input: "\(VimeoStandIn.ownToken)\n", change)
            #expect(run.code == 3 && run.errors.contains("hint:"), "\(flags): \(run.errors)")
            #expect(!run.errors.contains("/oauth/authorize?"), "nobody is sent to a browser in vain")
        }
        chmod(desk.scratch.path("home/.config"), 0o700)
        #expect(desk.server.calls.isEmpty && desk.server.tokens == [VimeoStandIn.ownToken])
    }

    @Test("a token that cannot be kept after all is ended")
    func unkept() throws {
        let desk = try Self.desk()
        // The place of the account is taken by a folder.
        try FileManager.default.createDirectory(
            atPath: desk.scratch.path(Self.folder + "/vimeo/app"), withIntermediateDirectories: true)
        for folder in ["", "/vimeo", "/vimeo/app"] { chmod(desk.scratch.path(Self.folder + folder), 0o700) }
        let run = try desk.run(["login", "vimeo"], VimeoDesk.app)
        #expect(run.code == 3 && run.errors.contains("cannot write"), "\(run.errors)")
        #expect(desk.server.calls.map(\.method) == ["POST", "DELETE"])
        #expect(desk.server.tokens == [VimeoStandIn.ownToken])
    }

    @Test("a second login ends the token whose place it takes, and one made by hand is left alone")
    func replaced() throws {
        let desk = try Self.desk()
        #expect(try Self.logIn(desk).code == 0)
        #expect(desk.server.tokens.count == 2)
        let mine = ["run", "ids", "--from", "channel:me", "--source", "vimeo", "--fetch", "1"]
        #expect(try desk.run(mine).lines == ["800"])
        // The same person, who allows less this time: what was kept for more is not told.
        #expect(try Self.logIn(desk, ["--scope", "public"]).code == 0)
        #expect(desk.server.tokens.count == 2)
        let less = try desk.run(mine)
        #expect(less.lines.isEmpty && less.code == 3 && less.errors.contains("--scope"), "\(less.errors)")
        let hand = try desk.run(
            ["login", "vimeo", "--token", "--profile", "user_1"], input: VimeoStandIn.ownToken + "\n")
        #expect(hand.code == 0 && desk.server.tokens == [VimeoStandIn.ownToken], "\(hand.errors)")
        #expect(try Self.logIn(desk).code == 0)
        #expect(desk.server.tokens.contains(VimeoStandIn.ownToken) && desk.server.tokens.count == 2)
        // That the old one cannot be ended is no failure.
        desk.server.answer("/tokens", .init(503, "{}"))
        #expect(try Self.logIn(desk).code == 0)
    }

    @Test(
        "a damaged account is told, listed as such, and neither used nor deleted",
        arguments: ["", "grant=client\n", "\0\u{FF}=\u{FE}", "token=abcdefgh", "token=\n", "just words\n"])
    func damaged(text: String) throws {
        let desk = try Self.desk()
        #expect(try desk.run(["login", "vimeo"], VimeoDesk.app).code == 0)
        let file = desk.scratch.path(Self.folder + "/vimeo/app")
        try Data(text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }).write(
            to: URL(fileURLWithPath: file))
        desk.server.forget()
        for arguments in [
            ["search", "x", "--source", "vimeo"], ["logout", "vimeo"], ["logout", "vimeo", "--offline"],
            ["login", "vimeo", "--verify"],
        ] {
            let run = try desk.run(arguments)
            #expect(run.code == 3 && run.errors.contains("vimeo/app is not what ythost wrote"), "\(run.errors)")
            #expect(run.errors.contains("log in again"))
        }
        let list = try desk.run(["login", "vimeo", "--list"])
        #expect(list.code == 0 && list.output.contains("damaged") && !list.output.contains("by hand"), "\(list.output)")
        #expect(desk.server.calls.isEmpty && FileManager.default.fileExists(atPath: file))
        #expect(try desk.run(["login", "vimeo"], VimeoDesk.app).code == 0)
        #expect(try desk.run(["search", "x", "--fetch", "1", "--print", "{id}"]).lines == ["1000"])
    }

    @Test(
        "flags that would be left unread are refused",
        arguments: [
            (["--app", "--scope", "public"], "--scope is only for --user and --paste"),
            (["--scope", "public"], "--scope is only for"), (["--token", "--scope", "public"], "--scope is only for"),
            (["--paste", "--port", "1234"], "--port is only for --user"),
            (["--paste", "--wait", "5"], "--wait is only for --user"),
            (["--user", "--redirect", "https://example.org"], "--redirect is only for --paste"),
            (["--user", "--scope", ""], "--scope names no scope"), (["--paste", "--scope", " , "], "names no scope"),
            (["--list", "--profile", "a"], "--profile does not go with --list"),
            (["--use", "a", "--profile", "b"], "--profile does not go with --use"),
            (["--verify", "--port", "9"], "--port is only for"),
        ])
    func flags(flags: [String], words: String) throws {
        let desk = try Self.desk()
        let run = try desk.run(["login", "vimeo"] + flags, VimeoDesk.app)
        #expect(run.code == 2 && run.errors.contains(words) && run.errors.contains("hint:"), "\(run.errors)")
        #expect(desk.server.calls.isEmpty)
    }

    @Test("an offline login is refused before anybody is sent to a browser")
    func offline() throws {
        let desk = try Self.desk()
        for way in ["--user", "--paste"] {
            let run = try desk.run(["login", "vimeo", way, "--offline"], VimeoDesk.app)
            #expect(run.code == 4 && run.errors.contains("nothing may be sent"), "\(run.errors)")
            #expect(!run.errors.contains("/oauth/authorize?"))
        }
    }

    @Test("a profile that a variable keeps from being used is said to be")
    func overridden() throws {
        let desk = try VimeoDesk()
        let run = try desk.run(["login", "vimeo"], VimeoDesk.app)
        #expect(run.code == 0 && run.errors.contains("once YTHOST_VIMEO_TOKEN is unset"), "\(run.errors)")
        let use = try desk.run(["login", "vimeo", "--use", "app"])
        #expect(use.code == 0 && use.errors.contains("once YTHOST_VIMEO_TOKEN is unset"), "\(use.errors)")
        let free = try desk.run(["login", "vimeo", "--use", "app"], ["YTHOST_VIMEO_TOKEN": ""])
        #expect(!free.errors.contains("YTHOST_VIMEO_TOKEN"), "\(free.errors)")
    }

    @Test("a token of another server's, and one that can be none, say what to do")
    func tokens() throws {
        let desk = try Self.desk()
        #expect(try desk.run(["login", "vimeo"], VimeoDesk.app).code == 0)
        for arguments in [["search", "x", "--source", "vimeo"], ["logout", "vimeo"]] {
            let run = try desk.run(arguments, ["YTHOST_VIMEO_URL": ""])
            #expect(run.code == 3 && run.errors.contains("was given by \(desk.server.url)"), "\(run.errors)")
            #expect(run.errors.contains("set YTHOST_VIMEO_URL as it was at the login"))
        }
        for token in ["two words-of-it", "\"quoted-token\"", "short"] {
            let run = try desk.run(["search", "x", "--source", "vimeo"], ["YTHOST_VIMEO_TOKEN": token])
            #expect(
                run.code == 3 && run.errors.contains("the token in YTHOST_VIMEO_TOKEN can be none"), "\(run.errors)")
            #expect(run.errors.contains("hint:") && !run.errors.contains(token))
        }
        #expect(desk.server.calls.count == 1)
    }
}
