// Records in Lua. Fields are decoded on read, plain ones by C. An unknown field is nil, and the context records it, so that a message
// can explain why a video was dropped. A misspelt name is an error.

import Basics
import HostErrors
import JSON
import LuaRuntime
import RecordStreams
import VideoFormats
import VideoModel

/// Records inside a Lua state. A plugin's changes are made here; `finished` gives the records with them.
package final class VideoRows: LuaRows {
    package private(set) var records: [Video]
    /// The `extra` of records that a plugin has accessed, by row: `video.extra.x = 1` must change this record and not a
    /// copy.
    private var extras: [Int: ExtraBox] = [:]

    package init(_ records: [Video], in context: PluginContext) {
        self.records = records
        super.init(count: records.count)
        var last: (batch: JSONBatch, mapping: CompiledMapping, isCut: Bool, plan: UInt32)?
        for (row, record) in records.enumerated() {
            guard let mapped = record.unchangedBacking as? MappedRecord else { continue }
            let json = mapped.row
            // A look-up may tell the rest of the description.
            let isCut = record.lookUp.contains(.description)
            if last?.batch !== json.batch || last?.mapping !== mapped.mapping || last?.isCut != isCut {
                let plan = add(context.plan(for: mapped.mapping, isCut: isCut), of: json.batch.fields)
                last = (json.batch, mapped.mapping, isCut, plan)
            }
            if let last { place(row, plan: last.plan, document: json.document, index: json.index) }
        }
    }

    func set(_ field: VideoField, of row: Int, to value: FieldValue) {
        records[row][field] = value
        leave(row)
    }

    /// The `extra` of a record, to read and change.
    package func extra(of row: Int) -> ExtraBox {
        if let box = extras[row] { return box }
        let box = ExtraBox(records[row].extra)
        extras[row] = box
        return box
    }

    func setExtra(of row: Int, to members: [FieldValue.Member]) { extras[row] = ExtraBox(members) }

    /// The record with the plugin's changes.
    package func finished(_ row: Int) -> Video {
        guard let box = extras[row] else { return records[row] }
        var record = records[row]
        record.extra = box.members
        return record
    }

    /// Memory outside Lua that the collector should know of, in bytes.
    var pressure: Int { records.reduce(0) { $0 + MemoryLayout<Video>.stride + $1.footprint } }

    /// Pushes a field; nil if it is unknown, which the context then notes.
    package func push(_ field: VideoField, of row: Int, on stack: LuaStack, in context: PluginContext) throws(LuaError)
    {
        if records[row].lookUp.isEmpty || !records[row].needsLookUp(of: field) {
            if records[row].withText(of: field, { stack.push(bytes: $0) }) { return }
        } else {
            do throws(HostError) { try lookUp(field, of: row, in: context) } catch { throw context.raised(error) }
        }
        let value = records[row][field]
        if value.isNone { context.unknowns.note(field) }
        try stack.push(value)
    }

    /// Looks up the record of a row, and the rows after it, if that may tell the field.
    func lookUp(_ field: VideoField, of row: Int, in context: PluginContext) throws(HostError) {
        for changed in try context.environment.lookUps.fill(&records, from: row, field) {
            leave(changed)
        }
    }
}

/// The userdata that retains rows.
struct RowsPin {
    let rows: VideoRows

    static var type: LuaType<RowsPin> {
        LuaType(
            name: "rows", read: { _, _, stack throws(LuaError) in stack.push() },
            unknown: { _, _ in LuaError("rows have no fields") })
    }
}

/// The channel of a record inside a Lua state, decoded on read.
package struct LuaChannel {
    private let record: Video

    package init(of record: Video) { self.record = record }

    package var id: String? { record[.channel]["id"].text }
    package var title: String? { record[.channel]["title"].text }
    var url: String? { record.channel.url }
    var value: FieldValue { record.channel.value }
}

/// The `extra` of one record while Lua uses it.
package final class ExtraBox {
    package var members: [FieldValue.Member]
    init(_ members: [FieldValue.Member]) { self.members = members }
}

enum VideoType {
    static let fieldNames = VideoField.names + ["extra"]
    private static let extraIndex = VideoField.allCases.count

    static func make(in context: PluginContext) -> LuaType<LuaRow<VideoRows>> {
        LuaType(
            name: "video", fields: fieldNames,
            // Unowned without a check, since this runs at every read. It is safe: the closure is reached only through
            // the state, which only the owning context runs.
            read: { [unowned(unsafe) context] row, field, stack throws(LuaError) in
                guard let rows = row.rows else { return stack.push() }
                guard field < extraIndex, let name = VideoField(rawValue: UInt8(field)) else {
                    return stack.push(rows.extra(of: row.number), as: context.types.extra)
                }
                if name == .channel {
                    return stack.push(LuaChannel(of: rows.records[row.number]), as: context.types.channel)
                }
                try rows.push(name, of: row.number, on: stack, in: context)
            },
            write: { [unowned context] row, field, stack throws(LuaError) in
                guard let rows = row.rows else { return }
                guard field < extraIndex, let name = VideoField(rawValue: UInt8(field)) else {
                    guard case .record(let members) = try Self.members(at: 3, stack, context) else { return }
                    return rows.setExtra(of: row.number, to: members)
                }
                let value = try FieldShape.check(stack.fieldValue(at: 3, in: context), for: name)
                rows.set(name, of: row.number, to: value)
            },
            unknown: { stack, writing in
                let name = stack.text(at: 2) ?? "a \(stack.kind(at: 2).name)"
                let advice = Nearest.name(to: name, among: fieldNames).map { "did you mean '\($0)'?" }
                return LuaError(
                    "a video has no field '\(name)'; "
                        + (advice ?? (writing ? "put your own data in video.extra" : "own data is in video.extra")))
            },
            methods: context.methods(of: .video),
            metamethods: [
                (
                    "__tostring",
                    { [unowned context] stack throws(LuaError) in
                        let record = context.video(at: 1, of: stack)
                        stack.push(
                            [record?.title, record?.url ?? record?.id].compactMap(\.self).joined(separator: " "))
                        return 1
                    }
                ),
                (
                    "__pairs",
                    { [unowned context] stack throws(LuaError) in
                        guard let record = context.video(at: 1, of: stack) else { throw LuaError("not a video") }
                        stack.push(context.prelude("next"))
                        try stack.push(context.plainRecord(record))
                        return 2
                    }
                ),
            ])
    }

    /// The table at that index as the members of `extra`.
    private static func members(
        at index: Int32, _ stack: LuaStack, _ context: PluginContext
    ) throws(LuaError) -> FieldValue {
        switch try stack.fieldValue(at: index, in: context) {
        case .record(let members): return .record(members)
        case .none, .list([]): return .record([])
        default: throw LuaError("video.extra takes a table of named values")
        }
    }

    /// `video.extra`: plain data by name, copied in and out.
    static func extra(in context: PluginContext) -> LuaType<ExtraBox> {
        // Captured unowned: the state must not retain the context that owns it.
        let lookUp = { [unowned context] (stack: LuaStack) throws(LuaError) -> (ExtraBox, String) in
            guard let box = stack.payload(at: 1, as: context.types.extra) else {
                throw LuaError("not the extra of a video")
            }
            guard let name = stack.text(at: 2) else { throw LuaError("video.extra is read and set by name") }
            return (box, name)
        }
        return LuaType(
            name: "extra",
            read: { _, _, stack throws(LuaError) in stack.push() },
            unknown: { _, _ in LuaError("video.extra is read and set by name") },
            metamethods: [
                (
                    "__index",
                    { stack throws(LuaError) in
                        let (box, name) = try lookUp(stack)
                        try stack.push(box.members.first { $0.name == name }?.value ?? .none)
                        return 1
                    }
                ),
                (
                    "__newindex",
                    { [unowned context] stack throws(LuaError) in
                        let (box, name) = try lookUp(stack)
                        let value = try stack.fieldValue(at: 3, in: context)
                        if let index = box.members.firstIndex(where: { $0.name == name }) {
                            box.members[index].value = value
                        } else {
                            box.members.append(.init(name, value))
                        }
                        return 0
                    }
                ),
                (
                    "__pairs",
                    { [unowned context] stack throws(LuaError) in
                        guard let box = stack.payload(at: 1, as: context.types.extra) else { return 0 }
                        stack.push(context.prelude("next"))
                        try stack.push(.record(box.members))
                        return 2
                    }
                ),
            ])
    }

    /// `video.channel`: read only, since copies share it.
    static func channel(in context: PluginContext) -> LuaType<LuaChannel> {
        let fields = ["id", "title", "url"]
        let readOnly = LuaError("set the whole channel: video.channel = {id = …, title = …, url = …}")
        return LuaType(
            name: "channel", fields: fields,
            read: { [unowned context] channel, field, stack throws(LuaError) in
                let value = field == 0 ? channel.id : field == 1 ? channel.title : channel.url
                if value == nil { context.unknowns.note(.channel) }
                try stack.push(FieldValue(value))
            },
            write: { _, _, _ throws(LuaError) in throw readOnly },
            unknown: { stack, writing in
                let name = stack.text(at: 2) ?? stack.kind(at: 2).name
                if writing { return readOnly }
                return LuaError("a channel has no field '\(name)'; " + Nearest.advice(for: name, among: fields))
            },
            metamethods: [
                (
                    "__tostring",
                    { [unowned context] stack throws(LuaError) in
                        let channel = stack.payload(at: 1, as: context.types.channel)
                        stack.push(channel?.title ?? channel?.id ?? "unknown channel")
                        return 1
                    }
                ),
                (
                    "__pairs",
                    { [unowned context] stack throws(LuaError) in
                        guard let channel = stack.payload(at: 1, as: context.types.channel) else { return 0 }
                        stack.push(context.prelude("next"))
                        try stack.push(channel.value)
                        return 2
                    }
                ),
            ])
    }
}

extension PluginContext {
    /// How rows of a mapping are read.
    ///
    /// - Parameter isCut: whether Swift reads descriptions, to look up the rest of them.
    func plan(for mapping: CompiledMapping, isCut: Bool) -> LuaFieldPlan {
        let key = PlanKey(mapping: ObjectIdentifier(mapping), isCut: isCut)
        if let plan = plans[key] { return plan.plan }
        let plan = LuaFieldPlan(
            VideoField.allCases.map { field in
                switch field == .channel || field == .foundIn || isCut && field == .description
                    ? nil : mapping.plain(field)
                {
                case .text(let path)?: .text(path.program)
                case .html(let path)?: .html(path.program)
                case .integer(let path)?: .integer(path.program)
                case .time(let path)?: .time(path.program)
                case .words(let path, let words)?: .word(path.program, words)
                case .constant(let text)?: .constant(text)
                case nil: .ask
                }
            })
        plans[key] = (mapping, plan)
        return plan
    }

    /// Pushes the pin of records.
    package func pushPin(_ rows: VideoRows, on stack: LuaStack) {
        stack.push(RowsPin(rows: rows), as: types.rows)
        stack.reportExternalMemory(rows.pressure)
    }

    package func push(_ video: Video, on stack: LuaStack) {
        let rows = VideoRows([video], in: self)
        pushPin(rows, on: stack)
        let pin = stack.count
        stack.push(row: 0, of: rows, as: types.video, pin: pin)
        stack.insert(at: pin)
        stack.pop()
    }

    package func video(at index: Int32, of stack: LuaStack) -> Video? {
        guard let row = stack.payload(at: index, as: types.video) else { return nil }
        return row.rows?.finished(row.number)
    }
}
