// Which of a video's pictures to take, and which to try when that one is not there. A service does not have every size of
// every video, and only tells by answering.

import Basics

extension Thumbnail {
    /// What a picture is written in.
    public enum Kind: String, Sendable, CaseIterable {
        case jpeg, png, gif, webp, avif

        /// The ending of a file's name.
        public var suffix: String { self == .jpeg ? "jpg" : rawValue }

        /// What an address says by its ending; nil when it says nothing. Only the bytes know.
        package static func said(by url: String) -> Kind? {
            guard let name = WebAddress(url)?.pathSegments.last?.lowercased() else { return nil }
            if name.hasSuffix(".jpeg") { return .jpeg }
            return allCases.first { name.hasSuffix("." + $0.suffix) }
        }
    }

    /// How wide a picture is for its height.
    public struct Aspect: Sendable, Equatable, CustomStringConvertible {
        public let across, down: Int64

        /// Reads `16:9`: two whole numbers from 1 to 100.
        public init?(_ text: String) {
            let parts = text.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count == 2, let across = Int64(parts[0]), let down = Int64(parts[1]),
                (1...100).contains(across), (1...100).contains(down)
            else { return nil }
            (self.across, self.down) = (across, down)
        }

        public var description: String { "\(across):\(down)" }

        /// Whether a size is so, but for 3 in 100: sizes are of whole pixels, and 168x94 means 16:9.
        public func fits(_ width: Int64, _ height: Int64) -> Bool {
            guard height > 0 else { return false }
            let ratio = Double(width) / Double(height) * Double(down) / Double(across)
            return (0.97...1.03).contains(ratio)
        }
    }

    /// What is wanted of a picture.
    public struct Wish: Sendable, Equatable {
        /// Pixels at least; the widest that is known when both are nil.
        public var width, height: Int64?
        /// No other shape is taken.
        public var aspect: Aspect?
        /// No other kind is taken; YouTube's pictures are asked for as JPEG when nil.
        public var kind: Kind?

        public init() {}

        /// Why a picture that came is not what is wanted; nil when it is.
        public func problem(_ found: Kind, _ width: Int64, _ height: Int64) -> String? {
            if let kind, kind != found { return "\(found.rawValue), not \(kind.rawValue)" }
            if let aspect, !aspect.fits(width, height) { return "\(width)x\(height), not \(aspect)" }
            return nil
        }

        /// Whether a picture may turn out to be what is wanted.
        fileprivate func allows(_ picture: Thumbnail) -> Bool {
            if let kind, let said = Kind.said(by: picture.url), said != kind { return false }
            guard let aspect, let width = picture.width, let height = picture.height else { return true }
            return aspect.fits(width, height)
        }
    }

    /// The pictures of a video, best first: the smallest that is large enough, then larger ones, then smaller ones. Those
    /// that the record tells come first; behind them stand those that YouTube is known to have, where it lacks them.
    public static func choices(of video: Video, _ wish: Wish = Wish()) -> [Thumbnail] {
        let told = video.thumbnails.filter { Escape.webAddress($0.url) != nil }
        let made = MediaRef(of: video).map { derived($0, wish.kind ?? .jpeg) } ?? []
        var seen: Set<String> = []
        return [told, made].flatMap { sorted($0.filter(wish.allows), wish) }.filter { seen.insert($0.url).inserted }
    }

    /// What YouTube's image host calls the sizes of a video. The first two are not always there.
    private static let youTubeSizes: [(name: String, file: String, width: Int64, height: Int64)] = [
        ("maxres", "maxresdefault", 1280, 720), ("hq720", "hq720", 1280, 720), ("standard", "sddefault", 640, 480),
        ("high", "hqdefault", 480, 360), ("medium", "mqdefault", 320, 180), ("default", "default", 120, 90),
    ]

    private static func derived(_ ref: MediaRef, _ kind: Kind) -> [Thumbnail] {
        guard ref.provider == "youtube", ref.kind == .video, kind == .jpeg || kind == .webp else { return [] }
        let folder = kind == .webp ? "vi_webp" : "vi"
        return youTubeSizes.map { size in
            Thumbnail(
                name: size.name, url: "https://i.ytimg.com/\(folder)/\(ref.id)/\(size.file).\(kind.suffix)",
                width: size.width, height: size.height)
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
