// The fields of a record, in output order. Lua names, JSON names, completion and checks derive from this table, so
// adding a field means adding a row.

/// A field of a `Video`.
public enum VideoField: UInt8, CaseIterable, Sendable {
    case provider, id, kind, url, title, description, channel, published, duration, views, likes, comments
    case live, liveState, starts, short, shortEvidence, tags, category, language, license, definition, captions
    case embeddable, availability, regions, thumbnails, foundIn, score, raw

    /// The type of a field's values, for checks and for the reference page.
    public enum Shape: Sendable, Equatable {
        /// UTF-8 text.
        case text
        /// A whole number, not negative.
        case count
        /// A whole number of seconds, not negative.
        case seconds
        /// Whole seconds since 1970-01-01T00:00:00Z; may be negative.
        case time
        case number
        case flag
        case texts
        /// `{id, title, url}`.
        case channel
        /// `{name = {url, width, height}}`.
        case thumbnails
        /// `{allowed = {…}}` or `{blocked = {…}}`, ISO 3166-1 alpha-2 codes.
        case regions
        /// `{{source, query}, …}`.
        case origins
        /// One of these words.
        case word([String])
        /// The original record of the service.
        case raw
    }

    /// The name in Lua, in JSON Lines and on the command line.
    public var name: String { Self.names[Int(rawValue)] }
    public var shape: Shape { Self.rows[Int(rawValue)].shape }
    /// One line for the reference page.
    public var summary: String { Self.rows[Int(rawValue)].summary }

    public init?(name: String) {
        guard let index = Self.names.firstIndex(of: name) else { return nil }
        self.init(rawValue: UInt8(index))
    }

    public static let names = rows.map(\.name)

    private struct Row: Sendable {
        let name: String
        let shape: Shape
        let summary: String

        init(_ name: String, _ shape: Shape, _ summary: String) {
            self.name = name
            self.shape = shape
            self.summary = summary
        }
    }

    private static let rows: [Row] = [
        Row("provider", .text, "the service that has the video: youtube, vimeo, peertube, feed …"),
        Row("id", .text, "the service's id"),
        Row(
            "kind", .word(["video", "channel", "playlist", "page"]),
            "what the record is; a page is anything else on the web"),
        Row("url", .text, "the page to watch it on"),
        Row("title", .text, "plain text, never HTML"),
        Row("description", .text, "plain text, cut short in search replies"),
        Row("channel", .channel, "who published it: id, title, url; never nil, its fields may be"),
        Row("published", .time, "epoch seconds"),
        Row("duration", .seconds, "seconds; nil while live or upcoming"),
        Row("views", .count, "how often it was watched"),
        Row("likes", .count, "nil where hidden"),
        Row("comments", .count, "nil where comments are off"),
        Row("live", .flag, "true while it is on air, false when it is not, nil when unknown"),
        Row("live_state", .word(["none", "live", "upcoming", "was_live"]), "where a broadcast stands"),
        Row("starts", .time, "epoch seconds a broadcast starts or started at"),
        Row("short", .flag, "whether it is a Short; nil when nothing tells"),
        Row("short_evidence", .text, "what told: url, thumbnail …"),
        Row("tags", .texts, "the publisher's key words"),
        Row("category", .text, "the service's category"),
        Row("language", .text, "BCP 47 tag of the spoken or default language"),
        Row("license", .word(["youtube", "creativecommon", "other"]), "terms of use"),
        Row("definition", .word(["high", "standard"]), "picture quality"),
        Row("captions", .flag, "whether captions exist"),
        Row("embeddable", .flag, "whether other pages may play it"),
        Row(
            "availability", .word(["public", "unlisted", "private", "deleted", "removed", "adults"]),
            "who can watch it; removed: the service took it down, or its upload failed; adults: after a login"),
        Row("regions", .regions, "where it plays: allowed or blocked country codes; nil when everywhere or unknown"),
        Row("thumbnails", .thumbnails, "pictures by name: url, width and height in pixels"),
        Row("found_in", .origins, "the searches that found it: source and query"),
        Row("score", .number, "what the last score plugin gave"),
        Row("raw", .raw, "the record as its service wrote it"),
    ]
}

/// A set of fields in one word.
public struct VideoFieldSet: Sendable, Hashable, ExpressibleByArrayLiteral {
    /// A bit for each field.
    public private(set) var bits: UInt64 = 0

    public init(_ fields: some Sequence<VideoField>) {
        for field in fields { bits |= 1 << UInt64(field.rawValue) }
    }

    public init(arrayLiteral fields: VideoField...) { self.init(fields) }

    /// Every field.
    public static let all = VideoFieldSet(VideoField.allCases)

    public var isEmpty: Bool { bits == 0 }
    public func contains(_ field: VideoField) -> Bool { bits & 1 << UInt64(field.rawValue) != 0 }

    public mutating func formUnion(_ other: VideoFieldSet) { bits |= other.bits }
    public mutating func formIntersection(_ other: VideoFieldSet) { bits &= other.bits }
    public mutating func subtract(_ other: VideoFieldSet) { bits &= ~other.bits }

    public func intersection(_ other: VideoFieldSet) -> VideoFieldSet {
        var common = self
        common.formIntersection(other)
        return common
    }

    /// In the order of the table.
    public var fields: [VideoField] { VideoField.allCases.filter(contains) }
}
