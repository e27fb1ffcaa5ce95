// Videos, channels and lists that a chat message names by URL or id, so that no search is needed. Many words have the
// form of a YouTube id, so a bare id must also look random.

import Basics

extension PlayIntent {
    /// An item to play, named by URL or id.
    public enum Named: Sendable {
        /// A video. Its URL includes the start time, if one was given.
        case video(Video)
        /// The uploads of a channel.
        case uploads(MediaRef)
        /// The items of a list.
        case items(MediaRef)
    }

    /// Finds the item that a message names.
    ///
    /// After the word "play" this may be the URL of a video, channel or list of a service, any other `http` or `https`
    /// URL, one URL of a service within a longer text, or a bare YouTube id. Without "play" the message must be the URL
    /// of a video and nothing else.
    ///
    /// - Parameter isAsked: whether playback is requested even without the word "play".
    /// - Returns: nil if the message names no item.
    public static func named(in text: String, isAsked: Bool = false) -> Named? {
        let subject = subject(of: text)
        let wantsPlay = isAsked || subject != nil
        var address = subject ?? text
        let words = address.split(whereSeparator: \.isWhitespace)
        switch words.count {
        case 0: return nil
        case 1: address = String(words[0])
        default:
            let links = wantsPlay ? Text.links(address) : []
            guard links.count == 1 else { return nil }
            address = links[0].url
        }
        let isAddress = address.utf8.contains { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: ":") }
        guard isAddress || wantsPlay && isEvidentID(address) else { return nil }
        if let ref = try? MediaRef.parse(address) {
            switch (ref.provider, ref.kind) {
            case (_, .video): return .video(Video(ref))
            case _ where !wantsPlay: return nil
            case ("youtube", .channel), ("youtube", .handle), ("youtube", .user), ("vimeo", .user): return .uploads(ref)
            case ("youtube", .playlist), ("vimeo", .channel), ("vimeo", .group), ("vimeo", .showcase):
                return .items(ref)
            default: break
            }
        }
        guard wantsPlay, words.count == 1, let page = Escape.webAddress(address),
            WebAddress(page)?.userInformation == nil
        else {
            return nil
        }
        return .video(Video([.provider: .text("web"), .kind: .text("video"), .url: .text(page)]))
    }

    /// The videos of a message that consists only of video URLs, at least two. nil for any other message.
    public static func videos(in text: String) -> [Video]? {
        let words = (subject(of: text) ?? text).split(whereSeparator: \.isWhitespace).map(String.init)
        guard words.count > 1 else { return nil }
        let videos = words.compactMap { word -> Video? in
            guard word.utf8.contains(UInt8(ascii: "/")), case .video(let video)? = named(in: word, isAsked: true) else {
                return nil
            }
            return video
        }
        return videos.count == words.count ? videos : nil
    }

    /// Whether a text is a valid YouTube video id and unlikely to be a word. Ids alternate more often between upper
    /// case, lower case and digits. The last character of an id encodes four bits, so it is one of 16.
    private static func isEvidentID(_ text: String) -> Bool {
        guard MediaRef.isYouTubeVideoID(text), let last = text.utf8.last else { return false }
        enum Sign { case upper, lower, digit, other }
        var runs = 0
        var previous = (Sign.other, Sign.other)
        for byte in text.utf8 {
            let sign: Sign =
                ByteScanner.isDigit(byte)
                ? .digit : !ByteScanner.isLetter(byte) ? .other : byte & 0x20 == 0 ? .upper : .lower
            switch (sign, previous.1) {
            case (.digit, let before) where before != .digit: runs += 1
            case (.upper, let before) where before != .upper: runs += 1
            case (.lower, .digit), (.lower, .other): runs += 1
            // A capital and the lower-case letters after it are one run.
            case (.lower, .upper) where previous.0 == .upper: runs += 1
            default: break
            }
            previous = (previous.1, sign)
        }
        return runs > 4 || runs == 4 && "AEIMQUYcgkosw048".utf8.contains(last)
    }
}

extension Video {
    /// A video from a reference. Its URL includes the start and end times.
    public init(_ ref: MediaRef) {
        self.init([
            .provider: .text(ref.provider), .id: .text(ref.id), .kind: .text("video"),
            .url: .text(ref.timedURL), .short: FieldValue(ref.short),
        ])
    }
}
