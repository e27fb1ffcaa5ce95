// JSON as values of a program's own types, by the rules that records are read with. What is easily got wrong: a member
// that is missing, null or of another form leaves the property as it was made, and keys that no member names are ignored.

import Basics
import JSON

/// How objects of JSON become values of one type.
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
    ///   - make: a new value, of which nothing is known yet.
    ///   - members: how its properties are found, in the order they are set.
    public init(_ make: @escaping @Sendable () -> Model, _ members: ModelMember<Model>...) {
        self.make = make
        self.members = members
    }

    /// The same with something that is done to each value when all its members are set.
    public func finished(_ hook: @escaping @Sendable (inout Model) -> Void) -> Self {
        var mapping = self
        mapping.finish = hook
        return mapping
    }

    /// The value of the object at a path of a row; nil when there is none.
    public func model(of row: JSONRow, at path: JSONPath = "") -> Model? {
        guard let row = row.row(at: path), row.kind == .object else { return nil }
        var model = make()
        for member in members { member.set(&model, row) }
        finish?(&model)
        return model
    }

    /// The values of the objects in the array at a path of a row, in order, or of the one object there. What is no object
    /// is left out.
    public func models(of row: JSONRow, at path: JSONPath = "") -> [Model] {
        guard let row = row.row(at: path) else { return [] }
        return row.kind == .array ? row.elements.compactMap { model(of: $0) } : model(of: row).map { [$0] } ?? []
    }

    /// The same of a document.
    ///
    /// - Parameter bytes: JSON in UTF-8; a mark of the encoding may stand before it.
    /// - Throws: `JSONError` when it is no JSON.
    public func models(in bytes: [UInt8], at path: JSONPath = "") throws(JSONError) -> [Model] {
        models(of: try JSONBatch.document(JSON.withoutMark(bytes))[0], at: path)
    }
}

/// How one property is found and set.
public struct ModelMember<Model>: Sendable {
    fileprivate let set: @Sendable (inout Model, JSONRow) -> Void

    private init(set: @escaping @Sendable (inout Model, JSONRow) -> Void) { self.set = set }

    /// Where a property is looked for when no path is named: under its name with underscores, then as it is.
    ///
    /// `createdTime` is found at `created_time`.
    static func paths(of name: String, _ path: JSONPath?) -> [JSONPath] {
        if let path { return [path] }
        var key = ""
        for letter in name {
            if letter.isUppercase, !key.isEmpty { key += "_" }
            key += letter.lowercased()
        }
        return key == name ? [JSONPath(name)] : [JSONPath(key), JSONPath(name)]
    }

    /// A text, number or truth value.
    ///
    /// - Parameters:
    ///   - name: the property's, which says where it is when `path` does not.
    ///   - converter: how it is read; nil for what its type says.
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

    /// A list of texts, numbers or truth values. An element that cannot be read is left out, and what is no list is a
    /// list of one.
    ///
    /// - Parameter inner: where in each element the value stands.
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

    /// An object as a value of another type.
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

    /// A list of objects as values of another type.
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

    /// An object whose members are objects, as values of another type by the names of the members.
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

/// What a property can be that no other mapping makes.
public protocol ModelValue: Sendable {
    /// How it is read when nothing else is said.
    static var converter: Converter { get }
    /// nil when the value is not of this kind.
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

/// Whatever stands there, whole.
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
