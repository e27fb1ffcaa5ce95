// Templates with Mustache syntax and extensions for pages and feeds. Parsed once, rendered often. Values are escaped
// for their context, so contexts without a safe escape (scripts, unquoted attributes) are rejected when the template is
// parsed, not when it is rendered.

/// A text with placeholders.
///
/// - `{{name}}` is a value, `{{channel.title}}` a nested one, `{{.}}` the value of the current section; `{{title or id
///   or "Untitled"}}` is the first present value; `{{published|rfc822}}` applies a `Format`.
/// - `{{#name}}…{{/name}}` is rendered if the value is present: once per element of a list, with the element's names,
///   otherwise once. `{{^name}}…{{/name}}` is rendered if the value is absent. Nil, false, empty texts and empty lists
///   are absent.
/// - `{{! note }}` is a comment. A line that contains only a section tag or a comment is removed.
///
/// Values are escaped for the syntax. URL attributes in HTML accept only http and https URLs.
public struct MarkupTemplate: Sendable {
    public enum Syntax: String, Sendable, CaseIterable {
        case html, xml, text
    }

    /// How a value is formatted.
    public enum Format: String, Sendable, CaseIterable {
        /// A time as in RFC 822 and RSS, in GMT.
        case rfc822
        /// A time as in RFC 3339 and Atom, in UTC.
        case rfc3339
        /// The date of a time, `2024-07-01`.
        case date
        /// Whole seconds as `1:05:00`.
        case duration
        /// A whole number with digit grouping.
        case grouped
        /// An http or https URL. Any other value is omitted.
        case link
        /// A text percent-encoded as a URL component (RFC 3986).
        case url
        /// Not escaped. The value must be trusted markup.
        case raw
    }

    /// The source of a value.
    public enum Source: Sendable, Equatable {
        /// A name as an index into `names`, and nested names as a range of `innerNames`.
        case path(name: Int32, inner: Range<Int32>)
        /// The value of the current section.
        case itself
        /// A literal, as a range of `text`.
        case literal(Range<Int32>)
    }

    public struct Value: Sendable, Equatable {
        /// A range of `sources`. The first present one is used.
        public var sources: Range<Int32>
        public var format: Format?
        /// Whether the value is in an attribute, where XML needs stricter escaping than in text.
        public var isInAttribute = false
        /// The line in the template, from 1.
        public var line: Int32
    }

    /// A step of rendering. Steps contain no references, because they run for every record and reference counting is
    /// slow.
    public enum Step: Sendable, Equatable {
        /// Text of the template, as a range of `text`.
        case literal(Range<Int32>)
        /// An index into `values`.
        case value(Int32)
        /// A section: the index of its value, and the index after its last step.
        case section(Int32, inverted: Bool, end: Int32)
        /// The next steps fill an attribute that holds an address; that many bytes of it are written already.
        case beginAddress(AddressRule, prefix: Int32)
        /// The end of that attribute: its whole value is judged.
        case endAddress
    }

    /// The first name of a value's path.
    public struct Name: Sendable {
        public let text: String
        /// The record field of this name. nil if there is none.
        public let field: VideoField?
    }

    public private(set) var syntax: Syntax
    public fileprivate(set) var steps: [Step] = []
    public fileprivate(set) var values: [Value] = []
    /// The values as written in the template, for error messages.
    public fileprivate(set) var spellings: [String] = []
    public fileprivate(set) var sources: [Source] = []
    public fileprivate(set) var names: [Name] = []
    public fileprivate(set) var innerNames: [String] = []
    public fileprivate(set) var text: [UInt8] = []

    /// - Throws: `Fault`, a syntax error with its line.
    public init(_ text: String, syntax: Syntax = .html) throws(Fault) {
        self.syntax = syntax
        var reader = TemplateReader(text, self)
        self = try reader.read()
    }

    public struct Fault: Error, Sendable, Equatable, CustomStringConvertible {
        /// The line in the template, from 1.
        public let line: Int
        public let reason: String
        public var description: String { "line \(line) of the template: \(reason)" }
    }
}

/// Parses a template.
private struct TemplateReader {
    typealias Fault = MarkupTemplate.Fault

    private struct Open {
        let name: String
        let spelling: String
        let line: Int
        let step: Int
        /// The context at its beginning, and the index of its content.
        let place: EscapingContext
        let content: Int
    }

    private let bytes: [UInt8]
    private var index = 0
    private var line = 1
    private var literalStart = 0
    private var open: [Open] = []
    private var place: EscapingContext
    /// The quote that ends the attribute whose steps are judged. nil outside of one.
    private var judgedUntil: UInt8?
    private var template: MarkupTemplate

    init(_ text: String, _ template: MarkupTemplate) {
        bytes = Array(text.utf8)
        self.template = template
        place = EscapingContext(template.syntax)
    }

    mutating func read() throws(Fault) -> MarkupTemplate {
        while index < bytes.count {
            var end = index
            while end < bytes.count, !(isBrace(end, "{") && isBrace(end + 1, "{")) {
                if bytes[end] == UInt8(ascii: "\n") { line += 1 }
                end += 1
            }
            append(bytes[index..<end])
            if place.hasJoinedName {
                throw fault("a section cannot begin or end inside a name; put a blank between them")
            }
            index = end
            if index < bytes.count { try readTag() }
        }
        if let last = open.last {
            throw fault("{{#\(last.spelling)}} of line \(last.line) is not closed with {{/\(last.name)}}")
        }
        endLiteral()
        if judgedUntil != nil { template.steps.append(.endAddress) }
        return template
    }

    private mutating func append(_ text: ArraySlice<UInt8>) {
        var text = text
        if let quote = judgedUntil, let end = text.firstIndex(of: quote) {
            template.text.append(contentsOf: text[..<end])
            place.pass(text[..<end])
            endLiteral()
            template.steps.append(.endAddress)
            judgedUntil = nil
            text = text[end...]
        }
        template.text.append(contentsOf: text)
        place.pass(text)
    }

    /// Starts to judge the attribute, if the tag that comes next can change where its address leads.
    private mutating func judge(_ rule: AddressRule) {
        guard judgedUntil == nil, !rule.settles(place.attributeText) else { return }
        endLiteral()
        template.steps.append(.beginAddress(rule, prefix: Int32(place.attributeText.count)))
        judgedUntil = place.quote
    }

    private func fault(_ reason: String) -> Fault { Fault(line: line, reason: reason) }
    private func isBrace(_ index: Int, _ brace: Unicode.Scalar) -> Bool {
        index < bytes.count && bytes[index] == UInt8(ascii: brace)
    }

    private mutating func endLiteral() {
        if template.text.count > literalStart {
            template.steps.append(.literal(Int32(literalStart)..<Int32(template.text.count)))
        }
        literalStart = template.text.count
    }

    private mutating func readTag() throws(Fault) {
        let start = index
        guard let end = closing(after: index + 2) else { throw fault("{{ without }}") }
        let inside = bytes[(index + 2)..<end]
        let text = Self.trimmed(inside)
        index = end + 2
        let tagLine = line
        line += inside.count { $0 == UInt8(ascii: "\n") }
        switch text.utf8.first {
        case UInt8(ascii: "!"):
            leaveOutLine(from: start)
        case UInt8(ascii: "#"), UInt8(ascii: "^"):
            leaveOutLine(from: start)
            if let rule = place.rule { judge(rule) }
            endLiteral()
            let (value, name) = try value(String(text.dropFirst()), tagLine)
            guard let name else { throw fault("a section is about one value, not {{\(text)}}") }
            template.values.append(value)
            template.spellings.append(Self.trimmed(text.utf8.dropFirst()))
            open.append(
                Open(
                    name: name, spelling: template.spellings.last ?? "", line: tagLine, step: template.steps.count,
                    place: place, content: index))
            place.beginSection()
            template.steps.append(
                .section(
                    Int32(template.values.count - 1), inverted: text.utf8.first == UInt8(ascii: "^"), end: 0))
        case UInt8(ascii: "/"):
            let closed = Self.trimmed(text.utf8.dropFirst())
            guard let last = open.popLast() else { throw fault("{{\(text)}} closes nothing") }
            guard closed == last.name || closed == last.spelling else {
                throw fault("{{\(text)}} stands where {{/\(last.name)}} of line \(last.line) is expected")
            }
            leaveOutLine(from: start)
            guard place.endSection(from: last.place, content: bytes[min(last.content, start)..<start]) else {
                throw fault(
                    "{{\(text)}} has to stand in the same text, tag or attribute as its beginning in line \(last.line)")
            }
            endLiteral()
            if case .section(let value, let isInverted, _) = template.steps[last.step] {
                template.steps[last.step] = .section(value, inverted: isInverted, end: Int32(template.steps.count))
            }
        case UInt8(ascii: "{"), UInt8(ascii: "&"), UInt8(ascii: ">"), UInt8(ascii: "="):
            throw fault("{{\(text)}} is not known here; a value that is not escaped is written {{name|raw}}")
        default:
            endLiteral()
            var (value, _) = try value(text, tagLine)
            if value.format != .raw {
                if let problem = place.problem { throw fault("{{\(text)}}: \(problem)") }
                if place.takesAddress {
                    guard value.format == nil || value.format == .link else {
                        throw fault("{{\(text)}}: an address is written as it is, or |link")
                    }
                    value.format = .link
                }
            }
            value.isInAttribute = place.isAttribute
            if let rule = place.rule, !isWhole(value) { judge(rule) }
            place.passValue()
            template.steps.append(.value(Int32(template.values.count)))
            template.values.append(value)
            template.spellings.append(text)
        }
    }

    /// Whether the value, whose tag was just read, is all of an address, so that it judges itself.
    private func isWhole(_ value: MarkupTemplate.Value) -> Bool {
        judgedUntil == nil && (value.format == .link || value.format == .raw) && place.attributeText.isEmpty
            && index < bytes.count && bytes[index] == place.quote
    }

    /// The index of the closing braces of a tag. Quoted text may contain braces.
    private func closing(after start: Int) -> Int? {
        var index = start
        var isQuoted = false
        while index + 1 < bytes.count {
            if bytes[index] == UInt8(ascii: "\"") { isQuoted.toggle() }
            if !isQuoted, isBrace(index, "}"), isBrace(index + 1, "}") { return index }
            index += 1
        }
        return nil
    }

    /// Removes the line of a tag that is alone on its line.
    private mutating func leaveOutLine(from start: Int) {
        let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        var before = start
        while before > 0, isBlank(bytes[before - 1]) { before -= 1 }
        var after = index
        while after < bytes.count, isBlank(bytes[after]) { after += 1 }
        let begins = before == 0 || bytes[before - 1] == UInt8(ascii: "\n")
        if after < bytes.count, bytes[after] == UInt8(ascii: "\r") { after += 1 }
        guard begins, after == bytes.count || bytes[after] == UInt8(ascii: "\n") else { return }
        let count = min(start - before, template.text.count - literalStart)
        template.text.removeLast(count)
        place.takeBack(count)
        index = min(after + 1, bytes.count)
        line += 1
    }

    // MARK: - Values

    /// Parses a value. The name is the one that closes a section, nil if the value has alternatives.
    private mutating func value(_ text: String, _ line: Int) throws(Fault) -> (MarkupTemplate.Value, name: String?) {
        var words: [(text: String, isQuoted: Bool)] = []
        var format: MarkupTemplate.Format?
        var rest = Self.trimmed(text.utf8)[...]
        while !rest.isEmpty {
            let first = rest.utf8.first
            if first == UInt8(ascii: " ") || first == UInt8(ascii: "\t") || first == UInt8(ascii: "\n") {
                rest = rest.dropFirst()
            } else if first == UInt8(ascii: "\"") {
                rest = rest.dropFirst()
                guard let end = rest.utf8.firstIndex(of: UInt8(ascii: "\"")) else {
                    throw fault("{{\(text)}}: \" without \"")
                }
                words.append((String(rest[..<end]), true))
                rest = rest[end...].dropFirst()
            } else if first == UInt8(ascii: "|") {
                let word = Self.trimmed(rest.dropFirst().utf8)
                format = MarkupTemplate.Format(rawValue: word)
                if format == nil {
                    let known = MarkupTemplate.Format.allCases.map(\.rawValue).joined(separator: ", ")
                    throw fault("{{\(text)}}: no way to write a value is called '\(word)'; there are \(known)")
                }
                rest = ""
            } else {
                let end = rest.utf8.firstIndex { $0 <= UInt8(ascii: " ") || $0 == UInt8(ascii: "|") } ?? rest.endIndex
                words.append((String(rest[..<end]), false))
                rest = rest[end...]
            }
        }
        let firstSource = Int32(template.sources.count)
        for (index, word) in words.enumerated() {
            if index % 2 == 1 {
                guard !word.isQuoted, word.text == "or" else {
                    throw fault("{{\(text)}}: names are joined with 'or'")
                }
            } else if word.isQuoted {
                endLiteral()
                template.text.append(contentsOf: word.text.utf8)
                template.sources.append(.literal(Int32(literalStart)..<Int32(template.text.count)))
                literalStart = template.text.count
            } else {
                template.sources.append(try path(word.text, in: text))
            }
        }
        guard words.count % 2 == 1 else { throw fault("{{\(text)}}: a name is missing") }
        let value = MarkupTemplate.Value(
            sources: firstSource..<Int32(template.sources.count), format: format, line: Int32(line))
        return (value, words.count == 1 && !words[0].isQuoted ? words[0].text : nil)
    }

    private mutating func path(_ word: String, in text: String) throws(Fault) -> MarkupTemplate.Source {
        if word == "." { return .itself }
        let names = word.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        let isName = { (name: String) in
            !name.isEmpty
                && name.utf8.allSatisfy {
                    $0 >= 0x80 || $0 == UInt8(ascii: "_") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                        || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20)
                }
        }
        guard names.allSatisfy(isName) else { throw fault("{{\(text)}}: '\(word)' is no name") }
        let start = Int32(template.innerNames.count)
        template.innerNames.append(contentsOf: names.dropFirst())
        let inner = start..<Int32(template.innerNames.count)
        if let known = template.names.firstIndex(where: { $0.text == names[0] }) {
            return .path(name: Int32(known), inner: inner)
        }
        template.names.append(MarkupTemplate.Name(text: names[0], field: VideoField(name: names[0])))
        return .path(name: Int32(template.names.count - 1), inner: inner)
    }

    private static func trimmed(_ bytes: some BidirectionalCollection<UInt8>) -> String {
        let isSpace = { (byte: UInt8) in byte == 0x20 || (0x09...0x0D).contains(byte) }
        guard let first = bytes.firstIndex(where: { !isSpace($0) }), let last = bytes.lastIndex(where: { !isSpace($0) })
        else { return "" }
        return String(decoding: bytes[first...last], as: UTF8.self)
    }
}
