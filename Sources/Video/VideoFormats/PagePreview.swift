// Previews of web pages, completed by the page's oEmbed reply. Without a reply, the record is the same as from the
// `html` format. For callers that can request the oEmbed URL.

import Basics
import Markup
import VideoModel

/// A page parsed for its preview.
public struct PagePreview {
    private let tree: MarkupTree
    private let base: String?
    /// The URL of the page's oEmbed reply. nil if there is none, or if it could not add anything.
    public let oembed: String?

    /// - Parameters:
    ///   - base: the URL of the page. nil if unknown.
    ///   - charset: the encoding named by the server. nil if none.
    /// - Throws: `FormatError`; `.unrecognised` if the bytes are not an HTML page.
    public init(_ bytes: [UInt8], base: String?, charset: String?) throws(FormatError) {
        let head = DocumentHead(bytes, isWhole: true)
        guard PageFormat.format.recognises(head) == true else { throw .unrecognised(considered: ["html"]) }
        let document = Document(bytes: bytes, base: base, charset: charset)
        tree = try document.markup("html") { () throws(MarkupError) in
            try MarkupTree.page(bytes, charset: charset)
        }.tree
        self.base = base
        let page = Page(tree, base: base)
        oembed = page.lacks ? page.oembed : nil
    }

    /// The page's record. If the page has no metadata, the title is the host name; nil if that is also unknown.
    ///
    /// - Parameter reply: the oEmbed reply as a record. nil if there is none.
    public func record(with reply: Video? = nil) -> Video? {
        let page = Page(tree, base: base, embed: reply)
        if let record = page.record { return record }
        guard let base, let host = WebAddress(base)?.host else { return nil }
        return Video(
            [
                .provider: .text("web"), .id: .text(base), .kind: .text(Video.Kind.page.rawValue), .url: .text(base),
                .title: .text(host), .thumbnails: Pictures.one(page.icon),
            ].filter { !$0.value.isNone }, extra: [.init("site", .text(reply?.providerName ?? host))])
    }
}
