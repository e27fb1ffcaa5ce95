// Feeds and subscription lists: what becomes of each vocabulary, and of what breaks the rules.

import Testing

@testable import Basics
@testable import VideoFormats
@testable import VideoModel

private func read(
    _ text: String, base: String? = nil, as name: String? = nil
) throws -> (videos: [Video], kind: String?, skipped: [String]) {
    let reader = try RecordReader(as: name)
    reader.base = base
    let videos = try reader.feed(bytes(text)) + reader.finish()
    return (videos, reader.kind, reader.skipped.map(\.description))
}

private func item(_ inside: String, root: String = "") throws -> Video {
    let text = """
        <rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/" xmlns:dc="http://purl.org/dc/elements/1.1/"
          xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:podcast="https://podcastindex.org/namespace/1.0"
          xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><title>Show</title>
          <link>https://show.example/</link>\(root)<item>\(inside)</item></channel></rss>
        """
    return try #require(try read(text).videos.first)
}

@Suite struct FeedFormatTests {
    @Test("an entry that the feed ends in is left out, wherever it ends; those before it are there")
    func cutFeeds() throws {
        let whole = "<rss><channel><item><link>https://youtu.be/aaaaaaaaaaa</link></item>\n"
        let second =
            "<item><title>One & two</title><link>https://youtu.be/bbbbbbbbbbb</link><enclosure url='http://h/1.mp4'/>"
        for count in 0...second.count {
            let (videos, _, skipped) = try read(whole + second.prefix(count))
            #expect(videos.map(\.id) == ["aaaaaaaaaaa"])
            #expect(
                skipped == (count < 6 ? [] : ["line 2: the feed ends inside this entry"]), "\(second.prefix(count))")
        }
        #expect(try read(whole + second + "</item>").videos.count == 2)
        // An entry that is never closed ends with what it is in.
        #expect(try read(whole + second + "</channel></rss>").videos.count == 2)
    }

    @Test(
        "a feed is whole when what it began with is closed, and no beginning of it is",
        arguments: [
            "<?xml version='1.0'?><rss><channel><item><title>A & b</title></item></channel></rss>",
            "<feed xmlns='http://www.w3.org/2005/Atom'><entry><title>x</title></entry></feed>",
            "<a:feed xmlns:a='http://www.w3.org/2005/Atom'><a:entry/></a:feed >",
            "<rdf:RDF><item><link>https://a.example/</link></item></rdf:RDF>", "<rss version='2.0'/>",
            #"{"version":"https://jsonfeed.org/version/1.1","items":[{"id":"a}]\\"},{"id":"\""}]}"#,
        ])
    func whole(feed: String) {
        let bytes = Array(feed.utf8)
        #expect(FeedReader.isWhole(bytes))
        let isMarkup = bytes[0] == UInt8(ascii: "<")
        #expect(FeedReader.isWhole(bytes + Array("\n ".utf8)))
        #expect(FeedReader.isWhole(bytes + Array("\n<!-- made in 3 ms --><script>x</script>".utf8)) == isMarkup)
        for count in 0..<bytes.count where FeedReader.isWhole(Array(bytes.prefix(count))) {
            Issue.record("\(count) bytes are taken for the whole")
        }
        if isMarkup {
            let wide: [UInt8] = [0xFF, 0xFE] + bytes.flatMap { [$0, 0 as UInt8] }
            #expect(FeedReader.isWhole(wide) && !FeedReader.isWhole(Array(wide.dropLast(4))))
        }
    }

    @Test("what stands in scripts and styles is no text of a title")
    func scripts() throws {
        let title =
            "<title type='xhtml'><div xmlns='http://www.w3.org/1999/xhtml'>One<script>a()</script> <style>b</style>two</div></title>"
        #expect(try item(title + "<link>https://h.example/</link>").title == "One two")
    }

    @Test("half of an address is no subscription")
    func cutLists() throws {
        let whole = "<opml><body><outline text='a'>\n<outline xmlUrl='https://a.example/feed'/>\n"
        let (videos, _, skipped) = try read(whole + "<outline xmlUrl='https://b.exa")
        #expect(videos.count == 1 && skipped == ["line 3: the list ends inside this tag"])
        #expect(try read(whole).skipped == [])
    }

    @Test("YouTube's feeds give the videos of YouTube")
    func youTube() throws {
        let text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <feed xmlns:yt="http://www.youtube.com/xml/schemas/2015" xmlns:media="http://search.yahoo.com/mrss/"
              xmlns="http://www.w3.org/2005/Atom"><yt:channelId>aaaaaaaaaaaaaaaaaaaaaa</yt:channelId><title>Us</title>
            <entry><id>yt:video:aaaaaaaaaaa</id><yt:videoId>aaaaaaaaaaa</yt:videoId>
              <yt:channelId>UCaaaaaaaaaaaaaaaaaaaaaa</yt:channelId><title>One &amp; two</title>
              <link rel="alternate" href="https://www.youtube.com/shorts/aaaaaaaaaaa"/>
              <author><name>Us</name><uri>https://www.youtube.com/channel/UCaaaaaaaaaaaaaaaaaaaaaa</uri></author>
              <published>2026-01-02T03:04:05+00:00</published><updated>2026-02-02T03:04:05+00:00</updated>
              <media:group><media:title>One &amp; two</media:title>
                <media:content url="https://www.youtube.com/v/aaaaaaaaaaa?version=3" type="application/x-shockwave-flash"/>
                <media:thumbnail url="https://i1.ytimg.com/vi/aaaaaaaaaaa/hqdefault.jpg" width="480" height="360"/>
                <media:description>Line 1\nLine 2 &lt;b&gt;</media:description>
                <media:community><media:starRating count="7" average="5.00" min="1" max="5"/>
                  <media:statistics views="1234"/></media:community></media:group></entry>
            <at:deleted-entry xmlns:at="http://purl.org/atompub/tombstones/1.0" ref="yt:video:bbbbbbbbbbb" when="2026"/>
            </feed>
            """
        let (videos, kind, skipped) = try read(text)
        #expect(kind == "feed" && skipped == [] && videos.count == 2)
        let video = try #require(videos.first)
        #expect(video.provider == "youtube" && video.id == "aaaaaaaaaaa" && video.kind == .video)
        #expect(video.url == "https://www.youtube.com/watch?v=aaaaaaaaaaa")
        #expect(video.title == "One & two" && video.description == "Line 1\nLine 2 <b>")
        #expect(video.channel.id == "UCaaaaaaaaaaaaaaaaaaaaaa" && video.channel.title == "Us")
        #expect(video.published == 1_767_323_045 && video.views == 1234 && video.likes == 7)
        #expect(video[.short] == .bool(true) && video[.shortEvidence] == .text("url") && video.duration == nil)
        #expect(
            video.thumbnails == [
                Thumbnail(
                    name: "default", url: "https://i1.ytimg.com/vi/aaaaaaaaaaa/hqdefault.jpg", width: 480, height: 360)
            ])
        #expect(video.extra.first { $0.name == "rating" }?.value["average"] == .integer(5))
        #expect(videos[1].id == "bbbbbbbbbbb" && videos[1][.availability] == .text("deleted"))
    }

    @Test(
        "every form of feed is read",
        arguments: [
            "<rss version='2.0'><channel><title>F</title><item><title>T</title><link>http://h/a</link></item></channel></rss>",
            "<rss version='0.91'><channel><title>F</title><item><title>T</title><link>http://h/a</link></item></channel></rss>",
            "<rss><item><title>T</title><link>http://h/a</link></item></rss>",
            "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns='http://purl.org/rss/1.0/'><channel><title>F</title></channel><item rdf:about='http://h/a'><title>T</title><link>http://h/a</link></item></rdf:RDF>",
            "<RDF xmlns='http://my.netscape.com/rdf/simple/0.9/'><item><title>T</title><link>http://h/a</link></item></RDF>",
            "<feed xmlns='http://www.w3.org/2005/Atom'><entry><title>T</title><link href='http://h/a'/></entry></feed>",
            "<feed version='0.3' xmlns='http://purl.org/atom/ns#'><entry><title>T</title><link rel='alternate' href='http://h/a'/></entry></feed>",
            "<a:feed xmlns:a='http://www.w3.org/2005/Atom'><a:entry><a:title>T</a:title><a:link href='http://h/a'/></a:entry></a:feed>",
            "\n\n<?xml version='1.0'?>\n<!-- c --><rss><channel><item><title>T</title><link>http://h/a</item></channel>",
            "<!DOCTYPE html><rss><channel><item><title>T</title><link>http://h/a</link></item></channel></rss>",
        ])
    func forms(text: String) throws {
        let (videos, kind, _) = try read(text)
        #expect(kind == "feed")
        #expect(videos.map(\.title) == ["T"] && videos.map(\.url) == ["http://h/a"])
        #expect(videos.first?.provider == "feed" && videos.first?.kind == .page)
        let wide = text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        #expect(try RecordReader.read([0xFF, 0xFE] + wide).map(\.title) == ["T"])
    }

    @Test("podcasts give lengths, files and seasons")
    func podcasts() throws {
        let video = try item(
            """
            <title>E</title><guid isPermaLink="false">g1</guid><pubDate>Fri, 09 Oct 2020 04:30:38 GMT</pubDate>
            <itunes:duration>1:02:03</itunes:duration><itunes:season>2</itunes:season><itunes:episode>5</itunes:episode>
            <itunes:image href="/e.jpg"/><itunes:keywords>a, b,a</itunes:keywords><category>c</category>
            <enclosure url="http://h/e.mp4" length="99" type="video/mp4"/>
            <podcast:alternateEnclosure type="video/webm" length="50" height="720"><podcast:source uri="http://h/e.webm"/>
              <podcast:source uri="ipfs://x"/></podcast:alternateEnclosure>
            <itunes:author>Ann</itunes:author><description>&lt;p&gt;One&lt;/p&gt;&lt;p&gt;T&amp;amp;wo&lt;/p&gt;</description>
            """, root: "<language>de-AT</language>")
        #expect(video.id == "g1" && video.url == "http://h/e.mp4" && video.kind == .video && video.duration == 3723)
        #expect(video.tags == ["a", "b", "c"] && video[.language] == .text("de-AT"))
        #expect(video.published == 1_602_217_838 && video.description == "One\nT&wo")
        #expect(video.channel == Channel(title: "Show", url: "https://show.example/"))
        let extra = FieldValue.record(video.extra)
        #expect(extra["season"] == .integer(2) && extra["episode"] == .integer(5) && extra["author"] == .text("Ann"))
        #expect(extra["media"].list?.map { $0["url"].text } == ["http://h/e.mp4", "http://h/e.webm"])
        #expect(extra["media"].list?.first?["length"] == .integer(99))
        #expect(video.thumbnails.isEmpty, "there is no base to resolve the picture's address against")
    }

    @Test("links to video services make the records of those services")
    func services() throws {
        #expect(try item("<title>a</title><link>https://youtu.be/aaaaaaaaaaa?t=5</link>").provider == "youtube")
        #expect(try item("<title>a</title><link>https://vimeo.com/123456</link>").id == "123456")
        let server = try item("<guid>https://tube.example/w/9c9de5e8-0a1e-484a-b099-e80766180a6d</guid>")
        #expect(server.provider == "peertube" && server.id == "9c9de5e8-0a1e-484a-b099-e80766180a6d")
        #expect(try item("<link>https://www.youtube.com/playlist?list=PLaaaaaaaaaaaaaaaa</link>").kind == .playlist)
        #expect(try item("<guid>yt:video:aaaaaaaaaaa</guid>").url == "https://www.youtube.com/watch?v=aaaaaaaaaaa")
        #expect(try item("<link>https://youtube.example.com/watch?v=aaaaaaaaaaa</link>").provider == "feed")
    }

    @Test(
        "dates that cannot be read are unknown",
        arguments: [
            ("<pubDate>yesterday</pubDate>", nil), ("<pubDate>2020-01-01 10:00</pubDate>", nil), ("<pubDate/>", nil),
            ("<pubDate>bad</pubDate><dc:date>2020-01-01T00:00:00Z</dc:date>", 1_577_836_800),
            ("<dc:date>1522229523</dc:date><pubDate>Wed, 01 Jan 2020 00:00:00 +0000</pubDate>", 1_577_836_800),
            ("<pubDate>\n Wed, 01 Jan 2020\n 00:00:00 GMT </pubDate>", 1_577_836_800),
            ("<pubDate><time datetime='2020-01-01T00:00:00Z'>Jan</time></pubDate>", 1_577_836_800),
        ] as [(String, Int64?)])
    func dates(inside: String, expected: Int64?) throws {
        #expect(try item("<title>a</title>" + inside).published == expected)
    }

    @Test("titles and descriptions are plain text, decoded once")
    func texts() throws {
        func title(_ inside: String) throws -> String? { try item(inside).title }
        #expect(try title("<title>AT&amp;T &lt;b&gt;bold&lt;/b&gt;</title>") == "AT&T bold")
        #expect(try title("<title>a &amp;amp;lt; b</title>") == "a &lt; b")
        #expect(try title("<title>1 &lt; 2</title>") == "1 < 2")
        #expect(try title("<title> a\n  b </title>") == "a b")
        #expect(try title("<title type='html'>x &lt;i&gt;y&lt;/i&gt;</title>") == "x y")
        #expect(try title("<title>real <b>tags</b></title>") == "real tags")
        #expect(try title("<title>don\u{92}t</title>") == "don’t")
        #expect(
            try item("<content:encoded><![CDATA[a<br>b<script>c</script>]]></content:encoded>").description == "a\nb")
    }

    @Test("relative addresses are resolved against xml:base and where the feed came from")
    func bases() throws {
        let text = """
            <feed xmlns="http://www.w3.org/2005/Atom" xml:base="/feeds/"><entry xml:base="sub/"><title>a</title>
            <link href="../b?c=1"/></entry><entry><title>d</title><link href="//other.example/e"/></entry>
            <entry><title>f</title><link href="javascript:alert(1)"/></entry></feed>
            """
        #expect(
            try read(text, base: "https://h.example/x/y").videos.map(\.url)
                == ["https://h.example/feeds/b?c=1", "https://other.example/e", nil])
        #expect(try read(text).videos.map(\.url) == [nil, nil, nil])
    }

    @Test("a live item says where it stands; an empty one is left out and counted")
    func live() throws {
        let text = """
            <rss xmlns:podcast="https://podcastindex.org/namespace/1.0"><channel>
            <podcast:liveItem status="pending" start="2026-01-01T10:00:00Z"><title>soon</title></podcast:liveItem>
            <item></item><item>\n<title> </title></item><item><title>x</title></item></channel></rss>
            """
        let (videos, _, skipped) = try read(text)
        #expect(videos.map(\.title) == ["soon", "x"] && videos[0][.liveState] == .text("upcoming"))
        #expect(videos[0][.starts] == .integer(1_767_261_600))
        #expect(skipped.map { $0.prefix(6) } == ["line 3", "line 3"])
        let error = #expect(throws: FormatError.self) { try RecordReader.read(bytes(text), strict: true) }
        guard case .badRecord(.line(3), _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("a document that is none of these is said to be so, and one that is too deep has a place")
    func refused() throws {
        let error = #expect(throws: FormatError.self) { try read("<svg xmlns='http://www.w3.org/2000/svg'/>") }
        #expect(error == .unrecognised(considered: RecordReader.formatNames))
        let deep = "<rss>" + String(repeating: "<a>\n", count: 500)
        #expect(
            throws: FormatError.badDocument(
                format: "feed", line: 200, column: 3, reason: "elements nested more than 200 levels deep")
        ) {
            try read(deep)
        }
        #expect(throws: FormatError.self) { try read("", as: "feed") }
        #expect(try read("", as: nil).kind == nil)
        #expect(DocumentFormat.all.map(\.name) == DocumentFormat.names)
    }

    // MARK: Subscription lists

    @Test("subscriptions are channels with the address of their feed, each once")
    func subscriptions() throws {
        let text = """
            <opml version="1.1"><body><outline text="Tube"><outline text="A &amp; B" type="rss"
              xmlUrl="https://www.youtube.com/feeds/videos.xml?channel_id=UCaaaaaaaaaaaaaaaaaaaaaa"/>
            <outline text="again" xmlURL="https://www.youtube.com/feeds/videos.xml?channel_id=UCaaaaaaaaaaaaaaaaaaaaaa"/>
            <outline title="L" xmlUrl="https://www.youtube.com/feeds/videos.xml?playlist_id=PLaaaaaaaaaaaaaaaa"/></outline>
            <outline text="Blog" xmlUrl="feed://blog.example/feed" htmlUrl="https://blog.example/"/>
            <outline text="none" type="rss"/><outline text="note"/>
            <outline text="mail" type="rss" xmlUrl="newsletter:5"/>
            <outline text="V" type="link" url="https://youtu.be/aaaaaaaaaaa"/>
            <outline text="W" type="link" url="https://example.org/"/></body></opml>
            """
        let (videos, kind, skipped) = try read(text)
        #expect(kind == "opml")
        #expect(videos.map(\.kind) == [.channel, .playlist, .channel, .video])
        #expect(videos.map(\.provider) == ["youtube", "youtube", "feed", "youtube"])
        #expect(videos[0].id == "UCaaaaaaaaaaaaaaaaaaaaaa" && videos[0].title == "A & B")
        #expect(videos[2].id == "http://blog.example/feed" && videos[2].url == "https://blog.example/")
        let extra = FieldValue.record(videos[0].extra)
        #expect(extra["feed"].text?.hasSuffix("channel_id=UCaaaaaaaaaaaaaaaaaaaaaa") == true)
        #expect(extra["folders"] == .list([.text("Tube")]))
        #expect(skipped.count == 4 && skipped.first?.hasSuffix("the feed of line 2 again") == true)
    }

    @Test("broken lists are read as far as they go")
    func brokenLists() throws {
        let feed = "<outline text='R&A' type=rss xmlUrl='http://h/a?b=1&c=2'/>"
        #expect(try read("<opml><body\n\(feed)").videos.map(\.id) == ["http://h/a?b=1&c=2"])
        #expect(
            try read("<opml>\(feed)</opml>\n<opml>\(feed)<outline text='x' xmlUrl='http://h/d'/></opml>").videos.count
                == 2)
    }
}
