// Time zones of the machine's database.

import Basics
import HostErrors

/// Time zones of the machine's database.
public enum TimeZones {
    private static let folder = "/usr/share/zoneinfo"

    /// The rules of a zone such as Europe/Berlin; nil for UTC.
    ///
    /// - Throws: `.usage` for an unknown zone.
    public static func rules(of name: String) throws(HostError) -> ZoneRules? {
        if isUTC(name) { return nil }
        guard let rules = file(of: name).flatMap(ZoneRules.init) else {
            throw .usage(
                "there is no time zone '\(name)'",
                hint: FileSystem.isFolder(folder)
                    ? "zones are named as Europe/Berlin or America/New_York" : "the tzdata package is not installed")
        }
        return rules
    }

    package static func isUTC(_ name: String) -> Bool { ["UTC", "utc", "Z"].contains(name) }

    /// The zone's file in the database; nil when the name is unknown or malformed.
    package static func file(of name: String) -> [UInt8]? {
        let isPlain = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "+"),
                UInt8(ascii: "/"):
                true
            default: false
            }
        }
        let path = "\(folder)/\(name)"
        guard isPlain, !name.isEmpty, name.utf8.count <= 256, !name.hasPrefix("/"), FileSystem.isFile(path) else {
            return nil
        }
        return try? FileSystem.read(path, limit: 1 << 20)
    }
}
