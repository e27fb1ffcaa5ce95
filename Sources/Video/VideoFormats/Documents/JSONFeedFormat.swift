// JSON Feed 1 and 1.1 (https://www.jsonfeed.org/version/1.1/). Items inherit authors and language from the feed if they
// have none of their own. Items without an id are skipped.

import Basics
import JSON
import VideoModel

enum JSONFeedFormat {
    static let format = RecordFormat(
        name: "jsonfeed", summary: "JSON Feed 1 and 1.1", isDocument: isFeed,
        located: parts,
        inherited: inherited, mapping: { _ in nil })

    private static let rules: Mapping = [
        "id": FieldRule("id", as: .text, required: true),
        "published": FieldRule("date_published", "date_modified", as: .time),
        "tags": FieldRule("tags", as: .text, list: true),
        "language": FieldRule("language", as: .text),
        "raw": FieldRule(""),
    ]

    private static func parts(_ feed: JSONRow, _ base: String?) -> [RecordFormat.Part] {
        let home = home(feed, base)
        let feedID = feed.address("feed_url") ?? home ?? feed.text("title")
        let first = items(home, feedID, isRepeated: false)
        let repeated = items(home, feedID, isRepeated: true)
        var seen: [String: (link: String?, position: Int)] = [:]
        return (feed.row(at: "items")?.elements ?? []).enumerated().map { index, item in
            guard let id = Converter.text.value(of: item.read("id")).text else { return .init(item, first) }
            let link = link(item, home)
            guard let earlier = seen[id] else {
                seen[id] = (link, index + 1)
                return .init(item, first)
            }
            guard let link, link != earlier.link else { return .init(item, first) }
            let note = "the id of record \(earlier.position) again, with another link; both are kept"
            return .init(item, repeated, note: note)
        }
    }

    private static func link(_ item: JSONRow, _ base: String?) -> String? {
        address(item, "url", base) ?? address(item, "external_url", base)
    }

    /// - Parameters:
    ///   - base: the base of relative URLs.
    ///   - feedID: what distinguishes the feed from others. nil if nothing does.
    ///   - isRepeated: whether an earlier item has the same id but another link, so that the link is the id.
    private static func items(_ base: String?, _ feedID: String?, isRepeated: Bool) -> CompiledMapping {
        CompiledMapping(
            rules, checksShapes: true,
            computed: [
                .url: { FieldValue(link($0, base)) },
                .provider: { FieldValue(video($0)?.provider ?? "feed") },
                .id: { FieldValue(video($0)?.recordID ?? (isRepeated ? link($0, base) : nil)) },
                .kind: { row in
                    if let ref = video(row), let kind = ref.recordKind { return .text(kind.rawValue) }
                    let plays = attachments(row, base).contains(where: \.isPlayable)
                    return .text((plays ? Video.Kind.video : .page).rawValue)
                },
                .channel: { author($0, base) },
                .title: { FieldValue($0.text("title")) },
                .description: description,
                .duration: { row in
                    FieldValue(attachments(row, base).first(where: \.isPlayable)?.duration)
                },
                .thumbnails: { row in
                    Pictures.one(
                        address(row, "image", base) ?? address(row, "banner_image", base)
                            ?? attachments(row, base).first(where: \.isPicture)?.url)
                },
            ],
            extra: { row in
                var extra: [FieldValue.Member] = []
                let files = attachments(row, base).filter { !$0.isPicture }
                if !files.isEmpty { extra.append(.init("media", .list(files.map(\.value)))) }
                let updated = Converter.time.value(of: row.read("date_modified"))
                let published = Converter.time.value(of: row.read("date_published"))
                if !updated.isNone, !published.isNone, updated != published { extra.append(.init("updated", updated)) }
                if video(row) == nil, let feedID { extra.append(.init("feed_id", .text(feedID))) }
                if isRepeated, let guid = Converter.text.value(of: row.read("id")).text {
                    extra.append(.init("guid", .text(guid)))
                }
                return extra
            })
    }

    /// The base of relative URLs in items: the feed's home page, otherwise the feed's own URL.
    private static func home(_ feed: JSONRow, _ base: String?) -> String? {
        let own = base ?? feed.address("feed_url")
        return address(feed, "home_page_url", own) ?? own
    }

    private static func address(_ row: JSONRow, _ path: JSONPath, _ base: String?) -> String? {
        row.address(path) ?? FeedText.address(row.text(path), base: base)
    }

    private static func isFeed(_ row: JSONRow) -> Bool {
        guard row.kind(at: "items") == .array else { return false }
        // The version may be missing if the feed is truncated.
        guard let version = row.text("version") else {
            return row.text("feed_url") != nil && row.text("title") != nil && row.text("items.0.id") != nil
        }
        let name = version.lowercased().drop { $0 != "/" }.drop { $0 == "/" }
        return name.hasPrefix("jsonfeed.org/version") || name.hasPrefix("www.jsonfeed.org/version")
    }

    private static func inherited(_ feed: JSONRow) -> [(field: VideoField, value: FieldValue)] {
        var channel = author(feed, home(feed, nil))
        if channel.isNone {
            let members: [FieldValue.Member] = [
                .init("title", FieldValue(feed.text("title"))), .init("url", FieldValue(feed.address("home_page_url"))),
            ]
            channel = .record(members.filter { !$0.value.isNone })
        }
        return [(.channel, channel), (.language, FieldValue(feed.text("language")))]
    }

    /// The first author with a name or URL. Version 1 has a single `author`.
    private static func author(_ row: JSONRow, _ base: String?) -> FieldValue {
        let listed = row.kind(at: "authors") == .array ? row.row(at: "authors")?.elements ?? [] : []
        for author in listed + [row.row(at: "author")].compactMap({ $0 }) {
            let members: [FieldValue.Member] = [
                .init("title", FieldValue(author.text("name"))), .init("url", FieldValue(address(author, "url", base))),
            ]
            let known = members.filter { !$0.value.isNone }
            if !known.isEmpty { return .record(known) }
        }
        return .none
    }

    private static func description(_ row: JSONRow) -> FieldValue {
        if let text = row.text("summary") ?? row.text("content_text") { return .text(text) }
        return FieldValue(row.text("content_html").map(PlainText.of))
    }

    /// The reference of the item's external URL or own URL to a video service. nil if there is none.
    private static func video(_ row: JSONRow) -> MediaRef? {
        for path in ["external_url", "url"] as [JSONPath] {
            if let ref = row.mediaRef(path), ref.recordKind != nil { return ref }
        }
        return nil
    }

    /// The files of an item, each URL once.
    private static func attachments(_ row: JSONRow, _ base: String?) -> [FeedMedia] {
        guard row.kind(at: "attachments") == .array else { return [] }
        var files: [FeedMedia] = []
        for attachment in row.row(at: "attachments")?.elements.prefix(FeedMedia.most) ?? [] {
            guard let url = address(attachment, "url", base), !files.contains(where: { $0.url == url }) else {
                continue
            }
            var file = FeedMedia(url: url)
            file.type = MediaType.ofFile(attachment.text("mime_type"), at: url)
            file.length = Converter.integer.value(of: attachment.read("size_in_bytes")).integer
            file.seconds = Converter.duration.value(of: attachment.read("duration_in_seconds")).integer
            files.append(file)
        }
        return files
    }
}
