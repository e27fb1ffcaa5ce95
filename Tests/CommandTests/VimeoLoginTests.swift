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

    /// Where the browser is sent back to, and the state that it must come with.
    private static func back(_ address: String) -> (redirect: String, state: String) {
        let items = URLComponents(string: address)?.queryItems ?? []
        func value(_ name: String) -> String { items.first { $0.name == name }?.value ?? "" }
        return (value("redirect_uri"), value("state"))
    }

    @Test(
        "an answer that comes to nothing is told in the browser, too",
        arguments: [
            ("?state=S&error=access_denied", "nobody agreed"), ("?state=S&code=made-up", "does not take the code"),
            ("?state=S", "no code"),
        ])
    func badAnswers(query: String, words: String) throws {
        let desk = try Self.desk()
        let (child, address) = try Self.begin(desk)
        let (redirect, state) = Self.back(address)
        let page = try Self.browse(redirect + query.replacingOccurrences(of: "=S", with: "=" + state))
        #expect(page.output.contains("came to nothing") && page.output.contains(words), "\(page.output)")
        let run = try child.finish()
        #expect(run.code == 3 && run.errors.contains(words) && run.errors.contains("hint:"), "\(run.errors)")
        #expect(!run.errors.contains("paste the whole address"))
        #expect(try desk.run(["login", "vimeo", "--list"]).lines.count == 1, "nothing is kept")
        #expect(!desk.server.calls.contains { $0.path == "/oauth/access_token" } || words.contains("take the code"))
    }

    @Test("what does not belong to the login is answered, and waited past")
    func strangers() throws {
        let desk = try Self.desk()
        let (child, address) = try Self.begin(desk)
        let redirect = Self.back(address).redirect
        func status(_ address: String, _ flags: [String] = []) throws -> String {
            try Self.browse(address, flags + ["-o", "/dev/null", "-w", "%{http_code}"]).output
        }
        for other in ["/favicon.ico", "/"] {
            #expect(try status(redirect.replacingOccurrences(of: "/vimeo", with: other)) == "404")
        }
        #expect(try status(redirect, ["-H", "Host: evil.example"]) == "404")
        for query in ["", "?code=code-9&state=forged", "?code=code-9", "?error=access_denied&state="] {
            #expect(try status(redirect + query) == "400", "\(query)")
        }
        #expect(try Self.browse(redirect + "?state=x").output.contains("not the answer to the login that waits"))
        #expect(try Self.browse(address).output.contains("ythost has what it needs"))
        let run = try child.finish()
        #expect(run.code == 0 && run.errors.contains("user_1"), "\(run.errors)")
        // Nobody else came: what did come is told.
        let port = "\(Self.freePort())"
        let alone = try desk.start(["login", "vimeo", "--user", "--port", port, "--wait", "2"], VimeoDesk.app)
        try alone.gather(until: "code_challenge_method=S256", of: .errors, timeout: 20)
        #expect(try status("http://127.0.0.1:\(port)/vimeo?code=code-9&state=forged") == "400")
        let silent = try alone.finish()
        #expect(
            silent.code == 3 && silent.errors.contains("nobody came back from the browser in 2"), "\(silent.errors)")
        #expect(silent.errors.contains("its state is another") && silent.errors.contains("--wait"))
    }

    @Test("an app that the service does not know is told in the browser, and what it says goes with the error")
    func unknownApp() throws {
        let desk = try Self.desk()
        var app = VimeoDesk.app
        app["YTHOST_VIMEO_CLIENT_SECRET"] = "wrong-secret-that-must-not-be-seen"
        let (child, address) = try Self.begin(desk, [], app)
        let page = try Self.browse(address).output
        #expect(page.contains("came to nothing") && page.contains("does not know an app"), "\(page)")
        #expect(!page.contains("has what it needs") && !page.contains("must-not-be-seen"))
        let run = try child.finish()
        #expect(run.code == 3 && run.errors.contains("it says: The app is unknown. (8001)"), "\(run.errors)")
        // An echo of the login, as it was sent.
        let login = Data("\(VimeoStandIn.clientID):\(VimeoStandIn.clientSecret)".utf8).base64EncodedString()
        desk.server.answer(
            "/oauth/authorize/client",
            VimeoStandIn.error(400, 1000, "bad \(VimeoStandIn.clientSecret)", "Basic \(login)"),
            VimeoStandIn.error(401, 1001, "Your IP is blocked"))
        let echo = try desk.run(["login", "vimeo"], VimeoDesk.app)
        #expect(
            echo.errors.contains("bad REDACTED. REDACTED. (1000)") || echo.errors.contains("bad REDACTED. REDACTED."),
            "\(echo.errors)")
        #expect(!echo.errors.contains(login) && !echo.errors.contains(VimeoStandIn.clientSecret))
        let blocked = try desk.run(["login", "vimeo"], VimeoDesk.app)
        #expect(blocked.code == 4 && blocked.errors.contains("Your IP is blocked. (1001, 401)"), "\(blocked.errors)")
        #expect(!blocked.errors.contains("identifier and secret") && blocked.errors.contains("hint:"))
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
            .init(200, #"{"token_type":"bearer"}"#), .init(200, #"{"access_token":"x-must-not\r\n-be-seen"}"#),
            .init(200, "<html>"), .init(503, #"{"error":"U6","developer_message":"D6","error_code":7300}"#))
        for (code, words) in [
            (4, "of the kind 'mac'"), (4, "it has no token"), (4, "that cannot be sent"), (4, "cannot be read"),
            (4, "out of order (status 503); it says: U6. D6. (7300)"),
        ] {
            let odd = try desk.run(["login", "vimeo"], VimeoDesk.app)
            #expect(Int(odd.code) == code && odd.errors.contains(words), "\(odd.errors)")
            #expect(!odd.errors.contains("must-not-be-seen") && odd.errors.contains("hint:"), "\(odd.errors)")
        }
        let scope = try desk.run(
            ["login", "vimeo", "--user", "--port", "\(Self.freePort())", "--scope", "public evrything"], VimeoDesk.app)
        #expect(
            scope.code == 2 && scope.errors.contains("evrything") && scope.errors.contains("video_files"),
            "\(scope.code) \(scope.errors)")
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
