// What a page says of itself, with what an oEmbed provider adds: the same record that reading the page as `html` gives,
// for whoever can ask the provider that the page names.

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

    /// nil when the page says nothing about itself.
    ///
    /// - Parameter reply: the oEmbed reply as a record.
    public func record(with reply: Video? = nil) -> Video? { Page(tree, base: base, embed: reply).record }
}
