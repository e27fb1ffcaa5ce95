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
        let feed = Feed(channel, base: document.base)
        collect(root, feed, &records)
    }

    /// Reads the entries at any level between the root and the channel.
    private static func collect(_ element: MarkupElement, _ feed: Feed, _ records: inout DocumentRecords) {
        for child in element.children {
            if child.isNamed(.core, "item", "entry") || child.isNamed(.podcast, "liveitem") {
                let entry = FeedEntry(child, of: feed)
                if child.isCut {
                    records.skip(.line(child.line), "the feed ends inside this entry")
                } else if let video = entry.video {
                    records.add(video)
                } else {
                    records.skip(.line(child.line), "an entry without a title, an address and a text")
                }
            } else if child.isNamed(.deleted, "deleted-entry") {
                if let video = FeedEntry.deleted(child) { records.add(video) }
            } else if child.isNamed(.core, "channel", "feed", "rss", "rdf") {
                collect(child, feed, &records)
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

    init(_ channel: MarkupElement, base: String?) {
        self.base = base
        title = channel.child(.core, "title").flatMap { FeedText.title($0) }
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
    }
}
