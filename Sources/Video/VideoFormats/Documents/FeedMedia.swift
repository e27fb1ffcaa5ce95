// The media files of a feed entry: RSS enclosures, Atom enclosure links, Media RSS contents, and alternate enclosures
// of the podcast namespace. Elements with the same URL are merged into one file.

import Basics
import Markup

/// A media file of an entry.
struct FeedMedia {
    let url: String
    var type: String?
    var medium: String?
    /// In bytes.
    var length: Int64?
    var seconds: Int64?
    var width: String?
    var height: String?

    var isVideo: Bool { type.map(MediaType.isVideo) ?? false || !isTold && medium == "video" }
    /// Whether it is video or audio.
    var isPlayable: Bool { isVideo || type.map(MediaType.isAudio) ?? false || !isTold && medium == "audio" }
    var isPicture: Bool { type.map(MediaType.isPicture) ?? false || !isTold && medium == "image" }

    /// Whether the type says what the file is. Otherwise its `medium` counts.
    private var isTold: Bool { type.map(MediaType.tells) ?? false }

    /// In seconds. nil if unknown; some feeds write 0 for that.
    var duration: Int64? { isPicture ? nil : seconds.flatMap { $0 > 0 ? $0 : nil } }

    var value: FieldValue {
        .record(
            [
                FieldValue.Member("url", .text(url)), .init("type", FieldValue(type)),
                .init("medium", isPlayable && !isTold ? FieldValue(medium) : .none),
                .init("length", FieldValue(length.flatMap { $0 > 0 ? $0 : nil })),
                .init("duration", FieldValue(duration)), .init("width", FieldValue(FeedText.count(width))),
                .init("height", FieldValue(FeedText.count(height))),
            ].filter { !$0.value.isNone })
    }

    /// The maximum number of files per entry.
    static let most = 100

    static func all(in entry: MarkupElement, holders: [MarkupElement], base: String?) -> [FeedMedia] {
        var files: [FeedMedia] = []
        func add(_ element: MarkupElement, _ address: String?, _ length: String?) {
            guard let url = FeedText.address(address, in: element, base: base) else { return }
            var file = FeedMedia(url: url)
            file.type = MediaType.ofFile(element.attribute("type"), at: url)
            file.medium = element.attribute("medium").map { MarkupText.line($0).lowercased() }
            file.length = FeedText.count(length)
            file.seconds = element.attribute("duration").flatMap(VideoDuration.parse)
            file.width = element.attribute("width")
            file.height = element.attribute("height")
            guard let known = files.firstIndex(where: { $0.url == url }) else {
                if files.count < most { files.append(file) }
                return
            }
            files[known].type = files[known].type ?? file.type
            files[known].medium = files[known].medium ?? file.medium
            files[known].length = files[known].length ?? file.length
            files[known].seconds = files[known].seconds ?? file.seconds
            files[known].width = files[known].width ?? file.width
            files[known].height = files[known].height ?? file.height
        }
        for child in entry.children {
            if child.isNamed(.core, "enclosure") {
                add(child, child.attribute("url"), child.attribute("length"))
            } else if child.isNamed(.core, "link"), FeedText.relation(child) == "enclosure" {
                add(child, child.attribute("href"), child.attribute("length"))
            } else if child.isNamed(.podcast, "alternateenclosure") {
                for source in child.children(.podcast, "source") {
                    add(child, source.attribute("uri"), child.attribute("length"))
                }
            }
        }
        for content in holders.flatMap({ $0.children(.media, "content") }) {
            add(content, content.attribute("url"), content.attribute("fileSize"))
        }
        return files
    }
}

/// Thumbnails without duplicate URLs.
struct ThumbnailList {
    private var pictures: [(url: String?, width: Int64?, height: Int64?)] = []
    private var seen: Set<String> = []

    mutating func add(_ url: String?, width: String? = nil, height: String? = nil) {
        guard let url, pictures.count < 100, seen.insert(url).inserted else { return }
        pictures.append((url, FeedText.count(width), FeedText.count(height)))
    }

    var value: FieldValue {
        pictures.count == 1
            ? Pictures.one(pictures[0].url, width: pictures[0].width, height: pictures[0].height)
            : Pictures.named(pictures)
    }
}
