// What a page says of itself, with what an oEmbed provider adds: the same record that reading the page as `html` gives,
// for whoever can ask the provider that the page names.

import Basics
import Markup
import VideoModel

/// A page that was read for its preview.
public struct PagePreview {
    private let tree: MarkupTree
    private let base: String?
    /// The address of the oEmbed reply about the page, where it announces one and lacks what that may tell.
    public let oembed: String?

    /// - Parameters:
    ///   - base: where the page came from.
    ///   - charset: the encoding that its sender named.
    /// - Throws: `unrecognised` when it is no page.
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

    /// The page's record; one with the name of its host where it says nothing about itself, nil where that is not known.
    ///
    /// - Parameter reply: the oEmbed reply as a record.
    public func record(with reply: Video? = nil) -> Video? {
        let page = Page(tree, base: base, embed: reply)
        if let record = page.record { return record }
        guard let base, let host = WebAddress(base)?.host else { return nil }
        return Video(
            [
                .provider: .text("web"), .id: .text(base), .kind: .text(Video.Kind.page.rawValue), .url: .text(base),
                .title: .text(host), .thumbnails: Pictures.one(page.icon),
            ].filter { !$0.value.isNone }, extra: [.init("site", .text(host))])
    }
}
