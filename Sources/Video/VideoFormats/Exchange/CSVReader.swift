// CSV as in RFC 4180 and as spreadsheets write it: semicolons and tabs, any line ends, a byte order mark, UTF-16. A
// quoted field may contain line ends, so a record may span lines.

import Markup

/// Reads records from complete CSV data.
public struct CSVReader {
    /// One record.
    public struct Row: Sendable, Equatable {
        public var fields: [String]
        /// The first line of the record, from 1.
        public var line: Int
    }

    /// An unterminated quoted field.
    public struct Unclosed: Error, Sendable, Equatable, CustomStringConvertible {
        /// The position of the opening quote, from 1. The column is in bytes.
        public let line: Int
        public let column: Int

        public var description: String { "line \(line), column \(column): a quoted field does not end" }
    }

    /// The separators that are detected, most likely first.
    public static let separators: [UInt8] = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]

    /// The field separator.
    public let separator: UInt8
    private let bytes: [UInt8]
    private var at = 0
    private var line = 1
    /// The index at which the line begins.
    private var lineStart = 0

    private static let quote = UInt8(ascii: "\"")
    private static let newline = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")

    /// - Parameter separator: an ASCII byte. nil for the most frequent one of `separators` in the first record.
    public init(_ bytes: [UInt8], separator: UInt8? = nil) {
        let encoding = UnicodeEncoding.found(in: bytes)
        self.bytes = encoding.map { $0.utf8(bytes, isWhole: true) } ?? bytes
        self.separator = separator ?? Self.separator(of: self.bytes)
    }

    private static func separator(of bytes: [UInt8]) -> UInt8 {
        var counts = separators.map { _ in 0 }
        var isQuoted = false
        var isBlank = true
        for byte in bytes {
            if byte == quote { isQuoted.toggle() }
            if isQuoted { continue }
            if byte == newline || byte == carriageReturn {
                if isBlank { continue }
                break
            }
            isBlank = false
            if let index = separators.firstIndex(of: byte) { counts[index] += 1 }
        }
        let most = counts.max() ?? 0
        return separators[counts.firstIndex(of: most) ?? 0]
    }

    /// The next record. nil at the end. Blank lines are skipped. Invalid UTF-8 becomes U+FFFD. A quote inside an
    /// unquoted field, and text after a closing quote, are part of the field.
    ///
    /// - Throws: `Unclosed` for an unterminated quoted field.
    public mutating func next() throws(Unclosed) -> Row? {
        while at < bytes.count, bytes[at] == Self.newline || bytes[at] == Self.carriageReturn { endLine() }
        if at == bytes.count { return nil }
        var row = Row(fields: [], line: line)
        while true {
            row.fields.append(try field())
            guard at < bytes.count, bytes[at] == separator else { break }
            at += 1
        }
        if at < bytes.count { endLine() }
        return row
    }

    /// Skips one line end.
    private mutating func endLine() {
        if bytes[at] == Self.carriageReturn, at + 1 < bytes.count, bytes[at + 1] == Self.newline { at += 1 }
        at += 1
        line += 1
        lineStart = at
    }

    /// Whether an unquoted field ends here.
    private var isAtEnd: Bool {
        at == bytes.count || bytes[at] == separator || bytes[at] == Self.newline || bytes[at] == Self.carriageReturn
    }

    private mutating func field() throws(Unclosed) -> String {
        guard at < bytes.count, bytes[at] == Self.quote else {
            let start = at
            while !isAtEnd { at += 1 }
            return String(decoding: bytes[start..<at], as: UTF8.self)
        }
        let place = (line: line, column: at - lineStart + 1)
        var text: [UInt8] = []
        at += 1
        while true {
            guard let end = bytes[at...].firstIndex(of: Self.quote) else {
                at = bytes.count
                throw Unclosed(line: place.line, column: place.column)
            }
            text += bytes[at..<end]
            passLines(at..<end)
            at = end + 1
            guard at < bytes.count, bytes[at] == Self.quote else { break }
            text.append(Self.quote)
            at += 1
        }
        let start = at
        while !isAtEnd { at += 1 }
        text += bytes[start..<at]
        return String(decoding: text, as: UTF8.self)
    }

    /// Counts the lines that end inside of a quoted field.
    private mutating func passLines(_ range: Range<Int>) {
        for index in range where bytes[index] == Self.newline || bytes[index] == Self.carriageReturn {
            let isPair = bytes[index] == Self.newline && index > 0 && bytes[index - 1] == Self.carriageReturn
            if !isPair { line += 1 }
            lineStart = index + 1
        }
    }
}
