// The manifests that a worker sends for the plugins it loaded.

import Basics
import Packages
import Sandbox
import VideoModel

extension PluginManifest: WireRecord {
    package static var blank: PluginManifest { PluginManifest(name: "", path: "") }

    package mutating func code(_ fields: inout WireFields) {
        fields.code("name", &name)
        fields.code("path", &path)
        fields.code("summary", &summary)
        fields.code("roles", &roles)
        fields.code("options", &options)
        fields.code("fields", &self.fields)
        fields.code("needs", &needs)
        fields.code("isScript", &isScript)
    }
}

extension PluginManifest.Role: WireValue {}

extension PluginOption: WireRecord {
    package static var blank: PluginOption {
        PluginOption(name: "", kind: .string, fallback: .none, help: "", values: [], minimum: nil, maximum: nil)
    }

    package mutating func code(_ fields: inout WireFields) {
        fields.code("name", &name)
        fields.code("kind", &kind)
        fields.code("fallback", &fallback)
        fields.code("help", &help)
        fields.code("values", &values)
        fields.code("minimum", &minimum)
        fields.code("maximum", &maximum)
    }
}

extension PluginOption.Kind: WireValue {}

/// Fields go by their names.
extension VideoField: WireValue {
    package func write(_ body: inout WireBody) -> FieldValue { .text(name) }

    package init?(_ value: FieldValue, _ body: inout WireBody) {
        guard let name = value.text else { return nil }
        self.init(name: name)
    }
}

/// A set is a list in the order of all fields, so that equal requests have equal headers.
extension Set: WireValue where Element == VideoField {
    package func write(_ body: inout WireBody) -> FieldValue { VideoField.allCases.filter(contains).write(&body) }

    package init?(_ value: FieldValue, _ body: inout WireBody) {
        guard let fields = [VideoField](value, &body) else { return nil }
        self.init(fields)
    }
}
