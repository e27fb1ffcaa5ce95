// Reads records from bytes that come in blocks, finding out what they are. What is easily got wrong: an input is JSON
// Lines when its first line is a whole value, even if that line is a service's whole reply; only text whose first line
// breaks off is kept back as one document. Whether an input is JSON at all is asked last, when no `DocumentFormat`
// takes it.

import VideoModel

/// An incremental reader of an input of unknown kind.
///
/// Feed it blocks of any size, then `finish()`. In JSON Lines memory stays flat; a document is kept until the end.
/// When an error is met after good records of the same block, those are returned and the next call throws.
public final class RecordReader {
    /// Documents and lines of more bytes are an error.
    public static let largestDocument = 256 << 20
    /// How many of the skipped records are kept with their reasons.
    public static let skippedKept = 100
    /// Lines are parsed in blocks of about this many bytes: a record kept alive keeps its block.
    private static let blockSize = 256 << 10

    /// Where the input came from: what relative addresses in it are relative to. Set it before the first block.
    public var base: String?
    /// The name of the encoding that whoever sent the input gave for it. Set it before the first block.
    public var charset: String?
    /// The JSON format of the first record that was read.
    public private(set) var format: RecordFormat?
    /// The format of an input that is not JSON, once it is known.
    public private(set) var documentFormat: DocumentFormat?
    /// The name of the format that was recognised.
    public var kind: String? { documentFormat?.name ?? format?.name }
    /// Records that were left out, the first `skippedKept` of them.
    public private(set) var skipped: [SkippedRecord] = []
    public private(set) var skippedCount = 0

    private enum Layout { case undecided, lines, document, ended }

    private let candidates: [RecordFormat]
    private let documents: [DocumentFormat]
    private let strict: Bool
    private let parser = JSONParser()
    private var layout = Layout.undecided
    /// Whether it is still open that the input is one of `documents`.
    private var mayBeDocument = true
    /// Bytes not yet parsed.
    private var pending: [UInt8] = []
    /// How much of `pending` is known to hold no end of the first line.
    private var searched = 0
    /// Bytes of a byte order mark that was dropped.
    private var mark = 0
    /// Lines before those being parsed.
    private var linesBefore = 0
    private var failure: FormatError?
    /// Records of the call that is running.
    private var videos: [Video] = []

    /// The names of all formats, in the order they are tried.
    public static let formatNames = RecordFormat.all.map(\.name) + DocumentFormat.names

    /// - Parameters:
    ///   - name: one of `formatNames`; nil to find out.
    ///   - strict: whether a record that cannot be read is an error; else it is skipped and counted.
    public convenience init(as name: String? = nil, strict: Bool = false) throws(FormatError) {
        guard let name else {
            self.init(candidates: RecordFormat.all, documents: DocumentFormat.all, strict: strict)
            return
        }
        if let format = RecordFormat.named(name) {
            self.init(format, strict: strict)
        } else if let format = DocumentFormat.named(name) {
            self.init(format, strict: strict)
        } else {
            throw .unknownFormat(name, known: Self.formatNames)
        }
    }

    /// Reads one format and nothing else.
    public convenience init(_ format: RecordFormat, strict: Bool = false) {
        self.init(candidates: [format], documents: [], strict: strict)
    }

    /// Reads the input as this format, whatever it looks like.
    public convenience init(_ format: DocumentFormat, strict: Bool = false) {
        self.init(candidates: [], documents: [format], strict: strict)
        documentFormat = format
        layout = .document
    }

    init(candidates: [RecordFormat], documents: [DocumentFormat], strict: Bool) {
        self.candidates = candidates
        self.documents = documents
        self.strict = strict
    }

    /// Reads all records of bytes that are all there.
    public static func read(
        _ bytes: [UInt8], as name: String? = nil, strict: Bool = false
    ) throws(FormatError) -> [Video] {
        let reader = try RecordReader(as: name, strict: strict)
        return try reader.all(of: bytes)
    }

    /// Reads the whole input at once. An error is thrown also when good records came before it.
    public func all(of bytes: [UInt8]) throws(FormatError) -> [Video] {
        let videos = try feed(bytes) + finish()
        if let failure { throw failure }
        return videos
    }

    /// Takes the next bytes of the input, and gives the records that are complete.
    public func feed(_ block: [UInt8]) throws(FormatError) -> [Video] {
        try run { () throws(FormatError) in
            switch layout {
            case .lines: try parseLines(block)
            case .undecided, .document:
                pending += block
                if layout == .undecided { try decide(atEnd: false) }
                let limit = documentFormat?.largest ?? Self.largestDocument
                if pending.count > limit { throw .tooLarge(limit: limit) }
            case .ended: break
            }
        }
    }

    /// Ends the input, and gives the records that are left.
    public func finish() throws(FormatError) -> [Video] {
        try run { () throws(FormatError) in
            if layout == .undecided { try decide(atEnd: true) }
            switch layout {
            case .lines: try parse([], pending[...])
            case .document: if let documentFormat { try readDocument(documentFormat) } else { try parseDocument() }
            case .undecided, .ended: break
            }
            layout = .ended
            pending = []
        }
    }

    /// Throws what went wrong only when no records came before it in this call, else in the next call.
    private func run(_ work: () throws(FormatError) -> Void) throws(FormatError) -> [Video] {
        if let failure { throw failure }
        do {
            try work()
        } catch {
            failure = error
            pending = []
            if videos.isEmpty { throw error }
        }
        defer { videos = [] }
        return videos
    }

    // MARK: - One document, or lines

    private static let newline = UInt8(ascii: "\n")

    /// Finds out how the input is laid out, once its first line is there.
    private func decide(atEnd: Bool) throws(FormatError) {
        if mayBeDocument {
            guard let isDocument = recogniseDocument(atEnd: atEnd) else { return }
            if isDocument {
                layout = .document
                return
            }
            mayBeDocument = false
        }
        guard dropMark(atEnd) else { return }
        guard let start = pending.firstIndex(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) else { return }
        guard let first = pending[max(searched, start)...].firstIndex(of: Self.newline) else {
            searched = pending.count
            // One line without an end: a document, whose faults have a place.
            if atEnd { try becomeDocument(start) }
            return
        }
        if JSONScanner.scan(pending[start..<first]) == .complete { return try becomeLines() }

        // The first line is no value. If the second is, and does not go on where the first broke off, the first is bad.
        guard let next = pending[first...].firstIndex(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) else {
            if atEnd { try becomeDocument(start) }
            return
        }
        let second = pending[next...].firstIndex(of: Self.newline)
        guard let end = second ?? (atEnd ? pending.count : nil) else { return }
        if JSONScanner.scan(pending[next..<end]) == .complete,
            case .fault = JSONScanner.scan(pending[start..<end])
        {
            return try becomeLines()
        }
        try becomeDocument(start)
    }

    /// Whether the input is one of the formats that are not JSON; nil while that cannot be told.
    private func recogniseDocument(atEnd: Bool) -> Bool? {
        if documents.isEmpty { return false }
        let head = DocumentHead(pending, isWhole: atEnd)
        guard let first = head.text.first(where: { !DocumentHead.blanks.contains($0) }) else {
            return atEnd ? false : nil
        }
        if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") { return false }
        var isOpen = false
        for candidate in documents {
            switch candidate.recognises(head) {
            case true?:
                documentFormat = candidate
                return true
            case false?: continue
            case nil: isOpen = true
            }
        }
        return isOpen && !head.isWhole ? nil : false
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

    private func becomeDocument(_ start: Int) throws(FormatError) {
        guard pending[start] == UInt8(ascii: "{") || pending[start] == UInt8(ascii: "[") else {
            throw .unrecognised(considered: considered)
        }
        layout = .document
    }

    // MARK: - Parsing

    /// Parses the lines that end in these bytes and keeps the rest.
    private func parseLines(_ bytes: [UInt8]) throws(FormatError) {
        guard let last = bytes.lastIndex(of: Self.newline) else {
            pending += bytes
            if pending.count > Self.largestDocument { throw .tooLarge(limit: Self.largestDocument) }
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
        videos.reserveCapacity(videos.count + batch.count)
        for document in 0..<batch.count {
            let line = batch.line(of: document)
            while let fault = bad.first, fault.line < line {
                bad.removeFirst()
                try skip(fault, head, tail)
            }
            try read(batch[document], at: .line(linesBefore + line + 1))
        }
        for fault in bad { try skip(fault, head, tail) }
        linesBefore += batch.lines
    }

    private func skip(
        _ fault: JSONBatch.BadLine, _ head: [UInt8], _ tail: ArraySlice<UInt8>
    ) throws(FormatError) {
        let place = RecordPlace.line(linesBefore + fault.line + 1)
        guard strict || skipped.count < Self.skippedKept else { return try skip(place, "") }
        let bytes =
            fault.bytes.lowerBound >= head.count
            ? tail[
                tail.startIndex + fault.bytes.lowerBound - head.count..<tail.startIndex + fault.bytes.upperBound
                    - head.count]
            : (head + tail)[fault.bytes]
        let error = JSONScanner.error(in: bytes, otherwise: fault.reason)
        try skip(place, "column \(error.column): \(error.reason)")
    }

    private func parseDocument() throws(FormatError) {
        let bytes = pending
        pending = []
        let batch = try parsed { () throws(JSONError) in try parser.document(bytes) }
        try read(batch[0], at: nil)
    }

    private func readDocument(_ format: DocumentFormat) throws(FormatError) {
        let document = Document(bytes: pending, base: base, charset: charset)
        pending = []
        var records = DocumentRecords()
        try format.read(document, &records)
        videos += records.videos
        for (place, reason) in records.skipped { try skip(place, reason) }
    }

    private func parsed(_ parse: () throws(JSONError) -> JSONBatch) throws(FormatError) -> JSONBatch {
        do {
            return try parse()
        } catch {
            var error = error
            error.offset += mark
            throw .malformed(error)
        }
    }

    // MARK: - Records

    /// Reads a line or a document: a record, a whole reply, or an array of either.
    private func read(_ value: JSONRow, at place: RecordPlace?) throws(FormatError) {
        if try readRecord(value, nil, at: place ?? .row(1)) { return }
        if try readReply(value, at: place) { return }
        if value.kind == .array {
            let rows = value.elements
            let isKnown = rows.isEmpty || rows.contains { row in candidates.contains { $0.knows(row) } }
            if isKnown { return try readRows(rows, at: place) }
        }
        let names = candidates.map(\.name)
        if format == nil { throw .unrecognised(considered: considered) }
        try skip(place ?? .row(1), "no record of a format that is read here: " + names.joined(separator: ", "))
    }

    /// Reads the elements of an array; those of a line have the line's place.
    private func readRows(_ rows: [JSONRow], at place: RecordPlace?) throws(FormatError) {
        for (index, row) in rows.enumerated() {
            let place = place ?? .row(index + 1)
            if try readRecord(row, nil, at: place) { continue }
            if try readReply(row, at: place) { continue }
            try skipUnknown(place)
        }
    }

    /// Reads a service's whole reply, or throws what it stands for; false when the value is none.
    private func readReply(_ value: JSONRow, at place: RecordPlace?) throws(FormatError) -> Bool {
        for candidate in candidates where candidate.isDocument(value) {
            format = format ?? candidate
            let first = videos.count
            for (index, part) in candidate.parts(value).enumerated() {
                let place = place ?? .row(index + 1)
                if try !readRecord(part.row, part.mapping, at: place) { try skipUnknown(place) }
            }
            for (field, inherited) in candidate.inherited(value) where !inherited.isNone {
                for index in first..<videos.count where !Self.isKnown(videos[index][field]) {
                    videos[index][field] = inherited
                }
            }
            return true
        }
        for candidate in candidates {
            if let refusal = candidate.refusal(value) { throw refusal }
        }
        // An error in a word, which any service may have said.
        if let message = value.text("error"), value.members.count == 1 {
            let service = candidates.count == 1 ? candidates[0].name : "the service"
            throw .refused(ServiceRefusal(service: service, message: PlainText.of(html: message)))
        }
        return false
    }

    /// Whether a field says anything; a channel may be there with nothing in it.
    private static func isKnown(_ value: FieldValue) -> Bool {
        value.members.map { $0.contains { !$0.value.isNone } } ?? !value.isNone
    }

    private var considered: [String] { candidates.map(\.name) + documents.map(\.name) }

    private func skipUnknown(_ place: RecordPlace) throws(FormatError) {
        let names = (format.map { [$0.name] } ?? candidates.map(\.name)).joined(separator: " or ")
        try skip(place, "no \(names) record")
    }

    /// Reads a record through a mapping, else in the format of the first one, else in any; false when it is of none.
    private func readRecord(
        _ row: JSONRow, _ known: CompiledMapping?, at place: RecordPlace
    ) throws(FormatError) -> Bool {
        var mapping = known ?? format?.mapping(row)
        if mapping == nil {
            for candidate in candidates {
                guard let found = candidate.mapping(row) else { continue }
                format = format ?? candidate
                mapping = found
                break
            }
        }
        guard let mapping else { return false }
        do {
            videos.append(Video(backing: try mapping.record(row, strict: strict)))
        } catch {
            try skip(place, error.description)
        }
        return true
    }

    private func skip(_ place: RecordPlace, _ reason: String) throws(FormatError) {
        if strict { throw .badRecord(place, reason: reason) }
        skippedCount += 1
        if skipped.count < Self.skippedKept { skipped.append(SkippedRecord(place: place, reason: reason)) }
    }
}

extension RecordFormat {
    fileprivate func knows(_ row: JSONRow) -> Bool {
        mapping(row) != nil || isDocument(row) || refusal(row) != nil
    }
}
