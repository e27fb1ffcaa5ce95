// yt-dlp and youtube-dl output: `-J`, `--flat-playlist`, `.info.json` files. `url` is the page (or only the id) in an
// entry of a flat playlist, but the media file in a full video record. `upload_date` has no time, and `uploader` of a
// playlist is the creator of the list.

import Basics
import JSON
import VideoModel

enum YtDlpFormat {
    static let format = RecordFormat(
        name: "yt-dlp", summary: "yt-dlp info JSON: videos, playlists, .info.json files",
        isDocument: { isList($0) && (!entries($0).isEmpty || isEmpty($0)) },
        parts: { flattened($0, depth: 0) }, inherited: inherited, mapping: mapping)

    private static let rules: Mapping = [
        "id": FieldRule("id", as: .text),
        "url": FieldRule("webpage_url", "original_url", as: .url),
        "title": FieldRule("title", "fulltitle", as: .text),
        "description": FieldRule("description", as: .text),
        "channel": FieldRule(
            nested: [
                "id": FieldRule("channel_id", as: .text),
                "title": FieldRule("channel", "uploader", as: .text),
                "url": FieldRule("channel_url", "uploader_url", as: .url),
            ]),
        "published": FieldRule("timestamp", as: .time),
        "duration": FieldRule("duration", as: .duration),
        "views": FieldRule("view_count", as: .integer),
        "likes": FieldRule("like_count", as: .integer),
        "comments": FieldRule("comment_count", as: .integer),
        "live_state": FieldRule(
            "live_status",
            as: .words([
                "not_live": .text("none"), "is_live": .text("live"), "is_upcoming": .text("upcoming"),
                "was_live": .text("was_live"), "post_live": .text("was_live"),
            ]),
            otherwise: [
                FieldRule("is_live", as: .words(["true": .text("live")])),
                FieldRule("was_live", as: .words(["true": .text("was_live")])),
                FieldRule("is_live", as: .words(["false": .text("none")])),
            ]),
        "starts": FieldRule("release_timestamp", as: .time),
        "tags": FieldRule("tags", as: .text, list: true),
        "category": FieldRule("categories.0", as: .text),
        "language": FieldRule("language", as: .text),
        "embeddable": FieldRule("playable_in_embed", as: .boolean),
        "availability": FieldRule(
            "availability",
            as: .words([
                "private": .text("private"), "premium_only": .text("private"), "subscriber_only": .text("private"),
            ]),
            otherwise: [
                FieldRule("age_limit", as: .words(["18": .text("adults"), "21": .text("adults")])),
                FieldRule(
                    "availability",
                    as: .words([
                        "public": .text("public"), "unlisted": .text("unlisted"), "needs_auth": .text("private"),
                    ])),
            ]),
        "raw": FieldRule(""),
    ]

    private static let records = CompiledMapping(
        rules, checksShapes: true,
        computed: [
            .provider: provider, .url: page, .kind: kind, .published: uploadDay, .license: license,
            .captions: captions, .thumbnails: thumbnails,
            .short: { isShort($0) ? .bool(true) : .none },
            .shortEvidence: { isShort($0) ? .text("url") : .none },
        ])

    // MARK: - Recognition

    private static let extractors: [JSONPath] = ["extractor_key", "ie_key", "extractor"]

    private static func mapping(_ row: JSONRow) -> CompiledMapping? {
        guard row.kind == .object, extractors.contains(where: { row.kind(at: $0) == .text }) || isEntry(row) else {
            return nil
        }
        if isEmpty(row) { return nil }
        let hasIdentity = row.text("id") ?? row.text("url") ?? row.text("webpage_url") != nil
        return hasIdentity && entries(row).isEmpty ? records : nil
    }

    /// Entries of a playlist have `_type` if their video was not extracted.
    private static func isEntry(_ row: JSONRow) -> Bool {
        guard let type = row.text("_type") else { return false }
        return ["url", "url_transparent", "video", "playlist", "multi_video"].contains(type)
    }

    private static func isList(_ row: JSONRow) -> Bool {
        row.kind(at: "entries") == .array && (isEntry(row) || extractors.contains { row.kind(at: $0) == .text })
    }

    /// Whether this is a search without results, or an unidentified empty list. Other empty lists become records of the
    /// list itself.
    private static func isEmpty(_ row: JSONRow) -> Bool {
        guard isList(row), entries(row).isEmpty else { return false }
        if extractors.contains(where: { row.text($0)?.lowercased().mentions("search") == true }) { return true }
        return row.text("id") ?? row.text("url") ?? row.text("webpage_url") == nil
    }

    private static func entries(_ row: JSONRow) -> [JSONRow] {
        row.kind(at: "entries") == .array ? row.row(at: "entries")?.elements ?? [] : []
    }

    /// The entries, with nested lists flattened: the entries of a channel may be lists, such as its videos and its live
    /// streams. An empty nested list is a record.
    private static func flattened(_ list: JSONRow, depth: Int) -> [RecordFormat.Part] {
        entries(list).flatMap { entry in
            isList(entry) && !entries(entry).isEmpty && depth < 8
                ? flattened(entry, depth: depth + 1) : [RecordFormat.Part(entry)]
        }
    }

    /// The channel of a channel's own list, for its entries.
    private static func inherited(_ list: JSONRow) -> [(field: VideoField, value: FieldValue)] {
        guard let channel = list.text("channel_id"), let id = list.text("id"),
            id == channel || id == "UU" + channel.dropFirst(2) || id == list.text("uploader_id")
        else { return [] }
        let members: [FieldValue.Member] = [
            .init("id", .text(channel)), .init("title", FieldValue(list.text("channel") ?? list.text("uploader"))),
            .init("url", FieldValue(list.address("channel_url"))),
        ]
        return [(.channel, .record(members.filter { !$0.value.isNone }))]
    }

    // MARK: - Fields

    /// The extractor's name without its suffix: `youtube:tab` is youtube.
    private static func provider(_ row: JSONRow) -> FieldValue {
        guard let name = extractors.lazy.compactMap({ row.text($0) }).first else {
            return FieldValue(address(row).flatMap { try? MediaRef.parse($0) }?.provider)
        }
        let word = name.prefix { $0 != ":" }.lowercased()
        return .text(["youtube", "vimeo", "peertube"].first { word.hasPrefix($0) } ?? word)
    }

    /// The URL of the page, for any kind of record.
    private static func address(_ row: JSONRow) -> String? {
        if let page = row.address("webpage_url") { return page }
        let isOpened = row.kind(at: "formats") == .array || row.kind(at: "ext") == .text
        return isOpened ? nil : row.address("url")
    }

    private static func page(_ row: JSONRow) -> FieldValue { FieldValue(address(row)) }

    private static func isShort(_ row: JSONRow) -> Bool {
        guard let address = address(row), address.contains("/shorts/") else { return false }
        return (try? MediaRef.parse(address))?.short == true
    }

    private static func kind(_ row: JSONRow) -> FieldValue {
        let isList = row.text("_type") == "playlist" || row.text("ie_key") == "YoutubeTab"
        guard isList else { return .text("video") }
        let ref = address(row).flatMap { try? MediaRef.parse($0) }
        return .text((ref?.recordKind == .channel ? Video.Kind.channel : .playlist).rawValue)
    }

    /// The date, for records without a timestamp.
    private static func uploadDay(_ row: JSONRow) -> FieldValue {
        guard row.kind(at: "timestamp") != .number, let day = row.text("upload_date"), day.utf8.count == 8 else {
            return .none
        }
        return FieldValue(Timestamp.parse("\(day.prefix(4))-\(day.dropFirst(4).prefix(2))-\(day.suffix(2))"))
    }

    private static func license(_ row: JSONRow) -> FieldValue {
        guard let license = row.text("license") else { return .none }
        return .text(license.contains("Creative Commons") ? "creativecommon" : "other")
    }

    /// Whether there are captions. The chat of a live stream is listed among the subtitles and is ignored.
    private static func captions(_ row: JSONRow) -> FieldValue {
        guard let subtitles = row.row(at: "subtitles"), subtitles.kind == .object else { return .none }
        return .bool(subtitles.members.contains { $0.name != "live_chat" })
    }

    private static func thumbnails(_ row: JSONRow) -> FieldValue {
        let listed = Pictures.named(
            (row.row(at: "thumbnails")?.elements ?? []).map {
                ($0.address("url"), $0.integer("width"), $0.integer("height"))
            })
        return listed.isNone ? Pictures.one(row.address("thumbnail")) : listed
    }
}
