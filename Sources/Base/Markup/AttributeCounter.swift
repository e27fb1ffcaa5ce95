// Counts the attributes of each tag as libxml2 will see them. Text, comments, CDATA, processing instructions and, in HTML,
// scripts and styles hold no tags, whatever quotes and angle brackets stand in them.

import Glibc

struct AttributeCounter {
    private let text: UnsafeBufferPointer<UInt8>
    private let isHTML: Bool
    private var offset = 0

    init(_ text: UnsafeBufferPointer<UInt8>, isHTML: Bool) {
        self.text = text
        self.isHTML = isHTML
    }

    /// The offset of the first attribute over the limit; nil when every tag is within it.
    mutating func excess(over limit: Int) -> Int? {
        while let open = index(of: UInt8(ascii: "<")) {
            offset = open + 1
            guard offset < text.count else { return nil }
            switch text[offset] {
            case UInt8(ascii: "!"):
                if starts(with: "!--") {
                    offset += 3
                    skipComment()
                } else if !isHTML, starts(with: "![CDATA[") {
                    skip(behind: "]]>")
                } else if isHTML {
                    skip(behind: ">")
                } else if let excess = attributes(over: limit, endsAtTag: true) {
                    // A document type, or a declaration in it, which may define attributes.
                    return excess
                }
            case UInt8(ascii: "?"): skip(behind: isHTML ? ">" : "?>")
            case UInt8(ascii: "/"), 0...0x20, UInt8(ascii: "<"), UInt8(ascii: ">"): break
            default:
                let name = offset
                if let excess = attributes(over: limit, endsAtTag: false) { return excess }
                if isHTML, let raw = ["script", "style"].first(where: { isElement($0, at: name) }) { skip(raw: raw) }
            }
        }
        return nil
    }

    /// Passes a tag, from its name to behind its `>`.
    ///
    /// - Parameter endsAtTag: whether `<` outside of quotes ends it, too. In a tag libxml2 skips such a byte.
    private mutating func attributes(over limit: Int, endsAtTag: Bool) -> Int? {
        while offset < text.count, !Self.endsName(text[offset]) { offset += 1 }
        var count = 0
        while offset < text.count {
            switch text[offset] {
            case UInt8(ascii: ">"):
                offset += 1
                return nil
            case UInt8(ascii: "<") where endsAtTag: return nil
            case 0...0x20, UInt8(ascii: "/"): offset += 1
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                // Only document types have quotes without a name before them.
                if endsAtTag { skipQuoted() } else { offset += 1 }
            default:
                count += 1
                if count > limit { return offset }
                offset += 1
                while offset < text.count, !Self.endsName(text[offset]) { offset += 1 }
                skipValue()
            }
        }
        return nil
    }

    private mutating func skipValue() {
        var ahead = offset
        while ahead < text.count, text[ahead] <= 0x20 { ahead += 1 }
        guard ahead < text.count, text[ahead] == UInt8(ascii: "=") else { return }
        ahead += 1
        while ahead < text.count, text[ahead] <= 0x20 { ahead += 1 }
        offset = ahead
        guard ahead < text.count else { return }
        if text[ahead] == UInt8(ascii: "\"") || text[ahead] == UInt8(ascii: "'") { return skipQuoted() }
        while offset < text.count, text[offset] > 0x20, text[offset] != UInt8(ascii: ">") { offset += 1 }
    }

    private mutating func skipQuoted() {
        let quote = text[offset]
        offset += 1
        offset = index(of: quote).map { $0 + 1 } ?? text.count
    }

    private static func endsName(_ byte: UInt8) -> Bool {
        byte <= 0x20 || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "=")
    }

    // MARK: - What holds no tags

    private mutating func skipComment() {
        while let dash = index(of: UInt8(ascii: "-")) {
            offset = dash
            if starts(with: "-->") || isHTML && starts(with: "--!>") { return }
            offset += 1
        }
        offset = text.count
    }

    private mutating func skip(behind end: StaticString) {
        while let first = index(of: end.utf8Start[0]) {
            offset = first
            if starts(with: end) {
                offset += end.utf8CodeUnitCount
                return
            }
            offset += 1
        }
        offset = text.count
    }

    /// Passes the content of an element that has no markup, up to its end tag.
    private mutating func skip(raw name: String) {
        while let open = index(of: UInt8(ascii: "<")) {
            offset = open
            if open + 1 < text.count, text[open + 1] == UInt8(ascii: "/"), isElement(name, at: open + 2) { return }
            offset += 1
        }
        offset = text.count
    }

    private func isElement(_ name: String, at place: Int) -> Bool {
        guard place + name.utf8.count <= text.count else { return false }
        return zip(text[place..<place + name.utf8.count], name.utf8).allSatisfy { $0 | 0x20 == $1 }
    }

    private func starts(with prefix: StaticString) -> Bool {
        guard offset + prefix.utf8CodeUnitCount <= text.count else { return false }
        return (0..<prefix.utf8CodeUnitCount).allSatisfy { text[offset + $0] == prefix.utf8Start[$0] }
    }

    private func index(of byte: UInt8) -> Int? {
        guard offset < text.count, let base = text.baseAddress,
            let found = memchr(base + offset, Int32(byte), text.count - offset)
        else { return nil }
        return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }
}
