// A compact immutable document tree, stored in a few arrays. It has no comments, processing instructions or document
// types, and adjacent text is one node.

/// A parsed document. Nodes are indices into it.
public final class MarkupTree: Sendable {
    /// Maximum number of elements and text nodes. A larger document is an error.
    public static let mostNodes = 2_000_000
    /// Maximum nesting depth. A deeper document is an error.
    public static let deepest = 200

    package struct Node: Sendable {
        /// Index of the parent; -1 for the root.
        package var parent: Int32
        /// Index of the next sibling; -1 for the last one.
        var next: Int32 = -1
        /// Index of the first child; -1 when there is none.
        package var first: Int32 = -1
        /// Index in `names`; -1 for text.
        package var name: Int32
        /// The range of the text in `bytes`, or of the element's attributes in `attributes`.
        package var from: UInt32
        package var to: UInt32
        /// Source position of the end of the start tag, from 1; 0 for text.
        var line: Int32 = 0
        var column: Int32 = 0
    }

    struct Attribute: Sendable {
        let name: Int32
        let from: UInt32
        let to: UInt32
    }

    /// The name of an element or attribute.
    public struct Name: Sendable, Hashable {
        /// Local name, without the prefix; lower case in HTML.
        public let local: String
        public let prefix: String?
        /// Namespace URI; nil when there is none, or the prefix is not declared.
        public let namespace: String?

        /// The name as written: `media:thumbnail`.
        public var qualified: String { prefix.map { "\($0):\(local)" } ?? local }
    }

    /// The root is the first node.
    package let nodes: [Node]
    let attributes: [Attribute]
    package let names: [Name]
    let bytes: [UInt8]
    public let isHTML: Bool
    /// Where the input was truncated; nil when the root was closed, and always nil for HTML.
    package let cut: Cut?

    /// The state at the end of a truncated document.
    package struct Cut: Sendable {
        /// Indices of the elements that were still open.
        let open: Set<Int32>
        /// Line of an incomplete tag at the end, which is not in the tree; nil when there is none.
        package let tag: Int?
    }

    init(
        nodes: [Node], attributes: [Attribute], names: [Name], bytes: [UInt8], isHTML: Bool, cut: Cut? = nil
    ) {
        self.nodes = nodes
        self.attributes = attributes
        self.names = names
        self.bytes = bytes
        self.isHTML = isHTML
        self.cut = cut
    }

    public var root: MarkupElement { MarkupElement(tree: self, index: 0) }

    /// Approximate memory use in bytes.
    public var size: Int {
        nodes.count * MemoryLayout<Node>.stride + attributes.count * MemoryLayout<Attribute>.stride + bytes.count
            + names.count * 96
    }

    package func text(_ from: UInt32, _ to: UInt32) -> String {
        String(decoding: bytes[Int(from)..<Int(to)], as: UTF8.self)
    }
}

/// An element of a tree.
public struct MarkupElement: Sendable, Equatable {
    public let tree: MarkupTree
    package let index: Int32

    public static func == (one: MarkupElement, other: MarkupElement) -> Bool {
        one.index == other.index && one.tree === other.tree
    }

    package var node: MarkupTree.Node { tree.nodes[Int(index)] }

    public var name: MarkupTree.Name { tree.names[Int(node.name)] }
    /// Source position of the end of the start tag. Both count from 1, the column in bytes.
    public var line: Int { Int(node.line) }
    public var column: Int { Int(node.column) }

    /// Whether the input was truncated inside this element.
    package var isCut: Bool { tree.cut?.open.contains(index) ?? false }

    /// The parent element; nil for the root.
    public var parent: MarkupElement? {
        let parent = node.parent
        return parent < 0 ? nil : MarkupElement(tree: tree, index: parent)
    }

    // MARK: Attributes

    /// Attributes in source order.
    public var attributes: [(name: MarkupTree.Name, value: String)] {
        let node = node
        return (node.from..<node.to).map { index in
            let attribute = tree.attributes[Int(index)]
            return (tree.names[Int(attribute.name)], tree.text(attribute.from, attribute.to))
        }
    }

    /// The value of an attribute by its qualified name, such as `xml:lang`; nil when it is missing.
    public func attribute(_ name: String) -> String? {
        let node = node
        for index in node.from..<node.to {
            let attribute = tree.attributes[Int(index)]
            let found = tree.names[Int(attribute.name)]
            if found.prefix == nil ? found.local == name : found.qualified == name {
                return tree.text(attribute.from, attribute.to)
            }
        }
        return nil
    }

    // MARK: Contents

    /// Child elements in order.
    public var children: Children { Children(tree: tree, place: node.first) }

    public struct Children: Sequence, IteratorProtocol, Sendable {
        let tree: MarkupTree
        var place: Int32

        public mutating func next() -> MarkupElement? {
            while place >= 0 {
                let index = place
                let node = tree.nodes[Int(index)]
                place = node.next
                if node.name >= 0 { return MarkupElement(tree: tree, index: index) }
            }
            return nil
        }
    }

    /// This element and all its descendants in document order.
    public var all: Descendants { Descendants(tree: tree, root: index, place: index) }

    public struct Descendants: Sequence, IteratorProtocol, Sendable {
        let tree: MarkupTree
        let root: Int32
        var place: Int32

        public mutating func next() -> MarkupElement? {
            while place >= 0 {
                let index = place
                place = tree.following(index, within: root)
                if tree.nodes[Int(index)].name >= 0 { return MarkupElement(tree: tree, index: index) }
            }
            return nil
        }
    }

    /// The concatenated text of all descendants.
    public var text: String {
        var bytes: [UInt8] = []
        var next = node.first
        while next >= 0 {
            let node = tree.nodes[Int(next)]
            if node.name < 0 { bytes += tree.bytes[Int(node.from)..<Int(node.to)] }
            next = tree.following(next, within: index)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Whether there is a child element.
    public var hasChildren: Bool {
        var children = children
        return children.next() != nil
    }
}

extension MarkupTree {
    /// The next node in document order within the subtree of `root`; -1 at the end.
    package func following(_ index: Int32, within root: Int32) -> Int32 {
        var index = index
        if nodes[Int(index)].first >= 0 { return nodes[Int(index)].first }
        while index != root {
            let node = nodes[Int(index)]
            if node.next >= 0 { return node.next }
            index = node.parent
        }
        return -1
    }
}
