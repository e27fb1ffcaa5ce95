// Which member of a reply holds which field, so that `fields` names what is used: replies are a tenth of their size, and
// Vimeo allows more calls that name it (https://developer.vimeo.com/guidelines/rate-limiting).

import VideoModel

enum VimeoParts {
    /// Always asked for: what a record is, where it is, and who may see it.
    private static let always = ["uri", "name", "link", "privacy.view"]

    private static func members(_ field: VideoField) -> [String] {
        switch field {
        case .description: ["description"]
        case .channel: ["user.uri", "user.name", "user.link"]
        case .published: ["release_time", "created_time"]
        case .duration: ["duration"]
        case .views: ["stats.plays"]
        case .likes: ["metadata.connections.likes.total"]
        case .comments: ["metadata.connections.comments.total"]
        case .live, .liveState, .starts: ["type", "live.status", "live.scheduled_start_time"]
        case .tags: ["tags.name"]
        case .category: ["categories.name"]
        case .language: ["language"]
        case .license: ["license"]
        case .embeddable: ["privacy.embed"]
        case .thumbnails: ["pictures.sizes"]
        default: []
        }
    }

    /// The value of `fields` for videos; nil to be told everything.
    ///
    /// - Parameter fields: what is wanted; nil for all that a record can have.
    static func videos(_ fields: Set<VideoField>? = nil) -> String? {
        if let fields, fields.contains(.raw) { return nil }
        var names = always
        for field in VideoField.allCases where fields?.contains(field) ?? true {
            for name in members(field) where !names.contains(name) { names.append(name) }
        }
        return names.joined(separator: ",")
    }

    /// All that a record can have.
    static let all = videos(Set(VideoField.allCases).subtracting([.raw])) ?? ""

    static let users =
        "uri,name,link,bio,created_time,pictures.sizes,metadata.connections.followers.total,"
        + "metadata.connections.videos.total"

    static let lists =
        "uri,name,link,description,created_time,privacy.view,pictures.sizes,user.uri,user.name,user.link,"
        + "metadata.connections.users.total,metadata.connections.videos.total"
}
