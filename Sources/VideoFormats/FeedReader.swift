// Feeds alone: Atom, RSS and JSON Feed, for whoever asked an address for a feed and may have got a page instead.

import VideoModel

/// Tells feeds from other answers, and reads them.
public enum FeedReader {
    /// Whether bytes begin as a feed does, in any form that is read. Nothing is parsed: a feed may still turn out to be
    /// broken.
    public static func begins(_ bytes: [UInt8]) -> Bool {
        if bytes.starts(with: GzipReader.magic) { return true }
        let head = DocumentHead(bytes, isWhole: true)
        let first = head.text.first { !DocumentHead.blanks.contains($0) }
        // A JSON Feed names its version by an address; other JSON is an error message, as a rule.
        if first == UInt8(ascii: "{") { return String(decoding: bytes, as: UTF8.self).mentions("jsonfeed.org") }
        return FeedFormat.format.recognises(head) == true
    }

    /// A reader of feeds and of nothing else.
    ///
    /// - Parameters:
    ///   - base: where the feed came from.
    ///   - charset: the encoding that its sender named.
    public static func reader(base: String?, charset: String?) -> RecordReader {
        let reader = RecordReader(candidates: [JSONFeedFormat.format], documents: [FeedFormat.format], strict: false)
        reader.base = base
        reader.charset = charset
        return reader
    }

    /// The feed that a page says it has; nil when it is no page, or has none.
    public static func feed(ofPage bytes: [UInt8], base: String?, charset: String?) -> String? {
        guard let reader = try? RecordReader(as: "html") else { return nil }
        reader.base = base
        reader.charset = charset
        guard let page = try? reader.all(of: bytes).first else { return nil }
        return page.extra.first { $0.name == "feed" }?.value.text
    }
}
