// Selects a video's thumbnail, and the fallbacks if it does not exist. Services do not have every size of every video,
// and only a request shows which ones exist.

import Basics

extension Thumbnail {
    /// Image formats.
    public enum Kind: String, Sendable, CaseIterable {
        case jpeg, png, gif, webp, avif

        /// The file name extension, without a dot.
        public var suffix: String { self == .jpeg ? "jpg" : rawValue }

        /// The format by the extension of a URL. nil if unknown. The actual bytes may differ.
        package static func said(by url: String) -> Kind? {
            guard let name = WebAddress(url)?.pathSegments.last?.lowercased() else { return nil }
            if name.hasSuffix(".jpeg") { return .jpeg }
            return allCases.first { name.hasSuffix("." + $0.suffix) }
        }
    }

    /// An aspect ratio.
    public struct Aspect: Sendable, Equatable, CustomStringConvertible {
        public let across, down: Int64

        /// Parses `16:9`: two whole numbers from 1 to 100.
        public init?(_ text: String) {
            let parts = text.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count == 2, let across = Int64(parts[0]), let down = Int64(parts[1]),
                (1...100).contains(across), (1...100).contains(down)
            else { return nil }
            (self.across, self.down) = (across, down)
        }

        public var description: String { "\(across):\(down)" }

        /// Whether a size in pixels has this aspect ratio. The tolerance is 3 %, because 168x94 also stands for 16:9.
        public func fits(_ width: Int64, _ height: Int64) -> Bool {
            guard height > 0 else { return false }
            let ratio = Double(width) / Double(height) * Double(down) / Double(across)
            return (0.97...1.03).contains(ratio)
        }
    }

    /// The requested properties of a thumbnail.
    public struct Wish: Sendable, Equatable {
        /// The minimum size in pixels. If both are nil, the widest thumbnail is preferred.
        public var width, height: Int64?
        /// The required aspect ratio. nil for any.
        public var aspect: Aspect?
        /// The required format. nil for any; YouTube's thumbnails are then requested as JPEG.
        public var kind: Kind?

        public init() {}

        /// Why a downloaded image does not match. nil if it matches.
        public func problem(_ found: Kind, _ width: Int64, _ height: Int64) -> String? {
            if let kind, kind != found { return "\(found.rawValue), not \(kind.rawValue)" }
            if let aspect, !aspect.fits(width, height) { return "\(width)x\(height), not \(aspect)" }
            return nil
        }

        /// Whether a thumbnail may match, as far as its URL and size tell.
        fileprivate func allows(_ picture: Thumbnail) -> Bool {
            if let kind, let said = Kind.said(by: picture.url), said != kind { return false }
            guard let aspect, let width = picture.width, let height = picture.height else { return true }
            return aspect.fits(width, height)
        }
    }

    /// The thumbnails of a video, best match first: the smallest that is large enough, then larger ones, then smaller
    /// ones. Thumbnails of the record come first, then YouTube's standard URLs that the record lacks.
    public static func choices(of video: Video, _ wish: Wish = Wish()) -> [Thumbnail] {
        let told = video.thumbnails.filter { Escape.webAddress($0.url) != nil }
        let made = MediaRef(of: video).map { derived($0, wish.kind ?? .jpeg) } ?? []
        var seen: Set<String> = []
        return [told, made].flatMap { sorted($0.filter(wish.allows), wish) }.filter { seen.insert($0.url).inserted }
    }

    /// The standard sizes of YouTube's image host. The first two do not exist for every video.
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

    /// Whether a host serves only images of a video service.
    public static func isImageHost(_ host: String) -> Bool {
        let host = host.lowercased()
        return ["i.ytimg.com", "img.youtube.com", "yt3.ggpht.com", "yt3.googleusercontent.com", "i.vimeocdn.com"]
            .contains(host) || ["i1.ytimg.com", "i2.ytimg.com", "i3.ytimg.com", "i4.ytimg.com"].contains(host)
    }
}
