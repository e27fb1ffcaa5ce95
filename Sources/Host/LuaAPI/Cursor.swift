// The record source of `Results`: a Lua function that returns the next record, or nothing at the end.

import Basics
import Gate
import HostErrors
import LuaRuntime
import RecordStreams
import VideoModel

/// A stream inside a Lua state, and the rows of its last batch that were not read yet.
struct Cursor {
    /// First, since C reads it.
    var rows = LuaCursorRows()
    let stream: any RecordStream

    init(_ stream: any RecordStream) { self.stream = stream }

    static func type(in context: PluginContext) -> LuaType<Cursor> {
        LuaType(
            name: "cursor", fields: ["info"],
            read: { cursor, _, stack throws(LuaError) in try stack.push(.record(cursor.stream.info)) },
            unknown: { _, _ in LuaError("a cursor has only info") },
            metamethods: [
                ("__call", { [unowned context] stack throws(LuaError) in try next(stack, context) })
            ])
    }

    /// Called for the row that completes half of the batch, and at its end. Pushes the next record, or nothing at the end.
    private static func next(_ stack: LuaStack, _ context: PluginContext) throws(LuaError) -> Int32 {
        guard let cursor = stack.payload(at: 1, as: context.types.cursor) else { return 0 }
        do throws(HostError) {
            if cursor.rows.left > 0 {
                stack.pushPin(of: 1)
            } else {
                if stack.mayWait, let errand = try cursor.stream.begin(), !errand.isDone {
                    stack.push(errand, as: context.types.errand)
                    return stack.wait()
                }
                guard let batch = try cursor.stream.nextBatch() else { return 0 }
                let rows = VideoRows(Array(batch), in: context)
                stack.withPayload(at: 1, as: context.types.cursor) { $0.rows.begin(rows) }
                context.pushPin(rows, on: stack)
                stack.push(copyOf: -1)
                stack.setPin(of: 1)
            }
        } catch {
            throw context.raised(error)
        }
        let taken = stack.withPayload(at: 1, as: context.types.cursor) { ($0.rows.isAtHalf, $0.rows.take()) }
        guard let (isAtHalf, row) = taken, let row, let pin = stack.payload(at: -1, as: context.types.rows) else {
            return 0
        }
        if isAtHalf { cursor.stream.prefetch() }
        stack.push(row: Int(row), of: pin.rows, as: context.types.video, pin: stack.count)
        return 1
    }
}

extension PluginContext {
    /// Pushes `Results` over a stream.
    ///
    /// - Parameter isCounted: whether `unreadResults` counts the records that are left.
    package func pushResults(
        _ stream: any RecordStream, isCounted: Bool = false, on stack: LuaStack
    ) throws(LuaError) {
        stack.push(prelude("results"))
        stack.push(Cursor(stream), as: types.cursor)
        if isCounted { countedResults = stack.reference(at: -1) }
        stack.push(copyOf: -1)
        try stack.call(arguments: 2, results: 1)
    }

    /// Number of records that counted results fetched and the plugin did not read.
    package var unreadResults: Int {
        guard let countedResults else { return 0 }
        state.stack.push(countedResults)
        defer { state.stack.pop() }
        return state.stack.payload(at: -1, as: types.cursor)?.rows.left ?? 0
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
        let rows = VideoRows(videos, in: self)
        pushPin(rows, on: stack)
        let pin = stack.count
        stack.push(prelude("list"))
        stack.pushTable(elements: videos.count)
        for row in videos.indices {
            stack.push(row: row, of: rows, as: types.video, pin: pin)
            stack.setElement(Int64(row + 1), of: -2)
        }
        try stack.call(arguments: 1, results: 1)
        stack.insert(at: pin)
        stack.pop()
    }
}
