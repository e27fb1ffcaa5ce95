// `--print`: writes one line a record from a template. `{…}` holds a Lua expression over the fields and, after a colon,
// a format for its value. Unknown values print as `-`. Every value is escaped to fit on one line.

import Basics
import HostErrors
import JSON
import LuaAPI
import LuaRuntime
import VideoModel

final class PrintTemplate {
    private enum Part {
        case literal(String)
        case value(Expression, Form)
    }

    /// How a value is written.
    private enum Form {
        case plain
        case time(Timestamp.Style)
        case age
        case duration
        case grouped
        case compact

        init?(_ word: String) {
            switch word {
            case "ago": self = .age
            case "duration": self = .duration
            case "grouped": self = .grouped
            case "compact": self = .compact
            default:
                guard let style = Timestamp.Style(named: word) else { return nil }
                self = .time(style)
            }
        }
    }

    private static let forms = ["date", "rfc3339", "rfc822", "ago", "duration", "grouped", "compact"]
    private let parts: [Part]
    private let context: PluginContext

    init(_ template: String, in context: PluginContext) throws(HostError) {
        self.context = context
        var parts: [Part] = []
        var literal = ""
        var rest = template[...]
        while let character = rest.popFirst() {
            switch character {
            case "\\":
                switch rest.popFirst() {
                case "t": literal += "\t"
                case "n": literal += "\n"
                case let other?: literal.append(other)
                case nil: literal += "\\"
                }
            case "{":
                guard let end = Self.end(of: rest) else {
                    throw .usage("--print: a { without its }", hint: "\\{ is a plain brace")
                }
                if !literal.isEmpty { parts.append(.literal(literal)) }
                literal = ""
                parts.append(try Self.value(String(rest[..<end]), context))
                rest = rest[rest.index(after: end)...]
            default: literal.append(character)
            }
        }
        if !literal.isEmpty { parts.append(.literal(literal)) }
        self.parts = parts
    }

    /// The fields that its expressions may read.
    var fields: VideoFieldSet {
        parts.reduce(into: []) { if case .value(let expression, _) = $1 { $0.formUnion(expression.fields) } }
    }

    /// The brace that closes an expression. The expression may contain table braces.
    private static func end(of text: Substring) -> String.Index? {
        var depth = 0
        for index in text.indices {
            if text[index] == "{" { depth += 1 }
            if text[index] == "}" {
                if depth == 0 { return index }
                depth -= 1
            }
        }
        return nil
    }

    private static func value(_ text: String, _ context: PluginContext) throws(HostError) -> Part {
        // A pattern may contain colons (%H:%M), so the first colon before a known form counts.
        for colon in text.indices where text[colon] == ":" {
            let word = String(text[text.index(after: colon)...])
            guard !isCall(word), let form = Form(word) else { continue }
            return .value(try Expression(String(text[..<colon]), flag: "--print", in: context), form)
        }
        if let colon = text.lastIndex(of: ":"), text[..<colon].allSatisfy({ $0.isLetter || $0 == "_" }) {
            let word = String(text[text.index(after: colon)...])
            if !word.isEmpty, word.allSatisfy(\.isLetter) {
                throw .usage("--print: unknown form '\(word)'; " + Nearest.advice(for: word, among: forms))
            }
        }
        return .value(try Expression(text, flag: "--print", in: context), .plain)
    }

    /// Whether the word after a colon is a method call: `upper()`, `gsub("%s", "")`.
    private static func isCall(_ word: String) -> Bool {
        let rest = word.drop { $0.isLetter || $0.isNumber || $0 == "_" }
        return rest.first == "(" && word.first?.isLetter == true
    }

    /// A line for each record.
    func lines(_ videos: [Video]) throws(HostError) -> [String] {
        let rows = JudgedRows(videos, .filter, in: context, as: ExpressionRow.type(in: context))
        var lines: [String] = []
        for row in videos.indices { lines.append(try line(row, of: rows)) }
        return lines
    }

    private func line(_ row: Int, of rows: JudgedRows) throws(HostError) -> String {
        var line = ""
        for part in parts {
            switch part {
            case .literal(let text): line += text
            case .value(let expression, let form):
                guard case .value(let value) = try expression.evaluate(row, of: rows) else {
                    line += "-"
                    continue
                }
                line += try write(value, form)
            }
        }
        return line
    }

    private func write(_ value: LuaValue, _ form: Form) throws(HostError) -> String {
        if value.isNil { return "-" }
        if case .plain = form { return Text.clean(try plain(value)) }
        guard let whole = value.integer ?? value.number.flatMap({ Int64(exactly: $0.rounded()) }) else {
            let got = value.number.map(LuaState.text(of:)) ?? "a \(value.typeName)"
            throw .usage("--print: \(got) cannot be written as a time, duration or count")
        }
        switch form {
        case .plain: return "\(whole)"
        case .time(let style): return Timestamp.format(whole, as: style, in: context.environment.zone)
        case .age: return Timestamp.age(whole, now: context.now)
        case .duration: return VideoDuration.format(whole)
        case .grouped: return Text.grouped(whole)
        case .compact: return Text.compactCount(whole)
        }
    }

    private func plain(_ value: LuaValue) throws(HostError) -> String {
        switch value {
        case .nil: return "-"
        case .boolean(let flag): return "\(flag)"
        case .integer(let whole): return "\(whole)"
        case .number(let number): return LuaState.text(of: number)
        case .string(let string): return string.text
        case .table, .userdata:
            let stack = context.state.stack
            stack.push(value)
            defer { stack.pop() }
            if let channel = stack.payload(at: -1, as: context.types.channel) {
                return channel.title ?? channel.id ?? "-"
            }
            do throws(LuaError) {
                let data = try stack.fieldValue(at: stack.count, in: context)
                if let words = data.list?.compactMap(\.text), !words.isEmpty { return words.joined(separator: ", ") }
                return String(decoding: JSON.encode(data), as: UTF8.self)
            } catch { throw context.failure(error) }
        case .function, .coroutine: throw .usage("--print: a \(value.typeName) cannot be printed")
        }
    }
}
