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

    private let syntax: MarkupTemplate.Syntax
    private var state = State.text
    private var tag: [UInt8] = []
    private var attribute: [UInt8] = []
    /// The template's own text of a quoted attribute that `rule` judges.
    private(set) var attributeText: [UInt8] = []
    /// Whether a value stands in the attribute before.
    private var hasValue = false
    /// The rule of the quoted attribute. nil if none applies.
    private(set) var rule: AddressRule?
    /// A section begins or ends inside a name, so that the next byte must end the name.
    private var needsBreak = false
    /// Whether a name of the markup depends on how often a section is rendered.
    private(set) var hasJoinedName = false
    /// The last bytes of a comment or of raw text, to detect its end.
    private var tail: [UInt8] = []

    init(_ syntax: MarkupTemplate.Syntax) { self.syntax = syntax }

    /// Why a value is not allowed here. nil if it is.
    var problem: String? {
        if syntax == .text { return nil }
        switch state {
        case .text: return nil
        case .quoted where rule.map { $0.refuses(after: attributeText) } ?? false:
            return "no escape makes a value safe in this address; the template has to name the site it leads to"
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

    /// The quote that ends the attribute. nil outside of quoted attributes.
    var quote: UInt8? {
        if case .quoted(let quote) = state { quote } else { nil }
    }

    /// Whether the next value may be the first of an address, which must then be a whole one.
    var takesAddress: Bool { rule == .address && !hasValue && AddressRule.isBlank(attributeText) }

    /// Records that a value was written.
    mutating func passValue() { hasValue = true }

    /// Takes back text that was passed, because the line of a tag is left out.
    mutating func takeBack(_ count: Int) { attributeText.removeLast(min(count, attributeText.count)) }

    // MARK: - Sections

    /// Starts a section. It may be rendered any number of times.
    mutating func beginSection() {
        tail = []
        if state == .tagName || state == .attributeName { needsBreak = true }
    }

    /// Ends a section. Returns false if the context after it depends on how often it was rendered.
    mutating func endSection(from start: EscapingContext, content: ArraySlice<UInt8>) -> Bool {
        tail = []
        if syntax == .text { return true }
        if start.isInName || isInName { needsBreak = true }
        // Rendered twice, the name at the end would run into the one at the beginning.
        if isInName, !start.isInName, let first = content.first, !Self.isSpace(first),
            content.contains(UInt8(ascii: "="))
        {
            return false
        }
        return kind == start.kind
    }

    /// The part of the state in which a section has to end as it began.
    private var kind: [UInt8] {
        switch state {
        case .text: [0]
        case .tagName, .tag, .attributeName: [1] + Self.name(tag).utf8
        case .beforeValue: [2] + attribute
        case .quoted(let quote): [3, quote] + attribute
        case .unquoted: [4]
        case .comment: [5, UInt8(clamping: tag.count)]
        case .rawText: [6] + Self.name(tag).utf8
        }
    }

    private var isInName: Bool { state == .tagName || state == .attributeName }

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

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    private mutating func pass(_ byte: UInt8) {
        let isSpace = Self.isSpace(byte)
        if needsBreak {
            needsBreak = false
            if !isSpace, byte != UInt8(ascii: "/"), byte != UInt8(ascii: ">") { hasJoinedName = true }
        }
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
                state = .beforeValue
            } else if !isSpace, byte != UInt8(ascii: "/") {
                (state, attribute) = (.attributeName, [byte])
            }
        case .attributeName:
            if byte == UInt8(ascii: "=") {
                state = .beforeValue
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
                (attributeText, hasValue) = ([], false)
                rule = syntax == .html ? AddressRule(tag: Self.name(tag), attribute: Self.name(attribute)) : nil
            } else if byte == UInt8(ascii: ">") {
                endTag()
            } else if !isSpace {
                state = .unquoted
            }
        case .quoted(let quote):
            if byte == quote {
                (state, rule) = (.tag, nil)
            } else if rule != nil {
                attributeText.append(byte)
            }
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
