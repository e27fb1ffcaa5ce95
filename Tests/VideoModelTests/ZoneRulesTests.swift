// Time zones, against Debian's tzdata where it is installed and against zone files made here where it is not. The
// years after 2037 are what goes wrong: no transition is listed for them.

import Glibc
import Testing

@testable import Basics

/// A file's bytes; empty when it cannot be read.
private func bytes(of path: String) -> [UInt8] {
    guard let file = fopen(path, "rb") else { return [] }
    defer { fclose(file) }
    var buffer = [UInt8](repeating: 0, count: 1 << 17)
    return Array(buffer[..<fread(&buffer, 1, buffer.count, file)])
}

private func installed(_ zone: String) -> [UInt8] { bytes(of: "/usr/share/zoneinfo/" + zone) }

private let hasZones = !installed("America/New_York").isEmpty

private func time(_ text: String) throws -> Int64 { try #require(Timestamp.parse(text)) }

@Suite("ZoneRules")
struct ZoneRulesTests {
    @Test(
        "known zones have the offsets history gave them", .enabled(if: hasZones, "tzdata is not installed"),
        arguments: [
            ("America/New_York", "2024-01-15T12:00:00Z", -18_000, "EST"),
            ("America/New_York", "2024-07-15T12:00:00Z", -14_400, "EDT"),
            ("America/New_York", "2024-03-10T06:59:59Z", -18_000, "EST"),
            ("America/New_York", "2024-03-10T07:00:00Z", -14_400, "EDT"),
            ("America/New_York", "2040-01-15T12:00:00Z", -18_000, "EST"),
            ("America/New_York", "2040-07-15T12:00:00Z", -14_400, "EDT"),
            ("America/New_York", "2040-11-04T05:59:59Z", -14_400, "EDT"),
            ("America/New_York", "2040-11-04T06:00:00Z", -18_000, "EST"),
            ("America/New_York", "1800-01-01T00:00:00Z", -17_762, "LMT"),
            ("Asia/Kolkata", "2024-07-15T12:00:00Z", 19_800, "IST"),
            ("Asia/Kolkata", "2099-07-15T12:00:00Z", 19_800, "IST"),
            ("Australia/Lord_Howe", "2024-01-15T12:00:00Z", 39_600, "+11"),
            ("Australia/Lord_Howe", "2024-07-15T12:00:00Z", 37_800, "+1030"),
            ("Australia/Lord_Howe", "2050-01-15T12:00:00Z", 39_600, "+11"),
            ("Australia/Lord_Howe", "2050-07-15T12:00:00Z", 37_800, "+1030"),
            ("Europe/Berlin", "2060-07-15T12:00:00Z", 7200, "CEST"),
            ("America/Nuuk", "2050-03-26T00:30:00Z", -7200, "-02"),
            ("Etc/UTC", "2024-07-15T12:00:00Z", 0, "UTC"),
        ] as [(String, String, Int, String)])
    func known(zone: String, text: String, seconds: Int, name: String) throws {
        let rules = try #require(ZoneRules(tzif: installed(zone)))
        let found = rules.offset(at: try time(text))
        #expect(found.seconds == seconds)
        #expect(found.abbreviation == name)
    }

    @Test("a time is written on the zone's clocks", .enabled(if: hasZones, "tzdata is not installed"))
    func written() throws {
        let zone = try #require(ZoneRules(tzif: installed("America/New_York")))
        let night = try time("2021-11-28T02:30:00Z")
        #expect(Timestamp.format(night, as: .date, in: zone) == "2021-11-27")
        #expect(Timestamp.format(night, as: .date) == "2021-11-28")
        #expect(Timestamp.format(night, as: .rfc3339, in: zone) == "2021-11-27T21:30:00-05:00")
        #expect(Timestamp.format(night, as: .rfc822, in: zone) == "Sun, 28 Nov 2021 02:30:00 GMT")
        #expect(Timestamp.format(night, as: .strftime("%H:%M %Z %z %s"), in: zone) == "21:30 EST -0500 1638066600")
        // Before standard time the offset had seconds, which RFC 3339 cannot say; the moment stays the same.
        let old = Timestamp.format(-4_000_000_000, as: .rfc3339, in: zone)
        #expect(old.hasSuffix("-04:56"))
        #expect(Timestamp.parse(old) == -4_000_000_000)
        #expect(zone.offset(at: .max).seconds == -18_000)
        #expect(zone.offset(at: .min).abbreviation == "LMT")
    }

    @Test(
        "files cut short or bent are refused or read, never crashed on",
        .enabled(if: hasZones, "tzdata is not installed"))
    func damaged() {
        let whole = installed("America/New_York")
        for length in stride(from: 0, to: whole.count, by: 7) {
            #expect(ZoneRules(tzif: Array(whole[..<length])) == nil)
        }
        for place in 0..<whole.count {
            var bent = whole
            bent[place] ^= 0xFF
            _ = ZoneRules(tzif: bent)?.offset(at: 4_000_000_000)
        }
    }

    @Test("a file of version 1 or without a rule keeps its last offset")
    func withoutRule() throws {
        let old = try #require(ZoneRules(tzif: zoneFile(version: 0, footer: nil)))
        #expect(old.offset(at: 99).abbreviation == "AAA")
        #expect(old.offset(at: 100).seconds == 3600)
        #expect(old.offset(at: .max).abbreviation == "BBB")
        let new = try #require(ZoneRules(tzif: zoneFile(version: 0x32, footer: "")))
        #expect(new.offset(at: .max).abbreviation == "BBB")
        #expect(new.offset(at: .min).abbreviation == "AAA")
    }

    @Test("the rule at the end of the file holds after its last transition")
    func withRule() throws {
        let zone = try #require(ZoneRules(tzif: zoneFile(version: 0x33, footer: "CCC-2")))
        #expect(zone.offset(at: 99).abbreviation == "AAA")
        #expect(zone.offset(at: 100).abbreviation == "CCC")
        #expect(zone.offset(at: 100).seconds == 7200)
    }

    @Test(
        "a file whose rule or numbers make no sense is refused",
        arguments: ["X", "CCC", "CCC-25", "CCC-2DDD", "CCC-2DDD,M13.1.0,M1.1.0", "CCC-2DDD,M3.1.0", "<CC", "CCC-2 x"])
    func badRule(footer: String) {
        #expect(ZoneRules(tzif: zoneFile(version: 0x32, footer: footer)) == nil)
    }

    @Test("what is no zone file is refused")
    func noFile() {
        #expect(ZoneRules(tzif: []) == nil)
        #expect(ZoneRules(tzif: Array("TZif".utf8)) == nil)
        #expect(ZoneRules(tzif: [UInt8](repeating: 0xFF, count: 4096)) == nil)
        #expect(ZoneRules(tzif: zoneFile(version: 0, footer: nil, leaps: 1)) == nil)
    }

    @Test(
        "POSIX rules of every form are followed",
        arguments: [
            // The southern half's summer spans the new year.
            ("NZST-12NZDT,M9.5.0,M4.1.0/3", "2040-01-15T00:00:00Z", "NZDT"),
            ("NZST-12NZDT,M9.5.0,M4.1.0/3", "2040-07-15T00:00:00Z", "NZST"),
            // J60 is 1 March in every year, 59 the day after 28 February.
            ("AAA0BBB,J60/0,J61/0", "2040-03-01T00:00:00Z", "BBB"),
            ("AAA0BBB,J60/0,J61/0", "2041-03-01T00:00:00Z", "BBB"),
            ("AAA0BBB,59/0,60/0", "2040-02-29T00:00:00Z", "BBB"), ("AAA0BBB,59/0,60/0", "2041-03-01T00:00:00Z", "BBB"),
            // RFC 8536, 3.3.1: summer time all year, and hours outside 0 to 24.
            ("EST5EDT,0/0,J365/25", "2040-12-31T23:59:59Z", "EDT"),
            ("EST5EDT,0/0,J365/25", "2040-01-01T05:00:00Z", "EDT"),
            ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2050-03-27T00:59:59Z", "-02"),
            ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2050-03-27T01:00:00Z", "-01"),
        ])
    func posix(rule: String, text: String, name: String) throws {
        let parsed = try #require(PosixZoneRule(rule.utf8))
        #expect(parsed.period(at: try time(text)).abbreviation == name)
    }

    /// A zone that was AAA (UTC) until 100 seconds after the epoch and BBB (an hour east) since.
    private func zoneFile(version: UInt8, footer: String?, leaps: UInt8 = 0) -> [UInt8] {
        func block(timeSize: Int) -> [UInt8] {
            let header = Array("TZif".utf8) + [version] + [UInt8](repeating: 0, count: 15)
            let counts: [[UInt8]] = [0, 0, leaps, 1, 2, 8].map { [0, 0, 0, $0] }
            let types: [UInt8] = [0, 0, 0, 0, 0, 0] + [0, 0, 0x0E, 0x10, 1, 4]
            return header + counts.joined() + [UInt8](repeating: 0, count: timeSize - 1) + [100] + [1] + types
                + Array("AAA\0BBB\0".utf8) + [UInt8](repeating: 0, count: Int(leaps) * (timeSize + 4))
        }
        guard let footer else { return block(timeSize: 4) }
        return block(timeSize: 4) + block(timeSize: 8) + Array("\n\(footer)\n".utf8)
    }
}
