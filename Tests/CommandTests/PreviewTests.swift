// `ythost preview` and `yt.preview`, against pages of a server of this machine: what is read, how much of it, what else
// is asked, and what is refused.

import Foundation
import TestSupport
import Testing

@Suite struct PreviewTests {
    private func desk() throws -> OriginDesk {
        try OriginDesk { request, reply in
            let path = request.target.prefix { $0 != "?" }
            let html = [("Content-Type", "text/html; charset=utf-8")]
            func page(_ head: String, _ body: String = "") {
                reply.answer(200, html, "<!doctype html><html><head>\(head)</head><body>\(body)</body></html>")
            }
            func link(_ address: String) -> String {
                "<title>Plain</title><link rel='alternate' type='application/json+oembed' href='\(address)'>"
            }
            switch path {
            case "/og":
                page(
                    """
                    <base href="/deep/"><title>Plain</title><meta property="og:title" content="Rock &amp; Roll">
                    <meta property="og:image" content="a.png"><meta property="og:image:width" content="20">
                    <meta property="og:image" content="b.png"><meta property="og:image:width" content="40">
                    <meta property="og:site_name" content="Site"><meta name="author" content="A"><meta name="twitter:title" content="No">
                    """)
            case "/late": page("", String(repeating: "x", count: 350_000) + "<meta property='og:title' content='Late'>")
            case "/broken":
                reply.answer(200, html, "<p><title>Bro<b>ken<meta property=og:title content='Still read'>")
            case "/paragraph":
                page("<title>T</title>", "<p>No.</p><p>" + String(repeating: "word ", count: 100) + "</p>")
            case "/embed": page(link("/oembed"))
            case "/embed-slow":
                usleep(100_000)
                page(link("/oembed?slow"))
            case "/embed-header":
                reply.answer(
                    200, html + [("Link", "</oembed>; rel=\"alternate\"; type=\"application/json+oembed\"")],
                    "<title>Plain</title>")
            case "/embed-away": page(link("http://provider.example/oembed"))
            case "/embed-inside": page(link("http://127.0.0.1:9/oembed"))
            case "/embed-bad": page(link("/nothing"))
            case "/embed-xml":
                page("<title>Plain</title><link rel='alternate' type='application/xml+oembed' href='/oembed.xml'>")
            case "/oembed.xml":
                reply.answer(
                    200, [("Content-Type", "text/xml; charset=iso-8859-1")],
                    Array("<?xml version=\"1.0\"?><oembed><version>1.0</version><type>video</type><title>Ein sch".utf8)
                        + [0xF6]
                        + Array("ner Film</title><author_name>Ann</author_name><duration>65</duration>".utf8)
                        + Array(
                            "<html>&lt;iframe src=&quot;https://player.vimeo.com/video/7&quot;&gt;</html></oembed>".utf8
                        ))
            case "/oembed":
                if request.target.contains("slow") { usleep(100_000) }
                reply.answer(
                    200, [],
                    """
                    {"version":"1.0","type":"video","title":"From the provider","author_name":"Ann","duration":65,
                    "provider_name":"P","thumbnail_url":"https://x.example/t.jpg","thumbnail_width":480,"html":"<b>"}
                    """)
            case "/silent": page("<link rel='icon' href='/i.png'>", "<div>x</div>")
            case "/picture": reply.answer(200, [("Content-Type", "image/png")], "not looked at")
            case "/pdf": reply.answer(200, [("Content-Type", "application/pdf")], "%PDF-1.4")
            case "/empty": reply.answer(200, html, "")
            case "/endless":
                reply.raw("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<title>Endless</title>")
                while reply.raw(String(repeating: "x", count: 65_536)) {}
                reply.close()
            case "/huge":
                reply.raw("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: \(50 << 20)\r\n\r\n")
                reply.raw("<title>Huge</title>")
                while reply.raw(String(repeating: "x", count: 65_536)) {}
                reply.close()
            default: return false
            }
            return true
        }
    }

    private func preview(_ desk: OriginDesk, _ path: String, _ flags: String...) throws -> [String: String] {
        let run = try desk.run(["preview", desk.url(path)] + flags)
        #expect(run.code == 0, "\(path): \(run.errors)")
        let object = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any] ?? [:]
        var texts: [String: String] = [:]
        for (name, value) in object { texts[name] = (value as? String) ?? "\(value)" }
        texts["lines"] = run.output
        return texts
    }

    @Test("Open Graph comes before Twitter and the title; the pictures are whole addresses against the base")
    func openGraph() throws {
        let desk = try desk()
        let page = try preview(desk, "/og")
        #expect(page["title"] == "Rock & Roll" && page["kind"] == "page" && page["provider"] == "web")
        #expect(page["lines"]?.contains(desk.url("/deep/a.png")) == true)
        #expect(page["lines"]?.contains(#""width":40"#) == true && page["lines"]?.contains(#""site":"Site""#) == true)
    }

    @Test("tags far behind the head, broken pages and pages of plain text are read")
    func lateAndBroken() throws {
        let desk = try desk()
        #expect(try preview(desk, "/late")["title"] == "Late")
        #expect(try preview(desk, "/broken")["title"]?.isEmpty == false)
        let text = try preview(desk, "/paragraph")["description"] ?? ""
        #expect(text.hasPrefix("word word") && text.hasSuffix("word…") && text.count < 310)
        let silent = try preview(desk, "/silent")
        #expect(silent["title"] == "127.0.0.1" && silent["lines"]?.contains(desk.url("/i.png")) == true)
        #expect(try preview(desk, "/picture")["lines"]?.contains("\"thumbnails\"") == true)
    }

    @Test("an endless page and one of 50 MB are cut, and what came is kept", arguments: ["endless", "huge"])
    func long(name: String) throws {
        let desk = try desk()
        let start = Date()
        #expect(try preview(desk, "/" + name)["title"] == name.capitalized)
        #expect(Date().timeIntervalSince(start) < 10)
        #expect(try preview(desk, "/" + name, "--offline")["title"] == name.capitalized)
    }

    @Test("a provider that the page names fills in what the page lacks", arguments: ["/embed", "/embed-header"])
    func provider(path: String) throws {
        let desk = try desk()
        let page = try preview(desk, path)
        #expect(page["title"] == "From the provider" && page["duration"] == "65")
        #expect(page["lines"]?.contains(#""channel":{"title":"Ann"}"#) == true)
        #expect(desk.server.requests.count == 2)
    }

    @Test("a provider that answers in XML is read, and a provider's reply is a preview itself")
    func providerForms() throws {
        let desk = try desk()
        let page = try preview(desk, "/embed-xml")
        #expect(page["title"] == "Ein schöner Film" && page["duration"] == "65")
        let reply = try preview(desk, "/oembed")
        #expect(reply["title"] == "From the provider" && reply["kind"] == "video")
    }

    @Test("a provider elsewhere, inside or out of order is done without", arguments: ["away", "inside", "bad"])
    func noProvider(name: String) throws {
        let desk = try desk()
        #expect(try preview(desk, "/embed-" + name)["title"] == "Plain")
        #expect(desk.server.requests.count == (name == "bad" ? 2 : 1))
    }

    @Test("many pages, each with a provider, are under way at the same time and come in their order")
    func concurrent() throws {
        let desk = try desk()
        let urls = (0..<30).map { desk.url("/embed-slow?\($0)") }
        let start = Date()
        let run = try desk.run(["preview"] + urls + ["--print", "{title} {url}"])
        // 30 times 200 ms, one after another, would be 6 s.
        #expect(Date().timeIntervalSince(start) < 3)
        #expect(run.lines == urls.map { "From the provider \($0)" }, "\(run.errors)")
    }

    @Test("what is no page is an error that says what it is; among others it is left out")
    func noPage() throws {
        let desk = try desk()
        let expected = [
            "/pdf": "it is no page but application/pdf", "/empty": "it is empty",
            "/feed/a": "it is a feed, and no page",
            "/nothing": "status 404", "/file": "neither http nor https", "/inside": "private address",
        ]
        for (path, error) in expected {
            let run = try desk.run(["preview", desk.url(path)])
            #expect([4, 6].contains(run.code) && run.errors.contains(error), "\(path): \(run.errors)")
        }
        let run = try desk.run(["preview", desk.url("/pdf"), desk.url("/og"), desk.url("/nothing")])
        #expect(run.code == 0 && run.lines.count == 1)
        #expect(run.errors.contains("left out: ") && run.errors.contains("/pdf"), "\(run.errors)")
        #expect(try desk.run(["preview"]).code == 2)
        #expect(try desk.run(["preview", "ftp://x.example/"]).code == 2)
        let local = try desk.run(["preview", "http://localhost:\(desk.server.port)/og"])
        #expect(local.code == 6 && local.errors.contains("private address"))
    }

    @Test("cards are one HTML file in which nothing runs and everything is escaped")
    func cards() throws {
        let desk = try desk()
        try desk.scratch.file(
            "r.jsonl",
            #"{"ythost":1,"kind":"page","title":"<script>x</script>","url":"javascript:alert(1)","description":"\"><img src=x>","thumbnails":{"a":{"url":"javascript:1"}}}"#
        )
        let hostile = try desk.run(["run", "card", "-i", "r.jsonl"]).output
        #expect(!hostile.contains("<script") && !hostile.contains("javascript:") && !hostile.contains("<img"))
        #expect(hostile.contains("&lt;script&gt;"))
        let run = try desk.run(["preview", desk.url("/og"), "-o", "cards.html"])
        #expect(run.code == 0 && run.errors == "")
        let html = try desk.scratch.text("cards.html")
        #expect(html.contains("<a href=\"\(desk.url("/og"))\"") && html.contains("default-src &#39;none&#39;"))
        #expect(!html.contains("<img") && html.contains("img-src &#39;none&#39;") && html.contains("Rock &amp; Roll"))
    }

    @Test("cards show pictures by choice alone: those in the records, or elsewhere, where their policy then leads")
    func pictures() throws {
        let desk = try desk()
        try desk.scratch.file(
            "r.jsonl",
            """
            {"ythost":1,"kind":"page","title":"A","thumbnails":{"a":{"url":"https://a.example/1.png?x=1&y"}}}
            {"ythost":1,"kind":"page","title":"B","thumbnails":{"b":{"url":"data:image/png;base64,AAAA"}}}
            {"ythost":1,"kind":"page","title":"C","thumbnails":{"c":{"url":"https://c.example;script-src/1.png"}}}
            {"ythost":1,"kind":"page","title":"D","thumbnails":{"d":{"url":"data:text/html;base64,AAAA"}}}
            """)
        let records = ["run", "card", "-i", "r.jsonl"]
        let usual = try desk.run(records).output
        #expect(
            usual.components(separatedBy: "<img").count == 2 && usual.contains("src=\"data:image/png;base64,AAAA\""))
        #expect(usual.contains("img-src data:;") && !usual.contains("a.example"))
        let remote = try desk.run(records + ["--thumbnails", "remote"]).output
        #expect(remote.components(separatedBy: "<img").count == 2 && remote.contains("1.png?x=1&amp;y"))
        #expect(remote.contains("img-src https://a.example;") && !remote.contains("c.example"))
        let none = try desk.run(records + ["--thumbnails", "none"]).output
        #expect(!none.contains("<img") && none.contains("img-src &#39;none&#39;"))
    }

    @Test("a plugin previews where a grant leads, many at once, and gets nil and a reason for what is no page")
    func plugin() throws {
        let desk = try desk()
        let base = desk.url("/")
        try desk.scratch.file(
            "s.lua",
            """
            local urls = {}
            for i = 1, 20 do urls[i] = "\(base)embed-slow?" .. i end
            for i, got in ipairs(yt.map(urls, function(url) return yt.preview(url) end)) do
              assert(got.ok, got.error)
              assert(got.value.title == "From the provider" and got.value.url == urls[i], got.value.url)
            end
            print(yt.preview("\(base)pdf"))
            print(yt.preview("\(base)nothing"))
            print(yt.preview("\(base)embed", {oembed = false}).title)
            print(pcall(yt.preview, "http://other.example/"))
            """)
        let without = try desk.run(["run", "./s.lua"])
        #expect(without.code == 6 && without.errors.contains("has no grant 'net:127.0.0.1:\(desk.server.port)'"))
        let start = Date()
        let run = try desk.run(["run", "./s.lua", "--allow", "net:127.0.0.1:\(desk.server.port)"])
        #expect(Date().timeIntervalSince(start) < 3)
        #expect(run.code == 0 && run.lines.count == 4, "\(run.errors)")
        guard run.lines.count == 4 else { return }
        #expect(run.lines[0].hasPrefix("nil\t") && run.lines[0].hasSuffix("it is no page but application/pdf"))
        #expect(run.lines[1].contains("status 404") && run.lines[2] == "Plain")
        #expect(run.lines[3].contains("has no grant 'net:other.example'"))
    }
}
