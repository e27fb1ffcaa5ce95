// POSIX time zone rules, as in the TZ variable and the last line of zone files: `EST5EDT,M3.2.0,M11.1.0`. Offsets in
// this syntax count west of Greenwich, the opposite of every other format.

/// A POSIX TZ string (POSIX.1-2017, 8.3) with the extended hours of RFC 8536, 3.3.1.
struct PosixZoneRule: Sendable {
    private let standard: ZoneRules.Period
    private let summer: Summer?

    private struct Summer: Sendable {
        let period: ZoneRules.Period
        let start, end: Change
    }

    /// The yearly time of a change to or from summer time.
    private struct Change: Sendable {
        enum Day: Sendable {
            /// `M`: a weekday (0 for Sunday) of the nth week of a month; week 5 is the last.
            case weekday(month: Int, week: Int, day: Int)
            /// `J`: 1 to 365, not counting 29 February.
            case julian(Int)
            /// 0 to 365, counting 29 February.
            case ordinal(Int)
        }
        let day: Day
        /// Seconds after midnight of that day; may be negative.
        let seconds: Int64
    }

    /// Returns nil when the text is not a rule, or has summer time without its start and end.
    init?(_ text: some Sequence<UInt8>) {
        var scanner = ByteScanner(text)
        guard let name = Self.name(&scanner), let west = Self.duration(&scanner, hours: 24) else { return nil }
        standard = ZoneRules.Period(offset: -Int(west), abbreviation: name)
        if scanner.isAtEnd {
            summer = nil
            return
        }
        guard let summerName = Self.name(&scanner) else { return nil }
        var summerWest = west - 3600
        if scanner.next != UInt8(ascii: ",") {
            guard let read = Self.duration(&scanner, hours: 24) else { return nil }
            summerWest = read
        }
        guard let start = Self.change(&scanner), let end = Self.change(&scanner), scanner.isAtEnd else { return nil }
        summer = Summer(
            period: ZoneRules.Period(offset: -Int(summerWest), abbreviation: summerName), start: start, end: end)
    }

    func period(at time: Int64) -> ZoneRules.Period {
        guard let summer else { return standard }
        // Everything is in standard time and counted from the start of the year, so that no value overflows.
        let (days, second) = time.floored(by: 86_400)
        let (carried, clock) = (second + Int64(standard.offset)).floored(by: 86_400)
        let date = CivilDate(daysSinceEpoch: days + carried)
        let moment = Int64(date.dayOfYear - 1) * 86_400 + clock
        let firstWeekday = (date.weekday % 7 - (date.dayOfYear - 1) % 7 + 7) % 7
        let start = seconds(of: summer.start, in: date.year, firstWeekday: firstWeekday)
        let end =
            seconds(of: summer.end, in: date.year, firstWeekday: firstWeekday)
            - Int64(summer.period.offset - standard.offset)
        let isSummer = start < end ? (start..<end).contains(moment) : !(end..<start).contains(moment)
        return isSummer ? summer.period : standard
    }

    /// Seconds from the start of the year.
    ///
    /// - Parameter firstWeekday: The weekday of 1 January, 0 for Sunday.
    private func seconds(of change: Change, in year: Int64, firstWeekday: Int) -> Int64 {
        let leap = CivilDate.isLeap(year)
        let day: Int
        switch change.day {
        case .ordinal(let number):
            day = number
        case .julian(let number):
            day = number - 1 + (leap && number >= 60 ? 1 : 0)
        case .weekday(let month, let week, let weekday):
            let before = (1..<month).reduce(0) { $0 + CivilDate.days(inMonth: $1, of: year) }
            let first = (weekday - (firstWeekday + before) % 7 + 7) % 7
            let length = CivilDate.days(inMonth: month, of: year)
            var place = first + (week - 1) * 7
            while place >= length { place -= 7 }
            day = before + place
        }
        return Int64(day) * 86_400 + change.seconds
    }

    // MARK: Reading

    private static func name(_ scanner: inout ByteScanner) -> String? {
        let name: String
        if scanner.take(UInt8(ascii: "<")) {
            name = scanner.text { $0 != UInt8(ascii: ">") }
            guard scanner.take(UInt8(ascii: ">")) else { return nil }
        } else {
            name = scanner.text(while: ByteScanner.isLetter)
        }
        return name.utf8.count >= 3 ? name : nil
    }

    /// Parses `[+-]hh[:mm[:ss]]` into seconds.
    private static func duration(_ scanner: inout ByteScanner, hours limit: Int64) -> Int64? {
        let sign: Int64 = scanner.take(anyOf: UInt8(ascii: "+"), UInt8(ascii: "-")) == UInt8(ascii: "-") ? -1 : 1
        guard let hours = scanner.number(digits: 1...3), hours <= limit else { return nil }
        var seconds = hours * 3600
        for unit: Int64 in [60, 1] where scanner.take(UInt8(ascii: ":")) {
            guard let part = scanner.number(digits: 1...2), part < 60 else { return nil }
            seconds += part * unit
        }
        return seconds * sign
    }

    /// Parses `,M3.2.0/2`, `,J60` or `,59`.
    private static func change(_ scanner: inout ByteScanner) -> Change? {
        guard scanner.take(UInt8(ascii: ",")) else { return nil }
        func number(_ range: ClosedRange<Int64>) -> Int? {
            scanner.number(digits: 1...3).flatMap { range.contains($0) ? Int($0) : nil }
        }
        let day: Change.Day
        if scanner.take(UInt8(ascii: "M")) {
            guard let month = number(1...12), scanner.take(UInt8(ascii: ".")), let week = number(1...5),
                scanner.take(UInt8(ascii: ".")), let weekday = number(0...6)
            else { return nil }
            day = .weekday(month: month, week: week, day: weekday)
        } else if scanner.take(UInt8(ascii: "J")) {
            guard let place = number(1...365) else { return nil }
            day = .julian(place)
        } else {
            guard let place = number(0...365) else { return nil }
            day = .ordinal(place)
        }
        guard scanner.take(UInt8(ascii: "/")) else { return Change(day: day, seconds: 7200) }
        return duration(&scanner, hours: 167).map { Change(day: day, seconds: $0) }
    }
}
