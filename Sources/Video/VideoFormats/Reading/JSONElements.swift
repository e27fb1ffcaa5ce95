// Reads a long JSON array element by element, such as a Google Takeout export, instead of buffering it. Error positions
// refer to the complete text, most of which has already been dropped.

import JSON

/// Reads an array from after its opening bracket to its closing bracket.
struct JSONElements {
    private enum Expected { case elementOrEnd, element, commaOrEnd }

    private var expected = Expected.elementOrEnd
    private var count = 0
    /// The search for the end of the first element in the buffer, while that is incomplete.
    private var end: JSONValueEnd?
    /// The number of bytes in the buffer that `end` has examined.
    private var searched = 0
    /// Position before the buffer: bytes, line ends, and characters since the last line end.
    private var bytes: Int
    private(set) var lines = 0
    private var columns = 0

    /// - Parameters:
    ///   - head: the text up to and including the array's opening bracket.
    ///   - mark: the length of a byte order mark before it, in bytes.
    init(after head: ArraySlice<UInt8>, mark: Int) {
        bytes = mark
        pass(head)
    }

    /// Reads the complete elements and removes them from the text. Returns true if the array has ended.
    mutating func read(
        _ text: inout [UInt8], atEnd: Bool, _ parser: JSONParser, _ records: JSONRecords
    ) throws(FormatError) -> Bool {
        var at = 0
        defer {
            pass(text[..<at])
            text.removeFirst(at)
            searched = max(0, searched - at)
        }
        while true {
            while at < text.count, Self.isBlank(text[at]) { at += 1 }
            guard at < text.count else {
                if atEnd { throw fault(JSONError(offset: 0, line: 1, column: 1, reason: .endsEarly), text[..<at]) }
                return false
            }
            let byte = text[at]
            if byte == UInt8(ascii: "]"), expected != .element {
                at += 1
                if records.format == nil, count > 0 { throw records.unrecognised }
                return true
            }
            if expected == .commaOrEnd {
                guard byte == UInt8(ascii: ",") else { throw unexpected(byte, text[..<at]) }
                at += 1
                expected = .element
                continue
            }
            guard let stop = endOfElement(text, at, atEnd: atEnd) else { return false }
            let batch: JSONBatch
            do throws(JSONError) { batch = try parser.document(text[at..<stop]) } catch {
                // A scalar that ends early is invalid because of the byte after it.
                let isCut = error.reason == .endsEarly && stop < text.count
                throw fault(isCut ? JSONScanner.error(in: text[at...stop], otherwise: "") : error, text[..<at])
            }
            at = stop
            expected = .commaOrEnd
            count += 1
            try records.readElement(batch[0], at: .row(count))
        }
    }

    /// The end of the element that starts at an index. nil if it is not in the buffer yet.
    private mutating func endOfElement(_ text: [UInt8], _ start: Int, atEnd: Bool) -> Int? {
        let first = text[start]
        guard first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else {
            let stop = first == UInt8(ascii: "\"") ? Self.endOfText(text, start) : Self.endOfWord(text, start)
            return stop ?? (atEnd ? text.count : nil)
        }
        var end = self.end ?? JSONValueEnd()
        let found = end.find(in: text[max(start, self.end == nil ? start : searched)...])
        searched = text.count
        self.end = found == nil ? end : nil
        return found ?? (atEnd ? text.count : nil)
    }

    private static func endOfText(_ text: [UInt8], _ start: Int) -> Int? {
        var index = start + 1
        while index < text.count {
            if text[index] == UInt8(ascii: "\"") { return index + 1 }
            index += text[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return nil
    }

    private static func endOfWord(_ text: [UInt8], _ start: Int) -> Int? {
        text[(start + 1)...].firstIndex {
            isBlank($0) || $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "]") || $0 == UInt8(ascii: "}")
        }
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

    // MARK: - Places

    private mutating func pass(_ text: ArraySlice<UInt8>) {
        bytes += text.count
        for byte in text {
            if byte == 0x0A {
                lines += 1
                columns = 0
            } else if byte & 0xC0 != 0x80 {
                columns += 1
            }
        }
    }

    private func unexpected(_ byte: UInt8, _ before: ArraySlice<UInt8>) -> FormatError {
        let reason = JSONError.Reason.unexpected(JSONScanner.words(for: byte), expected: "a comma or ]")
        return fault(JSONError(offset: 0, line: 1, column: 1, reason: reason), before)
    }

    /// An error with its position in the complete text; `before` is the buffered text before the error.
    private func fault(_ error: JSONError, _ before: ArraySlice<UInt8>) -> FormatError {
        var place = self
        place.pass(before)
        var error = error
        error.offset += place.bytes
        if error.line == 1 { error.column += place.columns }
        error.line += place.lines
        return .malformed(error)
    }
}
