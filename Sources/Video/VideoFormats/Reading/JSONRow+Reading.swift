// Accessors for JSON rows used by the formats. As in records, empty values and values of the wrong type are unknown.

import Basics
import JSON
import Markup
import VideoModel

extension JSONRow {
    /// A text that is not empty.
    package func text(_ path: JSONPath) -> String? {
        guard case .text(let text) = read(path), !text.isEmpty else { return nil }
        return text
    }

    /// A whole number.
    package func integer(_ path: JSONPath) -> Int64? {
        guard case .integer(let whole) = read(path) else { return nil }
        return whole
    }

    package func bool(_ path: JSONPath) -> Bool? {
        guard case .bool(let flag) = read(path) else { return nil }
        return flag
    }

    /// An http or https URL. A path that starts with a slash is appended to `base`.
    package func address(_ path: JSONPath, base: String? = nil) -> String? {
        guard let text = text(path) else { return nil }
        if let base, text.utf8.first == UInt8(ascii: "/"), !text.utf8.starts(with: "//".utf8) { return base + text }
        return Converter.url.value(of: .text(text)).text
    }

    /// The media reference of the URL at a path. nil if it is not one.
    package func mediaRef(_ path: JSONPath) -> MediaRef? { text(path).flatMap { try? MediaRef.parse($0) } }

    /// Whether there is an object with at least one member.
    package func hasMembers(_ path: JSONPath) -> Bool {
        row(at: path).map { $0.kind == .object && !$0.members.isEmpty } ?? false
    }
}

extension MediaRef {
    /// The id in a record. The short ids in PeerTube's URLs become the UUIDs of its API, so that a video has one id.
    package var recordID: String {
        provider == "peertube" && (kind == .video || kind == .playlist) ? Self.peerTubeUUID(id) : id
    }

    /// The kind of record for this reference. nil if it has none.
    package var recordKind: Video.Kind? {
        switch kind {
        case .video: .video
        case .channel, .handle, .user, .custom, .group: .channel
        case .playlist, .showcase: .playlist
        case .event, .ondemand, .review: nil
        }
    }
}

/// Thumbnails of services that list them without names.
package enum Pictures {
    /// `{name = {url, width, height}}`. Pictures without a URL are skipped; `.none` if none is left. The name is the
    /// size, otherwise the position in the list, from 1. If two have the same name, the first is used.
    package static func named(_ pictures: [(url: String?, width: Int64?, height: Int64?)]) -> FieldValue {
        var members: [FieldValue.Member] = []
        var names: Set<String> = []
        for (index, picture) in pictures.enumerated() {
            guard let url = picture.url else { continue }
            var name = "\(index + 1)"
            if let width = picture.width, let height = picture.height { name = "\(width)x\(height)" }
            guard names.insert(name).inserted else { continue }
            members.append(.init(name, value(url, picture.width, picture.height)))
        }
        return members.isEmpty ? .none : .record(members)
    }

    /// A single picture, named `default`.
    package static func one(_ url: String?, width: Int64? = nil, height: Int64? = nil) -> FieldValue {
        guard let url else { return .none }
        return .record([.init("default", value(url, width, height))])
    }

    private static func value(_ url: String, _ width: Int64?, _ height: Int64?) -> FieldValue {
        let size: [FieldValue.Member] = [.init("width", FieldValue(width)), .init("height", FieldValue(height))]
        return .record([.init("url", .text(url))] + size.filter { $0.value.integer.map { $0 > 0 } ?? false })
    }
}

/// Plain text from HTML: tags removed, entities decoded once, white space collapsed.
package enum PlainText {
    package static func of(html: String) -> String { MarkupText.line(MarkupText.plain(html: html)) }
}
