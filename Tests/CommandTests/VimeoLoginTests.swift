// Logins at Vimeo from the command line, against a stand-in: both grants, the browser's part done by curl, accounts, and
// what becomes of bad answers.

import Foundation
import Glibc
import TestSupport
import Testing

@Suite struct VimeoLoginTests {
    /// A desk without a token, whose app is known by variables.
    private static func desk() throws -> VimeoDesk { try VimeoDesk(hasToken: false) }

    private static func freePort() -> Int {
        let server = LoopbackServer { _, reply in reply.answer(404) }
        defer { server.stop() }
        return server.port
    }

    /// Begins a login in a browser, and gives the address that it shows.
    private static func begin(
        _ desk: VimeoDesk, _ flags: [String] = [], _ change: [String: String] = VimeoDesk.app
    ) throws -> (child: Program.Child, address: String) {
        let child = try desk.start(
            ["login", "vimeo", "--user", "--port", "\(freePort())", "--wait", "20"] + flags, change)
        try child.gather(until: "code_challenge_method=S256", of: .errors, timeout: 20)
        let address = child.errorsSoFar.split(separator: "\n").last { $0.hasPrefix("http") } ?? ""
        return (child, String(address))
    }

    /// The part of the browser: it follows where it is sent.
    private static func browse(_ address: String, _ flags: [String] = ["-L"]) throws -> Program.Run {
        try Program("/usr/bin/curl", ["-s", "--max-time", "10"] + flags + [address]).run()
    }

    @Test("an app's own token is got, kept for the user alone, and used")
    func appLogin() throws {
        let desk = try Self.desk()
        let run = try desk.run(
            ["login", "vimeo"], input: "\(VimeoStandIn.clientID)\n\(VimeoStandIn.clientSecret)\n")
        #expect(run.code == 0 && run.errors.contains("the token is kept in"), "\(run.errors)")
        #expect(!run.errors.contains(VimeoStandIn.clientSecret))
        let file = desk.scratch.path("home/.config/ythost/credentials/vimeo/app")
        var status = stat()
        #expect(lstat(file, &status) == 0 && status.st_mode & 0o777 == 0o600)
        #expect(lstat(desk.scratch.path("home/.config/ythost/credentials/vimeo"), &status) == 0)
        #expect(status.st_mode & 0o777 == 0o700)
        #expect(desk.server.calls.map(\.path) == ["/oauth/authorize/client"])
        #expect(desk.server.calls[0].form == ["grant_type": "client_credentials", "scope": "public"])
        #expect(try desk.run(["search", "x", "--fetch", "2", "--print", "{id}"]).lines == ["1000", "1001"])
        // Nothing that is a person's can be seen with it.
        let refused = try desk.run(["run", "ids", "--from", "channel:me", "--source", "vimeo"])
        #expect(refused.code == 3 && refused.errors.contains("--user"), "\(refused.errors)")
        #expect(desk.kept.range(of: Data("must-not-be-seen".utf8)) == nil)
    }

    @Test("a person agrees in a browser on this machine, and sees what is theirs")
    func personLogin() throws {
        let desk = try Self.desk()
        let (child, address) = try Self.begin(desk)
        #expect(address.hasPrefix(desk.server.url + "/oauth/authorize?response_type=code&client_id="))
        #expect(address.contains("&scope=public%20private&state=") && !address.contains("secret"))
        let page = try Self.browse(address)
        #expect(page.output.contains("You can close this page"))
        let run = try child.finish()
        #expect(run.code == 0 && run.errors.contains("credentials/vimeo/user_1"), "\(run.errors)")
        let exchange = try #require(desk.server.calls.first { $0.path == "/oauth/access_token" })
        #expect(exchange.form["grant_type"] == "authorization_code" && exchange.form["code_verifier"]?.count == 43)
        #expect(exchange.form["redirect_uri"]?.hasPrefix("http://127.0.0.1:") == true)
        let mine = try desk.run(["run", "ids", "--from", "channel:me", "--source", "vimeo", "--fetch", "1"])
        #expect(mine.lines == ["800"], "\(mine.errors)")
        let said = try desk.run(["login", "vimeo", "--verify"])
        #expect(said.output.contains("Ann") && said.output.contains("private public"), "\(said.errors)")
    }

    @Test("a machine without a browser takes the address that one elsewhere came to")
    func paste() throws {
        let desk = try Self.desk()
        let child = try desk.start(
            ["login", "vimeo", "--paste", "--redirect", "https://example.org/callback", "--scope", "public"],
            VimeoDesk.app)
        try child.gather(until: "code_challenge_method=S256", of: .errors, timeout: 20)
        let address = child.errorsSoFar.split(separator: "\n").last { $0.hasPrefix("http") } ?? ""
        #expect(address.contains("redirect_uri=https%3A%2F%2Fexample.org%2Fcallback"))
        let shown = try Self.browse(String(address), ["-o", "/dev/null", "-w", "%{redirect_url}"]).output
        #expect(shown.hasPrefix("https://example.org/callback?state="))
        let run = try child.finish(input: .bytes(Data("  \(shown)\n".utf8)))
        #expect(run.code == 0 && run.errors.contains("user_1"), "\(run.errors)")
        #expect(try desk.run(["login", "vimeo", "--verify"]).output.contains("public\n"))
    }

    @Test(
        "what comes back is believed only if it belongs to the login",
        arguments: [
            ("?code=code-9&state=forged", "its state is another"), ("?state=S&error=access_denied", "nobody agreed"),
            ("?state=S&code=made-up", "does not take the code"), ("?state=S", "no code"), ("", "no code"),
        ])
    func badAnswers(query: String, words: String) throws {
        let desk = try Self.desk()
        let (child, address) = try Self.begin(desk)
        let items = URLComponents(string: address)?.queryItems ?? []
        let redirect = items.first { $0.name == "redirect_uri" }?.value ?? ""
        let state = items.first { $0.name == "state" }?.value ?? ""
        // What is not for the login is not an answer to it.
        for other in ["/favicon.ico", "/"] {
            let place = redirect.replacingOccurrences(of: "/vimeo", with: other)
            #expect(try Self.browse(place, ["-o", "/dev/null", "-w", "%{http_code}"]).output == "404")
        }
        #expect(
            try Self.browse(redirect, ["-H", "Host: evil.example", "-o", "/dev/null", "-w", "%{http_code}"]).output
                == "404")
        _ = try Self.browse(redirect + query.replacingOccurrences(of: "=S", with: "=" + state))
        let run = try child.finish()
        #expect(
            [2, 3].contains(run.code) && run.errors.contains(words) && run.errors.contains("hint:"), "\(run.errors)")
        #expect(try desk.run(["login", "vimeo", "--list"]).lines.count == 1, "nothing is kept")
        #expect(!desk.server.calls.contains { $0.path == "/oauth/access_token" } || words.contains("take the code"))
    }

    @Test("logins that cannot come about say why, and what to do")
    func failures() throws {
        let desk = try Self.desk()
        let wrong = try desk.run(["login", "vimeo"], input: "x\nwrong-secret-that-must-not-be-seen\n")
        #expect(wrong.code == 3 && wrong.errors.contains("identifier and secret"), "\(wrong.errors)")
        #expect(!wrong.errors.contains("must-not-be-seen"))
        let none = try desk.run(["login", "vimeo"])
        #expect(none.code == 3 && none.errors.contains("YTHOST_VIMEO_CLIENT_ID"), "\(none.errors)")
        desk.server.answer(
            "/oauth/authorize/client", .init(200, #"{"access_token":"x-must-not-be-seen","token_type":"mac"}"#),
            .init(200, #"{"token_type":"bearer"}"#), .init(200, "<html>"), .init(503, "{}"))
        for (code, words) in [
            (4, "of the kind 'mac'"), (4, "it has no token"), (4, "cannot be read"), (4, "out of order"),
        ] {
            let odd = try desk.run(["login", "vimeo"], VimeoDesk.app)
            #expect(Int(odd.code) == code && odd.errors.contains(words), "\(odd.errors)")
            #expect(!odd.errors.contains("must-not-be-seen"))
        }
        let scope = try desk.run(["login", "vimeo", "--user", "--scope", "public evrything"], VimeoDesk.app)
        #expect(scope.code == 2 && scope.errors.contains("evrything") && scope.errors.contains("video_files"))
        let taken = LoopbackServer { _, reply in reply.answer(404) }
        defer { taken.stop() }
        let port = try desk.run(["login", "vimeo", "--user", "--port", "\(taken.port)"], VimeoDesk.app)
        #expect(port.code == 3 && port.errors.contains("port \(taken.port)") && port.errors.contains("--paste"))
        let slow = try desk.run(
            ["login", "vimeo", "--user", "--port", "\(Self.freePort())", "--wait", "1"], VimeoDesk.app)
        #expect(slow.code == 3 && slow.errors.contains("in 1 seconds") && slow.errors.contains("--wait"))
        let offline = try desk.run(["login", "vimeo", "--offline"], VimeoDesk.app)
        #expect(offline.code == 4, "\(offline.errors)")
        let bare = try desk.run(["login", "vimeo", "--paste"], input: "just-a-code\n", VimeoDesk.app)
        #expect(bare.code == 2 && bare.errors.contains("the whole address"), "\(bare.errors)")
        let both = try desk.run(["login", "vimeo", "--user", "--paste"], VimeoDesk.app)
        #expect(both.code == 2, "\(both.errors)")
        let youtube = try desk.run(["login", "youtube", "--user"])
        #expect(youtube.code == 2, "\(youtube.errors)")
        #expect(try desk.run(["login", "vimeo", "--list"]).lines.count == 1, "nothing is kept")
        // A browser that lies in wait and says nothing keeps nobody out.
        desk.server.deny()
        let (child, address) = try Self.begin(desk)
        _ = try Self.browse(address)
        let denied = try child.finish()
        #expect(denied.code == 3 && denied.errors.contains("The person said no"), "\(denied.errors)")
    }

    @Test("accounts are kept apart, chosen among, and a logout goes back to the app's")
    func accounts() throws {
        let desk = try Self.desk()
        #expect(try desk.run(["login", "vimeo"], VimeoDesk.app).code == 0)
        // The app is known from now on.
        for person in [1, 2] {
            desk.server.seat(person)
            let (child, address) = try Self.begin(desk, [], [:])
            _ = try Self.browse(address)
            #expect(try child.finish().code == 0)
        }
        let list = try desk.run(["login", "vimeo", "--list"])
        #expect(list.lines.count == 4 && list.lines[3].contains("*") && list.lines[3].contains("Bob"), "\(list.output)")
        let count = ["run", "ids", "--from", "channel:me", "--source", "vimeo", "--fetch", "200"]
        #expect(try desk.run(count).lines.isEmpty)
        #expect(try desk.run(["login", "vimeo", "--use", "user_1"]).code == 0)
        #expect(try desk.run(count).lines.count == 121)
        #expect(try desk.run(count + ["--profile", "user_2"]).lines.isEmpty)
        #expect(try desk.run(["login", "vimeo", "--use", "nobody"]).code == 3)
        let kept = try desk.run(["cache", "info"]).output
        #expect(kept.contains("vimeo/user_1") && kept.contains("vimeo/user_2"), "\(kept)")
        let tokens = desk.server.tokens
        let out = try desk.run(["logout", "vimeo"])
        #expect(out.code == 0 && out.errors.contains("the profile 'app' is used"), "\(out.errors)")
        #expect(desk.server.tokens.count == tokens.count - 1 && desk.server.calls.last?.method == "DELETE")
        #expect(try !desk.run(["cache", "info"]).output.contains("vimeo/user_1"))
        #expect(try desk.run(["search", "x", "--fetch", "1", "--print", "{id}"]).lines == ["1000"])
        #expect(try desk.run(["logout", "vimeo", "--profile", "user_2"]).code == 0)
        #expect(try desk.run(["login", "vimeo", "--list"]).lines.count == 2)
        #expect(try desk.run(["logout", "vimeo", "--profile", "user_2"]).errors.contains("there was no token"))
    }

    @Test("a token that was made by hand is tried, kept, and not revoked")
    func ownToken() throws {
        let desk = try Self.desk()
        let run = try desk.run(["login", "vimeo", "--token"], input: VimeoStandIn.ownToken + "\n")
        #expect(run.code == 0 && run.errors.contains("user_1"), "\(run.errors)")
        #expect(try desk.run(["login", "vimeo", "--token"], input: "no-token-of-anybody\n").code == 3)
        #expect(try desk.run(["login", "vimeo", "--token"], input: "short\n").errors.contains("that is no token"))
        #expect(try desk.run(["logout", "vimeo"]).code == 0)
        #expect(desk.server.tokens.contains(VimeoStandIn.ownToken))
        let none = try desk.run(["search", "x", "--source", "vimeo"])
        #expect(none.code == 3 && none.errors.contains("needs a token"), "\(none.errors)")
        // There was a login: a job must not fall back on samples.
        #expect(try desk.run(["search", "x"]).code == 3)
    }

    @Test("a token that cannot be revoked is kept, unless it need not be")
    func unrevoked() throws {
        let desk = try Self.desk()
        #expect(try desk.run(["login", "vimeo"], VimeoDesk.app).code == 0)
        desk.server.answer("/tokens", .init(503, "{}"))
        let run = try desk.run(["logout", "vimeo"])
        #expect(run.code == 4 && run.errors.contains("--offline deletes the token"), "\(run.errors)")
        #expect(try desk.run(["login", "vimeo", "--list"]).lines.count == 2)
        // Ended elsewhere: there is nothing left to revoke.
        desk.server.revokeAll()
        #expect(try desk.run(["logout", "vimeo"]).code == 0)
        #expect(try desk.run(["login", "vimeo", "--list"]).lines.count == 1)
    }

    @Test("a stored token goes to the server that gave it alone, and a logout without it can be forced")
    func elsewhere() throws {
        let desk = try Self.desk()
        #expect(try desk.run(["login", "vimeo"], VimeoDesk.app).code == 0)
        let other = VimeoStandIn()
        defer { other.stop() }
        let moved = ["YTHOST_VIMEO_URL": other.url]
        for arguments in [["search", "x", "--source", "vimeo"], ["logout", "vimeo"], ["login", "vimeo", "--verify"]] {
            let run = try desk.run(arguments, moved)
            #expect(run.code == 3 && run.errors.contains("the server that gave it"), "\(run.errors)")
        }
        #expect(other.calls.isEmpty)
        #expect(try desk.run(["logout", "vimeo", "--offline"], moved).code == 0)
        #expect(other.calls.isEmpty && desk.server.tokens.count == 2)
    }
}
