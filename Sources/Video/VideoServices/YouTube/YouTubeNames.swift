// Categories and regions by their names, in English, as people know them; searches take numbers and codes. A list of
// names is one unit of the bucket `read`, and is kept for a week without being asked for again: it hardly changes.

import Basics
import JSON
import WebClient

/// An option that is given by name, and where its names are.
enum YouTubeNames: CaseIterable {
    case region, category

    var option: SearchOption {
        switch self {
        case .region: .region
        case .category: .category
        }
    }

    /// Whether a value is a name: neither a category's number nor a region's code.
    func isName(_ text: String) -> Bool {
        switch self {
        case .region: !(text.utf8.count == 2 && text.utf8.allSatisfy { (0x41...0x5A).contains($0 & 0xDF) })
        case .category: !text.utf8.allSatisfy { (0x30...0x39).contains($0) }
        }
    }

    /// Stands for a value that is not known yet, in checks of the other options.
    var placeholder: String {
        switch self {
        case .region: "US"
        case .category: "1"
        }
    }

    /// The call that lists the names: videoCategories.list of a region, or i18nRegions.list
    /// (https://developers.google.com/youtube/v3/docs/videoCategories/list).
    func call(region: String) -> YouTubeCall {
        var call: YouTubeCall
        switch self {
        case .region:
            call = YouTubeCall("i18nRegions", "i18nRegions.list", .read)
            call.add("part", "snippet")
            call.add("fields", "kind,items(id,snippet(gl,name))")
        case .category:
            call = YouTubeCall("videoCategories", "videoCategories.list", .read)
            call.add("part", "snippet")
            call.add("regionCode", region)
            call.add("fields", "kind,items(id,snippet(title))")
        }
        call.freshFor = 7 * 86_400
        return call
    }

    /// Names and what stands for them.
    func list(_ body: [UInt8]) -> [(name: String, value: String)] {
        guard let row = (try? JSONBatch.document(body))?[0], let items = row.row(at: "items") else { return [] }
        return items.elements.compactMap { item in
            switch self {
            case .region:
                guard let name = item.value(at: "snippet.name").text, let code = item.value(at: "snippet.gl").text
                else { return nil }
                return (name, code)
            case .category:
                guard let name = item.value(at: "snippet.title").text, let id = item.value(at: "id").text else {
                    return nil
                }
                return (name, id)
            }
        }
    }
}

extension YouTubeService {
    /// A search with numbers and codes in place of names, and the calls it took to find them.
    ///
    /// - Throws: `unknownName` when there is no such name, and all that is wrong with other options before a call.
    func resolved(_ query: SearchQuery) throws(ServiceError) -> (SearchQuery, calls: Int) {
        let named = Self.names(in: query)
        if named.isEmpty { return (query, 0) }
        _ = try YouTubeQuery(Self.unnamed(query))
        let access = try access()
        var query = query
        var calls = 0
        for (names, text) in named {
            let call = names.call(region: query.options[.region]?.text?.uppercased() ?? "US")
            let reply = try send(call, access)
            _ = try YouTubeAnswer.envelope(reply.response.body, of: call.method)
            calls += reply.response.attempts
            query.options[names.option] = .text(try Self.value(of: text, names, reply.response.body))
        }
        return (query, calls)
    }

    /// The same as far as it is known without a call; what calls it would take, and whether all is known.
    func resolvedFromKept(
        _ query: SearchQuery, _ access: YouTubeAccess
    ) throws(ServiceError) -> (SearchQuery, plans: [PlannedCalls], isWhole: Bool) {
        var query = query
        var plans: [PlannedCalls] = []
        var isWhole = true
        for (names, text) in Self.names(in: query) {
            let call = names.call(region: query.options[.region]?.text?.uppercased() ?? "US")
            let kept = kept(call, access)
            plans.append(plan(call, access, count: kept == nil ? 1 : 0, kept: kept == nil ? 0 : 1))
            var value = names.placeholder
            if let kept { value = try Self.value(of: text, names, kept.body) } else { isWhole = false }
            query.options[names.option] = .text(value)
        }
        return (query, plans, isWhole)
    }

    /// The options that are given by name.
    private static func names(in query: SearchQuery) -> [(YouTubeNames, String)] {
        YouTubeNames.allCases.compactMap { names in
            guard let text = query.options[names.option]?.text, !text.allSatisfy(\.isWhitespace), names.isName(text)
            else { return nil }
            return (names, text)
        }
    }

    /// Without names, for checks of everything else.
    static func unnamed(_ query: SearchQuery) -> SearchQuery {
        var query = query
        for (names, _) in names(in: query) { query.options[names.option] = .text(names.placeholder) }
        return query
    }

    /// What stands for a name. Case and accents are no matter.
    private static func value(of text: String, _ names: YouTubeNames, _ body: [UInt8]) throws(ServiceError) -> String {
        let all = names.list(body)
        let wanted = Text.fold(Text.trimmed(text))
        guard let found = all.first(where: { Text.fold($0.name) == wanted }) else {
            throw .unknownName(service: name, option: names.option, value: text, known: all.map(\.name))
        }
        return found.value
    }
}
