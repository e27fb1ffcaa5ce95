// Reads oEmbed replies in both formats (https://oembed.com, 2.3.4): JSON, and XML with elements named like the JSON
// members.

import Basics
import JSON
import Markup
import VideoModel

public enum OEmbedReader {
    /// The record of an oEmbed reply. nil if the bytes are not one.
    ///
    /// - Parameters:
    ///   - charset: the encoding named by the server. nil if none.
    ///   - isAnnounced: whether a page links to it as oEmbed. Otherwise it must be recognizable as such.
    public static func read(_ bytes: [UInt8], charset: String? = nil, isAnnounced: Bool = true) -> Video? {
        let read = { (bytes: [UInt8]) in
            try? RecordReader(isAnnounced ? OEmbedFormat.named : OEmbedFormat.format).all(of: bytes).first
        }
        guard bytes.first(where: { $0 > 0x20 }) == UInt8(ascii: "<") || bytes.starts(with: [0xEF, 0xBB, 0xBF]) else {
            return read(bytes)
        }
        guard let tree = try? MarkupTree.lenientXML(bytes, charset: charset),
            tree.root.name.local.lowercased() == "oembed"
        else { return read(bytes) }
        var members: [FieldValue.Member] = []
        for child in tree.root.children where members.count < 64 {
            let text = MarkupText.line(child.text)
            let isCount = ["width", "height", "duration", "video_id"].contains { child.name.local.hasSuffix($0) }
            members.append(
                .init(child.name.local, isCount ? Int64(text).map { .integer($0) } ?? .text(text) : .text(text)))
        }
        return read(JSON.encode(.record(members)))
    }
}
