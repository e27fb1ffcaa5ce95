// Builds a `MarkupTree` from parser events in document order. The strict XML, lenient XML and HTML parsers all use it.

/// A tree under construction.
struct MarkupBuilder {
    private(set) var nodes: [MarkupTree.Node] = []
    private(set) var attributes: [MarkupTree.Attribute] = []
    private var names: [MarkupTree.Name] = []
    private var numbers: [MarkupTree.Name: Int32] = [:]
    private(set) var bytes: [UInt8] = []
    /// Index of each open element and of its last child so far.
    private var open: [(element: Int32, last: Int32)] = []
    /// Index of the root's last child, once the root is closed.
    private var lastOfRoot: Int32 = -1
    private var cut: MarkupTree.Cut?
    /// The limit that was exceeded; nil when none was.
    private(set) var excess: MarkupError.Reason?

    var hasRoot: Bool { !nodes.isEmpty }

    /// Reopens the root element after it was closed.
    mutating func reopenRoot() {
        guard open.isEmpty, hasRoot else { return }
        open.append((0, lastOfRoot))
    }

    mutating func number(_ name: MarkupTree.Name) -> Int32 {
        if let number = numbers[name] { return number }
        let number = Int32(names.count)
        names.append(name)
        numbers[name] = number
        return number
    }

    /// Opens an element, to which attributes can then be added. Returns false when a limit is exceeded.
    mutating func start(_ name: Int32, line: Int, column: Int) -> Bool {
        if open.count >= MarkupTree.deepest {
            excess = .tooDeep(limit: MarkupTree.deepest)
            return false
        }
        let first = UInt32(attributes.count)
        guard
            let index = append(
                MarkupTree.Node(
                    parent: -1, name: name, from: first, to: first, line: Int32(clamping: line),
                    column: Int32(clamping: column)))
        else { return false }
        open.append((index, -1))
        return true
    }

    /// Adds an attribute to the innermost open element.
    mutating func add(attribute name: Int32, _ value: some Collection<UInt8>) {
        guard let element = open.last?.element else { return }
        let from = UInt32(bytes.count)
        bytes.append(contentsOf: value)
        attributes.append(.init(name: name, from: from, to: UInt32(bytes.count)))
        nodes[Int(element)].to = UInt32(attributes.count)
    }

    mutating func end() {
        guard let closed = open.popLast(), open.isEmpty else { return }
        lastOfRoot = closed.last
    }

    /// Records that the input was truncated: the elements still open, and the line of an incomplete tag.
    mutating func endEarly(line: Int?) {
        if !open.isEmpty || line != nil { cut = MarkupTree.Cut(open: Set(open.map(\.element)), tag: line) }
    }

    /// Adds text to the innermost open element. Returns false when a limit is exceeded.
    mutating func text(_ text: some Collection<UInt8>) -> Bool {
        guard let last = open.last?.last, !text.isEmpty else { return true }
        // Adjacent text is merged into one node.
        if last >= 0, nodes[Int(last)].name < 0, Int(nodes[Int(last)].to) == bytes.count {
            bytes.append(contentsOf: text)
            nodes[Int(last)].to = UInt32(bytes.count)
            return true
        }
        let from = UInt32(bytes.count)
        bytes.append(contentsOf: text)
        return append(MarkupTree.Node(parent: -1, name: -1, from: from, to: UInt32(bytes.count))) != nil
    }

    private mutating func append(_ node: MarkupTree.Node) -> Int32? {
        // Content beside the root is not part of the tree.
        if open.isEmpty, hasRoot { return nil }
        if nodes.count >= MarkupTree.mostNodes {
            excess = .tooMany(limit: MarkupTree.mostNodes)
            return nil
        }
        var node = node
        let index = Int32(nodes.count)
        if let (parent, last) = open.last {
            node.parent = parent
            if last < 0 { nodes[Int(parent)].first = index } else { nodes[Int(last)].next = index }
            open[open.count - 1].last = index
        }
        nodes.append(node)
        return index
    }

    /// The finished tree; nil when there was no element.
    func tree(isHTML: Bool) -> MarkupTree? {
        nodes.isEmpty
            ? nil
            : MarkupTree(
                nodes: nodes, attributes: attributes, names: names, bytes: bytes, isHTML: isHTML,
                cut: cut)
    }
}
