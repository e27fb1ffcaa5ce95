// What the YouTube Data API says of channels, playlists, subscriptions and the items of playlists. What is easily got
// wrong: in a playlist's item `snippet.publishedAt` is when it was added and `snippet.channelId` whose playlist it is;
// the video's own date and owner have other names. An item whose video is gone or private keeps its place in the
// list, with a title in English words that any video could bear, so it is known by what it lacks.

import Basics
import JSON
import VideoModel

extension YouTubeFormat {
    /// How to read an item that is neither a search hit nor a video.
    ///
    /// - Parameter kind: what it says it is; nil when its structure must tell.
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

    /// Whether an item's video is private or gone: nothing of the video itself is told where a reply with these parts
    /// would tell it.
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
                        // What an item has whose video was deleted.
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
                    // Neither is a field of a record.
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

    /// The title alone tells a deleted video from a private one, where `status` was not asked for.
    private static let unavailableItems = CompiledMapping(
        itemRules,
        computed: [
            .availability: { row in
                if row.text("status.privacyStatus") != nil { return .none }
                return .text(row.text("snippet.title") == "Deleted video" ? "deleted" : "private")
            }
        ])
}
