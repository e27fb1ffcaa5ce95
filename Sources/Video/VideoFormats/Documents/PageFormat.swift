// The HTML page format, for previews: one record from Open Graph, Twitter cards, JSON-LD and plain HTML. Metadata may
// be in the body as well as in the head, and may be repeated; the first value is used.

import Basics
import Markup
import VideoModel

enum PageFormat {
    static let format = DocumentFormat(
        name: "html", summary: "HTML pages, for previews: Open Graph, Twitter card, JSON-LD, title",
        largest: MarkupTree.largest,
        recognises: { head in
            switch head.beginning {
            case .open: nil
            case .notMarkup: false
            case .root(let root):
                root.documentType == "html" && !others.contains(root.name) || elements.contains(root.name)
            }
        },
        read: { document, records throws(FormatError) in
            let page = try document.markup("html") { () throws(MarkupError) in
                try MarkupTree.page(document.bytes, charset: document.charset)
            }
            let record = Page(page.tree, base: document.base).record
            if let record {
                records.add(record)
            } else if let excess = page.excess {
                throw .badDocument(
                    format: "html", line: excess.line, column: excess.column, reason: excess.reason.description)
            } else {
                records.skip(.line(1), "a page that says nothing about itself")
            }
        })

    private static let elements: Set<String> = [
        "html", "head", "body", "meta", "title", "link", "script", "style", "base", "div", "p", "span", "a", "h1", "h2",
        "table", "center", "br", "b", "i", "ul", "ol", "img", "form", "iframe", "section", "article", "header", "main",
        "nav",
        "noscript", "pre", "blockquote", "font", "video", "!",
    ]

    /// Roots of other formats that may have an HTML document type.
    private static let others: Set<String> = ["rss", "feed", "rdf", "opml", "svg"]
}

/// Converts a page to a record.
struct Page {
    private let tree: MarkupTree
    private let base: String?
    private let meta: PageMeta
    private let data: PageData
    /// The reply of the page's oEmbed provider. nil if there is none.
    private let embed: Video?

    init(_ tree: MarkupTree, base: String?, embed: Video? = nil) {
        self.embed = embed
        self.tree = tree
        var whole = base
        for element in tree.root.all where element.name.local == "base" {
            if let href = element.attribute("href"), let address = WebAddress.resolve(href, against: base) {
                whole = address
                break
            }
        }
        self.base = whole
        meta = PageMeta(tree, base: whole)
        data = PageData(tree)
        document = base
    }

    /// The URL that the page was read from. nil if unknown.
    private let document: String?

    /// The record. nil if the page has no title, picture, description or preview metadata.
    var record: Video? {
        let url = url
        let title = title
        let pictures = pictures
        let description = description
        if title == nil, pictures.isNone, description == nil, meta.isEmpty { return nil }
        let reference = [url, document].lazy.compactMap { $0.flatMap { try? MediaRef.parse($0) } }.first {
            $0.recordKind != nil
        }
        let kind = kind(reference)
        var fields: [VideoField: FieldValue] = [
            .provider: .text(reference?.provider ?? "web"), .id: FieldValue(reference?.recordID ?? url ?? document),
            .kind: .text(kind.rawValue), .url: FieldValue(reference?.url ?? url ?? document),
            .title: FieldValue(title ?? host), .description: FieldValue(description),
            .thumbnails: pictures.isNone ? Pictures.one(icon) : pictures,
            .duration: FieldValue(duration), .published: FieldValue(published), .views: FieldValue(data.views),
            .short: FieldValue(reference?.short),
            .language: FieldValue(tree.root.attribute("lang").flatMap(FeedText.word)),
        ]
        if reference?.short != nil { fields[.shortEvidence] = .text("url") }
        let tags = meta.all("og:video:tag", "video:tag", "article:tag")
        if !tags.isEmpty { fields[.tags] = .list(tags.map { .text($0) }) }
        if kind == .video || kind == .page {
            let channel = channel(reference)
            if channel != Channel() { fields[.channel] = channel.value }
        }
        return Video(fields.filter { !$0.value.isNone }, extra: extra)
    }

    /// The kind of the referenced item, otherwise from the page's own metadata.
    private func kind(_ reference: MediaRef?) -> Video.Kind {
        if let kind = reference?.recordKind { return kind }
        return meta.first("og:type")?.hasPrefix("video") == true || data.isVideo ? .video : .page
    }

    private var host: String? { (url ?? document).flatMap { WebAddress($0)?.host } }

    private var title: String? {
        (meta.first("og:title") ?? meta.first("twitter:title") ?? embed?.title ?? data.name ?? text(of: "title")
            ?? text(of: "h1")).map { MarkupText.cut($0, to: Self.longestTitle) }
    }

    /// In characters.
    private static let longestTitle = 300
    private static let longestParagraph = 300
    private static let longestDescription = 5000

    private func text(of name: String) -> String? {
        for element in tree.root.all where element.name.local == name {
            // An inline SVG may have its own title.
            if element.parent?.name.local == "svg" { continue }
            if let text = FeedText.known(MarkupText.line(element.text)) { return text }
        }
        return nil
    }

    private var description: String? {
        (meta.first("og:description") ?? meta.first("twitter:description") ?? meta.first("description")
            ?? data.description ?? embed?.description)
            .flatMap { FeedText.known(MarkupText.cut(MarkupText.tidy($0), to: Self.longestDescription)) } ?? paragraph
    }

    /// The first paragraph of at least 60 characters, truncated at a word.
    private var paragraph: String? {
        for element in tree.root.all where element.name.local == "p" {
            let text = MarkupText.line(element.text)
            if text.count >= 60 { return MarkupText.cut(text, to: Self.longestParagraph) }
        }
        return nil
    }

    /// Whether the page lacks data that an oEmbed reply may provide.
    var lacks: Bool {
        meta.first("og:title") ?? meta.first("twitter:title") == nil || pictures.isNone || data.author == nil
    }

    /// The page's canonical URL, if it belongs to the same site as the URL that the page was read from.
    private var url: String? {
        let said = [meta.address("og:url"), link("canonical")].compactMap { $0 }
        guard let document else { return said.first }
        return said.first { WebAddress($0)?.isOfSite(WebAddress(document)) == true } ?? document
    }

    private func link(_ relation: String) -> String? {
        for element in tree.root.all where element.name.local == "link" {
            let words = element.attribute("rel")?.lowercased().split(whereSeparator: \.isWhitespace) ?? []
            guard words.contains(where: { $0 == relation }) else { continue }
            if let address = FeedText.address(element.attribute("href"), in: element, base: base) { return address }
        }
        return nil
    }

    private var pictures: FieldValue {
        var list = ThumbnailList()
        for image in meta.structures("og:image") {
            list.add(image.address("secure_url", "url", base: base), width: image["width"], height: image["height"])
        }
        for name in ["twitter:image", "twitter:image:src"] {
            for image in meta.all(name) { list.add(address(image)) }
        }
        for picture in data.pictures { list.add(address(picture)) }
        for picture in embed?.thumbnails ?? [] {
            list.add(picture.url, width: picture.width.map { "\($0)" }, height: picture.height.map { "\($0)" })
        }
        return list.value
    }

    /// An icon of the site, as a fallback for a missing picture.
    var icon: String? {
        link("image_src") ?? link("apple-touch-icon") ?? link("apple-touch-icon-precomposed") ?? link("icon")
    }

    private func address(_ text: String) -> String? { FeedText.address(text, in: tree.root, base: base) }

    private var duration: Int64? {
        let said = ["og:video:duration", "video:duration"].lazy.compactMap { meta.first($0) }.first
        return
            (said.flatMap(VideoDuration.parse) ?? data.duration ?? meta.first("duration").flatMap(VideoDuration.parse)
            ?? embed?.duration)
            .flatMap { $0 > 0 ? $0 : nil }
    }

    private var published: Int64? {
        let names = [
            "og:video:release_date", "video:release_date", "article:published_time", "og:published_time",
            "datepublished",
            "uploaddate",
        ]
        return names.lazy.compactMap { meta.first($0).flatMap(Timestamp.parse) }.first ?? data.published
    }

    private func channel(_ reference: MediaRef?) -> Channel {
        let author = data.author ?? PageData.itemAuthor(tree)
        let url = author?.url.flatMap { address($0) }
        var channel = Channel(title: author?.name, url: url)
        if reference?.provider == "youtube" {
            // `<meta itemprop="channelId">` of watch pages.
            let said = meta.first("channelid").flatMap { try? MediaRef.parse($0) } ?? url.flatMap(FeedAddress.publisher)
            if let said, said.kind == .channel {
                channel.id = said.id
                channel.url = said.url
            }
        }
        if let embed, channel.title == nil || channel.title == embed.channel.title {
            channel.title = channel.title ?? embed.channel.title
            channel.url = channel.url ?? embed.channel.url
            channel.id = channel.id ?? embed.channel.id
        }
        return channel
    }

    private var extra: [FieldValue.Member] {
        var extra: [FieldValue.Member] = []
        func add(_ name: String, _ value: FieldValue) {
            if !value.isNone { extra.append(.init(name, value)) }
        }
        let site = meta.first("og:site_name") ?? embed?.providerName
        add("site", FieldValue(site.map { MarkupText.cut($0, to: Self.longestTitle) } ?? host))
        add("type", FieldValue(meta.first("og:type")))
        add("player", FieldValue(meta.address("twitter:player")))
        let videos = meta.structures("og:video").compactMap { video -> FieldValue? in
            guard let url = video.address("secure_url", "url", base: base) else { return nil }
            let members: [FieldValue.Member] = [
                .init("url", .text(url)), .init("type", FieldValue(video["type"])),
                .init("width", FieldValue(FeedText.count(video["width"]))),
                .init("height", FieldValue(FeedText.count(video["height"]))),
            ]
            return .record(members.filter { !$0.value.isNone })
        }
        if !videos.isEmpty { add("media", .list(videos)) }
        add("oembed", FieldValue(oembed))
        add("feed", FieldValue(alternate { $0 == "application/rss+xml" || $0 == "application/atom+xml" }))
        return extra
    }

    /// The URL of the oEmbed reply. JSON is preferred to XML, which has two media types in use.
    var oembed: String? {
        alternate { $0 == "application/json+oembed" }
            ?? alternate { $0 == "text/xml+oembed" || $0 == "application/xml+oembed" }
    }

    private func alternate(_ isWanted: (String) -> Bool) -> String? {
        for element in tree.root.all where element.name.local == "link" {
            guard let type = element.attribute("type")?.lowercased(), isWanted(type) else { continue }
            if let address = FeedText.address(element.attribute("href"), in: element, base: base) { return address }
        }
        return nil
    }
}

extension Video {
    /// The name of the site in an oEmbed reply. nil if the record is not one, or if the reply has no name.
    var providerName: String? { self[.raw]["provider_name"].text.flatMap { FeedText.known(MarkupText.line($0)) } }
}
