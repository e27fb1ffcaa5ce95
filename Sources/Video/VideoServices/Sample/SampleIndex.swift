// Reads and searches the lines of the sample library where they lie: one pass a search, nothing is kept. The scanner
// knows these lines only (order of keys, no spaces, no escapes but \" and \\); a line of another form is passed over.
// The data's tests hold it to that form.

import Basics

/// One line of the library: where its parts stand among the bytes, and the numbers read.
struct SampleRow {
    var line: Range<Int>
    var id: Range<Int>
    var title: Range<Int>
    var channelID: Range<Int>?
    var channelTitle: Range<Int>?
    /// Epoch seconds, and the text that says so.
    var published: Int64?
    var time: Range<Int>?
    /// Seconds.
    var duration: Int64?
    /// From the first tag's quotation mark to the last's; nil without tags.
    var tags: Range<Int>?
    var language: Range<Int>?
}

/// The lines, one after the other.
struct SampleScanner {
    private var at = 0

    /// The next line, nil at the end.
    mutating func next(_ bytes: Span<UInt8>) -> SampleRow? {
        while at < bytes.count {
            let start = at
            let row = row(bytes)
            let isWhole = at >= bytes.count || bytes[at] == UInt8(ascii: "\n")
            while at < bytes.count, bytes[at] != UInt8(ascii: "\n") { at += 1 }
            defer { at += 1 }
            if isWhole, var row {
                row.line = start..<at
                return row
            }
        }
        return nil
    }

    private mutating func row(_ bytes: Span<UInt8>) -> SampleRow? {
        guard skip(#"{"ythost":1,"provider":"youtube","id":""#, bytes), let id = text(bytes),
            skip(#","kind":"video","title":""#, bytes), let title = text(bytes)
        else { return nil }
        var row = SampleRow(line: at..<at, id: id, title: title)
        if skip(#","channel":{"#, bytes) {
            if skip(#""id":""#, bytes) { row.channelID = text(bytes) }
            if row.channelID == nil || skip(",", bytes) {
                guard skip(#""title":""#, bytes) else { return nil }
                row.channelTitle = text(bytes)
            }
            guard skip("}", bytes) else { return nil }
        }
        if skip(#","published":""#, bytes) {
            guard let time = text(bytes), let seconds = Self.seconds(bytes, time) else { return nil }
            row.published = seconds
            row.time = time
        }
        if skip(#","duration":"#, bytes) {
            let start = at
            row.duration = Self.number(bytes, from: &at, to: bytes.count)
            // JSON has no leading zeros.
            if at - start > 1, bytes[start] == UInt8(ascii: "0") { return nil }
        }
        if skip(#","tags":["#, bytes) {
            let start = at
            repeat {
                guard skip("\"", bytes), text(bytes) != nil else { return nil }
            } while skip(",", bytes)
            row.tags = start..<at
            guard skip("]", bytes) else { return nil }
        }
        if skip(#","language":""#, bytes) { row.language = text(bytes) }
        return skip("}", bytes) ? row : nil
    }

    /// Steps over the words if they are next.
    private mutating func skip(_ words: StaticString, _ bytes: Span<UInt8>) -> Bool {
        let at = at
        let isNext = words.withUTF8Buffer { words in
            guard bytes.count - at >= words.count else { return false }
            for offset in words.indices where bytes[at + offset] != words[offset] { return false }
            return true
        }
        if isNext { self.at += words.utf8CodeUnitCount }
        return isNext
    }

    /// The rest of a text whose first quotation mark is passed, and steps over the last one.
    private mutating func text(_ bytes: Span<UInt8>) -> Range<Int>? {
        let start = at
        while at < bytes.count {
            switch bytes[at] {
            case UInt8(ascii: "\""):
                at += 1
                return start..<at - 1
            case 0..<0x20: return nil
            case UInt8(ascii: "\\"):
                guard at + 1 < bytes.count, Self.isEscaped(bytes[at + 1]) else { return nil }
                at += 2
            default: at += 1
            }
        }
        return nil
    }

    private static func isEscaped(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") }

    private static func number(_ bytes: Span<UInt8>, from start: inout Int, to end: Int) -> Int64? {
        let first = start
        var number: Int64 = 0
        while start < end, start - first < 18, case let digit = bytes[start] &- UInt8(ascii: "0"), digit < 10 {
            number = number * 10 + Int64(digit)
            start += 1
        }
        return start > first ? number : nil
    }

    /// Epoch seconds of `YYYY-MM-DDTHH:MM:SSZ`, the only form that the lines have.
    private static func seconds(_ bytes: Span<UInt8>, _ text: Range<Int>) -> Int64? {
        guard text.count == 20 else { return nil }
        var parts: [6 of Int64] = .init(repeating: 0)
        var at = text.lowerBound
        for part in parts.indices {
            guard let number = number(bytes, from: &at, to: text.upperBound) else { return nil }
            parts[part] = number
            at += 1
        }
        // Years that begin in March have the leap day at their end (H. Hinnant, "chrono-Compatible Low-Level Date Algorithms").
        let (month, day) = (parts[1], parts[2])
        let year = month > 2 ? parts[0] : parts[0] - 1
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let days = year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
        return days * 86_400 + parts[3] * 3_600 + parts[4] * 60 + parts[5]
    }
}

/// The words of one line, folded: title, channel and tags in one run of bytes, each word led and followed by a space,
/// and a byte that no word has between two tags and between the parts, so that no phrase reaches across.
struct SampleText {
    private var bytes: [UInt8] = []
    private var titleEnd = 0
    private var channelEnd = 0

    private static let space = UInt8(ascii: " ")
    private static let border: UInt8 = 1

    mutating func read(_ row: SampleRow, _ source: Span<UInt8>) {
        bytes.removeAll(keepingCapacity: true)
        append(source, row.title)
        titleEnd = bytes.count
        if let title = row.channelTitle { append(source, title) }
        channelEnd = bytes.count
        guard let tags = row.tags else { return }
        var start = tags.lowerBound
        for at in tags where source[at] == UInt8(ascii: "\"") {
            if at > start { append(source, start..<at) }
            start = at + 1
        }
    }

    /// How well a term is found: 0 not at all, else 1 (the beginning of a word, in a tag) to 6 (a word of the title).
    func points(_ term: SearchPattern) -> Int {
        let (bytes, pattern) = (self.bytes.span, term.bytes.span)
        let (first, last) = (pattern[1], bytes.count - pattern.count)
        var best = 0
        var start = 0
        next: while start < last {
            defer { start += 1 }
            guard bytes[start + 1] == first, bytes[start] == Self.space else { continue }
            for offset in 2..<max(2, pattern.count) where bytes[start + offset] != pattern[offset] { continue next }
            let whole = bytes[start + pattern.count] == Self.space
            guard whole || term.mayBePrefix else { continue }
            let place = start < titleEnd ? 3 : start < channelEnd ? 2 : 1
            best = max(best, whole ? place + 3 : place)
            if best == 6 { break }
        }
        return best
    }

    /// Most text is folded here, byte by byte; what has letters beyond ASCII, or `+` or `#` after one, goes through
    /// `Text`, to the same end.
    private mutating func append(_ source: Span<UInt8>, _ range: Range<Int>) {
        let start = bytes.count
        var isPlain = true
        bytes.append(addingCapacity: range.count + 3) { output in
            isPlain = Self.foldPlain(source, range, into: &output)
        }
        guard !isPlain else { return }
        bytes.removeSubrange(start...)
        bytes.append(Self.space)
        for word in Text.words(source.text(range)) {
            bytes.append(contentsOf: word.utf8)
            bytes.append(Self.space)
        }
        bytes.append(Self.border)
    }

    /// Writes at most three bytes more than it reads; false when it met a byte that it cannot fold.
    private static func foldPlain(_ source: Span<UInt8>, _ range: Range<Int>, into output: inout OutputSpan<UInt8>)
        -> Bool
    {
        output.append(space)
        var isSpace = true
        var at = range.lowerBound
        while at < range.upperBound {
            let byte = source[at]
            at += 1
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                output.append(byte)
                isSpace = false
            case UInt8(ascii: "A")...UInt8(ascii: "Z"):
                output.append(byte | 0x20)
                isSpace = false
            case 0xE2 where at + 1 < range.upperBound && source[at] == 0x80 && (0x90...0xA7).contains(source[at + 1]):
                // U+2010 to U+2027: dashes, quotation marks, ellipses.
                at += 2
                if !isSpace { output.append(space) }
                isSpace = true
            case UInt8(ascii: "+") where !isSpace, UInt8(ascii: "#") where !isSpace, 0x80...:
                return false
            default:
                if !isSpace { output.append(space) }
                isSpace = true
            }
        }
        if !isSpace { output.append(space) }
        output.append(border)
        return true
    }
}

extension Span<UInt8> {
    /// The text of a line's part, its two escapes undone.
    func text(_ range: Range<Int>) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(range.count)
        var at = range.lowerBound
        while at < range.upperBound {
            if self[at] == UInt8(ascii: "\\") { at += 1 }
            if at < range.upperBound { bytes.append(self[at]) }
            at += 1
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
