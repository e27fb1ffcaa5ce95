// Feeds alone: Atom, RSS and JSON Feed, for whoever asked an address for a feed and may have got a page instead.

import Basics
import Markup
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

    /// Whether a feed goes on to its end: whether its outermost element, or a JSON Feed's object, is closed. One that was
    /// cut off on its way is not. What is broken inside does not count, nor what stands behind the end.
    public static func isWhole(_ bytes: [UInt8]) -> Bool {
        if bytes.starts(with: GzipReader.magic) { return unpacksToTheEnd(bytes) }
        let head = DocumentHead(bytes, isWhole: true)
        if head.text.first(where: { !DocumentHead.blanks.contains($0) }) == UInt8(ascii: "{") { return isClosed(bytes) }
        guard case .root(let root) = head.beginning else { return false }
        // Of UTF-16, ASCII is every second byte.
        let text = bytes.suffix(tail).filter { $0 != 0 }
        var rest = text[...]
        while let place = rest.lastIndex(of: UInt8(ascii: "<")) {
            var name = text[(place + 1)...]
            let isEnd = name.first == UInt8(ascii: "/")
            if isEnd { name = name.dropFirst() }
            name = name.prefix { $0 > 0x20 && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/") }
            let local = name.split(separator: UInt8(ascii: ":")).last ?? name
            if String(decoding: local, as: UTF8.self).lowercased() == root.name {
                guard let close = text[place...].firstIndex(of: UInt8(ascii: ">")) else { return false }
                return isEnd || text[close - 1] == UInt8(ascii: "/")
            }
            rest = text[..<place]
        }
        return false
    }

    /// Bytes in which the end must stand; hosts append remarks and scripts of their own.
    private static let tail = 32 << 10

    private static func unpacksToTheEnd(_ bytes: [UInt8]) -> Bool {
        guard let reader = GzipReader() else { return false }
        reader.feed(bytes)
        var made = 0
        do throws(GzipReader.Fault) {
            while let block = try reader.next() {
                made += block.count
                if made > MarkupTree.largest { return false }
            }
            try reader.finish()
            return true
        } catch {
            return false
        }
    }

    /// Whether the brackets of a JSON document match, and nothing follows them.
    private static func isClosed(_ bytes: [UInt8]) -> Bool {
        var depth = 0
        var isText = false
        var isEscaped = false
        var end: Int?
        for (index, byte) in bytes.enumerated() {
            if end != nil, !DocumentHead.blanks.contains(byte) { return false }
            if isText {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isText = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isText = true
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth == 0 { end = index }
            default: break
            }
        }
        return end != nil
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
