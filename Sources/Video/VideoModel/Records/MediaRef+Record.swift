// Conversion between records and media references.

extension MediaRef {
    /// The reference of a record's URL, otherwise of its provider and id. nil if neither can be parsed.
    init?(of video: Video) {
        if let url = video.url, let ref = try? MediaRef.parse(url) {
            self = ref
            return
        }
        guard let provider = video.provider, let id = video.id,
            let url = MediaRef.canonicalURL(provider: provider, kind: video.kind, id: id),
            let ref = try? MediaRef.parse(url)
        else { return nil }
        self = ref
    }

    /// The watch page of a video, or the page of a channel or playlist. nil if it does not follow from provider and id.
    public static func canonicalURL(provider: String, kind: Video.Kind, id: String) -> String? {
        switch (provider, kind) {
        case ("youtube", .video):
            isYouTubeVideoID(id) ? "https://www.youtube.com/watch?v=\(id)" : nil
        case ("youtube", .channel):
            isYouTubeChannelID(id) ? "https://www.youtube.com/channel/\(id)" : nil
        case ("youtube", .playlist):
            isYouTubeListID(id) ? "https://www.youtube.com/playlist?list=\(id)" : nil
        case ("vimeo", .video):
            vimeoPair(id).map { pair in
                "https://vimeo.com/\(pair.id)" + (pair.hash.map { "/" + $0 } ?? "")
            }
        default:
            nil
        }
    }
}
