// The `<meta>` tags of a page by name, wherever they stand. What is easily got wrong: `og:image:width` belongs to the
// last `og:image` before it, and both `property` and `name` are used for either vocabulary.

import Basics
import Markup

/// What a page's `<meta>` tags say.
struct PageMeta {
    private let base: String?
    /// In their order; names in lower case, values neither empty nor blank.
    private var items: [(name: String, value: String)] = []

    /// So many are read, no more.
    private static let most = 5000

    init(_ tree: MarkupTree, base: String?) {
        self.base = base
        for element in tree.root.all where element.name.local == "meta" && items.count < Self.most {
            guard let content = element.attribute("content"), !MarkupText.line(content).isEmpty else { continue }
            for key in ["property", "name", "itemprop"] {
                guard let names = element.attribute(key) else { continue }
                for name in names.split(whereSeparator: \.isWhitespace).prefix(4) {
                    items.append((name.lowercased(), content))
                }
            }
        }
    }

    var isEmpty: Bool { !items.contains { $0.name.hasPrefix("og:") || $0.name.hasPrefix("twitter:") } }

    /// The first value of that name, as one line but for descriptions.
    func first(_ name: String) -> String? {
        items.first { $0.name == name }.map { name.hasSuffix("description") ? $0.value : MarkupText.line($0.value) }
    }

    /// All values of these names, each once.
    func all(_ names: String...) -> [String] {
        var values: [String] = []
        for item in items where names.contains(item.name) {
            let value = MarkupText.line(item.value)
            if !values.contains(value), values.count < 500 { values.append(value) }
        }
        return values
    }

    /// The first value of that name as a whole http or https address.
    func address(_ name: String) -> String? {
        first(name).flatMap { WebAddress.resolve($0, against: base) }.flatMap(Escape.webAddress)
    }

    /// One of the things that a repeated root names, with what belongs to it.
    struct Structure {
        fileprivate(set) var values: [String: String] = [:]

        subscript(name: String) -> String? { values[name] }

        func address(_ names: String..., base: String?) -> String? {
            for name in names {
                if let text = values[name],
                    let address = WebAddress.resolve(text, against: base).flatMap(Escape.webAddress)
                {
                    return address
                }
            }
            return nil
        }
    }

    /// Open Graph's arrays: each `og:image` begins a new one; `og:image:url` is the same as `og:image`.
    func structures(_ root: String) -> [Structure] {
        var list: [Structure] = []
        for item in items {
            guard item.name == root || item.name.hasPrefix(root + ":") else { continue }
            let part = item.name == root ? "url" : String(item.name.dropFirst(root.count + 1))
            let value = MarkupText.line(item.value)
            // A root that was named already begins the next; so does a secure address when there is one.
            let begins =
                part == "url"
                ? list.last?["url"] != nil && list.last?["url"] != value
                : part == "secure_url" && list.last?[part] != nil
            if list.isEmpty || begins { list.append(Structure()) }
            let last = list.count - 1
            if list[last].values[part] == nil { list[last].values[part] = value }
            if list.count > 100 { break }
        }
        return list
    }
}
