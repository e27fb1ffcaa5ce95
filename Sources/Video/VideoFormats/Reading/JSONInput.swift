// JSON that comes in blocks: JSON Lines, one document, or values one after another. What is easily got wrong: an input is
// JSON Lines when its first line is a whole value, even if that line is a service's whole reply; what breaks off at the
// end of its first line is followed to its last bracket, and more values may come after it. A long array is not waited
// for (`JSONElements`).

import JSON

/// Cuts text into values and has them parsed.
package final class JSONInput {
    /// Lines are parsed in blocks of about this many bytes: a record kept alive keeps its block.
    private static let blockSize = 256 << 10
    /// A first line of more bytes is not waited for: its values are cut apart by their brackets.
    private static let longestFirstLine = 1 << 20

    private enum Layout { case undecided, lines, values, elements }

    /// Bytes of a document or a line at most.
    package var room = DocumentFormat.largestDocument
    /// The elements of an array of more bytes are read one after another.
    package var longestArray = 4 << 20
    private let records: JSONRecords
    private let parser = JSONParser()
    private var layout = Layout.undecided
    /// Bytes not yet parsed.
    private var pending: [UInt8] = []
    /// How much of `pending` has been looked at: for the end of the first line, or of a value.
    private var searched = 0
    /// How many bytes at the beginning of `pending` are blank, as far as that is known; while it is undecided.
    private var blanks = 0
    /// Bytes of a byte order mark that was dropped.
    private var mark = 0
    /// Lines before those in `pending`.
    private var linesBefore = 0
    /// The end of the value that `pending` begins with, once it has begun.
    private var end: JSONValueEnd?
    /// The array that is read by its elements.
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

    /// What RFC 7464 puts before each value.
    private static let separator: UInt8 = 0x1E

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D || byte == separator
    }

    /// Finds out how the input is laid out, once its first line is there.
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
            // One line without an end: a document, whose faults have a place.
            if atEnd || pending.count - start > min(Self.longestFirstLine, longestArray) { try becomeValues(start) }
            return
        }
        switch JSONScanner.scan(pending[start..<first]) {
        case .complete: return try becomeLines()
        case .fault(_, .moreAfterTheValue): return try becomeValues(start)
        case .fault, .incomplete: break
        }
        // The first line is no value. If the second is, and does not go on where the first broke off, the first is bad.
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

    /// Drops a byte order mark; false while it is not known whether there is one.
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

    /// Parses the lines that end in these bytes and keeps the rest.
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

    /// Parses whole lines; `head` goes before `tail`.
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

    /// Reads a line that simdjson refused if it can be mended, and skips it otherwise.
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

    /// Reads the values that are complete and keeps the rest.
    private func cutValues(atEnd: Bool) throws(FormatError) {
        var start = 0
        defer {
            // The first value keeps what is before it, so that its faults are where an editor shows them.
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

    /// Reads the elements that are complete; what comes after the array is read as values.
    private func readElements(atEnd: Bool) throws(FormatError) {
        guard try elements?.read(&pending, atEnd: atEnd, parser, records) == true else { return }
        linesBefore = elements?.lines ?? 0
        elements = nil
        layout = .values
        isPastFirst = true
        searched = 0
        try cutValues(atEnd: atEnd)
    }

    /// The end of what stands between values and is neither an array nor an object; nil when it is not there yet.
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

    /// Reads what is whole of a document before its fault.
    private func salvage(_ document: ArraySlice<UInt8>, before fault: Int) {
        guard let whole = JSONSalvage.whole(of: document, before: fault),
            let batch = try? parser.document(whole[...])
        else { return }
        // The fault itself is told.
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
