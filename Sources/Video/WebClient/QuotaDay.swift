// The day that Google counts quotas by: it begins at midnight in Los Angeles, so with daylight saving time it lasts 23 to
// 25 hours.

import Basics
import Glibc

/// Days of Pacific time.
public struct QuotaDay: Sendable {
    private let rules: ZoneRules?

    /// - Parameter zoneFile: the bytes of America/Los_Angeles from the system's zone files; without them, the rule that
    ///   has held since 2007.
    public init(zoneFile: [UInt8]? = QuotaDay.systemFile()) {
        rules = zoneFile.flatMap(ZoneRules.init(tzif:)) ?? ZoneRules(rule: "PST8PDT,M3.2.0,M11.1.0")
    }

    /// The system's zone file; nil when tzdata is not installed.
    public static func systemFile() -> [UInt8]? {
        let descriptor = open("/usr/share/zoneinfo/America/Los_Angeles", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = read(descriptor, &bytes, bytes.count)
        return count > 0 ? Array(bytes[..<count]) : nil
    }

    /// Days since 1970-01-01 on the calendar there.
    public func number(at time: Int64) -> Int64 { Self.day(time + offset(at: time)) }

    /// Epoch seconds of the next midnight there.
    public func end(after time: Int64) -> Int64 {
        let midnight = (number(at: time) + 1) * 86_400
        // Clocks change at two in the morning, never at midnight: what holds an hour later holds then.
        let guess = midnight - offset(at: time)
        return midnight - offset(at: guess)
    }

    /// Seconds east of UTC.
    private func offset(at time: Int64) -> Int64 { Int64(rules?.offset(at: time).seconds ?? -8 * 3600) }

    private static func day(_ seconds: Int64) -> Int64 {
        let (day, rest) = seconds.quotientAndRemainder(dividingBy: 86_400)
        return rest < 0 ? day - 1 : day
    }
}
