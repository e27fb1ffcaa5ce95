// Channels and playlists as parts of records. All fields may be unknown.

import Basics

/// A channel, user or account that publishes videos. nil fields are unknown.
public struct Channel: Sendable, Equatable {
    public var id: String?
    public var title: String?
    public var url: String?

    public init(id: String? = nil, title: String? = nil, url: String? = nil) {
        self.id = id
        self.title = title
        self.url = url
    }

    /// Reads a `{id, title, url}` record. A missing URL is derived from provider and id.
    init(_ value: FieldValue, provider: String?) {
        id = value["id"].text
        title = value["title"].text
        url = value["url"].text
        if url == nil, let provider, let id {
            url = MediaRef.canonicalURL(provider: provider, kind: .channel, id: id)
        }
    }

    /// The known fields as a record.
    public var value: FieldValue {
        let members: [FieldValue.Member] = [
            .init("id", .init(id)), .init("title", .init(title)), .init("url", .init(url)),
        ]
        return .record(members.filter { !$0.value.isNone })
    }
}

/// A playlist of a service. nil fields are unknown.
public struct Playlist: Sendable, Equatable {
    public var id: String?
    public var title: String?
    public var url: String?
    public var channel: Channel
    /// The number of videos as reported by the service.
    public var count: Int64?

    public init(
        id: String? = nil, title: String? = nil, url: String? = nil, channel: Channel = Channel(), count: Int64? = nil
    ) {
        self.id = id
        self.title = title
        self.url = url
        self.channel = channel
        self.count = count
    }
}
