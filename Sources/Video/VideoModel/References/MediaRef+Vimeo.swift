// Vimeo URLs. Ids of videos, events and showcases are all numbers, so the word before a number decides what it is. An
// unlisted video needs its hash.

import Basics

extension MediaRef {
    package static let vimeoHosts: Set<String> = [
        "vimeo.com", "www.vimeo.com", "player.vimeo.com", "www.player.vimeo.com", "vimeopro.com", "www.vimeopro.com",
    ]

    /// Whether a text is a valid Vimeo id: 1 to 19 digits.
    static func isVimeoID(_ text: String) -> Bool {
        (1...19).contains(text.utf8.count) && text.utf8.allSatisfy(ByteScanner.isDigit)
    }

    /// The hash of an unlisted video: ten hexadecimal digits. 8 to 40 are accepted.
    private static func isHash(_ text: String) -> Bool {
        (8...40).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                ByteScanner.isDigit($0) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0 | 0x20)
            }
    }

    /// `ID`, or `ID:HASH` as in Vimeo's API. nil if it is neither.
    static func vimeoPair(_ text: String) -> (id: String, hash: String?)? {
        let halves = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let id = halves.first, isVimeoID(id), halves.count == 1 || isHash(halves[1]) else { return nil }
        return (id, halves.count == 1 ? nil : halves[1])
    }

    static func vimeo(_ page: Page, depth: Int) throws(Refusal) -> MediaRef {
        try page.requireUsualPort()
        let parts = page.segments
        func part(_ index: Int) -> String? { index < parts.count ? parts[index] : nil }

        guard let first = parts.first else { throw .nothingNamed(page.name) }
        if let (id, hash) = vimeoPair(first) { return vimeoVideo(id, hash: hash ?? part(1), page) }
        // `/channels/x/ID`, `/groups/x/videos/ID`, `/showcase/x/video/ID`, `/video/ID`, and the API's `/videos/ID`.
        if let word = parts.firstIndex(where: { $0 == "video" || $0 == "videos" }), let named = part(word + 1) {
            if let (id, hash) = vimeoPair(named) { return vimeoVideo(id, hash: hash ?? part(word + 2), page) }
        }
        // A page for reviewers is about one video.
        if parts.count >= 3, parts[1] == "review", let (id, hash) = vimeoPair(parts[2]) {
            return vimeoVideo(id, hash: hash ?? part(3), page)
        }
        switch first {
        case "channels":
            if let id = part(2), isVimeoID(id) { return vimeoVideo(id, hash: part(3), page) }
            if let name = part(1) { return vimeoPage(.channel, name, under: "channels") }
        case "groups":
            if let name = part(1) { return vimeoPage(.group, name, under: "groups") }
        case "showcase", "album":
            if let name = part(1) { return vimeoPage(.showcase, name, under: "showcase") }
        case "event":
            guard let id = part(1), isVimeoID(id) else { break }
            return vimeoPage(.event, id, under: "event", hash: parts.dropFirst(2).first(where: isHash))
        case "ondemand":
            if let id = part(2), isVimeoID(id) { return vimeoVideo(id, hash: nil, page) }
            if let name = part(1) { return vimeoPage(.ondemand, name, under: "ondemand") }
        case "m":
            if let id = part(1), isVimeoID(id) { return vimeoVideo(id, hash: part(2), page) }
        case "api":
            if part(1)?.hasPrefix("oembed") == true, let inner = page.nested("url") {
                return try parse(inner, depth: depth + 1)
            }
        default:
            // The Flash player: `moogaloop.swf?clip_id=ID`.
            if let id = page.value("clip_id"), isVimeoID(id) { return vimeoVideo(id, hash: nil, page) }
            let isUser = parts.count == 1 || parts.count == 2 && ["videos", "about"].contains(parts[1])
            if isUser, page.host.hasSuffix("vimeo.com"), !page.host.mentions("player"), isVimeoName(first) {
                return vimeoPage(.user, first, under: nil)
            }
        }
        throw .nothingNamed(page.name)
    }

    private static func vimeoVideo(_ id: String, hash: String?, _ page: Page) -> MediaRef {
        let hash = [hash, page.value("h")].lazy.compactMap { $0 }.first(where: isHash)
        return MediaRef(
            provider: "vimeo", kind: .video, id: id, url: "https://vimeo.com/\(id)" + (hash.map { "/" + $0 } ?? ""),
            start: page.start, finish: page.finish, hash: hash)
    }

    private static func vimeoPage(_ kind: Kind, _ name: String, under word: String?, hash: String? = nil) -> MediaRef {
        let path = [word, Escape.url(name), hash].compactMap { $0 }.joined(separator: "/")
        return MediaRef(provider: "vimeo", kind: kind, id: name, url: "https://vimeo.com/" + path, hash: hash)
    }

    /// Whether a text is a user name: letters, digits, `-` and `_`, and not one of Vimeo's own pages.
    private static func isVimeoName(_ text: String) -> Bool {
        text.utf8.allSatisfy {
            ByteScanner.isLetter($0) || ByteScanner.isDigit($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
        } && !vimeoOwnPages.contains(text.lowercased())
    }

    private static let vimeoOwnPages: Set<String> = [
        "about", "albums", "analytics", "api", "apps", "blog", "categories", "channels", "cookie_policy", "create",
        "creatives", "enterprise", "events", "everywhere", "explore", "features", "folders", "forums", "groups", "help",
        "home", "jobs", "join", "likes", "live", "log_in", "login", "manage", "moogaloop", "music", "ondemand",
        "partners", "pricing", "privacy", "professionals", "search", "settings", "showcase", "site_map", "solutions",
        "staffpicks", "stats", "stock", "store", "terms", "tools", "upgrade", "upload", "video", "videos", "watch",
        "watchlater",
    ]
}
