// Sources other than video search: feeds, page previews, instant answers, and the intent of a sentence.

import Basics
import Gate
import HostErrors
import LuaRuntime
import RecordStreams
import VideoModel
import VideoServices

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
                FeedStream(request, limit: limit, gate: context.environment.gate, plugin: context.path), on: call.stack
            )
            return 1
        },
        APIFunction(
            "preview",
            "Reads what a page says about itself, and its oEmbed provider about it.",
            [
                APIParameter("url", .text, "of http or https"),
                APIParameter(
                    "options",
                    .options(
                        [
                            APIParameter(
                                "oembed", .flag,
                                "false: no provider is asked; else one that the page names is where a grant leads to it",
                                optional: true),
                            APIParameter(
                                "timeout", .integer(1...600), "seconds for everything; 30 when absent", optional: true),
                        ] + WebAPI.cacheOptions), optional: true),
            ],
            gives: [
                APIResult(
                    .object(.video),
                    "a record of kind page, or video where the page is one; nil and a reason when there is no page. Its `extra` may tell site, type, player, media, oembed, feed"
                )
            ], grant: .net,
            example: #"local page = yt.preview("https://example.org/") print(page.title, page.description)"#
        ) { call throws(LuaError) in
            var call = call
            do throws(HostError) { try call.context.claimArguments() } catch { throw call.context.raised(error) }
            let job: PreviewJob
            if let begun = call.errand?.work as? PreviewJob {
                job = begun
            } else {
                let chosen = try call.httpRequest(options: 1)
                var isOEmbedWanted = true
                if case .boolean(false) = call.option("oembed", of: 1) { isOEmbedWanted = false }
                job = PreviewJob(chosen.address, oembed: isOEmbedWanted) { request in
                    (request.timeout, request.policy, request.stores) = (chosen.timeout, chosen.policy, chosen.stores)
                }
            }
            while let wanted = job.wanted {
                do throws(HostError) {
                    guard let reply = try call.reply(to: wanted, work: job) else { return call.waits }
                    job.take(.success(reply))
                } catch { job.take(.failure(error)) }
                call.errand = nil
            }
            for remark in job.remarks { _ = try? call.context.environment.gate.ask(.log(.info, remark)) }
            if let failure = job.failure {
                switch failure {
                case .service(.notThere), .service(.badAnswer): return call.unreadable("\(failure)")
                default: throw call.context.raised(failure)
                }
            }
            call.context.push(job.record ?? Video([:]), on: call.stack)
            return 1
        },
        APIFunction(
            "action", "Says what a chat client should do with a sentence: `play …` plays a video.",
            [
                APIParameter("text", .text, "such as: play kygo firestone, or a video's address"),
                APIParameter(
                    "options",
                    .options([
                        APIParameter(
                            "source", .text, "where to search; the configured source when absent", optional: true)
                    ]), optional: true),
            ],
            gives: [
                APIResult(
                    .table,
                    "type and what belongs to it, as in chat replies: video_play with identifier and identifier_type (youtube or url), title, url, and start and finish in seconds where an address says them; websearch with query for any other sentence; answer with expression where nothing is found"
                ),
                APIResult(.object(.video), "the video to play; nil for other actions"),
            ], grant: .search,
            example: #"local action, video = yt.action("play kygo firestone") print(action.type, video and video.url)"#
        ) { call throws(LuaError) in
            var call = call
            let begun = call.errand?.work as? ChatAction
            let job = begun ?? ChatAction(call.text(0) ?? "", source: call.option("source", of: 1).text)
            do throws(HostError) {
                try call.context.claimArguments()
                while let wanted = job.wanted {
                    guard let reply = try call.reply(to: wanted, work: job) else { return call.waits }
                    call.errand = nil
                    try job.take(reply)
                }
            } catch { throw call.context.raised(error) }
            try call.stack.push(.record(job.action.filter { !$0.value.isNone }))
            guard let video = job.video else { return 1 }
            call.context.push(video, on: call.stack)
            return 2
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
                gate: context.environment.gate, plugin: context.path)
            try context.pushResults(stream, on: call.stack)
            return 1
        },
    ]
}
