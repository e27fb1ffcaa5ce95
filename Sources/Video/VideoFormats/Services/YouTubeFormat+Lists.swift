// YouTube Data API replies: channels, playlists, subscriptions and playlist items. In a playlist item,
// `snippet.publishedAt` is when the item was added and `snippet.channelId` is the playlist's owner; the video's own
// date and owner are in other members. An item whose video is deleted or private stays in the list with an English
// placeholder title. Any video could have that title, so such items are recognized by their missing members.

import Basics
import JSON
import VideoModel

extension YouTubeFormat {
    /// The mapping of an item that is neither a search result nor a video. nil if there is none.
    ///
    /// - Parameter kind: the item's `kind`. nil to detect it from the structure.
    static func listMapping(_ row: JSONRow, _ kind: String? = nil) -> CompiledMapping? {
        switch kind {
        case "youtube#channel": return channels
        case "youtube#playlist": return playlists
        case "youtube#subscription": return subscriptions
        case "youtube#playlistItem": return itemMapping(row)
        case .some: return nil
        case nil:
            if row.kind(at: "snippet.resourceId.videoId") == .text || row.kind(at: "contentDetails.videoId") == .text {
                return itemMapping(row)
            }
            if row.kind(at: "snippet.resourceId.channelId") == .text { return subscriptions }
            guard let id = row.text("id") else { return nil }
            if isID(id, .channel) { return channels }
            return isID(id, .playlist) ? playlists : nil
        }
    }

    private static func isID(_ id: String, _ kind: Video.Kind) -> Bool {
        MediaRef.canonicalURL(provider: "youtube", kind: kind, id: id) != nil
    }

    private static func itemMapping(_ row: JSONRow) -> CompiledMapping? {
        guard row.text("snippet.resourceId.videoId") ?? row.text("contentDetails.videoId") != nil else { return nil }
        return isUnavailable(row) ? unavailableItems : items
    }

    /// Whether an item's video is private or deleted: members about the video are missing although the requested parts
    /// would include them.
    private static func isUnavailable(_ row: JSONRow) -> Bool {
        if row.kind(at: "snippet.videoOwnerChannelId") != .nothing
            || row.kind(at: "snippet.videoOwnerChannelTitle") != .nothing
            || row.kind(at: "contentDetails.videoPublishedAt") != .nothing || row.hasMembers("snippet.thumbnails")
        {
            return false
        }
        if row.kind(at: "snippet.thumbnails") == .object { return true }
        return row.kind(at: "contentDetails.videoId") == .text && row.kind(at: "snippet.description") == .text
    }

    private static let snippet = Mapping(
        common.rules
            + ([
                "title": FieldRule("snippet.title", as: .text),
                "description": FieldRule("snippet.description", as: .text),
                "language": FieldRule("snippet.defaultLanguage", as: .text),
                "availability": FieldRule(
                    "status.privacyStatus",
                    as: .words([
                        "public": .text("public"), "unlisted": .text("unlisted"), "private": .text("private"),
                        // The status of an item whose video was deleted.
                        "privacyStatusUnspecified": .text("deleted"),
                    ])),
            ] as Mapping).rules)

    private static let channels = CompiledMapping(
        Mapping(
            snippet.rules
                + ([
                    "id": FieldRule("id", as: .text),
                    "kind": FieldRule(constant: .text("channel")),
                    "channel": FieldRule(
                        nested: ["id": FieldRule("id", as: .text), "title": FieldRule("snippet.title", as: .text)]),
                    "views": FieldRule("statistics.viewCount", as: .integer),
                    // These are not fields of a record.
                    "subscribers": FieldRule("statistics.subscriberCount", as: .integer),
                    "videos": FieldRule("statistics.videoCount", as: .integer),
                    "handle": FieldRule("snippet.customUrl", as: .text),
                ] as Mapping).rules))

    private static let playlists = CompiledMapping(
        Mapping(
            snippet.rules
                + ([
                    "id": FieldRule("id", as: .text),
                    "kind": FieldRule(constant: .text("playlist")),
                    "channel": FieldRule(
                        nested: [
                            "id": FieldRule("snippet.channelId", as: .text),
                            "title": FieldRule("snippet.channelTitle", as: .text),
                        ]),
                    "videos": FieldRule("contentDetails.itemCount", as: .integer),
                ] as Mapping).rules))

    private static let subscriptions = CompiledMapping(
        Mapping(
            snippet.rules.filter { $0.name != "published" }
                + ([
                    "id": FieldRule("snippet.resourceId.channelId", as: .text),
                    "kind": FieldRule(constant: .text("channel")),
                    "channel": FieldRule(
                        nested: [
                            "id": FieldRule("snippet.resourceId.channelId", as: .text),
                            "title": FieldRule("snippet.title", as: .text),
                        ]),
                    "videos": FieldRule("contentDetails.totalItemCount", as: .integer),
                    "subscribed": FieldRule("snippet.publishedAt", as: .time),
                ] as Mapping).rules))

    private static let itemRules = Mapping(
        snippet.rules.filter { $0.name != "published" }
            + ([
                "id": FieldRule("snippet.resourceId.videoId", "contentDetails.videoId", as: .text),
                "kind": FieldRule(constant: .text("video")),
                "published": FieldRule("contentDetails.videoPublishedAt", as: .time),
                "channel": FieldRule(
                    nested: [
                        "id": FieldRule("snippet.videoOwnerChannelId", as: .text),
                        "title": FieldRule("snippet.videoOwnerChannelTitle", as: .text),
                    ]),
                "added": FieldRule("snippet.publishedAt", as: .time),
                "position": FieldRule("snippet.position", as: .integer),
            ] as Mapping).rules)

    private static let items = CompiledMapping(itemRules)

    /// If `status` was not requested, only the title tells a deleted video from a private one.
    private static let unavailableItems = CompiledMapping(
        itemRules,
        computed: [
            .availability: { row in
                if row.text("status.privacyStatus") != nil { return .none }
                return .text(row.text("snippet.title") == "Deleted video" ? "deleted" : "private")
            }
        ])
}
