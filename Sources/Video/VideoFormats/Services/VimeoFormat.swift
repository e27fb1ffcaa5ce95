// Vimeo API 3.x replies (https://developer.vimeo.com/api/reference): videos, users, lists, pages of each, and errors.
// There is no id, only `uri`, which ends in `:HASH` for an unlisted video. `fields=` may have removed everything else.

import Basics
import JSON
import VideoModel

enum VimeoFormat {
    static let format = RecordFormat(
        name: "vimeo",
        summary: "Vimeo API replies: videos, users, channels, showcases and other lists, alone and in pages",
        isDocument: isList, parts: { RecordFormat.parts(of: $0, at: "data") },
        // Vimeo's oEmbed replies also have a `uri`.
        mapping: { $0.kind(at: "provider_name") != .nothing ? nil : id($0) != nil ? videos : listMapping($0) },
        refusal: refusal)

    private static let rules: Mapping = [
        "provider": FieldRule(constant: .text("vimeo")),
        "kind": FieldRule(constant: .text("video")),
        "url": FieldRule("link", as: .url),
        "title": FieldRule("name", as: .text),
        "description": FieldRule("description", as: .text),
        "channel": FieldRule(
            "user", nested: ["title": FieldRule("name", as: .text), "url": FieldRule("link", as: .url)]),
        "published": FieldRule("release_time", "created_time", as: .time),
        "duration": FieldRule("duration", as: .duration, unknown: .integer(0)),
        "views": FieldRule("stats.plays", as: .integer),
        "likes": FieldRule("metadata.connections.likes.total", as: .integer),
        "comments": FieldRule("metadata.connections.comments.total", as: .integer),
        "live_state": FieldRule(
            "live.status",
            as: .words([
                "ready": .text("upcoming"), "pending": .text("upcoming"), "streaming": .text("live"),
                "archiving": .text("was_live"), "done": .text("was_live"),
            ]), otherwise: [FieldRule("type", as: .words(["video": .text("none")]))]),
        "starts": FieldRule("live.scheduled_start_time", as: .time),
        "category": FieldRule("categories.0.name", as: .text),
        "language": FieldRule("language", as: .text),
        // All licenses in Vimeo's API are Creative Commons (by, by-nc … cc0).
        "license": FieldRule(
            "license",
            as: .words(
                Dictionary(
                    uniqueKeysWithValues: ["by", "by-nc", "by-nc-nd", "by-nc-sa", "by-nd", "by-sa", "cc0"].map {
                        ($0, .text("creativecommon"))
                    }))),
        "embeddable": FieldRule("privacy.embed", as: .words(["public": .bool(true), "private": .bool(false)])),
        "availability": FieldRule(
            "privacy.view",
            as: .words([
                "anybody": .text("public"), "unlisted": .text("unlisted"),
                // Can be played on other sites only.
                "disable": .text("unlisted"), "nobody": .text("private"), "contacts": .text("private"),
                "users": .text("private"), "password": .text("private"), "ptv": .text("private"),
            ])),
        "raw": FieldRule(""),
    ]

    private static let videos = CompiledMapping(
        rules, checksShapes: true,
        computed: [
            .id: { FieldValue(id($0)) },
            .url: { row in
                // Without the link, the URI tells the hash of an unlisted video.
                guard row.address("link") == nil, let uri = row.text("uri") else { return .none }
                return FieldValue((try? MediaRef.parse("https://vimeo.com" + uri))?.url)
            },
            .channel: channel,
            .tags: { row in
                let names = row.row(at: "tags")?.elements.compactMap { $0.text("name") } ?? []
                return names.isEmpty ? .none : .list(names.map { .text($0) })
            },
            .thumbnails: thumbnails,
        ])

    static func thumbnails(_ row: JSONRow) -> FieldValue {
        let sizes = row.row(at: "pictures.sizes")?.elements ?? []
        return Pictures.named(sizes.map { ($0.address("link"), $0.integer("width"), $0.integer("height")) })
    }

    /// The digits of `/videos/DIGITS`, optionally followed by `:HASH`.
    private static func id(_ row: JSONRow) -> String? { row.text("uri").flatMap { number($0, after: "/videos/") } }

    static func number(_ uri: String, after prefix: String) -> String? {
        guard uri.hasPrefix(prefix) else { return nil }
        let rest = uri.dropFirst(prefix.count)
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        guard !digits.isEmpty, rest.count == digits.count || rest.dropFirst(digits.count).first == ":" else {
            return nil
        }
        return String(digits)
    }

    static func channel(_ row: JSONRow) -> FieldValue {
        row.row(at: "user").map(person) ?? .none
    }

    /// A user as the channel of a record.
    static func person(_ user: JSONRow) -> FieldValue {
        let members: [FieldValue.Member] = [
            .init("id", FieldValue(user.text("uri").flatMap { number($0, after: "/users/") })),
            .init("title", FieldValue(user.text("name"))), .init("url", FieldValue(user.address("link"))),
        ]
        let known = members.filter { !$0.value.isNone }
        return known.isEmpty ? .none : .record(known)
    }

    /// `{total, page, per_page, paging, data}`.
    private static func isList(_ row: JSONRow) -> Bool {
        guard row.kind(at: "data") == .array, let items = row.row(at: "data")?.elements else { return false }
        if items.isEmpty { return row.kind(at: "paging") == .object || row.kind(at: "per_page") == .number }
        return items.contains { id($0) != nil || listMapping($0) != nil }
    }

    /// `{error, link, developer_message, error_code}`, and `invalid_parameters` if there are any.
    private static func refusal(_ row: JSONRow) -> FormatError? {
        guard let message = row.text("error"),
            ["developer_message", "error_code", "invalid_parameters"].contains(where: {
                row.kind(at: JSONPath($0)) != .nothing
            })
        else { return nil }
        return .refused(
            ServiceRefusal(
                service: "vimeo", reason: row.integer("error_code").map(String.init),
                detail: nil, location: row.text("invalid_parameters.0.field"),
                message: row.text("developer_message") ?? message))
    }
}
