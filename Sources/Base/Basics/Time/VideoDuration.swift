// Parses and formats durations in whole seconds. A month has no fixed length, so `M` before the `T` of an ISO 8601
// duration is rejected, while `1M` as user input is a minute.

/// Parses and formats durations in whole seconds.
public enum VideoDuration {
    /// Parses a duration in one of three forms. Surrounding white space is ignored.
    ///
    /// - ISO 8601, as the YouTube Data API writes it: `PT1H2M3S`, `P1DT2H`, `P2W`. Weeks and days may be mixed and the
    ///   last number may have a fraction. Years and months are rejected, because their length is not fixed.
    /// - A clock: `1:02:03`, `02:03`, `0:59.5`.
    /// - Numbers with units, largest first, as in command options: `90`, `20m`, `1h 30m`, `1.5h`, `2 days`. This
    ///   includes the JSON form of a protobuf Duration, `61s`.
    ///
    /// - Returns: seconds, never negative, with fractions dropped; nil when the text is in none of these forms, is
    ///   negative, or exceeds 64 bits of seconds.
    public static func parse(_ text: String) -> Int64? {
        guard text.utf8.count <= 100 else { return nil }
        var scanner = ByteScanner(text)
        if scanner.take(anyOf: UInt8(ascii: "P"), UInt8(ascii: "p")) != nil { return period(&scanner) }
        guard let first = Quantity(&scanner) else { return nil }
        if scanner.isAtEnd { return first.whole }
        if scanner.next == UInt8(ascii: ":") { return clock(first, &scanner) }
        return units(first, &scanner)
    }

    /// Formats a duration as a clock: `0:05`, `12:34`, `1:05:00`, `26:00:00`.
    ///
    /// - Parameter seconds: a negative duration is prefixed by `-`.
    public static func format(_ seconds: Int64) -> String {
        let (minutes, rest) = seconds.magnitude.quotientAndRemainder(dividingBy: 60)
        let (hours, minute) = minutes.quotientAndRemainder(dividingBy: 60)
        let sign = seconds < 0 ? "-" : ""
        let tail = rest < 10 ? "0\(rest)" : "\(rest)"
        if hours == 0 { return "\(sign)\(minute):\(tail)" }
        return "\(sign)\(hours):\(minute < 10 ? "0" : "")\(minute):\(tail)"
    }

    /// Formats a duration in ISO 8601 form, with days separate: `PT1H5M`, `P1DT2H`, `PT0S`.
    ///
    /// - Parameter seconds: a negative duration is prefixed by `-`, as in XML Schema's duration.
    public static func iso8601(_ seconds: Int64) -> String {
        var rest = seconds.magnitude
        if rest == 0 { return "PT0S" }
        var text = seconds < 0 ? "-P" : "P"
        for (letter, length) in [("D", 86_400), ("H", 3600), ("M", 60), ("S", 1)] as [(String, UInt64)] {
            if letter == "H", rest > 0 { text += "T" }
            let (count, left) = rest.quotientAndRemainder(dividingBy: length)
            if count > 0 { text += "\(count)\(letter)" }
            rest = left
        }
        return text
    }

    // MARK: Forms

    private static let week: Int64 = 604_800
    private static let day: Int64 = 86_400
    private static let hour: Int64 = 3600

    /// Unit names, largest unit first.
    private static let names: [(length: Int64, names: [String])] = [
        (week, ["w", "wk", "wks", "week", "weeks"]),
        (day, ["d", "day", "days"]),
        (hour, ["h", "hr", "hrs", "hour", "hours"]),
        (60, ["m", "min", "mins", "minute", "minutes"]),
        (1, ["s", "sec", "secs", "second", "seconds"]),
    ]

    /// Parses the rest of an ISO 8601 duration after the `P` (ISO 8601-1:2019, 5.5.2).
    private static func period(_ scanner: inout ByteScanner) -> Int64? {
        var total: Int64 = 0
        var smallest = Int64.max
        var inTime = false
        var complete = false
        var fractional = false
        while !scanner.isAtEnd {
            if scanner.take(anyOf: UInt8(ascii: "T"), UInt8(ascii: "t")) != nil {
                if inTime { return nil }
                inTime = true
                complete = false
                continue
            }
            guard !fractional, let quantity = Quantity(&scanner, comma: true), let letter = scanner.next else {
                return nil
            }
            let length: Int64
            switch (inTime, letter | 0x20) {
            case (false, UInt8(ascii: "w")): length = week
            case (false, UInt8(ascii: "d")): length = day
            case (true, UInt8(ascii: "h")): length = hour
            case (true, UInt8(ascii: "m")): length = 60
            case (true, UInt8(ascii: "s")): length = 1
            default: return nil
            }
            guard length < smallest, scanner.take(letter), let sum = add(quantity, times: length, to: total) else {
                return nil
            }
            total = sum
            smallest = length
            complete = true
            fractional = quantity.isFractional
        }
        return complete ? total : nil
    }

    /// Parses the rest of `1:02:03` after the first number.
    private static func clock(_ first: Quantity, _ scanner: inout ByteScanner) -> Int64? {
        guard !first.isFractional else { return nil }
        var total = first.whole
        var last = first
        var parts = 1
        while scanner.take(UInt8(ascii: ":")) {
            let start = scanner.position
            guard parts < 3, !last.isFractional, let part = Quantity(&scanner), part.digits == 2, part.whole < 60,
                scanner.position > start
            else { return nil }
            let (minutes, overflow) = total.multipliedReportingOverflow(by: 60)
            let (sum, overflow2) = minutes.addingReportingOverflow(part.whole)
            if overflow || overflow2 { return nil }
            total = sum
            last = part
            parts += 1
        }
        return scanner.isAtEnd ? total : nil
    }

    /// Parses the rest of `1h 30m` after the first number.
    private static func units(_ first: Quantity, _ scanner: inout ByteScanner) -> Int64? {
        var total: Int64 = 0
        var smallest = Int64.max
        var quantity = first
        while true {
            scanner.skipSpaces()
            let word = scanner.word()
            guard let unit = names.first(where: { $0.names.contains(word) }), unit.length < smallest,
                let sum = add(quantity, times: unit.length, to: total)
            else { return nil }
            total = sum
            smallest = unit.length
            scanner.skipSpaces()
            if scanner.isAtEnd { return total }
            guard !quantity.isFractional, let more = Quantity(&scanner) else { return nil }
            quantity = more
        }
    }

    private static func add(_ quantity: Quantity, times length: Int64, to total: Int64) -> Int64? {
        let (whole, overflow) = quantity.whole.multipliedReportingOverflow(by: length)
        // At most 604,800 * 10^12, which fits into 64 bits.
        let part = quantity.fraction * length / Quantity.one
        let (sum, overflow2) = whole.addingReportingOverflow(part)
        let (result, overflow3) = total.addingReportingOverflow(sum)
        return overflow || overflow2 || overflow3 ? nil : result
    }

    /// An unsigned decimal number.
    private struct Quantity {
        /// The unit of `fraction` is 10^-12.
        static let one: Int64 = 1_000_000_000_000

        let whole: Int64
        var fraction: Int64 = 0
        var isFractional = false
        /// Number of digits before the decimal point.
        let digits: Int

        init?(_ scanner: inout ByteScanner, comma: Bool = false) {
            let start = scanner.position
            guard let whole = scanner.number(digits: 1...100) else { return nil }
            self.whole = whole
            digits = scanner.position - start
            guard scanner.take(UInt8(ascii: ".")) || (comma && scanner.take(UInt8(ascii: ","))) else { return }
            isFractional = true
            let places = scanner.text(while: ByteScanner.isDigit).utf8
            if places.isEmpty { return nil }
            var weight = Self.one / 10
            for digit in places {
                fraction += Int64(digit - UInt8(ascii: "0")) * weight
                weight /= 10
            }
        }
    }
}
