// Time parsing to epoch seconds. It does not use the system's time zone, locale or clock: a date-time without a zone is
// rejected instead of guessed.

/// Parses and formats times as seconds since 1970-01-01T00:00:00Z, without leap seconds.
public enum Timestamp {
    /// Parses a time in one of two forms. Surrounding white space is ignored.
    ///
    /// - RFC 3339: `2012-08-13T15:10:11.000Z`. Accepts any fraction, an offset with or without a colon or minutes,
    ///   missing seconds (as in W3C's profile of ISO 8601), and `t`, `z` or a space for `T`. A date alone means
    ///   midnight in UTC.
    /// - RFC 822, as amended by RFC 1123, 2822 and 5322: `Tue, 29 Aug 2023 19:59:32 GMT`. The weekday is optional and
    ///   not verified. Two-digit years 00–49 are in the 2000s, 50–99 in the 1900s. Accepts the zone names of RFC 822
    ///   and UTC.
    ///
    /// - Returns: epoch seconds for years 1 to 9999, with fractions dropped. A leap second (23:59:60 UTC) becomes the
    ///   following second. nil when the text is invalid, the day does not exist, or the zone is missing or unknown.
    public static func parse(_ text: String) -> Int64? {
        guard text.utf8.count <= 128 else { return nil }
        let scanner = ByteScanner(text)
        var attempt = scanner
        if let time = internetTime(&attempt) { return time }
        attempt = scanner
        return mailTime(&attempt)
    }

    // MARK: RFC 3339

    private static func internetTime(_ scanner: inout ByteScanner) -> Int64? {
        guard let year = scanner.number(digits: 4...4), scanner.take(UInt8(ascii: "-")),
            let month = scanner.number(digits: 2...2), scanner.take(UInt8(ascii: "-")),
            let day = scanner.number(digits: 2...2),
            year >= 1, let date = CivilDate(year: year, month: Int(month), day: Int(day))
        else { return nil }
        if scanner.isAtEnd { return date.daysSinceEpoch * 86_400 }
        guard scanner.take(anyOf: UInt8(ascii: "T"), UInt8(ascii: "t"), UInt8(ascii: " ")) != nil,
            let clock = clock(&scanner, hourDigits: 2...2, fraction: true)
        else { return nil }
        // PostgreSQL and RFC 822 style put a space before the zone.
        scanner.skipSpaces()
        if scanner.take(anyOf: UInt8(ascii: "Z"), UInt8(ascii: "z")) != nil {
            return scanner.isAtEnd ? time(date, clock, offset: 0) : nil
        }
        guard let offset = offset(&scanner), scanner.isAtEnd else { return nil }
        return time(date, clock, offset: offset)
    }

    // MARK: RFC 822

    private static func mailTime(_ scanner: inout ByteScanner) -> Int64? {
        if let byte = scanner.next, ByteScanner.isLetter(byte) {
            guard index(of: scanner.word(), in: weekdays) != nil else { return nil }
            let isApart = scanner.skipSpaces()
            guard scanner.take(UInt8(ascii: ",")) || isApart else { return nil }
            scanner.skipSpaces()
        }
        guard let day = scanner.number(digits: 1...2), scanner.skipSpaces(),
            let month = index(of: scanner.word(), in: months), scanner.skipSpaces(),
            let year = mailYear(&scanner), scanner.skipSpaces(),
            let date = CivilDate(year: year, month: month, day: Int(day)),
            let clock = clock(&scanner, hourDigits: 1...2, fraction: false)
        else { return nil }
        scanner.skipSpaces()
        let isNumber = scanner.next == UInt8(ascii: "+") || scanner.next == UInt8(ascii: "-")
        guard let offset = isNumber ? offset(&scanner) : zones[scanner.word()] else { return nil }
        // A comment may repeat the zone name: "+0000 (UTC)".
        scanner.skipSpaces()
        if scanner.take(UInt8(ascii: "(")) {
            _ = scanner.text { $0 != UInt8(ascii: ")") && $0 != UInt8(ascii: "(") }
            guard scanner.take(UInt8(ascii: ")")) else { return nil }
        }
        return scanner.isAtEnd ? time(date, clock, offset: offset) : nil
    }

    /// RFC 5322, 4.3: two digits mean 2000 to 2049 or 1950 to 1999; three digits count from 1900.
    private static func mailYear(_ scanner: inout ByteScanner) -> Int64? {
        let start = scanner.position
        guard let year = scanner.number(digits: 2...4) else { return nil }
        switch scanner.position - start {
        case 2: return year < 50 ? 2000 + year : 1900 + year
        case 3: return 1900 + year
        default: return year >= 1 ? year : nil
        }
    }

    /// Seconds east of UTC (RFC 822, 5.1; RFC 5322, 4.3). RFC 822 defined the single-letter military zones with the
    /// wrong sign, so RFC 5322 treats them as UTC; J is not a zone.
    private static let zones: [String: Int64] = {
        var zones: [String: Int64] = [
            "ut": 0, "utc": 0, "gmt": 0, "est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7, "mdt": -6, "pst": -8,
            "pdt": -7,
        ]
        for letter in "abcdefghiklmnopqrstuvwxyz" { zones[String(letter)] = 0 }
        return zones.mapValues { $0 * 3600 }
    }()

    // MARK: Shared parts

    static let weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
    static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    /// The 1-based index of an English name, matched in full or by its first three letters.
    private static func index(of word: String, in names: [String]) -> Int? {
        names.firstIndex { name in
            let name = name.lowercased()
            return word == name || (word.utf8.count == 3 && name.hasPrefix(word))
        }.map { $0 + 1 }
    }

    /// Parses `15:10`, `15:10:11` or `15:10:11.5` into the seconds since midnight, and whether it is a leap second.
    private static func clock(
        _ scanner: inout ByteScanner, hourDigits: ClosedRange<Int>, fraction: Bool
    ) -> (seconds: Int64, isLeap: Bool)? {
        guard let hour = scanner.number(digits: hourDigits), hour < 24, scanner.take(UInt8(ascii: ":")),
            let minute = scanner.number(digits: 2...2), minute < 60
        else { return nil }
        var second: Int64 = 0
        if scanner.take(UInt8(ascii: ":")) {
            guard let read = scanner.number(digits: 2...2), read <= 60 else { return nil }
            second = read
            if fraction, scanner.take(UInt8(ascii: ".")), scanner.text(while: ByteScanner.isDigit).isEmpty {
                return nil
            }
        }
        return (hour * 3600 + minute * 60 + second, second == 60)
    }

    /// Parses `+02:00`, `+0200` or `+02` into seconds east of UTC.
    private static func offset(_ scanner: inout ByteScanner) -> Int64? {
        guard let sign = scanner.take(anyOf: UInt8(ascii: "+"), UInt8(ascii: "-")) else { return nil }
        let start = scanner.position
        guard var hours = scanner.number(digits: 2...4) else { return nil }
        var minutes: Int64 = 0
        switch scanner.position - start {
        case 2:
            if scanner.take(UInt8(ascii: ":")) {
                guard let read = scanner.number(digits: 2...2) else { return nil }
                minutes = read
            }
        case 4:
            (hours, minutes) = hours.quotientAndRemainder(dividingBy: 100)
        default:
            return nil
        }
        guard hours < 24, minutes < 60 else { return nil }
        return (hours * 3600 + minutes * 60) * (sign == UInt8(ascii: "-") ? -1 : 1)
    }

    private static func time(
        _ date: CivilDate, _ clock: (seconds: Int64, isLeap: Bool), offset: Int64
    ) -> Int64? {
        let time = date.daysSinceEpoch * 86_400 + clock.seconds - offset
        // RFC 3339, 5.7: a leap second is the last second of a UTC day.
        if clock.isLeap, time % 86_400 != 0 { return nil }
        return time
    }
}
