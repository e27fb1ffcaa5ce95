// Points in time: the forms services write, the many that look like one, and what is written. The expected numbers
// come from the services' own replies and from `date -u -d`.

import Testing

@testable import Basics

@Suite("Timestamp")
struct TimestampTests {
    @Test(
        "RFC 3339 times are epoch seconds",
        arguments: [
            ("2012-08-13T15:10:11.000Z", 1_344_870_611), ("2012-08-13T15:10:11Z", 1_344_870_611),
            ("2012-08-13T15:10:11.123456789Z", 1_344_870_611), ("2012-08-13T17:10:11+02:00", 1_344_870_611),
            ("2012-08-13T17:10:11+0200", 1_344_870_611), ("2012-08-13T17:10:11+02", 1_344_870_611),
            ("2012-08-13t15:10:11z", 1_344_870_611), ("2012-08-13 15:10:11Z", 1_344_870_611),
            ("2012-08-13 15:10:11 +0000", 1_344_870_611), ("2012-08-13T11:10:11-04:00", 1_344_870_611),
            ("2018-03-05T21:04:47+00:00", 1_520_283_887), ("2018-03-05T21:04:47-00:00", 1_520_283_887),
            ("2024-02-29T00:00:00Z", 1_709_164_800), ("2000-02-29T00:00:00Z", 951_782_400),
            ("2024-12-01", 1_733_011_200), ("  2024-12-01\n", 1_733_011_200), ("2024-12-01T00:00Z", 1_733_011_200),
            ("1969-12-31T23:59:59.999Z", -1), ("0001-01-01T00:00:00Z", -62_135_596_800),
            ("9999-12-31T23:59:59Z", 253_402_300_799),
        ] as [(String, Int64)])
    func internetTime(text: String, time: Int64) {
        #expect(Timestamp.parse(text) == time)
    }

    @Test(
        "a leap second is the second after it, and only ends a day of UTC",
        arguments: [
            ("2016-12-31T23:59:60Z", 1_483_228_800), ("2017-01-01T00:59:60+01:00", 1_483_228_800),
            ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800), ("2016-12-31T23:59:60+01:00", nil),
            ("2016-12-31T12:30:60Z", nil), ("2016-12-31T23:59:61Z", nil),
        ] as [(String, Int64?)])
    func leapSecond(text: String, time: Int64?) {
        #expect(Timestamp.parse(text) == time)
    }

    @Test(
        "RFC 822 dates are read whatever their weekday says",
        arguments: [
            ("Tue, 29 Aug 2023 19:59:32 GMT", 1_693_339_172), ("29 Aug 2023 19:59:32 +0000", 1_693_339_172),
            ("Tue, 29 Aug 23 15:59:32 EDT", 1_693_339_172), ("Mon, 29 Aug 2023 19:59:32 GMT", 1_693_339_172),
            ("Tue 29 Aug 2023 19:59:32 UT", 1_693_339_172), ("Tuesday, 29 August 2023 19:59:32 Z", 1_693_339_172),
            ("TUE, 29 AUG 2023 19:59:32 gmt", 1_693_339_172), ("Tue,29  Aug 2023\r\n 19:59:32 UTC", 1_693_339_172),
            ("29 Aug 2023 14:59:32 EST", 1_693_339_172), ("29 Aug 2023 14:59:32 CDT", 1_693_339_172),
            ("29 Aug 2023 13:59:32 CST", 1_693_339_172), ("29 Aug 2023 13:59:32 MDT", 1_693_339_172),
            ("29 Aug 2023 12:59:32 MST", 1_693_339_172), ("29 Aug 2023 12:59:32 PDT", 1_693_339_172),
            ("29 Aug 2023 11:59:32 PST", 1_693_339_172), ("29 Aug 2023 19:59:32 A", 1_693_339_172),
            ("29 Aug 2023 19:59:32 +0000 (UTC)", 1_693_339_172), ("30 Aug 2023 01:29:32 +0530", 1_693_339_172),
            ("Tue, 29 Aug 2023 19:59 GMT", 1_693_339_140), ("1 Jan 00 00:00:00 GMT", 946_684_800),
            ("1 Jan 49 00:00:00 GMT", 2_493_072_000), ("1 Jan 50 00:00:00 GMT", -631_152_000),
            ("1 Jan 99 00:00:00 GMT", 915_148_800), ("1 Jan 100 00:00:00 GMT", 946_684_800),
            ("Mon, 01 Jul 2024 12:00:00 GMT", 1_719_835_200),
        ] as [(String, Int64)])
    func mailTime(text: String, time: Int64) {
        #expect(Timestamp.parse(text) == time)
    }

    @Test(
        "a time without a zone is UTC, and every spelling with a single reading is read",
        arguments: [
            ("2019-08-27 00:00:00", "2019-08-27T00:00:00Z"), ("2023-08-11T07:17:52", "2023-08-11T07:17:52Z"),
            ("2025-01-02T10:00", "2025-01-02T10:00:00Z"), ("Thu, 02 Jan 2025 10:00:00", "2025-01-02T10:00:00Z"),
            ("Thu, 02 Jan 2025", "2025-01-02T00:00:00Z"), ("29 Aug 2023 19:59:32", "2023-08-29T19:59:32Z"),
            // asctime, date(1), JavaScript's Date.
            ("Tue Aug 29 19:59:32 2023", "2023-08-29T19:59:32Z"), ("Sun Nov  6 08:49:37 1994", "1994-11-06T08:49:37Z"),
            ("Tue Aug 29 19:59:32 CEST 2023", "2023-08-29T17:59:32Z"),
            ("Thu Jan 02 2025 10:00:00 GMT+0000 (Coordinated Universal Time)", "2025-01-02T10:00:00Z"),
            // RFC 850.
            ("Sunday, 06-Nov-94 08:49:37 GMT", "1994-11-06T08:49:37Z"), ("06-Nov-1994", "1994-11-06T00:00:00Z"),
            // Numbers with the year first.
            ("2025/01/02 10:00:00", "2025-01-02T10:00:00Z"), ("2024/07/01", "2024-07-01T00:00:00Z"),
            ("2024.07.01 12:00", "2024-07-01T12:00:00Z"), ("2024-7-1", "2024-07-01T00:00:00Z"),
            ("2025-01-02, 10:00", "2025-01-02T10:00:00Z"), ("2025-01-02 9:05 PM", "2025-01-02T21:05:00Z"),
            ("2024-07-01T12:00:00,5Z", "2024-07-01T12:00:00Z"),
            // The month before the day.
            ("Nov 16, 2022", "2022-11-16T00:00:00Z"), ("Wed, November 16th, 2022", "2022-11-16T00:00:00Z"),
            ("Aug 29 2023 19:59:32 GMT", "2023-08-29T19:59:32Z"), ("Sept. 3, 2021, 12:30 am", "2021-09-03T00:30:00Z"),
            ("November 16, 2022 12:00 PM EST", "2022-11-16T17:00:00Z"), ("3 September, 2021", "2021-09-03T00:00:00Z"),
            // Zones.
            ("29 Aug 2023 19:59:32 CET", "2023-08-29T18:59:32Z"), ("29 Aug 2023 19:59:32 JST", "2023-08-29T10:59:32Z"),
            ("29 Aug 2023 19:59:32 MSK", "2023-08-29T16:59:32Z"), ("29 Aug 2023 19:59:32 AEST", "2023-08-29T09:59:32Z"),
            ("29 Aug 2023 19:59:32 ACST", "2023-08-29T10:29:32Z"),
            ("29 Aug 2023 19:59:32 GMT+0200", "2023-08-29T17:59:32Z"),
            ("29 Aug 2023 19:59:32 UTC-05:00", "2023-08-30T00:59:32Z"),
            ("29 Aug 2023 19:59:32 +5:30", "2023-08-29T14:29:32Z"), ("2024-07-01T12:00:00+2", "2024-07-01T10:00:00Z"),
            ("2024-07-01T12:00:00 CEST", "2024-07-01T10:00:00Z"), ("2021-03-21 08:37:33 UTC", "2021-03-21T08:37:33Z"),
            ("2023-03-07 05:54:43 Z", "2023-03-07T05:54:43Z"),
        ])
    func spellings(text: String, time: String) {
        #expect(Timestamp.parse(text).map { Timestamp.format($0, as: .rfc3339) } == time)
    }

    @Test(
        "what is not surely a point in time is nil",
        arguments: [
            "29 Jun 2035 10:52 -UT", "29 May 1987 23:59:00+GMT", "29 May 1987 23:59 +Z", "Thu02 May 1997 21:16 -0700",
            "", "now", "yesterday", "3 days ago", "-7d", "20m", "1344870611", "20240701", "2024", "2024-07",
            "2023-02-29T00:00:00Z", "1900-02-29", "2024-04-31", "2024-13-01", "2024-00-01", "2024-01-00", "2024-01-32",
            "0000-01-01T00:00:00Z", "10000-01-01T00:00:00Z", "2024-07/01", "01/07/2024", "01-07-2024", "01.07.2024",
            "2024-07-01T24:00:00Z", "2024-07-01T12:60:00Z", "2024-07-01T12Z", "2024-07-01T",
            "2024-07-01T12:00:00.Z", "2024-07-01T12:00:00+24:00", "2024-07-01T12:00:00+02:60",
            "2024-07-01T12:00:00+02:0", "2024-07-01T12:00:00+200", "2024-07-01T12:00:00Zjunk", "2024-07-01Z",
            "2024-07-01 13:00 PM", "2024-07-01 0:30 AM", "2024-W27-1", "2024-183", "29 Aug 2023 19:59:32 J",
            "29 Aug 2023 19:59:32 IST", "29 Aug 2023 19:59:32 BST", "29 Aug 2023 19:59:32 XYZ",
            "29 Aug 2023 19:59:32 CET+1", "29 Aoû 2023 19:59:32 GMT", "mar., 29 août 2023 19:59:32 GMT",
            "Di, 29 Aug 2023 19:59:32 GMT", "31 Feb 2023 00:00:00 GMT", "29 Aug 2023 24:00:00 GMT",
            "29 Aug 0000 19:59:32 GMT", "29 Aug 2023 19:59:32 GMT (", "Nov 16", "Nov 16, 22", "16 2022 Nov", "Nov 2022",
            "Nov 31, 2022", "Tue Aug 29 19:59:32", "Aug 29 2023x", "Augx 29, 2023", "٢٠٢٤-٠٧-٠١",
            String(repeating: "2", count: 10_000),
        ])
    func refused(text: String) {
        #expect(Timestamp.parse(text) == nil)
    }

    @Test(
        "the named styles are the same in every zone and locale",
        arguments: [
            (1_719_835_200, "Mon, 01 Jul 2024 12:00:00 GMT", "2024-07-01T12:00:00Z", "2024-07-01"),
            (0, "Thu, 01 Jan 1970 00:00:00 GMT", "1970-01-01T00:00:00Z", "1970-01-01"),
            (-1, "Wed, 31 Dec 1969 23:59:59 GMT", "1969-12-31T23:59:59Z", "1969-12-31"),
            (-62_135_596_801, "Sun, 31 Dec 0000 23:59:59 GMT", "0000-12-31T23:59:59Z", "0000-12-31"),
            (-62_167_219_201, "Fri, 31 Dec -0001 23:59:59 GMT", "-0001-12-31T23:59:59Z", "-0001-12-31"),
            (253_402_300_800, "Sat, 01 Jan +10000 00:00:00 GMT", "+10000-01-01T00:00:00Z", "+10000-01-01"),
        ] as [(Int64, String, String, String)])
    func styles(time: Int64, rfc822: String, rfc3339: String, date: String) {
        #expect(Timestamp.format(time, as: .rfc822) == rfc822)
        #expect(Timestamp.format(time, as: .rfc3339) == rfc3339)
        #expect(Timestamp.format(time, as: .date) == date)
    }

    @Test(
        "strftime's conversions are those of the C locale",
        arguments: [
            ("%Y-%m-%d %H:%M:%S", "2024-07-01 13:05:09"), ("%y", "24"), ("%e", " 1"), ("%j", "183"),
            ("%a %A", "Mon Monday"),
            ("%b %B", "Jul July"), ("%I %p", "01 PM"), ("%Z %z", "UTC +0000"), ("%s", "1719839109"),
            ("%F", "2024-07-01"),
            ("%T", "13:05:09"), ("%D", "07/01/24"), ("%R", "13:05"), ("%u %w", "1 1"), ("%G-W%V", "2024-W27"),
            ("%n%t", "\n\t"), ("100%%", "100%"), ("%Q %", "%Q %"), ("%%Y", "%Y"), ("日%d日", "日01日"), ("", ""),
        ] as [(String, String)])
    func strftime(pattern: String, text: String) {
        #expect(Timestamp.format(1_719_839_109, as: .strftime(pattern)) == text)
    }

    @Test(
        "the ISO week belongs to the year of its Thursday",
        arguments: [
            ("2021-01-03", "2020-W53-7"), ("2021-01-04", "2021-W01-1"), ("2024-12-30", "2025-W01-1"),
            ("2023-01-01", "2022-W52-7"), ("2020-12-31", "2020-W53-4"),
        ])
    func week(date: String, week: String) throws {
        let time = try #require(Timestamp.parse(date))
        #expect(Timestamp.format(time, as: .strftime("%G-W%V-%u")) == week)
    }

    @Test("12 o'clock is 12, at noon and at midnight")
    func noon() {
        #expect(Timestamp.format(0, as: .strftime("%I%p")) == "12AM")
        #expect(Timestamp.format(43_200, as: .strftime("%I%p")) == "12PM")
    }

    @Test("the ends of 64 bits are written, not crashed on", arguments: [Int64.min, .max])
    func ends(time: Int64) {
        let every = "%Y%m%d%H%M%S%y%e%j%a%A%b%B%p%I%Z%z%s%F%T%D%R%u%w%V%G"
        #expect(!Timestamp.format(time, as: .strftime(every)).contains("%"))
        #expect(Timestamp.format(.max, as: .date) == "+292277026596-12-04")
        #expect(Timestamp.age(time, now: time > 0 ? .min : .max).hasSuffix(time > 0 ? "years" : "years ago"))
    }

    @Test(
        "ages name one unit, rounded down",
        arguments: [
            (0, "just now"), (59, "just now"), (-59, "just now"), (60, "1 minute ago"), (3599, "59 minutes ago"),
            (3600, "1 hour ago"), (-7200, "in 2 hours"), (86_399, "23 hours ago"), (86_400, "1 day ago"),
            (3 * 86_400, "3 days ago"), (-86_400, "in 1 day"), (7 * 86_400, "1 week ago"), (29 * 86_400, "4 weeks ago"),
            (30 * 86_400, "1 month ago"), (364 * 86_400, "11 months ago"), (365 * 86_400, "1 year ago"),
            (800 * 86_400, "2 years ago"),
        ] as [(Int64, String)])
    func age(seconds: Int64, text: String) {
        #expect(Timestamp.age(1_700_000_000 - seconds, now: 1_700_000_000) == text)
    }

    @Test("every day of 800 years is counted and named the same both ways")
    func calendar() {
        var weekday = 0
        for day in Int64(-146_097)...146_097 {
            let date = CivilDate(daysSinceEpoch: day)
            let back = CivilDate(year: date.year, month: date.month, day: date.day)
            guard back == date, date.daysSinceEpoch == day, weekday == 0 || date.weekday == weekday % 7 + 1 else {
                Issue.record("day \(day) is \(date)")
                return
            }
            weekday = date.weekday
        }
        #expect(CivilDate(daysSinceEpoch: 0).weekday == 4)
        #expect(CivilDate(year: .max, month: 1, day: 1) == nil)
    }
}
