// What yt-dlp and youtube-dl write: `-J`, `--flat-playlist`, `.info.json` files. What is easily got wrong: `url` is the
// page in an entry of a flat playlist (or only its id), but the media file in a video's own record; `upload_date` has
// no time, and `uploader` of a playlist is whoever made the list.

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

    /// `_type` stands in what a playlist has for a video that was not opened.
    private static func isEntry(_ row: JSONRow) -> Bool {
        guard let type = row.text("_type") else { return false }
        return ["url", "url_transparent", "video", "playlist", "multi_video"].contains(type)
    }

    private static func isList(_ row: JSONRow) -> Bool {
        row.kind(at: "entries") == .array && (isEntry(row) || extractors.contains { row.kind(at: $0) == .text })
    }

    /// Whether it is a search that found nothing, or a list of which nothing is known: what else is without entries is
    /// told as the list that it is.
    private static func isEmpty(_ row: JSONRow) -> Bool {
        guard isList(row), entries(row).isEmpty else { return false }
        if extractors.contains(where: { row.text($0)?.lowercased().mentions("search") == true }) { return true }
        return row.text("id") ?? row.text("url") ?? row.text("webpage_url") == nil
    }

    private static func entries(_ row: JSONRow) -> [JSONRow] {
        row.kind(at: "entries") == .array ? row.row(at: "entries")?.elements ?? [] : []
    }

    /// A channel's entries may be lists themselves: its videos, its broadcasts. A list without entries is a record.
    private static func flattened(_ list: JSONRow, depth: Int) -> [RecordFormat.Part] {
        entries(list).flatMap { entry in
            isList(entry) && !entries(entry).isEmpty && depth < 8
                ? flattened(entry, depth: depth + 1) : [RecordFormat.Part(entry)]
        }
    }

    /// The entries of a channel's own lists are the channel's.
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

    /// The extractor's name, without what it says of the page: `youtube:tab` is youtube.
    private static func provider(_ row: JSONRow) -> FieldValue {
        guard let name = extractors.lazy.compactMap({ row.text($0) }).first else {
            return FieldValue(address(row).flatMap { try? MediaRef.parse($0) }?.provider)
        }
        let word = name.prefix { $0 != ":" }.lowercased()
        return .text(["youtube", "vimeo", "peertube"].first { word.hasPrefix($0) } ?? word)
    }

    /// The page's address, of whatever kind the record is.
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

    /// The day, for what has no time.
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

    /// A broadcast's chat is filed with the captions.
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
