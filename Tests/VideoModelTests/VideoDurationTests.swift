// Lengths of time: what is read, what is refused, what is written. Refusals matter as much as readings, since a wrong
// length silently drops videos from a filter.

import Basics
import Testing

@Suite("VideoDuration")
struct VideoDurationTests {
    @Test(
        "ISO 8601 durations are whole seconds",
        arguments: [
            ("PT1H2M3S", 3723), ("PT45S", 45), ("PT0S", 0), ("PT1H", 3600), ("PT90M", 5400), ("P1DT2H", 93_600),
            ("P1DT2H3M4S", 93_784), ("P1D", 86_400), ("P3W3DT20H31M21S", 2_147_481), ("P1W2DT6H21M32S", 800_492),
            ("P2W", 1_209_600), ("P0D", 0), ("pt1h", 3600), ("PT001S", 1), (" PT1M\n", 60),
        ] as [(String, Int64)])
    func iso(text: String, seconds: Int64) {
        #expect(VideoDuration.parse(text) == seconds)
    }

    @Test(
        "a fraction of the smallest unit counts, rounded down",
        arguments: [
            ("PT1M1.5S", 61), ("PT1.999999999999999S", 1), ("PT0.5H", 1800), ("PT1,5M", 90), ("P0.5D", 43_200),
            ("P1.5W", 907_200), ("P1DT0.25H", 87_300),
        ] as [(String, Int64)])
    func isoFraction(text: String, seconds: Int64) {
        #expect(VideoDuration.parse(text) == seconds)
    }

    @Test(
        "a protobuf Duration, a clock and the units people write are read",
        arguments: [
            ("61s", 61), ("1.5s", 1), ("1:02:03", 3723), ("02:03", 123), ("0:59.5", 59), ("90:00", 5400),
            ("100:00:00", 360_000), ("90", 90), ("1.9", 1), ("20m", 1200), ("1h30m", 5400), ("1h 30m", 5400),
            ("2d", 172_800), ("45s", 45), ("1.5h", 5400), ("1H30M", 5400), ("2 hours", 7200), ("1 hour 5 min", 3900),
            ("1w2d3h4m5s", 788_645), ("1h1.5m", 3690), ("0", 0),
        ] as [(String, Int64)])
    func human(text: String, seconds: Int64) {
        #expect(VideoDuration.parse(text) == seconds)
    }

    @Test(
        "what is not surely a duration is nil",
        arguments: [
            "", " ", "PT", "P", "PT5", "P5", "PT1H junk", "P1Y", "P1M", "P1Y2DT3H", "P1DT", "P1H", "PT1D", "PT1M1H",
            "PT1H1H", "PT1.5H2M", "PT.5S", "PT5.S", "P-1D", "-PT5S", "+PT5S", "-5", "+5", "-1:00", "1:2", "1:60",
            "1:60:00", "0:00:60", "1:02:03:04", "1:", ":30", "1:02.5:03", "1.5:00", "1h30", "30m1h", "1h1h", "1.5h30m",
            "h", "5 months", "5x", "5y", "1e3", "1,000", "０５", "1 2", "PT1H\u{0}", "five minutes", "NaN", "∞",
        ])
    func refused(text: String) {
        #expect(VideoDuration.parse(text) == nil)
    }

    @Test(
        "more than 64 bits of seconds is nil, never an overflow",
        arguments: [
            "9223372036854775808", "PT9223372036854775808S", "P99999999999999999999W", "PT9223372036854775807M",
            "9223372036854775807h", "9223372036854775807:00", "9223372036854775807:00:00",
            "PT153722867280912930M8S", String(repeating: "9", count: 5000),
        ])
    func tooLong(text: String) {
        #expect(VideoDuration.parse(text) == nil)
    }

    @Test("the longest length is read and written")
    func longest() {
        #expect(VideoDuration.parse("9223372036854775807") == .max)
        #expect(VideoDuration.format(.max) == "2562047788015215:30:07")
        #expect(VideoDuration.format(.min) == "-2562047788015215:30:08")
        #expect(VideoDuration.parse(VideoDuration.iso8601(.max)) == .max)
    }

    @Test(
        "lengths are written as a clock and as ISO 8601",
        arguments: [
            (0, "0:00", "PT0S"), (5, "0:05", "PT5S"), (60, "1:00", "PT1M"), (754, "12:34", "PT12M34S"),
            (3599, "59:59", "PT59M59S"), (3600, "1:00:00", "PT1H"), (3900, "1:05:00", "PT1H5M"),
            (86_400, "24:00:00", "P1D"), (93_600, "26:00:00", "P1DT2H"), (-65, "-1:05", "-PT1M5S"),
        ] as [(Int64, String, String)])
    func written(seconds: Int64, clock: String, iso: String) {
        #expect(VideoDuration.format(seconds) == clock)
        #expect(VideoDuration.iso8601(seconds) == iso)
    }

    @Test("what is written is read back", arguments: (0..<320).map { $0 * 1237 })
    func roundTrip(seconds: Int) {
        #expect(VideoDuration.parse(VideoDuration.format(Int64(seconds))) == Int64(seconds))
        #expect(VideoDuration.parse(VideoDuration.iso8601(Int64(seconds))) == Int64(seconds))
    }
}
