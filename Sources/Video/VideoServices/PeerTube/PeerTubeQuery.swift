// A search as parameters of PeerTube's API. What is easily got wrong: Sepia Search takes the same names, sorts in fewer
// ways, and wants arrays named with brackets.

import Basics

/// A checked search.
struct PeerTubeQuery {
    /// `videos`, `video-channels` or `video-playlists`.
    let resource: String
    /// Names and values, in a fixed order.
    private(set) var parameters: [(name: String, value: String)] = []

    static let honoured: Set<SearchOption> = [
        .order, .type, .after, .before, .duration, .language, .safe, .event, .license, .category, .literal,
    ]

    static func values(ofIndex isIndex: Bool) -> [SearchOption: [String]] {
        [
            .order: isIndex ? ["relevance", "date", "views"] : ["relevance", "date", "views", "rating", "title"],
            .type: ["video", "channel", "playlist"],
            // A server leaves out what its administrator says unless it is told to.
            .safe: isIndex ? ["none", "moderate", "strict"] : ["moderate", "strict"],
            .event: ["live"], .license: ["creativecommon"],
        ]
    }

    private static let resources = ["channel": "video-channels", "playlist": "video-playlists"]
    private static let sorts = ["date": "-publishedAt", "views": "-views", "rating": "-likes", "title": "name"]
    /// 1 to 6 are Creative Commons licences, 7 its public domain dedication.
    private static let commonLicences = 1...7

    init(_ query: SearchQuery, ofIndex isIndex: Bool) throws(ServiceError) {
        let options = query.options.filter { $0.value != .bool(false) }
        let service = PeerTubeService.name
        let type = options[.type]?.text ?? "video"
        resource = Self.resources[type] ?? "videos"
        guard query.words.contains(where: { !$0.isWhitespace }) else { throw .emptyQuery(service: service) }
        for option in SearchOption.allCases
        where options[option] != nil && type != "video" && option != .type && option != .literal {
            throw .optionForType(service: service, option: option, type: "video", asked: type)
        }
        add("search", query.words)
        if let sort = options[.order]?.text.flatMap({ Self.sorts[$0] }) { add("sort", sort) }
        if let after = options[.after]?.integer { add("startDate", Timestamp.format(after, as: .rfc3339)) }
        if let before = options[.before]?.integer { add("endDate", Timestamp.format(before, as: .rfc3339)) }
        if let after = options[.after]?.integer, let before = options[.before]?.integer, after >= before {
            throw .badOption(
                service: service, option: .before, value: Timestamp.format(before, as: .rfc3339),
                expected: "a time later than --after")
        }
        switch options[.duration]?.text {
        case "short": add("durationMax", "239")
        case "medium":
            add("durationMin", "240")
            add("durationMax", "1200")
        case "long": add("durationMin", "1201")
        default: break
        }
        let list = isIndex ? "[]" : ""
        if let language = options[.language]?.text {
            guard (2...35).contains(language.utf8.count), language.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
                throw .badOption(
                    service: service, option: .language, value: language, expected: "a language such as de or zh-Hans")
            }
            add("languageOneOf" + list, language)
        }
        if let category = options[.category]?.text {
            guard Int(category).map({ $0 > 0 }) == true else {
                throw .badOption(
                    service: service, option: .category, value: category,
                    expected: "a category's number, such as 13 for education")
            }
            add("categoryOneOf" + list, category)
        }
        if options[.license] != nil { for id in Self.commonLicences { add("licenceOneOf" + list, "\(id)") } }
        if options[.event] != nil { add("isLive", "true") }
        switch options[.safe]?.text {
        case "none": add("nsfw", "both")
        case .some: add("nsfw", "false")
        case nil: break
        }
    }

    private mutating func add(_ name: String, _ value: String) { parameters.append((name, value)) }
}
