/// A stable sort: equal elements keep their order.
package func stableSort<Element>(_ elements: [Element], by comesBefore: (Element, Element) -> Bool) -> [Element] {
    elements.enumerated()
        .sorted { comesBefore($0.element, $1.element) || !comesBefore($1.element, $0.element) && $0.offset < $1.offset }
        .map(\.element)
}
