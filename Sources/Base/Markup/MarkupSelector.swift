// CSS selectors for a `MarkupTree`. A selector sees only the given element and its descendants, not its ancestors.
// Matching time is linear in the document size, regardless of the combinators.

/// A compiled selector.
public struct MarkupSelector: Sendable {
    /// The alternatives separated by commas.
    let alternatives: [Complex]

    /// Compound selectors joined by combinators.
    struct Complex: Sendable {
        /// In source order. Each combinator relates its compound to the previous one.
        var parts: [(combinator: Combinator, compound: Compound)]
    }

    enum Combinator: Sendable { case descendant, child, next, later }

    /// Conditions on one element.
    struct Compound: Sendable {
        var tests: [Test] = []
        var needsPosition: Bool {
            tests.contains {
                switch $0 {
                case .nth, .first, .last: true
                case .not(let inner): inner.needsPosition
                default: false
                }
            }
        }
    }

    indirect enum Test: Sendable {
        /// A nil prefix matches any namespace.
        case type(prefix: String?, name: String)
        case prefix(String)
        case id(String)
        case word(attribute: String, String)
        case has(attribute: String)
        case equals(attribute: String, String)
        case begins(attribute: String, String)
        case ends(attribute: String, String)
        case contains(attribute: String, String)
        case dash(attribute: String, String)
        /// The element's 1-based position among its siblings is `step * n + start` for some n ≥ 0.
        case nth(step: Int, start: Int)
        case first
        case last
        case not(Compound)
    }

    /// Throws an error with the position of the first unsupported or invalid part.
    public init(_ text: String) throws(MarkupSelectorError) {
        var parser = MarkupSelectorParser(text)
        alternatives = try parser.selectors()
    }

    /// Returns up to `limit` matching descendants of `element`, in document order.
    public func select(in element: MarkupElement, limit: Int = .max) -> [MarkupElement] {
        var matcher = MarkupMatcher(self, element)
        return matcher.run(limit: limit)
    }
}

/// Why a selector is invalid.
public struct MarkupSelectorError: Error, Sendable, Equatable, CustomStringConvertible {
    /// 1-based character position.
    public let column: Int
    public let reason: String

    public var description: String { "not a selector that is read here: column \(column): \(reason)" }
}

/// Walks the tree once. A bit mask records which parts of the selector have matched so far.
struct MarkupMatcher {
    private let tree: MarkupTree
    private let root: Int32
    /// The parts of all alternatives. The bit of a part is its index.
    private var parts: [(combinator: MarkupSelector.Combinator, compound: MarkupSelector.Compound, isFirst: Bool)] = []
    private var lastParts: UInt64 = 0
    private var needsPosition = false

    /// State of an element whose children are being visited.
    private struct Level {
        let index: Int32
        /// Parts that matched the element itself, and parts that matched it or any ancestor.
        let own, around: UInt64
        /// Parts that matched the previous sibling, and parts that matched any earlier sibling.
        var previous: UInt64 = 0
        var earlier: UInt64 = 0
        var position = 0
    }

    init(_ selector: MarkupSelector, _ element: MarkupElement) {
        tree = element.tree
        root = element.index
        for alternative in selector.alternatives {
            for (index, part) in alternative.parts.enumerated() {
                parts.append((part.combinator, part.compound, index == 0))
                needsPosition = needsPosition || part.compound.needsPosition
            }
            lastParts |= 1 << UInt64(parts.count - 1)
        }
    }

    mutating func run(limit: Int) -> [MarkupElement] {
        var found: [MarkupElement] = []
        let own = matches(root, in: nil)
        var levels = [Level(index: root, own: own, around: own)]
        var next = tree.nodes[Int(root)].first
        while let level = levels.last, found.count < limit {
            guard next >= 0 else {
                next = levels.count > 1 ? tree.nodes[Int(level.index)].next : -1
                levels.removeLast()
                continue
            }
            let index = next
            let node = tree.nodes[Int(index)]
            if node.name < 0 {
                next = node.next
                continue
            }
            levels[levels.count - 1].position += 1
            let own = matches(index, in: levels[levels.count - 1])
            if own & lastParts != 0 { found.append(MarkupElement(tree: tree, index: index)) }
            levels[levels.count - 1].previous = own
            levels[levels.count - 1].earlier |= own
            if node.first >= 0 {
                levels.append(Level(index: index, own: own, around: level.around | own))
                next = node.first
            } else {
                next = node.next
            }
        }
        return found
    }

    /// The parts that match an element, together with everything required before them.
    private func matches(_ index: Int32, in level: Level?) -> UInt64 {
        var result: UInt64 = 0
        for (number, part) in parts.enumerated() {
            if !part.isFirst {
                guard let level else { continue }
                let before: UInt64 =
                    switch part.combinator {
                    case .descendant: level.around
                    case .child: level.own
                    case .next: level.previous
                    case .later: level.earlier
                    }
                if before & (1 << UInt64(number - 1)) == 0 { continue }
            }
            if matches(part.compound, index, position: level?.position ?? 1) { result |= 1 << UInt64(number) }
        }
        return result
    }

    private func matches(_ compound: MarkupSelector.Compound, _ index: Int32, position: Int) -> Bool {
        compound.tests.allSatisfy { matches($0, index, position) }
    }

    private func matches(_ test: MarkupSelector.Test, _ index: Int32, _ position: Int) -> Bool {
        let element = MarkupElement(tree: tree, index: index)
        switch test {
        case .type(let prefix, let name):
            let found = element.name
            if let prefix, found.prefix ?? "" != prefix { return false }
            return tree.isHTML ? found.local == name.lowercased() : found.local == name
        case .prefix(let prefix): return element.name.prefix ?? "" == prefix
        case .id(let id): return element.attribute("id") == id
        case .has(let name): return element.attribute(name) != nil
        case .equals(let name, let value): return element.attribute(name) == value
        case .word(let name, let word):
            return element.attribute(name)?.utf8.split(whereSeparator: { $0 <= 0x20 })
                .contains { $0.elementsEqual(word.utf8) } == true
        case .begins(let name, let value):
            return !value.isEmpty && element.attribute(name)?.utf8.starts(with: value.utf8) == true
        case .ends(let name, let value):
            return !value.isEmpty
                && element.attribute(name)?.utf8.reversed().starts(with: value.utf8.reversed()) == true
        case .contains(let name, let value):
            return !value.isEmpty && element.attribute(name)?.contains(value) == true
        case .dash(let name, let value):
            guard let found = element.attribute(name) else { return false }
            return found == value || found.utf8.starts(with: (value + "-").utf8)
        case .nth(let step, let start):
            let rest = position - start
            return step == 0 ? rest == 0 : rest.isMultiple(of: step) && rest / step >= 0
        case .first: return position == 1
        case .last:
            var next = element.node.next
            while next >= 0 {
                let node = tree.nodes[Int(next)]
                if node.name >= 0 { return false }
                next = node.next
            }
            return true
        case .not(let compound): return !matches(compound, index, position: position)
        }
    }
}
