// Replies of oEmbed providers in either of their forms (https://oembed.com, 2.3.4): JSON, and XML whose elements are
// named as the members are.

import VideoModel

public enum OEmbedReader {
    /// The record of a reply; nil when it is none.
    ///
    /// - Parameter charset: the encoding that its sender named.
    public static func read(_ bytes: [UInt8], charset: String? = nil) -> Video? {
        guard bytes.first(where: { $0 > 0x20 }) == UInt8(ascii: "<") || bytes.starts(with: [0xEF, 0xBB, 0xBF]) else {
            return try? RecordReader.read(bytes, as: "oembed").first
        }
        guard let tree = try? MarkupTree.lenientXML(bytes, charset: charset),
            tree.root.name.local.lowercased() == "oembed"
        else { return try? RecordReader.read(bytes, as: "oembed").first }
        var members: [FieldValue.Member] = []
        for child in tree.root.children where members.count < 64 {
            let text = MarkupText.line(child.text)
            let isCount = ["width", "height", "duration", "video_id"].contains { child.name.local.hasSuffix($0) }
            members.append(
                .init(child.name.local, isCount ? Int64(text).map { .integer($0) } ?? .text(text) : .text(text)))
        }
        return try? RecordReader.read(JSON.encode(.record(members)), as: "oembed").first
    }
}
