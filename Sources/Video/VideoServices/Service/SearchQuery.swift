// What a search asks for: words, and options with one meaning at every service. The list of options below is the only
// one; flags, the Lua API, the check of values and the table of `ythost sources` all come from it.

import Basics

/// A question to a video service.
public struct SearchQuery: Sendable, Equatable {
    public var words: String
    /// Checked values; an option that is absent was not asked for. Times are epoch seconds, distances metres.
    public var options: [SearchOption: FieldValue]

    public init(words: String, options: [SearchOption: FieldValue] = [:]) {
        self.words = words
        self.options = options
    }
}

/// A search option; its raw value is its name in Lua and, after `--`, on the command line.
public enum SearchOption: String, CaseIterable, Sendable {
    case order, type, after, before, duration, channel, region, language, safe, event, captions, definition, license
    case embeddable, syndicated, sponsored, dimension, form, shows, category, topic, location, radius, literal

    /// The values an option takes.
    public enum Shape: Sendable, Equatable {
        case text
        case flag
        /// A date, a date and time, or an age such as `7d`; kept as epoch seconds.
        case time
        case choice([String])
    }

    public var shape: Shape {
        switch self {
        case .order: .choice(["relevance", "date", "views", "rating", "title", "videos"])
        case .type: .choice(["video", "channel", "playlist", "all"])
        case .after, .before: .time
        case .duration: .choice(["short", "medium", "long"])
        case .safe: .choice(["none", "moderate", "strict"])
        case .event: .choice(["live", "upcoming", "completed"])
        case .captions: .choice(["yes", "no"])
        case .definition: .choice(["high", "standard"])
        case .license: .choice(["youtube", "creativecommon"])
        case .dimension: .choice(["2d", "3d"])
        case .form: .choice(["movie", "episode"])
        case .embeddable, .syndicated, .sponsored, .shows, .literal: .flag
        case .channel, .region, .language, .category, .topic, .location, .radius: .text
        }
    }

    /// One line for help and the reference page.
    public var summary: String {
        switch self {
        case .order: "how to sort the results"
        case .type: "the kind of results"
        case .after: "published at or after this time"
        case .before: "published before this time"
        case .duration: "short is under 4 minutes, medium 4 to 20, long over 20"
        case .channel: "only results from this channel"
        case .region: "as available in this country: ISO 3166-1 alpha-2 code or name"
        case .language: "prefer this language, BCP 47"
        case .safe: "how strictly to filter content for a younger audience"
        case .event: "only broadcasts in this state"
        case .captions: "with or without captions"
        case .definition: "picture quality"
        case .license: "terms of use"
        case .embeddable: "only videos that can be embedded"
        case .syndicated: "only videos that play outside the service's own site"
        case .sponsored: "only videos declared as paid promotion"
        case .dimension: "flat or stereoscopic"
        case .form: "only films, or only episodes of shows"
        case .shows: "only channels that are shows"
        case .category: "only this category, by number or name"
        case .topic: "only this topic"
        case .location: "filmed near LATITUDE,LONGITUDE"
        case .radius: "distance from --location, such as 10km"
        case .literal: "search for the words literally, without operators"
        }
    }
}
