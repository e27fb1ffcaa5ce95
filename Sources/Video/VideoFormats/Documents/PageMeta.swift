// The `<meta>` tags of a page by name, at any place. `og:image:width` belongs to the preceding `og:image`, and both
// vocabularies occur with `property` as well as with `name`.

import Basics
import Markup

/// The `<meta>` tags of a page.
struct PageMeta {
    private let base: String?
    /// In document order. Names are in lower case, values are not blank.
    private var items: [(name: String, value: String)] = []

    /// The maximum number of tags read.
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

    /// The first value of a name. It is reduced to one line unless it is a description.
    func first(_ name: String) -> String? {
        items.first { $0.name == name }.map { name.hasSuffix("description") ? $0.value : MarkupText.line($0.value) }
    }

    /// All values of these names, without duplicates.
    func all(_ names: String...) -> [String] {
        var values: [String] = []
        for item in items where names.contains(item.name) {
            let value = MarkupText.line(item.value)
            if !values.contains(value), values.count < 500 { values.append(value) }
        }
        return values
    }

    /// The first value of a name as an absolute http or https URL. nil if it is not one.
    func address(_ name: String) -> String? {
        first(name).flatMap { WebAddress.resolve($0, against: base) }.flatMap(Escape.webAddress)
    }

    /// One element of an Open Graph array, with its properties.
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

    /// An Open Graph array: each `og:image` starts a new element; `og:image:url` is the same as `og:image`.
    func structures(_ root: String) -> [Structure] {
        var list: [Structure] = []
        for item in items {
            guard item.name == root || item.name.hasPrefix(root + ":") else { continue }
            let part = item.name == root ? "url" : String(item.name.dropFirst(root.count + 1))
            let value = MarkupText.line(item.value)
            // A second `url` or `secure_url` starts the next element.
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
