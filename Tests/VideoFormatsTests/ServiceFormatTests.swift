// Replies of services other than YouTube, in small: what each field is read from, and what is left unknown.

import Testing

@testable import Basics
@testable import VideoFormats
@testable import VideoModel

private func read(_ json: String, as name: String? = nil) throws -> [Video] {
    try RecordReader.read(Array(json.utf8), as: name)
}

private func extra(_ video: Video, _ name: String) -> FieldValue {
    video.extra.first { $0.name == name }?.value ?? .none
}

@Suite struct ServiceFormatTests {
    @Test("a Vimeo video is read, and its id is in its uri")
    func vimeo() throws {
        let video = try read(
            """
            {"uri":"/videos/76979871:ab12cd34ef","name":"A title","description":null,"link":"https://vimeo.com/76979871/ab12cd34ef",
             "duration":62,"created_time":"2020-01-02T03:04:05+00:00","license":"by-nc","language":"en",
             "privacy":{"view":"unlisted","embed":"public"},"stats":{"plays":null},"tags":[{"name":"one"},{"name":"two"}],
             "categories":[{"name":"Travel"}],"type":"video",
             "metadata":{"connections":{"likes":{"total":0},"comments":{"total":7}}},
             "pictures":{"sizes":[{"width":100,"height":75,"link":"https://i.example/a.jpg"},{"width":null,"height":null,"link":"https://i.example/b.jpg"}]},
             "user":{"uri":"/users/42","name":"Somebody","link":"https://vimeo.com/somebody"}}
            """)[0]
        #expect(video.provider == "vimeo" && video.id == "76979871" && video.kind == .video)
        #expect(video.url == "https://vimeo.com/76979871/ab12cd34ef" && video.title == "A title")
        #expect(video.description == nil && video.views == nil && video.likes == 0 && video.comments == 7)
        #expect(video.duration == 62 && video.published == 1_577_934_245 && video.tags == ["one", "two"])
        #expect(video.channel == Channel(id: "42", title: "Somebody", url: "https://vimeo.com/somebody"))
        #expect(video[.availability] == .text("unlisted") && video[.embeddable] == .bool(true))
        #expect(video[.license] == .text("creativecommon") && video[.category] == .text("Travel"))
        #expect(video[.live] == .bool(false))
        #expect(
            video.thumbnails == [
                Thumbnail(name: "100x75", url: "https://i.example/a.jpg", width: 100, height: 75),
                Thumbnail(name: "2", url: "https://i.example/b.jpg"),
            ])
    }

    @Test("a Vimeo list gives its videos, and what is none is skipped")
    func vimeoList() throws {
        let reader = try RecordReader()
        let videos =
            try reader.feed(
                Array(
                    #"{"total":2,"page":1,"per_page":2,"paging":{"next":null},"data":[{"uri":"/videos/1"},{"uri":"/pictures/2"}]}"#
                        .utf8)) + reader.finish()
        #expect(videos.map(\.id) == ["1"] && videos[0].url == "https://vimeo.com/1")
        #expect(reader.skipped.map(\.description) == ["record 2: no vimeo record"])
    }

    @Test(
        "a service's refusal says who refused and why",
        arguments: [
            (
                #"{"error":"Sorry","link":null,"developer_message":"No such page","error_code":2286}"#, nil,
                "vimeo: No such page (2286)"
            ),
            (#"{"error":"Not today."}"#, nil, "the service: Not today."),
            (#"{"error":"Not today."}"#, "vimeo", "vimeo: Not today."),
            (
                #"{"type":"about:blank","title":"Not Found","detail":"Video not found","status":404}"#, nil,
                "peertube: Video not found (404)"
            ),
            (#"{"error":"invalid_grant","error_description":"Expired"}"#, nil, "youtube: Expired (invalid_grant)"),
        ] as [(String, String?, String)])
    func refusals(json: String, name: String?, words: String) {
        let error = #expect(throws: FormatError.self) { try read(json, as: name) }
        #expect(error?.description == words)
    }

    @Test("a PeerTube video is read, and only its own server's paths are addresses")
    func peerTube() throws {
        func video(_ local: Bool, _ more: String) throws -> Video {
            try read(
                """
                {"total":1,"data":[{"id":5,"uuid":"9c9de5e8-0a1e-484a-b099-e80766180000","shortUUID":"kkGMgK9ZtnKfYAgnEtQxbv",
                 "url":"https://tube.example:8443/w/kkGMgK9ZtnKfYAgnEtQxbv","name":"Öl & Wasser","isLocal":\(local),"duration":113,
                 "views":10,"likes":2,"licence":{"id":2},"language":{"id":"fr"},"category":{"id":15,"label":"Science"},
                 "privacy":{"id":1},"thumbnailPath":"/lazy-static/t.jpg","publishedAt":"2018-10-01T10:52:46.396Z",
                 "originallyPublishedAt":"1970-01-01T00:00:00.000Z","account":{"name":"a","host":"tube.example"},
                 "channel":{"name":"chan","host":"tube.example","displayName":"A channel","url":"https://tube.example/c/chan"}\(more)}]}
                """)[0]
        }
        let own = try video(true, #","isLive":false"#)
        #expect(own.title == "Öl & Wasser" && own.duration == 113 && own.published == 1_538_391_166)
        #expect(own.channel == Channel(id: "chan@tube.example", title: "A channel", url: "https://tube.example/c/chan"))
        #expect(own.thumbnails.map(\.url) == ["https://tube.example:8443/lazy-static/t.jpg"])
        #expect(own[.license] == .text("creativecommon") && own[.live] == .bool(false))
        let others = try video(false, #","isLive":true,"state":{"id":4},"previewUrl":"https://other.example/p.jpg""#)
        #expect(others.thumbnails.map(\.url) == ["https://other.example/p.jpg"])
        #expect(others[.liveState] == .text("upcoming"))
        #expect(try video(false, #","isLive":true"#)[.live] == .none)
    }

    @Test("the elements of a PeerTube playlist are its videos")
    func peerTubePlaylist() throws {
        let videos = try read(
            #"{"total":2,"data":[{"id":1,"position":1,"video":{"uuid":"u","name":"n","account":{},"duration":0}},{"id":2,"position":2,"video":null}]}"#
        )
        #expect(videos.map(\.title) == ["n"] && videos[0].duration == nil)
    }

    @Test("an instant answer gives the article, the official page and the topics, groups laid flat")
    func duckDuckGo() throws {
        let videos = try read(
            """
            {"Heading":"Cat","AbstractText":"A small <b>animal</b>.","AbstractURL":"https://en.example/Cat","AbstractSource":"Wikipedia",
             "Image":"/i/1.png","ImageWidth":10,"ImageHeight":"","Answer":{"from":"widget"},"Redirect":"","Type":"D",
             "Results":[{"FirstURL":"https://cat.example","Text":"Official site","Result":"<a href=https://cat.example><b>Official</b> site</a>","Icon":{"URL":"","Width":""}}],
             "RelatedTopics":[{"FirstURL":"https://duckduckgo.com/Cat","Text":"CatA pet","Result":"<a href=\\"x\\">Cat</a>A pet &amp; friend","Icon":{"URL":"/i/c.png"}},
              {"Name":"Groups","Topics":[{"FirstURL":"https://duckduckgo.com/Cats","Text":"Cats","Result":""}]}]}
            """)
        #expect(videos.map(\.title) == ["Cat", "Official site", "Cat", "Cats"])
        #expect(videos.map(\.description) == ["A small animal.", nil, "A pet & friend", nil])
        #expect(videos[0].thumbnails == [Thumbnail(name: "default", url: "https://duckduckgo.com/i/1.png", width: 10)])
        #expect(videos[2].thumbnails.map(\.url) == ["https://duckduckgo.com/i/c.png"] && videos[1].thumbnails == [])
        #expect(videos.allSatisfy { $0.kind == .page && $0.provider == "duckduckgo" })
    }

    @Test("every action of a chat reply is a record, and a list gives its rows")
    func chat() throws {
        let videos = try read(
            """
            {"query":"play","answers":[{"data":[{"t.x":"One","l":"https://one.example"},{"t.x":"Two","l":"none"}],"actions":[
             {"type":"answer","expression":"Here you are"},
             {"type":"video_play","identifier":"dQw4w9WgXcQ","identifier_type":"youtube"},
             {"type":"audio_play","identifier":"https://sound.example/a.ogg","identifier_type":"url"},
             {"type":"rss","title":"t.x","link":"l","count":9},{"type":"hologram","power":3},{"expression":"untyped"}]}]}
            """)
        #expect(videos.map(\.title) == ["Here you are", nil, nil, "One", "Two", nil])
        #expect(
            videos.map { extra($0, "action").text } == ["answer", "video_play", "audio_play", "rss", "rss", "hologram"])
        #expect(videos[1].url == "https://www.youtube.com/watch?v=dQw4w9WgXcQ" && videos[1].kind == .video)
        #expect(videos[2].url == "https://sound.example/a.ogg" && videos[2].id == nil)
        #expect(videos[3].url == "https://one.example" && videos[4].url == nil)
        #expect(videos[5][.raw]["power"] == .integer(3))
    }

    @Test("what came with an action outlives a pipe, with the reply's rows where its type may mean them")
    func chatPipe() throws {
        let videos = try read(
            """
            {"query":"x","answers":[{"data":[{"a":1},{"a":2},{"a":3}],"actions":[
             {"type":"hologram","power":3,"deep":{"list":[1,null,"x"]}},{"type":"table","columns":{"a":"A"},"count":2},
             {"type":"table","columns":{"a":"A"},"data":[{"a":9}]},{"type":"map","latitude":"1"},
             {"type":"piechart","count":-5},
             {"type":"video_play","identifier":"https://youtu.be/dQw4w9WgXcQ?t=42","identifier_type":"url","mood":"x"}]}]}
            """)
        let lines = videos.map { String(decoding: YTHostFormat.line($0), as: UTF8.self) }.joined(separator: "\n")
        let again = try read(lines)
        #expect(
            again.map { extra($0, "action").text } == ["hologram", "table", "table", "map", "piechart", "video_play"])
        let replies = again.map { extra($0, "reply") }
        #expect(replies[0]["power"] == .integer(3) && replies[0]["deep"]["list"].list?.last == .text("x"))
        #expect(replies[5]["mood"] == .text("x") && again[5].url?.hasSuffix("&t=42s") == true)
        #expect(again.map { extra($0, "data").list?.count } == [3, 2, nil, nil, 3, nil])
        #expect(replies[2]["data"].list?.count == 1)
        let many =
            #"{"query":"x","answers":[{"data":["# + Array(repeating: #"{"a":1}"#, count: 2000).joined(separator: ",")
            + #"],"actions":["# + Array(repeating: #"{"type":"odd"}"#, count: 50).joined(separator: ",") + "]}]}"
        let counts = try read(many).map { extra($0, "data").list?.count ?? 0 }
        #expect(counts.count == 50 && counts.reduce(0, +) == 8000)
    }

    @Test("an oEmbed reply is known by its player")
    func oEmbed() throws {
        let youtube = try read(
            #"{"type":"video","version":"1.0","provider_name":"YouTube","title":"T","author_name":"A","author_url":"https://www.youtube.com/@a","html":"\u003ciframe src=\"https://www.youtube.com/embed/dQw4w9WgXcQ?feature=oembed\"\u003e","thumbnail_url":"https://i.ytimg.com/vi/x/hqdefault.jpg","thumbnail_width":480,"thumbnail_height":360}"#
        )[0]
        #expect(youtube.provider == "youtube" && youtube.id == "dQw4w9WgXcQ" && youtube.channel.title == "A")
        #expect(youtube.thumbnails.map(\.width) == [480])
        let photo = try read(
            #"{"type":"photo","version":1.0,"provider_name":"Flickr","url":"https://p.example/1.jpg"}"#)[0]
        #expect(photo.kind == .page && photo.provider == "flickr" && photo.url == nil)
        #expect(photo.thumbnails.map(\.url) == ["https://p.example/1.jpg"])
    }

    @Test("a JSON Feed's items have what they do not say from their feed, and need an id")
    func jsonFeed() throws {
        let reader = try RecordReader()
        let json = """
            {"version":"https://jsonfeed.org/version/1.1","title":"Feed","home_page_url":"https://f.example","language":"de",
             "authors":[{"name":"Ada"}],"items":[
              {"id":7,"title":"Sieben","content_html":"<p>Eins</p><p>zwei &amp; drei</p>","date_published":"2020-01-02T03:04:05Z","url":"https://f.example/7"},
              {"id":"v","url":"https://youtu.be/dQw4w9WgXcQ","authors":[{"name":"Bob","url":"https://b.example"}],"language":"en"},
              {"title":"no id"},
              {"id":"p","attachments":[{"url":"https://f.example/p.mp3","mime_type":"audio/mpeg","duration_in_seconds":61.5}]}]}
            """
        let items = try reader.feed(Array(json.utf8)) + reader.finish()
        #expect(items.map(\.id) == ["7", "dQw4w9WgXcQ", "p"] && items.map(\.kind) == [.page, .video, .video])
        #expect(items.map(\.provider) == ["feed", "youtube", "feed"] && items.map(\.duration) == [nil, nil, 61])
        #expect(items.map { $0[.language] } == [.text("de"), .text("en"), .text("de")])
        #expect(items.map(\.channel.title) == ["Ada", "Bob", "Ada"] && items[0].description == "Eins zwei & drei")
        #expect(reader.skipped.map(\.description) == [#"record 3: id: nothing at "id""#])
    }

    @Test("yt-dlp's flat entries, lists in lists and media addresses are told apart")
    func ytdlp() throws {
        let videos = try read(
            """
            {"_type":"playlist","id":"UCuAXFkgsw1L7xaCfnd5JJOw","channel_id":"UCuAXFkgsw1L7xaCfnd5JJOw","channel":"Chan","extractor_key":"YoutubeTab","entries":[
             {"_type":"playlist","id":"x","extractor_key":"YoutubeTab","entries":[
              {"_type":"url","ie_key":"Youtube","id":"dQw4w9WgXcQ","url":"https://www.youtube.com/shorts/dQw4w9WgXcQ","title":"S","duration":59.9,"view_count":3,"live_status":null}]},
             {"_type":"url","ie_key":"YoutubeTab","id":"PLBCF2DAC6FFB574DE","url":"https://www.youtube.com/playlist?list=PLBCF2DAC6FFB574DE","title":"L"}]}
            """)
        #expect(videos.map(\.kind) == [.video, .playlist] && videos[0].duration == 59 && videos[0].views == 3)
        #expect(videos[0][.short] == .bool(true) && videos[0][.live] == .none && videos[0].channel.title == "Chan")
        let full = try read(
            """
            {"id":"76979871","extractor":"vimeo","extractor_key":"Vimeo","ext":"mp4","url":"https://cdn.example/v.mp4","title":"T","upload_date":"20200102",
             "license":"Creative Commons Attribution licence","subtitles":{"en":[]},"is_live":false,"thumbnails":[{"url":"https://i.example/1.jpg","id":"0"}],"channel":null,"uploader":"U"}
            """)[0]
        #expect(full.provider == "vimeo" && full.url == "https://vimeo.com/76979871" && full.published == 1_577_923_200)
        #expect(
            full[.license] == .text("creativecommon") && full[.captions] == .bool(true) && full.channel.title == "U")
        let gone = try RecordReader()
        #expect(
            try
                (gone.feed(Array(#"{"_type":"playlist","id":"a","entries":[null,{"id":"b","_type":"url"}]}"#.utf8))
                + gone.finish()).map(\.id) == ["b"])
        #expect(gone.skipped.map(\.description) == ["record 1: no yt-dlp record"])
    }

    @Test("a watch history says when it was watched, never when it was published")
    func takeout() throws {
        let videos = try read(
            """
            [{"header":"YouTube","title":"Watched A title","titleUrl":"https://www.youtube.com/watch\\u003dv","titleUrl":"https://www.youtube.com/watch?v=dQw4w9WgXcQ","subtitles":[{"name":"Chan","url":"https://www.youtube.com/channel/UCuAXFkgsw1L7xaCfnd5JJOw"}],"time":"2022-01-01T12:00:04.784Z","products":["YouTube"]},
             {"header":"YouTube","title":"Watched a video that has been removed","time":"2022-01-02T00:00:00Z","products":["YouTube"],"details":[{"name":"From Google Ads"}]},
             {"header":"YouTube","title":"Watched https://www.youtube.com/watch?v=dQw4w9WgXcQ","titleUrl":"https://www.youtube.com/watch?v=dQw4w9WgXcQ","time":"2022-01-02T00:00:00Z","products":["YouTube"]},
             {"header":"YouTube","title":"Searched for cats","titleUrl":"https://www.youtube.com/results?search_query=cats","time":"2022-01-02T00:00:00Z","products":["YouTube"]}]
            """)
        #expect(videos.map(\.title) == ["A title", "a video that has been removed", nil, "Searched for cats"])
        #expect(videos.map(\.kind) == [.video, .page, .video, .page] && videos.allSatisfy { $0.published == nil })
        #expect(videos.map(\.id) == ["dQw4w9WgXcQ", nil, "dQw4w9WgXcQ", nil])
        #expect(
            videos[0].channel.id == "UCuAXFkgsw1L7xaCfnd5JJOw" && extra(videos[0], "watched") == .integer(1_641_038_404)
        )
        #expect(extra(videos[1], "advertisement") == .bool(true))
        #expect(videos.map { extra($0, "watched").isNone } == [false, false, false, true])
        #expect(extra(videos[3], "done") == .integer(1_641_081_600))
        #expect(videos[3].url == "https://www.youtube.com/results?search_query=cats")
    }

    @Test(
        "the words that the sentences of a watch history share are no part of the title, in any language",
        arguments: [
            (
                ["Erster Film angesehen", "Zweiter Film angesehen", "URL angesehen"],
                ["Erster Film", "Zweiter Film", nil]
            ),
            (["Hai guardato Primo film", "Hai guardato URL"], ["Primo film", nil]),
            (["Ez Uno megnézve", "Ez Due megnézve", "Ez URL megnézve"], ["Uno", "Due", nil]),
            (["Ez Uno film megnézve", "Ez Due megnézve"], ["Uno film", "Due"]),
            (["Vous avez regardé Film"], ["Film"]), (["Film を視聴しました", "URL を視聴しました"], ["Film", nil]),
            (["Ganz Fremdes"], ["Ganz Fremdes"]), (["Gleich x", "Gleich x"], ["Gleich x", "Gleich x"]),
            (["Watched The One", "Watched The Two", "Liked The Three"], ["The One", "The Two", "Liked The Three"]),
        ] as [([String], [String?])])
    func sentences(sentences: [String], titles: [String?]) throws {
        let ids = ["jNQXAC9IVRw", "dQw4w9WgXcQ", "aqz-KE-bpKQ"]
        let rows = zip(sentences, ids).map { sentence, id in
            let url = "https://www.youtube.com/watch?v=\(id)"
            return
                #"{"header":"YouTube","title":"\#(sentence.replacing("URL", with: url))","titleUrl":"\#(url)","time":"2024-01-02T03:04:05Z","products":["YouTube"]}"#
        }
        for text in ["[\(rows.joined(separator: ",\n"))]", rows.joined(separator: "\n")] {
            let videos = try read(text)
            #expect(videos.map(\.title) == titles)
            #expect(videos.map { extra($0, "watched").isNone } == sentences.map { $0.hasPrefix("Liked") })
        }
    }

    @Test("a long watch history is read in its order, and its form is learned from its beginning")
    func longHistory() throws {
        let rows = (0..<350).map {
            #"{"header":"YouTube","title":"Ez N\#($0) megnézve","titleUrl":"https://www.youtube.com/watch?v=dQw4w9WgXcQ","time":"2024-01-02T03:04:05Z","products":["YouTube"]}"#
        }
        let reader = try RecordReader()
        reader.longestArray = 1000
        var videos: [Video] = []
        for row in ["["] + rows.map({ $0 + "," }).dropLast() + [rows[349] + "]"] {
            videos += try reader.feed(Array(row.utf8))
        }
        videos += try reader.finish()
        #expect(videos.map(\.title) == (0..<350).map { "N\($0)" })
    }

    @Test("a PeerTube category or language without an id is unknown, and short ids are UUIDs")
    func peerTubeUnknowns() throws {
        func video(_ more: String) throws -> Video {
            try read(
                #"{"shortUUID":"3fEgj34VWmVufdDCYA2MKE","name":"n","channel":{"name":"c","host":"t.example"},\#(more)}"#
            )[0]
        }
        let unknown = try video(#""category":{"id":null,"label":"Unknown"},"language":{"id":null,"label":"Unknown"}"#)
        #expect(unknown[.category] == .none && unknown[.language] == .none)
        #expect(unknown.id == "123e4567-e89b-12d3-a456-426614174000")
        let known = try video(#""category":{"id":15,"label":"Science"},"language":{"id":"fr","label":"French"}"#)
        #expect(known[.category] == .text("Science") && known[.language] == .text("fr"))
        let feed = try read(
            "<rss><item><link>https://t.example/w/3fEgj34VWmVufdDCYA2MKE;threadId=5</link></item></rss>")[0]
        #expect(feed.provider == "peertube" && feed.id == unknown.id)
    }

    @Test("an unlisted Vimeo video keeps its hash")
    func vimeoHashes() throws {
        let row = try read(#"{"uri":"/videos/76979871:3c257a1b5d","name":"n"}"#)[0]
        #expect(row.id == "76979871" && row.url == "https://vimeo.com/76979871/3c257a1b5d")
        let embed = try read(
            #"{"type":"video","version":"1.0","provider_name":"Vimeo","title":"t","video_id":76979871,"uri":"/videos/76979871:3c257a1b5d"}"#
        )[0]
        #expect(embed.id == "76979871" && embed.url == "https://vimeo.com/76979871/3c257a1b5d")
        let written = try read(#"{"ythost":1,"provider":"vimeo","id":"76979871:3c257a1b5d"}"#)[0]
        #expect(written.url == "https://vimeo.com/76979871/3c257a1b5d")
    }

    @Test("lists of YouTube channels, playlists and their items are read, with or without `kind`")
    func youTubeLists() throws {
        let channel =
            #""id":"UCuAXFkgsw1L7xaCfnd5JJOw","snippet":{"title":"C &amp; D","customUrl":"@c"},"statistics":{"viewCount":"9","subscriberCount":"3"}"#
        let playlist =
            #""id":"PLBCF2DAC6FFB574DE","snippet":{"title":"P","channelId":"UCuAXFkgsw1L7xaCfnd5JJOw"},"contentDetails":{"itemCount":4}"#
        let item =
            #""id":"UExC","snippet":{"title":"Private video","publishedAt":"2020-01-01T00:00:00Z","channelId":"UCx","position":0,"resourceId":{"videoId":"dQw4w9WgXcQ"},"videoOwnerChannelTitle":"O"},"contentDetails":{"videoId":"dQw4w9WgXcQ","videoPublishedAt":"2019-01-01T00:00:00Z"}"#
        for kind in [true, false] {
            func row(_ kind: Bool, _ name: String, _ rest: String) -> String {
                "{" + (kind ? "\"kind\":\"youtube#\(name)\"," : "") + rest + "}"
            }
            let rows = [
                row(kind, "channel", channel), row(kind, "playlist", playlist), row(kind, "playlistItem", item),
            ]
            for json in [
                rows.joined(separator: "\n"), "[\(rows.joined(separator: ","))]",
                "{\"items\":[\(rows.joined(separator: ","))]}",
            ] {
                let videos = try read(json)
                #expect(videos.map(\.kind) == [.channel, .playlist, .video])
                #expect(videos.map(\.title) == ["C &amp; D", "P", "Private video"])
                #expect(videos[0].channel.id == videos[0].id && videos[0].views == 9)
                #expect(extra(videos[0], "subscribers") == .integer(3) && extra(videos[1], "videos") == .integer(4))
                #expect(videos[1].url == "https://www.youtube.com/playlist?list=PLBCF2DAC6FFB574DE")
                #expect(videos[2].id == "dQw4w9WgXcQ" && videos[2].published == 1_546_300_800)
                #expect(videos[2].channel == Channel(title: "O") && videos[2][.availability] == .none)
            }
        }
    }

    @Test("an item of a playlist whose video is gone or private is known by what it lacks")
    func unavailableItems() throws {
        func item(_ title: String, _ more: String = "", _ details: String = "") throws -> FieldValue {
            try read(
                #"{"kind":"youtube#playlistItem","id":"x","snippet":{"title":"\#(title)","description":"","resourceId":{"videoId":"dQw4w9WgXcQ"}\#(more)}\#(details)}"#
            )[0][.availability]
        }
        #expect(try item("Private video", #","thumbnails":{}"#) == .text("private"))
        #expect(try item("Vídeo privado", #","thumbnails":{}"#) == .text("private"))
        #expect(try item("Deleted video", #","thumbnails":{}"#) == .text("deleted"))
        #expect(try item("Private video", "", #","contentDetails":{"videoId":"dQw4w9WgXcQ"}"#) == .text("private"))
        #expect(try item("Private video", #","thumbnails":{"default":{"url":"https://i.example/1"}}"#) == .none)
        #expect(try item("Private video") == .none)
        #expect(
            try item("x", #","thumbnails":{}"#, #","status":{"privacyStatus":"privacyStatusUnspecified"}"#)
                == .text("deleted"))
        #expect(try item("x", #","thumbnails":{}"#, #","status":{"privacyStatus":"unlisted"}"#) == .text("unlisted"))
    }
}
