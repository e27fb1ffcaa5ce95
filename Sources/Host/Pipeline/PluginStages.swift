// The roles of a plugin as pipeline stages. Each takes a record stream and is one. Records cross from one plugin's
// state to the next as Swift values.

import Basics
import HostErrors
import LuaAPI
import LuaRuntime
import Packages
import RecordStreams
import VideoModel

extension Plugin {
    /// Calls a role with a record and the options. `read` gets the results on the stack.
    ///
    /// - Parameters:
    ///   - video: updated with the plugin's changes, which later stages see.
    ///   - read: gets the stack and the index of the first result.
    fileprivate func call<R>(
        _ function: LuaReference, _ video: inout Video, read: (LuaStack, Int32) throws(HostError) -> R
    ) throws(HostError) -> R {
        let stack = context.state.stack
        let base = stack.count
        defer { stack.setTop(base) }
        context.unknowns.begin()
        context.push(video, on: stack)
        stack.push(function)
        stack.push(copyOf: base + 1)
        pushOptions(stack)
        do throws(LuaError) { try stack.call(arguments: 2, results: -1) } catch { throw context.failure(error) }
        let result = try read(stack, base + 2)
        if let changed = context.changedVideo(at: base + 1, of: stack) { video = changed }
        return result
    }

    func pushOptions(_ stack: LuaStack) {
        if let options { stack.push(options) } else { stack.pushTable() }
    }

    /// The error for a role that returned an invalid value.
    func wrongResult(_ role: PluginManifest.Role, _ expected: String, _ stack: LuaStack, at index: Int32) -> HostError {
        let isNaN = stack.number(at: index)?.isNaN == true
        let got = index > stack.count ? "nothing" : isNaN ? "nan" : "a \(stack.kind(at: index).name)"
        let position = functions[role].flatMap(context.state.definition)
        return .badPlugin(
            plugin: manifest.path, position: position,
            problem: "its \(role.rawValue) function must return \(expected), it returned \(got)",
            line: context.line(at: position), hint: index > stack.count ? "is a 'return' missing?" : nil)
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

    init(_ upstream: any RecordStream, _ plugin: Plugin, _ function: LuaReference) {
        self.upstream = upstream
        self.plugin = plugin
        self.function = function
    }

    func next() throws(HostError) -> Video? { try next { () throws(HostError) in try upstream.next() } }
    func nextBuffered() throws(HostError) -> Video? { try next { () throws(HostError) in try upstream.nextBuffered() } }

    private func next(_ pull: () throws(HostError) -> Video?) throws(HostError) -> Video? {
        while var video = try pull() {
            let kept = try plugin.call(function, &video) { stack, first throws(HostError) in
                if first > stack.count {
                    throw plugin.wrongResult(.filter, "true to keep the video or false to drop it", stack, at: first)
                }
                return stack.isTrue(at: first)
            }
            if kept { return video }
            plugin.context.unknowns.countDrop()
        }
        return nil
    }

    var info: [FieldValue.Member] { upstream.info }
}

/// Replaces each record with the plugin's result.
final class MapStage: RecordStream {
    private let upstream: any RecordStream
    private let plugin: Plugin
    private let function: LuaReference

    init(_ upstream: any RecordStream, _ plugin: Plugin, _ function: LuaReference) {
        self.upstream = upstream
        self.plugin = plugin
        self.function = function
    }

    func next() throws(HostError) -> Video? { try changed(try upstream.next()) }
    func nextBuffered() throws(HostError) -> Video? { try changed(try upstream.nextBuffered()) }

    private func changed(_ video: Video?) throws(HostError) -> Video? {
        guard var video else { return nil }
        return try plugin.call(function, &video) { stack, first throws(HostError) in
            guard let changed = try plugin.video(at: first, stack, from: .map) else {
                throw plugin.wrongResult(.map, "the video", stack, at: first)
            }
            return changed
        }
    }

    var info: [FieldValue.Member] { upstream.info }
}

/// Sorts all records. The order is computed at the first read.
final class SortStage: RecordStream {
    private let upstream: any RecordStream
    private let arrange: ([Video]) throws(HostError) -> [Video]
    private var sorted: ListStream?

    init(_ upstream: any RecordStream, _ arrange: @escaping ([Video]) throws(HostError) -> [Video]) {
        self.upstream = upstream
        self.arrange = arrange
    }

    func next() throws(HostError) -> Video? {
        if let sorted { return sorted.next() }
        var all: [Video] = []
        while let video = try upstream.next() { all.append(video) }
        let sorted = ListStream(try arrange(all))
        self.sorted = sorted
        return sorted.next()
    }

    var info: [FieldValue.Member] { upstream.info }

    /// Sorts by the plugin's score: higher first, unknown last. Equal scores retain their order.
    static func scored(_ plugin: Plugin, _ function: LuaReference) -> ([Video]) throws(HostError) -> [Video] {
        { videos throws(HostError) in
            var scored: [(score: Double, video: Video)] = []
            var without: [Video] = []
            for var video in videos {
                let score: Double? = try plugin.call(function, &video) { stack, first throws(HostError) in
                    if first <= stack.count, stack.isNil(at: first) { return nil }
                    guard let score = stack.number(at: first), !score.isNaN else {
                        throw plugin.wrongResult(.score, "a number, or nil for unknown", stack, at: first)
                    }
                    return score
                }
                guard let score else {
                    without.append(video)
                    continue
                }
                video[.score] = Int64(exactly: score).map(FieldValue.integer) ?? .number(score)
                scored.append((score, video))
            }
            return stableSort(scored) { $0.score > $1.score }.map(\.video) + without
        }
    }

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
                throw plugin.wrongResult(.rank, "the videos, as a list or results", stack, at: stack.count - 1)
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
            throw wrongResult(role, "videos or tables of fields", stack, at: stack.count)
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

    init(_ plugin: Plugin, _ function: LuaReference, query: String, limit: Int?) {
        self.plugin = plugin
        self.function = function
        self.query = query
        self.limit = limit
    }

    func next() throws(HostError) -> Video? {
        if let limit, given >= limit { return nil }
        let stack = plugin.context.state.stack
        let base = stack.count
        defer { stack.setTop(base) }
        if step == nil { step = try start(stack) }
        guard let step else { return nil }
        stack.push(step)
        guard var video = try plugin.readOne(stack, step: stack.count, .search) else { return nil }
        given += 1
        if video[.foundIn].isNone {
            video[.foundIn] = .list([
                .record([.init("source", .text(plugin.manifest.name)), .init("query", .text(query))])
            ])
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
                throw LuaError(cause: plugin.wrongResult(.search, expected, stack, at: base + 1))
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

    func next() throws(HostError) -> Video? {
        guard left > 0 else { return nil }
        left -= 1
        return try upstream.next()
    }

    func nextBuffered() throws(HostError) -> Video? {
        guard left > 0, let video = try upstream.nextBuffered() else { return nil }
        left -= 1
        return video
    }

    var info: [FieldValue.Member] { upstream.info }
}
