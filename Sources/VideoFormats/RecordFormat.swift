// The JSON formats that records are read from. Adding one is adding a row to `all`, in the order they are tried.

import VideoModel

/// A kind of JSON that holds records, recognised by its structure.
public struct RecordFormat: Sendable {
    /// The word for `--as` and `yt.parse{as=}`.
    public let name: String
    public let summary: String
    /// The array in a whole document whose elements are its records; nil when every value is a record itself.
    let rows: JSONPath?
    /// Whether a value is a whole document of this format.
    let isDocument: @Sendable (JSONRow) -> Bool
    /// How to read a record; nil when the value is none of this format.
    let mapping: @Sendable (JSONRow) -> CompiledMapping?
    /// The error that a value stands for: a service's refusal, a later version.
    let refusal: @Sendable (JSONRow) -> FormatError?

    init(
        name: String, summary: String, rows: JSONPath? = nil,
        isDocument: @escaping @Sendable (JSONRow) -> Bool = { _ in false },
        mapping: @escaping @Sendable (JSONRow) -> CompiledMapping?,
        refusal: @escaping @Sendable (JSONRow) -> FormatError? = { _ in nil }
    ) {
        self.name = name
        self.summary = summary
        self.rows = rows
        self.isDocument = isDocument
        self.mapping = mapping
        self.refusal = refusal
    }

    /// A format of one's own: every object is a record, or every element of the array at `rows` where there is one.
    public init(name: String, summary: String = "", rows: JSONPath? = nil, mapping: CompiledMapping) {
        let isDocument: @Sendable (JSONRow) -> Bool = { row in rows.map { row.kind(at: $0) == .array } ?? false }
        self.init(
            name: name, summary: summary, rows: rows, isDocument: isDocument,
            mapping: { $0.kind == .object && !isDocument($0) ? mapping : nil })
    }

    public static let all: [RecordFormat] = [YTHostFormat.format, YouTubeFormat.format]

    /// The format of that name, for an input whose owner names it: it may be believed more than it can be recognised.
    public static func named(_ name: String) -> RecordFormat? {
        name == YTHostFormat.named.name ? YTHostFormat.named : all.first { $0.name == name }
    }
}
