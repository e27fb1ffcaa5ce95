// Parses bytes into a `MarkupTree` with libxml2. The encoding is determined beforehand (`Charset`), so libxml2 always
// gets UTF-8 and must ignore encoding declarations. This is the only file that handles libxml2's pointers.

import CXML

extension MarkupTree {
    /// Maximum document size in bytes. A larger document is an error.
    public static let largest = 64 << 20

    /// Parses well-formed XML. Entities declared by the document are not expanded; using one is an error.
    ///
    /// - Parameters:
    ///   - bytes: the document, in any encoding.
    ///   - charset: the encoding that the sender declared; nil to use the document's own declaration.
    public static func xml(_ bytes: [UInt8], charset: String? = nil) throws(MarkupError) -> MarkupTree {
        try checkSize(bytes)
        return try strict(Charset.text(of: bytes, hint: charset, isHTML: false))
    }

    /// Parses XML and repairs it where necessary. Well-formed XML gives the same result as `xml`.
    public static func lenientXML(_ bytes: [UInt8], charset: String? = nil) throws(MarkupError) -> MarkupTree {
        try checkSize(bytes)
        let text = Charset.text(of: bytes, hint: charset, isHTML: false)
        do {
            return try strict(text)
        } catch {
            if case .other = error.reason {} else { throw error }
        }
        var reader = LenientXML(text)
        return try reader.read()
    }

    /// Parses an HTML page. Malformed HTML is not an error; only size and depth limits are.
    public static func html(_ bytes: [UInt8], charset: String? = nil) throws(MarkupError) -> MarkupTree {
        let (tree, excess) = try page(bytes, charset: charset)
        if let excess { throw excess }
        return tree
    }

    /// Parses an HTML page up to the point where it exceeds a size or depth limit. `excess` is that limit, or nil.
    package static func page(
        _ bytes: [UInt8], charset: String? = nil
    ) throws(MarkupError) -> (tree: MarkupTree, excess: MarkupError?) {
        try checkSize(bytes)
        var text = Charset.text(of: bytes, hint: charset, isHTML: true)
        // The HTML standard replaces NUL by U+FFFD; libxml2 would stop there.
        if text.contains(0) {
            text = Array(
                text.split(separator: 0, omittingEmptySubsequences: false).joined(separator: [0xEF, 0xBF, 0xBD]))
        }
        text = HTMLNames.numbered(text)
        try checkTags(text, isHTML: true)
        let sink = EventSink()
        let result = sink.run(text, cxml_read_html)
        guard let tree = sink.builder.tree(isHTML: true) else {
            if result.status == CXML_NO_MEMORY { throw MarkupError(line: 1, column: 1, reason: .noMemory) }
            throw MarkupError(line: 1, column: 1, reason: .empty)
        }
        return (tree, error(result, sink))
    }

    private static func checkSize(_ bytes: [UInt8]) throws(MarkupError) {
        if bytes.count > largest { throw MarkupError(line: 1, column: 1, reason: .tooLarge(limit: largest)) }
    }

    /// Maximum number of attributes of an element, and of namespaces in scope. libxml2's time is quadratic in both.
    static let mostAttributes = 1000

    /// Rejects a tag with too many attributes before libxml2 parses it.
    private static func checkTags(_ text: [UInt8], isHTML: Bool) throws(MarkupError) {
        let offset = text.withUnsafeBufferPointer { text in
            var counter = AttributeCounter(text, isHTML: isHTML)
            return counter.excess(over: mostAttributes)
        }
        guard let offset else { return }
        let before = text[..<offset]
        let start = before.lastIndex(of: 10).map { $0 + 1 } ?? 0
        throw MarkupError(
            line: before.count { $0 == 10 } + 1, column: offset - start + 1,
            reason: .tooManyAttributes(limit: mostAttributes))
    }

    private static func strict(_ text: [UInt8]) throws(MarkupError) -> MarkupTree {
        try checkTags(text, isHTML: false)
        let sink = EventSink()
        let result = sink.run(text, cxml_read_xml)
        if let error = error(result, sink) { throw error }
        guard let tree = sink.builder.tree(isHTML: false) else {
            throw MarkupError(line: 1, column: 1, reason: .empty)
        }
        return tree
    }

    private static func error(_ result: cxml_result, _ sink: EventSink) -> MarkupError? {
        let reason: MarkupError.Reason
        switch result.status {
        case CXML_DONE: return nil
        case CXML_NO_MEMORY: reason = .noMemory
        case CXML_STOPPED: reason = sink.excess ?? sink.builder.excess ?? .noMemory
        default:
            let message = withUnsafeBytes(of: result.message) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            reason = message.hasPrefix("Excessive depth") ? .tooDeep(limit: deepest) : .other(message)
        }
        return MarkupError(line: max(1, Int(result.line)), column: max(1, Int(result.column)), reason: reason)
    }
}

/// Forwards libxml2's events to a builder.
private final class EventSink {
    var builder = MarkupBuilder()
    private(set) var excess: MarkupError.Reason?
    /// Number of namespaces declared by each open element.
    private var namespaces: [Int] = []
    private var declared = 0
    /// Name indices by libxml2's interned pointers; libxml2 stores each name once.
    private var numbers: [Pointers: Int32] = [:]

    private struct Pointers: Hashable {
        let name, prefix, uri: UnsafePointer<CChar>?
    }

    func run(
        _ text: [UInt8], _ read: (UnsafePointer<UInt8>?, Int, UnsafePointer<cxml_handlers>?) -> cxml_result
    ) -> cxml_result {
        var handlers = cxml_handlers(
            context: Unmanaged.passUnretained(self).toOpaque(),
            start: { context, name, prefix, uri, namespaces, attributes, count, line, column in
                EventSink.from(context)?.start(
                    name, prefix, uri, namespaces, .init(start: attributes, count: count), line, column) == true
                    ? 0 : 1
            },
            end: { context in
                EventSink.from(context)?.end()
                return 0
            },
            text: { context, bytes, count in
                EventSink.from(context)?.builder.text(UnsafeBufferPointer(start: bytes, count: count)) == true ? 0 : 1
            })
        return withExtendedLifetime(self) {
            text.withUnsafeBufferPointer { read($0.baseAddress, $0.count, &handlers) }
        }
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> EventSink? {
        context.map { Unmanaged<EventSink>.fromOpaque($0).takeUnretainedValue() }
    }

    private func start(
        _ name: UnsafePointer<CChar>?, _ prefix: UnsafePointer<CChar>?, _ uri: UnsafePointer<CChar>?,
        _ declarations: Int, _ attributes: UnsafeBufferPointer<cxml_attribute>, _ line: Int32, _ column: Int32
    ) -> Bool {
        namespaces.append(declarations)
        declared += declarations
        if declared > MarkupTree.mostAttributes {
            excess = .tooManyNamespaces(limit: MarkupTree.mostAttributes)
            return false
        }
        guard builder.start(number(name, prefix, uri), line: Int(line), column: Int(column)) else { return false }
        for attribute in attributes {
            builder.add(
                attribute: number(attribute.name, attribute.prefix, attribute.uri),
                UnsafeBufferPointer(start: attribute.value, count: attribute.length))
        }
        return true
    }

    private func end() {
        declared -= namespaces.popLast() ?? 0
        builder.end()
    }

    private func number(
        _ name: UnsafePointer<CChar>?, _ prefix: UnsafePointer<CChar>?, _ uri: UnsafePointer<CChar>?
    ) -> Int32 {
        let pointers = Pointers(name: name, prefix: prefix, uri: uri)
        if let number = numbers[pointers] { return number }
        func string(_ text: UnsafePointer<CChar>?) -> String? { text.map { String(cString: $0) } }
        let number = builder.number(
            MarkupTree.Name(local: string(name) ?? "", prefix: string(prefix), namespace: string(uri)))
        numbers[pointers] = number
        return number
    }
}
