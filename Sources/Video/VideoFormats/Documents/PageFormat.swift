// HTML pages, for previews: one record of what a page says about itself in Open Graph, Twitter cards, JSON-LD and plain
// HTML. What is easily got wrong: pages name themselves in the body as well as in the head, far from the beginning, and
// more than once; the first of each counts.

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

    /// Roots of other formats that some give the document type of HTML.
    private static let others: Set<String> = ["rss", "feed", "rdf", "opml", "svg"]
}

/// A page as a record.
struct Page {
    private let tree: MarkupTree
    private let base: String?
    private let meta: PageMeta
    private let data: PageData
    /// What an oEmbed provider says of the page.
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

    /// The address that the page was read from.
    private let document: String?

    /// nil when the page has no title, no picture and no text of its own.
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
            .provider: .text(reference?.provider ?? "web"), .id: FieldValue(reference?.id ?? url ?? document),
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

    /// What the address names, else what the page says that it is.
    private func kind(_ reference: MediaRef?) -> Video.Kind {
        if let kind = reference?.recordKind { return kind }
        return meta.first("og:type")?.hasPrefix("video") == true || data.isVideo ? .video : .page
    }

    private var host: String? { (url ?? document).flatMap { WebAddress($0)?.host } }

    private var title: String? {
        (meta.first("og:title") ?? meta.first("twitter:title") ?? embed?.title ?? data.name ?? text(of: "title")
            ?? text(of: "h1")).map { MarkupText.cut($0, to: Self.longestTitle) }
    }

    /// Characters; no more than a person reads.
    private static let longestTitle = 300
    private static let longestParagraph = 300
    private static let longestDescription = 5000

    private func text(of name: String) -> String? {
        for element in tree.root.all where element.name.local == name {
            // A picture in the page may have a title of its own.
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

    /// The first paragraph that is one, cut at a word.
    private var paragraph: String? {
        for element in tree.root.all where element.name.local == "p" {
            let text = MarkupText.line(element.text)
            if text.count >= 60 { return MarkupText.cut(text, to: Self.longestParagraph) }
        }
        return nil
    }

    /// Whether an oEmbed provider may know what the page does not say itself.
    var lacks: Bool {
        meta.first("og:title") ?? meta.first("twitter:title") == nil || pictures.isNone || data.author == nil
    }

    /// What the page gives as its address, where that is of the same site as where it was read.
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

    /// A picture of the site, where the page has none of its own.
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
            // `<meta itemprop="channelId">` on watch pages.
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
        add("site", FieldValue(meta.first("og:site_name").map { MarkupText.cut($0, to: Self.longestTitle) } ?? host))
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

    /// JSON before XML, whose type has gone by three names.
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
