// The player of a video as other pages frame it. What is easily got wrong: YouTube's player refuses a page that does not
// say which site it is (error 153), so the frame sends the site's address, and a page that is a file gets a link.

import Basics

/// Where the player of a video, playlist or channel is, or why there is none.
public struct Embed: Sendable {
    /// What is made of it.
    public enum Kind: String, Sendable {
        /// The player.
        case frame
        /// A picture that becomes the player when it is clicked; nobody is asked for anything before.
        case facade
        /// A link to the page to watch, since there is no player.
        case link
    }

    public let kind: Kind
    /// The player's page; nil where there is none.
    public let address: String?
    /// The page to watch; nil when it is not known.
    public let link: String?
    /// Why there is no player, in a sentence; nil where there is one.
    public let reason: String?
    /// Plain text.
    public let title: String
    /// Pixels.
    public let width, height: Int64
    let options: Options
    let hasFullScreen: Bool

    /// How it is shown, and what the player is told.
    public struct Options: Sendable {
        /// The frame's name for screen readers, and the text of links; the video's title when nil.
        public var title: String?
        /// Pixels, of `Embed.sizes`; each follows from the other when nil.
        public var width, height: Int64?
        /// Whether it is as wide as there is room, up to `width`, and keeps its shape.
        public var isResponsive = true
        /// Whether the frame is loaded when it comes near the window.
        public var isLazy = true
        /// Whether the service's host or option is used that leaves no cookies before something plays.
        public var isPrivate = true
        public var isFacade = false
        /// Whether a click comes before the player, so that it may begin with sound.
        public var followsClick = false
        /// Of a channel of YouTube: its broadcast instead of its uploads.
        public var isLive = false
        /// The picture of a facade: an address of https, or one of the scheme data.
        public var picture: String?
        /// Parameters by the player's names, or by those that all have: start, finish, autoplay, mute, loop, controls.
        /// `youtube.rel` is for that player alone. Those that come later win.
        public var parameters: [FieldValue.Member] = []

        public init() {}
    }

    /// Pixels that a side may have; YouTube wants 200 at least.
    public static let sizes: ClosedRange<Int64> = 200...7680

    /// The player of what an address names.
    ///
    /// - Parameter video: what is known of it.
    /// - Throws: `EmbedProblem` for parameters that the player does not have, that have no such value, or that
    ///   contradict one another.
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

    /// The player of a record, found by its address, else by its service and id.
    ///
    /// - Throws: as above.
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

/// Why a player cannot be told what it should be.
public enum EmbedProblem: Error, Sendable, Equatable {
    /// A parameter that the player does not have.
    case unknown(String, EmbedPlayer)
    /// One that once was, and what became of it.
    case gone(String, why: String)
    case value(String, expected: String)
    /// Parameters that do not go together, in a sentence.
    case contradiction(String)
    /// What an address says itself does not go together.
    case address(String)
    /// A text of parameters that is not written as it should be.
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
