// What `play` writes: the first videos that can be played, as a page or as addresses.

import VideoModel
import VideoServices

extension Run {
    /// What is played because it was named.
    func records(of named: PlaySentence.Named) throws(HostError) -> any RecordStream {
        if let option = request.search.keys.map(\.rawValue).min() {
            throw .usage(
                "--\(option) is about a search, and an address is played without one",
                hint: "leave it out, or give words in the address's place")
        }
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

    /// - Throws: `.nothingMatched` when there is no video.
    func writePlayable(_ records: CountedStream) throws(HostError) {
        let wanted = request.take ?? 1
        var videos: [Video] = []
        while videos.count < wanted, let video = try records.next() {
            if ChatAction.isPlayable(video) { videos.append(video) }
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
