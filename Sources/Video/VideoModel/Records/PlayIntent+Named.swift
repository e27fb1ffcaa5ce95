// What a sentence names by its address or id, so that nothing is left to search. What is easily got wrong: many a word has
// as many letters as an id, and an address may say where to begin.

import Basics

extension PlayIntent {
    /// Something to play that is known by its name.
    public enum Named: Sendable {
        /// A video; its address says where to begin, when that was said.
        case video(Video)
        /// What a channel published, by its address.
        case uploads(MediaRef)
        /// What is in a list, by its address.
        case items(MediaRef)
    }

    /// What a sentence names.
    ///
    /// Behind the play word that is the address of a video, a channel or a list of a service, any other `http` or
    /// `https` address, the one of a service in a longer text, or a bare YouTube id. Without the play word it is the
    /// address of a video, and nothing beside it.
    ///
    /// - Parameter isAsked: whether playing is wanted even without the play word.
    /// - Returns: nil when the sentence names nothing so.
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

    /// The videos of a text that is nothing but addresses of them, two at least; nil for any other.
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

    /// Whether a text has the form of a video id and can hardly be words, which are longer than the runs of letters and of
    /// digits in ids. The last character of an id holds four bits, and so is one of sixteen.
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
            // A capital belongs to the letters behind it.
            case (.lower, .upper) where previous.0 == .upper: runs += 1
            default: break
            }
            previous = (previous.1, sign)
        }
        return runs > 4 || runs == 4 && "AEIMQUYcgkosw048".utf8.contains(last)
    }
}

extension Video {
    /// The video that an address names, which says where to begin and stop.
    public init(_ ref: MediaRef) {
        self.init([
            .provider: .text(ref.provider), .id: .text(ref.id), .kind: .text("video"),
            .url: .text(ref.timedURL), .short: FieldValue(ref.short),
        ])
    }
}
