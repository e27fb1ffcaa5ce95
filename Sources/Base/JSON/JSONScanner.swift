// Locates syntax errors in JSON. simdjson does not report the position, so this runs after it has failed, and on the
// first lines of an input to distinguish JSON Lines from a single document. It is not recursive.

/// Validates one JSON value. Input that `JSONRepair` can repair is not an error.
package struct JSONScanner {
    package enum Outcome: Equatable {
        /// One value, surrounded by nothing but white space.
        case complete
        /// The input is a prefix of a value.
        case incomplete
        case fault(offset: Int, JSONError.Reason)
    }

    private let bytes: ArraySlice<UInt8>
    private var at: Int
    /// For each open container, whether it is an object.
    private var open: [Bool] = []

    /// Internal control flow of the scanner.
    private enum Stop: Error {
        case end
        case fault(Int, JSONError.Reason)
    }

    /// Whether an out-of-range number is an error.
    private let boundsNumbers: Bool

    private init(_ bytes: ArraySlice<UInt8>, boundsNumbers: Bool) {
        self.bytes = bytes
        self.boundsNumbers = boundsNumbers
        at = bytes.startIndex
    }

    /// Scans a value. Offsets in the result are indices of the slice.
    package static func scan(_ bytes: ArraySlice<UInt8>, boundsNumbers: Bool = false) -> Outcome {
        var scanner = JSONScanner(bytes, boundsNumbers: boundsNumbers)
        do {
            try scanner.document()
            return .complete
        } catch {
            switch error {
            case .end: return .incomplete
            case .fault(let offset, let reason): return .fault(offset: offset, reason)
            }
        }
    }

    /// Locates the error in bytes that simdjson rejected with the message `words`.
    package static func error(in bytes: ArraySlice<UInt8>, otherwise words: String) -> JSONError {
        switch scan(bytes) {
        case .complete: error(at: bytes.startIndex, in: bytes, .other(words))
        case .incomplete: error(at: bytes.endIndex, in: bytes, .endsEarly)
        case .fault(let offset, let reason): error(at: offset, in: bytes, reason)
        }
    }

    private static func error(at offset: Int, in bytes: ArraySlice<UInt8>, _ reason: JSONError.Reason) -> JSONError {
        let before = bytes[..<offset]
        let newline = UInt8(ascii: "\n")
        let line = before.reduce(1) { $1 == newline ? $0 + 1 : $0 }
        let start = before.lastIndex(of: newline).map { $0 + 1 } ?? bytes.startIndex
        let column = before[start...].reduce(1) { $1 & 0xC0 == 0x80 ? $0 : $0 + 1 }
        return JSONError(offset: offset - bytes.startIndex, line: line, column: column, reason: reason)
    }

    private mutating func document() throws(Stop) {
        try value()
        while !open.isEmpty { try afterValue() }
        skipSpace()
        if at < bytes.endIndex { throw .fault(at, .moreAfterTheValue) }
    }

    /// Scans a scalar, or opens containers down to the first scalar or empty container.
    private mutating func value() throws(Stop) {
        while true {
            switch try token() {
            case UInt8(ascii: "{"):
                if try push(true, UInt8(ascii: "}")) { return pop() }
                try name()
            case UInt8(ascii: "["):
                if try push(false, UInt8(ascii: "]")) { return pop() }
            case UInt8(ascii: "\""): return try text()
            case UInt8(ascii: "t"): return try word("true")
            case UInt8(ascii: "f"): return try word("false")
            case UInt8(ascii: "n"): return try word("null")
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
            default: throw unexpected("a value")
            }
        }
    }

    /// After a value in a container: scans the next value, or closes the container.
    private mutating func afterValue() throws(Stop) {
        let isObject = open.last == true
        switch try token() {
        case UInt8(ascii: ","):
            at += 1
            if isObject { try name() }
            try value()
        case UInt8(ascii: "}") where isObject, UInt8(ascii: "]") where !isObject: pop()
        default: throw unexpected(isObject ? "a comma or }" : "a comma or ]")
        }
    }

    private mutating func name() throws(Stop) {
        guard try token() == UInt8(ascii: "\"") else { throw unexpected("a name in quotes") }
        try text()
        guard try token() == UInt8(ascii: ":") else { throw unexpected("a colon") }
        at += 1
    }

    /// Opens a container. Returns whether it is empty; like simdjson, an empty container does not count toward the
    /// depth limit.
    private mutating func push(_ isObject: Bool, _ end: UInt8) throws(Stop) -> Bool {
        let start = at
        open.append(isObject)
        at += 1
        if try token() == end { return true }
        if open.count > JSON.maximumDepth { throw .fault(start, .tooDeep(limit: JSON.maximumDepth)) }
        return false
    }

    private mutating func pop() {
        open.removeLast()
        at += 1
    }

    private mutating func skipSpace() {
        while at < bytes.endIndex, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[at]) { at += 1 }
    }

    /// The first byte of the next token, not consumed.
    private mutating func token() throws(Stop) -> UInt8 {
        skipSpace()
        return try byte(at)
    }

    private func byte(_ index: Int) throws(Stop) -> UInt8 {
        guard index < bytes.endIndex else { throw .end }
        return bytes[index]
    }

    private func unexpected(_ expected: String) -> Stop {
        .fault(at, .unexpected(Self.words(for: bytes[at]), expected: expected))
    }

    package static func words(for byte: UInt8) -> String {
        switch byte {
        case 0x21...0x7E: "'\(Character(Unicode.Scalar(byte)))'"
        case 0x80...: "a character that is not ASCII"
        default: "a control character"
        }
    }

    private mutating func word(_ word: StaticString) throws(Stop) {
        let start = at
        for expected in word.description.utf8 {
            guard try byte(at) == expected else {
                at = start
                throw unexpected("a value")
            }
            at += 1
        }
    }

    private mutating func number() throws(Stop) {
        let start = at
        func isDigit(_ index: Int) -> Bool { index < bytes.endIndex && bytes[index] >= 0x30 && bytes[index] <= 0x39 }
        func digits() throws(Stop) {
            guard at < bytes.endIndex else { throw .end }
            guard isDigit(at) else { throw .fault(start, .badNumber) }
            while isDigit(at) { at += 1 }
        }
        if bytes[at] == UInt8(ascii: "-") { at += 1 }
        if at < bytes.endIndex, bytes[at] == UInt8(ascii: "0") {
            at += 1
            if isDigit(at) { throw .fault(start, .badNumber) }
        } else {
            try digits()
        }
        var isWhole = true
        if at < bytes.endIndex, bytes[at] == UInt8(ascii: ".") {
            isWhole = false
            at += 1
            try digits()
        }
        if at < bytes.endIndex, bytes[at] | 0x20 == UInt8(ascii: "e") {
            isWhole = false
            at += 1
            if at < bytes.endIndex, [UInt8(ascii: "+"), UInt8(ascii: "-")].contains(bytes[at]) { at += 1 }
            try digits()
        }
        guard boundsNumbers else { return }
        let text = String(decoding: bytes[start..<at], as: UTF8.self)
        let fits = isWhole ? Int64(text) != nil || UInt64(text) != nil : Double(text)?.isFinite == true
        if !fits { throw .fault(start, .numberOutOfRange) }
    }

    private mutating func text() throws(Stop) {
        at += 1
        while true {
            let byte = try byte(at)
            switch byte {
            case UInt8(ascii: "\""):
                at += 1
                return
            case UInt8(ascii: "\\"): try escape()
            case 0..<0x20: throw .fault(at, .controlCharacterInText)
            case 0x20..<0x80: at += 1
            default: try sequence(byte)
            }
        }
    }

    private mutating func escape() throws(Stop) {
        let start = at
        switch try byte(at + 1) {
        case UInt8(ascii: "u"):
            at += 2
            _ = try unit(start)
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            at += 2
        default: throw .fault(start, .badEscape)
        }
    }

    /// Scans four hexadecimal digits.
    private mutating func unit(_ start: Int) throws(Stop) -> UInt32 {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = Character(Unicode.Scalar(try byte(at))).hexDigitValue else {
                throw .fault(start, .badEscape)
            }
            unit = unit << 4 | UInt32(digit)
            at += 1
        }
        return unit
    }

    /// Scans a multi-byte UTF-8 sequence (Unicode 15, table 3-7).
    private mutating func sequence(_ first: UInt8) throws(Stop) {
        let start = at
        let second: ClosedRange<UInt8>
        let length: Int
        switch first {
        case 0xC2...0xDF: (second, length) = (0x80...0xBF, 2)
        case 0xE0: (second, length) = (0xA0...0xBF, 3)
        case 0xED: (second, length) = (0x80...0x9F, 3)
        case 0xE1...0xEF: (second, length) = (0x80...0xBF, 3)
        case 0xF0: (second, length) = (0x90...0xBF, 4)
        case 0xF4: (second, length) = (0x80...0x8F, 4)
        case 0xF1...0xF3: (second, length) = (0x80...0xBF, 4)
        default: throw .fault(start, .invalidUTF8)
        }
        guard second.contains(try byte(at + 1)) else { throw .fault(start, .invalidUTF8) }
        for index in 2..<max(length, 2) {
            guard try byte(at + index) & 0xC0 == 0x80 else { throw .fault(start, .invalidUTF8) }
        }
        at += length
    }
}
