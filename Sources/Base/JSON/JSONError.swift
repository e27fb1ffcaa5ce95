// What is wrong with JSON text and where. The offset counts bytes from 0; line and column count from 1, as editors do,
// and a column is a Unicode scalar.

/// Why bytes are no JSON value.
public struct JSONError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Bytes before the fault.
    public var offset: Int
    public var line: Int
    public var column: Int
    public var reason: Reason

    package init(offset: Int, line: Int, column: Int, reason: Reason) {
        self.offset = offset
        self.line = line
        self.column = column
        self.reason = reason
    }

    public enum Reason: Sendable, Equatable {
        case endsEarly
        case unexpected(String, expected: String)
        case controlCharacterInText
        case badEscape
        case badNumber
        /// A number that neither 64 bits nor a finite double hold.
        case numberOutOfRange
        case invalidUTF8
        case tooDeep(limit: Int)
        case moreAfterTheValue
        case noMemory
        /// The library that parses cannot be loaded; the Debian package that has it.
        case noParser(file: String, package: String)
        /// In the parser's own words.
        case other(String)
    }

    /// The Debian package without which no JSON can be read, if that is what is wrong.
    public var missingPackage: String? { if case .noParser(_, let package) = reason { package } else { nil } }

    public var description: String { "line \(line), column \(column) (byte \(offset)): \(reason)" }
}

extension JSONError.Reason: CustomStringConvertible {
    public var description: String {
        switch self {
        case .endsEarly: "the text ends before the value does"
        case .unexpected(let found, let expected): "expected \(expected), found \(found)"
        case .controlCharacterInText: "a control character in text must be escaped"
        case .badEscape: "no such escape sequence"
        case .badNumber: "not a number as JSON writes it"
        case .numberOutOfRange: "the number is out of range"
        case .invalidUTF8: "not valid UTF-8"
        case .tooDeep(let limit): "nested more than \(limit) levels deep"
        case .moreAfterTheValue: "there is more after the value"
        case .noMemory: "not enough memory"
        case .noParser(let file, let package):
            "the library \(file) that reads JSON cannot be loaded (Debian package \(package))"
        case .other(let words): words
        }
    }
}
