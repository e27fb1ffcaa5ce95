// Calendar arithmetic in the proleptic Gregorian calendar (as in RFC 3339 and POSIX). Year 0 exists, and dates before
// 1582 differ from those in use at the time.

/// A day of the proleptic Gregorian calendar.
struct CivilDate: Sendable, Equatable {
    /// Astronomical year number: the year before 1 is 0.
    let year: Int64
    /// 1 to 12.
    let month: Int
    /// 1 to 31.
    let day: Int

    /// Returns nil when the month has no such day, and for years beyond ±10^12.
    init?(year: Int64, month: Int, day: Int) {
        guard year.magnitude <= 1_000_000_000_000, (1...12).contains(month), day >= 1,
            day <= Self.days(inMonth: month, of: year)
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// The date that many days after 1970-01-01. Accepts any day count derived from 64-bit seconds.
    init(daysSinceEpoch: Int64) {
        // Eras of 400 years start on 1 March, so that the leap day is the last day of a year.
        let shifted = daysSinceEpoch + 719_468
        let (era, dayOfEra) = shifted.floored(by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = Int(dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
        month = Int(shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9)
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// Days since 1970-01-01; negative before that.
    var daysSinceEpoch: Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let (era, yearOfEra) = shifted.floored(by: 400)
        let dayOfYear = Int64((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1)
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// ISO 8601 weekday: 1 for Monday to 7 for Sunday.
    var weekday: Int {
        Int((daysSinceEpoch + 3).floored(by: 7).rest) + 1
    }

    /// 1 for 1 January, up to 365 or 366.
    var dayOfYear: Int {
        let before = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334][month - 1]
        return before + day + (month > 2 && Self.isLeap(year) ? 1 : 0)
    }

    /// The ISO 8601 week number, 1 to 53, and the year that week belongs to.
    var week: (year: Int64, number: Int) {
        let thursday = CivilDate(daysSinceEpoch: daysSinceEpoch - Int64(weekday) + 4)
        return (thursday.year, (thursday.dayOfYear - 1) / 7 + 1)
    }

    static func isLeap(_ year: Int64) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    /// Number of days in a month, 1 for January.
    static func days(inMonth month: Int, of year: Int64) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

extension Int64 {
    /// The quotient rounded toward negative infinity, and the non-negative remainder.
    func floored(by divisor: Int64) -> (quotient: Int64, rest: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
