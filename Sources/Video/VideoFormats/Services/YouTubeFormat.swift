// YouTube Data API v3 replies (https://developers.google.com/youtube/v3/docs): search.list and videos.list here, other
// lists in YouTubeFormat+Lists.swift, and single items. Only search.list escapes text for HTML; in videos.list `&amp;`
// is what the publisher wrote. Replies reduced by `fields=` have no `kind`, so items are recognized by their structure.

import Basics
import JSON

enum YouTubeFormat {
    static let format = RecordFormat(
        name: "youtube",
        summary: "YouTube Data API replies: search, videos, channels, playlists, playlistItems, subscriptions",
        isDocument: isReply, parts: { RecordFormat.parts(of: $0, at: "items") }, mapping: mapping, refusal: refusal)

    /// The rules that all items share.
    static let common: Mapping = [
        "provider": FieldRule(constant: .text("youtube")),
        // The second name is used by videos.batchGetStats.
        "published": FieldRule("snippet.publishedAt", "snippet.publishTime", as: .time),
        "short": FieldRule("snippet.thumbnails.shortsAspectRatio", as: .present(.bool(true))),
        "short_evidence": FieldRule("snippet.thumbnails.shortsAspectRatio", as: .present(.text("thumbnail"))),
        "thumbnails": FieldRule(
            "snippet.thumbnails",
            each: .record([
                "url": FieldRule("url", as: .text), "width": FieldRule("width", as: .integer),
                "height": FieldRule("height", as: .integer),
            ])),
        "raw": FieldRule(""),
    ]

    private static let liveStates = Converter.words([
        "none": .text("none"), "live": .text("live"), "upcoming": .text("upcoming"), "completed": .text("was_live"),
    ])

    static let search = Mapping(
        common.rules
            + ([
                "id": FieldRule("id.videoId", "id.channelId", "id.playlistId", as: .text),
                "kind": FieldRule(
                    "id.videoId", as: .present(.text("video")),
                    otherwise: [
                        FieldRule("id.channelId", as: .present(.text("channel"))),
                        FieldRule("id.playlistId", as: .present(.text("playlist"))),
                    ]),
                "title": FieldRule("snippet.title", as: .html),
                "description": FieldRule("snippet.description", as: .html),
                "channel": FieldRule(
                    nested: [
                        "id": FieldRule("snippet.channelId", as: .text),
                        "title": FieldRule("snippet.channelTitle", as: .html),
                    ]),
                "live_state": FieldRule("snippet.liveBroadcastContent", as: liveStates),
            ] as Mapping).rules)

    static let videos = Mapping(
        common.rules
            + ([
                "id": FieldRule("id", as: .text),
                "kind": FieldRule(constant: .text("video")),
                "title": FieldRule("snippet.title", as: .text),
                "description": FieldRule("snippet.description", as: .text),
                "channel": FieldRule(
                    nested: [
                        "id": FieldRule("snippet.channelId", as: .text),
                        "title": FieldRule("snippet.channelTitle", as: .text),
                    ]),
                // P0D for a live or upcoming broadcast.
                "duration": FieldRule("contentDetails.duration", as: .duration, unknown: .integer(0)),
                "views": FieldRule("statistics.viewCount", as: .integer),
                "likes": FieldRule("statistics.likeCount", as: .integer),
                "comments": FieldRule("statistics.commentCount", as: .integer),
                // After a broadcast the snippet has "none", as for a video that was never live.
                "live_state": FieldRule(
                    "liveStreamingDetails.actualEndTime", as: .present(.text("was_live")),
                    otherwise: [
                        FieldRule("liveStreamingDetails.actualStartTime", as: .present(.text("live"))),
                        FieldRule("liveStreamingDetails.scheduledStartTime", as: .present(.text("upcoming"))),
                        FieldRule("snippet.liveBroadcastContent", as: liveStates),
                    ]),
                "starts": FieldRule(
                    "liveStreamingDetails.actualStartTime", "liveStreamingDetails.scheduledStartTime", as: .time),
                "tags": FieldRule("snippet.tags", as: .text, list: true),
                "category": FieldRule("snippet.categoryId", as: .text),
                "language": FieldRule("snippet.defaultAudioLanguage", "snippet.defaultLanguage", as: .text),
                "license": FieldRule(
                    "status.license",
                    as: .words(["youtube": .text("youtube"), "creativeCommon": .text("creativecommon")])),
                "definition": FieldRule(
                    "contentDetails.definition", as: .words(["hd": .text("high"), "sd": .text("standard")])),
                "captions": FieldRule("contentDetails.caption", as: .boolean),
                "embeddable": FieldRule("status.embeddable", as: .boolean),
                // The most restrictive status takes precedence.
                "availability": FieldRule(
                    "status.uploadStatus",
                    as: .words([
                        "deleted": .text("deleted"), "rejected": .text("removed"), "failed": .text("removed"),
                    ]),
                    otherwise: [
                        FieldRule("status.privacyStatus", as: .words(["private": .text("private")])),
                        FieldRule(
                            "contentDetails.contentRating.ytRating", as: .words(["ytAgeRestricted": .text("adults")])),
                        FieldRule(
                            "status.privacyStatus",
                            as: .words(["public": .text("public"), "unlisted": .text("unlisted")])),
                    ]),
                "regions": FieldRule(
                    "contentDetails.regionRestriction",
                    nested: [
                        "allowed": FieldRule("allowed", as: .text, list: true),
                        "blocked": FieldRule("blocked", as: .text, list: true),
                    ]),
            ] as Mapping).rules)

    private static let searchMapping = CompiledMapping(search)
    private static let videosMapping = CompiledMapping(videos)

    private static let ids: [JSONPath] = ["id.videoId", "id.channelId", "id.playlistId"]
    /// Parts of a video other than its id. Every reply has at least one of them.
    private static let parts: [JSONPath] = [
        "snippet", "contentDetails", "statistics", "status", "liveStreamingDetails", "player", "topicDetails",
        "recordingDetails", "localizations", "brandingSettings",
    ]

    private static let id: JSONPath = "id"
    private static let kind: JSONPath = "kind"

    private static func mapping(_ row: JSONRow) -> CompiledMapping? {
        switch row.kind(at: id) {
        case .object: ids.contains { row.kind(at: $0) == .text } ? searchMapping : nil
        case .text: resource(row)
        case .nothing: row.kind == .object ? listMapping(row) : nil
        default: nil
        }
    }

    /// The mapping of a row with an id of its own.
    private static func resource(_ row: JSONRow) -> CompiledMapping? {
        if case .text(let kind) = row.read(kind), kind.hasPrefix("youtube#") {
            return kind == "youtube#video" || kind == "youtube#videoStat" ? videosMapping : listMapping(row, kind)
        }
        guard case .text(let id) = row.read(id), parts.contains(where: { row.kind(at: $0) == .object }) else {
            return nil
        }
        return id.utf8.count == 11 ? videosMapping : listMapping(row)
    }

    /// Members of a reply. A reply with no items and no `kind` must not have other members.
    private static let envelope: Set<String> = [
        "kind", "etag", "items", "nextPageToken", "prevPageToken", "pageInfo", "regionCode", "tokenPagination",
        "eventId", "visitorId",
    ]

    private static func isReply(_ row: JSONRow) -> Bool {
        guard row.kind == .object else { return false }
        if case .text(let kind) = row.read(kind), kind.hasPrefix("youtube#"),
            kind.hasSuffix("ListResponse") || kind == "youtube#batchGetStatsResponse"
        {
            return true
        }
        guard row.kind(at: "items") == .array, let items = row.row(at: "items")?.elements else { return false }
        if items.isEmpty { return row.members.allSatisfy { envelope.contains($0.name) } }
        return items.contains { mapping($0) != nil }
    }

    // MARK: - Errors

    /// `{"error": {code, message, errors: [{reason, domain, …}], details: […]}}`, or OAuth's `{"error": "…"}`.
    private static func refusal(_ row: JSONRow) -> FormatError? {
        switch row.kind(at: "error") {
        case .object:
            guard row.kind(at: "error.message") == .text || row.kind(at: "error.errors") == .array else { return nil }
            let error = row.value(at: "error")
            let first = error["errors"].list?.first ?? .none
            let detail = error["details"].list?.first { !$0["reason"].isNone } ?? .none
            let reason = first["reason"].text ?? error["status"].text
            return .refused(
                ServiceRefusal(
                    service: "youtube", code: error["code"].integer, reason: reason, detail: detail["reason"].text,
                    domain: first["domain"].text, location: first["location"].text,
                    message: PlainText.of(html: error["message"].text ?? first["message"].text ?? reason ?? "error")))
        case .text:
            // Google's OAuth errors have a code and a description. An `error` text alone may come from any service.
            guard row.members.allSatisfy({ ["error", "error_description"].contains($0.name) }),
                let word = row.text("error"), let description = row.text("error_description")
            else { return nil }
            return .refused(
                ServiceRefusal(service: "youtube", reason: word, message: PlainText.of(html: description)))
        default: return nil
        }
    }
}
