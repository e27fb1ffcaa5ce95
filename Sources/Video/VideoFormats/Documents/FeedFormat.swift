// The feed format: Atom and all versions of RSS, with the vocabularies for video and podcasts. Feeds that are not
// well-formed XML are parsed leniently, as feed readers do.

import Markup

enum FeedFormat {
    static let format = DocumentFormat(
        name: "feed", summary: "Atom and RSS feeds: YouTube's, PeerTube's, podcasts, Media RSS",
        largest: MarkupTree.largest, recognises: recognises, read: read)

    private static func recognises(_ head: DocumentHead) -> Bool? {
        switch head.beginning {
        case .open: nil
        case .notMarkup: false
        case .root(let root): roots.contains(root.name)
        }
    }

    private static let roots: Set<String> = ["rss", "feed", "rdf"]

    private static func read(_ document: Document, _ records: inout DocumentRecords) throws(FormatError) {
        let tree = try document.markup(format.name) { () throws(MarkupError) in
            try MarkupTree.lenientXML(document.bytes, charset: document.charset)
        }
        let root = tree.root
        let channel = root.children(.core, "channel").first ?? root
        var reader = Reader(feed: Feed(channel, base: document.base), records: records)
        reader.collect(root)
        records = reader.records
    }

    private struct Reader {
        let feed: Feed
        var records: DocumentRecords
        /// The link and the line of the first entry with a guid.
        private var seen: [String: (link: String?, line: Int)] = [:]

        init(feed: Feed, records: DocumentRecords) {
            self.feed = feed
            self.records = records
        }

        /// Reads the entries at any level between the root and the channel.
        mutating func collect(_ element: MarkupElement) {
            for child in element.children {
                if child.isNamed(.core, "item", "entry") || child.isNamed(.podcast, "liveitem") {
                    read(child)
                } else if child.isNamed(.deleted, "deleted-entry") {
                    if let video = FeedEntry.deleted(child) { records.add(video) }
                } else if child.isNamed(.core, "channel", "feed", "rss", "rdf") {
                    collect(child)
                }
            }
        }

        private mutating func read(_ element: MarkupElement) {
            let place = RecordPlace.line(element.line)
            if element.isCut { return records.skip(place, "the feed ends inside this entry") }
            var entry = FeedEntry(element, of: feed)
            if let guid = entry.identifier {
                let link = entry.address
                if let first = seen[guid], let link, first.link != link {
                    entry = FeedEntry(element, of: feed, isRepeated: true)
                    records.note(place, "the guid of line \(first.line) again, with another link; both are kept")
                }
                if seen[guid] == nil { seen[guid] = (link, element.line) }
            }
            if let video = entry.video {
                records.add(video)
            } else {
                records.skip(place, "an entry without a title, an address and a text")
            }
        }
    }
}

extension Document {
    /// Parses markup, and converts its errors to format errors.
    func markup<Result>(_ format: String, _ read: () throws(MarkupError) -> Result) throws(FormatError) -> Result {
        do {
            return try read()
        } catch {
            if case .tooLarge(let limit) = error.reason { throw .tooLarge(limit: limit) }
            throw .badDocument(
                format: format, line: error.line, column: error.column, reason: error.reason.description)
        }
    }
}

/// Properties of a feed that apply to all its entries.
struct Feed {
    let title: String?
    let url: String?
    let base: String?
    let language: String?
    let author: String?
    let image: String?
    /// Distinguishes the feed from others: its own address, else where it was read from, else its page, its id or its
    /// title. nil if it has none of these.
    let id: String?

    /// - Parameter base: the URL that the feed was read from. nil if unknown; then relative URLs are resolved against the
    ///   feed's own address, otherwise against its page.
    init(_ channel: MarkupElement, base: String?) {
        let itself = channel.children.first { $0.isNamed(.core, "link") && FeedText.relation($0) == "self" }
            .flatMap { FeedText.address($0.attribute("href") ?? $0.text, in: $0, base: base) }
        let base = base ?? itself ?? FeedText.link(of: channel, base: nil)
        self.base = base
        let title = channel.child(.core, "title").flatMap { FeedText.title($0) }
        self.title = title
        language =
            (channel.child(.core, "language") ?? channel.child(.dublinCore, "language")).flatMap {
                FeedText.word($0.text)
            }
            ?? channel.attribute("xml:lang").flatMap(FeedText.word)
        url = FeedText.link(of: channel, base: base)
        author = channel.child(.itunes, "author").flatMap { FeedText.title($0) }
        image = channel.child(.itunes, "image").flatMap { image in
            FeedText.address(image.attribute("href") ?? image.text, in: image, base: base)
        }
        id =
            itself ?? base ?? url
            ?? channel.child(.core, "id").flatMap { FeedText.known(MarkupText.line($0.text)) } ?? title
    }
}
