// The query of a player's URL. Parameters that others depend on are added; contradicting ones are rejected, since a
// player would silently ignore one of them.

import Basics

/// The parameters of one player.
struct EmbedQuery {
    private let player: EmbedPlayer
    private var values: [String: String]

    subscript(name: String) -> String? { values[name] }

    /// - Parameter fixed: the parameters that select the video. They override all others.
    init(
        _ player: EmbedPlayer, _ ref: MediaRef, _ fixed: [String: String], _ video: Video?, _ options: Embed.Options
    ) throws(EmbedProblem) {
        self.player = player
        values = [:]
        for var member in options.parameters where !member.value.isNone {
            // `youtube.rel` applies to that player only.
            let halves = member.name.split(separator: ".", maxSplits: 1).map(String.init)
            if halves.count == 2, let only = EmbedPlayer(rawValue: halves[0]) {
                guard only == player else { continue }
                member.name = halves[1]
            }
            let (name, value) = try read(member)
            values[name] = value
        }
        try checkTimes(video)
        let isVideo = ref.kind == .video
        if isVideo {
            try takeTimes(of: ref, video)
            if player == .youtube, values["list"] == nil, let list = ref.list { values["list"] = list }
        }
        values.merge(fixed) { _, fixed in fixed }
        try settle(ref, options, isVideo: isVideo)
        if let start = values[start], start == "0" { values[self.start] = nil }
    }

    private var start: String { player.name(ofCommon: "start") }
    private var finish: String { player.name(ofCommon: "finish") }

    private func read(_ member: FieldValue.Member) throws(EmbedProblem) -> (String, String) {
        if let why = player.refused.first(where: { $0.key == member.name })?.value {
            throw .gone(member.name, why: why)
        }
        let name = player.name(ofCommon: member.name)
        guard let parameter = player.parameters.first(where: { $0.name == name }) else {
            throw .unknown(member.name, player)
        }
        if name == "listType", member.value.text == "search" {
            throw .gone("listType=search", why: "playing what a search finds ended in November 2020")
        }
        guard let value = parameter.read(member.value) else {
            throw .value(member.name, expected: parameter.shape.expected)
        }
        return (name, value)
    }

    private func checkTimes(_ video: Video?) throws(EmbedProblem) {
        let begin = values[start].flatMap { Int64($0) } ?? 0
        if let end = values[finish].flatMap({ Int64($0) }), end <= begin {
            throw .contradiction(
                "it would stop at \(end) s and begin at \(begin) s; the end counts from the start of the video")
        }
        if let duration = video?.duration, duration > 0, begin >= duration {
            throw .contradiction("it would begin at \(begin) s, and the video has \(duration) s")
        }
    }

    /// Applies the times of the URL, unless options set them.
    ///
    /// - Throws: if the times contradict and there is no record, so the user wrote the URL. The URLs of records are
    ///   untrusted: their contradicting times are ignored.
    private mutating func takeTimes(of ref: MediaRef, _ video: Video?) throws(EmbedProblem) {
        let asked = values
        if values[start] == nil { values[start] = ref.start.map { String($0) } }
        if values[finish] == nil { values[finish] = ref.finish.map { String($0) } }
        do throws(EmbedProblem) { try checkTimes(video) } catch {
            guard video == nil, case .contradiction(let sentence) = error else {
                values = asked
                return
            }
            if asked[start] == nil, asked[finish] == nil { throw .address(sentence) }
            throw error
        }
    }

    private mutating func settle(
        _ ref: MediaRef, _ options: Embed.Options, isVideo: Bool
    ) throws(EmbedProblem) {
        let mute = player.name(ofCommon: "mute")
        let followsClick = options.isFacade || options.followsClick
        if options.isFacade, values["autoplay"] == nil { values["autoplay"] = "1" }
        if values["autoplay"] == "1", !followsClick {
            if values[mute] == "0" {
                throw .contradiction(
                    "autoplay needs \(mute): browsers let no page begin with sound before a click; a facade may")
            }
            values[mute] = "1"
        }
        switch player {
        case .youtube: try settleYouTube(ref, isVideo: isVideo)
        case .vimeo: try settleVimeo(options)
        case .peertube: break
        }
    }

    private mutating func settleYouTube(_ ref: MediaRef, isVideo: Bool) throws(EmbedProblem) {
        if values["loop"] == "1", isVideo, values["playlist"] == nil, values["list"] == nil {
            values["playlist"] = ref.id
        }
        if values["cc_lang_pref"] != nil { values["cc_load_policy"] = "1" }
        if values["enablejsapi"] == "1", values["origin"] == nil {
            throw .contradiction("enablejsapi needs origin, the site that the page is on: https://example.org")
        }
        if values["listType"] != nil, values["list"] == nil {
            throw .contradiction("listType says what list names, and there is no list")
        }
    }

    private mutating func settleVimeo(_ options: Embed.Options) throws(EmbedProblem) {
        if options.isPrivate, values["dnt"] == nil { values["dnt"] = "1" }
        if values["background"] == "1" {
            for (name, value) in [("controls", "1"), ("muted", "0"), ("loop", "0"), ("autoplay", "0")]
            where values[name] == value {
                throw .contradiction("background is autoplay and loop, muted and without controls; leave \(name) out")
            }
        }
        let qualities = EmbedPlayer.qualities
        if let least = values["min_quality"].flatMap(qualities.firstIndex),
            let most = values["max_quality"].flatMap(qualities.firstIndex), least > most
        {
            throw .contradiction("min_quality is better than max_quality")
        }
    }

    /// The player's URL with all parameters, sorted by name.
    func address(at base: String) -> String {
        var values = values
        var fragment = ""
        // Vimeo reads the start from the fragment only; PeerTube requires a unit.
        if player == .vimeo, let seconds = values.removeValue(forKey: start) { fragment = "#t=\(seconds)s" }
        if player == .peertube {
            for name in [start, finish] { values[name] = values[name].map { $0 + "s" } }
        }
        let query = values.sorted { $0.key < $1.key }.map { "\($0.key)=\(Escape.url($0.value))" }
        return base + (query.isEmpty ? "" : "?" + query.joined(separator: "&")) + fragment
    }
}
