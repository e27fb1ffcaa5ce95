// Time formatting, always in English and in the given zone (UTC by default). The process's TZ and LC_TIME are ignored,
// so the same input gives the same bytes everywhere.

extension Timestamp {
    /// An output format.
    public enum Style: Sendable, Equatable {
        /// `Mon, 01 Jul 2024 12:00:00 GMT`, for RSS and HTTP (RFC 822 with the four-digit years of RFC 1123); always in
        /// UTC.
        case rfc822
        /// `2024-07-01T12:00:00Z`, or with a numeric offset when a zone is given (RFC 3339).
        case rfc3339
        /// `2024-07-01`.
        case date
        /// A strftime pattern in the C locale, with the conversions `%Y %m %d %H %M %S %y %e %j %a %A %b %h %B %p %P %I
        /// %k %l %Z %z %s %C %F %T %D %R %r %c %x %X %u %w %U %W %V %G %g %n %t %%`. Any other conversion is copied
        /// unchanged.
        case strftime(String)
    }

    /// Formats a time.
    ///
    /// - Parameters:
    ///   - time: epoch seconds; any value. Years outside 0 to 9999 get a sign, as in ISO 8601 expanded years.
    ///   - zone: the time zone; nil is UTC. Ignored by `.rfc822`.
    public static func format(_ time: Int64, as style: Style, in zone: ZoneRules? = nil) -> String {
        switch style {
        case .rfc822:
            Reading(time, in: nil).mailText
        case .rfc3339:
            Reading(time, in: zone, wholeMinutes: true).internetText(named: zone != nil)
        case .date:
            Reading(time, in: zone).text("%F")
        case .strftime(let pattern):
            Reading(time, in: zone).text(pattern)
        }
    }

    /// The age of a time in one unit, rounded down: `just now` (within a minute), `3 days ago`, `in 2 hours`.
    ///
    /// - Parameters:
    ///   - time: epoch seconds.
    ///   - now: the current time in epoch seconds.
    public static func age(_ time: Int64, now: Int64) -> String {
        let isPast = time <= now
        let seconds = UInt64(bitPattern: isPast ? now &- time : time &- now)
        let days = seconds / 86_400
        let (count, unit): (UInt64, String) =
            switch seconds {
            case ..<60: (0, "")
            case ..<3600: (seconds / 60, "minute")
            case ..<86_400: (seconds / 3600, "hour")
            default:
                switch days {
                case ..<7: (days, "day")
                case ..<30: (days / 7, "week")
                // Twelfths of a year, so that 364 days are 11 months.
                case ..<365: (max(1, days * 12 / 365), "month")
                default: (days / 365, "year")
                }
            }
        if count == 0 { return "just now" }
        let amount = "\(count) \(unit)\(count == 1 ? "" : "s")"
        return isPast ? "\(amount) ago" : "in \(amount)"
    }

    /// A time broken down into calendar and clock fields in a zone.
    private struct Reading {
        let time: Int64
        let date: CivilDate
        /// Seconds since midnight.
        let clock: Int64
        /// Seconds east of UTC.
        let offset: Int
        let zone: String

        init(_ time: Int64, in rules: ZoneRules?, wholeMinutes: Bool = false) {
            self.time = time
            let (seconds, abbreviation) = rules?.offset(at: time) ?? (0, "UTC")
            // RFC 3339 cannot express offsets with seconds, which zones had before 1972.
            offset = wholeMinutes ? seconds - seconds % 60 : seconds
            zone = abbreviation
            // Divide first, so that times near the 64-bit limits do not overflow.
            let (days, second) = time.floored(by: 86_400)
            let (carried, clock) = (second + Int64(offset)).floored(by: 86_400)
            date = CivilDate(daysSinceEpoch: days + carried)
            self.clock = clock
        }

        /// Formats `Mon, 01 Jul 2024 12:00:00 GMT` without a pattern. It is fast because feeds have one for each item.
        var mailText: String {
            text { bytes in
                bytes.append(contentsOf: Timestamp.weekdays[date.weekday - 1].utf8.prefix(3))
                bytes.append(UInt8(ascii: ","))
                bytes.append(UInt8(ascii: " "))
                writeTwo(Int64(date.day), then: " ", &bytes)
                bytes.append(contentsOf: Timestamp.months[date.month - 1].utf8.prefix(3))
                bytes.append(UInt8(ascii: " "))
                write(year: date.year, &bytes)
                bytes.append(UInt8(ascii: " "))
                writeTwo(clock / 3600, then: ":", &bytes)
                writeTwo(clock / 60 % 60, then: ":", &bytes)
                writeTwo(clock % 60, then: " ", &bytes)
                bytes.append(contentsOf: "GMT".utf8)
            }
        }

        private func writeTwo(_ number: Int64, then mark: Unicode.Scalar, _ bytes: inout [UInt8]) {
            bytes.append(UInt8(ascii: "0") + UInt8(number / 10))
            bytes.append(UInt8(ascii: "0") + UInt8(number % 10))
            bytes.append(UInt8(ascii: mark))
        }

        func internetText(named: Bool) -> String {
            text { bytes in
                fill("%FT%T", &bytes)
                if named { writeOffset(colon: true, &bytes) } else { bytes.append(UInt8(ascii: "Z")) }
            }
        }

        /// Expands the conversions of a pattern.
        func text(_ pattern: String) -> String { text { fill(pattern, &$0) } }

        private func text(_ write: (inout [UInt8]) -> Void) -> String {
            var bytes: [UInt8] = []
            bytes.reserveCapacity(32)
            write(&bytes)
            return String(decoding: bytes, as: UTF8.self)
        }

        private func fill(_ pattern: String, _ bytes: inout [UInt8]) {
            var isConversion = false
            for byte in pattern.utf8 {
                if isConversion {
                    isConversion = false
                    convert(byte, &bytes)
                } else if byte == UInt8(ascii: "%") {
                    isConversion = true
                } else {
                    bytes.append(byte)
                }
            }
            if isConversion { bytes.append(UInt8(ascii: "%")) }
        }

        private func convert(_ letter: UInt8, _ bytes: inout [UInt8]) {
            let hour = clock / 3600
            switch letter {
            case UInt8(ascii: "Y"): write(year: date.year, &bytes)
            case UInt8(ascii: "m"): write(Int64(date.month), &bytes)
            case UInt8(ascii: "d"): write(Int64(date.day), &bytes)
            case UInt8(ascii: "H"): write(hour, &bytes)
            case UInt8(ascii: "M"): write(clock / 60 % 60, &bytes)
            case UInt8(ascii: "S"): write(clock % 60, &bytes)
            case UInt8(ascii: "y"): write(date.year.floored(by: 100).rest, &bytes)
            case UInt8(ascii: "e"): write(Int64(date.day), filler: " ", &bytes)
            case UInt8(ascii: "j"): write(Int64(date.dayOfYear), width: 3, &bytes)
            case UInt8(ascii: "a"): bytes.append(contentsOf: Timestamp.weekdays[date.weekday - 1].utf8.prefix(3))
            case UInt8(ascii: "A"): bytes.append(contentsOf: Timestamp.weekdays[date.weekday - 1].utf8)
            case UInt8(ascii: "b"), UInt8(ascii: "h"):
                bytes.append(contentsOf: Timestamp.months[date.month - 1].utf8.prefix(3))
            case UInt8(ascii: "B"): bytes.append(contentsOf: Timestamp.months[date.month - 1].utf8)
            case UInt8(ascii: "p"): bytes.append(contentsOf: (hour < 12 ? "AM" : "PM").utf8)
            case UInt8(ascii: "I"): write((hour + 11) % 12 + 1, &bytes)
            case UInt8(ascii: "Z"): bytes.append(contentsOf: zone.utf8)
            case UInt8(ascii: "z"): writeOffset(colon: false, &bytes)
            case UInt8(ascii: "s"): bytes.append(contentsOf: String(time).utf8)
            case UInt8(ascii: "F"): fill("%Y-%m-%d", &bytes)
            case UInt8(ascii: "T"): fill("%H:%M:%S", &bytes)
            case UInt8(ascii: "D"): fill("%m/%d/%y", &bytes)
            case UInt8(ascii: "R"): fill("%H:%M", &bytes)
            case UInt8(ascii: "u"): write(Int64(date.weekday), width: 1, &bytes)
            case UInt8(ascii: "w"): write(Int64(date.weekday % 7), width: 1, &bytes)
            case UInt8(ascii: "V"): write(Int64(date.week.number), &bytes)
            case UInt8(ascii: "G"): write(year: date.week.year, &bytes)
            case UInt8(ascii: "P"): bytes.append(contentsOf: (hour < 12 ? "am" : "pm").utf8)
            case UInt8(ascii: "k"): write(hour, filler: " ", &bytes)
            case UInt8(ascii: "l"): write((hour + 11) % 12 + 1, filler: " ", &bytes)
            case UInt8(ascii: "C"):
                let century = date.year.floored(by: 100).quotient
                if century < 0 { bytes.append(UInt8(ascii: "-")) }
                write(Int64(century.magnitude), &bytes)
            case UInt8(ascii: "g"): write(date.week.year.floored(by: 100).rest, &bytes)
            case UInt8(ascii: "r"): fill("%I:%M:%S %p", &bytes)
            case UInt8(ascii: "c"): fill("%a %b %e %T %Y", &bytes)
            case UInt8(ascii: "x"): fill("%D", &bytes)
            case UInt8(ascii: "X"): fill("%T", &bytes)
            // The week of the year, starting on Sunday or Monday; days before the first such day are in week 0.
            case UInt8(ascii: "U"): write(Int64((date.dayOfYear + 6 - date.weekday % 7) / 7), &bytes)
            case UInt8(ascii: "W"): write(Int64((date.dayOfYear + 6 - (date.weekday - 1)) / 7), &bytes)
            case UInt8(ascii: "n"): bytes.append(UInt8(ascii: "\n"))
            case UInt8(ascii: "t"): bytes.append(UInt8(ascii: "\t"))
            case UInt8(ascii: "%"): bytes.append(UInt8(ascii: "%"))
            default: bytes += [UInt8(ascii: "%"), letter]
            }
        }

        private func writeOffset(colon: Bool, _ bytes: inout [UInt8]) {
            let minutes = Int64(offset.magnitude / 60)
            bytes.append(offset < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+"))
            write(minutes / 60, &bytes)
            if colon { bytes.append(UInt8(ascii: ":")) }
            write(minutes % 60, &bytes)
        }

        private func write(year: Int64, _ bytes: inout [UInt8]) {
            if !(0...9999).contains(year) { bytes.append(year < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+")) }
            write(Int64(year.magnitude), width: 4, &bytes)
        }

        /// Appends a non-negative number, padded with the filler to the width.
        private func write(
            _ number: Int64, width: Int = 2, filler: Unicode.Scalar = "0", _ bytes: inout [UInt8]
        ) {
            var limit: Int64 = 10
            for _ in 1..<width { limit *= 10 }
            while limit > 10, number < limit / 10 {
                bytes.append(UInt8(ascii: filler))
                limit /= 10
            }
            guard number < limit else {
                bytes.append(contentsOf: String(number).utf8)
                return
            }
            while limit > 1 {
                limit /= 10
                bytes.append(UInt8(ascii: "0") + UInt8(number / limit % 10))
            }
        }
    }
}
