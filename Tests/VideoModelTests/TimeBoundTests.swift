// Dates and ages that bound a search.

import Basics
import Testing

@Suite struct TimeBoundTests {
    /// 2024-03-31T13:46:40Z.
    private static let now: Int64 = 1_711_892_800

    @Test(
        "a bound is a date, or how long ago it was",
        arguments: [
            ("2024-01-01", "2024-01-01T00:00:00Z"), ("2024-01-01T12:00:00+01:00", "2024-01-01T11:00:00Z"),
            ("7d", "2024-03-24T13:46:40Z"), (" 2 w ", "2024-03-17T13:46:40Z"), ("12h", "2024-03-31T01:46:40Z"),
            // No 31st of February, and 2023 had no 29th.
            ("1mo", "2024-02-29T13:46:40Z"), ("13mo", "2023-02-28T13:46:40Z"), ("3MO", "2023-12-31T13:46:40Z"),
            ("1y", "2023-03-31T13:46:40Z"), ("0d", "2024-03-31T13:46:40Z"),
        ])
    func bounds(text: String, time: String) {
        #expect(Timestamp.bound(text, now: Self.now).map { Timestamp.format($0, as: .rfc3339) } == time)
    }

    @Test(
        "anything else is none",
        arguments: ["", "soon", "7", "d", "7 days", "-7d", "7m", "1.5d", "7d2h", "9999999d", "3000y", "7d ago"])
    func refused(text: String) { #expect(Timestamp.bound(text, now: Self.now) == nil) }

    @Test("an age may begin with its hour, a date never does")
    func rounded() {
        #expect(Timestamp.bound("7d", now: Self.now, roundsAges: true) == Timestamp.parse("2024-03-24T13:00:00Z"))
        #expect(Timestamp.bound("1mo", now: Self.now, roundsAges: true) == Timestamp.parse("2024-02-29T13:00:00Z"))
        #expect(
            Timestamp.bound("2024-01-01T12:34:56Z", now: Self.now, roundsAges: true)
                == Timestamp.parse("2024-01-01T12:34:56Z"))
    }
}
