// The player page and Vimeo's player, for which a page of the tests' own stands that speaks its words.

import Foundation
import Testing

@Suite(.enabled(if: Judge.chromium != nil && Judge.python != nil, "no chromium or no python3"))
struct PlayerVimeoTests {
    private func serve(_ addresses: [String], _ steps: [[String: Any]]) throws -> Browser.Reply {
        let scratch = try Scratch()
        let videos = addresses.map {
            "yt.video{provider = 'vimeo', url = 'https://vimeo.com/\($0)', title = 'Film \($0)'}"
        }
        try scratch.file(
            "source.lua",
            "return { summary = 'x', search = function() return {\n\(videos.joined(separator: ",\n"))\n} end }\n")
        let command = [Command.binary, "play", "x", "-p", scratch.path("source.lua"), "--take", "99", "--serve"]
        let words = String(decoding: try JSONSerialization.data(withJSONObject: command), as: UTF8.self)
        return try Browser.drive(
            words, "serve", steps, player: Command.root.appending(path: "Tests/CommandTests/Judges/player.html").path)
    }

    private static let state = "document.getElementById('state').textContent"
    private static let now = "document.getElementById('now').textContent"
    private static func until(_ words: String) -> [String: Any] { ["wait": "\(state) === '\(words)'"] }

    @Test("it is asked with the site's address and an unlisted video's hash, plays, pauses, and the next follows")
    func plays() throws {
        let reply = try serve(
            ["76000001/8272103f6e", "76000002"],
            [
                Self.until("Playing"), ["evaluate": Self.now], ["wait": "\(Self.now).startsWith('2/')"],
                Self.until("Playing"), ["evaluate": Self.now], ["key": "k"], Self.until("Paused"),
                ["evaluate": Self.state], ["key": "k"], Self.until("Playing"), ["evaluate": Self.state], ["key": "m"],
                ["evaluate": Self.state], ["evaluate": "document.getElementById('notice').hidden"],
            ])
        #expect(reply.results[1] == "1/2 Film 76000001/8272103f6e" && reply.results[4] == "2/2 Film 76000002")
        #expect(reply.results[7] == "Paused" && reply.results[10] == "Playing")
        #expect(reply.results[12] == "Playing, without sound: press M" && reply.results[13] == true)
        #expect(reply.console.isEmpty, "\(reply.console)")
        #expect(reply.requests.count == 2)
        let first = try #require(reply.requests.first)
        #expect(first.url.hasPrefix("https://player.vimeo.com/video/76000001?") && first.url.contains("h=8272103f6e"))
        #expect(first.url.contains("dnt=1") && !first.url.contains("enablejsapi") && !first.url.contains("origin="))
        #expect(reply.requests.allSatisfy { $0.referrer.hasPrefix("http://127.0.0.1:") && $0.referrer.hasSuffix("/") })
    }

    @Test("what it says went wrong is told in words, with the page to watch")
    func failures() throws {
        let rows = [
            ("76000004", "Its owner lets it play on other pages only."), ("76000005", "It wants a password."),
            ("76000006", "The player failed."),
        ]
        let steps: [[[String: Any]]] = rows.map { _ in
            [
                ["wait": "!document.getElementById('notice').hidden"],
                ["evaluate": "document.getElementById('words').textContent"],
                ["evaluate": "document.getElementById('instead').href"],
                ["evaluate": "document.getElementById('instead').textContent"], ["key": "n"],
            ]
        }
        let reply = try serve(
            rows.map(\.0) + ["76000002"], steps.flatMap(\.self) + [Self.until("Playing"), ["evaluate": Self.state]])
        for (place, (id, words)) in rows.enumerated() {
            #expect(reply.results[5 * place + 1] == .text(words))
            #expect(reply.results[5 * place + 2] == .text("https://vimeo.com/\(id)"))
            #expect(reply.results[5 * place + 3] == "Watch it on vimeo.com")
        }
        #expect(reply.results.last == "Playing")
    }

    @Test("where nothing may begin with sound it begins without, and a player that says nothing by itself is asked")
    func quiet() throws {
        let reply = try serve(
            ["76000003", "76000008"],
            [
                Self.until("Playing, without sound: press M"), ["evaluate": Self.state], ["key": "n"],
                Self.until("Playing"), ["evaluate": Self.state],
            ])
        #expect(reply.results[1] == "Playing, without sound: press M" && reply.results[4] == "Playing")
    }
}
