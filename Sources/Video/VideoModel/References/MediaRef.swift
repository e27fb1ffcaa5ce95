// Media references: the item of a video service that a URL or id names, by its syntax alone. A host must match
// completely: lookalikes (another suffix, a name before `@`, a URL inside another URL's query) are rejected.

import Basics

/// A video, channel, list or page of a video service.
public struct MediaRef: Sendable, Equatable {
    /// The service: `youtube`, `vimeo` or `peertube`.
    public let provider: String
    public let kind: Kind
    /// The service's id, percent-decoded. A handle includes its `@`.
    public let id: String
    /// Start and end of playback in seconds. nil if not given.
    public let start, finish: Int64?
    /// The playlist named together with a video, or the id of the playlist itself.
    public let list: String?
    /// The hash required for an unlisted Vimeo video, event or review.
    public let hash: String?
    /// true for a YouTube Short. nil if the URL does not tell.
    public let short: Bool?
    /// The server of a PeerTube id, with the port if it is not the default. nil for other services.
    public let host: String?
    /// The canonical URL, without time, list and tracking parameters.
    public let url: String
    /// Whether the URL is the player of a channel's live stream.
    var isBroadcast = false

    /// The kind of item. Not every service has every kind.
    public enum Kind: String, Sendable, CaseIterable {
        case video, channel, playlist
        /// YouTube: `@name`.
        case handle
        /// YouTube's legacy user names, Vimeo's users, PeerTube's accounts.
        case user
        /// YouTube: `/c/name`.
        case custom
        /// Only for Vimeo.
        case showcase, group, event, ondemand, review
    }

    public init(
        provider: String, kind: Kind, id: String, url: String, start: Int64? = nil, finish: Int64? = nil,
        list: String? = nil, hash: String? = nil, short: Bool? = nil, host: String? = nil
    ) {
        self.provider = provider
        self.kind = kind
        self.id = id
        self.url = url
        self.start = start
        self.finish = finish
        self.list = list
        self.hash = hash
        self.short = short
        self.host = host
    }

    /// Parses a URL or an id.
    ///
    /// A URL may have any form that the services and their players have used, with or without scheme, HTML-escaped or
    /// percent-encoded as a whole, or in `<angle brackets>`. An id is a bare YouTube video, channel or playlist id or a
    /// `@handle`.
    ///
    /// - Throws: `Refusal`, the reason as one sentence.
    public static func parse(_ text: String) throws(Refusal) -> MediaRef {
        try parse(text, depth: 0)
    }

    /// The maximum depth of URLs inside URLs (redirects, attributions, oEmbed).
    static let maximumDepth = 3
    /// The maximum length in UTF-8 bytes.
    package static let maximumLength = 8192

    static func parse(_ text: String, depth: Int) throws(Refusal) -> MediaRef {
        guard text.utf8.count <= maximumLength else { throw .tooLong }
        guard depth <= maximumDepth else { throw .nested }
        let text = unwrapped(text)
        if text.isEmpty { throw .notURL("") }
        if let ref = youTubeID(text) { return ref }

        let (address, scheme) = try address(text)
        guard let host = address.host, !host.isEmpty else { throw .notURL(text) }
        // No video service uses user information. Text before `@` only imitates a host.
        if address.userInformation != nil { throw .userInformation(host: host) }
        let page = Page(address, host: host.hasSuffix(".") ? String(host.dropLast()) : host, isSecure: scheme != "http")

        // Reject invalid host names: `=.youtube.com`, `evil.example%2F.youtube.com`.
        guard isServerName(page.host) else { throw .unknownHost(page.host) }
        if isYouTube(page.host) { return try youTube(page, depth: depth) }
        if vimeoHosts.contains(page.host) { return try vimeo(page, depth: depth) }
        if let ref = peerTube(page) { return ref }
        throw .unknownHost(page.host)
    }

    /// The parsed URL and its scheme, `https` if the text has none.
    private static func address(_ text: String) throws(Refusal) -> (WebAddress, scheme: String) {
        var text = text
        let name = text.utf8.prefix { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        let rest = text.utf8[name.endIndex...].dropFirst()
        let isName = name.endIndex < text.utf8.endIndex && text.utf8[name.endIndex] == UInt8(ascii: ":")
        let isPort = rest.first.map(ByteScanner.isDigit) ?? false
        if text.utf8.starts(with: "//".utf8) {
            text = "https:" + text
        } else if !isName || isPort && !appSchemes.contains(String(Substring(name)).lowercased()) {
            // Plain words are not URLs; `youtu.be/…` and `localhost:9000/…` are.
            guard name.contains(UInt8(ascii: ".")) || isPort else { throw .notURL(text) }
            text = "https://" + text
        }
        guard let address = WebAddress(text), let scheme = address.scheme else { throw .notURL(text) }
        if scheme == "http" || scheme == "https" { return (address, scheme) }
        guard appSchemes.contains(scheme) else { throw .scheme(scheme) }
        // App links of phones: `vnd.youtube:ID`, `vnd.youtube://www.youtube.com/watch?v=ID`.
        let body = text.utf8.dropFirst(scheme.utf8.count + 1).drop { $0 == UInt8(ascii: "/") }
        let target = String(Substring(body))
        let hasHost = isYouTube(WebAddress("https://" + target)?.host ?? "")
        guard let inner = WebAddress((hasHost ? "https://" : "https://youtu.be/") + target) else { throw .notURL(text) }
        return (inner, "https")
    }

    private static let appSchemes: Set<String> = ["vnd.youtube", "vnd.youtube.launch", "youtube"]

    /// Removes the wrapping of a URL in mail, HTML or other URLs.
    private static func unwrapped(_ text: String) -> String {
        func isBlank(_ scalar: Unicode.Scalar) -> Bool {
            scalar.properties.isWhitespace || scalar == "\u{FEFF}" || scalar == "\u{200B}"
        }
        var scalars = Substring(text).unicodeScalars
        func trim() {
            scalars = scalars.drop(while: isBlank)
            while let last = scalars.last, isBlank(last) { scalars.removeLast() }
        }
        trim()
        if scalars.first == "<", scalars.last == ">" {
            scalars = scalars.dropFirst().dropLast()
            // RFC 3986, appendix C.
            if String(scalars.prefix(4)).lowercased() == "url:" { scalars = scalars.dropFirst(4) }
            trim()
        }
        var result = String(scalars)
        for _ in 0..<maximumDepth where isEncodedWhole(result) { result = WebAddress.decode(result) }
        for _ in 0..<maximumDepth {
            guard let plain = withoutAmpersandEntities(result) else { break }
            result = plain
        }
        return result
    }

    /// Whether the first `:` or `/` of a URL is percent-encoded: `https%3A%2F%2F…`.
    private static func isEncodedWhole(_ text: String) -> Bool {
        let rest = text.utf8.drop { !":/?#%&".utf8.contains($0) }.prefix(3)
        return ["%3a", "%2f", "%25"].contains(String(Substring(rest)).lowercased())
    }

    /// The text with `&amp;` and its numeric forms replaced by `&`. nil if there are none.
    private static func withoutAmpersandEntities(_ text: String) -> String? {
        let entities = ["amp;", "#38;", "#038;", "#x26;"].map { Array($0.utf8) }
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        var found = false
        while let byte = rest.popFirst() {
            bytes.append(byte)
            guard byte == UInt8(ascii: "&"),
                let entity = entities.first(where: {
                    rest.prefix($0.count).map { $0 | 0x20 }.elementsEqual($0)
                })
            else { continue }
            rest = rest.dropFirst(entity.count)
            found = true
        }
        return found ? String(decoding: bytes, as: UTF8.self) : nil
    }
}

// MARK: - Addresses

extension MediaRef {
    /// The short URL for sharing. nil if the service has none.
    public var shortURL: String? {
        provider == "youtube" && kind == .video ? "https://youtu.be/\(id)" : nil
    }

    /// The URL with the start time and the end time, in the service's parameters.
    public var timedURL: String {
        let mark = url.utf8.contains(UInt8(ascii: "?")) ? "&" : "?"
        let end = finish.map { "\($0)" }
        switch provider {
        case _ where kind != .video || start == nil && finish == nil: return url
        case "youtube":
            let times = [start.map { "t=\($0)s" }, end.map { "end=\($0)" }].compactMap(\.self)
            return url + mark + times.joined(separator: "&")
        case "peertube":
            let times = [start.map { "start=\($0)s" }, end.map { "stop=\($0)s" }].compactMap(\.self)
            return url + mark + times.joined(separator: "&")
        default:
            return url + (end.map { "\(mark)end=\($0)" } ?? "") + (start.map { "#t=\($0)s" } ?? "")
        }
    }

    /// The player URL for embedding, without options. nil if there is none.
    public var embedURL: String? {
        switch (provider, kind) {
        case ("youtube", .video): "https://www.youtube-nocookie.com/embed/\(id)"
        case ("youtube", .playlist): "https://www.youtube-nocookie.com/embed/videoseries?list=\(id)"
        case ("vimeo", .video): "https://player.vimeo.com/video/\(id)" + (hash.map { "?h=\($0)" } ?? "")
        case ("vimeo", .showcase): "\(url)/embed"
        case ("vimeo", .event): "https://vimeo.com/event/\(id)/embed" + (hash.map { "/\($0)" } ?? "")
        case ("peertube", .video): Self.peerTubeEmbed(self, path: "/videos/embed/")
        case ("peertube", .playlist): Self.peerTubeEmbed(self, path: "/video-playlists/embed/")
        default: nil
        }
    }

    /// A thumbnail that every YouTube video has (JPEG, 480x360 pixels). nil for other items, whose thumbnail URLs only
    /// the service knows.
    public var thumbnailURL: String? {
        provider == "youtube" && kind == .video ? "https://i.ytimg.com/vi/\(id)/hqdefault.jpg" : nil
    }
}
