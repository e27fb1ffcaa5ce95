// Methods of a record.

import Basics
import HostErrors
import LuaRuntime
import RecordStreams
import VideoModel

enum VideoAPI {
    static let functions: [APIFunction] = [
        APIFunction(
            "Video:get", "Reads a field, or gives the default where it is unknown.",
            [
                APIParameter("field", .text, "a field's name"),
                APIParameter("default", .any, "what unknown becomes", optional: true),
            ], gives: [APIResult(.any)], example: #"if video:get("duration", 0) > 3600 then print(video.title) end"#
        ) { call throws(LuaError) in
            let name = call.text(0) ?? ""
            guard let field = VideoField(name: name) else {
                throw LuaError("a video has no field '\(name)'; " + Nearest.advice(for: name, among: VideoField.names))
            }
            guard let video = call.context.video(at: 1, of: call.stack) else { return 0 }
            if field == .channel {
                call.stack.push(LuaChannel(of: video), as: call.context.types.channel)
                return 1
            }
            let value = video[field]
            if value.isNone {
                call.context.unknowns.note(field)
                call.stack.push(copyOf: call.index(1))
            } else {
                try call.stack.push(value)
            }
            return 1
        },
        APIFunction(
            "Video:playable_in", "Says whether it plays in a country.",
            [APIParameter("country", .text, "ISO 3166-1 alpha-2, such as DE")],
            gives: [APIResult(.flag, "nil when nothing is known")], example: #"video:playable_in("DE")"#
        ) { call throws(LuaError) in
            let playable = call.context.video(at: 1, of: call.stack)?.playable(in: call.text(0) ?? "")
            if let playable { call.stack.push(playable) } else { call.stack.push() }
            return 1
        },
        APIFunction(
            "Video:table", "All known fields as a plain table.", gives: [APIResult(.table)],
            example: "for name, value in yt.pairs(video:table()) do print(name, value) end"
        ) { call throws(LuaError) in
            guard let video = call.context.video(at: 1, of: call.stack) else { return 0 }
            try call.stack.push(call.context.plainRecord(video))
            return 1
        },
    ]
}
