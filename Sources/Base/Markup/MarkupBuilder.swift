// Makes a tree of what a reader of markup meets, in the order it meets it. Reading XML by the rules, reading it with
// lenience and reading HTML all end here.

/// A tree that is being made.
struct MarkupBuilder {
    private(set) var nodes: [MarkupTree.Node] = []
    private(set) var attributes: [MarkupTree.Attribute] = []
    private var names: [MarkupTree.Name] = []
    private var numbers: [MarkupTree.Name: Int32] = [:]
    private(set) var bytes: [UInt8] = []
    /// Indices of the elements that are open, and the last node inside each.
    private var open: [(element: Int32, last: Int32)] = []
    /// The last node inside the root, once that is closed.
    private var lastOfRoot: Int32 = -1
    private var cut: MarkupTree.Cut?
    /// What there was too much of.
    private(set) var excess: MarkupError.Reason?

    var hasRoot: Bool { !nodes.isEmpty }

    /// Goes on inside the root after it was closed.
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

    /// Opens an element; its attributes are added next. False when the tree would become too large.
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

    /// Adds an attribute to the element that was opened last.
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

    /// Remembers what is open where the text ends, and the line of a tag that it ends in.
    mutating func endEarly(line: Int?) {
        if !open.isEmpty || line != nil { cut = MarkupTree.Cut(open: Set(open.map(\.element)), tag: line) }
    }

    /// Adds text to the element that is open; false when the tree would become too large.
    mutating func text(_ text: some Collection<UInt8>) -> Bool {
        guard let last = open.last?.last, !text.isEmpty else { return true }
        // Text that goes on where the last one ended is one with it.
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
        // Whatever stands beside the root is no part of the tree.
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

    /// The tree; nil when there was no element.
    func tree(isHTML: Bool) -> MarkupTree? {
        nodes.isEmpty
            ? nil
            : MarkupTree(
                nodes: nodes, attributes: attributes, names: names, bytes: bytes, isHTML: isHTML,
                cut: cut)
    }
}
