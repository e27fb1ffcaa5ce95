// The player page in a browser, served by `play --serve` and opened as a file. A page of the tests' own stands for the
// player, at its real address and with its real words.

import Foundation
import Testing

@Suite(.enabled(if: Judge.chromium != nil && Judge.python != nil, "no chromium or no python3"))
struct PlayerPageTests {
    private static let player = Command.root.appending(path: "Tests/CommandTests/Judges/player.html").path

    /// A source of videos with these ids, titled by them.
    private func source(_ scratch: Scratch, _ ids: [String]) throws {
        let videos = ids.map { "yt.video{provider = 'youtube', id = '\($0)', title = 'Video <b>\($0)'}" }
        try scratch.file(
            "source.lua",
            "return { summary = 'x', search = function() return {\n\(videos.joined(separator: ",\n"))\n} end }\n")
    }

    private func serve(
        _ ids: [String], _ steps: [[String: Any]], width: Int = 1280, height: Int = 800
    ) throws -> Browser.Reply {
        let scratch = try Scratch()
        try source(scratch, ids)
        let command = [
            Command.binary, "play", "x", "-p", scratch.path("source.lua"), "--take", "99", "--serve",
        ]
        let words = String(decoding: try JSONSerialization.data(withJSONObject: command), as: UTF8.self)
        return try Browser.drive(words, "serve", steps, width: width, height: height, player: Self.player)
    }

    private static let state = "document.getElementById('state').textContent"
    private static let now = "document.getElementById('now').textContent"
    private static func until(_ words: String) -> [String: Any] { ["wait": "\(state) === '\(words)'"] }

    @Test("the player stands in the middle of the window to the pixel, whatever its form")
    func centred() throws {
        let sizes = [[1280, 800], [800, 1280], [360, 640], [640, 360], [1920, 500], [1024, 1024]]
        let measure = """
            (() => { const r = document.getElementById('frame').getBoundingClientRect();
              return [Math.abs(r.x + r.width / 2 - innerWidth / 2) < 1, Math.abs(r.y + r.height / 2 - innerHeight / 2) < 1,
                Math.abs(r.width / r.height - 16 / 9) < .02, r.width <= innerWidth, r.width > innerWidth / 4,
                document.documentElement.scrollWidth <= innerWidth]; })()
            """
        let reply = try serve(
            ["still------"], sizes.flatMap { [["size": $0], ["evaluate": measure]] as [[String: Any]] })
        for place in stride(from: 1, to: reply.results.count, by: 2) {
            #expect(reply.results[place] == [true, true, true, true, true, true], "\(sizes[place / 2])")
        }
    }

    @Test("the player is asked with the site's address, plays by itself, and the next follows when one ends")
    func queue() throws {
        let reply = try serve(
            ["plays------", "still------", "still-----2"],
            [
                Self.until("Playing"), ["evaluate": Self.now], ["wait": "\(Self.now).startsWith('2/')"],
                Self.until("Playing"), ["evaluate": Self.now], ["key": "k"], Self.until("Paused"),
                ["evaluate": Self.state], ["key": "k"], Self.until("Playing"), ["key": "n"], ["evaluate": Self.now],
                ["evaluate": "document.getElementById('next').disabled"], ["key": "p"], ["evaluate": Self.now],
                ["key": "q"], ["evaluate": "!document.getElementById('queue').hidden"],
                ["click": "#queue li:nth-child(3) a"],
                ["evaluate": Self.now], ["key": "Escape"], ["evaluate": "document.getElementById('queue').hidden"],
                ["evaluate": "document.title"],
            ])
        #expect(reply.results[1] == "1/3 Video <b>plays------" && reply.results[4] == "2/3 Video <b>still------")
        #expect(reply.results[7] == "Paused")
        #expect(reply.results[11] == "3/3 Video <b>still-----2" && reply.results[12] == true)
        #expect(reply.results[14] == "2/3 Video <b>still------" && reply.results[16] == true)
        #expect(reply.results[18] == "3/3 Video <b>still-----2" && reply.results[20] == true)
        #expect(reply.results[21] == "Video <b>still-----2")
        #expect(reply.console.isEmpty, "\(reply.console)")
        let players = reply.requests.filter { $0.url.hasPrefix("https://www.youtube-nocookie.com/embed/") }
        #expect(players.count == 5 && reply.requests.count == players.count)
        for request in players {
            #expect(request.referrer.hasPrefix("http://127.0.0.1:") && request.referrer.hasSuffix("/"))
            #expect(
                request.url.contains("autoplay=1")
                    && request.url.contains("enablejsapi=1&origin=http%3A%2F%2F127.0.0.1"))
            #expect(!request.url.contains("mute="))
        }
    }

    private static let failures = [
        (2, "does not take this video's id"), (5, "browser's video player failed"), (100, "removed, or is private"),
        (101, "on YouTube only"), (150, "on YouTube only"), (152, "refuses to play on this page"),
        (153, "not told which site"), (999, "says 999"),
    ]

    @Test("what the player says went wrong is told in words, with the page to watch and without going on by itself")
    func failures() throws {
        let ids = Self.failures.map { "code" + String(repeating: "-", count: 7 - "\($0.0)".count) + "\($0.0)" }
        let steps: [[[String: Any]]] = ids.map { _ in
            [
                ["wait": "!document.getElementById('notice').hidden"],
                ["evaluate": "document.getElementById('words').textContent"],
                ["evaluate": "document.getElementById('instead').href"],
                ["evaluate": "document.getElementById('instead').textContent"], ["evaluate": Self.now], ["key": "n"],
            ]
        }
        let last = [Self.until("Playing"), ["evaluate": "document.getElementById('notice').hidden"]]
        let reply = try serve(ids + ["still------"], steps.flatMap(\.self) + last)
        for (place, (code, words)) in Self.failures.enumerated() {
            let told = reply.results[(6 * place)...]
            guard case .text(let said) = told[6 * place + 1] else {
                Issue.record("nothing was said of \(code)")
                continue
            }
            #expect(said.contains(words), "\(said)")
            #expect(told[6 * place + 2] == .text("https://www.youtube.com/watch?v=\(ids[place])"))
            #expect(told[6 * place + 3] == "Watch it on youtube.com")
            #expect(told[6 * place + 4] == .text("\(place + 1)/9 Video <b>\(ids[place])"))
        }
        #expect(reply.results.last == true)
    }

    @Test("where the browser lets nothing begin with sound, it begins without, and says how to have it")
    func quiet() throws {
        let reply = try serve(
            ["quiet------"],
            [
                Self.until("Playing, without sound: press M"), ["evaluate": Self.state], ["key": "m"],
                Self.until("Playing"), ["evaluate": Self.state],
            ])
        #expect(reply.results[1] == "Playing, without sound: press M" && reply.results[4] == "Playing")
    }

    @Test("Escape, the button and a click beside the player close it, and the command ends", arguments: 0..<3)
    func closes(way: Int) throws {
        let beside =
            "document.elementFromPoint(innerWidth / 2, 70).dispatchEvent(new MouseEvent('click', {bubbles: true}))"
        let ways: [[String: Any]] = [["key": "Escape"], ["click": "#close"], ["evaluate": beside]]
        let reply = try serve(
            ["still------"],
            [
                Self.until("Playing"), ways[way],
                ["wait": "document.getElementById('why').textContent.startsWith('Closed')"],
                ["evaluate": "document.getElementById('why').textContent"],
                ["evaluate": "document.querySelectorAll('iframe').length"],
            ], width: 600, height: 900)
        #expect(reply.results[3] == "Closed, and the server has ended." && reply.results[4] == 0)
        #expect(reply.code == 0)
    }

    @Test("as a file the page explains itself, leads to the pages to watch, and asks nobody for anything")
    func file() throws {
        let scratch = try Scratch()
        try source(scratch, ["still------", "plays------"])
        let made = try Command.run([
            "play", "x", "-p", scratch.path("source.lua"), "--take", "2", "-o", scratch.path("p.html"),
        ])
        #expect(made.code == 0, "\(made.errors)")
        let reply = try Browser.drive(
            scratch.path("p.html"), "file",
            [
                ["evaluate": "document.getElementById('why').innerText.includes('--serve')"],
                ["evaluate": "Array.from(document.querySelectorAll('#queue a'), a => a.href)"],
                ["evaluate": "document.getElementById('stage').hidden"],
                ["evaluate": "document.querySelectorAll('iframe').length"],
            ])
        #expect(reply.results[0] == true && reply.results[2] == true && reply.results[3] == 0)
        #expect(
            reply.results[1] == [
                "https://www.youtube.com/watch?v=still------", "https://www.youtube.com/watch?v=plays------",
            ])
        #expect(reply.requests.isEmpty && reply.console.isEmpty, "\(reply.console)")
    }
}
