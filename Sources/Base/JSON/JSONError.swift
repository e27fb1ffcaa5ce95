// JSON syntax errors with their position. The offset counts bytes from 0; line and column count from 1, and a column is
// a Unicode scalar.

/// Why bytes are not valid JSON.
public struct JSONError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Bytes before the error.
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
        /// A number outside the range of 64-bit integers and doubles.
        case numberOutOfRange
        case invalidUTF8
        case tooDeep(limit: Int)
        case moreAfterTheValue
        case noMemory
        /// The parser library cannot be loaded. `package` is the Debian package that contains it.
        case noParser(file: String, package: String)
        /// The message of the parser.
        case other(String)
    }

    /// The Debian package of a missing parser library; nil for other errors.
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
