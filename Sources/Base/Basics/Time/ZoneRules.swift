// Time zone rules from compiled zone files (/usr/share/zoneinfo/…). Most files list transitions up to 2037 at most; the
// rule in the footer applies after that.

/// UTC offsets of a time zone over time (TZif, RFC 8536, versions 1 to 4).
public struct ZoneRules: Sendable {
    /// Epoch seconds, ascending.
    private let transitions: [Int64]
    /// For each transition, the index of the period that starts.
    private let kinds: [UInt8]
    private let periods: [Period]
    private let rule: PosixZoneRule?
    /// The data that the rules were parsed from.
    public let source: Source

    /// The input, from which equal rules can be created again.
    public enum Source: Sendable {
        case file([UInt8])
        case rule(String)
    }

    struct Period: Sendable, Equatable {
        /// Seconds east of UTC.
        let offset: Int
        let abbreviation: String
    }

    /// Parses a compiled zone file.
    ///
    /// - Parameter bytes: the whole file. Returns nil when it is not TZif, is truncated or inconsistent, or counts leap
    ///   seconds (the `right/` zones), because those times are not POSIX times.
    public init?(tzif bytes: [UInt8]) {
        guard var header = Header(bytes, at: 0) else { return nil }
        var timeSize = 4
        if header.version >= 2 {
            // The first block is for 32-bit readers; the second block repeats its data with 64-bit times.
            guard let second = Header(bytes, at: header.end(timeSize: 4)) else { return nil }
            header = second
            timeSize = 8
        }
        let end = header.end(timeSize: timeSize)
        guard header.leaps == 0, header.types > 0, header.types <= 256, end <= bytes.count else { return nil }

        var position = header.start
        func integer(_ size: Int) -> Int64 {
            let first = bytes[position] >= 0x80 ? Int64(-1) : 0
            defer { position += size }
            return bytes[position..<position + size].reduce(first) { $0 << 8 | Int64($1) }
        }
        var transitions: [Int64] = []
        for _ in 0..<header.times {
            let time = integer(timeSize)
            if let last = transitions.last, last >= time { return nil }
            transitions.append(time)
        }
        let kinds = Array(bytes[position..<position + header.times])
        position += header.times
        guard kinds.allSatisfy({ $0 < header.types }) else { return nil }

        let names = bytes[(position + header.types * 6)..<(position + header.types * 6 + header.characters)]
        var periods: [Period] = []
        for _ in 0..<header.types {
            let offset = Int(integer(4))
            let name = names.dropFirst(Int(bytes[position + 1]))
            guard bytes[position] <= 1, offset.magnitude < 7 * 86_400, let stop = name.firstIndex(of: 0) else {
                return nil
            }
            position += 2
            periods.append(Period(offset: offset, abbreviation: String(decoding: name[..<stop], as: UTF8.self)))
        }

        var rule: PosixZoneRule?
        if timeSize == 8 {
            let newline = UInt8(ascii: "\n")
            guard end < bytes.count, bytes[end] == newline,
                let stop = bytes[(end + 1)...].firstIndex(of: newline)
            else { return nil }
            let footer = bytes[(end + 1)..<stop]
            if !footer.isEmpty {
                rule = PosixZoneRule(footer)
                if rule == nil { return nil }
            }
        }
        self.transitions = transitions
        self.kinds = kinds
        self.periods = periods
        self.rule = rule
        source = .file(bytes)
    }

    /// A zone that follows one rule in all years.
    ///
    /// - Parameter text: a POSIX TZ value (POSIX.1-2017, 8.3): `PST8PDT,M3.2.0,M11.1.0`. Returns nil when it is not a
    ///   rule, or has summer time without its start and end.
    public init?(rule text: String) {
        guard let rule = PosixZoneRule(text.utf8) else { return nil }
        transitions = []
        kinds = []
        periods = []
        self.rule = rule
        source = .rule(text)
    }

    /// The UTC offset of the zone at a time.
    ///
    /// - Parameter time: epoch seconds; any value.
    /// - Returns: seconds east of UTC (negative in the Americas), and the abbreviation of the zone at that time: `EST`,
    ///   `CEST`, `+07`.
    public func offset(at time: Int64) -> (seconds: Int, abbreviation: String) {
        let period = self.period(at: time)
        return (period.offset, period.abbreviation)
    }

    private func period(at time: Int64) -> Period {
        guard let last = transitions.last else { return rule?.period(at: time) ?? periods[0] }
        if time >= last, let rule { return rule.period(at: time) }
        // Binary search for the first transition after the time.
        var low = 0
        var high = transitions.count
        while low < high {
            let middle = (low + high) / 2
            if transitions[middle] <= time { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? periods[0] : periods[Int(kinds[low - 1])]
    }

    /// The header of a block (RFC 8536, 3.1).
    private struct Header {
        let version: UInt8
        /// Offset of the data in bytes.
        let start: Int
        let utcMarks, standardMarks, leaps, times, types, characters: Int

        init?(_ bytes: [UInt8], at offset: Int) {
            guard offset + 44 <= bytes.count, bytes[offset..<offset + 4].elementsEqual("TZif".utf8) else { return nil }
            let mark = bytes[offset + 4]
            version = mark == 0 ? 1 : mark &- UInt8(ascii: "0")
            start = offset + 44
            guard mark == 0 || (2...9).contains(version) else { return nil }
            var counts: [Int] = []
            for field in 0..<6 {
                let place = offset + 20 + field * 4
                let count = bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
                // Bounding each count by the file size prevents overflow in the sums below.
                guard count <= bytes.count else { return nil }
                counts.append(count)
            }
            (utcMarks, standardMarks, leaps) = (counts[0], counts[1], counts[2])
            (times, types, characters) = (counts[3], counts[4], counts[5])
        }

        /// End offset of the block, for times of `timeSize` bytes.
        func end(timeSize: Int) -> Int {
            start + times * (timeSize + 1) + types * 6 + characters + leaps * (timeSize + 4) + standardMarks + utcMarks
        }
    }
}
