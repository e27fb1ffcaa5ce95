// Addresses: every form the services and their players have used, and the look-alikes. A row here is an address some
// program really wrote; a bug becomes a row first.

import Basics
import Testing
import VideoModel

private let id = "dQw4w9WgXcQ"
private let list = "PLrAXtmErZgOeiKm4sgNOknGvNjby9efdf"
private let owner = "UC_x5XG1OV2P6uZZ5FSM9Ttw"
private let uuid = "4294a720-f263-4ea4-9392-cf9cea4d5277"
private let short = "9dRFC6Ya11NCVeYKn8ZhiD"

@Suite("MediaRef")
struct MediaRefTests {
    @Test(
        "a YouTube video is found in every form of its address",
        arguments: [
            "https://www.youtube.com/watch?v=\(id)", "http://youtube.com/watch?feature=share&v=\(id)",
            "https://m.youtube.com/watch?v=\(id)", "https://music.youtube.com/watch?v=\(id)",
            "youtu.be/\(id)?si=abcDEF",
            "//www.youtube.com/watch?v=\(id)", "https://www.youtube.com/live/\(id)?feature=share",
            "https://www.youtube-nocookie.com/embed/\(id)", "https://www.youtube.com/v/\(id)?version=3",
            "https://www.youtube.com/e/\(id)", "https://www.youtube.com/vi/\(id)/0.jpg",
            "https://www.youtube.com/watch_popup?v=\(id)", "https://www.youtubekids.com/watch?v=\(id)",
            "https://youtube.googleapis.com/v/\(id)", "https://m.youtube.com/details?v=\(id)",
            "https://www.youtube.com/watch/\(id)", "https://www.youtube.com/w/\(id)", "http://youtube.com/?v=\(id)",
            "http://youtube.com/?vi=\(id)&feature=x", "https://youtu.be/watch?v=\(id)", "https://www.youtu.be/\(id)/",
            "http://www.youtube.com/user/name#p/u/1/\(id)?rel=0", "https://www.youtube.com/watch#!v=\(id)",
            "https://www.youtube.com/#/watch?v=\(id)", "https://gdata.youtube.com/feeds/api/videos/\(id)/related",
            "vnd.youtube:\(id)", "vnd.youtube://www.youtube.com/watch?v=\(id)", "youtube://\(id)",
            // Pictures.
            "https://i.ytimg.com/vi/\(id)/maxresdefault.jpg", "https://i1.ytimg.com/vi/\(id)/hqdefault.jpg",
            "https://i4.ytimg.com/vi/\(id)/0.jpg", "https://i.ytimg.com/vi_webp/\(id)/sddefault.webp",
            "https://img.youtube.com/vi/\(id)/mqdefault.jpg", "https://i.ytimg.com/an_webp/\(id)/mqdefault_6s.webp",
            // Addresses in addresses.
            "https://www.youtube.com/attribution_link?a=x&u=%2Fwatch%3Fv%3D\(id)%26feature%3Dshare",
            "http://www.youtube.com/attribution_link?u=/watch?v=\(id)&feature=share&a=x",
            "https://www.youtube.com/redirect?q=https%3A%2F%2Fyoutu.be%2F\(id)",
            "https://www.youtube.com/oembed?url=https%3A%2F%2Fwww.youtube.com%2Fwatch%3Fv%3D\(id)&format=json",
            "https://www.youtube.com/verify_age?next_url=/watch%3Ffeature%3Dplayer_embedded%26v%3D\(id)",
            "https://www.youtube.com/signin?next=%2Fwatch%3Fv%3D\(id)&action_handle_signin=true",
            "https://www.youtube.com/supported_browsers?next_url=https%3A%2F%2Fwww.youtube.com%2Fwatch%3Fv%3D\(id)",
            "https://m.youtube.com/index?desktop_uri=%2Fwatch%3Fv%3D\(id)",
            "https://www.youtube.com:443/verify_age?next_url=http%3A%2F%2Fwww.youtube.com%3A80%2Fwatch%3Fv%3D\(id)",
            "https://www.youtube.com/watch?v%3D\(id)",
            // As people paste them.
            "  https://youtu.be/\(id)\n", "<https://youtu.be/\(id)>", "<URL:https://youtu.be/\(id)>",
            "\u{FEFF}https://youtu.be/\(id)\u{200B}", "HTTPS://WWW.YouTube.COM/watch?v=\(id)",
            "https://www.youtube.com./watch?v=\(id)", "https://www.youtube.com:443/watch?v=\(id)",
            "http://www.youtube.com:80/watch?v=\(id)", "www.youtube.com:443/watch?v=\(id)",
            "https%3A%2F%2Fwww.youtube.com%2Fwatch%3Fv%3D\(id)", "https%253A%252F%252Fyoutu.be%252F\(id)",
            "youtu.be%2F\(id)", "https://www.youtube.com/watch%3Fv%3D\(id)",
            "https://www.youtube.com/watch?v=dQw4w9WgXc%51",
            "https://www.youtube.com/watch?feature=player_embedded&amp;amp;v=\(id)",
            "https://www.youtube.com/watch?feature=x&#38;v=\(id)", "http://youtu.be/\(id)&feature=channel",
            "http://youtube.com/vi/\(id)&foo=bar", "https://www.youtube.com//watch/?v=\(id)",
            "https://www.youtube.com/watch?v=\(id)&v=BaW_jenozKc", id,
        ])
    func youTubeVideo(text: String) throws {
        let ref = try MediaRef.parse(text)
        #expect(
            ref == MediaRef(provider: "youtube", kind: .video, id: id, url: "https://www.youtube.com/watch?v=\(id)"))
    }

    @Test("a bare id may look like a flag")
    func flag() throws {
        #expect(try MediaRef.parse("-wNyEUrxzFU").id == "-wNyEUrxzFU")
    }

    @Test("only the address of a Short says that it is one")
    func shorts() throws {
        #expect(try MediaRef.parse("https://www.youtube.com/shorts/\(id)").short == true)
        #expect(try MediaRef.parse("https://www.youtube.com/watch?v=\(id)").short == nil)
    }

    @Test(
        "a time to start at is read in every form",
        arguments: [
            ("youtu.be/\(id)?t=1h6m47s", 4007), ("youtu.be/\(id)?t=171", 171), ("youtu.be/\(id)#t=90s", 90),
            ("www.youtube.com/watch?v=\(id)&amp;t=1m4s", 64), ("www.youtube.com/watch?v=\(id)#t=90s", 90),
            ("www.youtube.com/embed/\(id)?start=30", 30), ("www.youtube.com/watch?v=\(id)&time_continue=12", 12),
            ("www.youtube.com/watch?v=\(id)?t=30", 30), ("youtu.be/\(id)?t=0", 0), ("youtu.be/\(id)?t=1.9s", 1),
            ("youtu.be/\(id)?t=x&start=5", 5), ("vimeo.com/36881035#t=3m28s", 208), ("vimeo.com/36881035#t=208", 208),
            ("player.vimeo.com/video/823141156?h=90e6d75118#t=1m30s", 90),
            ("framatube.org/videos/embed/\(uuid)?start=90s", 90), ("framatube.org/w/\(short)?start=1m30s", 90),
            ("framatube.org/w/\(short);threadId=5?start=10s", 10), ("youtu.be/\(id)?t=3&t=4#t=5", 3),
        ] as [(String, Int64)])
    func start(text: String, seconds: Int64) throws {
        #expect(try MediaRef.parse(text).start == seconds)
        #expect(try MediaRef.parse("https://" + text).start == seconds)
    }

    @Test(
        "the players' own ways to write a time are read, and nothing else",
        arguments: [
            ("asd", nil), ("", nil), ("1h%20x", nil), ("-5", nil), ("1:2:", nil), ("1:2m", nil),
            ("9223372036854775808", nil),
            ("9223372036854775807w", nil), ("1:9223372036854775807:00:00:00", nil), ("0:0:0:0:0:1", nil),
            ("1w", 604_800), ("1d", 86_400), ("1h", 3600), ("1m", 60), ("1s", 1), ("1", 1), ("01:00:00:00:00", 604_800),
            ("01:00:00:00", 86_400), ("01:00:00", 3600), ("01:00", 60), ("0:01", 1), ("00:01", 1),
            ("1w1d1h1m1s", 694_861),
            ("01:01:01:01:01", 694_861), ("30w1m", 18_144_060), ("30:00:00:01:00", 18_144_060), ("100", 100),
            ("4m30s", 270), ("04:30", 270), ("04m30", 270), ("04m30s", 270), ("1h30m25s", 5425), ("1:30:25", 5425),
            ("1h30m25", 5425), ("1h30m25s25s", 5450), ("1h30m25s25", 5450), ("1h30m25s25s1h1w", 613_850),
        ] as [(String, Int64?)])
    func time(text: String, seconds: Int64?) throws {
        #expect(try MediaRef.parse("https://youtu.be/\(id)?t=\(text)").start == seconds)
    }

    @Test("a time to stop at is kept")
    func finish() throws {
        let ref = try MediaRef.parse("https://www.youtube.com/embed/\(id)?start=30&end=60")
        #expect(ref.start == 30)
        #expect(ref.finish == 60)
        #expect(ref.url == "https://www.youtube.com/watch?v=\(id)")
        let range = try MediaRef.parse("https://youtu.be/\(id)#t=10,20")
        #expect([range.start, range.finish] == [10, 20])
        #expect(try MediaRef.parse("https://framatube.org/w/\(short)?start=5&stop=1m").finish == 60)
    }

    @Test(
        "the range in a fragment follows W3C Media Fragments",
        arguments: [
            ("10,20", 10, 20), ("npt:10,20", 10, 20), ("npt:3", 3, nil), ("npt:0:01:05", 65, nil), (",20", nil, 20),
            ("npt:,20", nil, 20), ("10&t=20", 20, nil), ("10&t=x", 10, nil), ("5,9&t=20", 20, nil), ("7,3", nil, nil),
            ("7,7", nil, nil), ("3,7,", nil, nil), ("10,", nil, nil), (",", nil, nil), ("0,0", nil, nil),
            ("smpte:00:00:10,00:00:20", nil, nil), ("clock:2009-07-26T11:19:01Z", nil, nil), ("10%2C20", 10, 20),
            ("x,20", nil, nil),
        ] as [(String, Int64?, Int64?)])
    func range(text: String, start: Int64?, finish: Int64?) throws {
        for address in ["https://youtu.be/\(id)", "https://vimeo.com/76979871", "https://framatube.org/w/\(short)"] {
            let ref = try MediaRef.parse(address + "#t=" + text)
            #expect([ref.start, ref.finish] == [start, finish])
        }
    }

    @Test(
        "a video keeps the list it was found in",
        arguments: [
            ("https://www.youtube.com/watch?v=\(id)&list=\(list)&index=2", list),
            ("https://youtu.be/\(id)?list=RD\(id)", "RD\(id)"), ("https://www.youtube.com/watch?v=\(id)&list=WL", "WL"),
            ("https://www.youtube.com/watch?list=\(list)&v=\(id)#t=100", list),
            ("https://www.youtube.com/embed/\(id)?loop=1&list=\(id)", nil), ("https://youtu.be/\(id)?list=a/b", nil),
        ] as [(String, String?)])
    func videoInList(text: String, list: String?) throws {
        let ref = try MediaRef.parse(text)
        #expect(ref.kind == .video)
        #expect(ref.id == id)
        #expect(ref.list == list)
    }

    @Test(
        "YouTube lists and channels are found in every form",
        arguments: [
            ("https://www.youtube.com/playlist?list=\(list)", .playlist, list, "playlist?list=\(list)"),
            ("https://www.youtube.com/embed/videoseries?list=\(list)", .playlist, list, "playlist?list=\(list)"),
            ("//youtube.com/embed?list=PL46F0A159EC02DF82&listType=playlist", .playlist, "PL46F0A159EC02DF82", nil),
            ("https://www.youtube.com/watch?list=\(list)", .playlist, list, nil),
            ("https://music.youtube.com/browse/VL\(list)", .playlist, list, nil),
            ("https://www.youtube.com/feeds/videos.xml?playlist_id=\(list)", .playlist, list, nil),
            (
                "https://music.youtube.com/playlist?list=OLAK5uy_lEBUW9iTwqf0IlYPxZ8LrzpgqjAHZgZpM", .playlist,
                "OLAK5uy_lEBUW9iTwqf0IlYPxZ8LrzpgqjAHZgZpM", nil
            ),
            (list, .playlist, list, nil), ("PLBB231211A4F62143", .playlist, "PLBB231211A4F62143", nil),
            ("https://www.youtube.com/channel/\(owner)/videos", .channel, owner, "channel/\(owner)"),
            ("https://www.youtube.com/feeds/videos.xml?channel_id=\(owner)", .channel, owner, "channel/\(owner)"),
            ("https://www.youtube.com/embed/live_stream?channel=\(owner)", .channel, owner, "channel/\(owner)"),
            ("https://music.youtube.com/browse/\(owner)", .channel, owner, nil), (owner, .channel, owner, nil),
            ("https://www.youtube.com/@GoogleDevelopers/shorts", .handle, "@GoogleDevelopers", "@GoogleDevelopers"),
            ("https://www.youtube.com/%40GoogleDevelopers", .handle, "@GoogleDevelopers", "@GoogleDevelopers"),
            ("@GoogleDevelopers", .handle, "@GoogleDevelopers", "@GoogleDevelopers"),
            ("https://www.youtube.com/@노마드", .handle, "@노마드", "@%EB%85%B8%EB%A7%88%EB%93%9C"),
            ("https://www.youtube.com/user/Google", .user, "Google", "user/Google"),
            ("https://www.youtube.com/feeds/videos.xml?user=Google", .user, "Google", "user/Google"),
            ("https://www.youtube.com/embed?listType=user_uploads&list=Google", .user, "Google", "user/Google"),
            ("https://www.youtube.com/c/GoogleDevelopers", .custom, "GoogleDevelopers", "c/GoogleDevelopers"),
            ("https://www.youtube.com/c/%EB%85%B8%EB%A7%88%EB%93%9C", .custom, "노마드", "c/%EB%85%B8%EB%A7%88%EB%93%9C"),
        ] as [(String, MediaRef.Kind, String, String?)])
    func youTubeOther(text: String, kind: MediaRef.Kind, id: String, path: String?) throws {
        let ref = try MediaRef.parse(text)
        #expect(ref.provider == "youtube")
        #expect(ref.kind == kind)
        #expect(ref.id == id)
        #expect(ref.list == (kind == .playlist ? id : nil))
        if let path { #expect(ref.url == "https://www.youtube.com/" + path) }
    }

    @Test(
        "Vimeo's pages are told apart by the words before the number",
        arguments: [
            ("https://vimeo.com/76979871", .video, "76979871", nil),
            ("https://www.vimeo.com/187191771", .video, "187191771", nil),
            ("https://vimeo.com/823141156/90e6d75118?share=copy", .video, "823141156", "90e6d75118"),
            ("https://player.vimeo.com/video/823141156?h=90e6d75118", .video, "823141156", "90e6d75118"),
            ("//player.vimeo.com/video/97276391", .video, "97276391", nil),
            ("https://vimeo.com/123450987/randomhash", .video, "123450987", nil),
            ("https://vimeo.com/channels/staffpicks/76979871", .video, "76979871", nil),
            ("https://vimeo.com/groups/name/videos/76979871", .video, "76979871", nil),
            ("https://vimeo.com/showcase/3966056/video/76979871", .video, "76979871", nil),
            ("https://vimeo.com/album/2632481/video/79010983", .video, "79010983", nil),
            ("https://vimeo.com/videos/76979871", .video, "76979871", nil),
            ("https://vimeo.com/event/4753126/videos/1046153257", .video, "1046153257", nil),
            ("https://vimeo.com/ondemand/36938/126682985", .video, "126682985", nil),
            ("http://vimeo.com/moogaloop.swf?clip_id=2539741", .video, "2539741", nil),
            ("http://vimeopro.com/staff/frame/video/24069938", .video, "24069938", nil),
            ("https://vimeo.com/api/oembed.json?url=https%3A%2F%2Fvimeo.com%2F76979871", .video, "76979871", nil),
            ("https://www.youtube.com/redirect?q=https%3A%2F%2Fvimeo.com%2F76979871", .video, "76979871", nil),
            ("https://vimeo.com/showcase/3966056", .showcase, "3966056", nil),
            ("https://vimeo.com/album/2632481/embed", .showcase, "2632481", nil),
            ("https://vimeo.com/channels/staffpicks", .channel, "staffpicks", nil),
            ("https://vimeo.com/channels/1234", .channel, "1234", nil),
            ("https://vimeo.com/groups/109/videos/", .group, "109", nil),
            ("https://vimeo.com/event/4154130", .event, "4154130", nil),
            ("https://vimeo.com/event/4259978/3db517c479", .event, "4259978", "3db517c479"),
            ("https://vimeo.com/event/4606123/embed/358d60ce2e", .event, "4606123", "358d60ce2e"),
            ("https://vimeo.com/ondemand/nazmaalik", .ondemand, "nazmaalik", nil),
            ("https://vimeo.com/user21297594/review/75524534/3c257a1b5d", .video, "75524534", "3c257a1b5d"),
            ("https://vimeo.com/user21297594/review/75524534", .video, "75524534", nil),
            ("https://vimeo.com/76979871:3c257a1b5d", .video, "76979871", "3c257a1b5d"),
            ("https://vimeo.com/videos/76979871:3c257a1b5d", .video, "76979871", "3c257a1b5d"),
            ("https://player.vimeo.com/video/76979871:3c257a1b5d", .video, "76979871", "3c257a1b5d"),
            ("https://vimeo.com/nkistudio/videos", .user, "nkistudio", nil),
        ] as [(String, MediaRef.Kind, String, String?)])
    func vimeo(text: String, kind: MediaRef.Kind, id: String, hash: String?) throws {
        let ref = try MediaRef.parse(text)
        #expect(ref.provider == "vimeo")
        #expect(ref.kind == kind)
        #expect(ref.id == id)
        #expect(ref.hash == hash)
        // The canonical address names the same thing.
        #expect(try MediaRef.parse(ref.url) == ref)
    }

    @Test(
        "PeerTube's short id is its UUID",
        arguments: [
            ("3fEgj34VWmVufdDCYA2MKE", "123e4567-e89b-12d3-a456-426614174000"),
            ("1111111111111111111111", "00000000-0000-0000-0000-000000000000"), ("ZZZZZZZZZZZZZZZZZZZZZZ", nil),
            ("name", nil), ("", nil),
        ] as [(String, String?)])
    func peerTubeUUID(text: String, uuid: String?) {
        #expect(MediaRef.peerTubeUUID(text) == uuid ?? text)
    }

    @Test(
        "PeerTube is known by its paths and ids, on any host",
        arguments: [
            ("https://framatube.org/w/\(short)", .video, short, "framatube.org", "https://framatube.org/w/\(short)"),
            (
                "https://framatube.org/videos/watch/\(uuid)", .video, uuid, "framatube.org",
                "https://framatube.org/w/\(uuid)"
            ),
            (
                "https://example.com/videos/embed/\(uuid)?start=90s", .video, uuid, "example.com",
                "https://example.com/w/\(uuid)"
            ),
            (
                "https://example.com/api/v1/videos/\(short)", .video, short, "example.com",
                "https://example.com/w/\(short)"
            ),
            (
                "http://Example.COM./w/\(short);threadId=1", .video, short, "example.com",
                "https://example.com/w/\(short)"
            ),
            (
                "https://example.com/videos/watch/\(uuid);threadId=8872", .video, uuid, "example.com",
                "https://example.com/w/\(uuid)"
            ),
            (
                "https://example.com/w/p/\(short);playlistPosition=3", .playlist, short, "example.com",
                "https://example.com/w/p/\(short)"
            ),
            ("http://localhost:9000/w/\(short)", .video, short, "localhost:9000", "http://localhost:9000/w/\(short)"),
            ("localhost:9000/w/\(short)", .video, short, "localhost:9000", "https://localhost:9000/w/\(short)"),
            ("https://example.com/w/p/\(short)", .playlist, short, "example.com", "https://example.com/w/p/\(short)"),
            (
                "https://example.com/videos/watch/playlist/\(uuid)", .playlist, uuid, "example.com",
                "https://example.com/w/p/\(uuid)"
            ),
            (
                "https://peertube2.cpy.re/a/chocobozzz/videos", .user, "chocobozzz", "peertube2.cpy.re",
                "https://peertube2.cpy.re/a/chocobozzz"
            ),
            (
                "https://framatube.org/c/\(uuid)/videos", .channel, uuid, "framatube.org",
                "https://framatube.org/c/\(uuid)"
            ),
            (
                "https://example.com/c/blender@video.blender.org/videos", .channel, "blender@video.blender.org",
                "example.com",
                "https://example.com/c/blender@video.blender.org"
            ),
            // No id, a wrong one, a page of another site, a host that is none.
            ("https://example.com/w/", nil, "", "", ""), ("https://example.com/w/\(short)x", nil, "", "", ""),
            ("https://example.com/w/0dRFC6Ya11NCVeYKn8ZhiD", nil, "", "", ""),
            ("https://example.com/w/news", nil, "", "", ""),
            ("https://example.com/c/name", nil, "", "", ""), ("https://example.com/a/name", nil, "", "", ""),
            ("https://example.com/c/@x.org", nil, "", "", ""), ("https://exa%6Dple.com/w/\(short)", nil, "", "", ""),
            ("https://nodot/w/\(short)", nil, "", "", ""), ("https://example..com/w/\(short)", nil, "", "", ""),
        ] as [(String, MediaRef.Kind?, String, String, String)])
    func peerTube(text: String, kind: MediaRef.Kind?, id: String, host: String, url: String) throws {
        guard let kind else {
            #expect(throws: MediaRef.Refusal.self) { try MediaRef.parse(text) }
            return
        }
        let ref = try MediaRef.parse(text)
        #expect(ref.provider == "peertube")
        #expect(ref.kind == kind)
        #expect(ref.id == id)
        #expect(ref.host == host)
        #expect(ref.url == url)
    }

    @Test(
        "look-alikes, tricks and truncations are refused with the reason",
        arguments: [
            ("", .notURL("")), ("  ", .notURL("")), ("hello", .notURL("hello")), ("two words", .notURL("two words")),
            ("dQw4w9WgXc", .notURL("dQw4w9WgXc")), ("http://", .notURL("http://")),
            ("https:youtu.be", .notURL("https:youtu.be")),
            ("https://youtube.com\\@evil.example/", .notURL("https://youtube.com\\@evil.example/")),
            ("https://www.you\ttube.com/watch?v=\(id)", .notURL("https://www.you\ttube.com/watch?v=\(id)")),
            ("https://www.youtube.com/watch?v=dQw4w9WgXc", .videoID("dQw4w9WgXc")),
            ("https://www.youtube.com/watch?v=dQw4w9WgXcQQ", .videoID("dQw4w9WgXcQQ")),
            ("https://youtu.be/dQw4w9WgXc*", .videoID("dQw4w9WgXc*")),
            ("https://youtu.be/videoseries", .videoID("videoseries")),
            ("https://www.youtube.com/watch?v=%00Qw4w9WgXcQ", .videoID("\u{0}Qw4w9WgXcQ")),
            ("https://www.youtube.com.evil.example/watch?v=\(id)", .unknownHost("www.youtube.com.evil.example")),
            ("https://notyoutube.com/watch?v=\(id)", .unknownHost("notyoutube.com")),
            ("https://=.youtube.com/watch?v=\(id)", .unknownHost("=.youtube.com")),
            ("https://..youtube.com/watch?v=\(id)", .unknownHost("..youtube.com")),
            ("https://-.youtube.com/watch?v=\(id)", .unknownHost("-.youtube.com")),
            ("https://evil.example%2F.youtube.com/watch?v=\(id)", .unknownHost("evil.example%2f.youtube.com")),
            ("https://youtube.com-evil.example/watch?v=\(id)", .unknownHost("youtube.com-evil.example")),
            ("https://evil.example/youtube.com/watch?v=\(id)", .unknownHost("evil.example")),
            ("https://evil.example/?u=https://www.youtube.com/watch?v=\(id)", .unknownHost("evil.example")),
            ("https://evil.example#@youtube.com/watch?v=\(id)", .unknownHost("evil.example")),
            ("https://yоutube.com/watch?v=\(id)", .unknownHost("yоutube.com")),
            ("https://www.youtube.com%2Fevil.example/watch?v=\(id)", .unknownHost("www.youtube.com%2fevil.example")),
            ("https://vimeo.com.evil.example/76979871", .unknownHost("vimeo.com.evil.example")),
            ("https://evilvimeo.com/76979871", .unknownHost("evilvimeo.com")),
            ("https://[::1]/watch?v=\(id)", .unknownHost("[::1]")),
            ("https://youtube.com../watch?v=\(id)", .unknownHost("youtube.com.")),
            ("https://youtube.com@evil.example/watch?v=\(id)", .userInformation(host: "evil.example")),
            ("https://evil.example@youtube.com/watch?v=\(id)", .userInformation(host: "youtube.com")),
            ("https://a:b@c@youtube.com/watch?v=\(id)", .userInformation(host: "youtube.com")),
            ("javascript:alert(1)//youtu.be/\(id)", .scheme("javascript")),
            ("ftp://youtube.com/watch?v=\(id)", .scheme("ftp")),
            ("data:text/html,https://youtu.be/\(id)", .scheme("data")),
            ("file:///youtube.com/watch?v=\(id)", .scheme("file")),
            ("https://www.youtube.com:8080/watch?v=\(id)", .port(8080, host: "www.youtube.com")),
            ("www.youtube.com:22/watch?v=\(id)", .port(22, host: "www.youtube.com")),
            ("https://www.youtube.com/", .nothingNamed("www.youtube.com/")),
            ("https://youtu.be/", .nothingNamed("youtu.be/")),
            ("https://www.youtube.com/watch?hl=en", .nothingNamed("www.youtube.com/watch")),
            ("https://www.youtube.com/feed/trending?list=\(list)", .nothingNamed("www.youtube.com/feed/trending")),
            ("https://www.youtube.com/results?search_query=\(id)", .nothingNamed("www.youtube.com/results")),
            ("https://www.youtube.com/PewDiePie", .nothingNamed("www.youtube.com/PewDiePie")),
            ("https://i.ytimg.com/\(id)", .nothingNamed("i.ytimg.com/\(id)")),
            ("https://vimeo.com", .nothingNamed("vimeo.com/")),
            ("https://vimeo.com/watch", .nothingNamed("vimeo.com/watch")),
            ("https://www.youtube.com/channel/UCshort", .id("a YouTube channel id (UC and 22 characters)", "UCshort")),
            ("https://www.youtube.com/playlist?list=a/b", .id("a YouTube playlist id", "a/b")),
            ("https://www.youtube.com/@", .id("a YouTube handle", "@")),
            ("https://www.youtube.com/redirect?q=https%3A%2F%2Fevil.example%2F", .unknownHost("evil.example")),
            ("https://www.youtube.com/redirect?q=javascript:alert(1)", .scheme("javascript")),
            ("https://youtu.be/" + String(repeating: "a", count: 9000), .tooLong),
        ] as [(String, MediaRef.Refusal)])
    func refused(text: String, reason: MediaRef.Refusal) {
        #expect(throws: reason) { try MediaRef.parse(text) }
    }

    @Test("three addresses inside each other are followed, four are not")
    func nested() throws {
        var address = "https://youtu.be/\(id)"
        for _ in 1...3 { address = "https://www.youtube.com/redirect?q=" + Escape.url(address) }
        #expect(try MediaRef.parse(address).id == id)
        address = "https://www.youtube.com/redirect?q=" + Escape.url(address)
        #expect(throws: MediaRef.Refusal.nested) { try MediaRef.parse(address) }
    }

    @Test(
        "a refusal is one sentence that shows what was there",
        arguments: [
            (.videoID("dQw4w9WgXc"), "YouTube ids have 11 characters, this has 10: dQw4w9WgXc"),
            (.videoID("dQw4w9WgXc*"), "YouTube ids are letters, digits, - and _, this is not: dQw4w9WgXc*"),
            (.unknownHost("evil.example"), "host evil.example is not a known video service"),
            (.nothingNamed("vimeo.com/"), "vimeo.com/ names no video, channel or list"),
            (.port(22, host: "youtu.be"), "youtu.be has no port 22"),
            (.notURL("a\u{1B}[31m\u{202E}b"), "not a URL and not an id: a\u{FFFD}[31m\u{FFFD}b"),
            (
                .notURL(String(repeating: "x", count: 100)),
                "not a URL and not an id: \(String(repeating: "x", count: 60))…"
            ),
        ] as [(MediaRef.Refusal, String)])
    func described(refusal: MediaRef.Refusal, text: String) {
        #expect(refusal.description == text)
    }

    @Test(
        "the other addresses follow from what is named",
        arguments: [
            (
                id, "https://youtu.be/\(id)", "https://www.youtube-nocookie.com/embed/\(id)",
                "https://i.ytimg.com/vi/\(id)/hqdefault.jpg"
            ),
            (list, nil, "https://www.youtube-nocookie.com/embed/videoseries?list=\(list)", nil), (owner, nil, nil, nil),
            ("vimeo.com/823141156/90e6d75118", nil, "https://player.vimeo.com/video/823141156?h=90e6d75118", nil),
            ("vimeo.com/76979871", nil, "https://player.vimeo.com/video/76979871", nil),
            ("vimeo.com/showcase/3966056", nil, "https://vimeo.com/showcase/3966056/embed", nil),
            ("vimeo.com/event/4259978/3db517c479", nil, "https://vimeo.com/event/4259978/embed/3db517c479", nil),
            ("framatube.org/w/\(short)", nil, "https://framatube.org/videos/embed/\(short)", nil),
            ("http://localhost:9000/w/p/\(short)", nil, "http://localhost:9000/video-playlists/embed/\(short)", nil),
        ] as [(String, String?, String?, String?)])
    func addresses(text: String, short: String?, embed: String?, thumbnail: String?) throws {
        let ref = try MediaRef.parse(text)
        #expect(ref.shortURL == short)
        #expect(ref.embedURL == embed)
        #expect(ref.thumbnailURL == thumbnail)
    }
}
