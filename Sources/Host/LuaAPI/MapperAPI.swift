// `yt.mapper`: a mapping written in Lua, compiled once, and run by the same engine as the host's own formats.

import Basics
import Gate
import HostErrors
import JSON
import LuaRuntime
import RecordStreams
import VideoFormats

/// A compiled mapping inside a Lua state.
struct LuaMapper {
    let format: RecordFormat
    let mapping: CompiledMapping

    static func type(in context: PluginContext) -> LuaType<LuaMapper> {
        LuaType(
            name: "mapper", read: { _, _, stack throws(LuaError) in stack.push() },
            unknown: { stack, _ in
                LuaError(
                    "a mapper has no '\(stack.text(at: 2) ?? "?")'; call it: mapper(json), or mapper:read(json, {into = \"table\"})"
                )
            },
            methods: context.methods(of: .mapper),
            metamethods: API.named("Mapper:read").flatMap(context.bind).map { [("__call", $0)] } ?? [])
    }
}

enum MapperAPI {
    static let functions: [APIFunction] = [
        APIFunction(
            "mapper", "Compiles a mapping from JSON to records: field = path, or a table that says more.",
            [
                APIParameter(
                    "fields", .table,
                    """
                    name = "dotted.path", or name = {"path", "other.path", as = …, default = …, unknown = …, required = true, \
                    list = true, each = …, fields = …, value = …}, or name = {inner = "path"} for a record inside; as is \
                    auto, text, duration, time, integer, number, boolean, html, url, or a table {word = value}
                    """),
                APIParameter(
                    "options",
                    .options([
                        APIParameter(
                            "rows", .text, "the path of the array whose elements are the records", optional: true)
                    ]),
                    optional: true),
            ], gives: [APIResult(.object(.mapper), "call it with JSON")],
            example:
                #"local read = yt.mapper({title = "snippet.title", duration = {"contentDetails.duration", as = "duration"}}, {rows = "items"})"#
        ) { call throws(LuaError) in
            let spec = try call.stack.fieldValue(at: call.index(0), in: call.context)
            do throws(MappingSpecification.Problem) {
                let mapping = try MappingSpecification.mapping(spec)
                let compiled: CompiledMapping
                do throws(MappingError) { compiled = try mapping.compiled() } catch {
                    throw MappingSpecification.Problem("\(error)")
                }
                let rows = call.option("rows", of: 1).text.map(JSONPath.init(_:))
                if let problem = rows?.problem { throw MappingSpecification.Problem("rows: \(problem)") }
                let format = RecordFormat(name: "mapper", rows: rows, mapping: compiled)
                call.stack.push(LuaMapper(format: format, mapping: compiled), as: call.context.types.mapper)
                return 1
            } catch {
                throw LuaError("yt.mapper: \(error.text)")
            }
        },
        APIFunction(
            "Mapper:read", "Reads JSON, a document or JSON Lines. Calling the mapper itself does the same.",
            [
                APIParameter("json", .text),
                APIParameter(
                    "options",
                    .options([
                        APIParameter(
                            "into", .choice(["video", "table"]), "records, or plain tables; video when absent",
                            optional: true),
                        APIParameter(
                            "strict", .flag, "whether a value that cannot be read is an error", optional: true),
                    ]), optional: true),
            ],
            gives: [
                APIResult(
                    .object(.results),
                    "names that are no fields of a record are in its `extra`; nil and a reason when it is not JSON")
            ],
            example: #"for row in read(body, {into = "table"}) do print(row.seconds) end"#
        ) { call throws(LuaError) in
            guard let mapper = call.stack.payload(at: 1, as: call.context.types.mapper) else { return 0 }
            let bytes = call.stack.bytes(at: call.index(0)) ?? []
            let strict = call.option("strict", of: 1).isTrue
            let intoTables = call.option("into", of: 1).text == "table"
            let reading = Result { () throws(FormatError) in
                let reader = RecordReader(mapper.format, strict: strict)
                return (try reader.all(of: bytes), reader)
            }
            switch reading {
            case .failure(let error): return call.unreadable("\(error)")
            case .success(let (videos, reader)):
                if let first = reader.skipped.first {
                    let rest = reader.skippedCount > 1 ? ", and \(reader.skippedCount - 1) more" : ""
                    _ = try call.context.ask(.log(.warning, "\(call.context.name): mapper left out \(first)\(rest)"))
                }
                if intoTables {
                    try call.context.pushResults(of: .list(videos.map { mapper.mapping.table($0) }), on: call.stack)
                } else {
                    let skipped = FieldValue.Member("skipped", .integer(Int64(reader.skippedCount)))
                    let marked = call.context.environment.lookUps.marked(videos)
                    try call.context.pushResults(ListStream(marked, info: [skipped]), on: call.stack)
                }
                return 1
            }
        },
    ]
}

/// Reads a mapping in the form that plugins write.
enum MappingSpecification {
    struct Problem: Error {
        let text: String
        init(_ text: String) { self.text = text }
    }

    private static let keys = ["as", "default", "unknown", "required", "list", "each", "fields", "value"]

    static func mapping(_ value: FieldValue) throws(Problem) -> Mapping {
        guard case .record(let members) = value else { throw Problem("a mapping is written {field = \"path\", …}") }
        var rules: [Mapping.Rule] = []
        for member in members { rules.append(.init(member.name, try rule(member.value, name: member.name))) }
        return Mapping(rules)
    }

    private static func rule(_ value: FieldValue, name: String) throws(Problem) -> FieldRule {
        switch value {
        case .text(let path): return FieldRule(JSONPath(path))
        case .list(let paths):
            var rule = FieldRule()
            rule.paths = try paths.map { value throws(Problem) in try path(value, name) }
            return rule
        case .record(let members):
            let named = members.filter { Int($0.name) == nil }
            let positions = members.filter { Int($0.name) != nil }
            if positions.isEmpty, value["value"].isNone, value["fields"].isNone {
                var rule = FieldRule()
                rule.nested = try mapping(value)
                return rule
            }
            var rule = FieldRule()
            rule.paths = try positions.map { member throws(Problem) in try path(member.value, name) }
            for member in named { try apply(member, to: &rule, name: name) }
            return rule
        default: throw Problem("'\(name)' takes a path or a table")
        }
    }

    private static func path(_ value: FieldValue, _ name: String) throws(Problem) -> JSONPath {
        guard let text = value.text else { throw Problem("'\(name)': a path is a string") }
        return JSONPath(text)
    }

    private static func apply(_ member: FieldValue.Member, to rule: inout FieldRule, name: String) throws(Problem) {
        switch member.name {
        case "as": rule.converter = try converter(member.value, name: name)
        case "default": rule.fallback = member.value
        case "unknown": rule.unknown = member.value
        case "value": rule.constant = member.value
        case "required": rule.required = try flag(member, name)
        case "list": rule.list = try flag(member, name)
        case "fields": rule.nested = try mapping(member.value)
        case "each":
            if member.value.members != nil {
                rule.each = .record(try mapping(member.value))
            } else {
                rule.each = .value(try converter(member.value, name: name))
            }
        default:
            throw Problem(
                "'\(name)' has an unknown key '\(member.name)'; " + Nearest.advice(for: member.name, among: keys))
        }
    }

    private static func flag(_ member: FieldValue.Member, _ name: String) throws(Problem) -> Bool {
        guard let flag = member.value.bool else { throw Problem("'\(name)': \(member.name) is true or false") }
        return flag
    }

    private static func converter(_ value: FieldValue, name: String) throws(Problem) -> Converter {
        switch value {
        case .record(let words): return .words(Dictionary(words.map { ($0.name, $0.value) }) { _, last in last })
        case .text(let word):
            if let converter = Converter(name: word) { return converter }
            throw Problem(
                "'\(name)': unknown converter '\(word)'; "
                    + Nearest.advice(for: word, among: Converter.named.map(\.key)))
        default: throw Problem("'\(name)': as takes a converter's name, or a table {word = value}")
        }
    }
}
