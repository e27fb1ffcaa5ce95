// What is found without a search for videos: feeds, instant answers.

import LuaRuntime
import VideoModel
import VideoServices
import WebClient

enum DiscoveryAPI {
    static let functions: [APIFunction] = [
        APIFunction(
            "feed", "Reads a feed: Atom, RSS or JSON Feed. When it cannot be had, its last good copy is.",
            [
                APIParameter("url", .text, "of http or https"),
                APIParameter(
                    "options",
                    .options(
                        [
                            APIParameter("max", .integer(1...1_000_000), "rows to read at most", optional: true),
                            APIParameter(
                                "timeout", .integer(1...600), "seconds for everything; 30 when absent", optional: true),
                        ] + WebAPI.cacheOptions), optional: true),
            ], gives: [APIResult(.object(.results), "its entries, in its order")], grant: .net,
            example: #"for v in yt.feed("https://example.org/feed.xml") do print(v.title, v.url) end"#
        ) { call throws(LuaError) in
            let context = call.context
            do throws(HostError) { try context.claimArguments() } catch { throw context.raised(error) }
            let limit = call.option("max", of: 1).integer.map(Int.init)
            var request = try call.httpRequest(options: 1, largestBody: false)
            request.purpose = .feed
            try context.pushResults(
                FeedStream(request, limit: limit, gate: context.surroundings.gate, plugin: context.path), on: call.stack
            )
            return 1
        },
        APIFunction(
            "websearch", "Asks DuckDuckGo for an instant answer. It is no search of the web: most questions have none.",
            [
                APIParameter("query", .text, "a word, a name, a sum, or a `!bang`"),
                APIParameter(
                    "options",
                    .options([APIParameter("max", .integer(1...1_000_000), "rows to read at most", optional: true)]),
                    optional: true),
            ],
            gives: [
                APIResult(
                    .object(.results),
                    "records of kind page: the article (its channel is whom DuckDuckGo has it from), official pages, and what else may be meant; empty when nothing is known"
                )
            ], grant: .search,
            example: #"for page in yt.websearch("lua") do print(page.title, page.description, page.url) end"#
        ) { call throws(LuaError) in
            let context = call.context
            do throws(HostError) { try context.claimArguments() } catch { throw context.raised(error) }
            let limit = call.option("max", of: 1).integer.map(Int.init)
            let stream = SearchStream(
                SearchQuery(words: call.text(0) ?? ""), source: DuckDuckGoService.name, limit: limit,
                gate: context.surroundings.gate, plugin: context.path)
            try context.pushResults(stream, on: call.stack)
            return 1
        },
    ]
}
