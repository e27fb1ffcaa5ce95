// Replies of oEmbed providers (https://oembed.com), of any service. What is easily got wrong: they have no id and no
// address of the page, so both are read from the player that `html` frames, or from what a service adds.

import VideoModel

enum OEmbedFormat {
    static let format = RecordFormat(name: "oembed", summary: "oEmbed replies", mapping: mapping)

    private static let rules: Mapping = [
        "title": FieldRule("title", as: .text),
        "description": FieldRule("description", as: .text),
        "channel": FieldRule(
            nested: ["title": FieldRule("author_name", as: .text), "url": FieldRule("author_url", as: .url)]),
        "published": FieldRule("upload_date", as: .time),
        "duration": FieldRule("duration", as: .duration, unknown: .integer(0)),
        "raw": FieldRule(""),
    ]

    private static let records = CompiledMapping(
        rules, checksShapes: true,
        computed: [
            .provider: { row in
                FieldValue(ref(row)?.provider ?? row.text("provider_name").map { $0.lowercased() })
            },
            .id: { row in
                if let ref = ref(row) { return .text(ref.id) }
                return FieldValue(row.integer("video_id").map { String($0) } ?? row.text("video_id"))
            },
            .url: { row in FieldValue(ref(row)?.url ?? row.address("url")) },
            .kind: { row in
                if let kind = ref(row)?.recordKind { return .text(kind.rawValue) }
                return .text((row.text("type") == "video" ? Video.Kind.video : .page).rawValue)
            },
            .thumbnails: { row in
                Pictures.one(
                    row.address("thumbnail_url"), width: row.integer("thumbnail_width"),
                    height: row.integer("thumbnail_height"))
            },
        ])

    /// `type` and `version` are required; a version is text, and some write a number.
    private static func mapping(_ row: JSONRow) -> CompiledMapping? {
        guard let type = row.text("type"), ["photo", "video", "link", "rich"].contains(type) else { return nil }
        let version: String? =
            switch row.read("version") {
            case .text(let text): text
            case .number(let number): number == 1 ? "1.0" : nil
            case .integer(1): "1.0"
            default: nil
            }
        guard let version, version.hasPrefix("1") else { return nil }
        let members: [JSONPath] = ["provider_name", "html", "url", "author_name", "thumbnail_url"]
        return members.contains { row.kind(at: $0) == .text } ? records : nil
    }

    /// What the framed player plays.
    private static func ref(_ row: JSONRow) -> MediaRef? {
        if let html = row.text("html"), let source = source(html), let ref = try? MediaRef.parse(source) { return ref }
        return row.mediaRef("url")
    }

    /// The first `src` attribute.
    private static func source(_ html: String) -> String? {
        let bytes = Array(html.utf8)
        for (name, quote) in [("src=\"", UInt8(ascii: "\"")), ("src='", UInt8(ascii: "'"))] {
            let name = Array(name.utf8)
            guard bytes.count > name.count else { continue }
            for start in 0..<bytes.count - name.count where bytes[start..<start + name.count].elementsEqual(name) {
                let rest = bytes[(start + name.count)...]
                guard let end = rest.firstIndex(of: quote) else { continue }
                return HTMLEntities.unescape(String(decoding: rest[..<end], as: UTF8.self))
            }
        }
        return nil
    }
}
