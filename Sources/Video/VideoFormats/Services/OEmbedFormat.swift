// oEmbed replies (https://oembed.com) of any service. They have neither an id nor the page's URL, so both are read from
// the player in `html`, or from extensions of the service.

import Basics
import JSON
import VideoModel

enum OEmbedFormat {
    static let format = RecordFormat(
        name: "oembed", summary: "oEmbed replies",
        mapping: { row in
            let members: [JSONPath] = ["provider_name", "html", "url", "author_name", "thumbnail_url"]
            return isReply(row) && members.contains { row.kind(at: $0) == .text } ? records : nil
        })

    /// For input known to be oEmbed: only type and version are required (2.3.4).
    static let named = RecordFormat(
        name: format.name, summary: format.summary, mapping: { isReply($0) ? records : nil })

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
                if let ref = ref(row) { return .text(ref.recordID) }
                return FieldValue(row.integer("video_id").map { String($0) } ?? row.text("video_id"))
            },
            .url: { row in FieldValue(ref(row)?.url ?? page(row)) },
            .kind: { row in
                if let kind = ref(row)?.recordKind { return .text(kind.rawValue) }
                return .text((row.text("type") == "video" ? Video.Kind.video : .page).rawValue)
            },
            .thumbnails: thumbnails,
        ])

    /// Checks `type` and `version`, which are required. The version should be text, but some services write a number.
    private static func isReply(_ row: JSONRow) -> Bool {
        guard let type = row.text("type"), ["photo", "video", "link", "rich"].contains(type) else { return false }
        let version: String? =
            switch row.read("version") {
            case .text(let text): text
            case .number(let number): number == 1 ? "1.0" : nil
            case .integer(1): "1.0"
            default: nil
            }
        return version?.hasPrefix("1") == true
    }

    /// The URL of the page. For a photo, `url` is the image; the page is in the extension `web_page` or in the link of
    /// `html`.
    private static func page(_ row: JSONRow) -> String? {
        guard row.text("type") == "photo" else { return row.address("url") }
        if let page = row.address("web_page") { return page }
        return Converter.url.value(of: row.text("html").flatMap { attribute("href", $0) }.map { .text($0) } ?? .nothing)
            .text
    }

    /// The photo, then its thumbnail. Some services write sizes as text.
    private static func thumbnails(_ row: JSONRow) -> FieldValue {
        func size(_ path: JSONPath) -> Int64? { Converter.integer.value(of: row.read(path)).integer }
        let small = row.address("thumbnail_url")
        let smallSize = (width: size("thumbnail_width"), height: size("thumbnail_height"))
        guard row.text("type") == "photo", let photo = row.address("url") else {
            return Pictures.one(small, width: smallSize.width, height: smallSize.height)
        }
        return Pictures.named([
            (photo, size("width"), size("height")),
            (small == photo ? nil : small, smallSize.width, smallSize.height),
        ])
    }

    /// The reference of the embedded player, otherwise of Vimeo's `uri` (`/videos/ID:HASH`), otherwise of `url`.
    private static func ref(_ row: JSONRow) -> MediaRef? {
        if let html = row.text("html"), let source = attribute("src", html), let ref = try? MediaRef.parse(source) {
            return ref
        }
        if row.text("provider_name") == "Vimeo", let uri = row.text("uri"), uri.hasPrefix("/"),
            let ref = try? MediaRef.parse("https://vimeo.com" + uri)
        {
            return ref
        }
        return row.mediaRef("url")
    }

    /// The value of the first attribute of a name.
    private static func attribute(_ name: String, _ html: String) -> String? {
        let bytes = Array(html.utf8)
        for quote in [UInt8(ascii: "\""), UInt8(ascii: "'")] {
            let name = Array("\(name)=".utf8) + [quote]
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
