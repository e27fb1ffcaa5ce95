// YouTube URLs. `videoseries` and `live_stream` have 11 characters like a video id but are not ids: embed URLs use them
// for a playlist and for a channel's live stream.

import Basics

extension MediaRef {
    /// Whether a text has the form of a video id: 11 of `A-Z a-z 0-9 - _`.
    public static func isYouTubeVideoID(_ text: String) -> Bool {
        text.utf8.count == 11 && text.utf8.allSatisfy(isIDByte) && text != "videoseries" && text != "live_stream"
    }

    /// Whether a text has the form of a channel id: `UC` and 22 more characters.
    public static func isYouTubeChannelID(_ text: String) -> Bool {
        text.utf8.count == 24 && text.hasPrefix("UC") && text.utf8.allSatisfy(isIDByte)
    }

    /// Whether a text may be a playlist id, of any length: `PL…`, `UU…`, `RD…`, `OLAK5uy_…`, `WL`.
    public static func isYouTubeListID(_ text: String) -> Bool {
        (2...100).contains(text.utf8.count) && text.utf8.allSatisfy(isIDByte)
    }

    /// Domains of YouTube, including their subdomains: `www.`, `m.`, `music.`, `i1.` …
    private static let youTubeDomains = ["youtube.com", "youtube-nocookie.com", "youtubekids.com", "ytimg.com"]
    private static let youTubeHosts: Set<String> = ["youtu.be", "www.youtu.be", "youtube.googleapis.com"]

    package static func isYouTube(_ host: String) -> Bool {
        youTubeHosts.contains(host) || youTubeDomains.contains { host == $0 || host.hasSuffix("." + $0) }
    }

    /// The reference of a bare id. Playlist ids must have a known prefix, since any word could be one.
    static func youTubeID(_ text: String) -> MediaRef? {
        if isYouTubeVideoID(text) { return video(text) }
        if isYouTubeChannelID(text) { return channel(text) }
        if isHandle(text) { return named(.handle, text) }
        let prefixes = ["PL", "UU", "LL", "FL", "RD", "OLAK5uy_"]
        guard text.utf8.count >= 13, isYouTubeListID(text), prefixes.contains(where: text.hasPrefix) else { return nil }
        return playlist(text)
    }

    static func youTube(_ page: Page, depth: Int) throws(Refusal) -> MediaRef {
        try page.requireUsualPort()
        let first = page.segments.first ?? ""
        let second = page.segments.count > 1 ? page.segments[1] : nil

        if page.host == "youtu.be" || page.host == "www.youtu.be", page.segments.count == 1 || isYouTubeVideoID(first),
            !youTubePages.contains(first)
        {
            return try video(first, page)
        }
        if page.host.hasSuffix("ytimg.com") || page.host.hasPrefix("img.") {
            guard ["vi", "vi_webp", "an", "an_webp", "sb"].contains(first), let second else {
                throw .nothingNamed(page.name)
            }
            return try video(second, page)
        }
        // The cookie consent page for European visitors.
        if page.host.hasPrefix("consent."), let inner = page.nested("continue") {
            return try parse(inner, depth: depth + 1)
        }
        if first.hasPrefix("@") {
            guard isHandle(first) else { throw .id("a YouTube handle", first) }
            return named(.handle, first)
        }
        switch first {
        case "":
            if let id = page.value("v", "vi") { return try video(id, page) }
        case "watch", "watch_popup", "details", "ytscreeningroom":
            if let id = page.value("v", "vi") ?? second { return try video(id, page) }
            if let list = page.value("list") { return try self.list(list) }
        case "shorts", "live", "v", "e", "vi", "vi_webp", "w":
            if let second { return try video(second, page, short: first == "shorts" ? true : nil) }
        case "embed":
            return try embedded(second, page)
        case "playlist":
            if let list = page.value("list") { return try self.list(list) }
        case "browse":
            if let second, second.hasPrefix("VL") { return try self.list(String(second.dropFirst(2))) }
            if let second, isYouTubeChannelID(second) { return channel(second) }
        case "channel":
            if let second { return try channel(checked: second) }
        case "user":
            // Channel URLs of 2010 have the video in the fragment: `#p/u/1/ID`.
            if let place = page.address.fragment, place.hasPrefix("p/"), let id = place.split(separator: "/").last {
                return try video(String(id.prefix { $0 != "?" && $0 != "&" }), page)
            }
            if let second { return named(.user, second) }
        case "c":
            if let second { return named(.custom, second) }
        case "feeds":
            return try feed(page)
        default:
            if let names = redirects[first], let inner = page.nested(names) {
                return try parse(inner, depth: depth + 1)
            }
        }
        throw .nothingNamed(page.name)
    }

    /// Pages that lead to another one, and the parameters that contain its URL.
    private static let redirects: [String: [String]] = [
        "attribution_link": ["u"], "redirect": ["q", "url"], "oembed": ["url"], "signin": ["next", "continue"],
        "login": ["next"], "logout": ["next"], "ServiceLogin": ["continue", "next"],
        "verify_age": ["next_url", "next"],
        "verify_controversy": ["next_url", "next"], "das_captcha": ["next"], "supported_browsers": ["next_url"],
        "index": ["desktop_uri", "next"], "create_channel": ["next"], "set_awesome": ["next"], "oops": ["next"],
        "blocked": ["next_url"],
    ]

    /// Path segments of YouTube pages that also exist on `youtu.be`, where they are not ids.
    private static let youTubePages: Set<String> = ["watch", "playlist", "shorts", "embed", "live", "oembed"]

    private static func embedded(_ id: String?, _ page: Page) throws(Refusal) -> MediaRef {
        if id == "live_stream", let owner = page.value("channel") {
            var ref = try channel(checked: owner)
            ref.isBroadcast = true
            return ref
        }
        if let id, id != "videoseries", id != "live_stream" { return try video(id, page) }
        guard let list = page.value("list") else { throw .nothingNamed(page.name) }
        return page.value("listType") == "user_uploads" ? named(.user, list) : try self.list(list)
    }

    /// `feeds/videos.xml`, and `feeds/api/videos/ID` of the API that was shut down in 2015.
    private static func feed(_ page: Page) throws(Refusal) -> MediaRef {
        if page.segments.count > 3, page.segments[1] == "api", page.segments[2] == "videos" {
            return try video(page.segments[3], page)
        }
        if let owner = page.value("channel_id") { return try channel(checked: owner) }
        if let list = page.value("playlist_id") { return try self.list(list) }
        if let user = page.value("user") { return named(.user, user) }
        throw .nothingNamed(page.name)
    }

    // MARK: References

    private static func video(_ id: String, _ page: Page, short: Bool? = nil) throws(Refusal) -> MediaRef {
        guard isYouTubeVideoID(id) else { throw .videoID(id) }
        // Players loop a single video by passing it as its own list.
        let list = page.value("list").flatMap { $0 != id && isYouTubeListID($0) ? $0 : nil }
        return video(id, start: page.start, finish: page.finish, list: list, short: short)
    }

    private static func video(
        _ id: String, start: Int64? = nil, finish: Int64? = nil, list: String? = nil, short: Bool? = nil
    ) -> MediaRef {
        MediaRef(
            provider: "youtube", kind: .video, id: id, url: "https://www.youtube.com/watch?v=\(id)", start: start,
            finish: finish, list: list, short: short)
    }

    private static func channel(_ id: String) -> MediaRef {
        MediaRef(provider: "youtube", kind: .channel, id: id, url: "https://www.youtube.com/channel/\(id)")
    }

    private static func channel(checked id: String) throws(Refusal) -> MediaRef {
        guard isYouTubeChannelID(id) else { throw .id("a YouTube channel id (UC and 22 characters)", id) }
        return channel(id)
    }

    private static func playlist(_ id: String) -> MediaRef {
        MediaRef(
            provider: "youtube", kind: .playlist, id: id, url: "https://www.youtube.com/playlist?list=\(id)", list: id)
    }

    private static func list(_ id: String) throws(Refusal) -> MediaRef {
        guard isYouTubeListID(id) else { throw .id("a YouTube playlist id", id) }
        return playlist(id)
    }

    private static func named(_ kind: Kind, _ name: String) -> MediaRef {
        let encoded = Escape.url(name)
        let path =
            switch kind {
            case .handle: "@" + Escape.url(String(name.dropFirst()))
            case .user: "user/" + encoded
            default: "c/" + encoded
            }
        return MediaRef(provider: "youtube", kind: kind, id: name, url: "https://www.youtube.com/" + path)
    }

    /// Whether a text is a handle: `@` and up to 30 letters of any script, digits, `_`, `-`, `.` or `·`.
    private static func isHandle(_ text: String) -> Bool {
        let name = text.unicodeScalars.dropFirst()
        return text.utf8.first == UInt8(ascii: "@") && (1...30).contains(name.count)
            && name.allSatisfy { scalar in
                scalar.isASCII
                    ? ByteScanner.isLetter(UInt8(scalar.value)) || ByteScanner.isDigit(UInt8(scalar.value))
                        || scalar == "_" || scalar == "-" || scalar == "."
                    : scalar.properties.isXIDContinue || scalar == "\u{B7}"
            }
    }

    private static func isIDByte(_ byte: UInt8) -> Bool {
        ByteScanner.isLetter(byte) || ByteScanner.isDigit(byte) || byte == UInt8(ascii: "-")
            || byte == UInt8(ascii: "_")
    }
}
