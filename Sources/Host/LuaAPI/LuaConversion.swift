// Plain data between Lua and Swift. A table with only the keys 1…n is a list; any other is a record with sorted names,
// so that the same table always gives the same bytes. Functions, cycles and deep nesting are errors; data is never
// truncated.

import Basics
import LuaRuntime

/// Maximum nesting depth of converted tables.
let maximumNesting = 100

extension LuaStack {
    /// Pushes plain data; `.none` as nil.
    package func push(_ value: FieldValue) throws(LuaError) {
        switch value {
        case .none: push()
        case .bool(let flag): push(flag)
        case .integer(let whole): push(whole)
        case .number(let number): push(number)
        case .text(let text): push(text)
        case .list(let items):
            try reserve(4)
            pushTable(elements: items.count)
            for (index, item) in items.enumerated() {
                try push(item)
                setElement(Int64(index + 1), of: -2)
            }
        case .record(let members):
            try reserve(4)
            pushTable(members: members.count)
            for member in members where !member.value.isNone {
                try push(member.value)
                setField(member.name, of: -2)
            }
        }
    }

    /// Reads plain data. Strings that are not UTF-8 are repaired with U+FFFD.
    ///
    /// - Parameter null: recognizes the userdata that represents JSON's null.
    package func fieldValue(at index: Int32, in context: PluginContext, depth: Int = 0) throws(LuaError) -> FieldValue {
        switch kind(at: index) {
        case .none, .nil: return .none
        case .boolean: return .bool(isTrue(at: index))
        case .string: return .text(text(at: index) ?? "")
        case .number:
            if case .integer(let whole) = value(at: index) { return .integer(whole) }
            return .number(number(at: index) ?? 0)
        case .table:
            guard depth < maximumNesting else {
                throw LuaError("a table nested over \(maximumNesting) levels, or in itself")
            }
            return try table(at: index, in: context, depth: depth)
        case .userdata:
            if context.isNull(at: index, of: self) { return .none }
            if let video = context.video(at: index, of: self) { return context.plainRecord(video) }
            if let channel = payload(at: index, as: context.types.channel) { return channel.value }
            if let extra = payload(at: index, as: context.types.extra) { return .record(extra.members) }
            throw LuaError("plain data expected, got a userdata")
        case let kind:
            throw LuaError("plain data expected, got a \(kind.name)")
        }
    }

    private func table(at index: Int32, in context: PluginContext, depth: Int) throws(LuaError) -> FieldValue {
        var items: [(Int64, FieldValue)] = []
        var members: [FieldValue.Member] = []
        try forEachPair(of: index) { stack throws(LuaError) in
            let value = try stack.fieldValue(at: stack.count, in: context, depth: depth + 1)
            if let position = stack.integer(at: -2) {
                items.append((position, value))
            } else if let name = stack.text(at: -2) {
                members.append(.init(name, value))
            } else {
                throw LuaError("a key must be a string or a position, got a \(stack.kind(at: -2).name)")
            }
        }
        if members.isEmpty {
            items.sort { $0.0 < $1.0 }
            if items.enumerated().allSatisfy({ $0.element.0 == Int64($0.offset + 1) }) {
                return .list(items.map(\.1))
            }
        }
        members += items.map { .init(String($0.0), $0.1) }
        return .record(members.sorted { $0.name < $1.name })
    }
}
