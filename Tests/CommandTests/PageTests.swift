// `search … | run plugins/html.lua - -o page.html`: one file that is whole, asks nothing of any host, and that a browser
// shows without complaint.

import Foundation
import Testing

@Suite struct PageTests {
    /// Makes a page as a pipe of two commands does.
    private func page(_ scratch: Scratch, records: String? = nil) throws -> String {
        let source = try records ?? Command.run(["search", "programming"]).output
        let run = try Command.run(
            ["run", "plugins/html.lua", "-", "-o", scratch.path("page.html")], input: source)
        try #require(run.code == 0 && run.output.isEmpty, "\(run.errors)")
        #expect(scratch.names == ["page.html"])
        return try scratch.text("page.html")
    }

    @Test("the page is whole")
    func whole() throws {
        let page = try page(try Scratch())
        #expect(page.hasPrefix("<!DOCTYPE html>\n") && page.hasSuffix("</html>\n"))
        let records = try Record.read(try Command.run(["search", "programming"]))
        #expect(page.components(separatedBy: "<li class=\"card\"").count == records.count + 1)
        for record in records { #expect(page.contains("watch?v=\(record.id ?? "?")")) }
        #expect(page.contains("<title>programming - ythost sample library</title>"))
    }

    /// What makes a browser fetch something on its own: attributes, style sheets, imports.
    private static let loaders: [String] = [
        #"<(img|script|iframe|video|audio|source|embed|object|track|input|link|image|use)[^>]*\s(src|href|data|srcset|poster)="#,
        #"<link\b"#, #"<base\b"#, #"@import"#, #"url\("#, #"http-equiv="refresh""#, #"<(iframe|object|embed|form)\b"#,
    ]

    @Test("nothing in the page loads on its own", arguments: [nil, "hostile"])
    func selfContained(records: String?) throws {
        let page = try page(try Scratch(), records: records == nil ? nil : try Hostile.lines())
        for pattern in Self.loaders {
            #expect(page.firstMatch(of: try Regex(pattern).ignoresCase()) == nil, "\(pattern)")
        }
        #expect(page.components(separatedBy: "<script").count == 2)
        #expect(page.firstMatch(of: try Regex(#"<[^>]*\son[a-z]+="#).ignoresCase()) == nil)
    }

    @Test("a policy stands before all content and allows nothing from elsewhere")
    func policy() throws {
        let page = try page(try Scratch())
        let match = try #require(
            page.firstMatch(of: /<meta http-equiv="Content-Security-Policy" content="([^"]*)">/))
        let policy = match.1
        #expect(policy.hasPrefix("default-src &#39;none&#39;;"))
        #expect(!policy.contains("unsafe") && !policy.contains("*") && !policy.contains("data:"))
        // Frames come once somebody asks for one; nothing else comes from anywhere.
        #expect(policy.contains("; img-src &#39;none&#39;; frame-src https://www.youtube-nocookie.com; base-uri"))
        #expect(policy.components(separatedBy: "http").count == 2)
        let style = try #require(page.firstRange(of: "<style"))
        #expect(match.range.upperBound < style.lowerBound)
    }

    @Test("hostile titles are text, and links go to web pages only")
    func hostile() throws {
        let page = try page(try Scratch(), records: try Hostile.lines())
        #expect(page.contains("&lt;img src=x onerror=alert(1)&gt;"))
        #expect(!page.contains("<img src=x") && !page.contains("<script>alert"))
        for link in page.matches(of: /href="([^"]*)"/) {
            #expect(link.1.firstMatch(of: /^https?:\/\//.ignoresCase()) != nil, "\(link.1)")
        }
        #expect(page.unicodeScalars.allSatisfy { $0.value >= 0x20 || $0.value == 0x0A || $0.value == 0x09 })
    }

    // MARK: in a browser

    private static let canRender = Judge.chromium != nil

    private struct Rendered {
        var document: String
        var console: String
        var requests: [String]
    }

    /// Opens a page in Chromium: its document after the scripts ran, what the console said, and the addresses that were
    /// asked for, from the browser's own log.
    private func render(_ scratch: Scratch, _ name: String) throws -> Rendered {
        let profile = try Scratch()
        let log = profile.path("net.json")
        let arguments = [
            "-k", "5", "45", try #require(Judge.chromium), "--headless", "--no-sandbox", "--disable-gpu",
            "--disable-dev-shm-usage", "--no-first-run", "--disable-extensions", "--disable-background-networking",
            "--disable-component-update", "--disable-sync", "--disable-default-apps", "--disable-domain-reliability",
            "--no-pings", "--host-resolver-rules=MAP * ~NOTFOUND", "--user-data-dir=\(profile.path("profile"))",
            "--log-net-log=\(log)",
            "--enable-logging=stderr", "--v=0", "--virtual-time-budget=2000", "--dump-dom",
            scratch.folder.appending(path: name).absoluteString,
        ]
        let run = try Program(
            try #require(Judge.find("timeout")), arguments, environment: ["HOME": profile.folder.path]
        ).run(timeout: 55)
        try #require(run.code == 0, "\(run.errors)")
        let text = String(decoding: try Data(contentsOf: URL(filePath: log)), as: UTF8.self)
        let addresses = text.matches(of: /"url":"((?:https?|wss?|ftp):[^"]*)"/).map { String($0.1) }
        return Rendered(
            document: run.output,
            console: run.errors.split(separator: "\n").filter { $0.contains("CONSOLE") }.joined(separator: "\n"),
            requests: Set(addresses).sorted())
    }

    @Test(
        "a browser shows every card, says nothing on its console and asks no host for anything",
        .enabled(if: canRender, "no chromium"), arguments: ["ordinary", "hostile", "empty"])
    func browser(kind: String) throws {
        let scratch = try Scratch()
        let records: String? = kind == "ordinary" ? nil : kind == "hostile" ? try Hostile.lines() : ""
        _ = try page(scratch, records: records)
        let rendered = try render(scratch, "page.html")
        #expect(rendered.console.isEmpty, "\(rendered.console)")
        // The browser tries to call its own makers, whatever the page.
        let own = /https?:\/\/[a-z0-9.-]*\.(google|googleapis|gvt1)\.com\/.*/
        let foreign = rendered.requests.filter { $0.wholeMatch(of: own) == nil }
        #expect(foreign.isEmpty, "\(foreign)")
        let cards = rendered.document.components(separatedBy: "<li class=\"card\"").count - 1
        switch kind {
        case "ordinary":
            let count = try Command.run(["run", "ids", "programming"]).lines.count
            #expect(cards == count)
            // The script ran: it shows the controls and tells ages.
            #expect(
                rendered.document.contains(" ago</bdi>")
                    && rendered.document.contains("id=\"controls\" class=\"controls\" role=\"search\" lang=\"en\">"))
        case "hostile": #expect(cards == Hostile.records.count)
        default: #expect(cards == 0 && rendered.document.contains("No videos"))
        }
    }
}
