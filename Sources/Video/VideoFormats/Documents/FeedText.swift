// Small values of feeds: texts that may be HTML, URLs that may be relative, dates in two formats.

import Basics
import Markup

enum FeedText {
    /// A title as one line of plain text. nil if empty.
    static func title(_ element: MarkupElement) -> String? {
        known(MarkupText.line(plain(element)))
    }

    /// A description as plain text with line breaks. nil if empty.
    static func text(_ element: MarkupElement) -> String? { known(plain(element)) }

    /// Plain text by the `type` attribute: `text`, `html` or `xhtml` (RFC 4287, 3.1); the default of Media RSS is
    /// `plain`. For RSS, which has no type, HTML is detected.
    private static func plain(_ element: MarkupElement) -> String {
        let type = element.attribute("type")?.lowercased() ?? (element.vocabulary == .media ? "plain" : nil)
        if element.hasChildren { return MarkupText.tidy(mended(inside(element))) }
        let text = mended(element.text)
        switch type {
        case "html", "text/html": return MarkupText.plain(html: text)
        case "text", "text/plain", "plain": return MarkupText.tidy(text)
        default: return MarkupText.plain(maybeHTML: text)
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

    /// An http or https URL, resolved against the base. nil for anything else.
    static func address(_ text: String?, in element: MarkupElement, base: String?) -> String? {
        guard let text, let whole = WebAddress.resolve(text, against: element.base(base)) else { return nil }
        return Escape.webAddress(whole)
    }

    /// The URL of an entry or a feed: Atom's `link rel="alternate"`, or RSS's `link`. HTML is preferred.
    static func link(of element: MarkupElement, base: String?) -> String? {
        var second: String?
        for link in element.children where link.isNamed(.core, "link") {
            if let href = link.attribute("href") {
                let relation = link.attribute("rel")?.lowercased() ?? "alternate"
                guard relation == "alternate" || relation.hasSuffix("/alternate") else { continue }
                guard let address = address(href, in: link, base: base) else { continue }
                let type = link.attribute("type")?.lowercased()
                if type == nil || type == "text/html" || type == "application/xhtml+xml" { return address }
                second = second ?? address
            } else if let address = address(link.text, in: link, base: base) {
                return address
            }
        }
        return second
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
