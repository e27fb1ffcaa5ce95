// What each recorded reply of a JSON format gives: its format, how many records, and the first one's title.

import Testing

@testable import Basics
@testable import VideoFormats
@testable import VideoModel

private struct Row: Sendable, CustomTestStringConvertible {
    let file: String
    let format: String
    let count: Int
    /// How the first record's title begins; nil for an unknown one.
    let title: String?

    init(_ file: String, _ format: String, _ count: Int, _ title: String?) {
        self.file = file
        self.format = format
        self.count = count
        self.title = title
    }

    var testDescription: String { file }
}

private let rows = [
    Row("ddg/article-rust.json", "duckduckgo", 6, "Rust (programming language)"),
    Row("ddg/category-simpsons.json", "duckduckgo", 8, "Apu Nahasapeemapetilan"),
    Row("ddg/disambiguation-api.json", "duckduckgo", 35, "API"),
    Row("ddg/disambiguation-cat.json", "duckduckgo", 75, "Cat"),
    Row("ddg/disambiguation-python.json", "duckduckgo", 4, "Python (programming language)"),
    Row("ddg/empty.json", "duckduckgo", 0, nil),
    Row("jsonfeed/capy-kibty-town.json", "jsonfeed", 6, "gaining access to anyones browser"),
    Row("jsonfeed/fk-feed.json", "jsonfeed", 2, "Special #1 - Chris Parrish"),
    // It breaks off in its third item, before its version.
    Row("jsonfeed/nnw-allthis-partial.json", "jsonfeed", 2, "Last thoughts on modifier keys"),
    Row("jsonfeed/nnw-pxlnv.json", "jsonfeed", 20, "Uber Lost $4.5 Billion in 2017"),
    Row("jsonfeed/reader-invalid.json", "jsonfeed", 8, nil),
    Row("oembed/vimeo-2011.json", "oembed", 1, "Murmuration"),
    Row("oembed/vimeo-2014-quotes.json", "oembed", 1, "\"Cuando\""),
    Row("oembed/vimeo-recent.json", "oembed", 1, "Murmuration"),
    Row("oembed/youtube-2026.json", "oembed", 1, "Was ist Künstliche Intelligenz?"),
    Row("oembed/youtube-ckeditor.json", "oembed", 1, "CKEditor 4.5 - Embedding"),
    Row("peertube/channel-remote.json", "peertube", 1, "La Quadrature du Net"),
    Row("peertube/playlist.json", "peertube", 1, "Shocking !"),
    Row("peertube/search-fsf-p1.json", "peertube", 6, "02.02 La formalisation"),
    Row("peertube/search-internet-p2.json", "peertube", 6, "Laurent Chemla"),
    Row("peertube/sepia-kde-p1.json", "peertube", 5, "KDE Gear"),
    Row("peertube/video-what-is-peertube.json", "peertube", 1, "What is PeerTube?"),
    Row("takeout/likes-old.json", "youtube", 1, "[Maybe]Blood Blockade"),
    Row("takeout/subscriptions-old.json", "youtube", 7, "Gorillaz"),
    Row("takeout/subscriptions-case.csv", "takeout", 3, "SemperVideo"),
    Row("takeout/subscriptions-en.csv", "takeout", 5, "Raycevick"),
    Row("takeout/subscriptions-es.csv", "takeout", 172, "Nekojitablog"),
    Row("takeout/watch-history-slice.json", "takeout", 11, "Solar"),
    Row("vimeo-api/search-wintertour-2015.json", "vimeo", 5, "Avsnitt 10 - Childstore"),
    Row("vimeo-api/user-videos-2021.json", "vimeo", 1, "Untitled"),
    Row("vimeo-api/video-136971428-2023.json", "vimeo", 1, "Deafheaven - 'New Bermuda' Trailer"),
    Row("vimeo-api/video-2015.json", "vimeo", 1, "WINTERTOUR"),
    Row("vimeo-api/video-2017.json", "vimeo", 1, "Al Mansour Production Reel 2016"),
    Row("vimeo-api/video-2025.json", "vimeo", 1, "Test-Video"),
    Row("vimeo-api/videos-empty.json", "vimeo", 0, nil),
    Row("vimeo-api/videos-with-fields.json", "vimeo", 1, "Untitled"),
    Row("youtube-api/channels-multi.json", "youtube", 2, "Google"),
    Row("youtube-api/playlist-items-ha.json", "youtube", 5, "Unleash Your Web Development"),
    Row("youtube-api/playlist-items-owner-fields.json", "youtube", 20, "Steve Kilbey & Martin Kennedy"),
    Row("youtube-api/playlist-items-p1.json", "youtube", 10, "Welcome from Google Developers"),
    Row("youtube-api/playlist-items-private.json", "youtube", 4, "Andrew Willis, Skatepark Engineer"),
    Row("youtube-api/search-channels.json", "youtube", 5, "NLaFourcadeVEVO"),
    Row("youtube-api/search-cooking-hindi.json", "youtube", 8, "Lesson 7 | How to make Dal Rice"),
    Row("youtube-api/search-emoji-last-page.json", "youtube", 12, "💥 Zombi Kıyametinde"),
    Row("youtube-api/search-javascript-2018.json", "youtube", 25, "Learn JavaScript in 12 Minutes"),
    Row("youtube-api/search-korean.json", "youtube", 10, "[UFC] UFC 259"),
    Row("youtube-api/search-live-events.json", "youtube", 25, "[LIVE] Coronavirus Pandemic"),
    Row("youtube-api/search-mojibake.json", "youtube", 10, "LES HOMMAGES DE ASSANE NDIAYE"),
    Row("youtube-api/search-past-streams-fullwidth.json", "youtube", 8, "≪WAZZUP≫"),
    Row("youtube-api/search-polish-raw.json", "youtube", 10, "Duch daje życie"),
    Row("youtube-api/search-programming-amharic.json", "youtube", 15, "በአማርኛ Programming"),
    Row("youtube-api/search-surfing-p1.json", "youtube", 25, "SURFING HAWAII’S BEST WAVE"),
    Row("youtube-api/search-videos-and-playlists.json", "youtube", 12, "Front End Web Development"),
    Row("youtube-api/search-videos-of-channel.json", "youtube", 5, "Code Cleanup and Fixing"),
    Row("youtube-api/search-zero-results.json", "youtube", 0, nil),
    Row("youtube-api/subscriptions-zero.json", "youtube", 0, nil),
    Row("youtube-api/video-region-blocked.json", "youtube", 1, "Paul Manafort's House"),
    Row("youtube-api/videos-chart-p1.json", "youtube", 5, "GIDDY UP ( OFFICIAL"),
    Row("youtube-api/videos-duration-fields.json", "youtube", 3, "CHVRCHES - The Mother We Share"),
    Row("youtube-api/videos-fields-filtered.json", "youtube", 1, "Cherry Bloom - King Of The Knife"),
    Row("youtube-api/videos-japanese.json", "youtube", 1, "【漫画家による極限の漫画分析】"),
    Row("youtube-api/videos-live-ended.json", "youtube", 1, nil),
    Row("youtube-api/videos-live-now.json", "youtube", 1, nil),
    Row("youtube-api/videos-live-upcoming.json", "youtube", 1, nil),
    Row("youtube-api/videos-localizations.json", "youtube", 2, "Your body language may shape"),
    Row("youtube-api/videos-single.json", "youtube", 1, "What are Actions on Google"),
    Row("youtube-api/videos-unavailable-empty.json", "youtube", 0, nil),
    Row("yt-dlp/channel-tab.json", "yt-dlp", 1, "PinchflatTestChannel"),
    Row("yt-dlp/flat-entry-private.json", "yt-dlp", 1, nil),
    Row("yt-dlp/flat-playlist-2021.json", "yt-dlp", 7, "Ocarina of Time 100% Blindfolded"),
    Row("yt-dlp/video-2023.info.json", "yt-dlp", 1, "This is Why Nintendo Shutdown"),
    Row("yt-dlp/video-anonymised.info.json", "yt-dlp", 1, "Pinchflat Example Video"),
    Row("yt-dlp/video-was-live.info.json", "yt-dlp", 1, "Group Therapy 487"),
    Row("yt-dlp/ytsearch-hit-2019.json", "yt-dlp", 1, "Modes of Operation - Computerphile"),
]

@Suite(.enabled(if: Fixtures.areAtHand, "the recorded replies in ../shared/fixtures are not here"))
struct FormatFixtureTests {
    private func read(_ file: String, as name: String? = nil) throws -> (videos: [Video], reader: RecordReader) {
        let reader = try RecordReader(as: name)
        return (try reader.feed(Fixtures.bytes(file)) + reader.finish(), reader)
    }

    @Test("a recorded reply gives what a careful reader finds in it", arguments: rows)
    fileprivate func everyFile(row: Row) throws {
        let (videos, reader) = try read(row.file)
        #expect(reader.kind == row.format)
        #expect(videos.count == row.count)
        #expect(reader.skippedCount == 0, "\(reader.skipped)")
        let title = videos.first?.title
        #expect(row.title.map { title?.hasPrefix($0) ?? false } ?? (title == nil), "\(title ?? "no title")")
        for video in videos {
            #expect(video[.provider].text?.isEmpty == false)
            #expect(video.id != nil || video.url != nil)
            for field in VideoField.allCases {
                let value = video[field]
                #expect(value.isNone || field.shape.fits(value), "\(field.name): \(value)")
                #expect(value != .text(""), "\(field.name)")
            }
            #expect(video.published.map { $0 != 0 } ?? true)
            #expect(video.duration.map { $0 > 0 } ?? true)
        }
        // Named, it reads the same.
        #expect(try read(row.file, as: row.format).videos.map(\.id) == videos.map(\.id))
    }

    @Test("every file of these folders has a row, or is an error")
    func complete() throws {
        let folders = ["ddg", "jsonfeed", "oembed", "peertube", "vimeo-api", "youtube-api", "yt-dlp", "takeout"]
        let known = Set(rows.map(\.file))
        for folder in folders {
            for name in try Fixtures.names([""], in: folder) where !known.contains(name) {
                let error = #expect(throws: FormatError.self, "\(name)") { try read(name) }
                switch error {
                case .refused: #expect(name.contains("error"), "\(name)")
                // What OAuth answers is no record.
                case .unrecognised: #expect(name.contains("oauth"), "\(name)")
                default: Issue.record("\(name): \(String(describing: error))")
                }
            }
        }
    }

    @Test("recorded videos link where one can watch them")
    func addresses() throws {
        #expect(try read("vimeo-api/video-2025.json").videos[0].url == "https://vimeo.com/1058205490/6f1a3055de")
        #expect(try read("vimeo-api/video-2025.json").videos[0].id == "1058205490")
        #expect(try read("vimeo-api/videos-with-fields.json").videos[0].url == "https://vimeo.com/530969457")
        #expect(try read("oembed/vimeo-2011.json").videos[0].url == "https://vimeo.com/31158841")
        for video in try read("oembed/youtube-2026.json").videos + read("oembed/youtube-ckeditor.json").videos {
            #expect(video.url?.hasPrefix("https://www.youtube.com/watch?v=") == true)
            #expect(video.provider == "youtube" && video.id?.utf8.count == 11)
        }
        for name in ["search-fsf-p1", "search-internet-p2", "sepia-kde-p1"] {
            for video in try read("peertube/\(name).json").videos {
                #expect(video.url?.hasPrefix("https://") == true)
                #expect(video.channel.id?.contains("@") == true && video.duration != nil && video.views != nil)
            }
        }
        for video in try read("takeout/watch-history-slice.json").videos {
            #expect(video.provider == "youtube" && video.kind == .video && video.id?.utf8.count == 11)
            #expect(video.title?.hasPrefix("Watched") == false && video.published == nil)
            #expect(video.extra.contains { $0.name == "watched" && $0.value.integer != nil })
        }
    }

    @Test("recorded private items are known without their title")
    func unavailable() throws {
        let videos = try read("youtube-api/playlist-items-private.json").videos
        #expect(videos.map { $0[.availability] } == [.none, .text("private"), .text("private"), .none])
        #expect(videos.allSatisfy { $0.id?.utf8.count == 11 })
    }

    @Test("recorded yt-dlp records say what they know")
    func ytdlp() throws {
        let was = try read("yt-dlp/video-was-live.info.json").videos[0]
        #expect(was[.liveState] == .text("was_live") && was[.live] == .bool(false) && was[.captions] == .bool(false))
        #expect(was[.provider] == .text("youtube") && was.published == 1_655_424_000 && was.duration == 7205)
        let flat = try read("yt-dlp/flat-playlist-2021.json").videos
        #expect(flat[0].duration == 8072 && flat[0].url == "https://www.youtube.com/watch?v=4pSWW5_bAkw")
        #expect(flat.allSatisfy { $0.views == nil && $0.channel == Channel() })
        #expect(try read("yt-dlp/channel-tab.json").videos[0].kind == .channel)
        #expect(try read("yt-dlp/video-2023.info.json").videos[0].url == "https://www.youtube.com/watch?v=JjQDik3yNhA")
    }
}
