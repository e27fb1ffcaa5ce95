// Recorded feeds, lists and pages, where they are at hand: each is recognised, and gives what a careful reader finds.

import FoundationEssentials
import Testing

@testable import Basics
@testable import VideoFormats
@testable import VideoModel

private let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "../shared/fixtures").standardizedFileURL
private let isAtHand =
    FileManager.default.fileExists(atPath: folder.path) || ProcessInfo.processInfo.environment["CI"] != nil

@Suite(.enabled(if: isAtHand, "the recorded replies in ../shared/fixtures are not here"))
struct MarkupFixtureTests {
    /// The file, what it is, how many records it has, and how many that cannot be read.
    private static let expected: [(file: String, kind: String?, count: Int, skipped: Int)] = [
        ("feed/fj-ITunesWithSpacesInAttributes.xml", "feed", 3, 0), ("feed/fj-InvalidDateFormat.xml", "feed", 2, 0),
        ("feed/fj-itunes_feedburner.xml", "feed", 3, 0), ("feed/fk-media-rss.xml", "feed", 1, 0),
        ("feed/fp-media-group.xml", "feed", 1, 0), ("feed/fv-media-valid-thumbnail-time-hms-frac.xml", "feed", 1, 0),
        ("feed/nnw-bom-cr.xml", "feed", 10, 0), ("feed/nnw-phpxml.rss", "feed", 20, 0),
        ("feed/nnw-theomnishow.rss", "feed", 4, 0),
        // Three episodes and a live item.
        ("feed/podcast-namespace-example.xml", "feed", 4, 0), ("feed/pp-mediarss.rss", "feed", 1, 0),
        ("feed/pp-multi-enclosures.rss", "feed", 1, 0), ("feed/rp-atom-emoji.xml", "feed", 1, 0),
        ("feed/rp-itunes-season.xml", "feed", 1, 0), ("feed/rp-media-content-type.xml", "feed", 6, 0),
        ("feed/rp-raw-enclosure.xml", "feed", 1, 0), ("feed/rp-test-time.xml", "feed", 1, 0),
        ("youtube-feed/channel-digital-foundry.xml", "feed", 15, 0),
        ("youtube-feed/channel-kurzgesagt.xml", "feed", 15, 0),
        ("youtube-feed/channel-not-available-404.html", "html", 1, 0),
        ("youtube-feed/channel-with-shorts.xml", "feed", 2, 0),
        ("youtube-feed/playlist-blender-open-movies.xml", "feed", 4, 0),
        ("youtube-feed/user-google-2015.xml", "feed", 15, 0),
        ("opml/capy-local-with-invalid-characters.xml", "opml", 4, 0), ("opml/capy-newsblur.xml", "opml", 1, 1),
        ("opml/fv-missingUrlAttribute.opml", "opml", 0, 1), ("opml/fv-notEncoded.opml", "opml", 0, 2),
        ("opml/fv-subscriptionList.opml", "opml", 13, 0), ("opml/lp-concatenated-documents.xml", "opml", 2, 0),
        ("opml/lp-opml-htmlUrl-miscapitalized.xml", "opml", 0, 1), ("opml/netnewswire-subs.opml", "opml", 207, 0),
        ("opml/youtube-subscription-manager.xml", "opml", 5, 3), ("opml/ytcc-broken.opml", "opml", 0, 0),
        ("opml/ytcc-duplicate.opml", "opml", 1, 1), ("html/charset-koi8-r-undeclared.html", "html", 1, 0),
        ("html/charset-shift-jis-undeclared.html", "html", 1, 0), ("html/charset-utf-16le.html", "html", 1, 0),
        ("html/declared-1251-but-utf8.html", "html", 1, 0), ("html/extruct-og-expanded.html", "html", 1, 0),
        ("html/german-iso-8859-1.html", "html", 1, 0), ("html/mp-duplicates.html", "html", 1, 0),
        ("html/oembed-discovery.html", "html", 1, 0), ("html/vimeo-page.html", "html", 1, 0),
        ("html/youtube-channel-og-in-body.html", "html", 1, 0), ("html/youtube-title-duplicates.html", "html", 1, 0),
        ("html/youtube-video.html", "html", 1, 0),
        // Only the part of its head that says nothing was kept.
        ("html/youtube-volvo-rocks.html", "html", 0, 1), ("malformed/fp-always-strip-doctype.xml", "feed", 0, 0),
        ("malformed/fp-big5.xml", "feed", 0, 0), ("malformed/fp-bozo-bogus-encoding.xml", "feed", 0, 0),
        ("malformed/fp-bozo-invalid-bytes-with-bom.xml", "feed", 0, 0), ("malformed/fp-demoronize-1.xml", "feed", 1, 0),
        // Cut off before the title of its only item begins.
        ("malformed/fp-rss-incomplete-cdata.xml", "feed", 0, 1),
        ("malformed/fp-rss-item-link-corrupted-ampersands.xml", "feed", 1, 0),
        ("malformed/fp-undeclared-namespace.xml", "feed", 0, 0), ("malformed/fp-utf-16le-bom.xml", "feed", 0, 0),
        ("malformed/gf-empty-feed.xml", nil, 0, 0), ("malformed/nnw-gb2312.rss", "feed", 20, 0),
        ("malformed/rp-mismatched-html-tags.xml", "feed", 1, 0), ("malformed/rp-test-greek.xml", "feed", 1, 0),
        ("malformed/rp-test-malformed.xml", "feed", 1, 0),
    ]

    private func read(_ file: String) throws -> (reader: RecordReader, videos: [Video]) {
        let reader = try RecordReader()
        let data = [UInt8](try Data(contentsOf: folder.appending(path: file)))
        return (reader, try reader.all(of: data))
    }

    @Test("every recorded document of markup is in the list")
    func complete() throws {
        var found: Set<String> = []
        for name in ["feed", "youtube-feed", "opml", "html", "malformed"] {
            for file in try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: name).path)
            where !file.hasSuffix(".json") {
                found.insert("\(name)/\(file)")
            }
        }
        #expect(found == Set(Self.expected.map(\.file)))
    }

    @Test("each recorded document is recognised and gives its records", arguments: expected.indices)
    func records(index: Int) throws {
        let (file, kind, count, skipped) = Self.expected[index]
        let (reader, videos) = try read(file)
        #expect(reader.kind == kind, "\(file)")
        #expect(videos.count == count && reader.skippedCount == skipped, "\(file)")
        for video in videos {
            for field in VideoField.allCases {
                #expect(video[field].isNone || field.shape.fits(video[field]), "\(file): \(field.name)")
            }
        }
    }

    @Test(
        "recorded documents give the titles one sees",
        arguments: [
            ("youtube-feed/channel-kurzgesagt.xml", "Jupiter Made Earth Possible"),
            ("malformed/nnw-gb2312.rss", "建国35周年纪念，华表，和平鸽"),
            ("malformed/rp-test-greek.xml", "«Πορτραίτα καραντίνας» για έμπνευση από τη συλλογή Φέλιου"),
            ("html/declared-1251-but-utf8.html", "Интересные наблюдения о первой Матрице"),
            ("html/charset-utf-16le.html", "Unicode Plane 1 Example Using UTF-16"),
            ("html/vimeo-page.html", "Vimeo Best of the Year 2018: Winners"),
            ("opml/youtube-subscription-manager.xml", "Kurzgesagt – In a Nutshell"),
        ])
    func titles(file: String, title: String) throws {
        #expect(try read(file).videos.first?.title == title)
    }
}
