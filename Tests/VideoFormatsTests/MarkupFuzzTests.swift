// Random documents to the readers of markup: no crash, no hang, and nothing larger than its input allows. It runs for a
// moment here; `scripts/soak fuzz` has it run for longer (YTHOST_FUZZ_SECONDS, YTHOST_FUZZ_SEED).

import Foundation
import TestSupport
import Testing

@testable import Basics
@testable import Markup
@testable import VideoFormats
@testable import VideoModel

@Suite(.serialized) struct MarkupFuzzTests {
    private typealias Random = Fuzz.Random

    private static let own = [
        "<?xml version='1.0' encoding='utf-8'?><rss xmlns:media='http://search.yahoo.com/mrss/'><channel><title>F &amp; G</title><item><title><![CDATA[a<b>c]]></title><link>http://h/?a=1&amp;b</link><media:thumbnail url='u' width='1'/><pubDate>Wed, 01 Jan 2020 00:00:00 GMT</pubDate></item></channel></rss>",
        "<feed xmlns='http://www.w3.org/2005/Atom' xml:base='http://h/'><entry><id>yt:video:aaaaaaaaaaa</id><link href='../x'/><content type='xhtml'><div>x<br/>y</div></content></entry></feed>",
        "<opml><body><outline text='R&A' xmlUrl='http://h/a'><outline xmlUrl=b></outline></body>",
        "<!DOCTYPE html><html><head><base href=/x/><meta charset=shift_jis><meta property='og:image' content=a><meta property='og:image:width' content=5><script type='application/ld+json'>{\"@type\":\"VideoObject\",\"name\":\"n\"}</script><title>t</title></head><p>a<b>c</p>&eacute;",
        "<!DOCTYPE a [<!ENTITY e 'x'>]><a xmlns:b='c'><b:d e=\"&e;\"/></a>",
    ]

    private static let seeds: [[UInt8]] = {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "../shared/fixtures").standardizedFileURL
        var seeds = own.map { Array($0.utf8) }
        for name in ["feed", "youtube-feed", "opml", "html", "malformed"] {
            let place = folder.appending(path: name)
            for file in ((try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? []).sorted() {
                guard let data = try? Data(contentsOf: place.appending(path: file)), data.count < 30_000 else {
                    continue
                }
                seeds.append([UInt8](data))
            }
        }
        return seeds
    }()

    private static let pieces = [
        "<", ">", "</", "/>", "<!--", "-->", "<![CDATA[", "]]>", "<?", "?>", "&", "&amp;", "&#0;", "&#x110000;", "'",
        "\"", "=", "<!DOCTYPE",
        "[", "]>", "\u{0}", "\u{FEFF}", "<a ", "<p>", "</p>", "<title>", "xmlns:a='b'", "<x:y>", "&lt;", "😀",
        "<script>", "<table>", "<item>",
        "<meta charset=gbk>", "encoding='utf-16'", "<svg><title>",
    ].map { Array($0.utf8) }

    private static func mutate(_ bytes: [UInt8], _ random: inout Random) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            let position = Int.random(in: 0...bytes.count, using: &random)
            let end = min(position + Int.random(in: 1...200, using: &random), bytes.count)
            switch Int.random(in: 0..<6, using: &random) {
            case 0: bytes.insert(contentsOf: pieces.randomElement(using: &random) ?? [], at: position)
            case 1: bytes.removeSubrange(position..<end)
            case 2: bytes.insert(contentsOf: bytes[position..<end], at: position)
            case 3: if position < bytes.count { bytes[position] = UInt8.random(in: 0...255, using: &random) }
            case 4: bytes.removeLast(bytes.count - position)
            default:
                let other = seeds.randomElement(using: &random) ?? []
                let cut = Int.random(in: 0...other.count, using: &random)
                bytes.insert(contentsOf: other[cut...].prefix(300), at: position)
            }
        }
        return bytes
    }

    @Test("no document crashes the readers of XML, HTML, feeds, lists and pages")
    func documents() throws {
        var random = Random()
        let end = ContinuousClock.now + .seconds(Fuzz.seconds)
        let hints = [nil, "utf-8", "shift_jis", "gb18030", "iso-2022-jp", "windows-1252", "bogus"]
        let selectors = ["a > b", "*:not(p)", "title, link", "item ~ item title"].compactMap { try? MarkupSelector($0) }
        while ContinuousClock.now < end {
            let bytes = Self.mutate(Self.seeds.randomElement(using: &random) ?? [], &random)
            let hint = hints.randomElement(using: &random) ?? nil
            let start = ContinuousClock.now
            for tree in [
                try? MarkupTree.xml(bytes, charset: hint), try? MarkupTree.lenientXML(bytes, charset: hint),
                try? MarkupTree.html(bytes, charset: hint),
            ] {
                guard let tree else { continue }
                #expect(tree.bytes.count <= 4 * bytes.count + 100, "seed \(Fuzz.seed)")
                for selector in selectors { _ = selector.select(in: tree.root) }
            }
            for name in [nil, "feed", "opml", "html"] {
                let reader = try RecordReader(as: name)
                reader.base = "https://h.example/a"
                reader.charset = hint
                let videos = (try? reader.feed(bytes) + reader.finish()) ?? []
                for video in videos {
                    for field in VideoField.allCases {
                        let value = video[field]
                        #expect(value.isNone || field.shape.fits(value), "seed \(Fuzz.seed): \(field.name) = \(value)")
                    }
                }
            }
            #expect(ContinuousClock.now - start < .seconds(10), "seed \(Fuzz.seed): \(bytes.count) bytes")
        }
    }

    @Test("no answer crashes those who asked for a feed, a preview or a provider's reply")
    func answers() throws {
        let json = ["{\"version\":\"1.0\",\"type\":\"video\",\"html\":\"<iframe src='https://h/'>\",\"title\":\"t\"}"]
        let xml = ["<?xml version='1.0'?><oembed><version>1.0</version><type>rich</type><title>&lt;t</title></oembed>"]
        let seeds = Self.seeds + (json + xml).map { Array($0.utf8) }
        Fuzz.forAWhile(0.5) { random in
            let bytes = Self.mutate(seeds.randomElement(using: &random) ?? [], &random)
            let base = "https://h.example/a"
            if !FeedReader.begins(bytes) {
                // What does not begin as a feed is none.
                let videos = (try? FeedReader.reader(base: base, charset: nil).all(of: bytes)) ?? []
                #expect(videos.isEmpty, "seed \(Fuzz.seed)")
            }
            let reply = OEmbedReader.read(bytes)
            guard let page = try? PagePreview(bytes, base: base, charset: nil) else { return }
            let record = page.record(with: reply)
            #expect(record?.title?.isEmpty == false && record?.url != nil, "seed \(Fuzz.seed)")
        }
    }

    @Test("no text crashes the reader of selectors")
    func selectors() throws {
        var random = Random()
        let end = ContinuousClock.now + .seconds(Fuzz.seconds / 4)
        let seeds = ["a > b + c ~ d", "[a^='b']:not(.c), #d:nth-child(2n+1)", "m|t *|u m:v", "a\\31 b [x|y=\"z\"]"].map
        { Array($0.utf8) }
        let root = try MarkupTree.xml(Array("<a b='c'><m:t xmlns:m='u'/><d id='e'/></a>".utf8)).root
        while ContinuousClock.now < end {
            let bytes = Self.mutate(seeds.randomElement(using: &random) ?? [], &random).prefix(500)
            _ = (try? MarkupSelector(String(decoding: bytes, as: UTF8.self)))?.select(in: root)
        }
    }
}
