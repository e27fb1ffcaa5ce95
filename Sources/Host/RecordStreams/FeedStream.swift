// Records of a feed at an address. Trap: servers may reply with an HTML page instead of the feed, with status 200.

import Basics
import Gate
import HostErrors
import VideoFormats
import VideoModel
import VideoServices
import WebClient

/// A feed, fetched when the first record is requested.
package final class FeedStream: RecordStream {
    private let request: HTTPRequest
    private let name: String
    private unowned let gate: any Gate
    private let plugin: String?
    private let limit: Int?
    private var ahead: PendingRequest?
    private var isRead = false
    private var rows: ArraySlice<Video> = []
    /// The playlist to read instead if the feed is not available.
    private var listing: ListingStream?
    private var found = 0
    private var given = 0
    private var skipped = 0

    static let cutOff = "the feed ends in its middle; these are the entries that came, and they are not kept"

    /// Why a truncated feed has no entries.
    static func nothingCame(_ body: [UInt8]) -> String {
        body.contains { $0 > 0x20 }
            ? "the feed ends before its first entry does" : "it is empty"
    }

    /// - Parameter plugin: the plugin that makes the request; nil for a feed named by the user.
    package init(_ request: HTTPRequest, limit: Int?, gate: any Gate, plugin: String?) {
        self.request = request
        name = request.address.description
        self.limit = limit
        self.gate = gate
        self.plugin = plugin
    }

    package func begin() throws(HostError) -> PendingRequest? {
        if isRead { return nil }
        if ahead == nil { ahead = try PendingRequest(.http(request), for: plugin, at: gate) }
        return ahead
    }

    package func nextBatch(_ most: Int) throws(HostError) -> ArraySlice<Video>? {
        if !isRead { try read() }
        if let listing { return try listing.nextBatch(most) }
        let batch = rows.popFirst(min(most, (limit ?? .max) - given))
        given += batch?.count ?? 0
        return batch
    }

    private func read() throws(HostError) {
        isRead = true
        let errand = ahead
        ahead = nil
        let reply = if let errand { try errand.reply() } else { try gate.ask(.http(request), for: plugin) }
        // There is no reply in a dry run.
        guard case .answer(let response, _, let remark) = reply else { return }
        if let remark { log("\(name): \(remark)") }
        if let failure = failure(response) {
            guard plugin == nil, let list = listWithoutShorts else { throw .service(failure) }
            // The service knows a list with the same videos.
            listing = ListingStream(
                .items(list), source: YouTubeService.name, .init(limit: limit), gate: gate, plugin: nil)
            return
        }
        let base = response.address.description
        let reader = FeedReader.reader(base: base, charset: response.charset)
        let videos: [Video]
        let fault: FormatError?
        do throws(FormatError) { (videos, fault) = try reader.part(of: response.body) } catch {
            throw .service(.badAnswer(service: "feed", reason: "\(name): " + reason(error, response, base)))
        }
        let isWhole = FeedReader.isWhole(response.body)
        if videos.isEmpty, !isWhole {
            throw .service(.badAnswer(service: "feed", reason: "\(name): \(Self.nothingCame(response.body))"))
        }
        skipped = reader.skippedCount
        if let first = reader.skipped.first {
            let rest = skipped == 1 ? "" : ", and \(skipped - 1) more"
            log("\(name): left out \(first)\(rest)")
        }
        if !isWhole {
            log("\(name): \(Self.cutOff)")
        } else if let fault {
            log("\(name): \(fault); these are the entries before it")
        }
        found = videos.count
        let origin = FieldValue.list([.record([.init("source", .text("feed")), .init("query", .text(name))])])
        rows =
            videos.map { video in
                var video = video
                video.setOrigin(origin, lookUp: .all)
                return video
            }[...]
        if response.address.host?.hasSuffix("youtube.com") == true, found >= SearchStream.feedLength {
            _ = try? gate.ask(.log(.warning, SearchStream.newestOnly))
        }
    }

    /// The playlist id of this feed, if it is one that YouTube serves only at times.
    private var listWithoutShorts: String? {
        guard let ref = try? MediaRef.parse(name), ref.provider == YouTubeService.name, ref.kind == .playlist,
            ref.id.hasPrefix("UULF")
        else { return nil }
        return ref.id
    }

    private func failure(_ response: WebResponse) -> ServiceError? {
        switch response.status {
        case 200: nil
        case 429: .tooFast(service: "feed", status: 429, wait: nil)
        case 500...: .unavailable(service: "\(name)", status: response.status)
        case let status:
            .notThere(service: "feed", status: status, reason: nil, message: "no feed can be had at \(name)")
        }
    }

    private func reason(_ error: FormatError, _ response: WebResponse, _ base: String) -> String {
        guard case .unrecognised = error else { return "\(error)" }
        if response.body.isEmpty { return "it is empty" }
        let feed = FeedReader.feed(ofPage: response.body, base: base, charset: response.charset)
        return feed.map { "it is a page, and no feed; the page says that its feed is \($0)" } ?? "it is no feed"
    }

    private func log(_ line: String) { _ = try? gate.ask(.log(.warning, line)) }

    package var info: [FieldValue.Member] {
        if let listing { return listing.info }
        return [
            .init("source", .text("feed")), .init("query", .text(name)), .init("rows", .integer(Int64(given))),
            .init("skipped", skipped == 0 ? .none : .integer(Int64(skipped))),
            .init("truncated", .bool(given < found)),
        ]
    }
}

extension WebResponse {
    /// The charset parameter of the content type (RFC 9110, 8.3.1); nil if there is none.
    var charset: String? {
        for piece in headers["Content-Type"]?.split(separator: ";").dropFirst() ?? [] {
            let pair = piece.split(separator: "=", maxSplits: 1)
            guard pair.count == 2, pair[0].drop(while: \.isWhitespace).lowercased() == "charset" else { continue }
            let value = pair[1].filter { !$0.isWhitespace && $0 != "\"" && $0 != "'" }
            return value.isEmpty ? nil : String(value)
        }
        return nil
    }
}
