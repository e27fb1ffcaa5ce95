// The record source of `Results`: a Lua function that returns the next record, or nothing at the end.

import Basics
import Gate
import HostErrors
import LuaRuntime
import RecordStreams
import VideoModel

/// A stream inside a Lua state.
struct Cursor {
    let stream: any RecordStream

    static func type(in context: PluginContext) -> LuaType<Cursor> {
        LuaType(
            name: "cursor", fields: ["info"],
            read: { cursor, _, stack throws(LuaError) in try stack.push(.record(cursor.stream.info)) },
            unknown: { _, _ in LuaError("a cursor has only info") },
            metamethods: [
                (
                    "__call",
                    { [unowned context] stack throws(LuaError) in
                        guard let cursor = stack.payload(at: 1, as: context.types.cursor) else { return 0 }
                        do throws(HostError) {
                            // `for` passes nil here.
                            if stack.bool(at: 2) == true {
                                guard let video = try cursor.stream.nextBuffered() else { return 0 }
                                context.push(video, on: stack)
                                return 1
                            }
                            if stack.mayWait, let errand = try cursor.stream.begin(), !errand.isDone {
                                stack.push(errand, as: context.types.errand)
                                return stack.wait()
                            }
                            guard let video = try cursor.stream.next() else { return 0 }
                            context.push(video, on: stack)
                            return 1
                        } catch {
                            throw context.raised(error)
                        }
                    }
                )
            ])
    }
}

extension PluginContext {
    /// Pushes `Results` over a stream.
    package func pushResults(_ stream: any RecordStream, on stack: LuaStack) throws(LuaError) {
        stack.push(prelude("results"))
        stack.push(Cursor(stream: stream), as: types.cursor)
        stack.push(copyOf: -1)
        try stack.call(arguments: 2, results: 1)
    }

    /// Pushes `Results` over plain data.
    func pushResults(of items: FieldValue, on stack: LuaStack) throws(LuaError) {
        stack.push(prelude("results"))
        stack.push(prelude("as_step"))
        try stack.push(items)
        try stack.call(arguments: 1, results: 1)
        try stack.call(arguments: 1, results: 1)
    }

    /// Pushes a list of records, with the methods of results.
    package func pushList(_ videos: [Video], on stack: LuaStack) throws(LuaError) {
        stack.push(prelude("list"))
        stack.pushTable(elements: videos.count)
        for (index, video) in videos.enumerated() {
            push(video, on: stack)
            stack.setElement(Int64(index + 1), of: -2)
        }
        try stack.call(arguments: 1, results: 1)
    }
}
