// Records: what follows from other fields, and that unknown stays unknown. A default that looks like data (0, "", a
// false) would be taken for data by every filter.

import Basics
import Testing
import VideoModel

@Suite("Video")
struct VideoTests {
    @Test("what is not known of a record is none, never 0 or empty", arguments: VideoField.allCases)
    func unknown(field: VideoField) {
        #expect(Video()[field] == (field == .kind ? .text("video") : .none))
    }

    @Test("a channel is never missing, but its fields may be")
    func channel() {
        #expect(Video().channel == Channel())
        #expect(Video().thumbnails.isEmpty)
        #expect(Video().tags == nil)
        #expect(Video().published == nil)
    }

    @Test(
        "the address follows from provider, kind and id",
        arguments: [
            ("youtube", "video", "dQw4w9WgXcQ", "https://www.youtube.com/watch?v=dQw4w9WgXcQ"),
            (
                "youtube", "channel", "UC_x5XG1OV2P6uZZ5FSM9Ttw",
                "https://www.youtube.com/channel/UC_x5XG1OV2P6uZZ5FSM9Ttw"
            ),
            ("youtube", "playlist", "PLBB231211A4F62143", "https://www.youtube.com/playlist?list=PLBB231211A4F62143"),
            ("vimeo", "video", "76979871", "https://vimeo.com/76979871"),
            ("youtube", "video", "truncated", nil), ("youtube", "video", "UC_x5XG1OV2P6uZZ5FSM9Ttw", nil),
            ("youtube", "video", "<script>11\"", nil), ("vimeo", "video", "76979871/x", nil),
            ("vimeo", "channel", "1", nil),
            ("peertube", "video", "9dRFC6Ya11NCVeYKn8ZhiD", nil), ("feed", "video", "x", nil),
        ] as [(String, String, String, String?)])
    func url(provider: String, kind: String, id: String, url: String?) {
        let video = Video([.provider: .text(provider), .kind: .text(kind), .id: .text(id)])
        #expect(video.url == url)
    }

    @Test("a channel hit never links to watch?v=")
    func channelHit() {
        let hit = Video([.provider: .text("youtube"), .kind: .text("channel"), .id: .text("dQw4w9WgXcQ")])
        #expect(hit.url == nil)
    }

    @Test("an address of the source's own is kept, and one that is taken away is derived no more")
    func ownAddress() {
        var video = Video([.provider: .text("youtube"), .id: .text("dQw4w9WgXcQ"), .url: .text("https://example.org/")])
        #expect(video.url == "https://example.org/")
        video[.url] = .none
        #expect(video[.url] == .none)
    }

    @Test("the channel's address follows from its id")
    func channelAddress() {
        let channel = FieldValue.record([
            .init("id", .text("UC_x5XG1OV2P6uZZ5FSM9Ttw")), .init("title", .text("Google")),
        ])
        let video = Video([.provider: .text("youtube"), .channel: channel])
        #expect(video.channel.url == "https://www.youtube.com/channel/UC_x5XG1OV2P6uZZ5FSM9Ttw")
        #expect(Video([.channel: channel]).channel.url == nil)
    }

    @Test(
        "live and live_state follow from each other only as far as they tell",
        arguments: [
            ("live", true), ("upcoming", false), ("was_live", false), ("none", false),
        ])
    func live(state: String, live: Bool) {
        #expect(Video([.liveState: .text(state)])[.live] == .bool(live))
    }

    @Test("a record that is on air has that state; one that is not has no known state")
    func liveState() {
        #expect(Video([.live: .bool(true)])[.liveState] == .text("live"))
        #expect(Video([.live: .bool(false)])[.liveState] == .none)
        #expect(Video([.live: .bool(true)])[.live] == .bool(true))
    }

    @Test("changes lie on top and leave copies alone")
    func changes() {
        let first = Video([.title: .text("old"), .views: .integer(5)], extra: [.init("x", .integer(1))])
        var second = first
        second[.title] = .text("new")
        second.extra = []
        #expect(first.title == "old")
        #expect(first.extra == [.init("x", .integer(1))])
        #expect(second.title == "new")
        #expect(second.views == 5)
        #expect(second.extra.isEmpty)
    }

    @Test(
        "regions say where a video plays, in any letter case",
        arguments: [
            ("allowed", ["DE", "AT"], "de", true), ("allowed", ["DE"], "US", false), ("allowed", [], "DE", false),
            ("blocked", ["DE"], "DE", false), ("blocked", ["de"], "DE", false), ("blocked", ["DE"], "US", true),
            ("blocked", [], "DE", true),
        ] as [(String, [String], String, Bool)])
    func playable(rule: String, countries: [String], country: String, plays: Bool) {
        let regions = FieldValue.record([.init(rule, .list(countries.map(FieldValue.text)))])
        #expect(Video([.regions: regions]).playable(in: country) == plays)
    }

    @Test("without regions nothing is known of where a video plays")
    func playableUnknown() {
        #expect(Video().playable(in: "DE") == nil)
        #expect(Video([.regions: .record([])]).playable(in: "DE") == nil)
    }

    @Test("every field has one name that finds it again", arguments: VideoField.allCases)
    func names(field: VideoField) {
        #expect(VideoField(name: field.name) == field)
        #expect(!field.summary.isEmpty)
    }

    @Test("a misspelt field is none of them")
    func misspelt() {
        #expect(VideoField(name: "titel") == nil)
        #expect(VideoField.names.count == VideoField.allCases.count)
    }
}
