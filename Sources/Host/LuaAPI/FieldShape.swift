// Checks values that a plugin assigns to a field. nil makes a field unknown; any other value must have the field's
// shape.

import Basics
import LuaRuntime
import VideoModel

enum FieldShape {
    /// The value if it fits the field.
    static func check(_ value: FieldValue, for field: VideoField) throws(LuaError) -> FieldValue {
        if value.isNone { return value }
        guard field.shape.fits(value) else {
            throw LuaError("video.\(field.name) takes \(wanted(field.shape)) or nil, got \(describe(value))")
        }
        switch field.shape {
        case .count, .seconds, .time: return FieldValue(value.integer)
        default: return value
        }
    }

    private static func wanted(_ shape: VideoField.Shape) -> String {
        switch shape {
        case .text: "a string"
        case .count: "a whole number from 0"
        case .seconds: "whole seconds from 0"
        case .time: "epoch seconds"
        case .number: "a number"
        case .flag: "true, false"
        case .word(let words): "one of " + words.joined(separator: ", ")
        case .texts: "a list of strings"
        case .channel: "{id = …, title = …, url = …}"
        case .thumbnails: "{name = {url = …, width = …, height = …}}"
        case .regions: "{allowed = {…}} or {blocked = {…}}"
        case .origins: "{{source = …, query = …}}"
        case .raw: "plain data"
        }
    }

    private static func describe(_ value: FieldValue) -> String {
        switch value {
        case .none: "nil"
        case .bool(let flag): "\(flag)"
        case .integer(let whole): "\(whole)"
        case .number(let number): LuaState.text(of: number)
        case .text(let text): "the string '\(Text.truncate(Text.clean(text), to: 40))'"
        case .list, .record: "a table"
        }
    }
}
