// Lua expressions from the command line whose variables are the fields of a record. An unknown field is nil, and a
// calculation with it makes the record not match, so that a missing value is never treated as a known one.

import Basics
import HostErrors
import LuaAPI
import LuaRuntime
import RecordStreams
import VideoModel

/// A compiled expression over the fields of a record.
final class Expression {
    /// The result of an evaluation.
    enum Outcome {
        case value(LuaValue)
        /// The expression calculates with a field that is unknown.
        case unknown
    }

    let flag: String
    private let text: String
    private let context: PluginContext
    /// Takes a row of `rowType` as its environment.
    let function: LuaReference
    let rowType: LuaTypeID<LuaRow<VideoRows>>

    /// - Parameters:
    ///   - flag: the flag that gave the expression, for messages.
    ///   - context: the Lua state for command line code.
    init(_ text: String, flag: String, in context: PluginContext) throws(HostError) {
        self.flag = flag
        self.text = text
        self.context = context
        rowType = ExpressionRow.type(in: context)
        let lua = try ExpressionText(text).lua(flag: flag, now: context.now)
        let stack = context.state.stack
        let base = stack.count
        defer { stack.setTop(base) }
        do throws(LuaError) {
            // Load it alone first, so that the text must be one expression and cannot close the parenthesis below.
            _ = try context.state.load(Array("return \(lua)\n".utf8), name: flag)
            // The line break stops a comment in the expression from hiding the parenthesis.
            let chunk = "return function(_ENV) return (\(lua)\n) end"
            stack.push(try context.load(Array(chunk.utf8), name: flag))
            try stack.call(arguments: 0, results: 1)
            function = stack.reference(at: -1)
            context.note(text, as: flag)
        } catch {
            context.note(text, as: flag)
            throw context.failure(Self.onLastLine(of: text, error))
        }
    }

    /// - Parameter records: records of this expression's state.
    func evaluate(_ row: Int, of records: JudgedRows) throws(HostError) -> Outcome {
        context.unknowns.begin()
        let stack = context.state.stack
        let base = stack.count
        defer { stack.setTop(base) }
        do throws(LuaError) {
            records.push(row, calling: function)
            try stack.call(arguments: 1, results: 1)
            return .value(stack.value(at: base + 1))
        } catch {
            if isUnknown(error) { return .unknown }
            throw failure(error)
        }
    }

    /// Whether an error is that of a calculation with an unknown field. Errors of the host are none.
    func isUnknown(_ error: LuaError) -> Bool { context.unknowns.any && error.cause == nil && error.kind == .runtime }

    /// An error at the end of the expression is reported on the line appended after it; move it to the last line of the
    /// text.
    func failure(_ error: LuaError) -> HostError {
        var error = error
        if error.cause == nil { error.position = error.position ?? .init(source: flag, line: 1) }
        return context.failure(Self.onLastLine(of: text, error))
    }

    private static func onLastLine(of text: String, _ error: LuaError) -> LuaError {
        var error = error
        let lines = 1 + text.utf8.count { $0 == UInt8(ascii: "\n") }
        if let line = error.position?.line { error.position?.line = min(line, lines) }
        return error
    }

    func rows(_ videos: [Video]) -> JudgedRows { JudgedRows(videos, .filter, in: context, as: rowType) }

    var unknowns: MissingFieldTracker { context.unknowns }

    /// The fields that it may read: every field name in its text, `get("views", 0)` included.
    var fields: VideoFieldSet {
        var found: VideoFieldSet = []
        for word in text.split(whereSeparator: { !($0.isLetter || $0.isNumber || $0 == "_") }) {
            if let field = VideoField(name: String(word)) { found.formUnion([field]) }
            if word == "age" || word == "age_days" { found.formUnion([.published]) }
        }
        return found
    }
}

/// A row as the environment of an expression: fields, what is derived from them, then globals.
enum ExpressionRow {
    /// Names that are not fields of a video, and their meaning.
    static let derived = ["age", "age_days", "get", "video", "extra"]

    /// The type in this state, registered once.
    static func type(in context: PluginContext) -> LuaTypeID<LuaRow<VideoRows>> {
        if let parts = context.expressionParts { return parts.rowType }
        let current = Current()
        let get = function(of: current, in: context) { [unowned context] rows, row, stack throws(LuaError) in
            guard let name = stack.text(at: 1), let field = VideoField(name: name) else {
                throw LuaError("get(field, default) takes the name of a field")
            }
            try rows.push(field, of: row, on: stack, in: context)
            if stack.isNil(at: -1) { stack.push(copyOf: 2) }
        }
        let isChannel = function(of: current, in: context) { [unowned context] rows, row, stack throws(LuaError) in
            let channel = LuaChannel(of: rows.records[row])
            if channel.title == nil, channel.id == nil { context.unknowns.note(.channel) }
            let name = stack.text(at: 1)
            stack.push(name != nil && (name == channel.title || name == channel.id))
        }
        let type = context.state.registerRows(
            LuaType<LuaRow<VideoRows>>(
                name: "video", fields: VideoField.names + derived + [ExpressionText.channelTest],
                read: { [unowned context] row, field, stack throws(LuaError) in
                    guard let rows = row.rows else { return stack.push() }
                    let number = row.number
                    if let field = VideoField(rawValue: UInt8(clamping: field)) {
                        guard field == .channel else { return try rows.push(field, of: number, on: stack, in: context) }
                        let channel = LuaChannel(of: rows.records[number])
                        if channel.title != nil || channel.id != nil {
                            return stack.push(channel, as: context.types.channel)
                        }
                        context.unknowns.note(.channel)
                        return stack.push()
                    }
                    let name = field - VideoField.names.count
                    switch name < derived.count ? derived[name] : ExpressionText.channelTest {
                    case let name where context.expressionParts?.functions[name] != nil:
                        (current.rows, current.row) = (rows, number)
                        if let function = context.expressionParts?.functions[name] { stack.push(function) }
                    case "video":
                        stack.pushPin(of: 1)
                        let pin = stack.count
                        stack.push(row: number, of: rows, as: context.types.video, pin: pin)
                        stack.insert(at: pin)
                        stack.pop()
                    case "extra": try stack.push(.record(rows.extra(of: number).members))
                    case let name:
                        try rows.push(.published, of: number, on: stack, in: context)
                        guard let published = stack.integer(at: -1) else { return }
                        stack.pop()
                        let (difference, isTooLong) = context.now.subtractingReportingOverflow(published)
                        // A video dated in the future is new, whatever the clock is.
                        let age = isTooLong ? .max : max(difference, 0)
                        if name == "age" { stack.push(age) } else { stack.push(max(Double(age) / 86400, 1.0 / 24)) }
                    }
                },
                missing: { stack in
                    guard let name = stack.text(at: 2) else { return false }
                    stack.pushGlobals()
                    stack.pushField(name, of: -1)
                    return !stack.isNil(at: -1)
                },
                unknown: { stack, _ in
                    let name = stack.text(at: 2) ?? ""
                    return LuaError(
                        "there is no field '\(name)'; "
                            + Nearest.advice(for: name, among: VideoField.names + derived))
                }))
        context.state.guardNil()
        let functions = ["get": get, ExpressionText.channelTest: isChannel]
        context.expressionParts = .init(rowType: type, functions: functions)
        return type
    }

    /// The row whose function is called.
    private final class Current {
        var rows: VideoRows?
        var row = 0
    }

    private static func function(
        of current: Current, in context: PluginContext,
        _ body: @escaping (VideoRows, Int, LuaStack) throws(LuaError) -> Void
    ) -> LuaReference {
        let stack = context.state.stack
        stack.push { stack throws(LuaError) in
            guard let rows = current.rows else { return 0 }
            try body(rows, current.row, stack)
            return 1
        }
        defer { stack.pop() }
        return stack.reference(at: -1)
    }
}

/// Keeps records for which an expression is true.
final class ExpressionFilter: RecordStream {
    private let upstream: any RecordStream
    private let expression: Expression
    private var judged: JudgedRows?
    /// Thrown after the records that matched before it.
    private var failure: HostError?

    init(_ upstream: any RecordStream, _ expression: Expression) {
        self.upstream = upstream
        self.expression = expression
    }

    func nextBatch(_ most: Int) throws(HostError) -> ArraySlice<Video>? {
        while true {
            if let failure { throw failure }
            if judged == nil {
                guard let batch = try upstream.nextBatch() else { return nil }
                judged = expression.rows(Array(batch))
            }
            guard let judged else { return nil }
            let kept: [Video]
            (kept, failure) = judged.matching(expression, most: most)
            if judged.isPastHalf { upstream.prefetch() }
            if judged.isAtEnd { self.judged = nil }
            if !kept.isEmpty { return kept[...] }
        }
    }

    var info: [FieldValue.Member] { upstream.info }
}
