// The roles of a plugin as pipeline stages. Each takes a record stream and is one. Records cross from one plugin's
// state to the next as Swift values.

import Basics
import HostErrors
import LuaAPI
import LuaRuntime
import Packages
import RecordStreams
import VideoModel
import VideoServices

extension Plugin {
    func pushOptions(_ stack: LuaStack) {
        if let options { stack.push(options) } else { stack.pushTable() }
    }

    /// The error for a role that returned an invalid value.
    ///
    /// - Parameter got: the type of the value; `.none` for no value.
    func wrongResult(
        _ role: PluginManifest.Role, _ expected: String, _ got: LuaStack.Kind, isNaN: Bool = false
    ) -> HostError {
        let shown = got == .none ? "nothing" : isNaN ? "nan" : "a \(got.name)"
        let position = functions[role].flatMap(context.state.definition)
        return .badPlugin(
            plugin: manifest.path, position: position,
            problem: "its \(role.rawValue) function must return \(expected), it returned \(shown)",
            line: context.line(at: position), hint: got == .none ? "is a 'return' missing?" : nil)
    }

    /// Reads a record that the plugin returned: a video, or a table of fields.
    func video(at index: Int32, _ stack: LuaStack, from role: PluginManifest.Role) throws(HostError) -> Video? {
        if let video = context.video(at: index, of: stack) { return video }
        guard stack.kind(at: index) == .table else { return nil }
        do throws(LuaError) { return try context.makeVideo(at: index, of: stack) } catch {
            var error = error
            error.position = functions[role].flatMap(context.state.definition)
            throw context.failure(error)
        }
    }
}

/// Keeps the records that the plugin accepts.
final class FilterStage: RecordStream {
    private let upstream: any RecordStream
    private let plugin: Plugin
    private let function: LuaReference
    /// The batch that is being judged.
    private var judged: JudgedRows?
    /// Thrown after the records that were accepted before it.
    private var failure: HostError?

    init(_ upstream: any RecordStream, _ plugin: Plugin, _ function: LuaReference) {
        self.upstream = upstream
        self.plugin = plugin
        self.function = function
    }

    func nextBatch(_ most: Int) throws(HostError) -> ArraySlice<Video>? {
        while true {
            if let failure { throw failure }
            if judged == nil {
                guard let batch = try upstream.nextBatch() else { return nil }
                judged = JudgedRows(Array(batch), .filter, in: plugin.context, as: plugin.context.types.video)
            }
            guard let judged else { return nil }
            let kept: [Video]
            (kept, failure) = judged.accepted(by: plugin, .filter, function, most: most)
            if judged.isPastHalf { upstream.prefetch() }
            if judged.isAtEnd { self.judged = nil }
            if !kept.isEmpty { return kept[...] }
        }
    }

    var info: [FieldValue.Member] { upstream.info }
}

/// A batch of which a function judges one record after the other.
final class JudgedRows {
    private let context: PluginContext
    private let rows: VideoRows
    private let pin: LuaReference
    private let type: LuaTypeID<LuaRow<VideoRows>>
    private var loop: LuaRowLoop

    /// - Parameter type: the type of the rows in Lua.
    init(
        _ videos: [Video], _ kind: LuaRowLoop.Kind, in context: PluginContext, as type: LuaTypeID<LuaRow<VideoRows>>
    ) {
        self.context = context
        self.type = type
        rows = VideoRows(videos, in: context)
        loop = LuaRowLoop(kind, rows: videos.count)
        let stack = context.state.stack
        context.pushPin(rows, on: stack)
        pin = stack.reference(at: -1)
        stack.pop()
    }

    var isAtEnd: Bool { loop.next == rows.count }
    var isPastHalf: Bool { loop.next * 2 >= rows.count }
    var scores: [Double] { loop.scores }

    /// Whether a record was accepted, which the function was called for.
    func isAccepted(_ row: Int) -> Bool { loop.verdicts[row] }
    /// A record with the changes that the function made.
    func finished(_ row: Int) -> Video { rows.finished(row) }

    /// Pushes a function and a record, its argument.
    func push(_ row: Int, calling function: LuaReference) {
        let stack = context.state.stack
        stack.push(function)
        stack.push(pin)
        let place = stack.count
        stack.push(row: row, of: rows, as: type, pin: place)
        stack.insert(at: place)
        stack.pop()
    }

    /// Calls a role for further records, until it accepted `most`. Returns those, with its changes, and its failure.
    func accepted(
        by plugin: Plugin, _ role: PluginManifest.Role, _ function: LuaReference, most: Int = .max
    ) -> ([Video], HostError?) {
        let first = loop.next
        var failure: HostError?
        if let error = judge(by: function, plugin.pushOptions, most: most) { failure = context.failure(error) }
        if let bad = loop.badResult {
            let expected =
                role == .filter ? "true to keep the video or false to drop it" : "a number, or nil for unknown"
            failure = plugin.wrongResult(role, expected, bad.kind, isNaN: bad.isNaN)
        }
        return ((first..<loop.next).filter { loop.verdicts[$0] }.map(rows.finished), failure)
    }

    /// The same for an expression, which no record matches whose fields it would need to know.
    func matching(_ expression: Expression, most: Int) -> ([Video], HostError?) {
        let first = loop.next
        var left = most
        var failure: HostError?
        while !isAtEnd, left > 0, failure == nil {
            let start = loop.next
            guard let error = judge(by: expression.function, { $0.push() }, most: left) else { break }
            if expression.isUnknown(error) {
                left -= loop.verdicts[start..<loop.next].count { $0 }
                context.unknowns.countDrop(of: rows.records[loop.next])
                loop.reject()
            } else {
                failure = expression.failure(error)
            }
        }
        return ((first..<loop.next).filter { loop.verdicts[$0] }.map(rows.finished), failure)
    }

    /// Runs the loop. Returns what the function raised; `loop.next` is then the record it raised that for.
    ///
    /// - Parameter pushSecond: pushes the function's second argument.
    private func judge(by function: LuaReference, _ pushSecond: (LuaStack) -> Void, most: Int) -> LuaError? {
        let stack = context.state.stack
        let base = stack.count
        defer { stack.setTop(base) }
        context.unknowns.begin()
        stack.push(function)
        pushSecond(stack)
        stack.push(pin)
        let drops = loop.kind == .filter
        do throws(LuaError) {
            try loop.run(stack, over: rows, as: type, most: most) { row, accepted in
                if drops, !accepted { context.unknowns.countDrop(of: rows.records[row]) }
                context.unknowns.begin()
            }
            return nil
        } catch { return error }
    }
}

/// Replaces each record with the plugin's result.
final class MapStage: RecordStream {
    private let upstream: any RecordStream
    private let plugin: Plugin
    private let function: LuaReference
    private var rest: ArraySlice<Video> = []
    /// Thrown after the records that were changed before it.
    private var failure: HostError?

    init(_ upstream: any RecordStream, _ plugin: Plugin, _ function: LuaReference) {
        self.upstream = upstream
        self.plugin = plugin
        self.function = function
    }

    func nextBatch(_ most: Int) throws(HostError) -> ArraySlice<Video>? {
        if let failure { throw failure }
        if rest.isEmpty { rest = try upstream.nextBatch(most) ?? [] }
        guard let batch = rest.popFirst(most) else { return nil }
        var changed: [Video] = []
        do throws(HostError) { try change(Array(batch), into: &changed) } catch {
            if changed.isEmpty { throw error }
            failure = error
        }
        return changed[...]
    }

    private func change(_ videos: [Video], into changed: inout [Video]) throws(HostError) {
        let context = plugin.context
        let stack = context.state.stack
        let base = stack.count
        defer { stack.setTop(base) }
        let rows = VideoRows(videos, in: context)
        context.pushPin(rows, on: stack)
        for row in videos.indices {
            context.unknowns.begin()
            stack.push(function)
            stack.push(row: row, of: rows, as: context.types.video, pin: base + 1)
            plugin.pushOptions(stack)
            do throws(LuaError) { try stack.call(arguments: 2, results: -1) } catch { throw context.failure(error) }
            guard let video = try plugin.video(at: base + 2, stack, from: .map) else {
                let kind = base + 2 > stack.count ? LuaStack.Kind.none : stack.kind(at: base + 2)
                throw plugin.wrongResult(.map, "the video", kind)
            }
            changed.append(video)
            stack.setTop(base + 1)
        }
    }

    func prefetch() { upstream.prefetch() }

    var info: [FieldValue.Member] { upstream.info }
}

/// Reorders all records. The order is computed at the first read.
final class RankStage: RecordStream {
    private let upstream: any RecordStream
    private let arrange: ([Video]) throws(HostError) -> [Video]
    private var arranged: ListStream?

    init(_ upstream: any RecordStream, _ arrange: @escaping ([Video]) throws(HostError) -> [Video]) {
        self.upstream = upstream
        self.arrange = arrange
    }

    func nextBatch(_ most: Int) throws(HostError) -> ArraySlice<Video>? {
        if let arranged { return arranged.nextBatch(most) }
        var all: [Video] = []
        while let batch = try upstream.nextBatch() {
            upstream.prefetch()
            all += batch
        }
        let arranged = ListStream(try arrange(all))
        self.arranged = arranged
        return arranged.nextBatch(most)
    }

    var info: [FieldValue.Member] { upstream.info }

    /// Lets a plugin reorder the whole list.
    static func ranked(_ plugin: Plugin, _ function: LuaReference) -> ([Video]) throws(HostError) -> [Video] {
        { videos throws(HostError) in
            let context = plugin.context
            let stack = context.state.stack
            let base = stack.count
            defer { stack.setTop(base) }
            context.unknowns.begin()
            do throws(LuaError) {
                stack.push(context.prelude("as_step"))
                stack.push(function)
                try context.pushList(videos, on: stack)
                plugin.pushOptions(stack)
                try stack.call(arguments: 2, results: 1)
                let given = stack.count
                stack.push(copyOf: given)
                stack.insert(at: given - 1)
                try stack.call(arguments: 1, results: 1)
            } catch { throw context.failure(error) }
            guard stack.kind(at: -1) == .function else {
                throw plugin.wrongResult(.rank, "the videos, as a list or results", stack.kind(at: stack.count - 1))
            }
            return try plugin.readAll(stack, .rank)
        }
    }
}

extension Plugin {
    /// Reads every record from the step function on top of the stack.
    fileprivate func readAll(_ stack: LuaStack, _ role: PluginManifest.Role) throws(HostError) -> [Video] {
        let step = stack.count
        var videos: [Video] = []
        while let video = try readOne(stack, step: step, role) { videos.append(video) }
        return videos
    }

    /// The next record of a step function; nil at the end.
    fileprivate func readOne(
        _ stack: LuaStack, step: Int32, _ role: PluginManifest.Role
    ) throws(HostError) -> Video? {
        defer { stack.setTop(step) }
        stack.push(copyOf: step)
        do throws(LuaError) { try stack.call(arguments: 0, results: 1) } catch { throw context.failure(error) }
        if stack.isNil(at: -1) { return nil }
        guard let video = try video(at: stack.count, stack, from: role) else {
            throw wrongResult(role, "videos or tables of fields", stack.kind(at: stack.count))
        }
        return video
    }
}

/// A source written in Lua: the `search` role.
final class PluginSource: RecordStream {
    private let plugin: Plugin
    private let function: LuaReference
    private let query: String
    private let limit: Int?
    private var step: LuaReference?
    private var given = 0
    private var isAtEnd = false
    /// Thrown after the records that were read before it.
    private var failure: HostError?

    init(_ plugin: Plugin, _ function: LuaReference, query: String, limit: Int?) {
        self.plugin = plugin
        self.function = function
        self.query = query
        self.limit = limit
    }

    func nextBatch(_ most: Int) throws(HostError) -> ArraySlice<Video>? {
        if let failure { throw failure }
        let most = min(most, (limit ?? .max) - given, Self.readTogether)
        var batch: [Video] = []
        do throws(HostError) {
            while batch.count < most, !isAtEnd {
                if let video = try readOne() { batch.append(video) } else { isAtEnd = true }
            }
        } catch {
            if batch.isEmpty { throw error }
            failure = error
        }
        given += batch.count
        return batch.isEmpty ? nil : batch[...]
    }

    /// Records that are read before the next stage gets them, so that one call can look them up.
    private static let readTogether = LookUp.batch

    private func readOne() throws(HostError) -> Video? {
        let stack = plugin.context.state.stack
        let base = stack.count
        defer { stack.setTop(base) }
        if step == nil { step = try start(stack) }
        guard let step else { return nil }
        stack.push(step)
        guard var video = try plugin.readOne(stack, step: stack.count, .search) else { return nil }
        if video[.foundIn].isNone {
            let origin: [FieldValue.Member] = [
                .init("source", .text(plugin.manifest.name)), .init("query", .text(query)),
            ]
            video.setOrigin(.list([.record(origin)]), lookUp: .all)
        }
        return video
    }

    /// Calls the role, and makes a step function of its result.
    private func start(_ stack: LuaStack) throws(HostError) -> LuaReference {
        let base = stack.count
        do throws(LuaError) {
            stack.push(plugin.context.prelude("as_step"))
            stack.push(function)
            stack.push(query)
            plugin.pushOptions(stack)
            try stack.call(arguments: 2, results: 3)
            stack.push(copyOf: base + 2)
            stack.insert(at: base + 1)
            try stack.call(arguments: 3, results: 1)
            guard stack.kind(at: -1) == .function else {
                let expected = "a list of videos, results or an iterator"
                throw LuaError(cause: plugin.wrongResult(.search, expected, stack.kind(at: base + 1)))
            }
        } catch { throw plugin.context.failure(error) }
        return stack.reference(at: -1)
    }

    var info: [FieldValue.Member] {
        [
            .init("source", .text(plugin.manifest.name)), .init("query", .text(query)),
            .init("rows", .integer(Int64(given))),
        ]
    }
}

/// Stops after a number of records.
final class TakeStage: RecordStream {
    private let upstream: any RecordStream
    private var left: Int

    init(_ upstream: any RecordStream, _ count: Int) {
        self.upstream = upstream
        left = count
    }

    func nextBatch(_ most: Int) throws(HostError) -> ArraySlice<Video>? {
        guard left > 0, let batch = try upstream.nextBatch(min(most, left)) else { return nil }
        left -= batch.count
        return batch
    }

    func prefetch() { if left > 0 { upstream.prefetch() } }

    var info: [FieldValue.Member] { upstream.info }
}
