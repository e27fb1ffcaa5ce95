// Small values of feeds: texts that may be HTML, URLs that may be relative, dates in two formats.

import Basics
import Markup

enum FeedText {
    /// A title or a name as one line of plain text. nil if empty. In RSS it is text with some inline HTML.
    static func title(_ element: MarkupElement) -> String? {
        known(MarkupText.line(plain(element, otherwise: MarkupText.title)))
    }

    /// A description as plain text with line breaks. nil if empty. In RSS HTML is detected.
    static func text(_ element: MarkupElement) -> String? {
        known(plain(element, otherwise: MarkupText.plain(maybeHTML:)))
    }

    /// Plain text by the `type` attribute: `text`, `html` or `xhtml`. Without it, Atom and Media RSS have plain text (RFC
    /// 4287, 3.1.1 and 3.2.1); RSS does not say.
    private static func plain(_ element: MarkupElement, otherwise untyped: (String) -> String) -> String {
        if element.hasChildren { return MarkupText.tidy(mended(inside(element))) }
        let text = mended(element.text)
        switch MediaType.name(element.attribute("type")) {
        case "html", "text/html", "xhtml", "application/xhtml+xml": return MarkupText.plain(html: text)
        case "text", "text/plain", "plain": return MarkupText.tidy(text)
        case nil where element.vocabulary == .media || element.isAtom: return MarkupText.tidy(text)
        default: return untyped(text)
        }
    }

    /// Replaces C1 controls by the windows-1252 characters that they stand for, such as quotation marks and dashes.
    private static func mended(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { (0x80...0x9F).contains($0.value) }) else { return text }
        return String(
            text.unicodeScalars.reduce(into: "") { result, scalar in
                if (0x80...0x9F).contains(scalar.value) {
                    result += HTMLEntities.unescape("&#\(scalar.value);")
                } else {
                    result.unicodeScalars.append(scalar)
                }
            })
    }

    /// The text of child elements, with line breaks at block elements.
    private static func inside(_ element: MarkupElement) -> String {
        let blocks: Set<String> = ["p", "br", "div", "li", "tr", "h1", "h2", "h3", "h4", "blockquote", "pre"]
        var text = ""
        element.forEachText { piece, name in
            if let name, blocks.contains(name.lowercased()) { text += "\n" }
            text += piece
        }
        return text
    }

    static func known(_ text: String) -> String? { text.isEmpty ? nil : text }

    /// A single word, such as a language. nil for any other number of words.
    static func word(_ text: String) -> String? {
        let words = text.split(whereSeparator: \.isWhitespace)
        return words.count == 1 ? String(words[0]) : nil
    }

    /// Epoch seconds. nil if the text is not an unambiguous time.
    static func time(_ element: MarkupElement?) -> Int64? {
        guard let element else { return nil }
        let text = MarkupText.line(element.text)
        if let time = Timestamp.parse(text) { return time }
        // `<pubDate><time datetime="…">`.
        return element.children.lazy.compactMap { $0.attribute("datetime").flatMap(Timestamp.parse) }.first
    }

    static func count(_ text: String?) -> Int64? {
        text.flatMap { Int64(MarkupText.line($0)) }.flatMap { $0 >= 0 ? $0 : nil }
    }

    /// An http or https URL, resolved against the base. nil for anything else. A blank one is nil, although by RFC 3986
    /// it refers to the document itself: who leaves an address empty has none.
    static func address(_ text: String?, base: String?) -> String? {
        guard let text, text.contains(where: { !$0.isWhitespace }) else { return nil }
        return WebAddress.resolve(text, against: base).flatMap(Escape.webAddress)
    }

    /// The same, with the base that the element's document declares.
    static func address(_ text: String?, in element: MarkupElement, base: String?) -> String? {
        address(text, base: element.base(base))
    }

    /// The URL of an entry or a feed: Atom's `link rel="alternate"`, or RSS's `link`. HTML is preferred.
    static func link(of element: MarkupElement, base: String?) -> String? {
        var second: String?
        for link in element.children where link.isNamed(.core, "link") {
            let relation = relation(link)
            guard relation == "alternate" || relation.hasSuffix("/alternate"),
                let address = address(link.attribute("href") ?? link.text, in: link, base: base)
            else { continue }
            let type = MediaType.name(link.attribute("type"))
            if type == nil || type == "text/html" || type == "application/xhtml+xml" { return address }
            second = second ?? address
        }
        return second
    }

    /// The relation of a link, in lower case. Without one it is `alternate` (RFC 4287, 4.2.7.2).
    static func relation(_ link: MarkupElement) -> String {
        link.attribute("rel").flatMap { known(MarkupText.line($0).lowercased()) } ?? "alternate"
    }
}

extension MarkupElement {
    /// Calls `body` for each text inside, and for each element with an empty text and the element's name. Scripts and
    /// styles are skipped.
    func forEachText(_ body: (_ text: String, _ element: String?) -> Void) {
        var next = node.first
        while next >= 0 {
            let node = tree.nodes[Int(next)]
            if node.name < 0 {
                if !["script", "style"].contains(tree.names[Int(tree.nodes[Int(node.parent)].name)].local) {
                    body(tree.text(node.from, node.to), nil)
                }
            } else {
                body("", tree.names[Int(node.name)].local)
            }
            next = tree.following(next, within: index)
        }
    }
}
