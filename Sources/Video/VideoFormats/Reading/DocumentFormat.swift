// Formats other than JSON. A format is recognized by the first bytes and read once the input is complete.

import Markup
import VideoModel

/// A document format that contains records and is not JSON.
public struct DocumentFormat: Sendable {
    /// The name for `--as` and `yt.parse{as=}`.
    public let name: String
    public let summary: String
    /// The maximum size of a document of any format, in bytes. Documents are parsed as a whole.
    package static let largestDocument = 256 << 20

    /// The maximum size of an input, in bytes. A larger one is an error.
    let largest: Int
    /// Whether an input with this beginning has this format. nil if more input is needed; at the end of the input nil
    /// means no.
    let recognises: @Sendable (DocumentHead) -> Bool?
    /// Reads a complete input. An invalid record is skipped with a reason; an invalid document is an error with its
    /// position.
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

/// A complete input and its origin.
struct Document: Sendable {
    /// The original bytes, including a byte order mark.
    let bytes: [UInt8]
    /// The base of relative URLs. nil if unknown.
    var base: String?
    /// The encoding named by the server. nil if none.
    var charset: String?
}

/// The records of a document.
struct DocumentRecords {
    /// A remark on a record or on a part of the document.
    struct Remark {
        enum Kind {
            /// A record that cannot be read.
            case skipped
            /// A record that the document itself excludes. Not an error, not even with `strict`.
            case omitted
            /// A record that was read, with something that the user should know.
            case note
        }
        let kind: Kind
        let place: RecordPlace
        let text: String
    }

    private(set) var videos: [Video] = []
    private(set) var remarks: [Remark] = []

    mutating func add(_ video: Video) { videos.append(video) }
    mutating func skip(_ place: RecordPlace, _ reason: String) { remark(.skipped, place, reason) }
    mutating func omit(_ place: RecordPlace, _ reason: String) { remark(.omitted, place, reason) }
    mutating func note(_ place: RecordPlace, _ text: String) { remark(.note, place, text) }

    private mutating func remark(_ kind: Remark.Kind, _ place: RecordPlace, _ text: String) {
        remarks.append(Remark(kind: kind, place: place, text: text))
    }
}

/// The beginning of an input, as text.
package struct DocumentHead: Sendable {
    /// The maximum number of bytes examined.
    static let longest = 64 << 10
    package static let blanks: [UInt8] = [0x20, 0x09, 0x0A, 0x0D]

    /// UTF-8 without a byte order mark, transcoded if the input is UTF-16. Bytes in legacy encodings are unchanged.
    package let text: [UInt8]
    /// Whether no more input would be examined: the input ends here, or the limit is reached.
    package let isWhole: Bool

    init(_ bytes: [UInt8], isWhole: Bool) {
        let head = bytes.prefix(Self.longest)
        self.isWhole = isWhole || bytes.count >= Self.longest
        let encoding = UnicodeEncoding.found(in: head)
        text = encoding.map { $0.utf8(head, isWhole: isWhole && head.count == bytes.count) } ?? Array(head)
    }
}
