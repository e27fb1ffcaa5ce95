// Replies of PeerTube servers and Sepia Search (https://docs.joinpeertube.org/api-rest-reference.html): videos,
// channels, accounts and playlists, single and in lists. Servers also return videos hosted on other servers, and
// relative paths are valid only on the server that replied, whose name is not in the reply.

import Basics
import JSON
import VideoModel

enum PeerTubeFormat {
    static let format = RecordFormat(
        name: "peertube", summary: "PeerTube and Sepia Search replies: videos, channels, playlists",
        isDocument: isList, parts: parts, mapping: mapping, refusal: refusal)

    private static let common: Mapping = [
        "provider": FieldRule(constant: .text("peertube")),
        "url": FieldRule("url", as: .url),
        "published": FieldRule("publishedAt", "createdAt", as: .time),
        "availability": FieldRule(
            "privacy.id",
            as: .words([
                "1": .text("public"), "2": .text("unlisted"), "3": .text("private"), "4": .text("private"),
                "5": .text("private"),
            ])),
        "raw": FieldRule(""),
    ]

    private static let videos = CompiledMapping(
        Mapping(
            common.rules
                + ([
                    "kind": FieldRule(constant: .text("video")),
                    "title": FieldRule("name", as: .text),
                    "description": FieldRule("description", "truncatedDescription", as: .text),
                    "duration": FieldRule("duration", as: .duration, unknown: .integer(0)),
                    "views": FieldRule("views", as: .integer),
                    "likes": FieldRule("likes", as: .integer),
                    "comments": FieldRule("comments", as: .integer),
                    "tags": FieldRule("tags", as: .text, list: true),
                    "language": FieldRule("language.id", as: .text),
                    // 1 to 6 are Creative Commons licenses, 7 is its public domain dedication.
                    "license": FieldRule(
                        "licence.id",
                        as: .words(
                            Dictionary(
                                uniqueKeysWithValues: (1...7).map { ("\($0)", .text("creativecommon")) }))),
                ] as Mapping).rules), checksShapes: true,
        computed: [
            .id: id,
            .url: { FieldValue(page($0, "/w/", ["channel.host", "account.host"])) },
            .channel: { owner($0, "channel", "account") },
            .liveState: liveState,
            // A category that is not set is `{id: null, label: "Unknown"}`.
            .category: { row in
                row.kind(at: "category.id") == .number ? FieldValue(row.text("category.label")) : .none
            },
            .thumbnails: thumbnails,
        ])

    private static let channels = CompiledMapping(
        Mapping(
            common.rules
                + ([
                    "title": FieldRule("displayName", "name", as: .text),
                    "kind": FieldRule(constant: .text("channel")),
                    "description": FieldRule("description", as: .text),
                    "subscribers": FieldRule("followersCount", as: .integer),
                ] as Mapping).rules), checksShapes: true,
        computed: [
            .id: { FieldValue(name($0)) },
            .channel: { channel($0) },
            .thumbnails: { avatars($0) },
        ])

    private static let playlists = CompiledMapping(
        Mapping(
            common.rules
                + ([
                    "kind": FieldRule(constant: .text("playlist")),
                    "title": FieldRule("displayName", as: .text),
                    "description": FieldRule("description", as: .text),
                    "videos": FieldRule("videosLength", as: .integer),
                ] as Mapping).rules), checksShapes: true,
        computed: [
            .id: id,
            .url: { FieldValue(page($0, "/w/p/", ["videoChannel.host", "ownerAccount.host"])) },
            .channel: { owner($0, "videoChannel", "ownerAccount") },
            .thumbnails: thumbnails,
        ])

    private static func mapping(_ row: JSONRow) -> CompiledMapping? {
        if row.kind(at: "uuid") == .text || row.kind(at: "shortUUID") == .text {
            if row.kind(at: "name") == .text,
                ["channel", "account", "embedPath"].contains(where: { row.kind(at: JSONPath($0)) != .nothing })
            {
                return videos
            }
            let isPlaylist = row.kind(at: "videosLength") == .number && row.kind(at: "displayName") == .text
            return isPlaylist ? playlists : nil
        }
        let isActor =
            row.kind(at: "followersCount") == .number && row.kind(at: "host") == .text && row.kind(at: "name") == .text
        return isActor ? channels : nil
    }

    /// The UUID, which follows from the short one.
    private static func id(_ row: JSONRow) -> FieldValue {
        FieldValue(row.text("uuid") ?? row.text("shortUUID").map(MediaRef.peerTubeUUID))
    }

    /// `{total, data}`. Elements of a playlist contain their videos.
    private static func isList(_ row: JSONRow) -> Bool {
        guard row.kind(at: "total") == .number, row.kind(at: "data") == .array,
            let items = row.row(at: "data")?.elements
        else { return false }
        if items.isEmpty { return row.members.count == 2 }
        return items.contains { mapping(video($0)) != nil }
    }

    private static func parts(_ row: JSONRow) -> [RecordFormat.Part] {
        row.row(at: "data")?.elements.map { RecordFormat.Part(video($0)) } ?? []
    }

    private static func video(_ element: JSONRow) -> JSONRow {
        element.kind(at: "position") == .number ? element.row(at: "video") ?? element : element
    }

    /// The global name of a channel or an account: `name@host`.
    private static func name(_ actor: JSONRow) -> String? {
        guard let name = actor.text("name"), let host = actor.text("host") else { return nil }
        return "\(name)@\(host)"
    }

    private static func channel(_ actor: JSONRow) -> FieldValue {
        let members: [FieldValue.Member] = [
            .init("id", FieldValue(name(actor))),
            .init("title", FieldValue(actor.text("displayName") ?? actor.text("name"))),
            .init("url", FieldValue(actor.address("url"))),
        ]
        let known = members.filter { !$0.value.isNone }
        return known.isEmpty ? .none : .record(known)
    }

    private static func owner(_ row: JSONRow, _ first: JSONPath, _ second: JSONPath) -> FieldValue {
        for path in [first, second] {
            if let actor = row.row(at: path), actor.kind == .object {
                let channel = channel(actor)
                if !channel.isNone { return channel }
            }
        }
        return .none
    }

    /// `isLive` is the type of the video; `state` is the current state of the live stream.
    private static func liveState(_ row: JSONRow) -> FieldValue {
        switch (row.bool("isLive"), row.integer("state.id")) {
        case (false, _): .text("none")
        case (true, 1): .text("live")
        case (true, 4): .text("upcoming")
        case (true, 5): .text("was_live")
        default: .none
        }
    }

    /// The URL in the reply, otherwise the page on the server that hosts the video.
    private static func page(_ row: JSONRow, _ path: String, _ hosts: [JSONPath]) -> String? {
        if let url = row.address("url") { return url }
        guard let id = row.text("shortUUID") ?? row.text("uuid"), let base = base(hosts, row) else { return nil }
        return base + path + Escape.url(id)
    }

    /// `https://` and the first of these hosts. nil unless it is only a host, optionally with a port.
    private static func base(_ hosts: [JSONPath], _ row: JSONRow) -> String? {
        guard let host = hosts.lazy.compactMap({ row.text($0) }).first, let address = WebAddress("https://" + host),
            let name = address.host, !name.isEmpty, address.userInformation == nil, address.path.isEmpty,
            address.query == nil, address.fragment == nil
        else { return nil }
        return Escape.webAddress("https://" + host)
    }

    /// The base URL for picture paths. Known for the server's own videos, which contain its name. nil for videos of
    /// other servers: their pictures are on the server that replied, whose name is unknown.
    private static func base(_ row: JSONRow) -> String? {
        guard let url = row.address("url") else {
            let hosts: [JSONPath] = ["channel.host", "account.host", "videoChannel.host", "ownerAccount.host"]
            return row.bool("isLocal") == false ? nil : base(hosts, row)
        }
        guard row.bool("isLocal") == true, let address = WebAddress(url), let scheme = address.scheme,
            let host = address.host
        else { return nil }
        return "\(scheme)://\(host)" + (address.port.map { ":\($0)" } ?? "")
    }

    private static func thumbnails(_ row: JSONRow) -> FieldValue {
        let base = base(row)
        func address(_ row: JSONRow, _ paths: [JSONPath]) -> String? {
            paths.lazy.compactMap { row.address($0, base: base) }.first
        }
        if let listed = row.row(at: "thumbnails")?.elements {
            let named = Pictures.named(
                listed.map { (address($0, ["fileUrl", "url", "path"]), $0.integer("width"), $0.integer("height")) })
            if !named.isNone { return named }
        }
        var members: [FieldValue.Member] = []
        let known: [(String, [JSONPath])] = [
            ("thumbnail", ["thumbnailUrl", "thumbnailPath"]), ("preview", ["previewUrl", "previewPath"]),
        ]
        for (name, paths) in known {
            if let url = address(row, paths) { members.append(.init(name, .record([.init("url", .text(url))]))) }
        }
        return members.isEmpty ? .none : .record(members)
    }

    private static func avatars(_ row: JSONRow) -> FieldValue {
        Pictures.named(
            (row.row(at: "avatars")?.elements ?? []).map {
                (
                    $0.address("fileUrl") ?? $0.address("url"), $0.integer("width"),
                    $0.integer("height") ?? $0.integer("width")
                )
            })
    }

    /// RFC 7807: `{type, title, status, detail, docs, code}`.
    private static func refusal(_ row: JSONRow) -> FormatError? {
        guard let status = row.integer("status"), (400..<600).contains(status),
            let message = row.text("detail") ?? row.text("title"),
            row.text("docs") ?? row.text("type") ?? row.text("title") != nil
        else { return nil }
        return .refused(
            ServiceRefusal(service: "peertube", code: status, reason: row.text("code"), message: message))
    }
}
