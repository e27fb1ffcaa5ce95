// Finds the root element of a markup document, to detect its format without parsing it completely.

/// The beginning of a markup document.
package struct MarkupRoot: Sendable, Equatable {
    /// The root element's name in lower case, without its prefix.
    package let name: String
    /// The name in `<!DOCTYPE …>`, in lower case. nil if there is none.
    package let documentType: String?
}

extension DocumentHead {
    package enum Beginning: Sendable, Equatable {
        case root(MarkupRoot)
        case notMarkup
        /// More input is needed to find the root element.
        case open
    }

    /// Finds the root element after declarations, comments and the document type.
    package var beginning: Beginning {
        var rest = text[...].drop { Self.blanks.contains($0) }
        guard let first = rest.first else { return .open }
        if first != UInt8(ascii: "<") { return .notMarkup }
        var documentType: String?
        while true {
            rest = rest.drop { Self.blanks.contains($0) || $0 == 0 }
            guard rest.count > 1 else { return .open }
            guard rest.first == UInt8(ascii: "<") else {
                // Skip text before the root element.
                guard let next = rest.firstIndex(of: UInt8(ascii: "<")) else { return .open }
                rest = rest[next...]
                continue
            }
            if rest.starts(with: "<?".utf8) {
                guard let end = Self.end(of: "?>", in: rest.dropFirst(2)) else { return .open }
                rest = rest[end...]
            } else if rest.starts(with: "<!--".utf8) {
                guard let end = Self.end(of: "-->", in: rest.dropFirst(4)) else { return .open }
                rest = rest[end...]
            } else if rest.starts(with: "<!".utf8) {
                let word = rest.dropFirst(2).prefix { $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "[") }
                let names = word.split(whereSeparator: { $0 <= 0x20 })
                guard let end = Self.endOfDeclaration(rest) else { return .open }
                if names.count > 1 { documentType = String(decoding: names[1], as: UTF8.self).lowercased() }
                rest = rest[end...]
            } else {
                let name = rest.dropFirst().prefix { $0 > 0x20 && !"<>/=\"'".utf8.contains($0) }
                if name.endIndex == rest.endIndex, !isWhole { return .open }
                guard let first = name.first,
                    first >= 0x80 || first | 0x20 >= 0x61 && first | 0x20 <= 0x7A || first == 0x5F
                else {
                    rest = rest.dropFirst()
                    continue
                }
                let local = name.split(separator: UInt8(ascii: ":")).last ?? name
                return .root(
                    MarkupRoot(
                        name: String(decoding: local, as: UTF8.self).lowercased(), documentType: documentType))
            }
        }
    }

    private static func end(of mark: String, in bytes: ArraySlice<UInt8>) -> Int? {
        let mark = Array(mark.utf8)
        var rest = bytes
        while let first = rest.firstIndex(of: mark[0]) {
            rest = rest[first...]
            if rest.count < mark.count { return nil }
            if rest.starts(with: mark) { return first + mark.count }
            rest = rest.dropFirst()
        }
        return nil
    }

    /// The index after the `>` that ends a document type, past its internal subset in brackets.
    private static func endOfDeclaration(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard let close = bytes.firstIndex(of: UInt8(ascii: ">")) else { return nil }
        guard let bracket = bytes.firstIndex(of: UInt8(ascii: "[")), bracket < close else { return close + 1 }
        guard let end = bytes[bracket...].firstIndex(of: UInt8(ascii: "]")) else { return nil }
        return bytes[end...].firstIndex(of: UInt8(ascii: ">")).map { $0 + 1 }
    }
}
