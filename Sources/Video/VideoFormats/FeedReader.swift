// Reads feeds only: Atom, RSS and JSON Feed. For callers that request a feed but may get a web page instead.

import Basics
import Markup
import VideoModel

/// Recognizes and reads feeds.
public enum FeedReader {
    /// Whether bytes start like a feed, in any supported form. The feed is not parsed and may still be invalid.
    public static func begins(_ bytes: [UInt8]) -> Bool {
        if bytes.starts(with: GzipReader.magic) { return true }
        let head = DocumentHead(bytes, isWhole: true)
        let first = head.text.first { !DocumentHead.blanks.contains($0) }
        // A JSON Feed has a version URL. Other JSON is usually an error message.
        if first == UInt8(ascii: "{") { return String(decoding: bytes, as: UTF8.self).mentions("jsonfeed.org") }
        return FeedFormat.format.recognises(head) == true
    }

    /// Whether a feed is complete: its root element, or the object of a JSON Feed, is closed. Errors inside, and
    /// content after the root element, are ignored.
    public static func isWhole(_ bytes: [UInt8]) -> Bool {
        if bytes.starts(with: GzipReader.magic) { return unpacksToTheEnd(bytes) }
        let head = DocumentHead(bytes, isWhole: true)
        if head.text.first(where: { !DocumentHead.blanks.contains($0) }) == UInt8(ascii: "{") { return isClosed(bytes) }
        guard case .root(let root) = head.beginning else { return false }
        // In UTF-16, every second byte of ASCII text is 0.
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

    /// The number of final bytes searched for the end tag. Some hosts append comments and scripts.
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

    /// Whether the brackets of a JSON document match, with only white space after them.
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

    /// A reader that accepts only feeds.
    ///
    /// - Parameters:
    ///   - base: the URL of the feed. nil if unknown.
    ///   - charset: the encoding named by the server. nil if none.
    public static func reader(base: String?, charset: String?) -> RecordReader {
        let reader = RecordReader(candidates: [JSONFeedFormat.format], documents: [FeedFormat.format], strict: false)
        reader.base = base
        reader.charset = charset
        return reader
    }

    /// The URL of the feed that a web page links to. nil if the input is not a page or has no such link.
    public static func feed(ofPage bytes: [UInt8], base: String?, charset: String?) -> String? {
        guard let reader = try? RecordReader(as: "html") else { return nil }
        reader.base = base
        reader.charset = charset
        guard let page = try? reader.all(of: bytes).first else { return nil }
        return page.extra.first { $0.name == "feed" }?.value.text
    }
}
