// Parser for the subset of CSS selectors that `MarkupSelector` supports. Unsupported syntax is an error that names it.

struct MarkupSelectorParser {
    /// Maximum number of compounds in a selector, because each needs one bit of a 64-bit mask.
    private static let mostParts = 64

    private let text: [Unicode.Scalar]
    private var position = 0
    private var parts = 0

    init(_ text: String) { self.text = Array(text.unicodeScalars.prefix(4096)) }

    mutating func selectors() throws(MarkupSelectorError) -> [MarkupSelector.Complex] {
        var alternatives = [try complex()]
        while take(",") { alternatives.append(try complex()) }
        if let next { throw fault("'\(next)' where a comma or the end was expected") }
        return alternatives
    }

    private var next: Unicode.Scalar? { position < text.count ? text[position] : nil }

    private func fault(_ reason: String) -> MarkupSelectorError {
        MarkupSelectorError(column: position + 1, reason: reason)
    }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard next == scalar else { return false }
        position += 1
        return true
    }

    @discardableResult
    private mutating func skipBlanks() -> Bool {
        let start = position
        while let scalar = next, " \t\n\r\u{C}".unicodeScalars.contains(scalar) { position += 1 }
        return position > start
    }

    // MARK: Compounds and combinators

    private mutating func complex() throws(MarkupSelectorError) -> MarkupSelector.Complex {
        skipBlanks()
        var complex = MarkupSelector.Complex(parts: [(.descendant, try compound())])
        while true {
            let hasBlank = skipBlanks()
            guard let scalar = next, scalar != "," else { return complex }
            var combinator = MarkupSelector.Combinator.descendant
            switch scalar {
            case ">": combinator = .child
            case "+": combinator = .next
            case "~": combinator = .later
            default: if !hasBlank { throw fault("'\(scalar)' is not expected here") }
            }
            if combinator != .descendant {
                position += 1
                skipBlanks()
            }
            complex.parts.append((combinator, try compound()))
        }
    }

    private mutating func compound(inside: Bool = false) throws(MarkupSelectorError) -> MarkupSelector.Compound {
        var compound = MarkupSelector.Compound()
        let start = position
        if let test = try type() { compound.tests += test }
        loop: while let scalar = next {
            switch scalar {
            case "#":
                position += 1
                compound.tests.append(.id(try name("an id")))
            case ".":
                position += 1
                compound.tests.append(.word(attribute: "class", try name("a class")))
            case "[":
                position += 1
                compound.tests.append(try attribute())
            case ":": compound.tests.append(try pseudo(inside: inside))
            default: break loop
            }
        }
        if position == start {
            throw fault(next.map { "'\($0)' where an element was expected" } ?? "it ends where an element was expected")
        }
        if !inside {
            parts += 1
            if parts > Self.mostParts { throw fault("more than \(Self.mostParts) elements named in one selector") }
        }
        return compound
    }

    /// Parses `a`, `*`, `media|thumbnail`, `media:thumbnail`, `*|a` or `|a`; nil when there is no type selector.
    private mutating func type() throws(MarkupSelectorError) -> [MarkupSelector.Test]? {
        var first: String?
        if take("*") { first = "*" } else if isName { first = try name("an element") }
        if next == "|", position + 1 < text.count, text[position + 1] != "=" {
            position += 1
            let prefix = first ?? ""
            let local = take("*") ? "*" : try name("an element")
            return tests(prefix == "*" ? nil : prefix, local)
        }
        guard let first else { return nil }
        if first != "*", next == ":", position + 1 < text.count, isNameStart(text[position + 1]) {
            // A colon after a name starts a pseudo-class if the word is a known one. Otherwise it is a prefixed name,
            // as documents write it.
            let mark = position
            position += 1
            let local = try name("an element")
            if !Self.pseudoClasses.contains(local) && next != "(" { return tests(first, local) }
            position = mark
        }
        return tests(nil, first)
    }

    private func tests(_ prefix: String?, _ local: String) -> [MarkupSelector.Test] {
        if local != "*" { return [.type(prefix: prefix, name: local)] }
        return prefix.map { [.prefix($0)] } ?? []
    }

    // MARK: Attributes

    private mutating func attribute() throws(MarkupSelectorError) -> MarkupSelector.Test {
        skipBlanks()
        var name = try name("an attribute")
        if next == ":" || (next == "|" && position + 1 < text.count && text[position + 1] != "=") {
            position += 1
            name += ":" + (try self.name("an attribute"))
        }
        skipBlanks()
        if take("]") { return .has(attribute: name) }
        var kind: Unicode.Scalar?
        if let scalar = next, "^$*~|".unicodeScalars.contains(scalar) {
            kind = scalar
            position += 1
        }
        guard take("=") else { throw fault("after an attribute's name come ], =, ^=, $=, *=, ~= or |=") }
        skipBlanks()
        let value = try self.value()
        skipBlanks()
        guard take("]") else { throw fault("] was expected") }
        switch kind {
        case "^": return .begins(attribute: name, value)
        case "$": return .ends(attribute: name, value)
        case "*": return .contains(attribute: name, value)
        case "~": return .word(attribute: name, value)
        case "|": return .dash(attribute: name, value)
        default: return .equals(attribute: name, value)
        }
    }

    private mutating func value() throws(MarkupSelectorError) -> String {
        guard let quote = next, quote == "\"" || quote == "'" else { return try name("a value, quoted or a word,") }
        position += 1
        var value = String.UnicodeScalarView()
        while let scalar = next, scalar != quote {
            if let escaped = try escape() {
                value.append(escaped)
            } else {
                value.append(scalar)
                position += 1
            }
        }
        guard take(quote) else { throw fault("the quote does not close") }
        return String(value)
    }

    // MARK: Pseudo-classes

    /// Words that are pseudo-classes after a colon, supported or not, and therefore not prefixed names.
    private static let pseudoClasses: Set<String> = [
        "first-child", "last-child", "nth-child", "not", "only-child", "first-of-type", "last-of-type", "only-of-type",
        "empty", "root", "hover", "focus", "active", "visited", "any-link", "target", "checked", "disabled", "enabled",
        "required", "optional", "scope",
    ]

    private mutating func pseudo(inside: Bool) throws(MarkupSelectorError) -> MarkupSelector.Test {
        let start = position
        position += 1
        if next == ":" { throw fault("pseudo-elements such as ::before select nothing in a document") }
        let word = try name("a pseudo-class").lowercased()
        switch word {
        case "first-child": return .first
        case "last-child": return .last
        case "nth-child":
            guard take("(") else { throw fault("nth-child takes a number in brackets: nth-child(2), nth-child(odd)") }
            let test = try nth()
            guard take(")") else { throw fault(") was expected") }
            return test
        case "not":
            guard !inside else { throw fault(":not does not go inside :not") }
            guard take("(") else { throw fault("not takes a simple selector in brackets: not(.class)") }
            skipBlanks()
            let compound = try compound(inside: true)
            skipBlanks()
            guard take(")") else { throw fault(":not takes one simple selector, without blanks and commas") }
            return .not(compound)
        default:
            position = start
            throw fault("':\(word)' is not known; there are :first-child :last-child :nth-child(n) :not(simple)")
        }
    }

    /// Parses `3`, `odd`, `even`, `2n`, `2n+1` or `-n+3`.
    private mutating func nth() throws(MarkupSelectorError) -> MarkupSelector.Test {
        var word = ""
        while let scalar = next, scalar != ")" {
            if scalar != " " { word.unicodeScalars.append(scalar) }
            position += 1
        }
        switch word.lowercased() {
        case "odd": return .nth(step: 2, start: 1)
        case "even": return .nth(step: 2, start: 0)
        case let word:
            func number(_ text: some StringProtocol) -> Int? { Int(text).flatMap { abs($0) <= 1_000_000 ? $0 : nil } }
            guard let mark = word.firstIndex(of: "n") else {
                if let start = number(word) { return .nth(step: 0, start: start) }
                break
            }
            let before = word[..<mark]
            let after = word[word.index(after: mark)...]
            let step = before.isEmpty || before == "+" ? 1 : before == "-" ? -1 : number(before)
            let start = after.isEmpty ? 0 : number(after)
            if let step, let start { return .nth(step: step, start: start) }
        }
        throw fault("'\(word)' is no place among children: 3, odd, even, 2n+1")
    }

    // MARK: Names

    private func isNameStart(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "_" || scalar == "-" || scalar == "\\" || scalar.value >= 0x80
            || (scalar.value | 0x20 >= 0x61 && scalar.value | 0x20 <= 0x7A)
    }

    private var isName: Bool { next.map(isNameStart) ?? false }

    private mutating func name(_ what: String) throws(MarkupSelectorError) -> String {
        var name = String.UnicodeScalarView()
        while let scalar = next {
            if let escaped = try escape() {
                name.append(escaped)
            } else if isNameStart(scalar) || (scalar.value >= 0x30 && scalar.value <= 0x39) {
                name.append(scalar)
                position += 1
            } else {
                break
            }
        }
        if name.isEmpty { throw fault(next.map { "'\($0)' where \(what) was expected" } ?? "\(what) was expected") }
        return String(name)
    }

    /// Parses a backslash followed by a character, or by up to six hexadecimal digits and an optional space.
    private mutating func escape() throws(MarkupSelectorError) -> Unicode.Scalar? {
        guard take("\\") else { return nil }
        guard let scalar = next else { throw fault("a \\ at the end") }
        var value: UInt32 = 0
        var digits = 0
        while digits < 6, let digit = next.flatMap({ Character($0).hexDigitValue }) {
            value = value << 4 | UInt32(digit)
            digits += 1
            position += 1
        }
        if digits == 0 {
            position += 1
            return scalar
        }
        if next == " " { position += 1 }
        return Unicode.Scalar(value) ?? "\u{FFFD}"
    }
}
