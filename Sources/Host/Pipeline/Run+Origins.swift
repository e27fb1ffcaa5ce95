// Runs whose records come from `--from`, and the run that reads a list of origins.

import Basics
import Gate
import HostErrors
import LuaAPI
import RecordStreams
import VideoModel
import VideoServices

extension Run {
    /// Records of the places that `--from` names.
    func origins(_ query: String, _ sources: [Plugin]) throws(HostError) -> any RecordStream {
        guard words.isEmpty, sources.isEmpty else {
            throw .usage(
                "both --from and \(words.isEmpty ? "a searching plugin" : "words to search for")",
                hint: "give one of them; --where keeps records of what --from names")
        }
        if let option = request.search.keys.map(\.rawValue).min() {
            throw .usage(
                "--\(option) is about a search, and --from is none",
                hint: "--where keeps records: --where 'views > 1000'")
        }
        var parts: [MergedStream.Part] = []
        var pages: [PreviewJob] = []
        for (index, origin) in request.origins.enumerated() {
            if case .page(let address) = origin {
                pages.append(PreviewJob(address, origin: index, oembed: true))
            } else {
                parts.append(.init(name: origin.name, stream: stream(origin, index)))
            }
        }
        if !pages.isEmpty {
            let name = pages.count == 1 ? pages[0].address.description : "pages"
            let stream = PreviewsStream(pages, gate: gate)
            parts.append(.init(name: name, stream: stream, tellsItself: pages.count > 1))
        }
        return parts.count == 1 ? parts[0].stream : MergedStream(parts, limit: request.fetch, gate: gate)
    }

    private func stream(_ origin: FeedSource, _ index: Int) -> any RecordStream {
        let limit = request.fetch
        let source = request.source ?? origin.reference.flatMap(LookUpAPI.service(of:)) ?? YouTubeService.name
        switch origin {
        case .feed(let address):
            var feed = HTTPRequest(address)
            feed.purpose = .feed
            feed.origin = index
            return FeedStream(feed, limit: limit, gate: gate, plugin: nil)
        case .channel(let text):
            let listing = ListingStream.Listing(order: .newestUpload, limit: limit)
            return ListingStream(.uploads(text), source: source, listing, gate: gate, plugin: nil)
        case .playlist(let text):
            return ListingStream(.items(text), source: source, .init(limit: limit), gate: gate, plugin: nil)
        case .page, .list: return ListStream([])
        }
    }

    /// Writes each record as its line in a list of origins.
    func writeOrigins(_ videos: CountedStream) throws(HostError) {
        while let video = try videos.next() {
            guard let origin = FeedSource(video) else {
                log(
                    .warning,
                    "left out '\(video.title ?? video.id ?? "a record")': it names no feed, channel or playlist")
                continue
            }
            try output.append(origin.line.utf8)
            try output.endLine()
        }
    }
}
