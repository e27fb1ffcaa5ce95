// Finds the URL of a player. A video whose player would only show an error has none.

import Basics

/// The URL of the player without options, or the reason why there is none.
enum EmbedPlace {
    /// The player, its base URL, and the parameters that select the video.
    case player(EmbedPlayer, String, [String: String])
    /// Why there is no player, as a sentence.
    case none(String)

    var reason: String? { if case .none(let sentence) = self { sentence } else { nil } }

    init(_ ref: MediaRef, _ video: Video?, _ options: Embed.Options) {
        if let reason = video.flatMap(Self.reason) {
            self = .none(reason)
            return
        }
        switch EmbedPlayer(rawValue: ref.provider) {
        case .youtube: self = Self.youTube(ref, options)
        case .vimeo: self = Self.vimeo(ref, video)
        case .peertube: self = Self.framed(ref, .peertube)
        case nil: self = .none("It is of no service whose player is known.")
        }
    }

    /// Why a video cannot be embedded. nil if the record gives no reason.
    static func reason(_ video: Video) -> String? {
        switch video[.availability].text {
        case "private": return "It is private: only people whom its owner chose can watch it."
        case "deleted": return "It was deleted."
        case "removed": return "The service took it down, or its upload failed."
        case "adults": return adultsOnly
        default: break
        }
        if video[.embeddable].bool == false { return "Its owner lets it play on the service's own page only." }
        if video[.regions]["allowed"].list?.isEmpty == true { return "It plays in no country." }
        return (video[.raw]["age_limit"].integer ?? 0) >= 18 ? adultsOnly : nil
    }

    private static let adultsOnly = "It is for adults: it plays on the service's own page only, after a login."

    private static func youTube(_ ref: MediaRef, _ options: Embed.Options) -> EmbedPlace {
        let base = options.isPrivate ? "https://www.youtube-nocookie.com/embed" : "https://www.youtube.com/embed"
        switch ref.kind {
        case .video: return .player(.youtube, "\(base)/\(ref.id)", [:])
        case .playlist: return .player(.youtube, "\(base)/videoseries", ["list": ref.id])
        case .user: return .player(.youtube, base, ["listType": "user_uploads", "list": ref.id])
        case .channel:
            if options.isLive || ref.isBroadcast {
                return .player(.youtube, "\(base)/live_stream", ["channel": ref.id])
            }
            // The id of the uploads playlist derives from the channel id.
            return .player(.youtube, "\(base)/videoseries", ["list": "UU" + ref.id.dropFirst(2)])
        default:
            return .none("Players know a channel by its id (UC and 22 characters), not by its name.")
        }
    }

    private static func vimeo(_ ref: MediaRef, _ video: Video?) -> EmbedPlace {
        if ref.kind == .video, ref.hash == nil, video?[.availability].text == "unlisted" {
            return .none("It is unlisted: its player needs the address with the hash behind the number.")
        }
        return framed(ref, .vimeo)
    }

    private static func framed(_ ref: MediaRef, _ player: EmbedPlayer) -> EmbedPlace {
        guard let url = ref.embedURL else { return .none("The service has no player for a \(ref.kind.rawValue).") }
        guard let mark = url.utf8.firstIndex(of: UInt8(ascii: "?")) else { return .player(player, url, [:]) }
        // The query holds the hash of an unlisted video.
        return .player(player, String(url[..<mark]), ["h": String(url[mark...].dropFirst(3))])
    }
}

extension Video {
    /// Whether the video is not public any more: private, deleted or removed.
    package var isGone: Bool { ["private", "deleted", "removed"].contains(self[.availability].text ?? "") }
}
