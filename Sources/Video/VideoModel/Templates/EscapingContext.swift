// Tracks the escaping context of a value in a markup template. The template's own text is trusted: the automaton does
// not have to handle broken markup as browsers do, only detect where a value cannot be escaped safely.

/// The context after the markup passed so far.
struct EscapingContext {
    private enum State: Equatable {
        case text
        /// After `<`, in a tag's name.
        case tagName
        case tag
        case attributeName
        /// After the equals sign.
        case beforeValue
        case quoted(UInt8)
        case unquoted
        case comment
        /// In an element whose content is not markup.
        case rawText
    }

    /// Attributes whose value is a URL.
    private static let addresses: Set<String> = [
        "href", "src", "action", "formaction", "poster", "cite", "data", "background", "xlink:href", "ping",
    ]

    private let syntax: MarkupTemplate.Syntax
    private var state = State.text
    private var tag: [UInt8] = []
    private var attribute: [UInt8] = []
    private var isAttributeEmpty = true
    /// The last bytes of a comment or of raw text, to detect its end.
    private var tail: [UInt8] = []

    init(_ syntax: MarkupTemplate.Syntax) { self.syntax = syntax }

    /// Why a value is not allowed here. nil if it is.
    var problem: String? {
        if syntax == .text { return nil }
        switch state {
        case .text: return nil
        case .quoted:
            let name = Self.name(attribute)
            if syntax == .html, name.hasPrefix("on") || name == "style" || name == "srcdoc" {
                return "no escape makes a value safe in the attribute \(name); put it in a data- attribute"
            }
            return nil
        case .unquoted, .beforeValue: return "the attribute's value needs quotes"
        case .tagName, .tag, .attributeName: return "a value cannot stand inside a tag; it can in a quoted attribute"
        case .comment: return "a value cannot stand in a comment"
        case .rawText: return "no escape makes a value safe in <\(Self.name(tag))>"
        }
    }

    /// Whether the context is a quoted attribute.
    var isAttribute: Bool {
        if case .quoted = state { true } else { false }
    }

    /// Whether a value here is at the beginning of a URL attribute.
    var takesAddress: Bool {
        guard syntax == .html, case .quoted = state, isAttributeEmpty else { return false }
        return Self.addresses.contains(Self.name(attribute))
    }

    /// Records that a value was written.
    mutating func passValue() { isAttributeEmpty = false }

    /// Advances over text of the template.
    mutating func pass(_ text: ArraySlice<UInt8>) {
        if syntax == .text { return }
        var rest = text
        while true {
            // Fast path: most of a template is text between tags.
            if state == .text { rest = rest.drop { $0 != UInt8(ascii: "<") } }
            guard let byte = rest.popFirst() else { return }
            pass(byte)
        }
    }

    private mutating func pass(_ byte: UInt8) {
        let isSpace = byte == 0x20 || (0x09...0x0D).contains(byte)
        switch state {
        case .text:
            if byte == UInt8(ascii: "<") { (state, tag) = (.tagName, []) }
        case .tagName:
            tag.append(byte)
            if tag.count == 3 && tag.elementsEqual("!--".utf8) || tag.count == 8 && tag.elementsEqual("![CDATA[".utf8) {
                (state, tail) = (.comment, [])
            } else if byte == UInt8(ascii: ">") {
                tag.removeLast()
                endTag()
            } else if isSpace {
                tag.removeLast()
                // A lone less-than sign is text.
                state = tag.isEmpty ? .text : .tag
            }
        case .tag:
            if byte == UInt8(ascii: ">") {
                endTag()
            } else if byte == UInt8(ascii: "=") {
                (state, isAttributeEmpty) = (.beforeValue, true)
            } else if !isSpace, byte != UInt8(ascii: "/") {
                (state, attribute) = (.attributeName, [byte])
            }
        case .attributeName:
            if byte == UInt8(ascii: "=") {
                (state, isAttributeEmpty) = (.beforeValue, true)
            } else if byte == UInt8(ascii: ">") {
                endTag()
            } else if isSpace {
                state = .tag
            } else {
                attribute.append(byte)
            }
        case .beforeValue:
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                state = .quoted(byte)
            } else if byte == UInt8(ascii: ">") {
                endTag()
            } else if !isSpace {
                state = .unquoted
            }
        case .quoted(let quote):
            if byte == quote { state = .tag } else { isAttributeEmpty = false }
        case .unquoted:
            if byte == UInt8(ascii: ">") { endTag() } else if isSpace { state = .tag }
        case .comment:
            keep(byte)
            let end = tag.count == 3 ? "-->" : "]]>"
            if tail.suffix(3).elementsEqual(end.utf8) { state = .text }
        case .rawText:
            keep(byte)
            if tail.suffix(tag.count + 3).elementsEqual(("</" + Self.name(tag) + ">").utf8) { state = .text }
        }
    }

    private mutating func endTag() {
        let name = Self.name(tag)
        (state, tail) = (syntax == .html && (name == "script" || name == "style") ? .rawText : .text, [])
    }

    private mutating func keep(_ byte: UInt8) {
        tail.append((UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte)
        if tail.count > 64 { tail.removeFirst(32) }
    }

    private static func name(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self).lowercased() }
}
