// What `play` writes: the first videos that can be played, as a page or as addresses.

import VideoModel

extension Run {
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
