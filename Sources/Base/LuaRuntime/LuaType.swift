// Userdata types: a Swift value in Lua's memory, with fields that are read when they are asked for. A type is described
// once, registered in each state that uses it, and then addressed by the `LuaTypeID` it got there.

/// How Lua sees a Swift type.
public struct LuaType<Payload> {
    /// Shown by `tostring`, and in error messages.
    public var name: String
    /// The names of its fields; a field's number is its position.
    public var fields: [String]
    /// Pushes exactly one value: the field's.
    public var read: (inout Payload, Int, LuaStack) throws(LuaError) -> Void
    /// Stores the value at stack index 3; nil when nothing can be set.
    public var write: ((inout Payload, Int, LuaStack) throws(LuaError) -> Void)?
    /// The error for a name that is no field.
    public var unknown: (LuaStack, _ writing: Bool) -> LuaError
    public var methods: [(name: String, body: LuaFunctionBody)]
    /// `__pairs`, `__tostring`, `__call` and the like.
    public var metamethods: [(name: String, body: LuaFunctionBody)]

    public init(
        name: String, fields: [String] = [],
        read: @escaping (inout Payload, Int, LuaStack) throws(LuaError) -> Void,
        write: ((inout Payload, Int, LuaStack) throws(LuaError) -> Void)? = nil,
        unknown: @escaping (LuaStack, Bool) -> LuaError,
        methods: [(name: String, body: LuaFunctionBody)] = [],
        metamethods: [(name: String, body: LuaFunctionBody)] = []
    ) {
        self.name = name
        self.fields = fields
        self.read = read
        self.write = write
        self.unknown = unknown
        self.methods = methods
        self.metamethods = metamethods
    }
}

/// A type's number in one state.
public struct LuaTypeID<Payload>: Sendable {
    let index: Int32
}

/// A registered type with its payload type erased, as the callbacks of C need it.
class AnyTypeBox {
    func read(_ payload: UnsafeMutableRawPointer, _ field: Int, _ stack: LuaStack) throws(LuaError) {}
    func write(_ payload: UnsafeMutableRawPointer, _ field: Int, _ stack: LuaStack) throws(LuaError) {}
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

    override func unknown(_ stack: LuaStack, writing: Bool) -> LuaError { type.unknown(stack, writing) }

    override func release(_ payload: UnsafeMutableRawPointer) {
        payload.assumingMemoryBound(to: Payload.self).deinitialize(count: 1)
    }
}
