// Lua values in Swift. A Lua string is bytes: `LuaString` preserves them and converts to text, repairing UTF-8, only on
// request. Tables and functions are references into their state.

/// A Lua value.
public enum LuaValue {
    case `nil`
    case boolean(Bool)
    case integer(Int64)
    case number(Double)
    case string(LuaString)
    case table(LuaReference)
    case function(LuaReference)
    case userdata(LuaReference)
    case coroutine(LuaReference)

    public var isNil: Bool { if case .nil = self { true } else { false } }
    /// Truthiness by Lua's rules: everything except nil and false.
    public var isTrue: Bool {
        switch self {
        case .nil, .boolean(false): false
        default: true
        }
    }
    /// An integer, or a float without a fraction; nil for other values.
    public var integer: Int64? {
        switch self {
        case .integer(let whole): whole
        case .number(let number): Int64(exactly: number)
        default: nil
        }
    }
    public var number: Double? {
        switch self {
        case .integer(let whole): Double(whole)
        case .number(let number): number
        default: nil
        }
    }
    /// The text of a string; invalid UTF-8 becomes U+FFFD. nil for other types.
    public var text: String? { if case .string(let string) = self { string.text } else { nil } }
    /// Lua's name of the type.
    public var typeName: String {
        switch self {
        case .nil: "nil"
        case .boolean: "boolean"
        case .integer, .number: "number"
        case .string: "string"
        case .table: "table"
        case .function: "function"
        case .userdata: "userdata"
        case .coroutine: "thread"
        }
    }
}

/// A Lua string, which may contain any bytes.
public struct LuaString: Sendable, Hashable {
    public var bytes: [UInt8]

    public init(_ bytes: [UInt8]) { self.bytes = bytes }
    public init(_ text: String) { bytes = Array(text.utf8) }

    /// The bytes as text; invalid UTF-8 becomes U+FFFD.
    public var text: String { String(decoding: bytes, as: UTF8.self) }
}

/// A strong reference to a table, function, userdata or coroutine of a state.
public final class LuaReference {
    let state: LuaState
    let index: Int32

    init(state: LuaState, index: Int32) {
        self.state = state
        self.index = index
    }

    deinit { state.release(index) }
}
