// The day of Google's quotas: it starts at midnight in Los Angeles, so it lasts 23 to 25 hours when daylight saving
// time changes.

import Basics
import Glibc

/// Days of Pacific time.
public struct QuotaDay: Sendable {
    private let rules: ZoneRules?

    /// - Parameter zoneFile: the TZif bytes of America/Los_Angeles. If nil or invalid, the US rule in force since 2007
    ///   is used.
    public init(zoneFile: [UInt8]? = QuotaDay.systemFile()) {
        rules = zoneFile.flatMap(ZoneRules.init(tzif:)) ?? ZoneRules(rule: "PST8PDT,M3.2.0,M11.1.0")
    }

    /// The system's zone file. nil if tzdata is not installed.
    public static func systemFile() -> [UInt8]? {
        let descriptor = open("/usr/share/zoneinfo/America/Los_Angeles", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = read(descriptor, &bytes, bytes.count)
        return count > 0 ? Array(bytes[..<count]) : nil
    }

    /// The Pacific date at a time in epoch seconds, as days since 1970-01-01.
    public func number(at time: Int64) -> Int64 { Self.day(time + offset(at: time)) }

    /// Epoch seconds of the next Pacific midnight.
    public func end(after time: Int64) -> Int64 {
        let midnight = (number(at: time) + 1) * 86_400
        // Clocks change at 02:00, never at midnight, so the offset at the guess is the offset at midnight.
        let guess = midnight - offset(at: time)
        return midnight - offset(at: guess)
    }

    /// The UTC offset in seconds, positive to the east.
    private func offset(at time: Int64) -> Int64 { Int64(rules?.offset(at: time).seconds ?? -8 * 3600) }

    private static func day(_ seconds: Int64) -> Int64 {
        let (day, rest) = seconds.quotientAndRemainder(dividingBy: 86_400)
        return rest < 0 ? day - 1 : day
    }
}
