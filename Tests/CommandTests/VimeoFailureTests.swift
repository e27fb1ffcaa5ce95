// What becomes of Vimeo's refusals in a run: rows that came before, the exit code, and what is said to do.

import Foundation
import TestSupport
import Testing

@Suite struct VimeoFailureTests {
    private static let invalid = VimeoStandIn.Answer(
        401, #"{"error":"You must."}"#, [("WWW-Authenticate", #"Bearer error="invalid_token""#)])

    /// A first page as it is, then an answer in place of the second.
    private func second(_ answers: VimeoStandIn.Answer...) throws -> VimeoDesk {
        let desk = try VimeoDesk()
        let rows = (0..<50).map { #"{"uri":"/videos/\#($0 + 1)","name":"T"}"# }.joined(separator: ",")
        desk.server.answer(
            "/videos", .init(200, #"{"total":500,"paging":{"next":"/videos?page=2"},"data":[\#(rows)]}"#))
        for answer in answers { desk.server.answer("/videos", answer) }
        return desk
    }

    private static let pages = ["search", "x", "--source", "vimeo", "--fetch", "100", "--print", "{id}"]

    @Test("a refusal in the middle of paging leaves the rows before it, and says what to do")
    func middle() throws {
        let gone = try second(Self.invalid).run(Self.pages)
        #expect(gone.code == 3 && gone.lines.count == 50, "\(gone.errors)")
        #expect(gone.errors.contains("the token in YTHOST_VIMEO_TOKEN") && gone.errors.contains("ythost login vimeo"))
        let limits = [
            ("X-RateLimit-Limit", "10"), ("X-RateLimit-Remaining", "0"),
            ("X-RateLimit-Reset", "2030-01-02T03:04:05+00:00"),
        ]
        let spent = try second(.init(429, #"{"error":"Too many"}"#, limits)).run(Self.pages)
        #expect(spent.code == 5 && spent.lines.count == 50, "\(spent.errors)")
        #expect(spent.errors.contains("the quota of 10 of the bucket 'requests' at vimeo is used up"))
        #expect(spent.errors.contains("2030-01-02T03:04:05Z"))
        let loop = try second(
            .init(200, #"{"total":500,"paging":{"next":"/videos?page=2"},"data":[{"uri":"/videos/99"}]}"#)
        ).run(Self.pages)
        #expect(loop.code == 0 && loop.lines.count == 51, "\(loop.errors)")
        let down = VimeoStandIn.Answer(503, "<html>down</html>", [("Retry-After", "3600")])
        let busy = try second(down).run(Self.pages)
        #expect(busy.code == 4 && busy.lines.count == 50 && busy.errors.contains("out of order"), "\(busy.errors)")
    }

    @Test("parameters that make no sense are named, with the words for people and for developers")
    func invalidParameters() throws {
        let desk = try VimeoDesk()
        desk.server.answer(
            "/videos",
            VimeoStandIn.error(
                400, 2204, "Something is wrong", "Look at them",
                more: #","invalid_parameters":[{"field":"sort","error_code":2201,"developer_message":"no such sort"}]"#)
        )
        let run = try desk.run(["search", "x", "--source", "vimeo"])
        #expect(run.code == 4 && run.errors.contains("parameter sort: Something is wrong. Look at them. no such sort."))
        let script = try desk.script(
            """
            local answer = yt.request("vimeo", "videos", {query = {per_page = 500, query = "x"}})
            print(answer.status, answer.json.error_code, answer.json.invalid_parameters[1].field)
            local ok, why = pcall(function() return yt.search("x", {source = "vimeo"}):list() end)
            print(ok, why.kind, why.source, why.retry_at and why.retry_at > 0)
            """, ["--allow", "account:vimeo"])
        #expect(script.lines.first == "400\t2204\tper_page", "\(script.errors)")
        desk.server.answer("/videos", .init(429, "{}", [("X-RateLimit-Reset", "60"), ("X-RateLimit-Limit", "10")]))
        let caught = try desk.script(
            """
            local ok, why = pcall(function() return yt.search("y", {source = "vimeo"}):list() end)
            print(ok, why.kind, why.source, why.retry_at > 0, tostring(why))
            """)
        #expect(caught.lines.first?.hasPrefix("false\tquota\tvimeo\ttrue\tthe quota of 10") == true, "\(caught.errors)")
    }

    @Test("the limit is shown by quota, whatever run learned of it")
    func quota() throws {
        let desk = try VimeoDesk()
        desk.server.limit(left: 7, reset: "2030-01-02T03:04:05+00:00")
        #expect(try desk.run(["search", "x", "--source", "vimeo"]).code == 0)
        let run = try desk.run(["quota"])
        let line = run.lines.last ?? ""
        #expect(line.split(separator: " ").prefix(5) == ["vimeo", "requests", "4", "10", "6"], "\(run.output)")
        #expect(line.contains("2030-01-02T03:04:05Z"))
        let plan = try desk.run(["search", "y", "--source", "vimeo", "--fetch", "120", "--dry-run"])
        #expect(
            plan.code == 0 && plan.output.contains("GET /videos") && plan.output.contains("requests"), "\(plan.output)")
        let script = try desk.script(#"yt.search("z", {source = "vimeo", page = "2"}):first()"#, ["--dry-run"])
        #expect(script.code == 0 && script.output.contains("query=z"), "\(script.output)\(script.errors)")
        #expect(desk.server.calls.count == 1)
    }

    @Test("a fresh run confirms what is kept, and an offline one sends nothing")
    func kept() throws {
        let desk = try VimeoDesk()
        let mine = ["run", "ids", "--from", "channel:me", "--source", "vimeo", "--fetch", "50"]
        let first = try desk.run(mine)
        #expect(first.lines.count == 50, "\(first.errors)")
        #expect(try desk.run(mine + ["--fresh"]).lines == first.lines)
        #expect(desk.server.statuses == [200, 304])
        #expect(try desk.run(mine + ["--offline"]).lines == first.lines)
        // A policy that is named asks, and a plan says so.
        for (policy, count) in [
            ("network-then-local", "1 call"), ("local-then-network", "1 call"), ("local-only", "no call"),
        ] {
            let plan = try desk.run(mine + ["--cache", policy, "--dry-run"])
            #expect(plan.output.contains(count), "\(policy): \(plan.output)")
        }
        for policy in ["network-then-local", "local-then-network"] {
            #expect(try desk.run(mine + ["--cache", policy]).lines == first.lines)
        }
        #expect(desk.server.statuses == [200, 304, 304, 304])
        let none = try desk.run(["search", "new", "--source", "vimeo", "--offline"])
        #expect(none.code == 4 && none.errors.contains("nothing may be sent"))
        #expect(desk.server.statuses.count == 4)
        desk.server.stop()
        let gone = try desk.run(mine + ["--cache", "local-then-network"])
        #expect(gone.code == 0 && gone.lines == first.lines, "\(gone.errors)")
        let silent = try desk.run(["search", "newer", "--source", "vimeo"])
        #expect(silent.code == 4 && silent.errors.contains("vimeo could not be asked"), "\(silent.errors)")
    }

    @Test("a deleted user is told as none")
    func deleted() throws {
        let desk = try VimeoDesk()
        let run = try desk.run(["run", "ids", "--from", "channel:99", "--source", "vimeo"])
        #expect(run.code == 4 || run.code == 2, "\(run.errors)")
        #expect(run.errors.contains("Vimeo has no such user") && run.errors.contains("hint:"))
    }

    @Test("an error has what the service said as fields, in Lua and in JSON")
    func words() throws {
        let desk = try VimeoDesk()
        let refusal = VimeoStandIn.error(
            400, 2204, "Something is wrong", "Look at them",
            more:
                #","invalid_parameters":[{"field":"sort","error_code":2201,"error":"Sorry.","developer_message":"no such"},{"field":"page"}]"#
        )
        let catching = """
            local ok, e = pcall(function() return yt.search("%", {source = "vimeo"}):list() end)
            print(ok, e.kind, e.status, e.code, e.user_message, e.developer_message)
            for _, p in ipairs(e.invalid_parameters or {}) do
              print(p.field, p.code, p.user_message, p.developer_message)
            end
            """
        desk.server.answer("/videos", refusal)
        let run = try desk.script(catching)
        #expect(
            run.lines == [
                "false\trefused\t400\t2204\tSomething is wrong\tLook at them", "sort\t2201\tSorry.\tno such",
                "page\tnil\tnil\tnil",
            ], "\(run.errors)")
        let down = VimeoStandIn.error(503, 7300, "U6", "D6")
        desk.server.answer("/videos", down, down, down)
        #expect(try desk.script(catching).lines == ["false\tservice\t503\t7300\tU6\tD6"])
        desk.server.answer("/videos", VimeoStandIn.error(401, 1001, "Your IP is blocked"))
        #expect(
            try desk.script(catching).lines == ["false\tkey-refused\t401\t1001\tYour IP is blocked\tnil"])
        desk.server.answer("/videos", refusal)
        let json = try desk.run(["search", "z", "--source", "vimeo", "--errors", "json"])
        #expect(
            json.errors.contains(
                #""said":{"status":400,"code":"2204","user_message":"Something is wrong","developer_message":"Look at them","invalid_parameters":[{"field":"sort""#
            ), "\(json.errors)")
    }

    @Test("each refusal has a remedy that fits")
    func remedies() throws {
        let desk = try VimeoDesk()
        func run(_ answers: VimeoStandIn.Answer...) throws -> Program.Run {
            for answer in answers { desk.server.answer("/videos", answer) }
            return try desk.run(["search", "x", "--source", "vimeo"])
        }
        let down = VimeoStandIn.error(503, 7300, "U6", "D6")
        let rows: [(Program.Run, code: Int, says: String, hint: String)] = [
            (try run(down, down, down), 4, "out of order (status 503); it says: U6. D6. (7300)", "try again"),
            (
                try run(VimeoStandIn.error(401, 1001, "Your IP is blocked")), 3, "it says: Your IP is blocked. (1001)",
                "developer.vimeo.com/apps"
            ),
            (
                try run(VimeoStandIn.error(403, 1002, "Your app is banned")), 4, "Your app is banned. (1002, 403)",
                "developer.vimeo.com/apps"
            ),
            (
                try run(VimeoStandIn.error(403, 1002, "No", "The token lacks the scope private")), 3, "may not be used",
                "--scope"
            ),
            (
                try run(
                    VimeoStandIn.error(
                        400, 2204, "Wrong", more: #","invalid_parameters":[{"field":"sort"}]"#)), 4, "parameter sort",
                "leave out what sort stands for"
            ),
            (
                try run(
                    .init(
                        429, "{}",
                        [
                            ("X-RateLimit-Limit", "10"), ("X-RateLimit-Reset", "2020-01-01T00:00:00+00:00"),
                            ("Retry-After", "300"),
                        ])), 4, "too often", "try again in 5 minutes"
            ),
            (
                try run(.init(302, "", [("Location", "ftp://127.0.0.1/videos")])), 4, "which is neither http nor https",
                "if YTHOST_VIMEO_URL is set"
            ),
            (
                try desk.run(["search", "x", "--source", "vimeo"], ["YTHOST_VIMEO_URL": "http://127.0.0.1:1"]), 4,
                "cannot connect", "if YTHOST_VIMEO_URL is set"
            ),
            (
                try desk.run(["search", "x", "--source", "vimeo"], ["YTHOST_VIMEO_URL": "http://nobody.invalid"]), 4,
                "no host 'nobody.invalid'", "if YTHOST_VIMEO_URL is set"
            ),
        ]
        for row in rows {
            let (run, code, says, hint) = row
            #expect(Int(run.code) == code && run.errors.contains(says), "\(run.code): \(run.errors)")
            let told = run.errors.split(separator: "\n").last { $0.contains("hint:") } ?? ""
            #expect(told.contains(hint), "\(run.errors)")
        }
    }
}
