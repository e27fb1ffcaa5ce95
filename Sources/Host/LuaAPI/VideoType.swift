// A record in Lua. Fields are decoded on read. An unknown field is nil, and the context records it, so that a message
// can explain why a video was dropped. A misspelt name is an error.

import Basics
import HostErrors
import LuaRuntime
import RecordStreams
import VideoModel

/// A record inside a Lua state. `extra` is stored beside the record once a plugin has accessed it, because
/// `video.extra.x = 1` must change this record and not a copy.
struct LuaVideo {
    var record: Video
    var extra: ExtraBox?
    /// Whether a field was set.
    var isChanged = false

    init(_ record: Video) { self.record = record }

    /// The record with the plugin's changes to `extra`.
    var finished: Video {
        guard let extra else { return record }
        var record = record
        record.extra = extra.members
        return record
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
final class ExtraBox {
    var members: [FieldValue.Member]
    init(_ members: [FieldValue.Member]) { self.members = members }
}

enum VideoType {
    static let fieldNames = VideoField.names + ["extra"]
    private static let extraIndex = VideoField.allCases.count

    static func make(in context: PluginContext) -> LuaType<LuaVideo> {
        LuaType(
            name: "video", fields: fieldNames,
            // Unowned without a check, since this runs at every read. It is safe: the closure is reached only through
            // the state, which only the owning context runs.
            read: { [unowned(unsafe) context] video, field, stack throws(LuaError) in
                guard field < extraIndex, let name = VideoField(rawValue: UInt8(field)) else {
                    let box = video.extra ?? ExtraBox(video.record.extra)
                    video.extra = box
                    return stack.push(box, as: context.types.extra)
                }
                if name == .channel { return stack.push(LuaChannel(of: video.record), as: context.types.channel) }
                if video.record.withText(of: name, { stack.push(bytes: $0) }) { return }
                let value = video.record[name]
                if value.isNone { context.unknowns.note(name) }
                try stack.push(value)
            },
            write: { [unowned context] video, field, stack throws(LuaError) in
                guard field < extraIndex, let name = VideoField(rawValue: UInt8(field)) else {
                    guard case .record(let members) = try Self.members(at: 3, stack, context) else { return }
                    video.extra = ExtraBox(members)
                    return
                }
                video.isChanged = true
                video.record[name] = try FieldShape.check(stack.fieldValue(at: 3, in: context), for: name)
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
