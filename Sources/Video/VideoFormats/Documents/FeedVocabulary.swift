// The vocabularies of feeds. One vocabulary has several namespace URIs, with or without a trailing slash, and feeds
// often use its prefix without declaring it; all of these are recognized.

import Basics
import Markup

/// A vocabulary of feed elements.
enum FeedVocabulary: Sendable {
    /// Elements without a prefix: Atom, and RSS of every version.
    case core
    case media, itunes, youtube, dublinCore, content, podcast, deleted, license, xhtml
    case other

    init(_ name: MarkupTree.Name) {
        if let namespace = name.namespace {
            self = Self.namespaces[Self.key(namespace)] ?? (name.prefix == nil ? .core : .other)
        } else {
            self = name.prefix.map { Self.prefixes[$0.lowercased()] ?? .other } ?? .core
        }
    }

    /// A namespace in one spelling.
    private static func key(_ namespace: String) -> String {
        var key = namespace.lowercased()
        while key.last == "/" || key.last == "#" { key.removeLast() }
        return key.hasPrefix("https://") ? "http://" + key.dropFirst(8) : key
    }

    static func isAtom(_ namespace: String) -> Bool {
        ["http://www.w3.org/2005/atom", "http://purl.org/atom/ns"].contains(key(namespace))
    }

    private static let namespaces: [String: FeedVocabulary] = [
        "http://www.w3.org/2005/atom": .core, "http://purl.org/atom/ns": .core, "http://purl.org/rss/1.0": .core,
        "http://my.netscape.com/rdf/simple/0.9": .core, "http://channel.netscape.com/rdf/simple/0.9": .core,
        "http://www.w3.org/1999/02/22-rdf-syntax-ns": .core, "http://purl.org/net/rss1.1": .core,
        "http://backend.userland.com/rss2": .core, "http://backend.userland.com/rss": .core,
        "http://search.yahoo.com/mrss": .media, "http://search.yahoo.com/mrss/;": .media,
        "http://video.search.yahoo.com/mrss": .media, "http://www.rssboard.org/media-rss": .media,
        "http://www.itunes.com/dtds/podcast-1.0.dtd": .itunes, "http://example.com/dtds/podcast-1.0.dtd": .itunes,
        "http://www.youtube.com/xml/schemas/2015": .youtube, "http://gdata.youtube.com/schemas/2007": .youtube,
        "http://purl.org/dc/elements/1.1": .dublinCore, "http://purl.org/dc/elements/1.0": .dublinCore,
        "http://purl.org/dc/terms": .dublinCore, "http://purl.org/rss/1.0/modules/content": .content,
        "http://podcastindex.org/namespace/1.0": .podcast,
        "http://github.com/podcastindex-org/podcast-namespace/blob/main/docs/1.0.md": .podcast,
        "http://purl.org/atompub/tombstones/1.0": .deleted,
        "http://backend.userland.com/creativecommonsrssmodule": .license, "http://web.resource.org/cc": .license,
        "http://creativecommons.org/ns": .license, "http://www.w3.org/1999/xhtml": .xhtml,
    ]

    private static let prefixes: [String: FeedVocabulary] = [
        "rss": .core, "atom": .core, "atom10": .core, "atom03": .core, "rdf": .core, "media": .media, "mrss": .media,
        "itunes": .itunes, "yt": .youtube, "dc": .dublinCore, "dcterms": .dublinCore, "content": .content,
        "podcast": .podcast, "at": .deleted, "cc": .license, "creativecommons": .license, "xhtml": .xhtml,
    ]
}

extension MarkupElement {
    var vocabulary: FeedVocabulary { FeedVocabulary(name) }

    /// Whether this is an element of Atom, whose texts are plain unless a `type` says otherwise. Elements without a
    /// namespace are Atom's in an Atom feed.
    var isAtom: Bool {
        let name = name
        if let namespace = name.namespace { return FeedVocabulary.isAtom(namespace) }
        if let prefix = name.prefix { return prefix.lowercased().hasPrefix("atom") }
        return tree.root.name.local.lowercased() == "feed"
    }

    func isNamed(_ vocabulary: FeedVocabulary, _ names: String...) -> Bool {
        let name = name
        return names.contains { $0 == name.local || $0 == name.local.lowercased() }
            && FeedVocabulary(name) == vocabulary
    }

    /// The first child with one of these names. Earlier names take precedence.
    func child(_ vocabulary: FeedVocabulary, _ names: String...) -> MarkupElement? {
        for name in names {
            if let found = children.first(where: { $0.isNamed(vocabulary, name) }) { return found }
        }
        return nil
    }

    func children(_ vocabulary: FeedVocabulary, _ name: String) -> [MarkupElement] {
        children.filter { $0.isNamed(vocabulary, name) }
    }

    /// The base of relative URLs in this element: the `xml:base` of its ancestors, each resolved against the outer one.
    func base(_ document: String?) -> String? {
        var bases: [String] = []
        var element: MarkupElement? = self
        while let here = element {
            if let base = here.attribute("xml:base") { bases.append(base) }
            element = here.parent
        }
        return bases.reversed().reduce(document) { WebAddress.resolve($1, against: $0) ?? $0 }
    }

    /// An attribute, ignoring the case of its name.
    func attribute(anyCase name: String) -> String? {
        attribute(name) ?? attributes.first { $0.name.local.lowercased() == name.lowercased() }?.value
    }
}
