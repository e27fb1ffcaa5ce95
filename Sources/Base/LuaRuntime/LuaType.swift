// Userdata types: Swift values in Lua memory whose fields are read on access. A type is described once, registered in
// each state, and then identified by a `LuaTypeID`.

/// How a Swift type appears in Lua.
public struct LuaType<Payload> {
    /// Used by `tostring` and in error messages.
    public var name: String
    /// Field names; a field's index is its position here.
    public var fields: [String]
    /// Pushes the field's value; must push exactly one value.
    public var read: (inout Payload, Int, LuaStack) throws(LuaError) -> Void
    /// Assigns the value at stack index 3; nil when the type is read-only.
    public var write: ((inout Payload, Int, LuaStack) throws(LuaError) -> Void)?
    /// Pushes the value of a name that is no field, and returns whether there is one.
    public var missing: ((LuaStack) -> Bool)?
    /// Creates the error for an unknown field name.
    public var unknown: (LuaStack, _ writing: Bool) -> LuaError
    public var methods: [(name: String, body: LuaFunctionBody)]
    /// `__pairs`, `__tostring`, `__call` and the like.
    public var metamethods: [(name: String, body: LuaFunctionBody)]

    public init(
        name: String, fields: [String] = [],
        read: @escaping (inout Payload, Int, LuaStack) throws(LuaError) -> Void,
        write: ((inout Payload, Int, LuaStack) throws(LuaError) -> Void)? = nil,
        missing: ((LuaStack) -> Bool)? = nil,
        unknown: @escaping (LuaStack, Bool) -> LuaError,
        methods: [(name: String, body: LuaFunctionBody)] = [],
        metamethods: [(name: String, body: LuaFunctionBody)] = []
    ) {
        self.name = name
        self.fields = fields
        self.read = read
        self.write = write
        self.missing = missing
        self.unknown = unknown
        self.methods = methods
        self.metamethods = metamethods
    }
}

/// The index of a type in one state.
public struct LuaTypeID<Payload>: Sendable {
    let index: Int32
}

/// A registered type with its payload type erased, for the C callbacks.
class AnyTypeBox {
    func read(_ payload: UnsafeMutableRawPointer, _ field: Int, _ stack: LuaStack) throws(LuaError) {}
    func write(_ payload: UnsafeMutableRawPointer, _ field: Int, _ stack: LuaStack) throws(LuaError) {}
    func missing(_ stack: LuaStack) -> Bool { false }
    func unknown(_ stack: LuaStack, writing: Bool) -> LuaError { LuaError("no such field") }
    func release(_ payload: UnsafeMutableRawPointer) {}
}

final class TypeBox<Payload>: AnyTypeBox {
    let type: LuaType<Payload>

    init(_ type: LuaType<Payload>) { self.type = type }

    override func read(_ payload: UnsafeMutableRawPointer, _ field: Int, _ stack: LuaStack) throws(LuaError) {
        try type.read(&payload.assumingMemoryBound(to: Payload.self).pointee, field, stack)
    }

    override func write(_ payload: UnsafeMutableRawPointer, _ field: Int, _ stack: LuaStack) throws(LuaError) {
        guard let write = type.write else { throw LuaError("\(type.name).\(type.fields[field]) cannot be set") }
        try write(&payload.assumingMemoryBound(to: Payload.self).pointee, field, stack)
    }

    override func missing(_ stack: LuaStack) -> Bool { type.missing?(stack) ?? false }

    override func unknown(_ stack: LuaStack, writing: Bool) -> LuaError { type.unknown(stack, writing) }

    override func release(_ payload: UnsafeMutableRawPointer) {
        payload.assumingMemoryBound(to: Payload.self).deinitialize(count: 1)
    }
}
