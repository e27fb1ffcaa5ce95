// The table of input formats, in the order in which they are tried. Adding a format means adding a row here.

extension RecordFormat {
    /// The JSON formats.
    public static let all: [RecordFormat] = [
        YTHostFormat.format, YouTubeFormat.format, VimeoFormat.format, PeerTubeFormat.format, YtDlpFormat.format,
        TakeoutFormat.history, JSONFeedFormat.format, OEmbedFormat.format, DuckDuckGoFormat.format, ChatFormat.format,
    ]

    /// The format of a name, for input that the user declares to be in it. It may accept more than automatic detection
    /// does.
    public static func named(_ name: String) -> RecordFormat? {
        [YTHostFormat.named, OEmbedFormat.named].first { $0.name == name } ?? all.first { $0.name == name }
    }
}

extension DocumentFormat {
    /// The formats that are not JSON.
    public static let all: [DocumentFormat] = [
        FeedFormat.format, OPMLFormat.format, PageFormat.format, TakeoutTables.format,
    ]

    /// The names of `all` as literals: every run needs them at startup, without initializing the formats.
    public static let names = ["feed", "opml", "html", "takeout"]

    public static func named(_ name: String) -> DocumentFormat? { all.first { $0.name == name } }
}
