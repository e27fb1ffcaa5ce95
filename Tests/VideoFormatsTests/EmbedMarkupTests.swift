// The markup of players, read back by the parser of HTML: each row says an address, what is asked for, and the frame's
// whole set of attributes, in so far as it differs from the usual one.

import Testing

@testable import Basics
@testable import Markup
@testable import VideoModel

@Suite struct EmbedMarkupTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var address: String
        /// Flags by name, then parameters as NAME=VALUE, with blanks between.
        var asked: String
        /// The frame's address, its query's members in any order.
        var source: String
        /// Attributes that are not the usual ones; "-" for one that is not there.
        var attributes: [String: String] = [:]
        var testDescription: String { "\(address) \(asked)" }
    }

    private static let yt = "https://www.youtube-nocookie.com/embed/"
    private static let vm = "https://player.vimeo.com/video/76979871"
    private static let pt = "https://tube.example/videos/embed/kmtJJ4jnGmKD6v9JV99Wf4"
    private static let v = "dQw4w9WgXcQ"
    private static let vimeo = "https://vimeo.com/76979871"
    private static let peer = "https://tube.example/w/kmtJJ4jnGmKD6v9JV99Wf4"
    private static let usual = [
        "width": "640", "height": "360", "loading": "lazy", "allowfullscreen": "",
        "referrerpolicy": "strict-origin-when-cross-origin",
        "allow": "accelerometer; autoplay; clipboard-write; encrypted-media; gyroscope; picture-in-picture",
        "style": "position:absolute;inset:0;width:100%;height:100%;border:0",
    ]

    static let rows: [Row] = [
        // YouTube, a parameter each.
        Row(address: v, asked: "", source: yt + v),
        Row(address: v, asked: "cookies", source: "https://www.youtube.com/embed/" + v),
        Row(address: v, asked: "autoplay=1", source: yt + v + "?autoplay=1&mute=1"),
        Row(address: v, asked: "autoplay=0", source: yt + v + "?autoplay=0"),
        Row(address: v, asked: "autoplay=1 mute=1", source: yt + v + "?autoplay=1&mute=1"),
        Row(address: v, asked: "mute=1", source: yt + v + "?mute=1"),
        Row(address: v, asked: "cc_lang_pref=de", source: yt + v + "?cc_lang_pref=de&cc_load_policy=1"),
        Row(address: v, asked: "cc_load_policy=1", source: yt + v + "?cc_load_policy=1"),
        Row(address: v, asked: "color=white", source: yt + v + "?color=white"),
        Row(address: v, asked: "controls=0", source: yt + v + "?controls=0"),
        Row(address: v, asked: "disablekb=true", source: yt + v + "?disablekb=1"),
        Row(
            address: v, asked: "enablejsapi=1 origin=https://a.example:8443",
            source: yt + v + "?enablejsapi=1&origin=https%3A%2F%2Fa.example%3A8443"),
        Row(address: v, asked: "origin=https://a.example/", source: yt + v + "?origin=https%3A%2F%2Fa.example"),
        Row(address: v, asked: "end=90", source: yt + v + "?end=90"),
        Row(address: v, asked: "finish=1m30s", source: yt + v + "?end=90"),
        Row(address: v, asked: "fs=0", source: yt + v + "?fs=0", attributes: ["allowfullscreen": "-"]),
        Row(address: v, asked: "hl=pt-BR", source: yt + v + "?hl=pt-BR"),
        Row(address: v, asked: "iv_load_policy=3", source: yt + v + "?iv_load_policy=3"),
        Row(address: v, asked: "list=PLrAXtmErZgOe", source: yt + v + "?list=PLrAXtmErZgOe"),
        Row(
            address: v, asked: "list=lua listType=user_uploads", source: yt + v + "?list=lua&listType=user_uploads"),
        Row(address: v, asked: "loop=1", source: yt + v + "?loop=1&playlist=" + v),
        Row(
            address: v, asked: "loop=1 playlist=jNQXAC9IVRw", source: yt + v + "?loop=1&playlist=jNQXAC9IVRw"),
        Row(
            address: v, asked: "playlist=jNQXAC9IVRw,aqz-KE-bpKQ",
            source: yt + v + "?playlist=jNQXAC9IVRw%2Caqz-KE-bpKQ"),
        Row(address: v, asked: "playsinline=yes", source: yt + v + "?playsinline=1"),
        Row(address: v, asked: "rel=no", source: yt + v + "?rel=0"),
        Row(address: v, asked: "start=1:30", source: yt + v + "?start=90"),
        Row(address: v, asked: "start=0", source: yt + v),
        Row(address: v, asked: "start=30 end=60", source: yt + v + "?end=60&start=30"),
        Row(
            address: v, asked: "widget_referrer=https://a.example/b?c=d&e",
            source: yt + v + "?widget_referrer=https%3A%2F%2Fa.example%2Fb%3Fc%3Dd%26e"),
        Row(
            address: v, asked: "youtube.rel=0 vimeo.byline=0", source: yt + v + "?rel=0"),
        // What the address itself says.
        Row(address: "https://youtu.be/\(v)?t=1m30s", asked: "", source: yt + v + "?start=90"),
        Row(address: "https://youtu.be/\(v)?t=90", asked: "start=5", source: yt + v + "?start=5"),
        Row(
            address: "https://www.youtube.com/embed/\(v)?start=10&end=20", asked: "",
            source: yt + v + "?end=20&start=10"),
        Row(
            address: "https://www.youtube.com/watch?v=\(v)&list=PLrAXtmErZgOe", asked: "loop=1",
            source: yt + v + "?list=PLrAXtmErZgOe&loop=1"),
        Row(
            address: "https://www.youtube.com/shorts/\(v)", asked: "", source: yt + v,
            attributes: ["width": "360", "height": "640"]),
        // Lists, uploads, broadcasts.
        Row(
            address: "https://www.youtube.com/playlist?list=PLrAXtmErZgOe", asked: "",
            source: yt + "videoseries?list=PLrAXtmErZgOe"),
        Row(
            address: "https://www.youtube.com/playlist?list=PLrAXtmErZgOe", asked: "autoplay=1 loop=1",
            source: yt + "videoseries?autoplay=1&list=PLrAXtmErZgOe&loop=1&mute=1"),
        Row(
            address: "https://www.youtube.com/playlist?list=PLrAXtmErZgOe", asked: "list=PLother1",
            source: yt + "videoseries?list=PLrAXtmErZgOe"),
        Row(
            address: "https://www.youtube.com/user/lua", asked: "",
            source: "https://www.youtube-nocookie.com/embed?list=lua&listType=user_uploads"),
        Row(
            address: "UCYO_jab_esuFRV4b17AJtAw", asked: "", source: yt + "videoseries?list=UUYO_jab_esuFRV4b17AJtAw"),
        Row(
            address: "UCYO_jab_esuFRV4b17AJtAw", asked: "live",
            source: yt + "live_stream?channel=UCYO_jab_esuFRV4b17AJtAw"),
        // How it is shown.
        Row(
            address: v, asked: "width=800", source: yt + v, attributes: ["width": "800", "height": "450"]),
        Row(
            address: v, asked: "width=200 height=200", source: yt + v, attributes: ["width": "200", "height": "200"]),
        Row(address: v, asked: "eager", source: yt + v, attributes: ["loading": "eager"]),
        Row(address: v, asked: "fixed", source: yt + v, attributes: ["style": "border:0"]),
        Row(
            address: v, asked: "facade", source: yt + v + "?autoplay=1", attributes: ["loading": "eager"]),
        Row(
            address: v, asked: "facade mute=0 loop=1", source: yt + v + "?autoplay=1&loop=1&mute=0&playlist=" + v,
            attributes: ["loading": "eager"]),
        Row(
            address: v, asked: "facade autoplay=0", source: yt + v + "?autoplay=0", attributes: ["loading": "eager"]),
        // Vimeo.
        Row(address: vimeo, asked: "", source: vm + "?dnt=1"),
        Row(address: vimeo, asked: "cookies", source: vm),
        Row(address: vimeo, asked: "dnt=0", source: vm + "?dnt=0"),
        Row(address: vimeo + "/8272103f6e", asked: "", source: vm + "?dnt=1&h=8272103f6e"),
        Row(address: vimeo, asked: "h=8272103f6e", source: vm + "?dnt=1&h=8272103f6e"),
        Row(address: vimeo, asked: "autoplay=1", source: vm + "?autoplay=1&dnt=1&muted=1"),
        Row(address: vimeo, asked: "mute=1 loop=1", source: vm + "?dnt=1&loop=1&muted=1"),
        Row(address: vimeo, asked: "background=1", source: vm + "?background=1&dnt=1"),
        Row(
            address: vimeo, asked: "byline=0 portrait=0 title=0 color=#00ADEF",
            source: vm + "?byline=0&color=00adef&dnt=1&portrait=0&title=0"),
        Row(address: vimeo, asked: "colors=000,fff,00adef", source: vm + "?colors=000%2Cfff%2C00adef&dnt=1"),
        Row(address: vimeo + "#t=1m30s", asked: "", source: vm + "?dnt=1#t=90s"),
        Row(address: vimeo, asked: "start=10 finish=20", source: vm + "?dnt=1&end_time=20#t=10s"),
        Row(
            address: vimeo, asked: "min_quality=360p max_quality=1080p initial_quality=720p quality=auto",
            source: vm + "?dnt=1&initial_quality=720p&max_quality=1080p&min_quality=360p&quality=auto"),
        Row(
            address: vimeo, asked: "texttrack=en.captions audiotrack=de",
            source: vm + "?audiotrack=de&dnt=1&texttrack=en.captions"),
        Row(
            address: vimeo, asked: "fullscreen=0 speed=1 pip=0 keyboard=0",
            source: vm + "?dnt=1&fullscreen=0&keyboard=0&pip=0&speed=1", attributes: ["allowfullscreen": "-"]),
        Row(
            address: vimeo, asked: "responsive=1 transparent=0 playsinline=0 app_id=122963",
            source: vm + "?app_id=122963&dnt=1&playsinline=0&responsive=1&transparent=0"),
        Row(
            address: "https://vimeo.com/showcase/4892371", asked: "",
            source: "https://vimeo.com/showcase/4892371/embed?dnt=1"),
        // PeerTube.
        Row(address: peer, asked: "", source: pt),
        Row(address: peer, asked: "autoplay=1", source: pt + "?autoplay=1&muted=1"),
        Row(
            address: peer, asked: "start=1m30s stop=120 loop=1 title=0 warningTitle=0",
            source: pt + "?loop=1&start=90s&stop=120s&title=0&warningTitle=0"),
        Row(
            address: peer + "?start=30s", asked: "subtitle=fr p2p=0 peertubeLink=0 playbackRate=1.5",
            source: pt + "?p2p=0&peertubeLink=0&playbackRate=1.5&start=30s&subtitle=fr"),
        Row(
            address: "https://tube.example/w/p/kmtJJ4jnGmKD6v9JV99Wf4", asked: "playlistPosition=2",
            source: "https://tube.example/video-playlists/embed/kmtJJ4jnGmKD6v9JV99Wf4?playlistPosition=2"),
    ]

    @Test("there is a row for sixty combinations at least, and one for every parameter of YouTube's") func enough() {
        #expect(Self.rows.count >= 60)
        let asked = Self.rows.map(\.asked).joined(separator: " ")
        for parameter in EmbedPlayer.youtube.parameters { #expect(asked.contains(parameter.name + "=")) }
    }

    @Test("the frame has the attributes that belong to what was asked for", arguments: rows)
    func frame(row: Row) throws {
        var options = Embed.Options()
        options.title = "A \"title\" & <b>more</b>"
        for word in row.asked.split(separator: " ") {
            let pair = word.split(separator: "=", maxSplits: 1).map(String.init)
            switch pair[0] {
            case "cookies": options.isPrivate = false
            case "live": options.isLive = true
            case "eager": options.isLazy = false
            case "fixed": options.isResponsive = false
            case "facade": options.isFacade = true
            case "width": options.width = Int64(pair[1])
            case "height": options.height = Int64(pair[1])
            default: options.parameters.append(.init(pair[0], .text(pair[1])))
            }
        }
        let embed = try Embed(MediaRef.parse(row.address), options)
        let tree = try MarkupTree.html(Array("<!DOCTYPE html><body>\(embed.html)".utf8))
        let frames = try MarkupSelector("iframe").select(in: tree.root)
        let frame = try #require(frames.first)
        #expect(frames.count == 1)
        var attributes = Dictionary(
            frame.attributes.map { ($0.name.local, $0.value) }, uniquingKeysWith: { first, _ in first })
        let source = try #require(WebAddress(attributes.removeValue(forKey: "src") ?? ""))
        let wanted = try #require(WebAddress(row.source))
        #expect(source.host == wanted.host && source.path == wanted.path && source.fragment == wanted.fragment)
        #expect(source.queryItems.map { "\($0)" }.sorted() == wanted.queryItems.map { "\($0)" }.sorted())
        #expect(attributes.removeValue(forKey: "title") == options.title)
        var expected = Self.usual.merging(row.attributes) { _, new in new }.filter { $0.value != "-" }
        // How a parser writes an attribute without a value is its own.
        if attributes["allowfullscreen"] != nil, expected["allowfullscreen"] != nil {
            expected["allowfullscreen"] = attributes["allowfullscreen"]
        }
        #expect(attributes == expected)
        #expect(try MarkupSelector("title, b").select(in: tree.root).isEmpty)
    }

    @Test("a facade loads nothing before a click: a link, a picture of the page's own, and the frame in a template")
    func facade() throws {
        var options = Embed.Options()
        options.isFacade = true
        options.title = "</a></template><script>alert(1)</script>"
        options.picture = "data:image/png;base64,iVBORw0KGgo="
        func tree() throws -> MarkupTree {
            try MarkupTree.html(Array(try Embed(MediaRef.parse(Self.v), options).html.utf8))
        }
        let facade = try tree()
        let frames = try MarkupSelector("iframe").select(in: facade.root)
        #expect(frames.count == 1 && frames[0].parent?.name.local == "template")
        #expect(try MarkupSelector("a").select(in: facade.root)[0].attribute("href")?.contains("watch?v=") == true)
        #expect(try MarkupSelector("script").select(in: facade.root).map(\.text) == [Embed.facadeScript])
        #expect(try MarkupSelector("img").select(in: facade.root)[0].attribute("src") == options.picture)
        let bad = [
            "http://a.example/p.jpg", "javascript:alert(1)", "data:image/svg+xml;base64,AAAA",
            "data:text/html;base64,AA",
            "data:image/png;base64,AA\" onerror=\"alert(1)", "",
        ]
        for picture in bad {
            options.picture = picture
            #expect(try MarkupSelector("img").select(in: tree().root).isEmpty, "\(picture)")
        }
    }
}
