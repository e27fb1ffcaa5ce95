// Splits blocks of JSON input into values: JSON Lines, one document, or concatenated values. The input is JSON Lines if
// its first line is a complete value, even if that line is a complete service reply. Otherwise a value is read up to
// its closing bracket, and further values may follow. Long arrays are not buffered (`JSONElements`).

import JSON

/// Splits text into values and parses them.
package final class JSONInput {
    /// The approximate size of the blocks of lines that are parsed together, in bytes. A live record keeps its block
    /// alive.
    private static let blockSize = 256 << 10
    /// The maximum length of the first line, in bytes. If it is longer, values are split by their brackets.
    private static let longestFirstLine = 1 << 20

    private enum Layout { case undecided, lines, values, elements }

    /// The maximum size of a document or line, in bytes.
    package var room = DocumentFormat.largestDocument
    /// Longer arrays, in bytes, are read element by element.
    package var longestArray = 4 << 20
    private let records: JSONRecords
    private let parser = JSONParser()
    private var layout = Layout.undecided
    /// Unparsed bytes.
    private var pending: [UInt8] = []
    /// The number of bytes in `pending` already searched for the end of the first line or of a value.
    private var searched = 0
    /// While undecided: the number of bytes at the start of `pending` that are known to be blank.
    private var blanks = 0
    /// The length of the removed byte order mark, in bytes.
    private var mark = 0
    /// The number of lines before `pending`.
    private var linesBefore = 0
    /// The search for the end of the value at the start of `pending`. nil if no value has started.
    private var end: JSONValueEnd?
    /// The array that is read element by element.
    private var elements: JSONElements?
    /// Whether the first value, which may be a document, has been read.
    private var isPastFirst = false

    package init(_ records: JSONRecords) { self.records = records }

    package func feed(_ block: [UInt8]) throws(FormatError) {
        switch layout {
        case .lines: return try parseLines(block)
        case .undecided:
            pending += block
            try decide(atEnd: false)
        case .values:
            pending += block
            try cutValues(atEnd: false)
        case .elements:
            pending += block
            try readElements(atEnd: false)
        }
        try checkRoom()
    }

    private func checkRoom() throws(FormatError) {
        if pending.count > room { throw .overflow(limit: DocumentFormat.largestDocument, room: room) }
    }

    package func finish() throws(FormatError) {
        if layout == .undecided { try decide(atEnd: true) }
        switch layout {
        case .lines: try parse([], pending[...])
        case .values: try cutValues(atEnd: true)
        case .elements: try readElements(atEnd: true)
        case .undecided: break
        }
        pending = []
    }

    // MARK: - Lines, or values

    private static let newline = UInt8(ascii: "\n")

    /// The separator of RFC 7464, which precedes each value.
    private static let separator: UInt8 = 0x1E

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D || byte == separator
    }

    /// Detects the layout of the input once the first line is complete.
    private func decide(atEnd: Bool) throws(FormatError) {
        guard dropMark(atEnd) else { return }
        guard let start = pending[blanks...].firstIndex(where: { !Self.isBlank($0) }) else {
            blanks = pending.count
            return
        }
        blanks = start
        if pending[..<start].contains(Self.separator) { return try becomeValues(start) }
        guard let first = pending[max(searched, start)...].firstIndex(of: Self.newline) else {
            searched = pending.count
            // A single unterminated line is a document, so that its errors have a position.
            if atEnd || pending.count - start > min(Self.longestFirstLine, longestArray) { try becomeValues(start) }
            return
        }
        switch JSONScanner.scan(pending[start..<first]) {
        case .complete: return try becomeLines()
        case .fault(_, .moreAfterTheValue): return try becomeValues(start)
        case .fault, .incomplete: break
        }
        // The first line is not a value. If the second one is, and does not continue the first, then the first is
        // invalid.
        guard let next = pending[first...].firstIndex(where: { !Self.isBlank($0) }) else {
            if atEnd { try becomeValues(start) }
            return
        }
        let second = pending[next...].firstIndex(of: Self.newline)
        guard let end = second ?? (atEnd ? pending.count : nil) else {
            if pending.count - next > min(Self.longestFirstLine, longestArray) { try becomeValues(start) }
            return
        }
        if JSONScanner.scan(pending[next..<end]) == .complete,
            case .fault = JSONScanner.scan(pending[start..<end])
        {
            return try becomeLines()
        }
        try becomeValues(start)
    }

    /// Drops a byte order mark. Returns false if more input is needed to detect one.
    private func dropMark(_ atEnd: Bool) -> Bool {
        let bytes: [UInt8] = [0xEF, 0xBB, 0xBF]
        if mark > 0 || !bytes.starts(with: pending.prefix(3)) { return true }
        if pending.count < 3 { return atEnd }
        mark = 3
        pending.removeFirst(3)
        return true
    }

    private func becomeLines() throws(FormatError) {
        layout = .lines
        let bytes = pending
        pending = []
        try parseLines(bytes)
    }

    private func becomeValues(_ start: Int) throws(FormatError) {
        guard pending[start] == UInt8(ascii: "{") || pending[start] == UInt8(ascii: "[") else {
            throw records.unrecognised
        }
        layout = .values
        searched = 0
        try cutValues(atEnd: false)
    }

    // MARK: - Lines

    /// Parses the complete lines in these bytes and buffers the rest.
    private func parseLines(_ bytes: [UInt8]) throws(FormatError) {
        guard let last = bytes.lastIndex(of: Self.newline) else {
            pending += bytes
            try checkRoom()
            return
        }
        var head = pending
        pending = []
        var start = 0
        while start <= last {
            let limit = min(start + Self.blockSize, last + 1)
            let cut = bytes[start..<limit].lastIndex(of: Self.newline) ?? bytes[limit...].firstIndex(of: Self.newline)
            let end = (cut ?? last) + 1
            try parse(head, bytes[start..<end])
            head = []
            start = end
        }
        pending = Array(bytes[start...])
    }

    /// Parses complete lines; `head` precedes `tail`.
    private func parse(_ head: [UInt8], _ tail: ArraySlice<UInt8>) throws(FormatError) {
        if head.isEmpty && tail.isEmpty { return }
        let batch = try parsed { () throws(JSONError) in try parser.lines(head, tail) }
        var bad = batch.badLines[...]
        records.reserve(batch.count)
        for document in 0..<batch.count {
            let line = batch.line(of: document)
            while let fault = bad.first, fault.line < line {
                bad.removeFirst()
                try readBad(fault, head, tail)
            }
            try records.read(batch[document], at: .line(linesBefore + line + 1))
        }
        for fault in bad { try readBad(fault, head, tail) }
        linesBefore += batch.lines
    }

    /// Reads a line that simdjson rejected if it can be repaired, otherwise skips it.
    private func readBad(
        _ fault: JSONBatch.BadLine, _ head: [UInt8], _ tail: ArraySlice<UInt8>
    ) throws(FormatError) {
        let place = RecordPlace.line(linesBefore + fault.line + 1)
        let bytes =
            fault.bytes.lowerBound >= head.count
            ? tail[
                tail.startIndex + fault.bytes.lowerBound - head.count..<tail.startIndex + fault.bytes.upperBound
                    - head.count]
            : (head + tail)[fault.bytes]
        if let mended = try parsed({ () throws(JSONError) in try parser.mended(bytes) }) {
            return try records.read(mended[0], at: place)
        }
        guard records.wantsReasons else { return try records.skip(place, "") }
        let error = JSONScanner.error(in: bytes, otherwise: fault.reason)
        try records.skip(place, "column \(error.column): \(error.reason)")
    }

    // MARK: - Values

    /// Reads the complete values and buffers the rest.
    private func cutValues(atEnd: Bool) throws(FormatError) {
        var start = 0
        defer {
            // The text before the first value stays in the buffer, so that error positions match the file.
            if isPastFirst {
                pending.removeFirst(start)
                searched -= start
            }
        }
        while true {
            if end == nil {
                while start < pending.count, Self.isBlank(pending[start]) {
                    if isPastFirst, pending[start] == Self.newline { linesBefore += 1 }
                    start += 1
                }
                searched = start
                if start == pending.count { return }
                if pending[start] != UInt8(ascii: "{"), pending[start] != UInt8(ascii: "[") {
                    guard let stop = endOfWord(start, atEnd: atEnd) else { return }
                    try readValue(start..<stop)
                    start = stop
                    continue
                }
                end = JSONValueEnd()
            }
            let found = end?.find(in: pending[searched...])
            searched = found ?? pending.count
            if found == nil, !atEnd, !isPastFirst, pending.count > longestArray,
                pending[start] == UInt8(ascii: "[")
            {
                layout = .elements
                end = nil
                elements = JSONElements(after: pending[...start], mark: mark)
                pending.removeFirst(start + 1)
                start = 0
                return try readElements(atEnd: false)
            }
            guard let stop = found ?? (atEnd ? pending.count : nil) else { return }
            end = nil
            let value = start..<stop
            start = stop
            try readValue(value)
        }
    }

    /// Reads the complete elements. Text after the array is read as values.
    private func readElements(atEnd: Bool) throws(FormatError) {
        guard try elements?.read(&pending, atEnd: atEnd, parser, records) == true else { return }
        linesBefore = elements?.lines ?? 0
        elements = nil
        layout = .values
        isPastFirst = true
        searched = 0
        try cutValues(atEnd: atEnd)
    }

    /// The end of text between values that is neither an array nor an object. nil if it is not in the buffer yet.
    private func endOfWord(_ start: Int, atEnd: Bool) -> Int? {
        let stop = pending[start...].firstIndex {
            $0 == Self.newline || $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "[")
        }
        return stop ?? (atEnd ? pending.count : nil)
    }

    private func readValue(_ range: Range<Int>) throws(FormatError) {
        let begin = isPastFirst ? range.lowerBound : 0
        defer { linesBefore += pending[begin..<range.upperBound].reduce(0) { $1 == Self.newline ? $0 + 1 : $0 } }
        guard isPastFirst else {
            isPastFirst = true
            let start = pending.firstIndex { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "[") } ?? 0
            let blanks = pending[..<start].lastIndex(of: Self.separator).map { $0 + 1 } ?? 0
            let document = pending[blanks..<range.upperBound]
            do throws(FormatError) {
                let batch = try parsed { () throws(JSONError) in try parser.document(document) }
                return try records.read(batch[0], at: nil)
            } catch {
                if case .malformed(let fault) = error { salvage(document, before: fault.offset - mark) }
                throw error
            }
        }
        let batch: JSONBatch
        do {
            batch = try parser.document(pending[range])
        } catch {
            if error.reason == .noMemory { throw .malformed(error) }
            return try records.skip(.line(linesBefore + error.line), "column \(error.column): \(error.reason)")
        }
        try records.read(batch[0], at: .line(linesBefore + 1))
    }

    /// Reads the complete part of a document before an error.
    private func salvage(_ document: ArraySlice<UInt8>, before fault: Int) {
        guard let whole = JSONSalvage.whole(of: document, before: fault),
            let batch = try? parser.document(whole[...])
        else { return }
        // The caller reports the original error.
        try? records.readList(batch[0])
    }

    private func parsed<Result>(_ parse: () throws(JSONError) -> Result) throws(FormatError) -> Result {
        do {
            return try parse()
        } catch {
            var error = error
            error.offset += mark
            throw .malformed(error)
        }
    }
}
