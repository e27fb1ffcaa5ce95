// A JSON format that records are read from.

import Basics
import JSON
import VideoModel

/// A kind of JSON that holds records, recognised by its structure.
public struct RecordFormat: Sendable {
    /// A record inside a document.
    struct Part {
        let row: JSONRow
        /// How to read it; nil when its own structure says so.
        let mapping: CompiledMapping?

        init(_ row: JSONRow, _ mapping: CompiledMapping? = nil) {
            self.row = row
            self.mapping = mapping
        }
    }

    /// The word for `--as` and `yt.parse{as=}`.
    public let name: String
    public let summary: String
    /// Whether a value is a whole document of this format.
    let isDocument: @Sendable (JSONRow) -> Bool
    /// The records of a document, in its order; `base` is where it came from.
    let parts: @Sendable (JSONRow, _ base: String?) -> [Part]
    /// What a document says of its records, each of which may know better.
    let inherited: @Sendable (JSONRow) -> [(field: VideoField, value: FieldValue)]
    /// How to read a record; nil when the value is none of this format.
    let mapping: @Sendable (JSONRow) -> CompiledMapping?
    /// The error that a value stands for: a service's refusal, a later version.
    let refusal: @Sendable (JSONRow) -> FormatError?

    init(
        name: String, summary: String,
        isDocument: @escaping @Sendable (JSONRow) -> Bool = { _ in false },
        parts: @escaping @Sendable (JSONRow) -> [Part] = { _ in [] },
        located: (@Sendable (JSONRow, _ base: String?) -> [Part])? = nil,
        inherited: @escaping @Sendable (JSONRow) -> [(field: VideoField, value: FieldValue)] = { _ in [] },
        mapping: @escaping @Sendable (JSONRow) -> CompiledMapping?,
        refusal: @escaping @Sendable (JSONRow) -> FormatError? = { _ in nil }
    ) {
        self.name = name
        self.summary = summary
        self.isDocument = isDocument
        self.parts = located ?? { row, _ in parts(row) }
        self.inherited = inherited
        self.mapping = mapping
        self.refusal = refusal
    }

    /// A format of one's own: every object is a record, or every element of the array at `rows` where there is one.
    public init(name: String, summary: String = "", rows: JSONPath? = nil, mapping: CompiledMapping) {
        let isDocument: @Sendable (JSONRow) -> Bool = { row in rows.map { row.kind(at: $0) == .array } ?? false }
        self.init(
            name: name, summary: summary, isDocument: isDocument,
            parts: { row in rows.map { Self.parts(of: row, at: $0) } ?? [] },
            mapping: { $0.kind == .object && !isDocument($0) ? mapping : nil })
    }

    /// The elements of the array at a path, each of which says itself how it is read.
    static func parts(of row: JSONRow, at path: JSONPath) -> [Part] {
        row.row(at: path)?.elements.map { Part($0) } ?? []
    }
}
