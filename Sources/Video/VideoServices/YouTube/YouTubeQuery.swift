// A search as parameters of search.list (https://developers.google.com/youtube/v3/docs/search/list), and the rules that
// cross them: what the service would answer with an error is refused here, before it costs a call.

import Basics

/// A checked search.
struct YouTubeQuery {
    /// Names and values, in a fixed order, so that the same search has the same address. Without `channelId` where
    /// `channel` must be looked up first.
    private(set) var parameters: [(name: String, value: String)] = []
    /// The reference of the channel it is confined to, as it was given.
    private(set) var channel: String?
    /// The words as they are sent; nil where none of them has a meaning of its own.
    private(set) var asked: String?

    static let honoured = Set(SearchOption.allCases)

    private static let service = YouTubeService.name

    /// What is only known of videos: the service refuses these for other kinds of results.
    private static let forVideos: [SearchOption] = [
        .duration, .event, .captions, .definition, .license, .embeddable, .syndicated, .sponsored, .dimension, .form,
        .category, .location, .radius,
    ]
    /// What narrows a search so much that it needs no words.
    private static let enough: [SearchOption] = [.channel, .topic, .category, .event, .location]

    init(_ query: SearchQuery) throws(ServiceError) {
        let options = query.options.filter { $0.value != .bool(false) }
        let type = options[.type]?.text ?? (options[.shows] == nil ? "video" : "channel")
        try Self.check(options, type: type)

        let isLiteral = options[.literal] != nil
        let words = isLiteral ? Self.literal(query.words) : query.words
        if words.allSatisfy(\.isWhitespace) {
            guard Self.enough.contains(where: { options[$0] != nil }) else { throw .emptyQuery(service: Self.service) }
        } else {
            add("q", words)
        }
        if isLiteral ? words != query.words : Self.hasOperators(words) { asked = words }

        add("type", type == "all" ? "video,channel,playlist" : type)
        for (option, name, values) in Self.words {
            if let text = options[option]?.text { add(name, values[text] ?? text) }
        }
        for (option, name, value) in Self.flags where options[option] != nil { add(name, value) }
        if let region = options[.region]?.text { add("regionCode", region.uppercased()) }
        for (option, name) in [(SearchOption.after, "publishedAfter"), (.before, "publishedBefore")] {
            if let time = options[option]?.integer { add(name, Timestamp.format(time, as: .rfc3339)) }
        }
        for (option, name) in [
            (SearchOption.language, "relevanceLanguage"), (.category, "videoCategoryId"), (.topic, "topicId"),
            (.location, "location"), (.radius, "locationRadius"),
        ] {
            if let text = options[option]?.text { add(name, text.filter { !$0.isWhitespace }) }
        }
        channel = options[.channel]?.text
    }

    private mutating func add(_ name: String, _ value: String) { parameters.append((name, value)) }

    /// Options that are a word, the parameter, and values that have another word there.
    private static let words: [(SearchOption, String, [String: String])] = [
        (.order, "order", ["views": "viewCount", "videos": "videoCount"]),
        (.duration, "videoDuration", [:]),
        (.safe, "safeSearch", [:]),
        (.event, "eventType", [:]),
        (.captions, "videoCaption", ["yes": "closedCaption", "no": "none"]),
        (.definition, "videoDefinition", [:]),
        (.dimension, "videoDimension", [:]),
        (.license, "videoLicense", ["creativecommon": "creativeCommon"]),
        (.form, "videoType", [:]),
    ]

    private static let flags: [(SearchOption, String, String)] = [
        (.embeddable, "videoEmbeddable", "true"), (.syndicated, "videoSyndicated", "true"),
        (.sponsored, "videoPaidProductPlacement", "true"), (.shows, "channelType", "show"),
    ]

    // MARK: Rules

    private static func check(_ options: [SearchOption: FieldValue], type: String) throws(ServiceError) {
        for option in forVideos where options[option] != nil && type != "video" {
            throw .optionForType(service: service, option: option, type: "video", asked: type)
        }
        if options[.shows] != nil, type != "channel" {
            throw .optionForType(service: service, option: .shows, type: "channel", asked: type)
        }
        for (one, other) in [(SearchOption.location, SearchOption.radius), (.radius, .location)]
        where options[one] != nil && options[other] == nil {
            throw .optionAlone(service: service, option: one, without: other)
        }
        if let after = options[.after]?.integer, let before = options[.before]?.integer, after >= before {
            throw bad(.before, Timestamp.format(before, as: .rfc3339), "a time later than --after")
        }
        for (option, expected, fits) in forms {
            if let text = options[option]?.text, !fits(text) { throw bad(option, text, expected) }
        }
    }

    private static func bad(_ option: SearchOption, _ value: String, _ expected: String) -> ServiceError {
        .badOption(service: service, option: option, value: value, expected: expected)
    }

    private static let forms: [(SearchOption, String, @Sendable (String) -> Bool)] = [
        (
            .region, "two letters such as DE (ISO 3166-1 alpha-2)",
            { $0.utf8.count == 2 && $0.utf8.allSatisfy(isLetter) }
        ),
        (.language, "a language such as de, or zh-Hans or zh-Hant", isLanguage),
        (.category, "a category's number, such as 27 for education", { !$0.isEmpty && $0.utf8.allSatisfy(isDigit) }),
        (.topic, "a topic's id, such as /m/04rlf for music", { $0.utf8.count > 3 && $0.hasPrefix("/") }),
        (.location, "LATITUDE,LONGITUDE in degrees, such as 52.52,13.40", isLocation),
        (.radius, "a number with m, km, ft or mi, at most 1000km", isRadius),
    ]

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func isLanguage(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        return (1...3).contains(parts.count) && (2...3).contains(parts[0].utf8.count)
            && parts.allSatisfy {
                (2...8).contains($0.utf8.count) && $0.utf8.allSatisfy { isLetter($0) || isDigit($0) }
            } && parts[0].utf8.allSatisfy(isLetter)
    }

    private static func isLocation(_ text: String) -> Bool {
        let parts = text.filter { !$0.isWhitespace }.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ isNumber($0) }), let latitude = Double(parts[0]),
            let longitude = Double(parts[1])
        else { return false }
        return abs(latitude) <= 90 && abs(longitude) <= 180
    }

    private static func isRadius(_ text: String) -> Bool {
        let units: [(String, Double)] = [("km", 1000), ("mi", 1609.344), ("ft", 0.3048), ("m", 1)]
        let text = text.filter { !$0.isWhitespace }
        guard let (unit, metres) = units.first(where: { text.hasSuffix($0.0) }),
            case let digits = text.dropLast(unit.count), isNumber(digits), let number = Double(digits)
        else { return false }
        return number > 0 && number * metres <= 1_000_000
    }

    /// Digits with a sign and a point: none of the other forms that Swift reads.
    private static func isNumber(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { isDigit($0) || "+-.".utf8.contains($0) }
    }

    // MARK: Words

    /// Whether the service takes a part of the words for something else than a word to look for.
    private static func hasOperators(_ words: String) -> Bool {
        words.contains("|") || words.contains("\"")
            || words.split(whereSeparator: \.isWhitespace).contains { $0.count > 1 && $0.first == "-" }
    }

    /// The words without what would be an operator. Signs are not looked for, so nothing is lost.
    private static func literal(_ words: String) -> String {
        words.split { $0.isWhitespace || $0 == "|" || $0 == "\"" }.map { $0.drop { $0 == "-" } }.filter { !$0.isEmpty }
            .joined(separator: " ")
    }
}
