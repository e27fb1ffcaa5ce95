// The sample library: some two hundred well-known videos that are part of the program, so that the first command
// works without a key or a network. Its answer is its own lines as they stand; their order is the result.

import Basics

/// Searches the videos that come with the program.
///
/// Words are looked for in title, channel and tags, case and accents folded. Results with all of the words come before
/// those with some, then whole words before beginnings of words, title before channel before tags, newer before older.
/// Without the option `literal`, `-word` leaves out, `"a phrase"` is a phrase and `a | b` is either.
public struct SampleService: VideoService {
    public let name = "sample"
    public let summary = "well-known videos that come with ythost; needs no key and no network"
    public let isLocal = true
    public var honoured: Set<SearchOption> {
        [.order, .type, .after, .before, .duration, .channel, .language, .literal]
    }

    public var honouredValues: [SearchOption: [String]] {
        [.order: Order.allCases.map(\.rawValue), .type: SampleFilter.Kind.allCases.map(\.rawValue)]
    }

    public init() {}

    /// Every result in one page: the lines of the library, joined by line feeds, at most `limit` of them.
    ///
    /// A video of which a fact that an option asks for is unknown does not match. `estimate` counts all results.
    ///
    /// - Throws: `optionNotHonoured`, `valueNotHonoured`, or `emptyQuery` when there is nothing to find.
    public func search(_ query: SearchQuery, limit: Int, page: String? = nil) throws(ServiceError) -> SearchPage {
        // The bytes are a constant of the program: they outlive any use.
        let bytes = Resource.sample.buffer
        return try search(query, limit: limit, page: page, in: bytes.span)
    }

    /// The same in other lines of that form, sorted as the library is: newest first, then by id, unknown dates last.
    func search(
        _ query: SearchQuery, limit: Int, page: String? = nil, in lines: Span<UInt8>
    ) throws(ServiceError) -> SearchPage {
        try check(query)
        let order = try Order(query, service: name)
        let filter = try SampleFilter(query, service: name)
        let words = SearchWords(query.words, literal: query.options[.literal]?.bool == true)
        guard !words.isEmpty else { throw .emptyQuery(service: name) }

        var hits = page == nil ? hits(words, filter, in: lines) : []  // there is no second page
        switch order {
        case .date: break
        case .relevance: hits.sort { ($0.groups, $0.points, $1.place) > ($1.groups, $1.points, $0.place) }
        case .title:
            let keyed = hits.map { (key: Array(Text.fold(lines.text($0.title)).utf8), hit: $0) }
            hits = keyed.sorted {
                $0.key == $1.key ? $0.hit.place < $1.hit.place : $0.key.lexicographicallyPrecedes($1.key)
            }.map(\.hit)
        }

        let given = hits.prefix(max(0, limit))
        var body: [UInt8] = []
        body.reserveCapacity(given.reduce(0) { $0 + $1.line.count + 1 })
        for (index, hit) in given.enumerated() {
            if index > 0 { body.append(UInt8(ascii: "\n")) }
            lines.extracting(hit.line).withUnsafeBufferPointer { body.append(contentsOf: $0) }
        }
        return SearchPage(body: body, format: "ythost", estimate: hits.count)
    }

    private enum Order: String, CaseIterable {
        case relevance, date, title

        init(_ query: SearchQuery, service: String) throws(ServiceError) {
            self = try query.choice(.order, of: Self.allCases, service: service) ?? .relevance
        }
    }

    /// A line that matches. `place` is where it stands in the library, which is the order ties are kept in.
    private struct Hit {
        let place: Int
        let line: Range<Int>
        let title: Range<Int>
        let groups: Int
        let points: Int
    }

    private func hits(_ words: SearchWords, _ filter: SampleFilter, in lines: Span<UInt8>) -> [Hit] {
        let groups = words.groups.map { $0.map { SearchPattern($0) } }
        let excluded = words.excluded.map { SearchPattern($0, wholeWords: true) }
        let counted = words.telling
        var hits: [Hit] = []
        var scanner = SampleScanner()
        var text = SampleText()
        var place = 0
        while let row = scanner.next(lines) {
            place += 1
            guard filter.keeps(row, lines) else { continue }
            text.read(row, lines)
            guard !excluded.contains(where: { text.points($0) > 0 }) else { continue }
            var (found, sum, tells) = (0, 0, false)
            for (index, group) in groups.enumerated() {
                let points = group.reduce(0) { max($0, text.points($1)) }
                guard points > 0 else { continue }
                found += 1
                sum += points
                tells = tells || counted[index]
            }
            guard tells else { continue }
            hits.append(Hit(place: place, line: row.line, title: row.title, groups: found, points: sum))
        }
        return hits
    }
}

/// What a query's options keep. A video of which the asked fact is unknown is not kept.
private struct SampleFilter {
    private var after: Int64?
    private var before: Int64?
    private var duration: Length?
    private var channelID: [UInt8]?
    private var channelTitle: String?
    private var language: [UInt8]?

    private enum Length: String, CaseIterable { case short, medium, long }
    fileprivate enum Kind: String, CaseIterable { case video, all }

    init(_ query: SearchQuery, service: String) throws(ServiceError) {
        _ = try query.choice(.type, of: Kind.allCases, service: service)
        duration = try query.choice(.duration, of: Length.allCases, service: service)
        after = query.options[.after]?.integer
        before = query.options[.before]?.integer
        if let channel = query.options[.channel]?.text {
            channelID = Array(channel.utf8)
            channelTitle = Text.fold(channel)
        }
        language = query.options[.language]?.text.map { Array($0.lowercased().utf8) }
    }

    func keeps(_ row: SampleRow, _ lines: Span<UInt8>) -> Bool {
        if let after, row.published.map({ $0 >= after }) != true { return false }
        if let before, row.published.map({ $0 < before }) != true { return false }
        if let duration {
            guard let seconds = row.duration else { return false }
            let length: Length = seconds < 240 ? .short : seconds <= 1200 ? .medium : .long
            guard length == duration else { return false }
        }
        if let language, !matches(row.language, lines, language) { return false }
        if let channelID, let channelTitle {
            if let id = row.channelID, id.count == channelID.count,
                channelID.indices.allSatisfy({ lines[id.lowerBound + $0] == channelID[$0] })
            {
                return true
            }
            guard let title = row.channelTitle else { return false }
            return Text.fold(lines.text(title)) == channelTitle
        }
        return true
    }

    /// RFC 4647 basic filtering: a range is the tag, or as much of it as ends at a hyphen.
    private func matches(_ tag: Range<Int>?, _ lines: Span<UInt8>, _ range: [UInt8]) -> Bool {
        guard let tag, tag.count >= range.count else { return false }
        for (offset, byte) in range.enumerated() {
            let own = lines[tag.lowerBound + offset]
            let isUpper = own >= UInt8(ascii: "A") && own <= UInt8(ascii: "Z")
            guard byte == (isUpper ? own | 0x20 : own) else { return false }
        }
        return tag.count == range.count || lines[tag.lowerBound + range.count] == UInt8(ascii: "-")
    }
}

extension SearchQuery {
    /// The value of an option as one of a few; nil when it was not asked for.
    fileprivate func choice<Choice: RawRepresentable<String>>(
        _ option: SearchOption, of choices: [Choice], service: String
    ) throws(ServiceError) -> Choice? {
        guard let value = options[option]?.text else { return nil }
        guard let choice = Choice(rawValue: value) else {
            throw .valueNotHonoured(
                service: service, option: option, value: value, possible: choices.map(\.rawValue))
        }
        return choice
    }
}
