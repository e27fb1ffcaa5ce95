// Time bounds of a search: a date, a date and time, or an age such as `7d`.

extension Timestamp {
    /// Parses everything that `parse` accepts, or an age: an integer followed by `h`, `d`, `w`, `mo` or `y`, which is
    /// subtracted from `now`. Months and years use the calendar; a day that the target month does not have becomes its
    /// last day.
    ///
    /// - Parameters:
    ///   - now: epoch seconds.
    ///   - roundsAges: rounds `now` down to the hour before subtracting an age, so that the same query a little later
    ///     gives the same bound.
    /// - Returns: epoch seconds; nil when the text is in neither form, or the result of a month or year age is before
    ///   the year 1.
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
