// The player of a video as other pages embed it. YouTube's player rejects pages that do not send their site (error
// 153), so the frame sends a referrer, and the script of a facade leaves the plain link on a page opened from a file.

import Basics

/// The embedded player of a video, playlist or channel, or the reason why there is none.
public struct Embed: Sendable {
    /// The form of the markup.
    public enum Kind: String, Sendable {
        /// An iframe with the player.
        case frame
        /// A picture that is replaced by the player on a click. No request is sent to the service's player before.
        case facade
        /// A link to the watch page, if there is no player.
        case link
    }

    public let kind: Kind
    /// The URL of the player. nil if there is none.
    public let address: String?
    /// The URL of the watch page. nil if unknown.
    public let link: String?
    /// Why there is no player, as a sentence. nil if there is one.
    public let reason: String?
    /// Plain text.
    public let title: String
    /// In pixels.
    public let width, height: Int64
    let options: Options
    let hasFullScreen: Bool

    /// Options of the markup and of the player.
    public struct Options: Sendable {
        /// The frame's title for screen readers, and the link text. nil for the video's title.
        public var title: String?
        /// In pixels, within `Embed.sizes`. If one is nil, it follows from the other.
        public var width, height: Int64?
        /// Whether the player fills the available width, up to `width`, with a fixed aspect ratio.
        public var isResponsive = true
        /// Whether the frame is loaded lazily.
        public var isLazy = true
        /// Whether to use the service's privacy-enhanced host or option, which sets no cookies before playback.
        public var isPrivate = true
        public var isFacade = false
        /// Whether a click precedes the player, so that autoplay may start with sound.
        public var followsClick = false
        /// For a YouTube channel: embed its live stream instead of its uploads.
        public var isLive = false
        /// The picture of a facade: an https URL or a data URL.
        public var picture: String?
        /// Parameters by the player's own names, or by the common names start, finish, autoplay, mute, loop and
        /// controls. A prefix restricts one to a player: `youtube.rel`. Later parameters override earlier ones.
        public var parameters: [FieldValue.Member] = []

        public init() {}
    }

    /// The range of width and height, in pixels. YouTube requires at least 200.
    public static let sizes: ClosedRange<Int64> = 200...7680

    /// The player of a media reference.
    ///
    /// - Parameter video: the record of the same video. nil if unknown.
    /// - Throws: `EmbedProblem` if a parameter is unknown to the player, has an invalid value, or contradicts another
    ///   one.
    public init(_ ref: MediaRef, of video: Video? = nil, _ options: Options = Options()) throws(EmbedProblem) {
        let place = EmbedPlace(ref, video, options)
        var address: String?
        var hasFullScreen = true
        if case .player(let player, let base, let fixed) = place {
            let query = try EmbedQuery(player, ref, fixed, video, options)
            address = query.address(at: base)
            hasFullScreen = query["fs"] != "0" && query["fullscreen"] != "0"
        }
        self.init(
            address: address, link: video?.url.flatMap(Escape.webAddress) ?? ref.url, reason: place.reason,
            isUpright: ref.short ?? video?[.short].bool ?? false, hasFullScreen: hasFullScreen, video, options)
    }

    /// The player of a record, found by its URL, otherwise by its provider and id.
    ///
    /// - Throws: `EmbedProblem` if a parameter is unknown to the player, has an invalid value, or contradicts another
    ///   one.
    public init(_ video: Video, _ options: Options = Options()) throws(EmbedProblem) {
        if let ref = MediaRef(of: video) {
            self = try Embed(ref, of: video, options)
        } else {
            self.init(
                address: nil, link: video.url.flatMap(Escape.webAddress),
                reason: EmbedPlace.reason(video) ?? "It is of no service whose player is known.",
                isUpright: false, hasFullScreen: true, video, options)
        }
    }

    private init(
        address: String?, link: String?, reason: String?, isUpright: Bool, hasFullScreen: Bool, _ video: Video?,
        _ options: Options
    ) {
        kind = address == nil ? .link : options.isFacade ? .facade : .frame
        self.address = address
        self.link = link
        self.reason = reason
        self.hasFullScreen = hasFullScreen
        self.options = options
        let shown = [options.title, video?.title].compactMap(\.self).map(Text.clean).first { !$0.isEmpty }
        title = shown ?? link.map { "Video at \(WebAddress($0)?.host ?? $0)" } ?? "Video"
        let (long, short): (Int64, Int64) = (16, 9)
        let (across, down) = isUpright ? (short, long) : (long, short)
        func fit(_ size: Int64) -> Int64 { min(max(size, Self.sizes.lowerBound), Self.sizes.upperBound) }
        switch (options.width, options.height) {
        case (let width?, let height?): (self.width, self.height) = (width, height)
        case (let width?, nil): (self.width, height) = (width, fit(width * down / across))
        case (nil, let height?): (width, self.height) = (fit(height * across / down), height)
        case (nil, nil): (width, height) = isUpright ? (360, 640) : (640, 360)
        }
    }
}

/// Why a player's parameters are invalid.
public enum EmbedProblem: Error, Sendable, Equatable {
    /// The player has no such parameter.
    case unknown(String, EmbedPlayer)
    /// A former parameter, and what happened to it.
    case gone(String, why: String)
    case value(String, expected: String)
    /// Contradicting parameters, as a sentence.
    case contradiction(String)
    /// Contradicting values in the URL itself, as a sentence.
    case address(String)
    /// The text of parameters has a syntax error.
    case notation(String)
    case twice(String)

    public var description: String {
        switch self {
        case .unknown(let name, let player): "the player of \(player.rawValue) takes no '\(Text.clean(name))'"
        case .gone(let name, let why): "'\(name)' does nothing: \(why)"
        case .value(let name, let expected): "'\(name)' takes \(expected)"
        case .contradiction(let sentence): sentence
        case .address(let sentence): "its address: " + sentence
        case .notation(let text): "'\(Text.clean(text))' is no parameter; they are written NAME=VALUE,NAME=VALUE"
        case .twice(let name): "'\(Text.clean(name))' is said twice"
        }
    }
}
