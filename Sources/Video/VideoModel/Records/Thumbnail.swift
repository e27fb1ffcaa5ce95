// Thumbnails of a video. Sizes come from the service and may be missing.

import Basics

/// One size of a video's thumbnail.
public struct Thumbnail: Sendable, Equatable {
    /// The service's name of the size: default, medium, high, standard, maxres …
    public var name: String
    public var url: String
    /// In pixels. nil if the service does not report it.
    public var width: Int64?
    public var height: Int64?

    public init(name: String, url: String, width: Int64? = nil, height: Int64? = nil) {
        self.name = name
        self.url = url
        self.width = width
        self.height = height
    }

    /// Reads `{name = {url, width, height}}`. Entries without a URL are skipped.
    static func list(_ value: FieldValue) -> [Thumbnail] {
        (value.members ?? []).compactMap { member in
            guard let url = member.value["url"].text else { return nil }
            return Thumbnail(
                name: member.name, url: url, width: member.value["width"].integer,
                height: member.value["height"].integer)
        }
    }
}
