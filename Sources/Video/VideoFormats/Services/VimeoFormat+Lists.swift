// Vimeo API replies about users and lists. A Vimeo channel is a curated list, so it becomes a playlist here; a Vimeo
// user publishes videos, so it becomes a channel.

import Basics
import JSON
import VideoModel

extension VimeoFormat {
    /// The mapping of a user or a list. nil for other rows.
    static func listMapping(_ row: JSONRow) -> CompiledMapping? {
        guard let uri = row.text("uri") else { return nil }
        if userID(uri) != nil { return users }
        return isList(uri) ? lists : nil
    }

    /// The digits of `/users/DIGITS`.
    private static func userID(_ uri: String) -> String? {
        number(uri, after: "/users/")
    }

    private static let listWords: Set<Substring> = ["channels", "groups", "albums", "showcases", "categories", "tags"]

    /// `/channels/1`, `/categories/animation`, `/users/1/albums/2`.
    private static func isList(_ uri: String) -> Bool {
        let parts = uri.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.first == "", parts.allSatisfy({ $0.utf8.count <= 200 }), parts.last?.isEmpty == false else {
            return false
        }
        switch parts.count {
        case 3: return listWords.contains(parts[1])
        case 5: return parts[1] == "users" && !parts[2].isEmpty && (parts[3] == "albums" || parts[3] == "showcases")
        default: return false
        }
    }

    private static let common: Mapping = [
        "provider": FieldRule(constant: .text("vimeo")),
        "url": FieldRule("link", as: .url),
        "title": FieldRule("name", as: .text),
        "published": FieldRule("created_time", as: .time),
        "videos": FieldRule("metadata.connections.videos.total", as: .integer),
        "raw": FieldRule(""),
    ]

    private static let users = CompiledMapping(
        Mapping(
            common.rules
                + ([
                    "kind": FieldRule(constant: .text("channel")),
                    "description": FieldRule("bio", as: .text),
                    "subscribers": FieldRule("metadata.connections.followers.total", as: .integer),
                ] as Mapping).rules),
        checksShapes: true,
        computed: [
            .id: { row in FieldValue(row.text("uri").flatMap(userID)) },
            .channel: person,
            .thumbnails: thumbnails,
        ])

    private static let lists = CompiledMapping(
        Mapping(
            common.rules
                + ([
                    "kind": FieldRule(constant: .text("playlist")),
                    "description": FieldRule("description", as: .text),
                    "availability": FieldRule(
                        "privacy.view",
                        as: .words([
                            "anybody": .text("public"), "embed_only": .text("unlisted"),
                            // For channels: who may see it, or who may add videos.
                            "moderators": .text("private"), "users": .text("private"), "nobody": .text("private"),
                            "password": .text("private"), "team": .text("private"),
                        ])),
                    "subscribers": FieldRule("metadata.connections.users.total", as: .integer),
                ] as Mapping).rules),
        checksShapes: true,
        computed: [
            // The path for requesting the list again.
            .id: { row in FieldValue(row.text("uri").map { String($0.dropFirst()) }) },
            .channel: channel,
            .thumbnails: thumbnails,
        ])
}
