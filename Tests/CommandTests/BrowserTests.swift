// The page in a browser that is driven: by keyboard and mouse, in both schemes, from a file and from a server. What is
// easily got wrong: a page that fetches nothing because its policy forbids it looks well behaved until one reads the
// console, so every test here looks at that, too.

import Foundation
import Testing

@Suite(.enabled(if: Judge.chromium != nil && Judge.python != nil, "no chromium or no python3"))
struct BrowserTests {
    /// Opens the page of some records, and does the steps.
    private func drive(
        _ records: String?, _ steps: [[String: Any]], arguments: [String] = [], from scheme: String = "file",
        width: Int = 1280, format: String = "html"
    ) throws -> Browser.Reply {
        let scratch = try Scratch()
        let run = try Command.run(
            ["run", format, records == nil ? "programming" : "-", "-o", scratch.path("page.html")] + arguments,
            input: records ?? "")
        try #require(run.code == 0, "\(run.errors)")
        return try Browser.drive(scratch.path("page.html"), scheme, steps, width: width)
    }

    /// Cards on a rich page: pictures of their own, several channels and scripts, broadcasts, odd kinds.
    private static let rich = """
        {"ythost":1,"provider":"youtube","id":"aaaaaaaaaaa","kind":"video","url":"https://www.youtube.com/watch?v=aaaaaaaaaaa","title":"Über alles Mögliche","channel":{"title":"First","url":"https://www.youtube.com/@first"},"published":"2020-01-01T00:00:00Z","duration":61,"views":3170000,"language":"de","thumbnails":{"own":{"url":"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==","width":1,"height":1}}}
        {"ythost":1,"provider":"youtube","id":"bbbbbbbbbbb","kind":"video","url":"https://www.youtube.com/watch?v=bbbbbbbbbbb","title":"מבוא לתכנות","channel":{"title":"Second"},"published":"2024-01-01T00:00:00Z","duration":3900,"views":1,"thumbnails":{"evil":{"url":"data:text/html;base64,PHNjcmlwdD4="}}}
        {"ythost":1,"provider":"vimeo","id":"76979871","kind":"video","url":"https://vimeo.com/76979871","title":"日本語の題名","channel":{"title":"First"},"published":"2022-01-01T00:00:00Z","live_state":"live","views":950}
        {"ythost":1,"provider":"youtube","id":"ccccccccccc","kind":"video","url":"https://www.youtube.com/watch?v=ccccccccccc","title":"Not elsewhere","channel":{"title":"قناة العلوم"},"embeddable":false,"live_state":"upcoming","starts":"2999-01-01T00:00:00Z"}
        {"ythost":1,"kind":"channel","id":"UCx","title":"A channel"}

        """

    private static let visible =
        "Array.from(document.querySelectorAll('.card'), c => c.querySelector('.title').textContent.trim())"

    // MARK: by hand

    @Test("words typed on the keyboard find videos, whatever case and accents; channel and order work beside them")
    func search() throws {
        let choose = { (name: String, value: String) in
            [
                "evaluate":
                    "(e => { e.value = '\(value)'; e.dispatchEvent(new Event('change', {bubbles: true})); return e.value })(document.getElementById('\(name)'))"
            ]
        }
        let reply = try drive(
            Self.rich,
            [
                ["key": "Tab"], ["evaluate": "document.activeElement.id"], ["type": "uber MOGLICHE"],
                ["evaluate": Self.visible], ["evaluate": "document.getElementById('count').textContent"],
                ["evaluate": "document.getElementById('words').select()"], ["type": "日本"], ["evaluate": Self.visible],
                ["evaluate": "document.getElementById('words').select()"], ["type": " "],
                ["evaluate": "Array.from(document.getElementById('channel').options, o => o.text)"],
                choose("channel", "First"), ["evaluate": Self.visible], choose("order", "newest"),
                ["evaluate": Self.visible], choose("channel", ""), ["evaluate": Self.visible],
                choose("order", "watched"), ["evaluate": Self.visible], choose("order", ""), ["evaluate": Self.visible],
                ["evaluate": "Array.from(document.getElementById('order').options, o => o.text)"],
            ])
        let uber: Browser.JSON = "Über alles Mögliche"
        #expect(reply.results[1] == "words")
        #expect(reply.results[3] == [uber] && reply.results[4] == "1 of 5 videos")
        #expect(reply.results[7] == ["日本語の題名"])
        #expect(reply.results[10] == ["all", "First (2)", "Second (1)", "قناة العلوم (1)"])
        #expect(reply.results[12] == [uber, "日本語の題名"])
        #expect(reply.results[14] == ["日本語の題名", uber])
        #expect(reply.results[16] == ["Not elsewhere", "מבוא לתכנות", "日本語の題名", uber, "A channel"])
        #expect(reply.results[18] == [uber, "日本語の題名", "מבוא לתכנות", "Not elsewhere", "A channel"])
        #expect(reply.results[20] == [uber, "מבוא לתכנות", "日本語の題名", "Not elsewhere", "A channel"])
        #expect(reply.results[21] == ["as given", "newest", "longest", "most watched"])
        #expect(reply.console == [] && reply.requests.isEmpty)
    }

    @Test("headings whose videos are all taken out go with them")
    func headings() throws {
        let reply = try drive(
            Self.rich,
            [
                ["evaluate": "document.getElementById('words').focus()"], ["type": "first"],
                ["evaluate": "Array.from(document.querySelectorAll('section:not([hidden]) h2'), h => h.textContent)"],
                ["evaluate": Self.visible],
            ], arguments: ["--group", "channel"])
        #expect(reply.results[2] == ["First"] && reply.results[3] == ["Über alles Mögliche", "日本語の題名"])
        #expect(reply.console == [])
    }

    @Test("a heading of ten thousand characters takes three lines of the page")
    func longHeading() throws {
        let name = String(repeating: "channel ", count: 1250)
        let reply = try drive(
            "{\"ythost\":1,\"id\":\"a\",\"title\":\"A\",\"channel\":{\"title\":\"\(name)\"}}\n",
            [["evaluate": "document.querySelector('h2.heading').getBoundingClientRect().height"]],
            arguments: ["--group", "channel"])
        let height = try #require(reply.results[0].number)
        #expect((30...100).contains(height), "\(height)")
    }

    // MARK: for everybody

    @Test(
        "axe finds nothing that keeps anybody out, in light and dark",
        .enabled(if: Judge.hasVenv || Judge.isCI, "no axe-core: scripts/setup --tests installs it"),
        arguments: ["rich", "grouped", "hostile", "empty", "blank", "card", "blank card"], ["file", "http"])
    func axe(records: String, scheme: String) throws {
        let place = try Program(
            Judge.venv,
            ["-c", "import axe_core_python as a, os; print(os.path.join(os.path.dirname(a.__file__), 'axe.min.js'))"]
        ).run()
        let axe = place.output.trimmingCharacters(in: .whitespacesAndNewlines)
        let input =
            switch records {
            case "hostile": try Hostile.lines()
            case "empty": ""
            case "blank", "blank card":
                try ToldTextTests.blanks.enumerated().map { try ToldTextTests.record($1, id: "idnumber\(100 + $0)") }
                    .joined()
            default: Self.rich
            }
        let reply = try drive(
            input, [["scheme": "light"], ["axe": axe], ["scheme": "dark"], ["axe": axe]],
            arguments: records == "grouped" ? ["--group", "day"] : records == "blank" ? ["--thumbnails", "none"] : [],
            from: scheme, format: records.hasSuffix("card") ? "card" : "html")
        #expect(reply.results[1] == [] && reply.results[3] == [])
        #expect(reply.console == [] && reply.requests.isEmpty)
    }

    @Test("the page follows the scheme and the motion that are preferred, and the direction of a title")
    func preferences() throws {
        let background = "getComputedStyle(document.body).backgroundColor"
        let reply = try drive(
            Self.rich,
            [
                ["scheme": "light"], ["evaluate": background], ["scheme": "dark"], ["evaluate": background],
                ["evaluate": "getComputedStyle(document.querySelector('.card')).transitionDuration"],
                ["motion": "reduce"],
                ["evaluate": "getComputedStyle(document.querySelector('.card')).transitionProperty"],
                ["evaluate": "Array.from(document.querySelectorAll('.words'), w => getComputedStyle(w).direction)"],
                ["evaluate": "Array.from(document.querySelectorAll('.badge'), b => b.textContent)"],
                ["evaluate": "document.querySelector('.facts').textContent.replace(/\\s+/g, ' ').trim()"],
                ["evaluate": "document.querySelectorAll('.facts')[3].textContent.includes('2999-01-01')"],
            ])
        #expect(reply.results[1] == "rgb(246, 246, 247)" && reply.results[3] == "rgb(19, 20, 23)")
        #expect(reply.results[4] == "0.15s" && reply.results[6] == "none")
        #expect(reply.results[7] == ["ltr", "rtl", "ltr", "ltr", "ltr"])
        #expect(reply.results[8] == ["Length 1:01", "Length 1:05:00", "LIVE", "UPCOMING", "CHANNEL"])
        if case .text(let facts) = reply.results[9] {
            #expect(facts.wholeMatch(of: /2020-01-01 \d+ years ago 3,170,000 views/) != nil, "\(facts)")
        }
        #expect(reply.results[10] == true)
    }

    @Test(
        "nothing hangs over the side, however narrow the window and long the words", arguments: [320, 360, 1280, 2560])
    func width(width: Int) throws {
        let reply = try drive(
            Self.rich + (try Hostile.lines()),
            [["evaluate": "document.documentElement.scrollWidth"]], arguments: ["--description", Hostile.long],
            width: width)
        #expect(reply.results[0] == .number(Double(width)) && reply.console == [])
    }

    // MARK: players

    @Test("a video plays in the page once somebody asks, and nothing is asked of anybody before")
    func players() throws {
        let frames =
            "Array.from(document.querySelectorAll('iframe'), f => [f.src, f.referrerPolicy, f.allowFullscreen, f.title, f.allow.includes('autoplay')])"
        let reply = try drive(
            Self.rich,
            [
                ["evaluate": "Array.from(document.querySelectorAll('.play'), b => b.ariaLabel)"],
                ["evaluate": "performance.getEntriesByType('resource').length"],
                ["click": ".play"], ["evaluate": frames], ["evaluate": "document.activeElement.tagName"],
                ["evaluate": "document.querySelectorAll('.play')[2].focus()"], ["key": "Enter"], ["evaluate": frames],
                ["evaluate": "window.focus()"],
                [
                    "evaluate":
                        "document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'Escape', bubbles: true}))"
                ],
                ["evaluate": frames], ["evaluate": "document.activeElement.ariaLabel"],
            ], from: "http")
        #expect(reply.results[0] == ["Play Über alles Mögliche", "Play מבוא לתכנות", "Play 日本語の題名"])
        #expect(reply.results[1] == 0)
        #expect(
            reply.results[3] == [
                [
                    "https://www.youtube-nocookie.com/embed/aaaaaaaaaaa?autoplay=1", "strict-origin-when-cross-origin",
                    true,
                    "Über alles Mögliche", true,
                ]
            ])
        #expect(reply.results[4] == "IFRAME")
        #expect(
            reply.results[7] == [
                [
                    "https://player.vimeo.com/video/76979871?autoplay=1&dnt=1", "strict-origin-when-cross-origin", true,
                    "日本語の題名", true,
                ]
            ])
        #expect(reply.results[10] == [] && reply.results[11] == "Play 日本語の題名")
        // The players' hosts are not there; that they were not reached is all that may be said.
        #expect(reply.console.allSatisfy { $0.contains("ERR_NAME_NOT_RESOLVED") }, "\(reply.console)")
        for request in reply.requests {
            #expect(
                request.url.hasPrefix("https://www.youtube-nocookie.com/")
                    || request.url.hasPrefix("https://player.vimeo.com/"))
        }
    }

    @Test("a page that is a file leads to the page to watch, and so does one without players")
    func noPlayers() throws {
        let count = [
            ["evaluate": "[document.querySelectorAll('.play').length, document.querySelector('.title a').href]"]
        ]
        let watch: Browser.JSON = [0, "https://www.youtube.com/watch?v=aaaaaaaaaaa"]
        #expect(try drive(Self.rich, count).results == [watch])
        #expect(try drive(Self.rich, count, arguments: ["--no-players"], from: "http").results == [watch])
    }

    // MARK: pictures

    @Test("pictures that records carry are shown, and nothing else that calls itself one")
    func embedded() throws {
        let reply = try drive(
            Self.rich,
            [["evaluate": "Array.from(document.images, i => [i.src.slice(0, 15), i.naturalWidth])"]])
        #expect(reply.results == [[["data:image/png;", 1]]])
        #expect(reply.console == [] && reply.requests.isEmpty)
    }

    @Test(
        "pictures of services are asked for by choice alone; one that is missing gives way to the next, then to a letter"
    )
    func remote() throws {
        let record = """
            {"ythost":1,"provider":"youtube","id":"aaaaaaaaaaa","title":"T","url":"https://www.youtube.com/watch?v=aaaaaaaaaaa","thumbnails":{"a":{"url":"https://one.example/s.jpg","width":120,"height":90},"b":{"url":"https://two.example/m.jpg","width":480,"height":360},"c":{"url":"https://three.example/l.jpg","width":1280,"height":720},"d":{"url":"http://four.example/x.jpg","width":640},"e":{"url":"https://five.example;script-src *;/x.jpg","width":900}}}

            """
        let images = [["evaluate": "document.images.length"]]
        let plain = try drive(record, images, from: "http")
        #expect(plain.results == [0] && plain.requests.isEmpty && plain.console == [])
        let wait = [["evaluate": "new Promise(done => setTimeout(() => done(document.images.length), 1000))"]]
        let asked = try drive(record, wait, arguments: ["--thumbnails", "remote"], from: "http")
        #expect(asked.requests.map(\.url) == ["https://two.example/m.jpg", "https://one.example/s.jpg"])
        #expect(asked.requests.allSatisfy { $0.referrer.isEmpty })
        #expect(asked.results == [0])
        #expect(asked.console.allSatisfy { $0.contains("ERR_NAME_NOT_RESOLVED") }, "\(asked.console)")
    }

    // MARK: many

    @Test("two thousand videos are searched and sorted in a moment")
    func many() throws {
        let records = try Record.lines(
            (0..<2000).map {
                Record(
                    provider: "youtube", id: "id\(100_000_000 + $0)",
                    url: "https://www.youtube.com/watch?v=id\(100_000_000 + $0)",
                    title: "A title of a usual length, number \($0)", channel: .init(title: "Channel \($0 % 40)"),
                    published: "2024-07-01T12:00:00Z", duration: $0, views: $0 * 7919 % 2000)
            })
        let timed = { (body: String) in
            [
                "evaluate":
                    "(() => { const start = performance.now(); \(body); document.body.offsetHeight; return performance.now() - start })()"
            ]
        }
        let reply = try drive(
            records,
            [
                ["evaluate": "document.getElementById('count').textContent"],
                timed("words.value = 'number 1999'; words.dispatchEvent(new Event('input'))"),
                ["evaluate": "document.querySelectorAll('.card').length"],
                timed("words.value = ''; words.dispatchEvent(new Event('input'))"),
                timed("order.value = 'watched'; order.dispatchEvent(new Event('change'))"),
                ["evaluate": "document.querySelector('.card').dataset.watched"],
            ])
        // More than are read ahead, so the page counts them itself.
        #expect(reply.results[0] == "2,000 videos" && reply.results[2] == 1 && reply.results[5] == "1999")
        for step in [1, 3, 4] { #expect((reply.results[step].number ?? .infinity) < 1500, "\(reply.results[step])") }
        #expect(reply.console == [])
    }
}

/// The policy of the page names its style and its script by their hashes.
@Suite(.enabled(if: Judge.judgesWithPython, "no python3"))
struct PagePolicyTests {
    @Test("the hashes in the policy are those of the style and the script")
    func hashes() throws {
        let code = """
            import base64, hashlib, html, json, re, sys
            page = sys.stdin.buffer.read().decode("utf-8")
            policy = html.unescape(re.search('Content-Security-Policy" content="(.*?)"', page).group(1))
            said = {n: re.search(n + "-src '(sha256-.*?)'", policy).group(1) for n in ("style", "script")}
            real = {n: "sha256-" + base64.b64encode(hashlib.sha256(
                re.search(f"<{n}>(.*?)</{n}>", page, re.S).group(1).encode()).digest()).decode() for n in ("style", "script")}
            print(json.dumps([said, real]))
            """
        let page = try Command.run(["run", "html", "-"], input: "")
        let both = try JSONDecoder().decode([[String: String]].self, from: Data(try Judge.python(code, page.data).utf8))
        #expect(both[0] == both[1], "plugins/lib/yt/gallery.lua names stale hashes")
    }

    @Test("the hash in the policy of cards is that of their style")
    func cardHash() throws {
        let code = """
            import base64, hashlib, html, json, re, sys
            page = sys.stdin.buffer.read().decode("utf-8")
            policy = html.unescape(re.search('Content-Security-Policy" content="(.*?)"', page).group(1))
            style = re.search("<style>(.*?)</style>", page, re.S).group(1).encode()
            print(json.dumps([re.search("style-src '(sha256-.*?)'", policy).group(1),
                "sha256-" + base64.b64encode(hashlib.sha256(style).digest()).decode()]))
            """
        let page = try Command.run(["run", "card", "-"], input: "")
        let both = try JSONDecoder().decode([String].self, from: Data(try Judge.python(code, page.data).utf8))
        #expect(both[0] == both[1], "plugins/card.lua names a stale hash")
    }

    @Test("no address of a record gets into the policy but as a host")
    func hosts() throws {
        let record = """
            {"ythost":1,"id":"a","title":"T","thumbnails":{"a":{"url":"https://ok.example:8443/a.jpg"},"b":{"url":"https://evil.example; script-src *"},"c":{"url":"https://x'y.example/"},"d":{"url":"https://user@evil.example/"},"e":{"url":"https://evil.example,default-src"}}}

            """
        let page = try Command.run(["run", "html", "-", "--thumbnails", "remote"], input: record)
        #expect(page.output.contains("; img-src https://ok.example:8443; frame-src &#39;none&#39;; base-uri"))
    }
}
