// What the formats' own code looks up in a row. Like fields of a record, what is empty or of the wrong kind is unknown.

import Basics
import JSON
import Markup
import VideoModel

extension JSONRow {
    /// Text that is not empty.
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

    /// An http or https address, taken as relative to `base` when it begins with a slash.
    package func address(_ path: JSONPath, base: String? = nil) -> String? {
        guard let text = text(path) else { return nil }
        if let base, text.utf8.first == UInt8(ascii: "/"), !text.utf8.starts(with: "//".utf8) { return base + text }
        return Converter.url.value(of: .text(text)).text
    }

    /// What the address at a path names at a video service.
    package func mediaRef(_ path: JSONPath) -> MediaRef? { text(path).flatMap { try? MediaRef.parse($0) } }

    /// Whether there is an object with anything in it.
    package func hasMembers(_ path: JSONPath) -> Bool {
        row(at: path).map { $0.kind == .object && !$0.members.isEmpty } ?? false
    }
}

extension MediaRef {
    /// The kind of record that this names; nil for what is none.
    package var recordKind: Video.Kind? {
        switch kind {
        case .video: .video
        case .channel, .handle, .user, .custom, .group: .channel
        case .playlist, .showcase: .playlist
        case .event, .ondemand, .review: nil
        }
    }
}

/// Thumbnails of services that list pictures instead of naming them.
package enum Pictures {
    /// `{name = {url, width, height}}`; `.none` without an address. A picture is named by its size, else by its
    /// place in the list, from 1; of two with one name the first counts.
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

    /// The only picture there is.
    package static func one(_ url: String?, width: Int64? = nil, height: Int64? = nil) -> FieldValue {
        guard let url else { return .none }
        return .record([.init("default", value(url, width, height))])
    }

    private static func value(_ url: String, _ width: Int64?, _ height: Int64?) -> FieldValue {
        let size: [FieldValue.Member] = [.init("width", FieldValue(width)), .init("height", FieldValue(height))]
        return .record([.init("url", .text(url))] + size.filter { $0.value.integer.map { $0 > 0 } ?? false })
    }
}

/// Plain text of HTML: what stands between tags, entities decoded once, blanks as one space.
package enum PlainText {
    package static func of(html: String) -> String { MarkupText.line(MarkupText.plain(html: html)) }
}
