// Which of a video's pictures to take, and which to try when that one is not there. A service does not have every size of
// every video, and only tells by answering.

extension Thumbnail {
    /// What is wanted of a picture.
    public struct Wish: Sendable, Equatable {
        /// Pixels; the widest that is known when both are nil.
        public var width, height: Int64?
        /// Whether YouTube's pictures are wanted as WebP rather than as JPEG.
        public var isWebP = false

        public init() {}
    }

    /// The pictures of a video, best first: the smallest that is large enough, then larger ones, then smaller ones. Those
    /// that the record tells come first; behind them stand those that YouTube is known to have, where it lacks them.
    public static func choices(of video: Video, _ wish: Wish = Wish()) -> [Thumbnail] {
        let told = video.thumbnails.filter { Escape.webAddress($0.url) != nil }
        let ref = Embed.ref(of: video)
        let made = ref.map { derived($0, webP: wish.isWebP) } ?? []
        let preferred =
            wish.isWebP && !made.isEmpty
            ? sorted(made, wish) + sorted(told, wish) : sorted(told, wish) + sorted(made, wish)
        var seen: Set<String> = []
        return preferred.filter { seen.insert($0.url).inserted }
    }

    /// What YouTube's image host calls the sizes of a video. The first two are not always there.
    private static let youTubeSizes: [(name: String, file: String, width: Int64, height: Int64)] = [
        ("maxres", "maxresdefault", 1280, 720), ("hq720", "hq720", 1280, 720), ("standard", "sddefault", 640, 480),
        ("high", "hqdefault", 480, 360), ("medium", "mqdefault", 320, 180), ("default", "default", 120, 90),
    ]

    private static func derived(_ ref: MediaRef, webP: Bool) -> [Thumbnail] {
        guard ref.provider == "youtube", ref.kind == .video else { return [] }
        let (folder, suffix) = webP ? ("vi_webp", "webp") : ("vi", "jpg")
        return youTubeSizes.map { size in
            Thumbnail(
                name: size.name, url: "https://i.ytimg.com/\(folder)/\(ref.id)/\(size.file).\(suffix)",
                width: size.width,
                height: size.height)
        }
    }

    private static func sorted(_ pictures: [Thumbnail], _ wish: Wish) -> [Thumbnail] {
        func isEnough(_ picture: Thumbnail) -> Bool {
            guard wish.width != nil || wish.height != nil else { return false }
            return (picture.width ?? 0) >= wish.width ?? 0 && (picture.height ?? 0) >= wish.height ?? 0
        }
        func area(_ picture: Thumbnail) -> Int64 {
            let (area, overflow) = (picture.width ?? 0).multipliedReportingOverflow(by: picture.height ?? 1)
            return overflow ? .max : area
        }
        let indexed = Array(pictures.enumerated())
        let enough = indexed.filter { isEnough($0.element) }
            .sorted { (area($0.element), $0.offset) < (area($1.element), $1.offset) }
        let others = indexed.filter { !isEnough($0.element) }
            .sorted { (-area($0.element), $0.offset) < (-area($1.element), $1.offset) }
        return (enough + others).map(\.element)
    }

    /// Whether a host is one from which services show pictures, and nothing else.
    public static func isImageHost(_ host: String) -> Bool {
        let host = host.lowercased()
        return ["i.ytimg.com", "img.youtube.com", "yt3.ggpht.com", "yt3.googleusercontent.com", "i.vimeocdn.com"]
            .contains(host) || ["i1.ytimg.com", "i2.ytimg.com", "i3.ytimg.com", "i4.ytimg.com"].contains(host)
    }
}
