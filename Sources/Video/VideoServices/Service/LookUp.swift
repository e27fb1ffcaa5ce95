// What is asked of a service by name instead of by words: videos by their ids, a channel, a playlist, what is in one.

import VideoModel

/// A question whose answer is known by an id or a reference. References are what people have: ids, handles, addresses.
public enum LookUp: Sendable, Equatable {
    /// Videos by id, at most `batch` of them. The answer may be in any order, and lacks those that are not there.
    ///
    /// - `fields`: which fields are wanted, nil for all that the service can tell. Others may be unknown.
    case videos([String], fields: Set<VideoField>?)
    case channel(String)
    case playlist(String)
    /// What a channel published, newest uploads first.
    case uploads(String)
    /// What is in a playlist, in its order.
    case items(String)

    /// Ids that one question may have.
    public static let batch = 50

    /// The kinds of questions; the raw value is the word for it.
    public enum Kind: String, Sendable, CaseIterable {
        case videos, channel, playlist, uploads, items
    }

    public var kind: Kind {
        switch self {
        case .videos: .videos
        case .channel: .channel
        case .playlist: .playlist
        case .uploads: .uploads
        case .items: .items
        }
    }
}

/// Calls that a run would make.
public struct PlannedCalls: Sendable, Equatable {
    /// The service's name for the call, such as `search.list`.
    public var method: String
    /// How many at most.
    public var count: Int
    /// What each costs of its bucket.
    public var units = 1
    /// What they are counted in; nil where nobody counts.
    public var bucket: String?
    /// What is left of it, and the limit; nil where that is not known.
    public var left: Int?
    public var limit: Int?
    /// Answers that are kept, and so cost nothing before they are given.
    public var kept: Int
    /// How many of those are asked for all the same, afterwards.
    public var again = 0
    /// What would be asked, without secrets.
    public var detail: String

    public init(
        method: String, count: Int, bucket: String? = nil, left: Int? = nil, limit: Int? = nil, kept: Int = 0,
        detail: String
    ) {
        self.method = method
        self.count = count
        self.bucket = bucket
        self.left = left
        self.limit = limit
        self.kept = kept
        self.detail = detail
    }
}
