// A stand-in for the YouTube Data API on a port of this machine. It has a few hundred videos, pages, ETags and the
// service's own way to refuse, and a test may put any answer in a reply's place. It knows one key.

import Basics
import Threads

public final class YouTubeStandIn: Sendable {
    public static let key = "test-key-that-must-not-be-seen"

    public typealias Answer = StandInAnswer

    /// A request that came.
    public struct Call: Sendable {
        public let path: String
        public let query: [String: String]
        public let condition: String?
        public let hasKey: Bool
    }

    private struct State {
        var calls: [Call] = []
        var answers: [String: [Answer]] = [:]
        var statuses: [Int] = []
    }
    private let state = Monitor(State())
    private let box = Monitor<LoopbackServer?>(nil)

    public init() {
        let server = LoopbackServer { [unowned self] request, reply in handle(request, reply) }
        box.withLock { $0 = server }
    }

    public var port: Int { box.withLock { $0?.port ?? 0 } }
    public var url: String { "http://127.0.0.1:\(port)/youtube/v3" }
    public func stop() { box.withLock { $0 }?.stop() }

    public var calls: [Call] { state.withLock { $0.calls } }
    /// The statuses it answered with.
    public var statuses: [Int] { state.withLock { $0.statuses } }
    public func forget() {
        state.withLock {
            $0.calls = []
            $0.statuses = []
        }
    }

    /// Answers so, in this order, before the usual answer comes again.
    public func answer(_ path: String, _ answers: Answer...) {
        state.withLock { $0.answers[path, default: []] += answers }
    }

    private func handle(_ request: LoopbackServer.Request, _ reply: LoopbackServer.Reply) {
        let parts = request.target.split(separator: "?", maxSplits: 1).map(String.init)
        var query: [String: String] = [:]
        for item in parts.count == 2 ? parts[1].split(separator: "&") : [] {
            let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            query[pair[0]] = pair.count == 2 ? WebAddress.decode(pair[1]) : ""
        }
        let key = query.removeValue(forKey: "key")
        let path = String(parts[0].split(separator: "/").last ?? "")
        let condition = request.header("If-None-Match")
        let scripted = state.withLock { state -> Answer? in
            state.calls.append(Call(path: path, query: query, condition: condition, hasKey: key == Self.key))
            guard state.answers[path]?.isEmpty == false else { return nil }
            return state.answers[path]?.removeFirst()
        }
        var answer = scripted ?? usual(path, query, key)
        if scripted == nil, answer.status == 200 {
            let tag = "\"\(answer.body.utf8.reduce(UInt64(5381)) { $0 &* 33 &+ UInt64($1) })\""
            if condition == tag { answer = Answer(304, "") }
            answer.headers.append(("ETag", tag))
        }
        state.withLock { $0.statuses.append(answer.status) }
        reply.answer(answer.status, [("Content-Type", "application/json")] + answer.headers, answer.body)
    }

    // MARK: Answers

    public static func error(
        _ code: Int, _ reason: String, _ message: String, domain: String = "global", more: String = ""
    ) -> Answer {
        Answer(
            code,
            #"{"error":{"code":\#(code),"message":"\#(message)","errors":[{"message":"\#(message)","domain":"\#(domain)","reason":"\#(reason)"}]\#(more)}}"#
        )
    }

    private func usual(_ path: String, _ query: [String: String], _ key: String?) -> Answer {
        if path == "videos.xml" { return feed(query) }
        guard let key else { return Self.error(403, "forbidden", "no caller", more: #","status":"PERMISSION_DENIED""#) }
        guard key == Self.key else {
            return Self.error(
                400, "badRequest", "API key not valid.",
                more: #","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"API_KEY_INVALID"}]"#)
        }
        let size = query["maxResults"].flatMap { Int($0) } ?? 5
        guard size <= 50 else { return Self.error(400, "invalidParameter", "too many", domain: "youtube.parameter") }
        let start = query["pageToken"].flatMap { Int($0) } ?? 0
        let ids = query["id"]?.split(separator: ",").map(String.init) ?? []
        if ids.count > 50 { return Self.error(400, "invalidParameter", "too many ids") }
        switch path {
        case "search":
            let rows = (start..<min(start + size, Self.count)).map { Self.hit($0) }
            return list("searchListResponse", rows, next: start + size < Self.count ? start + size : nil)
        case "videos":
            return list("videoListResponse", ids.compactMap(Self.number).map { Self.video($0) })
        case "videos:batchGetStats":
            return list("batchGetStatsResponse", ids.compactMap(Self.number).map { Self.stat($0) })
        case "channels":
            let isKnown = query["forHandle"] == "@known" || query["forUsername"] == "known" || ids == [Self.channelID]
            // Without a match there is no list at all.
            return isKnown
                ? list("channelListResponse", [Self.channel]) : Answer(200, #"{"kind":"youtube#channelListResponse"}"#)
        case "playlists":
            let list0 =
                #"{"kind":"youtube#playlist","id":"\#(ids.first ?? "")","snippet":{"title":"A list"},"contentDetails":{"itemCount":120}}"#
            return list("playlistListResponse", [list0])
        case "playlistItems":
            let rows = (start..<min(start + size, 120)).map { Self.item($0) }
            return list("playlistItemListResponse", rows, next: start + size < 120 ? start + size : nil)
        case "i18nRegions":
            let rows = [("DE", "Germany"), ("CI", "Côte d’Ivoire"), ("US", "United States")].map { code, name in
                #"{"kind":"youtube#i18nRegion","id":"\#(code)","snippet":{"gl":"\#(code)","name":"\#(name)"}}"#
            }
            return list("i18nRegionListResponse", rows)
        case "videoCategories":
            // Numbers differ from region to region here, which shows whose were asked for.
            let first = query["regionCode"] == "DE" ? 100 : 0
            let rows = [(1, "Film & Animation"), (10, "Music"), (27, "Education")].map { number, name in
                #"{"kind":"youtube#videoCategory","id":"\#(first + number)","snippet":{"title":"\#(name)"}}"#
            }
            return list("videoCategoryListResponse", rows)
        default: return Answer(404, "<html><title>Not found</title></html>")
        }
    }

    private func list(_ kind: String, _ rows: [String], next: Int? = nil) -> Answer {
        let token = next.map { #""nextPageToken":"\#($0)","# } ?? ""
        return Answer(
            200,
            #"{"kind":"youtube#\#(kind)",\#(token)"pageInfo":{"totalResults":1000000},"items":[\#(rows.joined(separator: ","))]}"#
        )
    }

    // MARK: Records

    public static let count = 700
    public static let channelID = "UC" + String(repeating: "c", count: 22)

    public static func id(_ number: Int) -> String {
        let digits = String(number)
        return String(repeating: "v", count: 11 - digits.count) + digits
    }

    private static func number(_ id: String) -> Int? {
        Int(id.drop { $0 == "v" }).flatMap { $0 < count ? $0 : nil }
    }

    private static func snippet(_ number: Int) -> String {
        #""snippet":{"publishedAt":"2024-01-01T00:00:00Z","channelId":"\#(channelID)","title":"T &amp; \#(number)","thumbnails":{"default":{"url":"https://i.ytimg.com/vi/\#(id(number))/default.jpg"}}}"#
    }
    private static func hit(_ number: Int) -> String {
        #"{"kind":"youtube#searchResult","id":{"kind":"youtube#video","videoId":"\#(id(number))"},\#(snippet(number))}"#
    }
    private static func video(_ number: Int) -> String {
        #"{"kind":"youtube#video","id":"\#(id(number))",\#(snippet(number)),"contentDetails":{"duration":"PT\#(number)M"},"statistics":{"viewCount":"\#(number * 10)"}}"#
    }
    private static func stat(_ number: Int) -> String {
        #"{"kind":"youtube#videoStat","id":"\#(id(number))","contentDetails":{"duration":"\#(number * 60)s"},"statistics":{"viewCount":"\#(number * 10)"}}"#
    }
    private static let channel =
        #"{"kind":"youtube#channel","id":"\#(channelID)","snippet":{"title":"Known","customUrl":"@known"},"statistics":{"subscriberCount":"12"}}"#
    /// Every tenth is private.
    private static func item(_ number: Int) -> String {
        let isGone = number % 10 == 3
        let thumbnails = isGone ? "{}" : #"{"default":{"url":"https://i.ytimg.com/vi/x/default.jpg"}}"#
        let owner = isGone ? "" : #","videoOwnerChannelId":"\#(channelID)""#
        let date = isGone ? "" : #","videoPublishedAt":"2024-01-\#(number % 20 + 10)T00:00:00Z""#
        return
            #"{"kind":"youtube#playlistItem","id":"i\#(number)","snippet":{"publishedAt":"2024-02-01T00:00:00Z","title":"I \#(number)","description":"","thumbnails":\#(thumbnails),"position":\#(number),"resourceId":{"videoId":"\#(id(number))"}\#(owner)},"contentDetails":{"videoId":"\#(id(number))"\#(date)},"status":{"privacyStatus":"\#(isGone ? "private" : "public")"}}"#
    }

    private func feed(_ query: [String: String]) -> Answer {
        let entries = (0..<3).map { number in
            """
            <entry><id>yt:video:\(Self.id(number))</id><yt:videoId>\(Self.id(number))</yt:videoId>
            <yt:channelId>\(Self.channelID)</yt:channelId><title>F \(number)</title>
            <author><name>Known</name><uri>https://www.youtube.com/channel/\(Self.channelID)</uri></author>
            <published>2024-03-0\(number + 1)T00:00:00+00:00</published></entry>
            """
        }
        return Answer(
            200,
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <feed xmlns:yt="http://www.youtube.com/xml/schemas/2015" xmlns="http://www.w3.org/2005/Atom">
            <title>Known</title>\(entries.joined())</feed>
            """)
    }
}
