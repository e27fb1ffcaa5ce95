// JSON formats with records.

import Basics
import JSON
import VideoModel

/// A JSON format, recognized by its structure.
public struct RecordFormat: Sendable {
    /// A record in a document.
    struct Part {
        let row: JSONRow
        /// The mapping to use. nil to detect it from the row's structure.
        let mapping: CompiledMapping?
        /// What the user should know about the record. nil if nothing.
        let note: String?

        init(_ row: JSONRow, _ mapping: CompiledMapping? = nil, note: String? = nil) {
            self.row = row
            self.mapping = mapping
            self.note = note
        }
    }

    /// The name for `--as` and `yt.parse{as=}`.
    public let name: String
    public let summary: String
    /// Whether a value is a complete document of this format.
    let isDocument: @Sendable (JSONRow) -> Bool
    /// The records of a document, in order; `base` is the URL of the document.
    let parts: @Sendable (JSONRow, _ base: String?) -> [Part]
    /// Defaults from the document for fields that its records lack.
    let inherited: @Sendable (JSONRow) -> [(field: VideoField, value: FieldValue)]
    /// The mapping of a record. nil if the value is not a record of this format.
    let mapping: @Sendable (JSONRow) -> CompiledMapping?
    /// The error that a value stands for: an error reply of a service, or a later version.
    let refusal: @Sendable (JSONRow) -> FormatError?
    /// The mapping for all records, learned from the first ones, if `mapping` alone does not suffice. nil if it does.
    let learn: (@Sendable ([JSONRow]) -> CompiledMapping)?
    /// The mapping of values that no format claims but that have fields of a record. nil if there is none.
    let plain: CompiledMapping?

    init(
        name: String, summary: String,
        isDocument: @escaping @Sendable (JSONRow) -> Bool = { _ in false },
        parts: @escaping @Sendable (JSONRow) -> [Part] = { _ in [] },
        located: (@Sendable (JSONRow, _ base: String?) -> [Part])? = nil,
        inherited: @escaping @Sendable (JSONRow) -> [(field: VideoField, value: FieldValue)] = { _ in [] },
        mapping: @escaping @Sendable (JSONRow) -> CompiledMapping?,
        refusal: @escaping @Sendable (JSONRow) -> FormatError? = { _ in nil },
        learn: (@Sendable ([JSONRow]) -> CompiledMapping)? = nil, plain: CompiledMapping? = nil
    ) {
        self.name = name
        self.summary = summary
        self.isDocument = isDocument
        self.parts = located ?? { row, _ in parts(row) }
        self.inherited = inherited
        self.mapping = mapping
        self.refusal = refusal
        self.learn = learn
        self.plain = plain
    }

    /// A custom format: each object is a record. If there is an array at `rows`, its elements are the records.
    public init(name: String, summary: String = "", rows: JSONPath? = nil, mapping: CompiledMapping) {
        let isDocument: @Sendable (JSONRow) -> Bool = { row in rows.map { row.kind(at: $0) == .array } ?? false }
        self.init(
            name: name, summary: summary, isDocument: isDocument,
            parts: { row in rows.map { Self.parts(of: row, at: $0) } ?? [] },
            mapping: { $0.kind == .object && !isDocument($0) ? mapping : nil })
    }

    /// The elements of the array at a path. Their mappings are detected from their structure.
    static func parts(of row: JSONRow, at path: JSONPath) -> [Part] {
        row.row(at: path)?.elements.map { Part($0) } ?? []
    }
}

extension CompiledMapping {
    /// Whether a value without any sign of its format is a record of this mapping: an object with a title, an address,
    /// or an id and its service, in which every field that is present has the right shape.
    func describes(_ row: JSONRow) -> Bool {
        guard row.kind == .object else { return false }
        let isNamed =
            row.kind(at: "title") == .text || row.address("url") != nil
            || row.kind(at: "id") == .text && row.kind(at: "provider") == .text
        return isNamed
            && zip(VideoField.allCases, fields).allSatisfy { field, rule in
                let kind = row.kind(at: JSONPath(field.name))
                guard let rule, kind != .nothing, kind != .null else { return true }
                let value = (try? rule.value(in: row, .record)) ?? .none
                // A text that cannot be read, such as a date, is unknown.
                return value.isNone ? kind == .text || field.shape == .channel : field.shape.fits(value)
            }
    }
}
