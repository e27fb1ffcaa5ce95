// Encodes a plugin manifest for a process that lists plugins without loading them.

import Basics
import Packages
import VideoModel

extension PluginManifest {
    var wire: FieldValue {
        func texts(_ items: [String]) -> FieldValue { .list(items.map { .text($0) }) }
        return .record([
            .init("name", .text(name)), .init("path", .text(path)), .init("summary", FieldValue(summary)),
            .init("roles", texts(roles.map(\.rawValue))), .init("options", .list(options.map(\.wire))),
            .init("fields", texts(fields.map(\.name))), .init("needs", texts(needs)), .init("script", .bool(isScript)),
        ])
    }

    init(wire value: FieldValue) {
        func texts(_ name: String) -> [String] { value[name].list?.compactMap(\.text) ?? [] }
        self.init(name: value["name"].text ?? "", path: value["path"].text ?? "")
        summary = value["summary"].text
        roles = texts("roles").compactMap(Role.init(rawValue:))
        options = value["options"].list?.compactMap(PluginOption.init(wire:)) ?? []
        fields = texts("fields").compactMap(VideoField.init(name:))
        needs = texts("needs")
        isScript = value["script"].bool ?? false
    }
}

extension PluginOption {
    fileprivate var wire: FieldValue {
        .record([
            .init("name", .text(name)), .init("type", .text(kind.rawValue)), .init("default", fallback),
            .init("help", .text(help)), .init("values", .list(values.map { .text($0) })),
            .init("min", minimum.map(FieldValue.number) ?? .none),
            .init("max", maximum.map(FieldValue.number) ?? .none),
        ])
    }

    fileprivate init?(wire value: FieldValue) {
        guard let name = value["name"].text, let kind = value["type"].text.flatMap(Kind.init(rawValue:)) else {
            return nil
        }
        self.init(
            name: name, kind: kind, fallback: value["default"], help: value["help"].text ?? "",
            values: value["values"].list?.compactMap(\.text) ?? [], minimum: value["min"].double,
            maximum: value["max"].double)
    }
}
