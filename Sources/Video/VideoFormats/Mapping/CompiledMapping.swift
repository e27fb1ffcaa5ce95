// A mapping ready to run, and the one place where rules are carried out. What is easily got wrong: the same rules serve
// plain tables, where "" is text like any other, and records, where it is unknown; `MappingMode` says which.

import Basics
import JSON
import VideoModel

/// How rules are carried out.
struct MappingMode: OptionSet {
    let rawValue: UInt8

    /// A value that cannot be read is an error.
    static let strict = MappingMode(rawValue: 1)
    /// A required value that is missing is an error.
    static let checks = MappingMode(rawValue: 2)
    /// Empty text is unknown.
    static let record = MappingMode(rawValue: 4)
}

/// A checked mapping. Immutable, shared by all rows it maps.
public final class CompiledMapping: Sendable {
    let rules: [CompiledRule]
    /// Rules of record fields by `VideoField.rawValue`.
    let fields: [CompiledRule?]
    /// Rules whose names are no record fields.
    let extras: [CompiledRule]
    /// Whether some rule here or further in is required.
    let hasRequirement: Bool

    /// Whether a value that has not its field's shape is unknown. The mapping of a service's own replies gives none.
    let checksShapes: Bool

    /// A field that no rule can say, read by code.
    typealias Computed = @Sendable (JSONRow) -> FieldValue

    /// By `VideoField.rawValue`, before the rules; nil when there are none.
    let computed: [Computed?]?

    /// Takes the mapping as it is: a path that cannot be read finds nothing.
    ///
    /// - Parameter computed: what is asked first; where it gives `.none` the rule is.
    init(_ mapping: Mapping, checksShapes: Bool = false, computed: [VideoField: Computed] = [:]) {
        self.checksShapes = checksShapes
        self.computed = computed.isEmpty ? nil : VideoField.allCases.map { computed[$0] }
        rules = mapping.rules.map { CompiledRule($0.name, $0.field) }
        var fields = [CompiledRule?](repeating: nil, count: VideoField.allCases.count)
        var extras: [CompiledRule] = []
        for rule in rules {
            if let field = VideoField(name: rule.name) {
                fields[Int(field.rawValue)] = rule
            } else {
                extras.append(rule)
            }
        }
        self.fields = fields
        self.extras = extras
        hasRequirement = rules.contains(where: \.hasRequirement)
    }

    /// The row as a plain record; fields that are unknown are left out.
    ///
    /// - Parameter strict: whether a value that cannot be read is an error, not an unknown field.
    public func map(_ row: JSONRow, strict: Bool = false) throws(MappingFailure) -> FieldValue {
        .record(try members(of: row, strict ? [.checks, .strict] : .checks))
    }

    /// The row as the backing of a record, whose fields are read when they are asked.
    public func record(_ row: JSONRow, strict: Bool = false) throws(MappingFailure) -> MappedRecord {
        if strict || hasRequirement {
            let mode: MappingMode = strict ? [.record, .checks, .strict] : [.record, .checks]
            for rule in rules where strict || rule.hasRequirement { _ = try rule.value(in: row, mode) }
        }
        return MappedRecord(row: row, mapping: self)
    }

    func members(of row: JSONRow, _ mode: MappingMode) throws(MappingFailure) -> [FieldValue.Member] {
        var members: [FieldValue.Member] = []
        members.reserveCapacity(rules.count)
        for rule in rules {
            let value = try rule.value(in: row, mode)
            if !value.isNone { members.append(.init(rule.name, value)) }
        }
        return members
    }
}

/// One rule, ready to run.
final class CompiledRule: Sendable {
    let name: String
    let hasRequirement: Bool
    private let rule: FieldRule
    private let paths: [JSONPath]
    private let constant: FieldValue
    private let converter: Converter
    /// The converter's words: comparing with a few is faster than hashing.
    private let words: [(word: String, value: FieldValue)]?
    private let nested: CompiledMapping?
    private let each: CompiledMapping?
    private let otherwise: [CompiledRule]
    /// Whether a path's value goes through the converter and nothing else.
    private let isPlain: Bool
    /// Where a text stands that is the value as it is, if it is there and not empty; nil where texts are changed.
    let textPath: JSONPath?

    init(_ name: String, _ rule: FieldRule) {
        self.name = name
        self.rule = rule
        paths = rule.paths
        constant = rule.constant ?? .none
        converter = rule.converter
        words = if case .words(let words) = rule.converter { words.map { ($0.key, $0.value) } } else { nil }
        nested = rule.nested.map { CompiledMapping($0) }
        each = if case .record(let mapping) = rule.each { CompiledMapping(mapping) } else { nil }
        otherwise = rule.otherwise.map { CompiledRule(name, $0) }
        isPlain = rule.nested == nil && rule.each == nil && !rule.list
        let keepsText = rule.converter == .auto || rule.converter == .text
        textPath = isPlain && keepsText && rule.constant == nil && rule.unknown == nil ? rule.paths.first : nil
        hasRequirement =
            rule.required || nested?.hasRequirement == true || each?.hasRequirement == true
            || otherwise.contains(where: \.hasRequirement)
    }

    /// A value that was there and could not be read.
    private struct Refused {
        let path: JSONPath
        let value: JSONRow?
    }

    func value(in row: JSONRow, _ mode: MappingMode) throws(MappingFailure) -> FieldValue {
        if !constant.isNone { return constant }
        var refused: Refused?
        for path in paths {
            let json = row.read(path)
            switch json {
            case .nothing, .null: continue
            default: break
            }
            let value = try convert(json, in: row, mode)
            if value.isNone {
                if refused == nil, mode.contains(.checks) { refused = Refused(path: path, value: row.row(at: path)) }
            } else if !isUnknown(value, mode) {
                return value
            }
        }
        if rule.paths.isEmpty, let nested {
            let value = try record(nested, row, mode)
            if !value.isNone { return value }
        }
        for other in otherwise {
            let value = try other.value(in: row, mode)
            if !value.isNone { return value }
        }
        if let refused, rule.required || mode.contains(.strict) {
            throw .unreadable(
                field: name, path: refused.path.text, value: Self.shown(refused.value), expected: expected)
        }
        if let fallback = rule.fallback { return fallback }
        if rule.required, mode.contains(.checks) { throw .nothing(field: name, paths: places) }
        return .none
    }

    private func isUnknown(_ value: FieldValue, _ mode: MappingMode) -> Bool {
        if let unknown = rule.unknown, value == unknown { return true }
        if mode.contains(.record), case .text(let text) = value { return text.isEmpty }
        return false
    }

    /// The value at a path; `.none` when it cannot be read.
    private func convert(_ json: JSONValue, in row: JSONRow, _ mode: MappingMode) throws(MappingFailure) -> FieldValue {
        if let words, isPlain, case .text(let text) = json { return words.first { $0.word == text }?.value ?? .none }
        if isPlain { return Self.plain(json, in: row, converter) }
        if rule.each != nil { return try eachElement(json, in: row, mode) }
        if case .array(let index) = json, rule.list {
            var items: [FieldValue] = []
            for element in row.row(index).elements {
                let item = try item(element.read(), in: element, mode)
                if !item.isNone { items.append(item) }
            }
            return .list(items)
        }
        let value = try item(json, in: row, mode)
        return rule.list && !value.isNone ? .list([value]) : value
    }

    private func item(_ json: JSONValue, in row: JSONRow, _ mode: MappingMode) throws(MappingFailure) -> FieldValue {
        guard let nested else { return Self.plain(json, in: row, rule.converter) }
        switch json {
        case .object(let index), .array(let index): return try record(nested, row.row(index), mode)
        default: return .none
        }
    }

    private static func plain(_ json: JSONValue, in row: JSONRow, _ converter: Converter) -> FieldValue {
        if case .auto = converter {
            switch json {
            case .array(let index), .object(let index): return row.batch.fieldValue(row.document, index)
            default: break
            }
        }
        return converter.value(of: json)
    }

    private func eachElement(
        _ json: JSONValue, in row: JSONRow, _ mode: MappingMode
    ) throws(MappingFailure) -> FieldValue {
        switch json {
        case .array(let index):
            let children = row.batch.children(row.document, index)
            var items: [FieldValue] = []
            items.reserveCapacity(children.count)
            for child in children {
                let value = try mapped(row.row(child.index), mode)
                if !value.isNone { items.append(value) }
            }
            return .list(items)
        case .object(let index):
            let children = row.batch.children(row.document, index)
            var members: [FieldValue.Member] = []
            members.reserveCapacity(children.count)
            for child in children {
                let value = try mapped(row.row(child.index), mode)
                if !value.isNone { members.append(.init(child.name ?? "", value)) }
            }
            return .record(members)
        default: return .none
        }
    }

    private func mapped(_ element: JSONRow, _ mode: MappingMode) throws(MappingFailure) -> FieldValue {
        if case .value(let converter) = rule.each { return Self.plain(element.read(), in: element, converter) }
        guard let each else { return .none }
        return try record(each, element, mode)
    }

    private func record(
        _ mapping: CompiledMapping, _ row: JSONRow, _ mode: MappingMode
    ) throws(MappingFailure) -> FieldValue {
        do {
            let members = try mapping.members(of: row, mode)
            return members.isEmpty ? .none : .record(members)
        } catch {
            throw error.within(name)
        }
    }

    /// Every place a value was looked for.
    private var places: [String] { rule.paths.map(\.text) + otherwise.flatMap(\.places) }

    private var expected: String {
        if rule.nested != nil { return "a record" }
        if rule.each != nil { return "a list or a record" }
        return rule.converter.noun
    }

    /// A value for an error text: JSON of at most 40 characters.
    private static func shown(_ row: JSONRow?) -> String {
        guard let row else { return "nothing" }
        let text = String(decoding: JSON.encode(row.value()), as: UTF8.self)
        return text.count <= 40 ? text : text.prefix(39) + "…"
    }
}

/// A row of JSON read through a mapping: the backing of records that come from JSON.
public struct MappedRecord: VideoBacking {
    /// The JSON the record is read from.
    public let row: JSONRow
    let mapping: CompiledMapping

    public var footprint: Int { row.batch.share }

    public func value(of field: VideoField) -> FieldValue {
        if let compute = mapping.computed?[Int(field.rawValue)] {
            let value = compute(row)
            if !value.isNone { return value }
        }
        guard let rule = mapping.fields[Int(field.rawValue)] else { return .none }
        // Nothing is thrown without the modes that check: those ran when the record was made.
        let value = (try? rule.value(in: row, .record)) ?? .none
        if field == .thumbnails { return Self.withAddresses(value) }
        return mapping.checksShapes && !value.isNone && !field.shape.fits(value) ? .none : value
    }

    /// Pictures, without those that nobody can fetch.
    private static func withAddresses(_ value: FieldValue) -> FieldValue {
        guard let all = value.members else { return value.isNone || value == .list([]) ? value : .none }
        let kept = all.filter { $0.value["url"].text != nil }
        return kept.count == all.count ? value : kept.isEmpty ? .none : .record(kept)
    }

    public func withText(of field: VideoField, _ body: (Span<UInt8>) -> Void) -> Bool {
        guard mapping.computed?[Int(field.rawValue)] == nil, let rule = mapping.fields[Int(field.rawValue)],
            let path = rule.textPath, !mapping.checksShapes || field.shape == .text
        else { return false }
        return row.batch.withText(row.document, row.index, at: path, body)
    }

    /// What the mapping names beyond the fields of a record. A record at the name `extra` gives its members, not
    /// itself.
    public var extra: [FieldValue.Member] {
        mapping.extras.flatMap { rule -> [FieldValue.Member] in
            let value = (try? rule.value(in: row, .record)) ?? .none
            if rule.name == "extra", let members = value.members { return members }
            return value.isNone ? [] : [.init(rule.name, value)]
        }
    }
}
