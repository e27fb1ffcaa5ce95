// JSON Feed 1 and 1.1 (https://www.jsonfeed.org/version/1.1/). Items inherit authors and language from the feed if they
// have none of their own. Items without an id are skipped.

import Basics
import JSON
import VideoModel

enum JSONFeedFormat {
    static let format = RecordFormat(
        name: "jsonfeed", summary: "JSON Feed 1 and 1.1", isDocument: isFeed,
        located: { feed, base in
            let items = items(home(feed, base))
            return (feed.row(at: "items")?.elements ?? []).map { .init($0, items) }
        },
        inherited: inherited, mapping: { _ in nil })

    private static let rules: Mapping = [
        "id": FieldRule("id", as: .text, required: true),
        "published": FieldRule("date_published", as: .time),
        "tags": FieldRule("tags", as: .text, list: true),
        "language": FieldRule("language", as: .text),
        "raw": FieldRule(""),
    ]

    /// - Parameter base: the base of relative URLs.
    private static func items(_ base: String?) -> CompiledMapping {
        CompiledMapping(
            rules, checksShapes: true,
            computed: [
                .url: { row in FieldValue(address(row, "url", base) ?? address(row, "external_url", base)) },
                .provider: { FieldValue(video($0)?.provider ?? "feed") },
                .id: { FieldValue(video($0)?.id) },
                .kind: { row in
                    if let ref = video(row), let kind = ref.recordKind { return .text(kind.rawValue) }
                    return .text((attachment(row) == nil ? Video.Kind.page : .video).rawValue)
                },
                .channel: { author($0, base) },
                .title: { FieldValue($0.text("title")) },
                .description: description,
                .duration: { row in
                    let duration = attachment(row).map { Converter.duration.value(of: $0.read("duration_in_seconds")) }
                    return duration?.integer.flatMap { $0 > 0 ? .integer($0) : nil } ?? .none
                },
                .thumbnails: { row in
                    Pictures.one(address(row, "image", base) ?? address(row, "banner_image", base))
                },
            ])
    }

    /// The base of relative URLs in items: the feed's home page, otherwise the feed's own URL.
    private static func home(_ feed: JSONRow, _ base: String?) -> String? {
        let own = base ?? feed.address("feed_url")
        return address(feed, "home_page_url", own) ?? own
    }

    private static func address(_ row: JSONRow, _ path: JSONPath, _ base: String?) -> String? {
        if let whole = row.address(path) { return whole }
        return row.text(path).flatMap { WebAddress.resolve($0, against: base) }.flatMap(Escape.webAddress)
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

    /// The first video or audio attachment.
    private static func attachment(_ row: JSONRow) -> JSONRow? {
        guard row.kind(at: "attachments") == .array else { return nil }
        return row.row(at: "attachments")?.elements.first { attachment in
            let type = attachment.text("mime_type")?.lowercased() ?? ""
            return type.hasPrefix("video/") || type.hasPrefix("audio/")
        }
    }
}
