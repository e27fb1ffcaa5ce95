// A search as a path and parameters of Vimeo's API. What is easily got wrong: only /videos sorts by relevance and filters
// by licence; within a user or a category there are other filters, so some options exclude each other.

import Basics

/// A checked search.
struct VimeoQuery {
    /// Steps below the API's address.
    private(set) var path = ["videos"]
    /// Names and values, in a fixed order.
    private(set) var parameters: [(name: String, value: String)] = []
    /// The value of `fields`.
    private(set) var fields = VimeoParts.videos()
    /// Whose videos, or which list, it is confined to.
    private(set) var place: VimeoReference?

    /// Whether only the account itself may see what it is confined to.
    var isPrivate: Bool { place?.isPrivate ?? false }

    static var honoured: Set<SearchOption> { [.order, .type, .channel, .license, .embeddable, .category, .literal] }

    static var values: [SearchOption: [String]] {
        [
            .order: ["relevance", "date", "views", "rating", "title"], .type: ["video", "channel", "playlist"],
            .license: ["creativecommon"],
        ]
    }

    private static let service = VimeoService.name

    init(_ query: SearchQuery) throws(ServiceError) {
        let options = query.options.filter { $0.value != .bool(false) }
        let type = options[.type]?.text ?? "video"
        let hasWords = query.words.contains { !$0.isWhitespace }
        if hasWords { add("query", query.words) }
        let order = options[.order]?.text
        if type != "video" {
            for option in SearchOption.allCases
            where options[option] != nil && ![.type, .order, .literal].contains(option) {
                throw .optionForType(service: Self.service, option: option, type: "video", asked: type)
            }
            path = [type == "channel" ? "users" : "channels"]
            fields = type == "channel" ? VimeoParts.users : VimeoParts.lists
            guard hasWords else { throw .emptyQuery(service: Self.service) }
            try sort(order ?? "relevance", among: ["relevance", "date", "title"])
            return
        }
        for (option, other) in [
            (SearchOption.channel, SearchOption.category), (.license, .channel), (.license, .category),
        ]
        where options[option] != nil && options[other] != nil {
            throw .optionsExclude(service: Self.service, option, other)
        }
        let isWithin = options[.channel] != nil || options[.category] != nil
        guard hasWords || isWithin else { throw .emptyQuery(service: Self.service) }
        if let text = options[.channel]?.text {
            let reference = try VimeoReference.channel(text, for: .uploads)
            place = reference
            path = reference.videos
        } else if let category = options[.category]?.text {
            path = ["categories", try Self.category(category), "videos"]
        }
        if isWithin {
            if let order { try sort(order, among: ["date", "views", "rating", "title"]) }
        } else {
            try sort(order ?? "relevance", among: Self.values[.order] ?? [])
        }
        if options[.license] != nil { add("filter", "CC") }
        if options[.embeddable] != nil {
            guard options[.channel] != nil else {
                throw .optionAlone(service: Self.service, option: .embeddable, without: .channel)
            }
            add("filter", "embeddable")
            add("filter_embeddable", "true")
        }
    }

    private static func sorting(_ order: String) -> (sort: String, direction: String?) {
        switch order {
        case "date": ("date", "desc")
        case "views": ("plays", "desc")
        case "rating": ("likes", "desc")
        case "title": ("alphabetical", "asc")
        default: ("relevant", nil)
        }
    }

    private mutating func sort(_ order: String, among possible: [String]) throws(ServiceError) {
        guard possible.contains(order) else {
            throw .valueNotHonoured(service: Self.service, option: .order, value: order, possible: possible)
        }
        let (sort, direction) = Self.sorting(order)
        add("sort", sort)
        if let direction { add("direction", direction) }
    }

    /// The word that stands in a category's address: lower case, with hyphens.
    private static func category(_ text: String) throws(ServiceError) -> String {
        let word = text.lowercased().split(whereSeparator: { $0 == " " || $0 == "-" }).joined(separator: "-")
        guard !word.isEmpty, word.utf8.count <= 60,
            word.utf8.allSatisfy({ (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D })
        else {
            throw .badOption(
                service: service, option: .category, value: text,
                expected: "a category's name as in its address, such as animation")
        }
        return word
    }

    private mutating func add(_ name: String, _ value: String) { parameters.append((name, value)) }
}
