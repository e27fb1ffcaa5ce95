// Random input to the readers of JSON, tables and packed data. It runs for a moment here; `scripts/soak fuzz` has it run
// for longer (YTHOST_FUZZ_SECONDS). The seed is in the message, so that a failure can be had again (YTHOST_FUZZ_SEED).

import Foundation
import TestSupport
import Testing

@testable import Basics
@testable import JSON
@testable import VideoFormats
@testable import VideoModel

@Suite(.serialized) struct FormatFuzzTests {
    private typealias Random = Fuzz.Random

    /// What changes the meaning of what is around it.
    private static let pieces = [
        "{", "}", "[", "]", "\"", "\\", "\\ud83d", "\\u0000", "null", "0", "-", "1e999", "99999999999999999999", ",",
        ":", "\n",
        "\r\n", "\u{1E}", "\u{FEFF}", "\0", "\u{FF}", "[]", "{}", "\"\"", "\"id\":", "\"items\":[", "\"data\":[",
        "\"entries\":[",
        "\"version\":\"https://jsonfeed.org/version/1\",", "\"kind\":\"youtube#channel\",", "\"ythost\":1,",
        "\"error\":", ";",
        "\t", "true", "\"2020-01-01T00:00:00Z\"", "\"https://youtu.be/dQw4w9WgXcQ\"", "-1", "1.5", "{\"a\":{\"b\":[",
    ].map { Array($0.utf8) }

    private static let small = [
        #"{"ythost":1,"id":"a","title":"é😀","channel":{"id":"c"},"extra":{"n":1}}"#,
        #"{"items":[{"id":{"videoId":"hhhhhhhhhhh"},"snippet":{"title":"t &amp; u","publishedAt":"2020-01-01T00:00:00Z"}}]}"#,
        #"{"kind":"youtube#playlistItem","id":"x","snippet":{"resourceId":{"videoId":"dQw4w9WgXcQ"},"thumbnails":{}}}"#,
        #"{"uri":"/videos/1:ab","name":"n","user":{"uri":"/users/2"},"pictures":{"sizes":[{"width":1,"link":"https://a.b/c"}]}}"#,
        #"{"total":1,"data":[{"uuid":"u","name":"n","channel":{"name":"c","host":"h"},"isLive":true,"state":{"id":1}}]}"#,
        #"{"Heading":"h","AbstractText":"a","RelatedTopics":[{"FirstURL":"https://a.b","Text":"t","Result":"<a>t</a>x"},{"Topics":[]}]}"#,
        #"{"answers":[{"data":[{"t":"1"}],"actions":[{"type":"rss","title":"t","count":-1},{"type":"video_play","identifier":"x"}]}]}"#,
        #"{"type":"video","version":"1.0","provider_name":"V","html":"<iframe src=\"https://player.vimeo.com/video/1\">"}"#,
        #"{"version":"https://jsonfeed.org/version/1.1","title":"f","items":[{"id":1,"content_html":"<p>a</p>","attachments":[]}]}"#,
        #"{"_type":"playlist","id":"p","entries":[{"_type":"url","ie_key":"Youtube","id":"dQw4w9WgXcQ"},null,{"entries":[{}]}]}"#,
        #"[{"header":"YouTube","title":"Watched x","titleUrl":"https://youtu.be/dQw4w9WgXcQ","time":"2020-01-01T00:00:00Z","products":[]}]"#,
        "Channel Id,Channel Url,Channel Title\nUCuAXFkgsw1L7xaCfnd5JJOw,http://a.b/c,\"T, \"\"t\"\"\"\n",
        #"{"error":{"code":403,"message":"m","errors":[{"reason":"r"}]}}"#,
        #"{"error":"e","developer_message":"d","error_code":1}"#,
    ].map { Array($0.utf8) }

    /// Own samples, and recorded replies that are not too long where they are at hand.
    private static let seeds: [[UInt8]] = {
        var seeds = small
        for folder in ["ddg", "jsonfeed", "oembed", "peertube", "takeout", "vimeo-api", "youtube-api", "yt-dlp"] {
            for name in (try? Fixtures.names([""], in: folder)) ?? [] {
                if let bytes = try? Fixtures.bytes(name), bytes.count < 30_000 { seeds.append(bytes) }
            }
        }
        return seeds
    }()

    private static func sample(_ random: inout Random) -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0..<Int.random(in: 1...2, using: &random) {
            bytes += seeds.randomElement(using: &random) ?? []
            if Bool.random(using: &random) { bytes.append(UInt8(ascii: "\n")) }
        }
        for _ in 0..<Int.random(in: 0...5, using: &random) {
            let position = Int.random(in: 0...bytes.count, using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0 where position < bytes.count: bytes[position] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes.removeSubrange(position..<min(position + Int.random(in: 1...50, using: &random), bytes.count))
            case 2:
                bytes.insert(
                    contentsOf: bytes[position...].prefix(60), at: Int.random(in: 0...position, using: &random))
            case 3: bytes.removeSubrange(position...)
            default: bytes.insert(contentsOf: pieces.randomElement(using: &random) ?? [], at: position)
            }
        }
        return bytes
    }

    private struct Outcome: Equatable {
        var records: [[FieldValue]] = []
        var skipped: [String] = []
        var error: FormatError?
    }

    private static func read(_ bytes: [UInt8], by size: Int, as name: String?) -> Outcome {
        var outcome = Outcome()
        guard let reader = try? RecordReader(as: name) else { return outcome }
        func take(_ videos: [Video]) {
            outcome.records += videos.map { video in VideoField.allCases.map { video[$0] } + [.record(video.extra)] }
        }
        do {
            var start = 0
            while start < bytes.count {
                let end = start + min(size, bytes.count - start)
                take(try reader.feed(Array(bytes[start..<end])))
                while reader.hasMore { take(try reader.more()) }
                start = end
            }
            take(try reader.finish())
        } catch { outcome.error = error }
        outcome.skipped = reader.skipped.map(\.description)
        return outcome
    }

    @Test("no input crashes the reader, every known field has its shape, and blocks of any size give the same")
    func records() {
        let names = [nil, nil] + RecordReader.formatNames.map { Optional($0) }
        Fuzz.forAWhile { random in
            let bytes = Self.sample(&random)
            let name = names.randomElement(using: &random) ?? nil
            let whole = Self.read(bytes, by: .max, as: name)
            for record in whole.records {
                for (field, value) in zip(VideoField.allCases, record) where !value.isNone && field != .raw {
                    #expect(field.shape.fits(value), "\(field.name) \(value) seed \(Fuzz.seed): \(text(bytes))")
                }
            }
            let size = Int.random(in: 1...max(bytes.count, 1), using: &random)
            let parted = Self.read(bytes, by: size, as: name)
            #expect(parted == whole, "blocks of \(size), as \(name ?? "-"), seed \(Fuzz.seed): \(text(bytes))")
        }
    }

    @Test("JSON that is read is written as JSON that reads the same")
    func json() {
        Fuzz.forAWhile { random in
            let bytes = Self.sample(&random)
            guard let value = try? JSON.decode(bytes) else { return }
            let written = JSON.encode(value, pretty: Bool.random(using: &random))
            #expect(String(validating: written, as: UTF8.self) != nil)
            let back = try? JSON.decode(written)
            #expect(back == value, "seed \(Fuzz.seed): \(text(bytes))")
        }
    }

    @Test("no table and no packed data crash their readers")
    func tables() {
        Fuzz.forAWhile { random in
            let bytes = Self.sample(&random)
            var reader = CSVReader(bytes, separator: [nil, UInt8(ascii: ","), 0].randomElement(using: &random) ?? nil)
            var fields = 0
            while let row = try? reader.next() { fields += row.fields.count }
            #expect(fields <= bytes.count + 1)
            var packed: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] + bytes
            if let gzip = GzipReader() {
                packed[10 % packed.count] = UInt8.random(in: 0...7, using: &random)
                gzip.feed(packed)
                while let block = try? gzip.next(), !block.isEmpty {}
                _ = try? gzip.finish()
            }
        }
    }
}
