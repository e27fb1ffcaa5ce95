// Runs whose records come from the places that `--from` names, and the run that reads a list of such places.

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
        let limit = request.fetch
        let parts = request.origins.enumerated().map { index, origin in
            let stream: any RecordStream
            switch origin {
            case .feed(let address):
                var feed = HTTPRequest(address)
                feed.purpose = .feed
                feed.origin = index
                stream = FeedStream(feed, limit: limit, gate: gate, plugin: nil)
            case .channel(let text):
                let listing = ListingStream.Listing(order: .newestUpload, limit: limit)
                stream = ListingStream(
                    .uploads(text), source: request.source ?? YouTubeService.name, listing, gate: gate, plugin: nil)
            case .playlist(let text):
                stream = ListingStream(
                    .items(text), source: request.source ?? YouTubeService.name, .init(limit: limit), gate: gate,
                    plugin: nil)
            case .list: stream = ListStream([])
            }
            return MergedStream.Part(name: origin.name, stream: stream)
        }
        return parts.count == 1 ? parts[0].stream : MergedStream(parts, limit: limit, gate: gate)
    }

    /// Writes each record as the line that names it in a list of origins.
    func writeOrigins(_ videos: CountedStream) throws(HostError) {
        while let video = try videos.next() {
            guard let origin = RunRequest.Origin(video) else {
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
