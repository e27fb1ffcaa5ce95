// All formats that inputs are read in. Adding one is adding a row here, in the order in which they are tried.

extension RecordFormat {
    /// The JSON formats.
    public static let all: [RecordFormat] = [
        YTHostFormat.format, YouTubeFormat.format, VimeoFormat.format, PeerTubeFormat.format, YtDlpFormat.format,
        TakeoutFormat.history, JSONFeedFormat.format, OEmbedFormat.format, DuckDuckGoFormat.format, ChatFormat.format,
    ]

    /// The format of that name, for an input whose owner names it: it may be believed more than it can be recognised.
    public static func named(_ name: String) -> RecordFormat? {
        [YTHostFormat.named, OEmbedFormat.named].first { $0.name == name } ?? all.first { $0.name == name }
    }
}

extension DocumentFormat {
    /// The formats that are not JSON.
    public static let all: [DocumentFormat] = [
        FeedFormat.format, OPMLFormat.format, PageFormat.format, TakeoutTables.format,
    ]

    /// The names in `all`, written out: the start of every run needs them, and nothing else of the formats.
    public static let names = ["feed", "opml", "html", "takeout"]

    public static func named(_ name: String) -> DocumentFormat? { all.first { $0.name == name } }
}
