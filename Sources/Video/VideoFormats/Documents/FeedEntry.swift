// Converts one feed entry to a record. The link decides the provider, not the feed: an entry of any feed that links to
// a video service is a video of that service.

import Basics
import Markup
import VideoModel

struct FeedEntry {
    private let element: MarkupElement
    private let feed: Feed
    /// The entry and its Media RSS groups and contents, each of which may contain the same elements.
    private let holders: [MarkupElement]
    private let media: [FeedMedia]
    private let isRepeated: Bool

    /// - Parameter isRepeated: whether an earlier entry of the feed, with another link, has the same guid.
    init(_ element: MarkupElement, of feed: Feed, isRepeated: Bool = false) {
        self.element = element
        self.feed = feed
        self.isRepeated = isRepeated
        var holders = [element]
        for group in element.children(.media, "group") { holders.append(group) }
        for content in holders.flatMap({ $0.children(.media, "content") }) { holders.append(content) }
        self.holders = holders
        media = FeedMedia.all(in: element, holders: holders, base: feed.base)
    }

    /// The record. nil if the entry has no title, description, link, id and media.
    var video: Video? {
        let link = address
        let title = self.title
        let description = self.description
        let guid = identifier
        if title == nil, description == nil, link == nil, guid == nil, media.isEmpty { return nil }
        var fields: [VideoField: FieldValue] = [:]
        let reference = reference(link)
        if let reference {
            fields[.provider] = .text(reference.provider)
            fields[.id] = .text(reference.recordID)
            fields[.kind] = .text((reference.recordKind ?? .video).rawValue)
            fields[.url] = .text(reference.url)
            fields[.short] = FieldValue(reference.short)
            if reference.short != nil { fields[.shortEvidence] = .text("url") }
        } else {
            let url = link ?? media.first { $0.isVideo }?.url ?? media.first?.url
            fields[.provider] = .text("feed")
            fields[.id] = FieldValue(isRepeated ? url ?? guid : guid ?? url)
            fields[.url] = FieldValue(url)
            let plays = media.contains(where: \.isPlayable) || element.isNamed(.podcast, "liveitem")
            fields[.kind] = .text((plays ? Video.Kind.video : .page).rawValue)
        }
        fields[.title] = FieldValue(title)
        fields[.description] = FieldValue(description)
        let channel = channel(reference)
        if channel != Channel() { fields[.channel] = channel.value }
        fields[.published] = FieldValue(published)
        fields[.duration] = FieldValue(duration)
        fields[.views] = FieldValue(views)
        fields[.tags] = tags.isEmpty ? FieldValue.none : .list(tags.map { .text($0) })
        fields[.thumbnails] = thumbnails
        fields[.language] = FieldValue(language)
        if hasCommonLicense { fields[.license] = .text("creativecommon") }
        if element.isNamed(.podcast, "liveitem") {
            fields[.liveState] = FieldValue(Self.states[element.attribute("status")?.lowercased() ?? ""])
            fields[.starts] = FieldValue(element.attribute("start").flatMap(Timestamp.parse))
        }
        if reference?.provider == "youtube", let rating {
            fields[.likes] = FieldValue(FeedText.count(rating.attribute("count")))
        }
        return Video(fields.filter { !$0.value.isNone }, extra: extra(guid, link, of: fields))
    }

    /// A video deleted by its channel: `<at:deleted-entry ref="yt:video:…">`.
    static func deleted(_ element: MarkupElement) -> Video? {
        guard let reference = element.attribute("ref").flatMap(Self.youTubeVideo) else { return nil }
        return Video([
            .provider: .text(reference.provider), .id: .text(reference.recordID), .url: .text(reference.url),
            .availability: .text("deleted"),
        ])
    }

    private static let states = ["pending": "upcoming", "live": "live", "ended": "was_live"]

    // MARK: Identity

    /// Atom's id or RSS's guid.
    var identifier: String? {
        element.child(.core, "id", "guid").flatMap { FeedText.known(MarkupText.line($0.text)) }
            ?? element.attribute("rdf:about")
    }

    var address: String? {
        if let link = FeedText.link(of: element, base: feed.base) { return link }
        if let guid = element.child(.core, "guid"), guid.attribute("isPermaLink")?.lowercased() != "false",
            let link = FeedText.address(MarkupText.line(guid.text), in: guid, base: nil)
        {
            return link
        }
        return holders.lazy.compactMap { $0.child(.media, "player") }.compactMap {
            FeedText.address($0.attribute("url"), in: $0, base: feed.base)
        }.first
    }

    /// The reference to a video service, if the entry has one.
    private func reference(_ link: String?) -> MediaRef? {
        if let id = element.child(.youtube, "videoid").flatMap({ FeedText.word($0.text) }),
            var found = Self.youTubeVideo("yt:video:" + id)
        {
            // Only the link tells a Short from another video.
            if let link, let other = try? MediaRef.parse(link), other.id == found.id { found = other }
            return found
        }
        for text in [link, identifier] {
            guard let text, let reference = (try? MediaRef.parse(text)) ?? Self.youTubeVideo(text) else { continue }
            if reference.recordKind != nil { return reference }
        }
        return nil
    }

    private static func youTubeVideo(_ text: String) -> MediaRef? {
        let prefix = "yt:video:"
        guard text.hasPrefix(prefix), let reference = try? MediaRef.parse(String(text.dropFirst(prefix.count))),
            reference.kind == .video
        else { return nil }
        return reference
    }

    // MARK: Fields

    private var title: String? {
        element.child(.core, "title").flatMap(FeedText.title)
            ?? first(.media, "title").flatMap(FeedText.title)
            ?? element.child(.itunes, "title").flatMap(FeedText.title)
            ?? element.child(.dublinCore, "title").flatMap(FeedText.title)
    }

    /// The summary if there is one, otherwise the full text.
    private var description: String? {
        let places: [() -> MarkupElement?] = [
            { element.child(.core, "summary", "description", "abstract") }, { first(.media, "description") },
            { element.child(.content, "encoded") }, { element.child(.core, "content") },
            { element.child(.itunes, "summary", "subtitle") }, { element.child(.dublinCore, "description") },
        ]
        for place in places {
            if let text = place().flatMap(FeedText.text) { return text }
        }
        return nil
    }

    private func first(_ vocabulary: FeedVocabulary, _ name: String) -> MarkupElement? {
        holders.lazy.compactMap { $0.child(vocabulary, name) }.first
    }

    private var author: (name: String?, url: String?)? {
        if let author = element.child(.core, "author") {
            let name = author.child(.core, "name").map(FeedText.title) ?? MarkupText.title(author.text)
            let url = author.child(.core, "uri", "url").flatMap { FeedText.address($0.text, in: $0, base: feed.base) }
            // RSS 2.0 prescribes `mail@host (Name)`.
            let person = name.flatMap(FeedText.known).flatMap { whole -> String? in
                guard let open = whole.firstIndex(of: "("), whole.hasSuffix(")"), whole[..<open].contains("@") else {
                    return whole
                }
                return FeedText.known(String(whole[whole.index(after: open)...].dropLast()))
            }
            if person != nil || url != nil { return (person, url) }
        }
        let other = element.child(.dublinCore, "creator") ?? element.child(.itunes, "author") ?? first(.media, "credit")
        return other.flatMap(FeedText.title).map { ($0, nil) }
    }

    /// The publisher at a video service, otherwise the feed.
    private func channel(_ reference: MediaRef?) -> Channel {
        guard let reference else { return Channel(title: feed.title ?? feed.author, url: feed.url) }
        let author = author
        var channel = Channel(title: author?.name ?? feed.title, url: author?.url)
        if reference.provider == "youtube" {
            // The id of the feed itself may lack the "UC". The entry's id and the author's URL have it.
            let said = element.child(.youtube, "channelid").flatMap { FeedText.word($0.text) }
            for text in [said, author?.url] {
                if let text, let found = try? MediaRef.parse(text), found.provider == "youtube", found.kind == .channel
                {
                    channel.id = found.id
                    channel.url = found.url
                    break
                }
            }
        }
        channel.url = channel.url ?? feed.url
        return channel
    }

    private var published: Int64? {
        let places: [(FeedVocabulary, String)] = [
            (.core, "published"), (.core, "pubdate"), (.core, "issued"), (.dublinCore, "date"), (.dublinCore, "issued"),
            (.dublinCore, "created"), (.core, "created"), (.core, "updated"), (.core, "modified"),
            (.dublinCore, "modified"),
        ]
        for (vocabulary, name) in places {
            if let time = FeedText.time(element.child(vocabulary, name)) { return time }
        }
        return nil
    }

    private var updated: Int64? {
        FeedText.time(element.child(.core, "updated", "modified") ?? element.child(.dublinCore, "modified"))
    }

    private var duration: Int64? {
        if let said = element.child(.itunes, "duration") ?? first(.youtube, "duration") {
            let text = said.attribute("seconds") ?? MarkupText.line(said.text)
            if let seconds = VideoDuration.parse(text), seconds > 0 { return seconds }
        }
        if let seconds = media.lazy.compactMap(\.duration).first { return seconds }
        // Media that is only played on a page (media:player) has no file of its own.
        return holders.lazy.filter { $0.isNamed(.media, "content") && $0.attribute("medium") == "video" }
            .compactMap { $0.attribute("duration").flatMap(VideoDuration.parse) }.first { $0 > 0 }
    }

    private var rating: MarkupElement? {
        holders.lazy.compactMap { $0.child(.media, "community")?.child(.media, "starrating") }.first
    }

    private var views: Int64? {
        holders.lazy.compactMap { $0.child(.media, "community")?.child(.media, "statistics") }
            .compactMap { FeedText.count($0.attribute("views")) }.first
    }

    private var tags: [String] {
        var tags: [String] = []
        func add(_ text: String?) {
            guard let text, let tag = FeedText.known(MarkupText.line(text)), !tags.contains(tag), tags.count < 500
            else { return }
            tags.append(tag)
        }
        for child in element.children {
            if child.isNamed(.core, "category") {
                add(child.attribute("label") ?? child.attribute("term") ?? FeedText.title(child))
            } else if child.isNamed(.dublinCore, "subject") {
                add(child.text)
            } else if child.isNamed(.itunes, "keywords") {
                for word in child.text.split(separator: ",") { add(String(word)) }
            }
        }
        for keywords in holders.flatMap({ $0.children(.media, "keywords") }) {
            for word in keywords.text.split(separator: ",") { add(String(word)) }
        }
        return tags
    }

    private var language: String? {
        element.child(.dublinCore, "language").flatMap { FeedText.word($0.text) }
            ?? element.attribute("xml:lang").flatMap(FeedText.word) ?? feed.language
    }

    private var hasCommonLicense: Bool {
        element.children.contains { child in
            (child.isNamed(.license, "license") || child.isNamed(.media, "license"))
                && [child.text, child.attribute("rdf:resource") ?? "", child.attribute("href") ?? ""].contains {
                    $0.contains("creativecommons.org/")
                }
        }
    }

    private var thumbnails: FieldValue {
        var list = ThumbnailList()
        for thumbnail in holders.flatMap({ $0.children(.media, "thumbnail") }) {
            list.add(
                FeedText.address(thumbnail.attribute("url"), in: thumbnail, base: feed.base),
                width: thumbnail.attribute("width"), height: thumbnail.attribute("height"))
        }
        for image in element.children(.itunes, "image") {
            list.add(FeedText.address(image.attribute("href") ?? image.text, in: image, base: feed.base))
        }
        for image in element.children(.podcast, "image") {
            list.add(
                FeedText.address(image.attribute("href"), in: image, base: feed.base), width: image.attribute("width"),
                height: image.attribute("height"))
        }
        for picture in media where picture.isPicture {
            list.add(picture.url, width: picture.width, height: picture.height)
        }
        return list.value
    }

    // MARK: Extra

    private func extra(_ guid: String?, _ link: String?, of fields: [VideoField: FieldValue]) -> [FieldValue.Member] {
        var extra: [FieldValue.Member] = []
        func add(_ name: String, _ value: FieldValue) {
            if !value.isNone { extra.append(.init(name, value)) }
        }
        if let name = author?.name, name != fields[.channel]?["title"].text { add("author", .text(name)) }
        add("updated", updated == fields[.published]?.integer ? .none : FieldValue(updated))
        if guid != fields[.id]?.text { add("guid", FieldValue(guid)) }
        add("season", FieldValue(number(.itunes, "season") ?? number(.podcast, "season")))
        add("episode", FieldValue(number(.itunes, "episode") ?? number(.podcast, "episode")))
        if let rating {
            let members = ["average", "count", "min", "max"].compactMap { name -> FieldValue.Member? in
                guard let text = rating.attribute(name), let number = Double(text), number.isFinite else { return nil }
                return .init(name, Int64(exactly: number).map(FieldValue.integer) ?? .number(number))
            }
            if !members.isEmpty { add("rating", .record(members)) }
        }
        let files = media.filter { !$0.isPicture }
        if !files.isEmpty { add("media", .list(files.map(\.value))) }
        if feed.image != nil { add("feed_image", FieldValue(feed.image)) }
        // The id of an entry counts only within its feed.
        if fields[.provider] == .text("feed") { add("feed_id", FieldValue(feed.id)) }
        return extra
    }

    private func number(_ vocabulary: FeedVocabulary, _ name: String) -> Int64? {
        element.child(vocabulary, name).flatMap { FeedText.count($0.text) }
    }
}
