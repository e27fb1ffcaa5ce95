// A still picture of a video, in one size. Sizes are what the service said; a service may not say.

import Basics

/// One size of a video's picture.
public struct Thumbnail: Sendable, Equatable {
    /// The service's word for the size: default, medium, high, standard, maxres …
    public var name: String
    public var url: String
    /// Pixels; nil when the service does not say.
    public var width: Int64?
    public var height: Int64?

    public init(name: String, url: String, width: Int64? = nil, height: Int64? = nil) {
        self.name = name
        self.url = url
        self.width = width
        self.height = height
    }

    /// Reads `{name = {url, width, height}}`; entries without an address are left out.
    static func list(_ value: FieldValue) -> [Thumbnail] {
        (value.members ?? []).compactMap { member in
            guard let url = member.value["url"].text else { return nil }
            return Thumbnail(
                name: member.name, url: url, width: member.value["width"].integer,
                height: member.value["height"].integer)
        }
    }
}
