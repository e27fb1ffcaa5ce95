// A format that is not JSON: recognised by its first bytes, read when the whole input is there.

import Markup
import VideoModel

/// A kind of document that holds records and is not JSON.
public struct DocumentFormat: Sendable {
    /// The word for `--as` and `yt.parse{as=}`.
    public let name: String
    public let summary: String
    /// Bytes of a document of any format, at most: it is parsed as a whole.
    package static let largestDocument = 256 << 20

    /// Inputs of more bytes are an error.
    let largest: Int
    /// Whether an input that begins so is of this format; nil when more of it is needed to tell. At the end of the
    /// input nil counts as no.
    let recognises: @Sendable (DocumentHead) -> Bool?
    /// Reads a whole input. A record that cannot be read is skipped with a reason; a document that cannot is an error
    /// with its place.
    let read: @Sendable (Document, inout DocumentRecords) throws(FormatError) -> Void

    init(
        name: String, summary: String, largest: Int = DocumentFormat.largestDocument,
        recognises: @escaping @Sendable (DocumentHead) -> Bool?,
        read: @escaping @Sendable (Document, inout DocumentRecords) throws(FormatError) -> Void
    ) {
        self.name = name
        self.summary = summary
        self.largest = largest
        self.recognises = recognises
        self.read = read
    }
}

/// A whole input, and what is known of it besides.
struct Document: Sendable {
    /// As they came, byte order mark included.
    let bytes: [UInt8]
    /// What relative addresses are relative to; nil when that is not known.
    var base: String?
    /// The encoding its sender named; nil when none did.
    var charset: String?
}

/// What was read from a document.
struct DocumentRecords {
    private(set) var videos: [Video] = []
    private(set) var skipped: [(place: RecordPlace, reason: String)] = []

    mutating func add(_ video: Video) { videos.append(video) }
    mutating func skip(_ place: RecordPlace, _ reason: String) { skipped.append((place, reason)) }
}

/// The beginning of an input, as text.
package struct DocumentHead: Sendable {
    /// No more bytes than this are looked at.
    static let longest = 64 << 10
    package static let blanks: [UInt8] = [0x20, 0x09, 0x0A, 0x0D]

    /// UTF-8 without a byte order mark, transcoded when the input is UTF-16. Bytes of older encodings stay as they are.
    package let text: [UInt8]
    /// Whether there is nothing after it that would be looked at: the input ends here, or the limit is reached.
    package let isWhole: Bool

    init(_ bytes: [UInt8], isWhole: Bool) {
        let head = bytes.prefix(Self.longest)
        self.isWhole = isWhole || bytes.count >= Self.longest
        let encoding = UnicodeEncoding.found(in: head)
        text = encoding.map { $0.utf8(head, isWhole: isWhole && head.count == bytes.count) } ?? Array(head)
    }
}
