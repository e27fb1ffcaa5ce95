// Supported players and their parameters. Sources: YouTube's "Player parameters" reference and its revision history;
// the options of Vimeo's player SDK; the embed section of PeerTube's documentation.

/// The player of a service.
public enum EmbedPlayer: String, Sendable, CaseIterable {
    case youtube, vimeo, peertube

    /// The supported parameters.
    public var parameters: [EmbedParameter] {
        switch self {
        case .youtube: Self.youTubeParameters
        case .vimeo: Self.vimeoParameters
        case .peertube: Self.peerTubeParameters
        }
    }

    /// Obsolete parameters, with an explanation each.
    public var refused: KeyValuePairs<String, String> {
        switch self {
        case .youtube: Self.refusedByYouTube
        case .vimeo: Self.refusedByVimeo
        case .peertube: [:]
        }
    }

    /// The player's own name of a common option.
    func name(ofCommon option: String) -> String {
        switch (self, option) {
        case (.youtube, "finish"): "end"
        case (.vimeo, "start"): "start_time"
        case (.vimeo, "finish"): "end_time"
        case (.vimeo, "mute"), (.peertube, "mute"): "muted"
        case (.peertube, "finish"): "stop"
        default: option
        }
    }

    private static let youTubeParameters: [EmbedParameter] = [
        EmbedParameter("autoplay", .flag, "begins by itself; browsers want it muted, so mute comes with it"),
        EmbedParameter("cc_lang_pref", .language, "the language of captions; shows them, too"),
        EmbedParameter("cc_load_policy", .on, "shows captions"),
        EmbedParameter("color", .word(["red", "white"]), "of the progress bar"),
        EmbedParameter("controls", .flag, "false: without controls"),
        EmbedParameter("disablekb", .flag, "without keyboard"),
        EmbedParameter("enablejsapi", .flag, "lets the page steer it; needs origin"),
        EmbedParameter("end", .seconds(from: 1), "where it stops, from the start of the video"),
        EmbedParameter("fs", .flag, "false: without a button for the full screen"),
        EmbedParameter("hl", .language, "of the player's own words"),
        EmbedParameter("iv_load_policy", .word(["1", "3"]), "annotations: 1 shows them, 3 does not"),
        EmbedParameter("list", .list, "the playlist it goes on with"),
        EmbedParameter("listType", .word(["playlist", "user_uploads"]), "what list names"),
        EmbedParameter("loop", .flag, "again from the start; one video is its own playlist then"),
        EmbedParameter("mute", .flag, "without sound at first"),
        EmbedParameter("origin", .origin, "the site that the page is on"),
        EmbedParameter("playlist", .videos, "what is played after the first video"),
        EmbedParameter("playsinline", .flag, "in the page on iOS, not over it"),
        EmbedParameter("rel", .flag, "false: what is shown at the end is of the same channel"),
        EmbedParameter("start", .seconds(from: 0), "where it begins"),
        EmbedParameter("widget_referrer", .address, "the page, where a frame in it has the player"),
    ]

    private static let refusedByYouTube: KeyValuePairs = [
        "modestbranding": "YouTube ignores it since August 2023",
        "showinfo": "YouTube ignores it since September 2018: title and channel always show",
        "autohide": "it belonged to players that ended in 2015",
        "theme": "it belonged to players that ended in 2015",
        "vq": "the player chooses the quality by itself",
        "version": "it chose between players of Flash, which are gone",
        "wmode": "it was about Flash",
        "html5": "there is no other player any more",
    ]

    private static let switches = [
        "airplay", "autopause", "byline", "cc", "chapters", "chromecast", "controls", "fullscreen", "keyboard", "pip",
        "playsinline", "portrait", "progress_bar", "quality_selector", "speed", "title", "transcript", "unmute_button",
        "vimeo_logo", "volume",
    ]
    static let qualities = ["240p", "360p", "540p", "720p", "1080p", "2k", "4k"]

    private static let vimeoParameters: [EmbedParameter] =
        switches.map { EmbedParameter($0, .flag, "whether the player has it; the owner's settings may win") } + [
            EmbedParameter("app_id", .digits, "the number of the app that shows it"),
            EmbedParameter("audiotrack", .track, "the language that is spoken"),
            EmbedParameter("autoplay", .flag, "begins by itself; browsers want it muted, so muted comes with it"),
            EmbedParameter("background", .flag, "plays silently in a loop without controls (paid accounts)"),
            EmbedParameter("color", .color, "of the controls"),
            EmbedParameter("colors", .colors, "background, accent, text and icons, and the rest"),
            EmbedParameter("dnt", .flag, "nothing is counted or remembered; true unless privacy is false"),
            EmbedParameter("end_time", .seconds(from: 1), "where it stops, from the start of the video"),
            EmbedParameter("h", .hash, "unlocks an unlisted video; the address has it"),
            EmbedParameter("initial_quality", .word(qualities), "what it begins with"),
            EmbedParameter("loop", .flag, "again from the start"),
            EmbedParameter("max_quality", .word(qualities), "no better than that"),
            EmbedParameter("min_quality", .word(qualities), "no worse than that"),
            EmbedParameter("muted", .flag, "without sound at first"),
            EmbedParameter("quality", .word(["auto"] + qualities), "always this"),
            EmbedParameter("responsive", .flag, "as wide as its place, where the player is asked by oEmbed"),
            EmbedParameter("start_time", .seconds(from: 0), "where it begins"),
            EmbedParameter("texttrack", .track, "the captions that show"),
            EmbedParameter("transparent", .flag, "false: black around the picture"),
        ]

    private static let refusedByVimeo: KeyValuePairs = [
        "api": "it belonged to a player that is gone: the one of today always listens",
        "player_id": "it belonged to a player that is gone: messages come from the frame's own window",
    ]

    private static let peerTubeParameters: [EmbedParameter] = [
        EmbedParameter("api", .flag, "lets the page steer it"),
        EmbedParameter("autoplay", .flag, "begins by itself; browsers want it muted, so muted comes with it"),
        EmbedParameter("bigPlayBackgroundColor", .color, "behind the big play button"),
        EmbedParameter("controlBar", .flag, "false: without the bar of controls"),
        EmbedParameter("controls", .flag, "false: without controls"),
        EmbedParameter("foregroundColor", .color, "of the controls"),
        EmbedParameter("loop", .flag, "again from the start"),
        EmbedParameter("muted", .flag, "without sound at first"),
        EmbedParameter("p2p", .flag, "false: viewers do not share what they load"),
        EmbedParameter("peertubeLink", .flag, "false: without a link to the server"),
        EmbedParameter("playbackRate", .word(["0.5", "0.75", "1", "1.25", "1.5", "2"]), "how fast"),
        EmbedParameter("playlistPosition", .position, "which video of a playlist is first"),
        EmbedParameter("start", .seconds(from: 0), "where it begins"),
        EmbedParameter("stop", .seconds(from: 1), "where it stops, from the start of the video"),
        EmbedParameter("subtitle", .language, "the subtitles that show"),
        EmbedParameter("title", .flag, "false: without the title"),
        EmbedParameter("warningTitle", .flag, "false: without the warning about what viewers share"),
    ]
}
