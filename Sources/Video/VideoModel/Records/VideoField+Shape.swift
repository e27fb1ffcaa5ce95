// Type checks of field values, for records from untrusted formats and for values set by plugins.

import Basics

extension VideoField.Shape {
    /// Whether a known value matches this shape.
    public func fits(_ value: FieldValue) -> Bool {
        switch self {
        case .text: value.text != nil
        case .count, .seconds: value.integer.map { $0 >= 0 } ?? false
        case .time: value.integer != nil
        case .number: value.double != nil
        case .flag: value.bool != nil
        case .word(let words): value.text.map(words.contains) ?? false
        case .texts: value.list?.allSatisfy { $0.text != nil } ?? false
        case .channel: Self.named(value, ["id", "title", "url"]) { $0.text != nil }
        case .regions: Self.named(value, ["allowed", "blocked"]) { $0.list?.allSatisfy { $0.text != nil } ?? false }
        case .thumbnails: value.members?.allSatisfy { $0.value["url"].text != nil } ?? (value == .list([]))
        case .origins: value.list?.allSatisfy { $0.members != nil } ?? false
        case .raw: true
        }
    }

    /// Whether a record has only these members, each unknown or valid.
    private static func named(_ value: FieldValue, _ names: [String], _ fits: (FieldValue) -> Bool) -> Bool {
        value.members?.allSatisfy { names.contains($0.name) && ($0.value.isNone || fits($0.value)) } ?? false
    }
}
