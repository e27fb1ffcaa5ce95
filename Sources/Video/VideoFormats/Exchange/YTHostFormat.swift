// ythost's own JSON Lines, used in pipes between runs. Reading a written line gives the same record, in every field and
// in `extra`, so values are not rounded, renamed or guessed. Only `raw` is not written. Other programs' JSON with the
// names of fields is read too; members that are not fields become members of `extra`.

import Basics
import JSON
import VideoModel

/// One record per line: `{"ythost":1,"provider":"youtube","id":…,…}`, with fields in `VideoField` order. Unknown fields
/// are omitted. Times are RFC 3339 text.
public enum YTHostFormat {
    /// The version written. Later versions are rejected when reading.
    public static let version: Int64 = 1

    /// A record as UTF-8 text without a line end.
    public static func line(_ video: Video) -> [UInt8] {
        var bytes: [UInt8] = []
        append(video, to: &bytes)
        return bytes
    }

    /// Appends a record's text without a line end.
    public static func append(_ video: Video, to bytes: inout [UInt8]) {
        var writer = JSONWriter()
        swap(&writer.bytes, &bytes)
        defer { swap(&writer.bytes, &bytes) }
        writer.append(ascii: "{\"ythost\":")
        writer.append(integer: version)
        for column in columns {
            switch video[column.field] {
            case .none, .text(""): continue
            case .integer(let time) where column.isTime && years1To9999.contains(time):
                writer.bytes.append(contentsOf: column.key)
                writer.append(text: Timestamp.format(time, as: .rfc3339, in: nil))
            case .record(let members) where column.field == .channel:
                let channel = known(members, of: video)
                if channel.isEmpty { continue }
                writer.bytes.append(contentsOf: column.key)
                writer.append(.record(channel))
            case let value:
                writer.bytes.append(contentsOf: column.key)
                writer.append(value)
            }
        }
        let extra = video.extra
        if !extra.isEmpty {
            writer.append(ascii: ",\"extra\":")
            writer.append(.record(extra))
        }
        writer.append(ascii: "}")
    }

    /// A field, with precomputed data for writing it.
    private struct Column {
        let field: VideoField
        let isTime: Bool
        /// `,"name":`
        let key: [UInt8]
    }

    private static let columns: [Column] = VideoField.allCases.filter { $0 != .raw }.map { field in
        Column(field: field, isTime: field.shape == .time, key: Array(",\"\(field.name)\":".utf8))
    }

    /// Times that RFC 3339 can represent, in epoch seconds. Others are written as numbers.
    private static let years1To9999: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

    /// The channel's known members, plus its URL if that follows from the id.
    private static func known(_ members: [FieldValue.Member], of video: Video) -> [FieldValue.Member] {
        var known = members.filter { !$0.value.isNone }
        if !known.contains(where: { $0.name == "url" }), let url = video.channel.url {
            known.append(.init("url", .text(url)))
        }
        return known
    }

    // MARK: - Reading

    static let format = RecordFormat(
        name: "ythost", summary: "ythost's own JSON Lines",
        mapping: { row in
            guard case .integer(let found) = row.read(marker), (1...version).contains(found) else { return nil }
            return compiled
        },
        refusal: { row in
            guard case .integer(let found) = row.read(marker), found > version else { return nil }
            return .newerVersion(found)
        }, plain: compiled)

    /// The format for input that the user declares as ythost's. The version may be missing, so that handwritten records
    /// can be read.
    static let named = RecordFormat(
        name: format.name, summary: format.summary,
        mapping: { row in row.kind == .object && row.kind(at: marker) == .nothing ? compiled : format.mapping(row) },
        refusal: format.refusal)

    private static let marker: JSONPath = "ythost"

    static let mapping = Mapping(
        VideoField.allCases.filter { $0 != .raw }.map { Mapping.Rule($0.name, rule(for: $0)) }
            + [Mapping.Rule("extra", "extra")])

    private static let compiled = CompiledMapping(mapping, checksShapes: true, extra: others)

    /// Members that are not fields of a record.
    private static func others(_ row: JSONRow) -> [FieldValue.Member] {
        row.members.compactMap { name, value in
            if name == marker.text || name == "extra" || VideoField(name: name) != nil { return nil }
            let value = value.value()
            return value.isNone ? nil : .init(name, value)
        }
    }

    private static func rule(for field: VideoField) -> FieldRule {
        let path = JSONPath(field.name)
        switch field.shape {
        case .text, .word: return FieldRule(path, as: .text)
        case .time: return FieldRule(path, as: .time)
        case .seconds: return FieldRule(path, as: .duration)
        case .count: return FieldRule(path, as: .integer)
        case .number: return FieldRule(path, as: .number)
        case .flag: return FieldRule(path, as: .boolean)
        case .texts: return FieldRule(path, as: .text, list: true)
        case .channel:
            let parts = ["id", "title", "url"].map { Mapping.Rule($0, FieldRule(JSONPath($0), as: .text)) }
            return FieldRule(path, nested: Mapping(parts))
        case .thumbnails:
            return FieldRule(
                path,
                each: .record([
                    "url": FieldRule("url", as: .text), "width": FieldRule("width", as: .integer),
                    "height": FieldRule("height", as: .integer),
                ]))
        case .regions, .origins, .raw: return FieldRule(path)
        }
    }
}
