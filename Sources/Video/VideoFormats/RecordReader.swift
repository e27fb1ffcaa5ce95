// Reads records from bytes that come in blocks, finding out what they are: packed or not, JSON (`JSONInput`), or one of
// the formats that are not (`DocumentFormat`). What is easily got wrong: a small block of packed bytes may hold a great
// many records, which come in portions, so `hasMore` is to be asked after every block.

import Markup
import VideoModel

/// An incremental reader of an input of unknown kind.
///
/// Feed it blocks of any size, take `more()` while it `hasMore`, then `finish()`, which gives all that is left. In JSON
/// Lines memory stays flat; a document is kept until the end. Input may be packed with gzip, and UTF-16 with or without
/// a byte order mark. When an error is met after good records of the same block, those are returned and the next call
/// throws.
public final class RecordReader {
    /// Documents and lines of more bytes are an error.
    public static let largestDocument = DocumentFormat.largestDocument
    /// Documents and lines of more bytes do not fit in the memory there is. Set it before the first block.
    public var room = RecordReader.largestDocument {
        didSet { json.room = room }
    }
    /// An array of more bytes is read by its elements. Set it before the first block.
    var longestArray: Int {
        get { json.longestArray }
        set { json.longestArray = newValue }
    }
    /// How many of the skipped records are kept with their reasons.
    public static let skippedKept = JSONRecords.skippedKept

    /// Where the input came from: what relative addresses in it are relative to. Set it before the first block.
    public var base: String? {
        didSet { records.base = base }
    }
    /// The name of the encoding that whoever sent the input gave for it. Set it before the first block.
    public var charset: String?
    /// The JSON format of the first record that was read.
    public var format: RecordFormat? { records.format }
    /// The format of an input that is not JSON, once it is known.
    public private(set) var documentFormat: DocumentFormat?
    /// The name of the format that was recognised.
    public var kind: String? { documentFormat?.name ?? format?.name }
    /// Records that were left out, the first `skippedKept` of them.
    public var skipped: [SkippedRecord] { records.skipped }
    public var skippedCount: Int { records.skippedCount }
    /// Whether bytes that were fed wait to be unpacked: `more()` reads on.
    public private(set) var hasMore = false

    private enum Layout { case packedOrNot, undecided, document, json, ended }

    private let documents: [DocumentFormat]
    private let records: JSONRecords
    private let json: JSONInput
    private var layout = Layout.packedOrNot
    private var gzip: GzipReader?
    private var utf16: UTF16Decoder?
    /// The input so far, while it is not known to be JSON.
    private var pending: [UInt8] = []
    private var failure: FormatError?

    /// The names of all formats, in the order they are tried.
    public static let formatNames = names(RecordFormat.all, DocumentFormat.names)

    /// A service's JSON and its tables may go by one name.
    private static func names(_ formats: [RecordFormat], _ documents: [String]) -> [String] {
        let names = formats.map(\.name)
        return names + documents.filter { !names.contains($0) }
    }

    /// - Parameters:
    ///   - name: one of `formatNames`; nil to find out.
    ///   - strict: whether a record that cannot be read is an error; else it is skipped and counted.
    public convenience init(as name: String? = nil, strict: Bool = false) throws(FormatError) {
        guard let name else {
            self.init(candidates: RecordFormat.all, documents: DocumentFormat.all, strict: strict)
            return
        }
        // The formats that are not JSON are made only for those who ask for one.
        let document = DocumentFormat.names.contains(name) ? DocumentFormat.named(name) : nil
        switch (RecordFormat.named(name), document) {
        case (let format?, let document?): self.init(candidates: [format], documents: [document], strict: strict)
        case (let format?, nil): self.init(format, strict: strict)
        case (nil, let document?): self.init(document, strict: strict)
        case (nil, nil): throw .unknownFormat(name, known: Self.formatNames)
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
    }

    init(candidates: [RecordFormat], documents: [DocumentFormat], strict: Bool) {
        self.documents = documents
        records = JSONRecords(
            candidates: candidates, considered: Self.names(candidates, documents.map(\.name)), strict: strict)
        json = JSONInput(records)
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

    /// Reads the whole input at once, as far as it can be read. An error before which no record came is thrown.
    public func part(of bytes: [UInt8]) throws(FormatError) -> (videos: [Video], fault: FormatError?) {
        var videos = try feed(bytes)
        do throws(FormatError) { videos += try finish() } catch {
            if videos.isEmpty { throw error }
        }
        return (videos, failure)
    }

    /// Takes the next bytes of the input, and gives the records that are complete.
    public func feed(_ block: [UInt8]) throws(FormatError) -> [Video] {
        try run { () throws(FormatError) in
            guard layout == .packedOrNot else { return try takePacked(block) }
            pending += block
            if pending.count < GzipReader.magic.count, GzipReader.magic.starts(with: pending) { return }
            try begin()
        }
    }

    /// Reads on in what was fed.
    public func more() throws(FormatError) -> [Video] {
        try run { () throws(FormatError) in if hasMore { try unpack() } }
    }

    /// Ends the input, and gives the records that are left.
    public func finish() throws(FormatError) -> [Video] {
        try run { () throws(FormatError) in
            if layout == .packedOrNot { try begin() }
            while hasMore { try unpack() }
            if let gzip {
                do throws(GzipReader.Fault) { try gzip.finish() } catch { throw .badGzip(error.description) }
            }
            if layout == .undecided { try decide(atEnd: true) }
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

    /// Throws what went wrong only when no records came before it in this call, else in the next call.
    private func run(_ work: () throws(FormatError) -> Void) throws(FormatError) -> [Video] {
        if let failure { throw failure }
        do {
            try work()
        } catch {
            failure = error
            hasMore = false
            pending = []
            if records.videos.isEmpty { throw error }
        }
        return records.take()
    }

    // MARK: - Unpacking

    /// Goes on once it is known whether the input is packed.
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

    /// Finds out whether the input is one of the formats that are not JSON, once its beginning is there.
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

    /// Whether the input is one of the formats that are not JSON; nil while that cannot be told.
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
        for (place, reason) in found.skipped { try records.skip(place, reason) }
        if let fault { throw fault }
    }
}
