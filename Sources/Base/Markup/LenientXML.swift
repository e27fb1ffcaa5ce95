// Tolerant XML parser for malformed feeds and subscription lists: raw `&` and `<`, unclosed or unmatched tags,
// undeclared namespaces, HTML entities, text before the declaration, truncated input. An end tag without an open
// element is dropped; one that matches an outer element closes everything in between.

import Basics

/// Parses any text that contains a tag.
struct LenientXML {
    private let bytes: [UInt8]
    private var position = 0
    private var builder = MarkupBuilder()
    /// The names of the open elements as written, and the number of namespace declarations outside each.
    private var open: [(name: ArraySlice<UInt8>, scopes: Int)] = []
    /// Declared namespaces, innermost last.
    private var namespaces: [(prefix: String?, uri: String)] = []
    private var line = 1
    private var lineStart = 0
    private var counted = 0
    /// Line of an incomplete tag at the end of the input.
    private var cutTag: Int?

    /// - Parameter text: valid UTF-8.
    init(_ text: [UInt8]) { bytes = text }

    mutating func read() throws(MarkupError) -> MarkupTree {
        while position < bytes.count {
            if bytes[position] == UInt8(ascii: "<") {
                try markup()
            } else {
                try text(to: bytes[position...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count)
            }
        }
        builder.endEarly(line: cutTag)
        while !open.isEmpty { close() }
        guard let tree = builder.tree(isHTML: false) else { throw fault(.empty) }
        return tree
    }

    private mutating func fault(_ reason: MarkupError.Reason) -> MarkupError {
        let (line, column) = place()
        return MarkupError(line: line, column: column, reason: reason)
    }

    /// Line and column of the position. Counting continues from the previous call.
    private mutating func place() -> (line: Int, column: Int) {
        let end = min(position, bytes.count)
        if counted < end {
            for index in counted..<end where bytes[index] == 10 {
                line += 1
                lineStart = index + 1
            }
            counted = end
        }
        return (line, max(1, position - lineStart + 1))
    }

    // MARK: Content between tags

    private mutating func text(to end: Int) throws(MarkupError) {
        defer { position = end }
        if open.isEmpty { return }
        try add(Self.unescaped(bytes[position..<end]))
    }

    private mutating func add(_ text: some Collection<UInt8>) throws(MarkupError) {
        guard builder.text(text) else { throw fault(builder.excess ?? .noMemory) }
    }

    /// Decodes character references and removes control characters that XML does not allow.
    private static func unescaped(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        let isPlain = bytes.allSatisfy { ($0 >= 0x20 && $0 != UInt8(ascii: "&")) || $0 == 10 || $0 == 13 || $0 == 9 }
        if isPlain { return Array(bytes) }
        let text = bytes.filter { $0 >= 0x20 || $0 == 10 || $0 == 13 || $0 == 9 }
        return Array(HTMLEntities.unescape(String(decoding: text, as: UTF8.self)).utf8)
    }

    private mutating func markup() throws(MarkupError) {
        let rest = bytes[position...]
        if rest.starts(with: "<![CDATA[".utf8) {
            let start = position + 9
            let end = find("]]>", from: start) ?? bytes.count
            if !open.isEmpty { try add(bytes[start..<end].filter { $0 >= 0x20 || $0 == 10 || $0 == 13 || $0 == 9 }) }
            position = min(end + 3, bytes.count)
        } else if rest.starts(with: "<!--".utf8) {
            position = (find("-->", from: position + 4) ?? bytes.count - 3) + 3
        } else if rest.starts(with: "<?".utf8) {
            position = (find("?>", from: position + 2) ?? bytes.count - 2) + 2
        } else if rest.starts(with: "<!".utf8) {
            skipDeclaration()
        } else if rest.starts(with: "</".utf8), let name = name(at: position + 2) {
            position = (bytes[name.endIndex...].firstIndex(of: UInt8(ascii: ">")) ?? bytes.count - 1) + 1
            close(name)
        } else if let name = name(at: position + 1) {
            try element(name)
        } else {
            // A `<` that does not start markup is text.
            position += 1
            if !open.isEmpty { try add([UInt8(ascii: "<")]) }
        }
    }

    private func find(_ mark: String, from start: Int) -> Int? {
        let mark = Array(mark.utf8)
        var index = start
        while index + mark.count <= bytes.count {
            guard let first = bytes[index...].firstIndex(of: mark[0]), first + mark.count <= bytes.count else {
                return nil
            }
            if bytes[first..<first + mark.count].elementsEqual(mark) { return first }
            index = first + 1
        }
        return nil
    }

    /// Skips a document type declaration, including its internal subset.
    private mutating func skipDeclaration() {
        var brackets = 0
        var quote: UInt8 = 0
        var index = position + 2
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if quote != 0 {
                if byte == quote { quote = 0 }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: "[") {
                brackets += 1
            } else if byte == UInt8(ascii: "]") {
                brackets -= 1
            } else if byte == UInt8(ascii: ">"), brackets <= 0 {
                position = index
                return
            }
        }
        // Unclosed quotes or brackets: the declaration ends at its first `>`.
        position = (bytes[position...].firstIndex(of: UInt8(ascii: ">")) ?? bytes.count - 1) + 1
    }

    // MARK: Tags

    private static func beginsName(_ byte: UInt8) -> Bool {
        byte >= 0x80 || byte == UInt8(ascii: "_")
            || (byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z"))
    }

    private static func isInName(_ byte: UInt8) -> Bool {
        beginsName(byte) || (byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: ":")) || byte == UInt8(ascii: "-")
            || byte == UInt8(ascii: ".")
    }

    /// The name at this offset; nil when there is none.
    private func name(at start: Int) -> ArraySlice<UInt8>? {
        guard start < bytes.count, Self.beginsName(bytes[start]) else { return nil }
        return bytes[start...].prefix(while: Self.isInName)
    }

    private mutating func element(_ name: ArraySlice<UInt8>) throws(MarkupError) {
        if open.isEmpty, builder.hasRoot {
            // A second root element: treat its content as part of the first root.
            builder.reopenRoot()
            open.append((bytes[0..<0], 0))
        }
        let scopes = namespaces.count
        position = name.endIndex
        var attributes: [(name: ArraySlice<UInt8>, value: [UInt8])] = []
        let tagEnd = readAttributes(into: &attributes)
        if tagEnd == nil, builder.hasRoot {
            // Drop an incomplete tag: a truncated URL would be a wrong URL.
            position = name.startIndex
            cutTag = place().line
            position = bytes.count
            return
        }
        for attribute in attributes where attribute.name.starts(with: "xmlns".utf8) {
            let uri = String(decoding: attribute.value, as: UTF8.self)
            if attribute.name.count == 5 {
                namespaces.append((nil, uri))
            } else if attribute.name.dropFirst(5).first == UInt8(ascii: ":") {
                namespaces.append((String(decoding: attribute.name.dropFirst(6), as: UTF8.self), uri))
            }
        }
        let (line, column) = place()
        guard builder.start(number(name, isAttribute: false), line: line, column: column) else {
            throw fault(builder.excess ?? .noMemory)
        }
        for attribute in attributes where !attribute.name.starts(with: "xmlns".utf8) {
            builder.add(attribute: number(attribute.name, isAttribute: true), attribute.value)
        }
        open.append((name, scopes))
        if tagEnd == true || Self.neverClosed.contains(where: name.elementsEqual) { close() }
    }

    /// HTML void elements, which occur unescaped in descriptions.
    private static let neverClosed = ["br", "BR", "hr", "HR", "img", "IMG", "wbr", "input"].map { Array($0.utf8) }

    /// Parses up to the end of the tag. Returns true for a self-closing tag, and nil when the input ends inside the
    /// tag.
    private mutating func readAttributes(into attributes: inout [(name: ArraySlice<UInt8>, value: [UInt8])]) -> Bool? {
        while position < bytes.count {
            let byte = bytes[position]
            if byte == UInt8(ascii: ">") {
                position += 1
                return false
            }
            if byte == UInt8(ascii: "/"), position + 1 < bytes.count, bytes[position + 1] == UInt8(ascii: ">") {
                position += 2
                return true
            }
            // A tag without `>` ends where the next tag starts.
            if byte == UInt8(ascii: "<") { return false }
            guard let name = name(at: position) else {
                position += 1
                continue
            }
            position = name.endIndex
            skipBlanks()
            var value: [UInt8] = []
            if position < bytes.count, bytes[position] == UInt8(ascii: "=") {
                position += 1
                skipBlanks()
                value = attributeValue()
            }
            if attributes.count < MarkupTree.mostAttributes, !attributes.contains(where: { $0.name == name }) {
                attributes.append((name, value))
            }
        }
        return nil
    }

    private mutating func attributeValue() -> [UInt8] {
        guard position < bytes.count else { return [] }
        let quote = bytes[position]
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            let start = position
            position = bytes[position...].firstIndex { $0 <= 0x20 || $0 == UInt8(ascii: ">") } ?? bytes.count
            return Self.unescaped(bytes[start..<position])
        }
        let start = position + 1
        let end = bytes[start...].firstIndex(of: quote) ?? bytes.count
        position = min(end + 1, bytes.count)
        // Line breaks and tabs in an attribute value are spaces.
        return Self.unescaped(bytes[start..<end]).map { $0 < 0x20 ? 0x20 : $0 }
    }

    private mutating func skipBlanks() {
        while position < bytes.count, bytes[position] <= 0x20 { position += 1 }
    }

    private mutating func close() {
        namespaces.removeLast(namespaces.count - open.removeLast().scopes)
        builder.end()
    }

    private mutating func close(_ name: ArraySlice<UInt8>) {
        guard
            let last = open.lastIndex(where: { $0.name == name })
                ?? open.lastIndex(where: { Self.isSame($0.name, name) })
        else { return }
        while open.count > last { close() }
    }

    private static func isSame(_ one: ArraySlice<UInt8>, _ other: ArraySlice<UInt8>) -> Bool {
        one.count == other.count && zip(one, other).allSatisfy { $0 == $1 || $0 | 0x20 == $1 | 0x20 }
    }

    private mutating func number(_ name: ArraySlice<UInt8>, isAttribute: Bool) -> Int32 {
        let written = String(decoding: name, as: UTF8.self)
        guard let colon = name.firstIndex(of: UInt8(ascii: ":")), colon > name.startIndex, colon + 1 < name.endIndex
        else {
            let uri = isAttribute ? nil : namespaces.last { $0.prefix == nil }?.uri
            return builder.number(MarkupTree.Name(local: written, prefix: nil, namespace: uri == "" ? nil : uri))
        }
        let prefix = String(decoding: name[..<colon], as: UTF8.self)
        let uri = prefix == "xml" ? xmlNamespace : namespaces.last { $0.prefix == prefix }?.uri
        return builder.number(
            MarkupTree.Name(
                local: String(decoding: name[(colon + 1)...], as: UTF8.self), prefix: prefix, namespace: uri))
    }

    private let xmlNamespace = "http://www.w3.org/XML/1998/namespace"
}
