// Random text to everything here that reads what others wrote: nothing crashes, and what was read says the same when it is
// written and read again. A moment each; `scripts/soak fuzz` has them run for longer (YTHOST_FUZZ_SECONDS). The seed is in
// each message, so that a failure can be had again (YTHOST_FUZZ_SEED).

import FoundationEssentials
import TestSupport
import Testing

@testable import Basics
@testable import VideoModel

@Suite("fuzzed values", .serialized) struct ValueFuzzTests {
    private typealias Random = Fuzz.Random

    /// Gives the body a text made of one of the seeds, changed at random, again and again.
    private func forAWhile(
        _ seeds: [String], pieces: [String], _ body: (String, inout Random) throws -> Void
    ) rethrows {
        var random = Random()
        let end = ContinuousClock.now + .seconds(Fuzz.seconds)
        while ContinuousClock.now < end {
            for _ in 0..<50 {
                var bytes = Array((seeds.randomElement(using: &random) ?? "").utf8)
                for _ in 0..<Int.random(in: 0...4, using: &random) {
                    let position = Int.random(in: 0...bytes.count, using: &random)
                    let gone = min(bytes.count - position, [0, 0, 1, 3].randomElement(using: &random) ?? 0)
                    let piece = (pieces + ["\u{FF}", "\u{0}", " ", "日", "\u{301}", "👍🏽"]).randomElement(using: &random)
                    bytes.replaceSubrange(position..<position + gone, with: Array((piece ?? "").utf8))
                }
                if Bool.random(using: &random), !bytes.isEmpty {
                    bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
                }
                try body(String(decoding: bytes, as: UTF8.self), &random)
            }
        }
    }

    @Test("addresses")
    func addresses() {
        let seeds = [
            "https://www.youtube.com/watch?v=dQw4w9WgXcQ&list=PLrAXtmErZgOeiKm4sgNOknGvNjby9efdf&t=1h2m3s#t=5",
            "youtu.be/dQw4w9WgXcQ?t=90", "https://vimeo.com/showcase/3966056/video/76979871/90e6d75118#t=1m",
            "http://localhost:9000/videos/watch/4294a720-f263-4ea4-9392-cf9cea4d5277?start=1w2d",
            "<URL:https%3A%2F%2Fwww.youtube.com%2Fattribution_link?u=%2Fwatch%3Fv%3DdQw4w9WgXcQ>",
            "//u:p@[::1]:80/a/../b/./c;d?e=f&amp;g#h", "@handle", "vnd.youtube:dQw4w9WgXcQ", "../a/./b?c",
        ]
        let pieces = [
            "/", "//", "?", "&", "#", ":", "@", "%2F", "%", "..", "[", "]", "&amp;", "%3A", "=", "https://",
            "t=9999999999999999999",
        ]
        forAWhile(seeds, pieces: pieces) { text, _ in
            if let ref = try? MediaRef.parse(text) {
                for url in [ref.url, ref.shortURL, ref.embedURL, ref.thumbnailURL].compactMap(\.self) {
                    let again = try? MediaRef.parse(url)
                    let isSame = again?.provider == ref.provider && (again?.id == ref.id || ref.kind != .video)
                    #expect(isSame, "\(text.debugDescription) gave \(url), seed \(Fuzz.seed)")
                }
            }
            guard let address = WebAddress(text), let base = WebAddress("https://h/a/b?c") else { return }
            #expect(
                WebAddress(address.description)?.host == address.host, "\(text.debugDescription), seed \(Fuzz.seed)")
            let target = base.resolving(address)
            #expect(
                WebAddress(target.description)?.host == target.host, "\(text.debugDescription), seed \(Fuzz.seed)")
            for part in [WebAddress.Part.path, .query, .fragment, .user] {
                let encoded = WebAddress.encoded(text, in: part)
                #expect(WebAddress.encoded(encoded, in: part) == encoded, "\(text.debugDescription), seed \(Fuzz.seed)")
            }
        }
    }

    @Test("links in text")
    func links() {
        let seeds = [
            "see https://youtu.be/dQw4w9WgXcQ, (www.example.org/a_(b)) and [x](https://vimeo.com/1 \"t\")!",
            "看youtube.com/watch?v=dQw4w9WgXcQ这个 <https://a.org/?b&lt;c> 'https://a.org/' **http://[::1]/**",
        ]
        let pieces = [
            "(", ")", "[", "]", "http://", "https://", "www.", "youtu.be/", "。", "&gt;", "_", "*", "'", ".", ",", "…",
        ]
        forAWhile(seeds, pieces: pieces) { text, _ in
            var end = 0
            let bytes = Array(text.utf8)
            for link in Text.links(text) {
                let written = String(decoding: bytes[link.range], as: UTF8.self)
                let isGood =
                    link.range.lowerBound >= end && link.range.upperBound <= bytes.count
                    && (link.url == written || link.url == "https://" + written) && WebAddress(link.url)?.host != nil
                #expect(isGood, "\(text.debugDescription) gave \(link), seed \(Fuzz.seed)")
                end = link.range.upperBound
            }
        }
    }

    @Test("dates")
    func dates() {
        let seeds = [
            "2012-08-13T15:10:11.123456789Z", "2016-12-31T23:59:60Z", "2024-02-29", "0001-01-01T00:00:00+23:59",
            "Tue, 29 Aug 23 15:59:32 EDT", "29 Aug 2023 19:59:32 +0000 (UTC)", "9999-12-31T23:59:59-23:59",
        ]
        forAWhile(seeds, pieces: ["-", ":", "+", "T", "Z", "9", "0", "60", "GMT", ".", "(", ")", ","]) { text, random in
            if let time = Timestamp.parse(text) {
                let year = CivilDate(daysSinceEpoch: time.floored(by: 86_400).quotient).year
                let written = Timestamp.format(time, as: .rfc3339)
                #expect(
                    Timestamp.parse(written) == time || !(1...9999).contains(year),
                    "\(text.debugDescription) gave \(written), seed \(Fuzz.seed)")
            }
            let any = Int64(bitPattern: random.next()) >> Int64.random(in: 0...40, using: &random)
            _ = Timestamp.format(any, as: .strftime(text + "%" + text.prefix(1) + "%C%G%V%U%W%c%r%z%l"))
            _ = Timestamp.age(any, now: Int64(bitPattern: random.next()))
        }
    }

    @Test("lengths of time")
    func durations() {
        let seeds = [
            "P3W3DT20H31M21S", "PT1M1.5S", "1:02:03", "0:59.5", "1h 30m", "61s", "1.5h", "2 days 3 hours", "90",
        ]
        let pieces = ["P", "T", "H", "M", ".", ":", "9", "99999999999999999999", "w", " ", "-", ",", "s"]
        forAWhile(seeds, pieces: pieces) { text, _ in
            guard let seconds = VideoDuration.parse(text) else { return }
            let clock = VideoDuration.format(seconds)
            let isSame =
                seconds >= 0 && VideoDuration.parse(clock) == seconds
                && VideoDuration.parse(VideoDuration.iso8601(seconds)) == seconds
            #expect(isSame, "\(text.debugDescription) gave \(seconds), \(clock), seed \(Fuzz.seed)")
            _ = MediaRef.Page.time(text)
        }
    }

    @Test("character references")
    func entities() {
        let seeds = [
            "Rubik&#39;s &amp;lt; &NotEqualTilde;&notit; &#x80;&#xD800;&#1114112;", "&CounterClockwiseContourIntegral;",
        ]
        let pieces = ["&", ";", "#", "x", "&#", "9", "amp", "not", "A"]
        forAWhile(seeds, pieces: pieces) { text, _ in
            let plain = HTMLEntities.unescape(text)
            #expect(
                text.utf8.contains(UInt8(ascii: "&")) || plain == text, "\(text.debugDescription), seed \(Fuzz.seed)")
            #expect(HTMLEntities.unescape(Escape.html(plain)).utf8.count <= plain.utf8.count + 4, "seed \(Fuzz.seed)")
            _ = Escape.xml(text)
            _ = Escape.unurl(text)
            _ = Escape.webAddress(text)
        }
    }

    @Test("text in columns")
    func columns() {
        let seeds = [
            "日本語 ｶﾅ 👨‍👩‍👧‍👦 🇯🇵 ❤️ 1️⃣ e\u{301} กำ", "\u{1B}[31mred\u{1B}]0;t\u{7} \u{202E}txt\u{2066}", "Élan ΣΟΦΙΑ İ ß ﬁ Ⅷ 가",
        ]
        let pieces = [
            "\u{200D}", "\u{FE0F}", "\u{1F3FD}", "\u{1F1E6}", "\u{1B}", "\u{9B}", "\u{202E}", "\u{2028}", "\u{1160}",
            "\u{E0067}",
        ]
        forAWhile(seeds, pieces: pieces) { text, random in
            let columns = Int.random(in: 0...20, using: &random)
            let width = Text.width(text)
            #expect(width >= 0 && width <= text.unicodeScalars.count * 2, "\(text.debugDescription), seed \(Fuzz.seed)")
            let cut = Text.truncate(text, to: columns)
            #expect(Text.width(cut) <= columns, "\(text.debugDescription) to \(columns), seed \(Fuzz.seed)")
            #expect(width > columns || cut == text, "\(text.debugDescription) to \(columns), seed \(Fuzz.seed)")
            let padded = Text.pad(
                cut, to: columns, align: Text.Alignment.allCases.randomElement(using: &random) ?? .left)
            #expect(Text.width(padded) >= min(columns, Text.width(cut)), "\(text.debugDescription), seed \(Fuzz.seed)")
            let clean = Text.clean(text)
            #expect(Text.clean(clean) == clean, "\(text.debugDescription), seed \(Fuzz.seed)")
            let isSafe = !clean.unicodeScalars.contains {
                $0.value < 0x20 || (0x7F...0x9F).contains($0.value) || (0x202A...0x202E).contains($0.value)
            }
            #expect(isSafe, "\(text.debugDescription), seed \(Fuzz.seed)")
            let folded = Text.fold(text)
            #expect(Text.fold(folded) == folded, "\(text.debugDescription), seed \(Fuzz.seed)")
            _ = Text.words(text)
        }
    }

    @Test("zone files")
    func zones() throws {
        let files = ["Europe/Berlin", "America/New_York", "Africa/Casablanca", "UTC"].compactMap {
            try? [UInt8](Data(contentsOf: URL(filePath: "/usr/share/zoneinfo/\($0)")))
        }
        try #require(!files.isEmpty)
        var random = Random()
        let end = ContinuousClock.now + .seconds(Fuzz.seconds)
        while ContinuousClock.now < end {
            var bytes = files.randomElement(using: &random) ?? []
            for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
                let late = Bool.random(using: &random) ? max(0, bytes.count - 40) : 0
                bytes[Int.random(in: late..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
                if Int.random(in: 0..<20, using: &random) == 0 {
                    bytes.removeLast(Int.random(in: 0...bytes.count, using: &random))
                }
            }
            guard let rules = ZoneRules(tzif: bytes) else { continue }
            for _ in 0..<20 {
                let time = Int64(bitPattern: random.next()) >> Int64.random(in: 0...40, using: &random)
                _ = Timestamp.format(time, as: .strftime("%c %z %Z"), in: rules)
            }
        }
    }
}
