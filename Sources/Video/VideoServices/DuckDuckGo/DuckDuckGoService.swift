// DuckDuckGo's instant answers (https://duckduckgo.com/api): an article, a definition, a calculation, the things that a
// word may mean. What is easily got wrong: it is no web search, and most questions have no answer; and the answer is JSON
// whatever its Content-Type says.

import Basics
import VideoModel
import WebClient

/// Asks DuckDuckGo for what is known at once. The records are pages, not videos; their `found_in` names DuckDuckGo, and
/// the `channel` of an article whom DuckDuckGo has it from, as its terms ask.
public struct DuckDuckGoService: VideoService {
    public static let name = "duckduckgo"
    public var name: String { Self.name }
    public let summary =
        "DuckDuckGo's instant answers: articles and meanings, no web search and no videos; needs no key"
    public var honoured: Set<SearchOption> { [] }

    private let site: ServiceSite

    public init(network: Network) {
        var site = ServiceSite(
            service: Self.name, variable: "YTHOST_DUCKDUCKGO_URL",
            usual: WebAddress(scheme: "https", host: "api.duckduckgo.com"), network: network)
        site.judge = Self.verdict
        self.site = site
    }

    /// Everything in one page; without records when nothing is known.
    public func search(_ query: SearchQuery, limit: Int, page: String?) throws(ServiceError) -> SearchPage {
        let answer = try site.send(try call(query))
        var result = SearchPage(answer, format: Self.name)
        result.isCounted = true
        return result
    }

    private func call(_ query: SearchQuery) throws(ServiceError) -> ServiceSite.Call {
        try check(query)
        let words = query.words.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard !words.isEmpty else { throw .emptyQuery(service: name) }
        var call = ServiceSite.Call()
        call.add("q", words)
        call.add("format", "json")
        // What `!name` leads to is told instead of followed.
        call.add("no_redirect", "1")
        call.add("t", "ythost")
        return call
    }

    public func plan(_ query: SearchQuery, limit: Int?, fields: Set<VideoField>) throws(ServiceError) -> [PlannedCalls]
    {
        let call = try call(query)
        return [PlannedCalls(method: "instant answer", count: 1, detail: "q=\(call.query.first?.value ?? "")")]
    }

    /// An empty body comes with status 202 to whoever asks too often.
    private static let verdict: @Sendable (WebResponse) -> WebVerdict = { response in
        switch response.status {
        case 200: response.body.first { $0 > 0x20 } == UInt8(ascii: "{") ? .final : .unusable
        case 202: .passing
        default: WebRetry.byStatus(response)
        }
    }
}
