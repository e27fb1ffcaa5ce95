// Mappings: rules that convert values of a JSON row to fields. `yt.mapper` in Lua and the built-in formats use them.
// Rules are not checked until `compiled()`.

import Basics
import JSON

/// Rules by field name, in output order.
public struct Mapping: Sendable, Equatable, ExpressibleByDictionaryLiteral {
    public struct Rule: Sendable, Equatable {
        public var name: String
        public var field: FieldRule

        public init(_ name: String, _ field: FieldRule) {
            self.name = name
            self.field = field
        }
    }

    public var rules: [Rule]

    public init(_ rules: [Rule] = []) { self.rules = rules }

    public init(dictionaryLiteral elements: (String, FieldRule)...) {
        rules = elements.map { Rule($0, $1) }
    }

    /// Checks and compiles the rules.
    ///
    /// - Throws: `MappingError` for the first invalid rule.
    public func compiled() throws(MappingError) -> CompiledMapping {
        try check(within: "")
        return CompiledMapping(self, checksShapes: true)
    }

    private func check(within place: String) throws(MappingError) {
        var seen: Set<String> = []
        for rule in rules {
            guard seen.insert(rule.name).inserted else { throw .twice(rule: place + rule.name) }
            try rule.field.check(place + rule.name)
        }
    }

    fileprivate func checkInside(_ rule: String) throws(MappingError) { try check(within: rule + ".") }
}

/// How one field is read. Evaluation order: `constant`; otherwise the first known value of `paths`; otherwise of
/// `otherwise`; otherwise `fallback`; otherwise the field is unknown, or an error if it is `required`.
public struct FieldRule: Sendable, Equatable, ExpressibleByStringLiteral {
    /// The paths to try, in order.
    public var paths: [JSONPath]
    public var converter: Converter
    /// A converted value that means unknown, such as 0.
    public var unknown: FieldValue?
    public var fallback: FieldValue?
    public var required: Bool
    public var constant: FieldValue?
    /// A nested record. Its paths are relative to the value at this rule's path, or to the row if there is no path. A
    /// record without known fields is itself unknown.
    public var nested: Mapping?
    /// Maps each element of the array or object at the path. An array gives a list, an object a record with the same
    /// keys. Elements without a value are skipped.
    public var each: Each?
    /// Whether the result is a list. A single value becomes a list of one; elements of an array are converted one by
    /// one.
    public var list: Bool
    /// Alternative rules with their own converters, tried if the paths have no value.
    public var otherwise: [FieldRule]

    public enum Each: Sendable, Equatable {
        case record(Mapping)
        case value(Converter)
    }

    public init(
        _ paths: JSONPath..., as converter: Converter = .auto, unknown: FieldValue? = nil, fallback: FieldValue? = nil,
        required: Bool = false, constant: FieldValue? = nil, nested: Mapping? = nil, each: Each? = nil,
        list: Bool = false, otherwise: [FieldRule] = []
    ) {
        self.paths = paths
        self.converter = converter
        self.unknown = unknown
        self.fallback = fallback
        self.required = required
        self.constant = constant
        self.nested = nested
        self.each = each
        self.list = list
        self.otherwise = otherwise
    }

    public init(stringLiteral path: String) { self.init(JSONPath(path)) }

    fileprivate func check(_ name: String) throws(MappingError) {
        for path in paths {
            if let problem = path.problem { throw .badPath(rule: name, path: path.text, problem) }
        }
        let hasSource = !paths.isEmpty || nested != nil || !otherwise.isEmpty
        if constant != nil && hasSource { throw .constantAndSource(rule: name) }
        if constant == nil && fallback == nil && !hasSource { throw .nowhereToLook(rule: name) }
        if nested != nil && each != nil { throw .nestedAndEach(rule: name) }
        if each != nil && paths.isEmpty { throw .eachWithoutPath(rule: name) }
        try nested?.checkInside(name)
        if case .record(let mapping) = each { try mapping.checkInside(name) }
        for rule in otherwise { try rule.check(name) }
    }
}

/// An invalid mapping. Nested rules are named `outer.inner`.
public enum MappingError: Error, Sendable, Equatable, CustomStringConvertible {
    case badPath(rule: String, path: String, String)
    case twice(rule: String)
    case constantAndSource(rule: String)
    case nowhereToLook(rule: String)
    case nestedAndEach(rule: String)
    case eachWithoutPath(rule: String)

    public var description: String {
        switch self {
        case .badPath(let rule, let path, let problem): "\(rule): the path \"\(path)\" cannot be read: \(problem)"
        case .twice(let rule): "\(rule): there are two rules of this name"
        case .constantAndSource(let rule): "\(rule): a constant needs no path and no other rules"
        case .nowhereToLook(let rule): "\(rule): needs a path, a constant or a fallback"
        case .nestedAndEach(let rule): "\(rule): either one record inside or one for each element, not both"
        case .eachWithoutPath(let rule): "\(rule): needs the path of the array or object whose elements are mapped"
        }
    }
}

/// Why a row could not be mapped.
public enum MappingFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// A required field has no value at any of its paths.
    case nothing(field: String, paths: [String])
    /// A value that the field's converter cannot read, as truncated JSON.
    case unreadable(field: String, path: String, value: String, expected: String)

    public var description: String {
        switch self {
        case .nothing(let field, let paths):
            "\(field): nothing at " + paths.map { "\"\($0)\"" }.joined(separator: ", ")
        case .unreadable(let field, let path, let value, let expected):
            "\(field): cannot read \(value) at \"\(path)\" as \(expected)"
        }
    }

    func within(_ outer: String) -> MappingFailure {
        switch self {
        case .nothing(let field, let paths): .nothing(field: outer + "." + field, paths: paths)
        case .unreadable(let field, let path, let value, let expected):
            .unreadable(field: outer + "." + field, path: path, value: value, expected: expected)
        }
    }
}
