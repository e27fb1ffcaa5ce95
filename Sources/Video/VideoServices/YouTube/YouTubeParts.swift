// Which parts of the service's records hold which fields, so that a request names what is used and nothing else travels
// (https://developers.google.com/youtube/v3/getting-started#partial).

import VideoModel

enum YouTubeParts {
    /// What a search hit tells of a video. Its description is cut short.
    private static let inSearch: Set<VideoField> = [
        .provider, .id, .kind, .url, .title, .channel, .published, .live, .liveState, .thumbnails, .foundIn, .score,
        .raw,
    ]

    /// What looking a video up tells beyond a search hit.
    static let beyondSearch = Set(places.keys).subtracting(inSearch)

    /// Paths below an item of videos.list, by field.
    private static let places: [VideoField: [String]] = [
        .title: ["snippet/title"], .description: ["snippet/description"],
        .channel: ["snippet/channelId", "snippet/channelTitle"], .published: ["snippet/publishedAt"],
        .duration: ["contentDetails/duration"], .views: ["statistics/viewCount"], .likes: ["statistics/likeCount"],
        .comments: ["statistics/commentCount"], .live: live, .liveState: live,
        .starts: ["liveStreamingDetails/actualStartTime", "liveStreamingDetails/scheduledStartTime"],
        .tags: ["snippet/tags"], .category: ["snippet/categoryId"],
        .language: ["snippet/defaultAudioLanguage", "snippet/defaultLanguage"], .license: ["status/license"],
        .definition: ["contentDetails/definition"], .captions: ["contentDetails/caption"],
        .embeddable: ["status/embeddable"],
        .availability: ["status/privacyStatus", "status/uploadStatus", "contentDetails/contentRating/ytRating"],
        .regions: ["contentDetails/regionRestriction"], .thumbnails: ["snippet/thumbnails"],
        .short: ["snippet/thumbnails"], .shortEvidence: ["snippet/thumbnails"],
    ]

    private static let live = [
        "snippet/liveBroadcastContent", "liveStreamingDetails/actualStartTime", "liveStreamingDetails/actualEndTime",
        "liveStreamingDetails/scheduledStartTime",
    ]

    /// Whether videos.batchGetStats tells all of these, which has a quota of its own.
    static func areStatistics(_ fields: Set<VideoField>) -> Bool {
        fields.isSubset(of: [.views, .likes, .comments, .duration, .published])
    }

    /// The values of `part` and `fields` for these fields; nil for everything that can be told.
    static func videos(_ fields: Set<VideoField>?) -> (parts: String, selector: String) {
        let wanted = fields.map { $0.contains(.raw) ? Set(places.keys) : $0 } ?? Set(places.keys)
        let paths = Set(wanted.flatMap { places[$0] ?? [] }).sorted()
        var parts = Set(paths.map { String($0.prefix { $0 != "/" }) }).sorted()
        if parts.isEmpty { parts = ["id"] }
        return (parts.joined(separator: ","), items((["id", "kind"] + grouped(paths)).joined(separator: ",")))
    }

    /// The same for videos.batchGetStats.
    static func statistics(_ fields: Set<VideoField>) -> (parts: String, selector: String) {
        let places: [VideoField: String] = [
            .views: "statistics/viewCount", .likes: "statistics/likeCount", .comments: "statistics/commentCount",
            .duration: "contentDetails/duration", .published: "snippet/publishTime",
        ]
        let paths = fields.compactMap { places[$0] }.sorted()
        let parts = ["id"] + Set(paths.map { String($0.prefix { $0 != "/" }) }).sorted()
        return (parts.joined(separator: ","), items((["id", "kind"] + grouped(paths)).joined(separator: ",")))
    }

    /// `a/b,a/c` as `a(b,c)`.
    private static func grouped(_ paths: [String]) -> [String] {
        var groups: [(part: String, names: [String])] = []
        for path in paths {
            let pieces = path.split(separator: "/", maxSplits: 1).map(String.init)
            if groups.last?.part == pieces[0] {
                groups[groups.count - 1].names.append(pieces[1])
            } else {
                groups.append((pieces[0], [pieces[1]]))
            }
        }
        return groups.map { "\($0.part)(\($0.names.joined(separator: ",")))" }
    }

    private static let envelope = "kind,nextPageToken,pageInfo/totalResults,"
    private static func items(_ inside: String) -> String { "\(envelope)items(\(inside))" }

    static let search = items(
        "id(videoId,channelId,playlistId),"
            + "snippet(publishedAt,channelId,title,description,thumbnails,channelTitle,liveBroadcastContent)")

    static let channel = (
        parts: "id,snippet,statistics,status",
        selector: items(
            "id,kind,snippet(title,description,publishedAt,thumbnails,customUrl,defaultLanguage),"
                + "statistics(viewCount,subscriberCount,videoCount),status/privacyStatus")
    )
    static let playlist = (
        parts: "id,snippet,contentDetails,status",
        selector: items(
            "id,kind,snippet(title,description,publishedAt,thumbnails,channelId,channelTitle,defaultLanguage),"
                + "contentDetails/itemCount,status/privacyStatus")
    )
    static let playlistItems = (
        parts: "snippet,contentDetails,status",
        selector: items(
            "id,kind,snippet(publishedAt,title,description,thumbnails,position,resourceId/videoId,"
                + "videoOwnerChannelId,videoOwnerChannelTitle),"
                + "contentDetails(videoId,videoPublishedAt),status/privacyStatus")
    )
}
