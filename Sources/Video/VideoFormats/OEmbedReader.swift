// Replies of oEmbed providers in either of their forms (https://oembed.com, 2.3.4): JSON, and XML whose elements are
// named as the members are.

import Basics
import JSON
import Markup
import VideoModel

public enum OEmbedReader {
    /// The record of a reply; nil when it is none.
    ///
    /// - Parameters:
    ///   - charset: the encoding that its sender named.
    ///   - isAnnounced: whether a page says that it is one; else it must look like one.
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
