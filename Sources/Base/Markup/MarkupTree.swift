// A document as a light tree: elements, attributes and text in a few arrays, made once and only read after that. What is
// easily got wrong: comments, processing instructions and document types are not in it, and neighbouring texts are one.

/// A document that was read. Immutable; nodes are places in it.
public final class MarkupTree: Sendable {
    /// A tree may have so many elements and texts; a larger document is an error.
    public static let mostNodes = 2_000_000
    /// Elements inside elements, so deep; a deeper document is an error.
    public static let deepest = 200

    package struct Node: Sendable {
        /// Index of what it is in; -1 for the root.
        package var parent: Int32
        /// Index of the next in the same parent; -1 when it is the last.
        var next: Int32 = -1
        /// Index of the first inside; -1 when there is nothing.
        package var first: Int32 = -1
        /// Index in `names`; -1 for text.
        package var name: Int32
        /// The text's bytes in `bytes`, or the element's attributes in `attributes`.
        package var from: UInt32
        package var to: UInt32
        /// Where the start tag ends in the source, from 1; 0 for text.
        var line: Int32 = 0
        var column: Int32 = 0
    }

    struct Attribute: Sendable {
        let name: Int32
        let from: UInt32
        let to: UInt32
    }

    /// The name of an element or an attribute.
    public struct Name: Sendable, Hashable {
        /// Without its prefix. In lower case in HTML.
        public let local: String
        public let prefix: String?
        /// nil when it is in none, or its prefix was not declared.
        public let namespace: String?

        /// As it is written: `media:thumbnail`.
        public var qualified: String { prefix.map { "\($0):\(local)" } ?? local }
    }

    /// The first is the root.
    package let nodes: [Node]
    let attributes: [Attribute]
    package let names: [Name]
    let bytes: [UInt8]
    public let isHTML: Bool
    /// nil when the text went on to the end of its root, and in HTML.
    package let cut: Cut?

    /// Where a text that was mended ended too early.
    package struct Cut: Sendable {
        /// Indices of the elements that it ended in.
        let open: Set<Int32>
        /// The line of the tag that it ended in, which is not in the tree.
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

    /// About how many bytes of memory it holds.
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
    /// Where its start tag ends in the source; both count from 1, the column in bytes.
    public var line: Int { Int(node.line) }
    public var column: Int { Int(node.column) }

    /// Whether the text ends inside it, where it should not.
    package var isCut: Bool { tree.cut?.open.contains(index) ?? false }

    /// What it is in; nil for the root.
    public var parent: MarkupElement? {
        let parent = node.parent
        return parent < 0 ? nil : MarkupElement(tree: tree, index: parent)
    }

    // MARK: Attributes

    /// In the order they are written.
    public var attributes: [(name: MarkupTree.Name, value: String)] {
        let node = node
        return (node.from..<node.to).map { index in
            let attribute = tree.attributes[Int(index)]
            return (tree.names[Int(attribute.name)], tree.text(attribute.from, attribute.to))
        }
    }

    /// The value of an attribute by its name as it is written, `xml:lang`; nil when there is none.
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

    // MARK: What is inside

    /// The elements directly inside, in their order.
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

    /// It and all elements inside it, in the order of their start tags.
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

    /// All text inside, put together as it stands.
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

    /// Whether an element is inside.
    public var hasChildren: Bool {
        var children = children
        return children.next() != nil
    }
}

extension MarkupTree {
    /// The node whose beginning comes next in the source, inside the node at `root`; -1 when there is none.
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
