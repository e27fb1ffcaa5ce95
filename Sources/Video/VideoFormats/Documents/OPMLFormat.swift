// OPML subscription lists of feed readers, read as one channel record per feed. Lists are nested, often written by hand
// and rarely valid, and merged lists contain the same feed twice.

import Basics
import Markup
import VideoModel

enum OPMLFormat {
    static let format = DocumentFormat(
        name: "opml", summary: "OPML: subscriptions of a feed reader", largest: MarkupTree.largest,
        recognises: { head in
            switch head.beginning {
            case .open: nil
            case .notMarkup: false
            case .root(let root): root.name == "opml"
            }
        },
        read: { document, records throws(FormatError) in
            let tree = try document.markup("opml") { () throws(MarkupError) in
                try MarkupTree.lenientXML(document.bytes, charset: document.charset)
            }
            var reader = Reader(base: document.base, records: records)
            reader.read(tree.root, folders: [])
            if let line = tree.cut?.tag { reader.records.skip(.line(line), "the list ends inside this tag") }
            records = reader.records
        })

    private struct Reader {
        let base: String?
        var records: DocumentRecords
        /// The line of each feed already read, by its URL.
        private var seen: [String: Int] = [:]

        init(base: String?, records: DocumentRecords) {
            self.base = base
            self.records = records
        }

        mutating func read(_ element: MarkupElement, folders: [String]) {
            for child in element.children {
                guard child.name.local.lowercased() == "outline" else {
                    read(child, folders: folders)
                    continue
                }
                if Self.isComment(child) {
                    omit(child)
                    continue
                }
                outline(child, folders)
                let inner = child.hasChildren ? OPMLFormat.title(child).map { folders + [$0] } : nil
                read(child, folders: inner ?? folders)
            }
        }

        /// Whether an outline, and everything below it, is commented out (OPML 2.0, "isComment").
        private static func isComment(_ outline: MarkupElement) -> Bool {
            outline.attribute(anyCase: "isComment").map(MarkupText.line)?.lowercased() == "true"
        }

        /// Counts the subscriptions of an outline that is commented out.
        private mutating func omit(_ outline: MarkupElement) {
            for inner in outline.all where inner.attribute(anyCase: "xmlUrl") != nil {
                records.omit(.line(inner.line), "a subscription that is commented out")
            }
        }

        private mutating func outline(_ outline: MarkupElement, _ folders: [String]) {
            let type = outline.attribute(anyCase: "type")?.lowercased() ?? ""
            let place = RecordPlace.line(outline.line)
            let written = outline.attribute(anyCase: "xmlUrl").map(MarkupText.line) ?? ""
            guard !written.isEmpty else {
                if type == "link" || type == "include" {
                    link(outline, at: place)
                } else if !outline.hasChildren,
                    type == "rss" || type == "atom" || outline.attribute(anyCase: "xmlUrl") != nil
                {
                    records.skip(place, "a subscription without xmlUrl")
                }
                return
            }
            // `feed://` was once used for subscription links.
            let plain = written.hasPrefix("feed://") ? "http" + written.dropFirst(4) : written
            guard let feed = FeedText.address(plain, in: outline, base: base) else {
                records.skip(place, "xmlUrl is no http or https address: \(written.prefix(80))")
                return
            }
            if let line = seen[feed] {
                records.skip(place, "the feed of line \(line) again")
                return
            }
            seen[feed] = outline.line
            records.add(OPMLFormat.channel(outline, feed, folders, base))
        }

        /// Reads an outline that links to something other than a feed. Only links to videos are accepted.
        private mutating func link(_ outline: MarkupElement, at place: RecordPlace) {
            let url = outline.attribute(anyCase: "url") ?? outline.attribute(anyCase: "htmlUrl")
            guard let url else { return records.skip(place, "a link without an address") }
            guard let reference = try? MediaRef.parse(url), reference.kind == .video else {
                return records.skip(place, "a link that is neither a feed nor a video")
            }
            records.add(
                Video(
                    [
                        .provider: .text(reference.provider), .id: .text(reference.recordID),
                        .url: .text(reference.url),
                        .title: FieldValue(OPMLFormat.title(outline)),
                    ].filter { !$0.value.isNone }))
        }
    }

    private static func title(_ outline: MarkupElement) -> String? {
        for name in ["title", "text"] {
            if let text = outline.attribute(anyCase: name), let title = FeedText.known(MarkupText.line(text)) {
                return title
            }
        }
        return nil
    }

    /// `category`: names with commas between them, or paths that begin with a slash (OPML 2.0).
    private static func tags(_ outline: MarkupElement) -> [String] {
        var tags: [String] = []
        for part in outline.attribute(anyCase: "category")?.split(separator: ",") ?? [] {
            let path = MarkupText.line(String(part)).split(separator: "/").joined(separator: "/")
            if let tag = FeedText.known(path), !tags.contains(tag) { tags.append(tag) }
        }
        return tags
    }

    private static func channel(
        _ outline: MarkupElement, _ feed: String, _ folders: [String], _ base: String?
    ) -> Video {
        let title = title(outline)
        let page = FeedText.address(outline.attribute(anyCase: "htmlUrl"), in: outline, base: base)
        let named = FeedAddress.named(by: feed) ?? page.flatMap(FeedAddress.publisher)
        var fields: [VideoField: FieldValue] = [
            .provider: .text(named?.provider ?? "feed"), .id: .text(named?.recordID ?? feed),
            .kind: .text(named?.kind == .playlist ? "playlist" : "channel"),
            .url: .text(named?.url ?? page ?? feed), .title: FieldValue(title),
            .description: FieldValue(
                outline.attribute(anyCase: "description").map(MarkupText.tidy).flatMap(FeedText.known)),
            .language: FieldValue(
                outline.attribute(anyCase: "language").flatMap { $0 == "unknown" ? nil : FeedText.word($0) }),
        ]
        let tags = tags(outline)
        if !tags.isEmpty { fields[.tags] = .list(tags.map { .text($0) }) }
        if named?.kind != .playlist {
            fields[.channel] = Channel(id: named?.id, title: title, url: named?.url ?? page).value
        }
        var extra = [FieldValue.Member("feed", .text(feed))]
        if !folders.isEmpty { extra.append(.init("folders", .list(folders.map { .text($0) }))) }
        return Video(fields.filter { !$0.value.isNone && $0.value != .record([]) }, extra: extra)
    }
}

/// Feed URLs of video services.
enum FeedAddress {
    /// The channel or playlist of a feed URL. nil for other URLs.
    static func named(by feed: String) -> MediaRef? {
        guard let address = WebAddress(feed), let host = address.host else { return nil }
        if host == "youtube.com" || host == "www.youtube.com" {
            guard
                address.pathSegments == ["feeds", "videos.xml"]
                    || address.pathSegments == ["xml", "feeds", "videos.xml"]
            else { return nil }
            let named: (String, String)? =
                address.queryValue("channel_id").map { ("https://www.youtube.com/channel/", $0) }
                ?? address.queryValue("playlist_id").map { ("https://www.youtube.com/playlist?list=", $0) }
                ?? address.queryValue("user").map { ("https://www.youtube.com/user/", $0) }
            return named.flatMap { try? MediaRef.parse($0.0 + Escape.url($0.1)) }
        }
        let parts = address.pathSegments
        // https://vimeo.com/NAME/videos/rss
        if host == "vimeo.com", parts.count == 3, parts[1] == "videos", parts[2] == "rss" {
            return publisher("https://vimeo.com/" + parts[0])
        }
        return nil
    }

    /// The channel at a page URL. nil if it is not a channel page.
    static func publisher(_ page: String) -> MediaRef? {
        guard let reference = try? MediaRef.parse(page) else { return nil }
        return reference.recordKind == .channel ? reference : nil
    }
}
