// Maps JSON to values of a program's own types, with the same rules as for records. A member that is missing, null or
// of another type leaves the property unchanged. Unmapped keys are ignored.

import Basics
import JSON

/// A mapping of JSON objects to values of one type.
///
///     struct Film {
///         var title: String?
///         var createdTime: Int64?
///         var maker: Person?
///         var tags: [String] = []
///
///         static let mapping = ModelMapping({ Film() },
///             .value("title", \Film.title, at: "name"),
///             .value("createdTime", \Film.createdTime, as: .time),  // created_time
///             .model("maker", \Film.maker, Person.mapping, at: "user"),
///             .values("tags", \Film.tags, at: "tags", each: "name")
///         ).finished { film in film.title = film.title ?? "Untitled" }
///     }
///
///     let films = try Film.mapping.models(in: body, at: "data")
public struct ModelMapping<Model>: Sendable {
    private let make: @Sendable () -> Model
    private let members: [ModelMember<Model>]
    private var finish: (@Sendable (inout Model) -> Void)?

    /// - Parameters:
    ///   - make: creates an empty value.
    ///   - members: the mappings of the properties, applied in this order.
    public init(_ make: @escaping @Sendable () -> Model, _ members: ModelMember<Model>...) {
        self.make = make
        self.members = members
    }

    /// A copy of the mapping that calls a closure for each value after all members are set.
    public func finished(_ hook: @escaping @Sendable (inout Model) -> Void) -> Self {
        var mapping = self
        mapping.finish = hook
        return mapping
    }

    /// The value of the object at a path of a row. nil if there is no object.
    public func model(of row: JSONRow, at path: JSONPath = "") -> Model? {
        guard let row = row.row(at: path), row.kind == .object else { return nil }
        var model = make()
        for member in members { member.set(&model, row) }
        finish?(&model)
        return model
    }

    /// The values of the array at a path of a row, in order, or of the single object there. Elements that are not
    /// objects are skipped.
    public func models(of row: JSONRow, at path: JSONPath = "") -> [Model] {
        guard let row = row.row(at: path) else { return [] }
        return row.kind == .array ? row.elements.compactMap { model(of: $0) } : model(of: row).map { [$0] } ?? []
    }

    /// The values of the array, or of the single object, at a path of a document.
    ///
    /// - Parameter bytes: JSON in UTF-8, with or without a byte order mark.
    /// - Throws: `JSONError` if the bytes are not valid JSON.
    public func models(in bytes: [UInt8], at path: JSONPath = "") throws(JSONError) -> [Model] {
        models(of: try JSONBatch.document(JSON.withoutMark(bytes))[0], at: path)
    }
}

/// The mapping of one property.
public struct ModelMember<Model>: Sendable {
    fileprivate let set: @Sendable (inout Model, JSONRow) -> Void

    private init(set: @escaping @Sendable (inout Model, JSONRow) -> Void) { self.set = set }

    /// The default paths of a property: its name in snake case, then the name itself.
    ///
    /// For `createdTime` these are `created_time` and `createdTime`.
    static func paths(of name: String, _ path: JSONPath?) -> [JSONPath] {
        if let path { return [path] }
        var key = ""
        for letter in name {
            if letter.isUppercase, !key.isEmpty { key += "_" }
            key += letter.lowercased()
        }
        return key == name ? [JSONPath(name)] : [JSONPath(key), JSONPath(name)]
    }

    /// A text, number or boolean.
    ///
    /// - Parameters:
    ///   - name: the property's name. It determines the path if `path` is nil.
    ///   - converter: nil for the default converter of the type.
    public static func value<Value: ModelValue>(
        _ name: String, _ property: WritableKeyPath<Model, Value?> & Sendable, at path: JSONPath? = nil,
        as converter: Converter? = nil
    ) -> Self {
        let rule = rule(name, path) { FieldRule(as: converter ?? Value.converter, at: $0) }
        return Self { model, row in
            if let value = (try? rule.value(in: row, [])).flatMap(Value.init(mapped:)) {
                model[keyPath: property] = value
            }
        }
    }

    /// A list of texts, numbers or booleans. Elements that cannot be converted are skipped. A value that is not an
    /// array is a list of one.
    ///
    /// - Parameter inner: the path of the value within each element.
    public static func values<Value: ModelValue>(
        _ name: String, _ property: WritableKeyPath<Model, [Value]> & Sendable, at path: JSONPath? = nil,
        each inner: JSONPath = "", as converter: Converter? = nil
    ) -> Self {
        let converter = converter ?? Value.converter
        let element = CompiledRule(name, FieldRule(as: converter, at: [inner]))
        let places = paths(of: name, path)
        return Self { model, row in
            guard let place = places.lazy.compactMap({ row.row(at: $0) }).first(where: { $0.kind != .null }) else {
                return
            }
            let rows = place.kind == .array ? place.elements : [place]
            model[keyPath: property] = rows.compactMap {
                (try? element.value(in: $0, [])).flatMap(Value.init(mapped:))
            }
        }
    }

    /// An object, mapped to a value of another type.
    public static func model<Inner>(
        _ name: String, _ property: WritableKeyPath<Model, Inner?> & Sendable, _ mapping: ModelMapping<Inner>,
        at path: JSONPath? = nil
    ) -> Self {
        let places = paths(of: name, path)
        return Self { model, row in
            for place in places {
                guard let value = mapping.model(of: row, at: place) else { continue }
                model[keyPath: property] = value
                return
            }
        }
    }

    /// A list of objects, mapped to values of another type.
    public static func models<Inner>(
        _ name: String, _ property: WritableKeyPath<Model, [Inner]> & Sendable, _ mapping: ModelMapping<Inner>,
        at path: JSONPath? = nil
    ) -> Self {
        let places = paths(of: name, path)
        return Self { model, row in
            guard let place = places.first(where: { row.row(at: $0).map { $0.kind != .null } ?? false }) else { return }
            model[keyPath: property] = mapping.models(of: row, at: place)
        }
    }

    /// An object with objects as members, mapped to values of another type by member name.
    public static func keyed<Inner>(
        _ name: String, _ property: WritableKeyPath<Model, [String: Inner]> & Sendable, _ mapping: ModelMapping<Inner>,
        at path: JSONPath? = nil
    ) -> Self {
        let places = paths(of: name, path)
        return Self { model, row in
            guard let place = places.lazy.compactMap({ row.row(at: $0) }).first(where: { $0.kind == .object }) else {
                return
            }
            var found: [String: Inner] = [:]
            for (name, member) in place.members { found[name] = mapping.model(of: member) }
            model[keyPath: property] = found
        }
    }

    private static func rule(_ name: String, _ path: JSONPath?, _ make: ([JSONPath]) -> FieldRule) -> CompiledRule {
        CompiledRule(name, make(paths(of: name, path)))
    }
}

/// The types of properties that a converter can produce.
public protocol ModelValue: Sendable {
    /// The default converter of the type.
    static var converter: Converter { get }
    /// nil if the value has another type.
    init?(mapped value: FieldValue)
}

extension String: ModelValue {
    public static var converter: Converter { .text }
    public init?(mapped value: FieldValue) {
        guard let text = value.text else { return nil }
        self = text
    }
}

extension Int64: ModelValue {
    public static var converter: Converter { .integer }
    public init?(mapped value: FieldValue) {
        guard let whole = value.integer else { return nil }
        self = whole
    }
}

extension Int: ModelValue {
    public static var converter: Converter { .integer }
    public init?(mapped value: FieldValue) {
        guard let whole = value.integer.flatMap({ Int(exactly: $0) }) else { return nil }
        self = whole
    }
}

extension Double: ModelValue {
    public static var converter: Converter { .number }
    public init?(mapped value: FieldValue) {
        guard let number = value.double else { return nil }
        self = number
    }
}

extension Bool: ModelValue {
    public static var converter: Converter { .boolean }
    public init?(mapped value: FieldValue) {
        guard let flag = value.bool else { return nil }
        self = flag
    }
}

/// Any value, unconverted.
extension FieldValue: ModelValue {
    public static var converter: Converter { .auto }
    public init?(mapped value: FieldValue) {
        if value.isNone { return nil }
        self = value
    }
}

extension FieldRule {
    fileprivate init(as converter: Converter, at paths: [JSONPath]) {
        self.init(as: converter)
        self.paths = paths
    }
}
