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
        #expect(video.thumbnails.map(\.url) == ["https://show.example/e.jpg"])
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
            ("<pubDate>yesterday</pubDate>", nil), ("<pubDate>01/02/2020</pubDate>", nil), ("<pubDate/>", nil),
            ("<pubDate>2020-01-01 00:00</pubDate>", 1_577_836_800),
            ("<pubDate>Wed, 01 Jan 2020</pubDate>", 1_577_836_800),
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
        #expect(try title("<title>if a&lt;b then c&gt;d</title>") == "if a<b then c>d")
        #expect(try title("<title>Use &lt;video&gt; tags</title>") == "Use <video> tags")
        #expect(
            try title("<title>Array&lt;Int&gt;, &lt;b&gt;b &lt;i&gt;c&lt;/b&gt; &lt;/em&gt;</title>")
                == "Array<Int>, b <i>c </em>")
        #expect(try title("<title>a&lt;br/&gt;b &lt;a href='x'&gt;c&lt;/a&gt;</title>") == "a b c")
        #expect(try title("<title>Q&amp;notes &amp;copy2023 &amp;eacute;</title>") == "Q&notes &copy2023 é")
        #expect(
            try item("<title>x</title><dc:creator>Tom &lt;tom@x.example&gt;</dc:creator>").extra.first?.value
                == .text("Tom <tom@x.example>"))
        #expect(
            try item("<content:encoded><![CDATA[a<br>b<script>c</script>]]></content:encoded>").description == "a\nb")
    }

    @Test("texts of Atom without a type are plain text, names included")
    func atomTexts() throws {
        let text = """
            <feed xmlns="http://www.w3.org/2005/Atom"><title>R&amp;amp;D talks</title>
            <entry><title>Array&lt;Int&gt; vs. Map: a&lt;b&gt;c</title><summary>use &lt;p&gt; here</summary>
              <author><name>Q&amp;amp;A</name></author><link href="https://youtu.be/aaaaaaaaaaa"/></entry>
            <entry><title>What is &amp;amp; or &amp;nbsp; in HTML?</title><link href="https://e.example/2"/></entry>
            <entry><title type="html">&lt;b&gt;x&lt;/b&gt; &amp;amp;</title><content type="text/html">a&lt;br&gt;b</content></entry>
            </feed>
            """
        let prefixed = text.replacing("<feed xmlns=", with: "<atom:feed xmlns:atom=").replacing(
            "</feed", with: "</atom:feed"
        )
        .replacing("<entry", with: "<atom:entry").replacing("</entry", with: "</atom:entry")
        .replacing("<title", with: "<atom:title").replacing("</title", with: "</atom:title")
        .replacing("<summary", with: "<atom:summary").replacing("</summary", with: "</atom:summary")
        .replacing("<name", with: "<atom:name").replacing("</name", with: "</atom:name")
        .replacing("<author", with: "<atom:author").replacing("</author", with: "</atom:author")
        .replacing("<content", with: "<atom:content").replacing("</content", with: "</atom:content")
        .replacing("<link", with: "<atom:link")
        for form in [text, prefixed, text.replacing(" xmlns=\"http://www.w3.org/2005/Atom\"", with: "")] {
            let videos = try read(form).videos
            #expect(videos.map(\.title) == ["Array<Int> vs. Map: a<b>c", "What is &amp; or &nbsp; in HTML?", "x &"])
            #expect(videos.map(\.description) == ["use <p> here", nil, "a\nb"])
            #expect(videos.map(\.channel.title) == ["Q&amp;A", "R&amp;D talks", "R&amp;D talks"])
        }
    }

    @Test("an entry with the guid of another but another link is another entry")
    func repeatedGuids() throws {
        let text = """
            <rss><channel><title>F</title><link>https://f.example/</link>
            <item><guid isPermaLink="false">1</guid><link>https://f.example/a</link></item>
            <item><guid isPermaLink="false">1</guid><link>https://f.example/b</link></item>
            <item><guid isPermaLink="false">1</guid><link>https://f.example/a</link></item></channel></rss>
            """
        let reader = try RecordReader()
        let videos = try reader.all(of: bytes(text))
        #expect(videos.map(\.id) == ["1", "https://f.example/b", "1"])
        #expect(videos.map(\.url) == ["https://f.example/a", "https://f.example/b", "https://f.example/a"])
        #expect(FieldValue.record(videos[1].extra)["guid"] == .text("1"))
        #expect(
            reader.notes.map(\.description) == ["line 3: the guid of line 2 again, with another link; both are kept"])
        #expect(reader.skippedCount == 0)
        let feeds = ["https://f.example/", "https://g.example/"].map {
            text.replacing("https://f.example/</link>", with: $0 + "</link>")
        }
        #expect(
            try feeds.map { try FieldValue.record(read($0).videos[0].extra)["feed_id"] } == [
                .text("https://f.example/"), .text("https://g.example/"),
            ])
        let json =
            #"{"version":"https://jsonfeed.org/version/1.1","title":"J","home_page_url":"https://j.example/","items":[{"id":"1","url":"/a"},{"id":1,"url":"/b"},{"id":"1","url":"/a"}]}"#
        let other = try RecordReader()
        let items = try other.all(of: bytes(json))
        #expect(items.map(\.id) == ["1", "https://j.example/b", "1"])
        #expect(
            other.notes.map(\.description) == ["record 2: the id of record 1 again, with another link; both are kept"])
        #expect(
            items.map { FieldValue.record($0.extra)["feed_id"].text }
                == Array(repeating: "https://j.example/", count: 3))
    }

    @Test(
        "a blank address is none, and never the feed's own",
        arguments: [
            "<link></link>", "<link> \n</link>", "<atom:link href=''/>",
            "<enclosure url='' type='video/mp4' length='0'/>",
            "<media:thumbnail url=' '/>", "<media:content url='' type='video/mp4'/>", "<media:player url=''/>",
            "<itunes:image href=''/>", "<podcast:image href=''/>", "<author><name>a</name><url></url></author>",
        ])
    func blankAddresses(inside: String) throws {
        let text = """
            <rss xmlns:media="http://search.yahoo.com/mrss/" xmlns:atom="http://www.w3.org/2005/Atom"
              xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:podcast="https://podcastindex.org/namespace/1.0">
            <channel><title>F</title><link></link><itunes:image href=""/>
            <item><title>a</title><guid isPermaLink="false">g</guid>\(inside)</item>
            <item><link> </link><guid>https://e.example/2</guid>\(inside)</item></channel></rss>
            """
        let videos = try read(text, base: "https://h.example/feed.xml").videos
        #expect(videos.map(\.url) == [nil, "https://e.example/2"] && videos.map(\.kind) == [.page, .page])
        #expect(videos.allSatisfy { $0.thumbnails.isEmpty && $0.channel.url == nil })
        #expect(videos.allSatisfy { $0.extra.map(\.name).filter { $0 != "guid" && $0 != "author" } == ["feed_id"] })
        let page =
            "<title>T</title><link rel='canonical' href=''><link rel='icon' href=' '><meta property='og:image' content=' '>"
        let record = try read(page, base: "https://h.example/p").videos[0]
        #expect(record.url == "https://h.example/p" && record.thumbnails.isEmpty)
        let json =
            #"{"version":"https://jsonfeed.org/version/1.1","items":[{"id":"1","url":" ","image":" ","attachments":[{"url":" ","mime_type":"video/mp4"}],"authors":[{"name":"A","url":" "}]}]}"#
        let item = try read(json, base: "https://h.example/f.json").videos[0]
        #expect(item.url == nil && item.kind == .page && item.thumbnails.isEmpty && item.channel.url == nil)
    }

    @Test("only an alternate link is the page, and HTML with a parameter is HTML")
    func alternateLinks() throws {
        let text = """
            <feed xmlns="http://www.w3.org/2005/Atom"><entry><title>a</title>
              <link rel="enclosure" type="image/jpeg">https://img.example/p.jpg</link>
              <link rel="alternate" type="text/html" href="https://l.example/1"/></entry>
            <entry><title>b</title><link rel="self">https://l.example/s</link><link href="https://l.example/2"/></entry>
            <entry><title>c</title><link rel="alternate" type="application/pdf" href="https://l.example/3.pdf"/>
              <link rel=" Alternate " type="text/html; charset=utf-8" href="https://l.example/3"/></entry>
            <entry><title>d</title><link rel="replies" href="https://l.example/4"/></entry></feed>
            """
        #expect(
            try read(text).videos.map(\.url) == [
                "https://l.example/1", "https://l.example/2", "https://l.example/3", nil,
            ])
    }

    @Test("relative addresses in a file are resolved against the feed's own address, then its page")
    func relativeInFiles() throws {
        func feed(_ links: String) throws -> Video {
            try read(
                """
                <rss xmlns:atom="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/"><channel><title>t</title>
                \(links)<item><title>a</title><link>post/1</link><enclosure url="/m/1.mp4" type="video/mp4" length="1"/>
                <media:thumbnail url="//r.example/t/1.jpg"/></item></channel></rss>
                """
            ).videos[0]
        }
        let link = "<link>https://r.example/blog/</link>"
        let video = try feed(link + "<atom:link rel='self' href='https://r.example/feeds/all.xml'/>")
        #expect(video.url == "https://r.example/feeds/post/1" && video.kind == .video)
        #expect(FieldValue.record(video.extra)["media"].list?.first?["url"] == .text("https://r.example/m/1.mp4"))
        #expect(video.thumbnails.map(\.url) == ["https://r.example/t/1.jpg"])
        #expect(try feed(link).url == "https://r.example/blog/post/1")
        #expect(try feed("<link>/blog/</link>").url == nil)
        let atom = """
            <feed xmlns="http://www.w3.org/2005/Atom"><link rel="self" href="https://r.example/blog/feed.atom"/>
            <link href="https://r.example/"/><entry><title>a</title><link href="post-1/"/></entry></feed>
            """
        #expect(try read(atom).videos[0].url == "https://r.example/blog/post-1/")
        #expect(try read(atom, base: "https://m.example/x").videos[0].url == "https://m.example/post-1/")
    }

    @Test(
        "a file plays by its type, or by its name where the type says nothing",
        arguments: [
            ("url='http://h/a.mp4' type=' video/mp4'", "video/mp4"), ("url='http://h/a.mp4'", "video/mp4"),
            ("url='http://h/a.MP3?x=1' type=''", "audio/mpeg"),
            ("url='http://h/a.m4a' type='application/octet-stream'", "audio/x-m4a"),
            ("url='http://h/a.webm' type='application/force-download'", "video/webm"),
            ("url='http://h/a.mp4' type='video'", "video/mp4"),
            ("url='http://h/a.m3u8' type='application/x-mpegURL'", "application/vnd.apple.mpegurl"),
            ("url='http://h/play' type='application/vnd.apple.mpegurl'", "application/vnd.apple.mpegurl"),
            ("url='http://h/a.mp3' type='application/vnd.apple.mpegurl'", "audio/mpeg"),
            ("url='http://h/a' type='video/mp4; codecs=&quot;avc1&quot;'", "video/mp4; codecs=\"avc1\""),
            ("url='http://h/a.zip'", nil), ("url='http://h/a.mp3' type='text/html'", nil),
            ("url='http://h/a.jpg'", nil), ("url='http://h.mp4'", nil),
            ("url='http://h/a.swf' type='application/x-shockwave-flash'", nil),
        ] as [(String, String?)])
    func files(attributes: String, type: String?) throws {
        let video = try item("<title>a</title><enclosure \(attributes)/>")
        #expect(video.kind == (type == nil ? .page : .video))
        if let type { #expect(FieldValue.record(video.extra)["media"].list?.first?["type"] == .text(type)) }
    }

    @Test("a file of which only the medium is known plays, and says so")
    func media() throws {
        let video = try item("<title>a</title><media:content url='http://h/play?id=1' medium='video'/>")
        #expect(video.kind == .video)
        #expect(FieldValue.record(video.extra)["media"].list?.first?["medium"] == .text("video"))
        #expect(
            try item(
                "<title>a</title><media:content url='http://h/a.swf' medium='video' type='application/x-shockwave-flash'/>"
            ).kind == .page)
    }

    @Test("JSON Feed: a date of change stands in, attachments are files")
    func jsonFeed() throws {
        let videos = try read(
            """
            {"version":"https://jsonfeed.org/version/1.1","title":"JF","home_page_url":"https://jf.example/","items":[
            {"id":"1","date_modified":"2024-07-02T12:00:00Z","attachments":[{"url":"/p.png","mime_type":"image/png"}]},
            {"id":"2","date_published":"2024-07-01T12:00:00Z","date_modified":"2024-07-02T12:00:00Z","attachments":[
              {"url":"/a.mp3","mime_type":"application/octet-stream","size_in_bytes":12,"duration_in_seconds":61},
              {"url":"/a.mp3","mime_type":"audio/mpeg"},{"url":"https://jf.example/v","mime_type":"video/mp4"}]}]}
            """
        ).videos
        #expect(videos.map(\.published) == [1_719_921_600, 1_719_835_200] && videos.map(\.kind) == [.page, .video])
        #expect(videos[0].thumbnails.map(\.url) == ["https://jf.example/p.png"] && videos[1].duration == 61)
        let extra = FieldValue.record(videos[1].extra)
        #expect(extra["updated"] == .integer(1_719_921_600))
        #expect(extra["media"].list?.map { $0["url"].text } == ["https://jf.example/a.mp3", "https://jf.example/v"])
        #expect(extra["media"].list?.first?["type"] == .text("audio/mpeg"))
        #expect(extra["media"].list?.first?["length"] == .integer(12))
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

    @Test("what is commented out is left out with all below it, and categories are tags")
    func commentedOut() throws {
        let text = """
            <opml version="2.0"><body>
            <outline text="A" type="rss" xmlUrl="https://a.example/rss" isComment="true"/>
            <outline text="B" type="rss" xmlUrl="https://b.example/rss" isComment="false"/>
            <outline text="Old" isComment="TRUE"><outline><outline text="C" xmlUrl="https://c.example/rss"/></outline></outline>
            <outline text="D" type="rss" xmlUrl="https://d.example/rss" category="/Video/Tech, Science,,/Video/Tech"/></body></opml>
            """
        let reader = try RecordReader(strict: true)
        let videos = try reader.all(of: bytes(text))
        #expect(videos.map(\.title) == ["B", "D"] && videos.map(\.tags) == [nil, ["Video/Tech", "Science"]])
        #expect(
            reader.skipped.map(\.description) == [
                "line 2: a subscription that is commented out", "line 4: a subscription that is commented out",
            ])
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
