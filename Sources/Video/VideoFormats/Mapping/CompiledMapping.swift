// Compiled mappings: the only place that evaluates mapping rules. In plain tables an empty string is a value; in
// records it is unknown. `MappingMode` selects between the two.

import Basics
import JSON
import VideoModel

/// Options for evaluating rules.
struct MappingMode: OptionSet {
    let rawValue: UInt8

    /// A value that cannot be converted is an error.
    static let strict = MappingMode(rawValue: 1)
    /// A missing required value is an error.
    static let checks = MappingMode(rawValue: 2)
    /// Empty text is unknown.
    static let record = MappingMode(rawValue: 4)
}

/// A checked mapping. Immutable; shared by all rows that it maps.
public final class CompiledMapping: Sendable {
    let rules: [CompiledRule]
    /// Rules of record fields, indexed by `VideoField.rawValue`.
    let fields: [CompiledRule?]
    /// Rules whose names are not record fields.
    let extras: [CompiledRule]
    /// Whether a rule, also a nested one, is required.
    let hasRequirement: Bool

    /// Whether values of the wrong shape are treated as unknown. Mappings of a service's own replies do not need it.
    let checksShapes: Bool

    /// Code for a field that rules cannot express.
    typealias Computed = @Sendable (JSONRow) -> FieldValue

    /// Indexed by `VideoField.rawValue`; evaluated before the rules. nil if there are none.
    let computed: [Computed?]?

    /// Further members of `extra` that rules cannot express, known ones only. A rule of the same name takes precedence.
    typealias ComputedExtra = @Sendable (JSONRow) -> [FieldValue.Member]

    /// nil if there are none.
    let computedExtra: ComputedExtra?

    /// Compiles a mapping without checks: an invalid path finds no value.
    ///
    /// - Parameter computed: evaluated first. If it returns `.none`, the rule applies.
    init(
        _ mapping: Mapping, checksShapes: Bool = false, computed: [VideoField: Computed] = [:],
        extra: ComputedExtra? = nil
    ) {
        self.checksShapes = checksShapes
        computedExtra = extra
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

    /// The row as a plain record without unknown fields.
    ///
    /// - Parameter strict: whether a value that cannot be converted is an error instead of unknown.
    /// - Throws: `MappingFailure` for a missing required value, and with `strict` for one that cannot be converted.
    public func map(_ row: JSONRow, strict: Bool = false) throws(MappingFailure) -> FieldValue {
        .record(try members(of: row, strict ? [.checks, .strict] : .checks))
    }

    /// The row as the backing of a record, with fields decoded on access.
    ///
    /// - Throws: as `map`.
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

/// A field whose value is at one path of the row in the common case. A reader that finds something else there, or
/// nothing, must read the record.
package enum PlainField {
    /// A text that is not empty, unchanged.
    case text(JSONPath)
    /// HTML. A text without `&` is unchanged.
    case html(JSONPath)
    /// A number that is not negative, or decimal digits.
    case integer(JSONPath)
    /// An RFC 3339 time.
    case time(JSONPath)
    /// One of these words, replaced by its meaning.
    case words(JSONPath, [(word: String, meaning: String)])
    /// The same text for every row.
    case constant(String)
}

extension CompiledMapping {
    /// How a field is read in the common case; nil if only the record knows.
    package func plain(_ field: VideoField) -> PlainField? {
        guard computed?[Int(field.rawValue)] == nil, let plain = fields[Int(field.rawValue)]?.plain else { return nil }
        guard checksShapes else { return plain }
        return switch (plain, field.shape) {
        case (.text, .text), (.html, .text), (.constant, .text), (.integer, .count), (.integer, .seconds),
            (.time, .time):
            plain
        default: nil
        }
    }
}

/// A compiled rule.
final class CompiledRule: Sendable {
    let name: String
    let hasRequirement: Bool
    private let rule: FieldRule
    private let paths: [JSONPath]
    private let constant: FieldValue
    private let converter: Converter
    /// The converter's words. For few words, comparing is faster than hashing.
    private let words: [(word: String, value: FieldValue)]?
    private let nested: CompiledMapping?
    private let each: CompiledMapping?
    private let otherwise: [CompiledRule]
    /// Whether the value at the path is only converted: no nested mapping, no `each`, no list.
    private let isPlain: Bool
    /// The path of a text that is used unchanged, if it is present and not empty. nil if texts are converted.
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

    /// The rule in the common case; nil if there is none.
    var plain: PlainField? {
        if case .text(let text) = constant { return .constant(text) }
        guard isPlain, rule.constant == nil, rule.unknown == nil, let path = rule.paths.first, path.problem == nil
        else {
            return nil
        }
        switch converter {
        case .auto, .text: return .text(path)
        case .html: return .html(path)
        case .integer: return .integer(path)
        case .time: return .time(path)
        case .words(let words):
            let texts = words.compactMap { pair in pair.value.text.map { (word: pair.key, meaning: $0) } }
            return texts.count == words.count ? .words(path, texts) : nil
        case .duration, .number, .boolean, .url, .present: return nil
        }
    }

    /// A value that is present but cannot be converted.
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

    /// The value at a path. `.none` if it cannot be converted.
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

    /// All paths where the value may be, including those of alternative rules.
    private var places: [String] { rule.paths.map(\.text) + otherwise.flatMap(\.places) }

    private var expected: String {
        if rule.nested != nil { return "a record" }
        if rule.each != nil { return "a list or a record" }
        return rule.converter.noun
    }

    /// A value for error messages: JSON of at most 40 characters.
    private static func shown(_ row: JSONRow?) -> String {
        guard let row else { return "nothing" }
        let text = String(decoding: JSON.encode(row.value()), as: UTF8.self)
        return text.count <= 40 ? text : text.prefix(39) + "…"
    }
}

/// A JSON row read through a mapping: the backing of records from JSON.
public struct MappedRecord: VideoBacking {
    /// The JSON row of the record.
    public let row: JSONRow
    package let mapping: CompiledMapping

    public var footprint: Int { row.batch.share }

    public func value(of field: VideoField) -> FieldValue {
        if let compute = mapping.computed?[Int(field.rawValue)] {
            let value = compute(row)
            if !value.isNone { return value }
        }
        guard let rule = mapping.fields[Int(field.rawValue)] else { return .none }
        // Cannot throw: the checks ran when the record was created.
        let value = (try? rule.value(in: row, .record)) ?? .none
        if field == .thumbnails { return Self.withAddresses(value) }
        return mapping.checksShapes && !value.isNone && !field.shape.fits(value) ? .none : value
    }

    /// Thumbnails without those that lack a URL.
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

    /// Values of the mapping that are not record fields. A record named `extra` contributes its members.
    public var extra: [FieldValue.Member] {
        let members = mapping.extras.flatMap { rule -> [FieldValue.Member] in
            let value = (try? rule.value(in: row, .record)) ?? .none
            if rule.name == "extra", let members = value.members { return members }
            return value.isNone ? [] : [.init(rule.name, value)]
        }
        guard let computed = mapping.computedExtra?(row), !computed.isEmpty else { return members }
        return computed.filter { new in !members.contains { $0.name == new.name } } + members
    }
}
