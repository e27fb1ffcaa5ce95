// The output of `play`: the first playable videos, as a page or as addresses.

import Basics
import HostErrors
import LuaAPI
import Players
import RecordStreams
import VideoModel
import VideoServices

extension Run {
    static func noSearch(_ option: String) -> HostError {
        .usage(
            "--\(option) is about a search, and an address is played without one",
            hint: "leave it out, or give words in the address's place")
    }

    /// The records of a resource that the query names.
    func records(of named: PlayIntent.Named) throws(HostError) -> any RecordStream {
        if let option = request.search.keys.map(\.rawValue).min() { throw Self.noSearch(option) }
        func listing(_ question: LookUp, _ ref: MediaRef, _ order: ListingStream.Listing.Order) -> any RecordStream {
            ListingStream(
                question, source: ref.provider, .init(order: order, limit: request.fetch), gate: gate, plugin: nil)
        }
        return switch named {
        case .video(let video): ListStream([video])
        case .uploads(let ref): listing(.uploads(ref.url), ref, .newestUpload)
        case .items(let ref): listing(.items(ref.url), ref, .given)
        }
    }

    /// Why a record cannot be played.
    private static func reasonNotToPlay(_ video: Video) -> String {
        if video.kind != .video { return "no video but a \(video.kind.rawValue)" }
        return video.isGone ? video[.availability].text ?? "gone" : "without the address of a page to watch"
    }

    /// - Throws: `.nothingMatched` if there is no video.
    func writePlayable(_ records: CountedStream) throws(HostError) {
        let named = PlayIntent.videos(in: words.joined(separator: " "))?.count
        let wanted = request.take ?? named ?? 1
        var videos: [Video] = []
        var left: [(what: String, count: Int)] = []
        while videos.count < wanted, let video = try records.next() {
            if ChatAction.isPlayable(video) {
                videos.append(video)
                continue
            }
            let what = Self.reasonNotToPlay(video)
            if let place = left.firstIndex(where: { $0.what == what }) {
                left[place].count += 1
            } else {
                left.append((what, 1))
            }
        }
        for (what, count) in left { log(.warning, "left out \(count): \(what)") }
        if request.take == nil, !request.inputs.isEmpty, videos.count == wanted, try records.next() != nil {
            log(.warning, "only the first video is played; --take N plays more")
        }
        if videos.isEmpty { throw .nothingMatched }
        if case .player = request.product {
            try output.append(PlayerPage.html(of: videos, title: words.joined(separator: " ")).utf8)
            return
        }
        for video in videos {
            try output.append((video.url.flatMap(Escape.webAddress) ?? "").utf8)
            try output.endLine()
        }
    }
}
