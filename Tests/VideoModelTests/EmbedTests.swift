// Players in pages: what each address and each set of parameters becomes. Markup is judged in VideoFormatsTests, where a
// parser of HTML reads it back.

import Testing

@testable import Basics
@testable import VideoModel

@Suite struct EmbedTests {
    private static let id = "dQw4w9WgXcQ"
    private static let watch = "https://youtu.be/dQw4w9WgXcQ"
    private static let peerTube = "https://tube.example/w/kmtJJ4jnGmKD6v9JV99Wf4"

    private func embed(_ text: String, _ parameters: [FieldValue.Member] = [], facade: Bool = false) throws -> Embed {
        var options = Embed.Options()
        options.parameters = parameters
        options.isFacade = facade
        return try Embed(MediaRef.parse(text), options)
    }

    @Test(
        "parameters that a player would leave out are refused, with the reason",
        arguments: [
            (watch, [("modestbranding", "1")], "'modestbranding' does nothing: YouTube ignores it"),
            (watch, [("showinfo", "0")], "'showinfo' does nothing"), (watch, [("theme", "light")], "'theme' does"),
            (watch, [("autohide", "1")], "'autohide' does"), (watch, [("vq", "hd720")], "quality by itself"),
            (watch, [("wmode", "opaque")], "Flash"), (watch, [("version", "3")], "Flash"),
            (watch, [("html5", "1")], "no other player"),
            (watch, [("listType", "search"), ("list", "lua")], "ended in November 2020"),
            (watch, [("autplay", "1")], "the player of youtube takes no 'autplay'"),
            (watch, [("byline", "1")], "the player of youtube takes no 'byline'"),
            (watch, [("autoplay", "maybe")], "'autoplay' takes true or false"),
            (watch, [("autoplay", "1"), ("mute", "0")], "autoplay needs mute"),
            (watch, [("start", "-1")], "'start' takes whole seconds"), (watch, [("start", "1.5")], "'start' takes"),
            (watch, [("end", "0")], "'end' takes whole seconds from 1"),
            (watch, [("start", "30"), ("end", "30")], "it would stop at 30 s and begin at 30 s"),
            (watch, [("color", "blue")], "'color' takes one of red, white"),
            (watch, [("iv_load_policy", "2")], "'iv_load_policy' takes one of 1, 3"),
            (watch, [("hl", "english!")], "'hl' takes a language"),
            (watch, [("cc_lang_pref", "e")], "'cc_lang_pref' takes a language"),
            (watch, [("cc_load_policy", "0")], "'cc_load_policy' takes true"),
            (watch, [("enablejsapi", "1")], "enablejsapi needs origin"),
            (watch, [("origin", "https://a.example/path")], "'origin' takes a scheme and a host"),
            (watch, [("origin", "javascript:alert(1)")], "'origin' takes"),
            (watch, [("widget_referrer", "data:text/html,x")], "'widget_referrer' takes an address"),
            (watch, [("playlist", "short")], "'playlist' takes ids"), (watch, [("list", "a b")], "'list' takes the id"),
            (watch, [("listType", "playlist")], "there is no list"),
            ("https://vimeo.com/1", [("api", "1")], "belonged to a player that is gone"),
            ("https://vimeo.com/1", [("rel", "0")], "the player of vimeo takes no 'rel'"),
            ("https://vimeo.com/1", [("color", "red")], "'color' takes three or six"),
            ("https://vimeo.com/1", [("colors", "fff,000,fff,000,fff")], "'colors' takes up to four"),
            ("https://vimeo.com/1", [("quality", "8k")], "'quality' takes one of auto"),
            ("https://vimeo.com/1", [("min_quality", "4k"), ("max_quality", "360p")], "min_quality is better"),
            ("https://vimeo.com/1", [("background", "1"), ("controls", "1")], "leave controls out"),
            ("https://vimeo.com/1", [("autoplay", "1"), ("muted", "0")], "autoplay needs muted"),
            ("https://vimeo.com/1", [("h", "xyz")], "'h' takes the hash"),
            (peerTube, [("playbackRate", "9")], "'playbackRate' takes one of"),
            (peerTube, [("playlistPosition", "0")], "'playlistPosition' takes a whole number from 1"),
            (peerTube, [("start", "9"), ("stop", "5")], "it would stop at 5 s"),
        ] as [(String, [(String, String)], String)])
    func refused(text: String, parameters: [(String, String)], reason: String) throws {
        let members = parameters.map { FieldValue.Member($0.0, .text($0.1)) }
        let problem = #expect(throws: EmbedProblem.self) { try embed(text, members) }
        #expect(problem?.description.contains(reason) == true, "\(problem?.description ?? "")")
    }

    @Test(
        "what does not play elsewhere is a link that says why",
        arguments: [
            ([.availability: .text("private")], "It is private"), ([.availability: .text("deleted")], "deleted"),
            ([.embeddable: .bool(false)], "on the service's own page only"),
            ([.regions: .record([.init("allowed", .list([]))])], "It plays in no country"),
            ([.availability: .text("adults")], "It is for adults"),
            ([.availability: .text("removed")], "took it down"),
            ([.raw: .record([.init("age_limit", .integer(18))])], "It is for adults"),
        ] as [([VideoField: FieldValue], String)])
    func refusesToPlay(fields: [VideoField: FieldValue], reason: String) throws {
        var all: [VideoField: FieldValue] = [
            .provider: .text("youtube"), .id: .text(Self.id), .title: .text("<b>&\u{202E}\""),
        ]
        all.merge(fields) { _, new in new }
        let embed = try Embed(Video(all))
        #expect(embed.kind == .link && embed.address == nil && embed.reason?.contains(reason) == true)
        #expect(embed.link == "https://www.youtube.com/watch?v=dQw4w9WgXcQ")
        #expect(
            embed.html.contains("&lt;b&gt;&amp;") && !embed.html.contains("<iframe") && !embed.html.contains("\u{202E}")
        )
    }

    @Test(
        "what has no player has a link",
        arguments: [
            ("@lua", "by its id"), ("https://www.youtube.com/c/lua", "by its id"),
            ("https://vimeo.com/channels/staffpicks", "no player for a channel"),
            ("https://vimeo.com/someone", "no player for a user"),
        ])
    func noPlayer(text: String, reason: String) throws {
        let embed = try embed(text)
        #expect(embed.kind == .link && embed.reason?.contains(reason) == true)
    }

    @Test("a record that no service is known of is a link, and its address is one of the web or left out")
    func strangers() throws {
        let page = try Embed(Video([.title: .text("Talk"), .url: .text("https://example.org/talk")]))
        #expect(page.kind == .link && page.html.contains("href=\"https://example.org/talk\""))
        let script = try Embed(Video([.title: .text("Talk"), .url: .text("javascript:alert(1)")]))
        #expect(script.link == nil && !script.html.contains("href"))
        let unlisted = try Embed(Video([.url: .text("https://vimeo.com/76979871"), .availability: .text("unlisted")]))
        #expect(unlisted.kind == .link && unlisted.reason?.contains("the hash") == true)
        let known = try Embed(
            Video([.url: .text("https://vimeo.com/76979871/8272103f6e"), .availability: .text("unlisted")]))
        #expect(known.address == "https://player.vimeo.com/video/76979871?dnt=1&h=8272103f6e")
    }

    @Test("no video begins behind its end: asking for it is refused, and the address of a record is not believed")
    func begins() throws {
        let video = Video([.url: .text(Self.watch + "?t=300"), .duration: .integer(213)])
        #expect(try Embed(video).address == "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ")
        var options = Embed.Options()
        options.parameters = [.init("start", .integer(213))]
        #expect(throws: EmbedProblem.self) { try Embed(video, options) }
        let text = "https://www.youtube.com/embed/dQw4w9WgXcQ?start=9&end=5"
        let problem = #expect(throws: EmbedProblem.self) { try Embed(MediaRef.parse(text)) }
        #expect(problem?.description.contains("its address: it would stop at 5 s and begin at 9 s") == true)
        // What a record says is a stranger's word.
        let backwards = try Embed(Video([.url: .text(text)]))
        #expect(backwards.address == "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ")
    }

    @Test(
        "sizes follow from each other, and Shorts stand upright",
        arguments: [
            (nil, nil, false, 640, 360), (800, nil, false, 800, 450), (nil, 450, false, 800, 450),
            (300, 300, false, 300, 300), (200, nil, false, 200, 200), (nil, nil, true, 360, 640),
            (270, nil, true, 270, 480),
        ] as [(Int64?, Int64?, Bool, Int64, Int64)])
    func sizes(width: Int64?, height: Int64?, short: Bool, across: Int64, down: Int64) throws {
        var options = Embed.Options()
        (options.width, options.height) = (width, height)
        let address = short ? "https://www.youtube.com/shorts/dQw4w9WgXcQ" : Self.watch
        let embed = try Embed(MediaRef.parse(address), options)
        #expect(embed.width == across && embed.height == down)
    }

    @Test("every parameter of a player takes some value and refuses another", arguments: EmbedPlayer.allCases)
    func parameters(player: EmbedPlayer) {
        let values: [FieldValue] = [
            .bool(true), .integer(7), .text("1"), .text("en"), .text("fff"), .text("https://example.org"), .text("0.5"),
            .text(Self.id), .text("red"), .text("playlist"), .text("360p"), .text("8272103f6e"),
        ]
        for parameter in player.parameters {
            #expect(values.contains { parameter.read($0) != nil }, "\(parameter.name)")
            for value: FieldValue in [
                .text(""), .text("\u{0}"), .text("\"><script>"), .record([]), .number(0.5), .none,
            ] {
                #expect(parameter.read(value) == nil, "\(parameter.name)")
            }
        }
        let names = player.parameters.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(player.refused.allSatisfy { !names.contains($0.key) })
    }
}
