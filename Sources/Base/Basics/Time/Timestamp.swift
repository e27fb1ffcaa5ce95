// Time parsing to epoch seconds. It does not use the system's time zone, locale or clock. A time without a zone is UTC. A
// text with two readings, such as 01/02/2024 or IST, is rejected instead of guessed.

/// Parses and formats times as seconds since 1970-01-01T00:00:00Z, without leap seconds.
public enum Timestamp {
    /// Parses a date, or a date and time. Surrounding white space is ignored. A date alone means midnight, and a time
    /// without a zone is UTC.
    ///
    /// - RFC 3339: `2012-08-13T15:10:11.000Z`. Accepts any fraction, missing seconds (as in W3C's profile of ISO 8601),
    ///   `t`, a space or a comma for `T`, and `/` or `.` for `-`: `2025/01/02 10:00:00`.
    /// - RFC 822, as amended by RFC 1123, 2822 and 5322: `Tue, 29 Aug 2023 19:59:32 GMT`. The weekday is optional and
    ///   not verified. Two-digit years 00–49 are in the 2000s, 50–99 in the 1900s.
    /// - RFC 850: `Sunday, 06-Nov-94 08:49:37 GMT`, and C's asctime: `Sun Nov  6 08:49:37 1994`, with or without a zone.
    /// - A named month before the day, with a year of four digits: `Nov 16, 2022`, `November 16th, 2022 10:00 PM`.
    ///
    /// Zones are `Z`, an offset (`+02:00`, `+0200`, `+2`, `GMT+0200`), the names of RFC 822, and other names with a
    /// single meaning, such as `CEST`.
    ///
    /// - Returns: epoch seconds for years 1 to 9999, with fractions dropped. A leap second (23:59:60 UTC) becomes the
    ///   following second. nil when the text is invalid, the day does not exist, or the zone is unknown or has several
    ///   meanings.
    public static func parse(_ text: String) -> Int64? {
        guard text.utf8.count <= 128 else { return nil }
        let scanner = ByteScanner(text)
        for form in [numericTime, monthTime, mailTime] {
            var attempt = scanner
            if let time = form(&attempt) { return time }
        }
        return nil
    }

    // MARK: Forms

    /// `2012-08-13T15:10:11Z` and `2012/8/13 15:10`.
    private static func numericTime(_ scanner: inout ByteScanner) -> Int64? {
        guard let year = scanner.number(digits: 4...4),
            let separator = scanner.take(anyOf: UInt8(ascii: "-"), UInt8(ascii: "/"), UInt8(ascii: ".")),
            let month = scanner.number(digits: 1...2), scanner.take(separator),
            let day = scanner.number(digits: 1...2),
            year >= 1, let date = CivilDate(year: year, month: Int(month), day: Int(day))
        else { return nil }
        if scanner.isAtEnd { return date.daysSinceEpoch * 86_400 }
        let mark = scanner.take(anyOf: UInt8(ascii: "T"), UInt8(ascii: "t"), UInt8(ascii: ","))
        let isApart = scanner.skipSpaces()
        guard mark != nil || isApart else { return nil }
        return clockAndZone(date, &scanner)
    }

    /// `29 Aug 2023 19:59:32 GMT`, `29-Aug-23`.
    private static func mailTime(_ scanner: inout ByteScanner) -> Int64? {
        guard skipWeekday(&scanner), let day = scanner.number(digits: 1...2), skipMonthSeparator(&scanner),
            let month = month(&scanner)
        else { return nil }
        _ = scanner.take(UInt8(ascii: ","))
        guard skipMonthSeparator(&scanner), let year = mailYear(&scanner),
            let date = CivilDate(year: year, month: month, day: Int(day))
        else { return nil }
        return rest(after: date, &scanner)
    }

    /// `Aug 29, 2023`, and asctime's `Aug 29 19:59:32 2023`, both with an optional weekday.
    private static func monthTime(_ scanner: inout ByteScanner) -> Int64? {
        guard skipWeekday(&scanner), let month = month(&scanner), scanner.skipSpaces(),
            let day = scanner.number(digits: 1...2)
        else { return nil }
        let ordinal = scanner.word()
        guard ordinal.isEmpty || ["st", "nd", "rd", "th"].contains(ordinal) else { return nil }
        let comma = scanner.take(UInt8(ascii: ","))
        guard scanner.skipSpaces() || comma else { return nil }
        var attempt = scanner
        if let year = attempt.number(digits: 4...4), attempt.next != UInt8(ascii: ":") {
            guard year >= 1, let date = CivilDate(year: year, month: month, day: Int(day)) else { return nil }
            return rest(after: date, &attempt)
        }
        guard let clock = clock(&scanner), scanner.skipSpaces() else { return nil }
        var offset: Int64 = 0
        if let byte = scanner.next, !ByteScanner.isDigit(byte) {
            guard let read = zone(&scanner), scanner.skipSpaces() else { return nil }
            offset = read
        }
        guard let year = scanner.number(digits: 4...4), year >= 1, scanner.isAtEnd,
            let date = CivilDate(year: year, month: month, day: Int(day))
        else { return nil }
        return time(date, clock, offset: offset)
    }

    // MARK: Parts of forms

    /// The end of the text, or white space and a time. A comma may follow the year.
    private static func rest(after date: CivilDate, _ scanner: inout ByteScanner) -> Int64? {
        if scanner.isAtEnd { return date.daysSinceEpoch * 86_400 }
        let comma = scanner.take(UInt8(ascii: ","))
        guard scanner.skipSpaces() || comma else { return nil }
        return clockAndZone(date, &scanner)
    }

    private static func clockAndZone(_ date: CivilDate, _ scanner: inout ByteScanner) -> Int64? {
        guard let clock = clock(&scanner) else { return nil }
        scanner.skipSpaces()
        if scanner.isAtEnd { return time(date, clock, offset: 0) }
        guard let offset = zone(&scanner) else { return nil }
        // A comment may repeat the zone name: "+0000 (UTC)".
        scanner.skipSpaces()
        if scanner.take(UInt8(ascii: "(")) {
            _ = scanner.text { $0 != UInt8(ascii: ")") && $0 != UInt8(ascii: "(") }
            guard scanner.take(UInt8(ascii: ")")) else { return nil }
        }
        return scanner.isAtEnd ? time(date, clock, offset: offset) : nil
    }

    /// Skips an optional weekday. Returns false if there is a word that is neither a weekday nor a month.
    private static func skipWeekday(_ scanner: inout ByteScanner) -> Bool {
        guard let byte = scanner.next, ByteScanner.isLetter(byte) else { return true }
        var attempt = scanner
        let word = attempt.word()
        guard index(of: word, in: weekdays) != nil else { return index(of: word, in: months) != nil }
        _ = attempt.take(UInt8(ascii: "."))
        let isApart = attempt.skipSpaces()
        guard attempt.take(UInt8(ascii: ",")) || isApart else { return false }
        attempt.skipSpaces()
        scanner = attempt
        return true
    }

    /// White space, or the hyphen of RFC 850.
    private static func skipMonthSeparator(_ scanner: inout ByteScanner) -> Bool {
        scanner.skipSpaces() || scanner.take(UInt8(ascii: "-"))
    }

    private static func month(_ scanner: inout ByteScanner) -> Int? {
        let found = index(of: scanner.word(), in: months)
        _ = scanner.take(UInt8(ascii: "."))
        return found
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

    /// Seconds east of UTC: `Z`, a name, an offset, or an offset from `GMT` or `UTC`.
    private static func zone(_ scanner: inout ByteScanner) -> Int64? {
        func isSign(_ byte: UInt8?) -> Bool { byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") }
        if isSign(scanner.next) { return offset(&scanner) }
        let name = scanner.word()
        guard let seconds = zones[name] else { return nil }
        return ["gmt", "utc"].contains(name) && isSign(scanner.next) ? offset(&scanner) : seconds
    }

    /// Seconds east of UTC. First the names of RFC 822 (5.1; RFC 5322, 4.3), of which RFC 822 defined the single-letter
    /// military zones with the wrong sign, so RFC 5322 treats them as UTC; J is not a zone. Then other names in use with
    /// a single meaning. Names with several are missing: AST, BST, IST, SST …
    private static let zones: [String: Int64] = {
        var hours: [String: Double] = [
            "ut": 0, "utc": 0, "gmt": 0, "est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7, "mdt": -6, "pst": -8,
            "pdt": -7,
            "wet": 0, "west": 1, "cet": 1, "cest": 2, "met": 1, "mest": 2, "mez": 1, "mesz": 2, "eet": 2, "eest": 3,
            "msk": 3, "msd": 4, "sast": 2, "cat": 2, "eat": 3, "pkt": 5, "npt": 5.75, "wib": 7, "wita": 8, "hkt": 8,
            "sgt": 8, "awst": 8, "jst": 9, "kst": 9, "acst": 9.5, "acdt": 10.5, "aest": 10, "aedt": 11, "nzst": 12,
            "nzdt": 13, "hst": -10, "akst": -9, "akdt": -8, "nst": -3.5, "ndt": -2.5, "brt": -3, "brst": -2,
        ]
        for letter in "abcdefghiklmnopqrstuvwxyz" { hours[String(letter)] = 0 }
        return hours.mapValues { Int64($0 * 3600) }
    }()

    // MARK: Shared parts

    static let weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
    static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    /// The 1-based index of an English name, matched in full or by its first letters, at least three.
    private static func index(of word: String, in names: [String]) -> Int? {
        guard word.utf8.count >= 3 else { return nil }
        return names.firstIndex { $0.lowercased().hasPrefix(word) }.map { $0 + 1 }
    }

    /// Parses `15:10`, `15:10:11`, `15:10:11.5` or `3:10 PM` into the seconds since midnight, and whether it is a leap
    /// second.
    private static func clock(_ scanner: inout ByteScanner) -> (seconds: Int64, isLeap: Bool)? {
        guard var hour = scanner.number(digits: 1...2), hour < 24, scanner.take(UInt8(ascii: ":")),
            let minute = scanner.number(digits: 2...2), minute < 60
        else { return nil }
        var second: Int64 = 0
        if scanner.take(UInt8(ascii: ":")) {
            guard let read = scanner.number(digits: 2...2), read <= 60 else { return nil }
            second = read
            if scanner.take(anyOf: UInt8(ascii: "."), UInt8(ascii: ",")) != nil,
                scanner.text(while: ByteScanner.isDigit).isEmpty
            {
                return nil
            }
        }
        var attempt = scanner
        attempt.skipSpaces()
        let half = attempt.word()
        if half == "am" || half == "pm" {
            guard (1...12).contains(hour) else { return nil }
            hour = hour % 12 + (half == "pm" ? 12 : 0)
            scanner = attempt
        }
        return (hour * 3600 + minute * 60 + second, second == 60)
    }

    /// Parses `+02:00`, `+0200`, `+02`, `+2:00` or `+2` into seconds east of UTC.
    private static func offset(_ scanner: inout ByteScanner) -> Int64? {
        guard let sign = scanner.take(anyOf: UInt8(ascii: "+"), UInt8(ascii: "-")) else { return nil }
        let start = scanner.position
        guard var hours = scanner.number(digits: 1...4) else { return nil }
        var minutes: Int64 = 0
        switch scanner.position - start {
        case 1, 2:
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
