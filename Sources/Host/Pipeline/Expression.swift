// Lua expressions from the command line whose variables are the fields of a record. Reading an unknown field ends the
// evaluation, so that a missing value is never treated as a known one.

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
        /// The expression needs a field that is unknown.
        case unknown
    }

    /// Thrown through Lua when an unknown field is read.
    private struct UnknownField: Error {}

    let flag: String
    private let text: String
    private let context: PluginContext
    private let function: LuaReference
    private let current: Current

    /// The record being evaluated.
    private final class Current {
        var video = Video()
    }

    /// - Parameters:
    ///   - flag: the flag that gave the expression, for messages.
    ///   - context: the Lua state for command line code.
    init(_ text: String, flag: String, in context: PluginContext) throws(HostError) {
        self.flag = flag
        self.text = text
        self.context = context
        let current = Current()
        self.current = current
        let stack = context.state.stack
        let base = stack.count
        defer { stack.setTop(base) }
        do throws(LuaError) {
            // Load it alone first, so that the text must be one expression and cannot close the parenthesis below.
            _ = try context.state.load(Array("return \(text)\n".utf8), name: flag)
            // The line break stops a comment in the expression from hiding the parenthesis.
            let chunk = "local _ENV = ... return function() return (\(text)\n) end"
            stack.push(try context.load(Array(chunk.utf8), name: flag))
            Self.pushEnvironment(stack, context, current)
            try stack.call(arguments: 1, results: 1)
            function = stack.reference(at: -1)
            context.note(text, as: flag)
        } catch {
            context.note(text, as: flag)
            throw context.failure(Self.onLastLine(of: text, error))
        }
    }

    func evaluate(_ video: Video) throws(HostError) -> Outcome {
        current.video = video
        context.unknowns.begin()
        do throws(LuaError) {
            return .value(try context.state.call(function).first ?? .nil)
        } catch {
            if error.cause is UnknownField || context.unknowns.any { return .unknown }
            throw context.failure(Self.onLastLine(of: text, error))
        }
    }

    /// An error at the end of the expression is reported on the line appended after it; move it to the last line of the
    /// text.
    private static func onLastLine(of text: String, _ error: LuaError) -> LuaError {
        var error = error
        let lines = 1 + text.utf8.count { $0 == UInt8(ascii: "\n") }
        if let line = error.position?.line { error.position?.line = min(line, lines) }
        return error
    }

    var dropped: [VideoField: Int] { context.unknowns.dropped }
    func countDrop() { context.unknowns.countDrop() }

    /// The fields that it may read: every field name in its text, `get("views", 0)` included.
    var fields: Set<VideoField> {
        var found: Set<VideoField> = []
        for word in text.split(whereSeparator: { !($0.isLetter || $0.isNumber || $0 == "_") }) {
            if let field = VideoField(name: String(word)) { found.insert(field) }
            if word == "age" || word == "age_days" { found.insert(.published) }
        }
        return found
    }

    /// Names that are not fields, and their meaning.
    private static let derived = ["age", "age_days", "get", "video"]

    /// Pushes a table that resolves the fields of the current record, then the globals.
    private static func pushEnvironment(_ stack: LuaStack, _ context: PluginContext, _ current: Current) {
        stack.pushTable()
        stack.push { stack throws(LuaError) in
            guard let name = stack.text(at: 1), let field = VideoField(name: name) else {
                throw LuaError("get(field, default) takes the name of a field")
            }
            let value = current.video[field]
            if value.isNone { stack.push(copyOf: 2) } else { try stack.push(value) }
            return 1
        }
        stack.setField("get", of: -2)
        stack.pushTable()
        stack.push { [unowned context] stack throws(LuaError) in
            let name = stack.text(at: 2) ?? ""
            let video = current.video
            func known(_ value: FieldValue, _ field: VideoField) throws(LuaError) -> FieldValue {
                if !value.isNone { return value }
                context.unknowns.note(field)
                throw LuaError(cause: UnknownField())
            }
            if let field = VideoField(name: name) {
                if field == .channel {
                    stack.push(LuaChannel(of: video), as: context.types.channel)
                } else {
                    try stack.push(try known(video[field], field))
                }
                return 1
            }
            switch name {
            case "video": context.push(video, on: stack)
            case "age", "age_days":
                let published = try known(video[.published], .published).integer ?? 0
                let (difference, isTooLong) = context.now.subtractingReportingOverflow(published)
                // A video dated in the future is new, whatever the clock is.
                let age = isTooLong ? .max : max(difference, 0)
                if name == "age" { stack.push(age) } else { stack.push(max(Double(age) / 86400, 1.0 / 24)) }
            case "extra": try stack.push(.record(video.extra))
            default:
                stack.pushGlobals()
                stack.pushField(name, of: -1)
                if stack.isNil(at: -1) {
                    throw LuaError(
                        "there is no field '\(name)'; " + Nearest.advice(for: name, among: VideoField.names + derived))
                }
            }
            return 1
        }
        stack.setField("__index", of: -2)
        stack.setMetatable(of: -2)
    }
}

/// Keeps records for which an expression is true.
final class ExpressionFilter: RecordStream {
    private let upstream: any RecordStream
    private let expression: Expression
    private var rest: ArraySlice<Video> = []

    init(_ upstream: any RecordStream, _ expression: Expression) {
        self.upstream = upstream
        self.expression = expression
    }

    func nextBatch(_ most: Int) throws(HostError) -> ArraySlice<Video>? {
        var kept: [Video] = []
        while kept.isEmpty {
            if rest.isEmpty { rest = try upstream.nextBatch() ?? [] }
            if rest.isEmpty { return nil }
            while kept.count < most, let video = rest.popFirst() {
                switch try expression.evaluate(video) {
                case .value(let value): if value.isTrue { kept.append(video) }
                case .unknown: expression.countDrop()
                }
            }
        }
        return kept[...]
    }

    func prefetch() { upstream.prefetch() }

    var info: [FieldValue.Member] { upstream.info }
}

extension Expression {
    /// Sorts by the expression's value: numbers high to low, text A to Z, unknown last.
    func order(_ videos: [Video]) throws(HostError) -> [Video] {
        var numbers: [(key: Double, video: Video)] = []
        var texts: [(key: String, video: Video)] = []
        var without: [Video] = []
        for video in videos {
            guard case .value(let value) = try evaluate(video) else {
                without.append(video)
                continue
            }
            if let number = value.number, !number.isNaN {
                numbers.append((number, video))
            } else if let text = value.text {
                texts.append((Text.fold(text), video))
            } else {
                without.append(video)
            }
        }
        if !numbers.isEmpty, !texts.isEmpty {
            throw .usage("\(flag): the expression is a number for some videos and text for others")
        }
        return stableSort(numbers) { $0.key > $1.key }.map(\.video)
            + stableSort(texts) { $0.key < $1.key }.map(\.video) + without
    }
}
