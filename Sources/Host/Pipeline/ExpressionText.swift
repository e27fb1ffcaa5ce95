// What an expression of the command line may hold beyond Lua: durations, dates and counts as people write them
// (`20m`, `2020-01-01`, `1.5M`), a channel compared with its name, and several keys to sort by.

import Basics
import HostErrors

/// The text of an expression, token by token.
struct ExpressionText {
    enum Token: Equatable {
        case name(String)
        case number(String)
        /// A string literal, with its quotes.
        case string(String)
        case symbol(String)
        /// White space and comments.
        case space(String)

        var text: String {
            switch self {
            case .name(let text), .number(let text), .string(let text), .symbol(let text), .space(let text): text
            }
        }
    }

    private(set) var tokens: [Token] = []

    init(_ text: String) {
        let bytes = Array(text.utf8)
        var place = 0
        while place < bytes.count {
            let start = place
            let kind = Self.skip(bytes, &place)
            tokens.append(kind(String(decoding: bytes[start..<place], as: UTF8.self)))
        }
    }

    private init(_ tokens: some Sequence<Token>) { self.tokens = Array(tokens) }

    var text: String { tokens.map(\.text).joined() }

    // MARK: Tokens

    /// Moves behind the token at a place, and returns how it is made.
    private static func skip(_ bytes: [UInt8], _ place: inout Int) -> (String) -> Token {
        let first = bytes[place]
        func at(_ offset: Int) -> UInt8 { place + offset < bytes.count ? bytes[place + offset] : 0 }
        func skip(while belongs: (UInt8) -> Bool) {
            while place < bytes.count, belongs(bytes[place]) { place += 1 }
        }
        if isSpace(first) {
            skip(while: isSpace)
            return Token.space
        }
        if first == UInt8(ascii: "-"), at(1) == first {
            place += 2
            if !skipLong(bytes, &place) { skip { $0 != UInt8(ascii: "\n") } }
            return Token.space
        }
        if first == UInt8(ascii: "'") || first == UInt8(ascii: "\"") {
            place += 1
            while place < bytes.count, bytes[place] != first { place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1 }
            place = min(place + 1, bytes.count)
            return Token.string
        }
        if first == UInt8(ascii: "["), skipLong(bytes, &place) { return Token.string }
        if isDigit(first) || first == UInt8(ascii: ".") && isDigit(at(1)) {
            skipNumber(bytes, &place)
            return Token.number
        }
        if isWord(first) {
            skip(while: isWord)
            return Token.name
        }
        place += ["==", "~=", "<=", ">=", "//", "..", "<<", ">>"].contains([first, at(1)]) ? 2 : 1
        return Token.symbol
    }

    /// A number of Lua, a date with an optional time, or digits with units.
    private static func skipNumber(_ bytes: [UInt8], _ place: inout Int) {
        let start = place
        func matches(_ pattern: StaticString, at start: Int) -> Bool {
            pattern.withUTF8Buffer { pattern in
                start + pattern.count <= bytes.count
                    && zip(pattern, bytes[start...]).allSatisfy {
                        $0 == UInt8(ascii: "0") ? isDigit($1) : $0 == $1
                    }
            }
        }
        if matches("0000-00-00", at: start) {
            place += 10
            if matches("T00:00", at: place) { place += matches("T00:00:00", at: place) ? 9 : 6 }
            if place < bytes.count, bytes[place] == UInt8(ascii: "Z") { place += 1 }
            return
        }
        let isHex = bytes[place] == UInt8(ascii: "0") && place + 1 < bytes.count && bytes[place + 1] | 0x20 == 0x78
        while place < bytes.count {
            let byte = bytes[place]
            // Two dots concatenate.
            let isDot = byte == UInt8(ascii: ".") && !(place + 1 < bytes.count && bytes[place + 1] == byte)
            let isSign = byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
            let isExponent = place > start && bytes[place - 1] | 0x20 == (isHex ? 0x70 : 0x65)
            guard isWord(byte) || isDot || isSign && isExponent && place + 1 < bytes.count && isDigit(bytes[place + 1])
            else { return }
            place += 1
        }
    }

    /// Moves behind `[[…]]` or `[=[…]=]`. Returns false where there is none.
    private static func skipLong(_ bytes: [UInt8], _ place: inout Int) -> Bool {
        guard place < bytes.count, bytes[place] == UInt8(ascii: "[") else { return false }
        var inner = place + 1
        while inner < bytes.count, bytes[inner] == UInt8(ascii: "=") { inner += 1 }
        guard inner < bytes.count, bytes[inner] == UInt8(ascii: "[") else { return false }
        let end = [UInt8(ascii: "]")] + bytes[place + 1..<inner] + [UInt8(ascii: "]")]
        inner += 1
        while inner < bytes.count, !bytes[inner...].starts(with: end) { inner += 1 }
        place = min(inner + end.count, bytes.count)
        return true
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0D ~= byte }
    private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }
    private static func isWord(_ byte: UInt8) -> Bool {
        isDigit(byte) || byte == UInt8(ascii: "_") || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
    }

    // MARK: Meaning

    /// The function behind `channel == "…"`, whose name no expression can hold.
    static let channelTest = "channel is"

    /// The expression in Lua.
    func lua(flag: String, now: Int64) throws(HostError) -> String {
        var tokens = tokens
        for (index, token) in tokens.enumerated() {
            guard case .number(let text) = token else { continue }
            tokens[index] = .number(try Self.number(text, flag: flag, now: now))
        }
        let solid = tokens.indices.filter { if case .space = tokens[$0] { false } else { true } }
        for (place, index) in solid.enumerated() where tokens[index] == .name("channel") {
            func token(_ offset: Int) -> Token? {
                solid.indices.contains(place + offset) ? tokens[solid[place + offset]] : nil
            }
            if let before = token(-1), [.symbol("."), .symbol(":")].contains(before) { continue }
            for (operation, offsets) in [(token(1), [1, 2]), (token(-1), [-1, -2])] {
                guard operation == .symbol("==") || operation == .symbol("~="),
                    case .string(let name)? = token(offsets[1])
                else { continue }
                let not = operation == .symbol("~=") ? "not " : ""
                tokens[index] = .name("(\(not)_ENV[\"\(Self.channelTest)\"](\(name)))")
                for offset in offsets { tokens[solid[place + offset]] = .space(" ") }
                break
            }
        }
        return ExpressionText(tokens).text
    }

    /// A number as Lua writes it.
    private static func number(_ text: String, flag: String, now: Int64) throws(HostError) -> String {
        if text.utf8.allSatisfy(isDigit) || Double(text) != nil
            || text.utf8.dropFirst().first.map({ $0 | 0x20 }) == 0x78
        {
            return text
        }
        if text.contains("-"), let time = Timestamp.bound(text, now: now) { return "\(time)" }
        let counts: [Character: Double] = ["k": 1e3, "K": 1e3, "M": 1e6, "B": 1e9]
        if let last = text.last, let factor = counts[last], let number = Double(text.dropLast()) {
            let count = number * factor
            return Int64(exactly: count.rounded()).flatMap { Double($0) == count ? "\($0)" : nil } ?? "\(count)"
        }
        if let seconds = VideoDuration.parse(text) { return "\(seconds)" }
        throw .usage(
            "\(flag): '\(text)' is neither a number, a duration, a date nor a count",
            hint: "write 90, 20m, 1h30m, 30d, 2020-01-31, 1500, 10k or 1.5M")
    }

    /// The keys to sort by, separated by commas outside brackets. `-` before a key turns its order round.
    var keys: [(text: String, isReversed: Bool)] {
        var keys: [[Token]] = [[]]
        var depth = 0
        for token in tokens {
            switch token {
            case .symbol("("), .symbol("["), .symbol("{"): depth += 1
            case .symbol(")"), .symbol("]"), .symbol("}"): depth -= 1
            case .symbol(",") where depth == 0:
                keys.append([])
                continue
            default: break
            }
            keys[keys.count - 1].append(token)
        }
        return keys.map { tokens in
            let rest = tokens.drop { if case .space = $0 { true } else { false } }
            guard rest.first == .symbol("-"), Self.isOneTerm(rest.dropFirst()) else {
                return (ExpressionText(tokens).text, false)
            }
            return (ExpressionText(rest.dropFirst()).text, true)
        }
    }

    /// Whether there is no operator outside brackets, so that a minus before it stands before all of it.
    private static func isOneTerm(_ tokens: some Sequence<Token>) -> Bool {
        var depth = 0
        for token in tokens {
            switch token {
            case .symbol("("), .symbol("["), .symbol("{"): depth += 1
            case .symbol(")"), .symbol("]"), .symbol("}"): depth -= 1
            case .symbol("."), .symbol(":"), .symbol(","): break
            case .symbol where depth == 0: return false
            case .name("and"), .name("or"), .name("not"): if depth == 0 { return false }
            default: break
            }
        }
        return true
    }
}

extension [String] {
    fileprivate func contains(_ bytes: [UInt8]) -> Bool { contains { $0.utf8.elementsEqual(bytes) } }
}
