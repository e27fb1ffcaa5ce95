// Replies that say little, or say it in an odd place: what becomes of each.

import Testing

@testable import VideoFormats
@testable import VideoModel

private func read(_ json: String, as name: String? = nil, base: String? = nil) throws -> [Video] {
    let reader = try RecordReader(as: name)
    reader.base = base
    return try reader.all(of: Array(json.utf8))
}

@Suite struct SparseReplyTests {
    // MARK: DuckDuckGo

    private static func answer(_ members: String) -> String {
        #"{"Heading":"","AbstractText":"","AbstractURL":"","RelatedTopics":[],"Results":[],"Type":"E",\#(members)}"#
    }

    @Test(
        "a widget's answer is its result where there is one, else there is none",
        arguments: [
            (#""Answer":{"from":"calculator","result":"","id":"calculator"},"AnswerType":"calculator""#, []),
            (#""Answer":{"from":"calculator","result":"42 things"}"#, ["42 things"]),
            (#""Answer":{"result":42}"#, ["42"]), (#""Answer":{"result":" "}"#, []),
            (#""Answer":"4 &lt; 5","AnswerType":"calc""#, ["4 < 5"]),
            (#""Answer":{"from":"x"},"Definition":"A word""#, ["A word"]),
            (#""Answer":"","Redirect":"javascript:alert(1)""#, []), (#""Answer":"","Redirect":"""#, []),
        ] as [(String, [String])])
    func widget(members: String, texts: [String]) throws {
        #expect(try read(Self.answer(members)).map(\.description) == texts)
    }

    @Test("where a bang leads is an answer")
    func bang() throws {
        #expect(
            try read(Self.answer(#""Answer":"","Redirect":"https://x.example/s?q=a""#)).map(\.url) == [
                "https://x.example/s?q=a"
            ])
    }

    // MARK: yt-dlp

    @Test(
        "a search of yt-dlp's that found nothing has no records, and so has a list of which nothing is known",
        arguments: [
            """
            {"_type":"playlist","id":"kygo","title":"kygo","entries":[],"extractor":"youtube:search",
            "extractor_key":"YoutubeSearch","webpage_url":"ytsearch50:kygo"}
            """,
            #"{"_type":"playlist","entries":[]}"#,
        ])
    func noHits(json: String) throws {
        #expect(try read(json).isEmpty)
        #expect(try read(json, as: "yt-dlp").isEmpty)
    }

    @Test("a playlist without videos is a playlist")
    func emptyPlaylist() throws {
        let json = """
            {"_type":"playlist","id":"PLx","title":"Empty","entries":[],"extractor":"youtube:tab",
            "webpage_url":"https://www.youtube.com/playlist?list=PLBCF2DAC6FFB574DE"}
            """
        #expect(try read(json).map(\.kind) == [.playlist])
    }

    // MARK: oEmbed

    @Test("what is said to be an oEmbed reply needs a type and a version, and no more")
    func least() throws {
        let reply = #"{"type":"link","version":"1.0","title":"L"}"#
        #expect(try read(reply, as: "oembed").map(\.title) == ["L"])
        #expect(OEmbedReader.read(Array(reply.utf8))?.title == "L")
        #expect(OEmbedReader.read(Array(reply.utf8), isAnnounced: false) == nil)
        // Unasked it is a record in plain JSON.
        #expect(try read(reply).map(\.title) == ["L"])
        #expect(throws: FormatError.self) { try read(#"{"type":"link","title":"L"}"#, as: "oembed") }
        #expect(throws: FormatError.self) { try read(#"{"type":"poem","version":"1.0"}"#, as: "oembed") }
    }

    @Test("a photo is the picture, with its size, and its page is what the reply names or where the picture leads")
    func photo() throws {
        let photo = """
            {"type":"photo","version":"1.0","title":"P","url":"https://x.example/p_b.jpg","width":"1024","height":683,
            "provider_name":"Flickr","thumbnail_url":"https://x.example/p_q.jpg","thumbnail_width":150,"thumbnail_height":150
            """
        for more in [
            #","web_page":"https://x.example/photos/1/"}"#,
            #","html":"<a data-x=\"y\" href=\"https://x.example/photos/1/\"><img src=\"https://x.example/p_b.jpg\"></a>"}"#,
        ] {
            let video = try read(photo + more)[0]
            #expect(video.url == "https://x.example/photos/1/" && video.kind == .page)
            #expect(
                video.thumbnails == [
                    Thumbnail(name: "1024x683", url: "https://x.example/p_b.jpg", width: 1024, height: 683),
                    Thumbnail(name: "150x150", url: "https://x.example/p_q.jpg", width: 150, height: 150),
                ])
        }
        #expect(try read(photo + "}")[0].url == nil)
    }

    // MARK: JSON Feed

    @Test("relative addresses of a JSON Feed are the feed's page's, else those of where it came from")
    func relative() throws {
        func item(_ head: String, base: String? = nil) throws -> Video {
            try read(
                """
                {"version":"https://jsonfeed.org/version/1.1","title":"F",\(head)"items":[{"id":"1","url":"/x","image":"i.png",
                "authors":[{"name":"A","url":"/a"}]}]}
                """, base: base)[0]
        }
        let page = try item(#""home_page_url":"https://x.example/blog/","#, base: "https://cdn.example/feed.json")
        #expect(page.url == "https://x.example/x" && page.channel.url == "https://x.example/a")
        #expect(page.thumbnails.map(\.url) == ["https://x.example/blog/i.png"])
        #expect(try item("", base: "https://cdn.example/f/feed.json").url == "https://cdn.example/x")
        #expect(try item(#""feed_url":"https://y.example/feed.json","#).url == "https://y.example/x")
        let home = try item(#""home_page_url":"/home/","#, base: "https://cdn.example/f/feed.json")
        #expect(home.thumbnails.map(\.url) == ["https://cdn.example/home/i.png"])
        #expect(try item("").url == nil)
    }

    // MARK: PeerTube

    @Test(
        "a PeerTube video without an address is on its channel's server",
        arguments: [
            ("tube.example", "", "https://tube.example"), ("tube.example:9000", "", "https://tube.example:9000"),
            ("tube.example", #""isLocal":false,"#, "https://tube.example"),
            ("x.example/evil", "", nil), ("u@x.example", "", nil), ("", "", nil), ("x.example?a", "", nil),
        ] as [(String, String, String?)])
    func peerTube(host: String, more: String, base: String?) throws {
        let video = try read(
            """
            {"total":1,"data":[{"uuid":"9c9de5e8-0a1e-484a-b099-e80766180000","shortUUID":"kkGMgK9ZtnKfYAgnEtQxbv","name":"N",
            \(more)"thumbnailPath":"/lazy-static/t.jpg","channel":{"name":"chan","host":"\(host)"}}]}
            """)[0]
        #expect(video.url == base.map { $0 + "/w/kkGMgK9ZtnKfYAgnEtQxbv" })
        #expect(
            video.thumbnails.map(\.url)
                == (more == "" ? [base.map { $0 + "/lazy-static/t.jpg" }].compactMap { $0 } : []))
    }

    // MARK: Chat replies

    @Test("the count of a chat reply's list may be text", arguments: [#""1""#, "1", #""-1""#, #""x""#, "null"])
    func count(json: String) throws {
        let videos = try read(
            """
            {"answers":[{"data":[{"t":"One"},{"t":"Two"}],"actions":[{"type":"rss","title":"t","count":\(json)}]}]}
            """)
        #expect(videos.map(\.title) == (json.contains("1") && !json.contains("-") ? ["One"] : ["One", "Two"]))
    }
}
