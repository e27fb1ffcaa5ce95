// Sources of records other than a search or a record file: feeds, channels, playlists, and files that list them. Trap:
// a list file is untrusted, so a separate run parses it like any input. Its entries then count as named by the user, as
// on the command line.

import Basics
import HostErrors
import VideoModel
import VideoServices

/// One place named by `--from`.
public enum FeedSource: Sendable, Equatable {
    /// A feed of `http` or `https`.
    case feed(WebAddress)
    /// A page to preview.
    case page(WebAddress)
    case channel(String)
    case playlist(String)
    /// A file that lists origins: OPML, a table of subscriptions, or text with one origin a line.
    case list(String)

    /// The address to request unchanged.
    package var address: WebAddress? {
        switch self {
        case .feed(let address), .page(let address): address
        case .channel, .playlist, .list: nil
        }
    }

    /// The reference to look up at a service.
    package var reference: String? {
        switch self {
        case .channel(let text), .playlist(let text): text
        case .feed, .page, .list: nil
        }
    }

    /// Its name in messages and in `found_in`.
    package var name: String {
        switch self {
        case .feed(let address), .page(let address): address.description
        case .channel(let text): "channel:\(text)"
        case .playlist(let text): "playlist:\(text)"
        case .list(let path): path
        }
    }

    /// Reads `feed:URL`, `channel:REF`, `playlist:REF`, a bare URL, or the name of a file.
    ///
    /// - Throws: `.usage` with the reason.
    public init(_ text: String) throws(HostError) {
        if let origin = try Self.named(text) {
            self = origin
        } else if text.isEmpty {
            throw .usage("--from needs an origin", hint: Self.forms)
        } else {
            self = .list(text)
        }
    }

    /// A page. The scheme may be omitted.
    ///
    /// - Throws: `.usage` if it is not a valid address.
    public static func page(_ text: String) throws(HostError) -> FeedSource {
        let hasScheme = text.mentions("://")
        return .page(try address(hasScheme ? text : "https://" + text))
    }

    /// The accepted forms of a line in a list.
    package static let lineForms =
        "feed:URL, page:URL, channel:REF, playlist:REF, an address, or a channel's or playlist's id"

    fileprivate static let forms =
        "feed:URL, page:URL, channel:REF, playlist:REF, or the name of a file that lists them"

    /// nil unless the text has the form of an origin other than a file.
    private static func named(_ text: String) throws(HostError) -> FeedSource? {
        for (prefix, make) in [("channel:", FeedSource.channel), ("playlist:", FeedSource.playlist)]
        where text.hasPrefix(prefix) {
            let reference = String(text.dropFirst(prefix.count))
            guard !reference.isEmpty else { throw .usage("--from \(prefix) names nothing", hint: forms) }
            return remote(reference) ?? make(reference)
        }
        let lower = text.prefix(8).lowercased()
        if lower.hasPrefix("feed:") { return .feed(try address(String(text.dropFirst(5)))) }
        if lower.hasPrefix("page:") { return try page(String(text.dropFirst(5))) }
        if lower.hasPrefix("http://") || lower.hasPrefix("https://") { return .feed(try address(text)) }
        return nil
    }

    /// `feed://…` is an old scheme for subscribing to feeds.
    private static func address(_ text: String) throws(HostError) -> WebAddress {
        let text = text.hasPrefix("//") ? "http:" + text : text
        guard var address = WebAddress(text), address.scheme == "http" || address.scheme == "https",
            HostPattern(address) != nil
        else { throw .usage("--from: '\(text)' is no http or https address", hint: forms) }
        guard address.userInformation == nil else {
            throw .usage("--from: an address with a login in it is not asked")
        }
        address.fragment = nil
        return address
    }

    /// The feed of a channel or account on a PeerTube server. The server itself provides it.
    private static func remote(_ text: String) -> FeedSource? {
        guard let ref = try? MediaRef.parse(text), ref.provider == "peertube", let host = ref.host,
            let name: String = ref.kind == .channel ? "videoChannelName" : ref.kind == .user ? "accountName" : nil,
            var address = WebAddress(ref.url)
        else { return nil }
        address.host = host.split(separator: ":").first.map(String.init)
        address.path = "/feeds/videos.xml"
        address.query = "\(name)=\(Escape.url(ref.id))"
        return .feed(address)
    }

    // MARK: Lists

    /// The origin that a record describes in a list; nil if it is not a feed, a channel or a playlist.
    package init?(_ record: Video) {
        if let feed = record.extra.first(where: { $0.name == "feed" })?.value.text {
            guard let address = try? Self.address(feed) else { return nil }
            self = .feed(address)
            return
        }
        guard let reference = record.id ?? record.url else { return nil }
        switch record.kind {
        case .channel where record.provider ?? YouTubeService.name == YouTubeService.name:
            self = .channel(reference)
        case .channel:
            guard let feed = record.url.flatMap(Self.remote) else { return nil }
            self = feed
        case .playlist: self = .playlist(reference)
        case .video, .page: return nil
        }
    }

    /// The form that `init(_:)` reads.
    package var line: String {
        switch self {
        case .feed(let address): "feed:\(address)"
        case .page(let address): "page:\(address)"
        case .channel, .playlist, .list: name
        }
    }

    /// Why a line of a list is not an origin.
    package struct BadLine {
        /// From 1.
        package var number: Int
        package var reason: String
    }

    /// Reads lines: each an origin, or a bare id, handle or address. `#` begins a comment. A bad line does not affect
    /// the others.
    package static func lines(_ text: String) -> (origins: [FeedSource], bad: [BadLine]) {
        var origins: [FeedSource] = []
        var bad: [BadLine] = []
        let text = text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let words = line.split(whereSeparator: \.isWhitespace)
            guard let word = words.first, word.first != "#" else { continue }
            guard words.count == 1 || words[1].first == "#" else {
                bad.append(.init(number: index + 1, reason: "a line names one origin: \(lineForms)"))
                continue
            }
            do throws(HostError) {
                origins.append(try bare(String(word)))
            } catch {
                bad.append(.init(number: index + 1, reason: error.report?.message ?? "it cannot be read"))
            }
        }
        return (origins, bad)
    }

    private static func bare(_ word: String) throws(HostError) -> FeedSource {
        if let ref = try? MediaRef.parse(word), ref.provider == "youtube" {
            switch ref.kind {
            case .channel, .handle, .user, .custom: return .channel(word)
            case .playlist: return .playlist(word)
            default: break
            }
        }
        if let ref = try? MediaRef.parse(word), ref.provider == "vimeo" {
            switch ref.kind {
            case .user: return .channel(word)
            case .channel, .group, .showcase: return .playlist(word)
            default: break
            }
        }
        guard let origin = try named(word) else {
            throw .usage("'\(word)' is neither an address, a channel nor a playlist", hint: lineForms)
        }
        return origin
    }
}
