// A point in time as people bound a search by: a date, a date and time, or how long ago it was.

extension Timestamp {
    /// Reads what `parse` reads, or an age: a whole number with `h`, `d`, `w`, `mo` or `y`, such as `7d`, which many hours,
    /// days, weeks, months or years before `now`. Months and years go back on the calendar, to the month's last day where
    /// it has no such day.
    ///
    /// - Parameters:
    ///   - now: epoch seconds.
    ///   - roundsAges: whether an age begins with its hour, so that the same question asked again a little later is the
    ///     same question.
    /// - Returns: epoch seconds; nil when the text is neither, and for times before the year 1.
    public static func bound(_ text: String, now: Int64, roundsAges: Bool = false) -> Int64? {
        if let time = parse(text) { return time }
        var scanner = ByteScanner(text)
        scanner.skipSpaces()
        guard let count = scanner.number(digits: 1...6) else { return nil }
        scanner.skipSpaces()
        let unit = scanner.word()
        scanner.skipSpaces()
        guard scanner.isAtEnd else { return nil }
        var start = now
        if roundsAges { start -= now.floored(by: 3600).rest }
        switch unit {
        case "h": return start - count * 3600
        case "d": return start - count * 86_400
        case "w": return start - count * 604_800
        case "mo": return monthsBefore(start, count)
        case "y": return monthsBefore(start, count * 12)
        default: return nil
        }
    }

    private static func monthsBefore(_ time: Int64, _ months: Int64) -> Int64? {
        let (day, seconds) = time.floored(by: 86_400)
        let date = CivilDate(daysSinceEpoch: day)
        let (year, month) = (date.year * 12 + Int64(date.month - 1) - months).floored(by: 12)
        guard year >= 1 else { return nil }
        for last in stride(from: date.day, to: 27, by: -1) {
            if let found = CivilDate(year: year, month: Int(month) + 1, day: last) {
                return found.daysSinceEpoch * 86_400 + seconds
            }
        }
        return CivilDate(year: year, month: Int(month) + 1, day: date.day).map { $0.daysSinceEpoch * 86_400 + seconds }
    }
}
