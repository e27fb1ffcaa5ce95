// Reads records from blocks of bytes and detects the format: gzip or not, JSON (`JSONInput`) or another format
// (`DocumentFormat`). A small compressed block may contain very many records, which are returned in portions, so
// callers must check `hasMore` after every block.

import Markup
import VideoModel

/// An incremental reader that detects the input format.
///
/// Call `feed` with blocks of any size, `more()` while `hasMore` is true, then `finish()`, which returns the remaining
/// records. JSON Lines are read in constant memory; a document is buffered until its end. Input may be gzip-compressed,
/// and may be UTF-16 with or without a byte order mark. If an error follows good records in the same block, those are
/// returned and the next call throws.
public final class RecordReader {
    /// The maximum size of a document or line, in bytes.
    public static let largestDocument = DocumentFormat.largestDocument
    /// The size of a document or line that fits into the available memory, in bytes. Set it before the first block.
    public var room = RecordReader.largestDocument {
        didSet { json.room = room }
    }
    /// Longer arrays, in bytes, are read element by element. Set it before the first block.
    var longestArray: Int {
        get { json.longestArray }
        set { json.longestArray = newValue }
    }
    /// The maximum number of skipped records stored with their reasons.
    public static let skippedKept = JSONRecords.skippedKept

    /// The URL of the input, the base of its relative URLs. nil if unknown. Set it before the first block.
    public var base: String? {
        didSet { records.base = base }
    }
    /// The encoding named by the server. nil if none. Set it before the first block.
    public var charset: String?
    /// The JSON format of the first record. nil if there is none yet.
    public var format: RecordFormat? { records.format }
    /// The detected format, if the input is not JSON.
    public private(set) var documentFormat: DocumentFormat?
    /// The name of the detected format.
    public var kind: String? { documentFormat?.name ?? format?.name }
    /// The first `skippedKept` skipped records.
    public var skipped: [SkippedRecord] { records.skipped }
    public var skippedCount: Int { records.skippedCount }
    /// Remarks on records that were read, at most `skippedKept`.
    public var notes: [RecordNote] { records.notes }
    /// Whether input waits to be decompressed: call `more()`.
    public private(set) var hasMore = false

    private enum Layout { case packedOrNot, undecided, document, json, ended }

    private let documents: [DocumentFormat]
    private let records: JSONRecords
    private let json: JSONInput
    private var layout = Layout.packedOrNot
    private var gzip: GzipReader?
    private var utf16: UTF16Decoder?
    /// The input so far, until it is known to be JSON.
    private var pending: [UInt8] = []
    private var failure: FormatError?

    /// The names of all formats, in detection order.
    public static let formatNames = names(RecordFormat.all, DocumentFormat.names)

    /// A JSON format and a document format may share a name.
    private static func names(_ formats: [RecordFormat], _ documents: [String]) -> [String] {
        let names = formats.map(\.name)
        return names + documents.filter { !names.contains($0) }
    }

    /// - Parameters:
    ///   - name: one of `formatNames`. nil to detect the format.
    ///   - strict: whether a record that cannot be read is an error. Otherwise it is skipped and counted.
    /// - Throws: `FormatError.unknownFormat` for any other name.
    public convenience init(as name: String? = nil, strict: Bool = false) throws(FormatError) {
        guard let name else {
            self.init(candidates: RecordFormat.all, documents: DocumentFormat.all, strict: strict)
            return
        }
        // The document formats are initialized only if one of them is requested.
        let document = DocumentFormat.names.contains(name) ? DocumentFormat.named(name) : nil
        switch (RecordFormat.named(name), document) {
        case (let format?, let document?): self.init(candidates: [format], documents: [document], strict: strict)
        case (let format?, nil): self.init(format, strict: strict)
        case (nil, let document?): self.init(document, strict: strict)
        case (nil, nil): throw .unknownFormat(name, known: Self.formatNames)
        }
    }

    /// Accepts only this JSON format.
    public convenience init(_ format: RecordFormat, strict: Bool = false) {
        self.init(candidates: [format], documents: [], strict: strict)
    }

    /// Reads the input as this format without detection.
    public convenience init(_ format: DocumentFormat, strict: Bool = false) {
        self.init(candidates: [], documents: [format], strict: strict)
        documentFormat = format
    }

    init(candidates: [RecordFormat], documents: [DocumentFormat], strict: Bool) {
        self.documents = documents
        records = JSONRecords(
            candidates: candidates, considered: Self.names(candidates, documents.map(\.name)), strict: strict)
        json = JSONInput(records)
    }

    /// Reads all records of a complete input.
    public static func read(
        _ bytes: [UInt8], as name: String? = nil, strict: Bool = false
    ) throws(FormatError) -> [Video] {
        let reader = try RecordReader(as: name, strict: strict)
        return try reader.all(of: bytes)
    }

    /// Reads a complete input at once. Throws on any error, even after good records.
    public func all(of bytes: [UInt8]) throws(FormatError) -> [Video] {
        let videos = try feed(bytes) + finish()
        if let failure { throw failure }
        return videos
    }

    /// Reads a complete input at once, as far as possible. An error after good records is returned; one without records
    /// is thrown.
    public func part(of bytes: [UInt8]) throws(FormatError) -> (videos: [Video], fault: FormatError?) {
        var videos = try feed(bytes)
        do throws(FormatError) { videos += try finish() } catch {
            if videos.isEmpty { throw error }
        }
        return (videos, failure)
    }

    /// Adds the next bytes of the input, and returns the complete records.
    public func feed(_ block: [UInt8]) throws(FormatError) -> [Video] {
        try run { () throws(FormatError) in
            guard layout == .packedOrNot else { return try takePacked(block) }
            pending += block
            if pending.count < GzipReader.magic.count, GzipReader.magic.starts(with: pending) { return }
            try begin()
        }
    }

    /// Returns further records of input already fed.
    public func more() throws(FormatError) -> [Video] {
        try run { () throws(FormatError) in if hasMore { try unpack() } }
    }

    /// Ends the input, and returns the remaining records.
    public func finish() throws(FormatError) -> [Video] {
        try run { () throws(FormatError) in
            if layout == .packedOrNot { try begin() }
            while hasMore { try unpack() }
            if let gzip {
                do throws(GzipReader.Fault) { try gzip.finish() } catch { throw .badGzip(error.description) }
            }
            if layout == .undecided { try decide(atEnd: true) }
            defer { records.settle() }
            switch layout {
            case .document:
                if let documentFormat { try read(documentFormat) }
            case .json:
                if var utf16 = self.utf16 { try json.feed(utf16.finish()) }
                try json.finish()
            case .packedOrNot, .undecided, .ended: break
            }
            layout = .ended
            pending = []
        }
    }

    /// Runs one call. An error is thrown immediately if the call has no records, otherwise by the next call.
    private func run(_ work: () throws(FormatError) -> Void) throws(FormatError) -> [Video] {
        if let failure { throw failure }
        do {
            try work()
        } catch {
            failure = error
            hasMore = false
            pending = []
            records.settle()
            if records.videos.isEmpty { throw error }
        }
        return records.take()
    }

    // MARK: - Decompression

    /// Starts reading once it is known whether the input is compressed.
    private func begin() throws(FormatError) {
        let bytes = pending
        pending = []
        layout = documentFormat == nil ? .undecided : .document
        if bytes.starts(with: GzipReader.magic) {
            guard let gzip = GzipReader() else { throw .badGzip(GzipReader.Fault.noMemory.description) }
            self.gzip = gzip
        }
        try takePacked(bytes)
    }

    private func takePacked(_ bytes: [UInt8]) throws(FormatError) {
        guard let gzip else { return try take(bytes) }
        gzip.feed(bytes)
        hasMore = true
        try unpack()
    }

    private func unpack() throws(FormatError) {
        let block: [UInt8]?
        do throws(GzipReader.Fault) { block = try gzip?.next() } catch { throw .badGzip(error.description) }
        if let block { try take(block) } else { hasMore = false }
    }

    // MARK: - JSON or a document

    private func take(_ bytes: [UInt8]) throws(FormatError) {
        switch layout {
        case .json: try json.feed(utf16?.decode(bytes) ?? bytes)
        case .undecided, .document:
            pending += bytes
            if layout == .undecided { try decide(atEnd: false) }
            let limit = documentFormat?.largest ?? Self.largestDocument
            if pending.count > min(limit, room) { throw .overflow(limit: limit, room: room) }
        case .packedOrNot, .ended: break
        }
    }

    /// Detects whether the input is JSON or a document, once enough of its beginning is available.
    private func decide(atEnd: Bool) throws(FormatError) {
        guard atEnd || pending.count >= UnicodeEncoding.needed, let isDocument = recogniseDocument(atEnd: atEnd) else {
            return
        }
        if isDocument {
            layout = .document
            return
        }
        layout = .json
        let bytes = pending
        pending = []
        let encoding = UnicodeEncoding.found(in: bytes)
        utf16 = UTF16Decoder(encoding)
        try json.feed(utf16?.decode(bytes.dropFirst(encoding?.mark ?? 0)) ?? bytes)
    }

    /// Whether the input is in a document format. nil if more input is needed.
    private func recogniseDocument(atEnd: Bool) -> Bool? {
        if documents.isEmpty { return false }
        let head = DocumentHead(pending, isWhole: atEnd)
        guard let first = head.text.first(where: { !DocumentHead.blanks.contains($0) }) else {
            return atEnd || head.isWhole ? false : nil
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

    private func read(_ format: DocumentFormat) throws(FormatError) {
        let document = Document(bytes: pending, base: base, charset: charset)
        pending = []
        var found = DocumentRecords()
        var fault: FormatError?
        do throws(FormatError) { try format.read(document, &found) } catch { fault = error }
        records.add(found.videos)
        for remark in found.remarks {
            switch remark.kind {
            case .skipped: try records.skip(remark.place, remark.text)
            case .omitted: records.omit(remark.place, remark.text)
            case .note: records.note(remark.place, remark.text)
            }
        }
        if let fault { throw fault }
    }
}
