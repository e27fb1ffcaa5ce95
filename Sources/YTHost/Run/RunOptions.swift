// Values as they stand on a command line: search options, time zones, and the format that a file's name asks for.

import Threads
import VideoModel
import VideoServices

extension RunRequest {
    /// Sets a search option from text.
    ///
    /// - Throws: `.usage` when there is no such option, or the value does not fit it.
    public mutating func set(searchOption name: String, to text: String) throws(HostError) {
        guard let option = SearchOption(rawValue: name) else {
            throw .usage(
                "there is no search option '\(name)'; "
                    + Nearest.advice(for: name, among: SearchOption.allCases.map(\.rawValue)))
        }
        switch option.shape {
        case .text: search[option] = .text(text)
        case .flag: search[option] = .bool(true)
        case .choice(let words):
            guard words.contains(text) else {
                throw .usage(
                    "--\(name): '\(text)' is not one of \(words.joined(separator: ", "))"
                        + (Nearest.name(to: text, among: words).map { "; did you mean '\($0)'?" } ?? ""))
            }
            search[option] = .text(text)
        case .time:
            let now = frozenTime ?? Clock.now()
            guard let time = Timestamp.bound(text, now: now, roundsAges: frozenTime == nil) else {
                throw .usage(
                    "--\(name): '\(text)' is no date; write 2024-07-01, 2024-07-01T12:00:00Z, or an age such as 7d, 2w or 3mo"
                )
            }
            search[option] = .integer(time)
        }
    }
}

/// Time zones of the machine's database.
public enum TimeZones {
    private static let folder = "/usr/share/zoneinfo"

    /// The rules of a zone such as Europe/Berlin; nil for UTC.
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

    static func isUTC(_ name: String) -> Bool { ["UTC", "utc", "Z"].contains(name) }

    /// The zone's file of the database; nil when there is none of that name.
    static func file(of name: String) -> [UInt8]? {
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

/// Which format plugin writes a kind of file.
public enum Formats {
    private static let bySuffix = [
        "atom": "atom", "csv": "csv", "htm": "html", "html": "html", "jsonl": "jsonl", "m3u": "m3u", "m3u8": "m3u",
        "markdown": "markdown", "md": "markdown", "ndjson": "jsonl", "opml": "opml", "rss": "rss", "txt": "table",
        "xml": "rss",
    ]

    /// The suffix of a file's name without its dot, in lower case; nil when it has none.
    public static func suffix(ofFile path: String) -> String? {
        let name = FileSystem.base(of: path)
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
        let suffix = name[name.index(after: dot)...].lowercased()
        return suffix.isEmpty ? nil : suffix
    }

    /// The name of the format plugin for a suffix; nil when none is known.
    public static func format(ofSuffix suffix: String) -> String? { bySuffix[suffix] }
}
