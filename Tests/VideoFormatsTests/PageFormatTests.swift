// Pages as records, for previews.

import Testing

@testable import Basics
@testable import Markup
@testable import VideoFormats
@testable import VideoModel

private func page(_ html: String, base: String? = nil, charset: String? = nil) throws -> Video {
    let reader = try RecordReader()
    reader.base = base
    reader.charset = charset
    let videos = try reader.feed(bytes(html)) + reader.finish()
    #expect(reader.kind == "html")
    return try #require(videos.first)
}

private func meta(_ name: String, _ content: String) -> String { "<meta property='\(name)' content='\(content)'>" }

@Suite struct PageFormatTests {
    @Test("Open Graph comes before Twitter's card, that before the page itself")
    func precedence() throws {
        let plain = "<!DOCTYPE html><title> The\n title </title><meta name=description content='d0'><h1>h</h1>"
        let twitter =
            meta("twitter:title", "t1") + "<meta name=twitter:description content=d1>"
            + meta("twitter:image", "http://h/1.png")
        let graph =
            "<meta name='og:title' content='t2'>" + meta("og:description", "d2 &amp; more")
            + meta("og:image", "http://h/2.png")
        #expect(try page(plain).title == "The title" && page(plain).description == "d0")
        let second = try page(plain + twitter)
        #expect(
            second.title == "t1" && second.description == "d1" && second.thumbnails.map(\.url) == ["http://h/1.png"])
        let third = try page(plain + twitter + graph)
        #expect(
            third.title == "t2" && third.description == "d2 & more" && third.provider == "web" && third.kind == .page)
        #expect(third.thumbnails.map(\.url) == ["http://h/2.png", "http://h/1.png"])
        #expect(try page("<html><h1>Only <b>this</b></h1>").title == "Only this")
    }

    @Test("a title and a description without an end are cut, at a word where there is one")
    func long() throws {
        let words = String(repeating: "word ", count: 600_000)
        let video = try page("<html>" + meta("og:title", words) + meta("og:description", words))
        #expect(video.title == String(repeating: "word ", count: 59) + "word…")
        #expect(video.description?.hasSuffix(" word…") == true && video.description?.count == 5000)
        #expect(try page("<html>" + meta("og:title", String(repeating: "字", count: 400))).title?.count == 301)
        let short = String(repeating: "x", count: 300)
        #expect(try page("<title>\(short)</title>").title == short)
    }

    @Test("an og:url of another site hides no canonical address of this one")
    func foreignAddress() throws {
        let foreign = meta("og:url", "https://evil.example/phish")
        let canonical = "<link rel=canonical href='/c'>"
        let base = "https://x.example/final?a=1"
        #expect(try page("<title>t</title>" + canonical + foreign, base: base).url == "https://x.example/c")
        #expect(try page("<title>t</title>" + foreign, base: base).url == base)
        let own = meta("og:url", "https://x.example/og")
        #expect(try page("<title>t</title>" + canonical + own, base: base).url == "https://x.example/og")
    }

    @Test("names of HTML 5 are characters in a page, but not in scripts, styles and comments")
    func names() throws {
        let html =
            "<!DOCTYPE html><!-- &hearts; --><title>&NotEqualTilde; &rarr;&check; &lt;b&gt; &amp;check; &no; &LT;</title>"
            + "<style>&check;</style><meta name=description content='&check;&AMP;&quot;&apos;&nbsp;&copy 1&copy=&lt2'>"
            + "<script type='application/ld+json'>{\"@type\":\"VideoObject\",\"uploadDate\":\"2020-01-01\",\"a\":\"&check;\"}</script>"
        let video = try page(html)
        #expect(video.title == "≂̸ →✓ <b> &check; &no; <")
        #expect(video.description == "✓&\"'\u{A0}© 1&copy=&lt2")
        let tree = try MarkupTree.html(Array(html.utf8))
        let texts = tree.root.all.filter { ["script", "style"].contains($0.name.local) }.map(\.text)
        #expect(texts.count == 2 && texts.allSatisfy { $0.contains("&check;") })
    }

    @Test("structured properties belong to the root before them; the first root is the first picture")
    func structures() throws {
        let video = try page(
            "<html>" + meta("og:title", "t") + meta("og:image", "http://h/1.png") + meta("og:image:width", "300")
                + meta("og:image:height", "200") + meta("og:image", "http://h/2.png")
                + meta("og:image:secure_url", "https://h/2.png") + meta("og:image:width", "500")
                + meta("og:image", "http://h/3.png")
                + meta("og:video:url", "http://h/v.mp4") + meta("og:video:type", "video/mp4")
                + meta("og:video:duration", "61")
                + meta("og:video:tag", "a") + meta("og:video:tag", "b") + meta("og:type", "video.movie"))
        #expect(video.thumbnails.map(\.url) == ["http://h/1.png", "https://h/2.png", "http://h/3.png"])
        #expect(video.thumbnails.map(\.width) == [300, 500, nil] && video.thumbnails.map(\.height) == [200, nil, nil])
        #expect(video.duration == 61 && video.tags == ["a", "b"] && video.kind == .video)
        #expect(FieldValue.record(video.extra)["media"].list?.first?["url"] == .text("http://h/v.mp4"))
    }

    @Test("what a page names as its address counts when it is of the same site")
    func addresses() throws {
        let html = "<html><title>t</title>" + meta("og:url", "https://example.org/a")
        #expect(try page(html).url == "https://example.org/a")
        #expect(try page(html, base: "https://www.example.org/a?utm=1").url == "https://example.org/a")
        #expect(try page(html, base: "https://evil.example/x").url == "https://evil.example/x")
        #expect(
            try page("<title>t</title><link rel=canonical href='/c'>", base: "https://h.example/d/e").url
                == "https://h.example/c")
        #expect(
            try page("<title>t</title><base href='/f/'><link rel=canonical href=g>", base: "https://h.example/d/e").url
                == "https://h.example/f/g")
        let tube = try page("<title>t</title><link rel=canonical href='https://www.youtube.com/watch?v=aaaaaaaaaaa'>")
        #expect(tube.provider == "youtube" && tube.id == "aaaaaaaaaaa" && tube.kind == .video)
        #expect(try page("<title>t</title>", base: "https://vimeo.com/123456").provider == "vimeo")
    }

    @Test("metas far behind the head are found, also in the body")
    func far() throws {
        let html =
            "<!DOCTYPE html><html><head><title>t</title></head><body>"
            + String(repeating: "<p>filler filler</p>\n", count: 20_000)
            + meta("og:title", "far") + "</body></html>"
        #expect(html.utf8.count > 350_000)
        #expect(try page(html).title == "far")
    }

    @Test("oEmbed is discovered, JSON before XML")
    func discovery() throws {
        func oembed(_ links: String) throws -> FieldValue {
            FieldValue.record(try page("<html><title>t</title>" + links, base: "https://h.example/").extra)["oembed"]
        }
        let json = "<link rel=alternate type='application/json+oembed' href='/o?format=json&amp;url=x'>"
        #expect(
            try oembed("<link rel=alternate type='text/xml+oembed' href='/o.xml'>" + json)
                == .text("https://h.example/o?format=json&url=x"))
        #expect(
            try oembed("<link rel=alternate type='application/xml+oembed' href='/o.xml'>")
                == .text("https://h.example/o.xml"))
        #expect(try oembed("") == .none)
    }

    @Test("JSON-LD says what Open Graph does not")
    func linkedData() throws {
        let video = try page(
            """
            <html><script type="application/ld+json">{broken</script><script type="application/ld+json">{"@graph": [{"@type": "WebPage"},
            {"@type": ["VideoObject"], "name": "N &amp; M", "duration": "PT1M5S", "uploadDate": "2026-01-02T00:00:00Z",
            "thumbnailUrl": ["http://h/t.jpg"], "author": {"@type": "Person", "name": "Ann", "url": "/ann"},
            "interactionStatistic": {"interactionType": "https://schema.org/WatchAction", "userInteractionCount": "12"}}]}</script>
            """, base: "https://h.example/")
        #expect(video.title == "N & M" && video.duration == 65 && video.views == 12 && video.kind == .video)
        #expect(video.published == 1_767_312_000 && video.thumbnails.map(\.url) == ["http://h/t.jpg"])
        #expect(video.channel == Channel(title: "Ann", url: "https://h.example/ann"))
    }

    @Test("pages in older encodings are read in them")
    func encodings() throws {
        func read(_ head: String, _ title: [UInt8], charset: String? = nil) throws -> String? {
            let reader = try RecordReader()
            reader.charset = charset
            return try
                (reader.feed(Array(head.utf8) + Array("<title>".utf8) + title + Array("</title>".utf8))
                + reader.finish()).first?.title
        }
        #expect(try read("<html><meta charset=windows-1251>", [0xCF, 0xF0, 0xE8]) == "При")
        #expect(
            try read("<html><meta http-equiv=content-type content='text/html; charset=Shift_JIS'>", [0x93, 0xFA]) == "日"
        )
        #expect(try read("<html><meta charset=gbk>", [0xD6, 0xD0]) == "中")
        #expect(try read("<html>", [0xD6, 0xD0], charset: "GB2312") == "中")
        #expect(try read("<html>", [0x93, 0x41]) == "“A")
    }

    @Test("a page that says nothing is left out; one that is too deep is read as far as it goes")
    func little() throws {
        let reader = try RecordReader()
        #expect(
            try (reader.feed(bytes("<html><link rel=icon href='http://h/i.ico'><body></body>")) + reader.finish())
                .isEmpty)
        #expect(reader.skippedCount == 1 && reader.kind == "html")
        #expect(try page("<html><title>t</title>" + String(repeating: "<div>", count: 9999)).title == "t")
    }
}
