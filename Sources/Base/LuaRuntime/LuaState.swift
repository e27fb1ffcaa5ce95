// A Lua state with its memory, its libraries (the allow-list in CLua/sandbox.c), host functions and types. A state
// belongs to one thread. Swift functions called from Lua return a status to C, and only C raises; Lua errors reach
// Swift as `LuaError` from protected calls.

import CLua
import Glibc

/// An embedded Lua 5.4 interpreter.
public final class LuaState {
    /// Limits of a state and its view of the environment.
    public struct Settings: Sendable {
        /// Maximum memory of Lua code in bytes; 0 for no limit.
        public var memoryLimit: Int = 0
        /// Seed of `math.random`.
        public var seed: UInt64 = 0
        /// A fixed time in epoch seconds for `os.time` and `os.date`; nil for the real clock. With a fixed time,
        /// `os.clock` returns 0.
        public var frozenTime: Int64?

        public init() {}
    }

    public private(set) var settings: Settings
    private var budget: LuaBudget?
    private(set) var lua: OpaquePointer
    private var functions: [HostFunction] = []
    private var types: [AnyTypeBox] = []
    /// The userdata type that carries Swift errors through Lua.
    private(set) var errorTypeID: LuaTypeID<LuaErrorObject>?
    /// The value of the last error. A raw reference number, because a `LuaReference` would retain this state.
    private var lastError: (ticket: Int, reference: Int32)?
    /// Set while an error's `__tostring` runs.
    private var isWriting = false
    private var tickets = 0
    /// The names of all loaded chunks.
    private(set) var chunks: Set<String> = []
    /// Set when a host function is called again because its suspended coroutine continues.
    public private(set) var isResumed = false

    /// - Throws: `LuaError` of kind `.memory` when the state cannot be allocated.
    public init(_ settings: Settings = Settings(), budget: LuaBudget? = nil) throws(LuaError) {
        self.settings = settings
        self.budget = budget
        var host = Self.callbacks
        guard let opened = clua_open(&host, settings.memoryLimit, settings.seed) else {
            throw LuaError("no memory for a Lua state", kind: .memory)
        }
        lua = opened
        clua_set_context(lua, Unmanaged.passUnretained(self).toOpaque())
        if let budget { clua_set_budget(lua, budget.budget) }
    }

    /// Attaches a budget and a clock to an existing state. Memory that is already allocated counts toward the budget.
    ///
    /// - Parameter frozenTime: as in `Settings`.
    public func adopt(_ budget: LuaBudget, frozenTime: Int64?) {
        settings.frozenTime = frozenTime
        self.budget = budget
        clua_set_budget(lua, budget.budget)
    }

    deinit { clua_close(lua) }

    /// The main stack, for calls from outside Lua. The caller must leave it as it was.
    public var stack: LuaStack { LuaStack(state: self, lua: lua) }

    /// Bytes currently in use.
    public var memoryUsed: Int { clua_memory_used(lua) }
    /// Runs a full collection, which deinitializes unreachable userdata.
    public func collectGarbage() { clua_collect(lua) }

    // MARK: Loading and calling

    /// Compiles Lua source.
    ///
    /// - Parameters:
    ///   - source: source text; bytecode is rejected. A byte order mark and a first line that starts with `#` are
    ///     skipped.
    ///   - name: the chunk name in messages. A name in brackets (`[ythost]`) marks host code, which is omitted from
    ///     tracebacks.
    public func load(_ source: [UInt8], name: String) throws(LuaError) -> LuaReference {
        var text = source[...]
        if text.starts(with: [0xEF, 0xBB, 0xBF]) { text = text.dropFirst(3) }
        if text.first == UInt8(ascii: "#") { text = text.drop { $0 != UInt8(ascii: "\n") } }
        let chunk = name.hasPrefix("[") ? "=" + name : "@" + name
        chunks.insert(name)
        let status = text.withUnsafeBufferPointer { buffer in
            buffer.withMemoryRebound(to: CChar.self) { clua_load(lua, $0.baseAddress, $0.count, chunk) }
        }
        if status != CLUA_OK { throw takeError(lua, status) }
        return LuaReference(state: self, index: clua_reference(lua))
    }

    /// Calls a function and returns all its results.
    @discardableResult
    public func call(_ function: LuaReference, _ arguments: LuaValue...) throws(LuaError) -> [LuaValue] {
        let stack = stack
        let base = stack.count
        try stack.reserve(Int32(clamping: arguments.count) + 8)
        stack.push(function)
        for argument in arguments { stack.push(argument) }
        try stack.call(arguments: Int32(arguments.count), results: -1)
        defer { stack.setTop(base) }
        return (base + 1..<stack.count + 1).map { stack.value(at: $0) }
    }

    /// Compiles and runs source text.
    @discardableResult
    public func run(_ source: String, name: String) throws(LuaError) -> [LuaValue] {
        try call(try load(Array(source.utf8), name: name))
    }

    /// Where a Lua function is defined; nil for a host function.
    public func definition(of function: LuaReference) -> LuaError.Position? {
        stack.push(function)
        defer { stack.pop() }
        var source = [CChar](repeating: 0, count: Int(CLUA_SOURCE_SIZE))
        let line = clua_definition(lua, -1, &source, source.count)
        return line > 0 ? LuaError.Position(source: Self.text(of: source), line: Int(line)) : nil
    }

    /// Creates a suspended coroutine for the function.
    public func coroutine(_ function: LuaReference) -> LuaCoroutine {
        stack.push(function)
        let thread = clua_new_coroutine(lua)
        return LuaCoroutine(
            reference: LuaReference(state: self, index: clua_reference(lua)),
            stack: thread.map { LuaStack(state: self, lua: $0) })
    }

    /// Sets a global variable.
    public func setGlobal(_ name: String, to value: LuaValue) {
        let stack = stack
        stack.pushGlobals()
        stack.push(value)
        stack.setField(name, of: -2)
        stack.pop()
    }

    /// Pushes the `lpeg` library.
    public func pushPatternLibrary(_ stack: LuaStack) throws(LuaError) {
        guard clua_push_lpeg(stack.lua) else { throw takeError(stack.lua, CLUA_ERROR_RUN) }
    }

    // MARK: Host functions and types

    func add(_ body: @escaping LuaFunctionBody) -> Int32 {
        functions.append(HostFunction(body: body))
        return Int32(functions.count - 1)
    }

    /// Registers a type in this state.
    public func register<Payload>(_ type: LuaType<Payload>) -> LuaTypeID<Payload> {
        register(type, declare: clua_declare_type)
    }

    func register<Payload>(
        _ type: LuaType<Payload>, declare: (OpaquePointer?, Int32) -> Void
    ) -> LuaTypeID<Payload> {
        let id = LuaTypeID<Payload>(index: Int32(types.count))
        types.append(TypeBox(type))
        let stack = stack
        stack.pushTable(members: type.fields.count + type.methods.count)
        for (index, field) in type.fields.enumerated() {
            stack.push(Int64(index))
            stack.setField(field, of: -2)
        }
        for (name, body) in type.methods {
            stack.push(function: body)
            stack.setField(name, of: -2)
        }
        stack.pushTable(members: type.metamethods.count + 5)
        stack.push(type.name)
        stack.setField("__name", of: -2)
        for (name, body) in type.metamethods {
            stack.push(function: body)
            stack.setField(name, of: -2)
        }
        declare(lua, id.index)
        return id
    }

    func release(_ reference: Int32) { clua_release_reference(lua, reference) }

    // MARK: Errors

    /// Pops the error value and converts it to a `LuaError`.
    func takeError(_ lua: OpaquePointer, _ status: Int32) -> LuaError {
        let stack = LuaStack(state: self, lua: lua)
        defer { stack.pop() }
        if status == CLUA_ERROR_MEMORY || budget?.spent == .memory {
            return LuaError(
                "not enough memory", kind: .memory, position: frames(lua).first?.position, frames: frames(lua))
        }
        if let spent = budget?.spent {
            return LuaError(
                "the \(spent.rawValue) budget is spent", kind: .budget(spent), position: frames(lua).first?.position,
                frames: frames(lua))
        }
        if clua_is_nil_use(lua) { return LuaError("attempt to use a value that is nil", kind: .runtime) }
        let frames = status == CLUA_ERROR_SYNTAX ? [] : self.frames(lua)
        if let object = stack.payload(at: -1, as: errorObjectType) {
            var error = object.error
            if error.frames.isEmpty { error.frames = frames }
            error.position = error.position ?? frames.first?.position
            return error
        }
        var error = LuaError("", kind: status == CLUA_ERROR_SYNTAX ? .syntax : .runtime, frames: frames)
        error.position = frames.first?.position
        switch stack.kind(at: -1) {
        case .string, .number:
            var text: [UInt8] = []
            _ = stack.append(at: -1, to: &text)
            error.message = String(decoding: text, as: UTF8.self)
            // A coroutine prefixes the position where it was resumed to that of the error; the inner position counts.
            let names = shownNames(lua)
            while let (position, rest) = Self.splitPosition(error.message, shown: names) {
                error.position = position ?? error.position
                error.message = rest
            }
        case .nil: error.message = "error without a message (nil)"
        case .table:
            error.message =
                Self.message(ofErrorTable: stack) ?? written(stack) ?? "error object that is a table without a message"
            if let spent = budget?.spent {
                return LuaError(
                    "the \(spent.rawValue) budget is spent", kind: .budget(spent), position: error.position,
                    frames: frames)
            }
        case let kind: error.message = "error object that is a \(kind.name)"
        }
        tickets += 1
        if let lastError { release(lastError.reference) }
        stack.push(copyOf: -1)
        lastError = (tickets, clua_reference(lua))
        error.ticket = tickets
        return error
    }

    /// The result of the `__tostring` of the value on top; nil when it has none or it does not return text.
    private func written(_ stack: LuaStack) -> String? {
        // `__tostring` is plugin code and may raise such a table itself, so prevent recursion.
        guard !isWriting, (try? stack.reserve(4)) != nil else { return nil }
        isWriting = true
        defer { isWriting = false }
        let top = stack.count
        defer { stack.setTop(top) }
        guard stack.pushMetafield("__tostring", of: top) else { return nil }
        stack.push(copyOf: top)
        do throws(LuaError) { try stack.call(arguments: 1, results: 1) } catch { return nil }
        return stack.text(at: -1)
    }

    /// The message in a table raised as an error: its `message`, `msg` or `error` field.
    private static func message(ofErrorTable stack: LuaStack) -> String? {
        for name in ["message", "msg", "error"] {
            stack.pushField(name, of: -1)
            defer { stack.pop() }
            if let text = stack.text(at: -1) { return text }
        }
        return nil
    }

    /// Pushes an error value for C to raise.
    func push(_ error: LuaError, on stack: LuaStack) {
        if let ticket = error.ticket, let last = lastError, last.ticket == ticket {
            clua_keep_frames(stack.lua)
            clua_push_reference(stack.lua, last.reference)
        } else if error.cause != nil {
            if !error.frames.isEmpty { clua_keep_frames(stack.lua) }
            stack.push(LuaErrorObject(error: error), as: errorObjectType)
        } else {
            var text: [UInt8] = []
            clua_push_position(stack.lua)
            _ = stack.append(at: -1, to: &text)
            stack.pop()
            stack.push(bytes: text + Array(error.message.utf8))
        }
    }

    private var errorObjectType: LuaTypeID<LuaErrorObject> {
        if let errorTypeID { return errorTypeID }
        let made = register(LuaErrorObject.type(in: self))
        errorTypeID = made
        return made
    }

    // MARK: Text

    /// Converts a NUL-terminated fixed-size C array.
    static func text<T>(of characters: T) -> String {
        withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    static func text(of characters: [CChar]) -> String {
        String(decoding: characters.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// A float as Lua prints it: 14 significant digits, and `.0` after an integral value.
    public static func text(of number: Double) -> String {
        var buffer = [CChar](repeating: 0, count: 40)
        withVaList([number]) { _ = vsnprintf(&buffer, 40, "%.14g", $0) }
        let text = Self.text(of: buffer)
        return text.allSatisfy { $0 == "-" || $0.isNumber } ? text + ".0" : text
    }
}

// MARK: - Callbacks from C

extension LuaState {
    private static var callbacks: CLuaHost {
        CLuaHost(
            context: nil,
            call: { context, lua, function, resumed in
                LuaState.from(context, lua) { state, stack throws(LuaError) in
                    if state.isResumed != resumed { state.isResumed = resumed }
                    return try state.functions[Int(function)].body(stack)
                }
            },
            read: { context, lua, type, field, payload in
                LuaState.from(context, lua) { state, stack throws(LuaError) in
                    if let payload { try state.types[Int(type)].read(payload, Int(field), stack) }
                    return 1
                }
            },
            write: { context, lua, type, field, payload in
                LuaState.from(context, lua) { state, stack throws(LuaError) in
                    if let payload { try state.types[Int(type)].write(payload, Int(field), stack) }
                    return 0
                }
            },
            unknown: { context, lua, type, writing in
                LuaState.from(context, lua) { state, stack throws(LuaError) in
                    if !writing, state.types[Int(type)].missing(stack) { return 1 }
                    throw state.types[Int(type)].unknown(stack, writing: writing)
                }
            },
            release: { context, type, payload in
                guard let context, let payload else { return }
                Unmanaged<LuaState>.fromOpaque(context).takeUnretainedValue().types[Int(type)].release(payload)
            },
            now: { context in
                guard let context else { return 0 }
                let settings = Unmanaged<LuaState>.fromOpaque(context).takeUnretainedValue().settings
                return settings.frozenTime ?? Int64(time(nil))
            },
            cpu: { context in
                guard let context else { return 0 }
                let settings = Unmanaged<LuaState>.fromOpaque(context).takeUnretainedValue().settings
                return settings.frozenTime == nil ? Double(clock()) / Double(CLOCKS_PER_SEC) : 0
            })
    }

    /// Runs a callback's body. An error it throws is pushed for C to raise.
    @inline(__always)
    private static func from(
        _ context: UnsafeMutableRawPointer?, _ lua: OpaquePointer?,
        _ body: (LuaState, LuaStack) throws(LuaError) -> Int32
    ) -> Int32 {
        guard let context, let lua else { return 0 }
        let state = Unmanaged<LuaState>.fromOpaque(context).takeUnretainedValue()
        let stack = LuaStack(state: state, lua: lua)
        do throws(LuaError) {
            return try body(state, stack)
        } catch {
            state.push(error, on: stack)
            return CLUA_RAISE
        }
    }
}

// MARK: - For tests

extension LuaState {
    /// Makes the nth allocation of Lua code from now fail, once.
    package func failAllocation(after countdown: Int64) { clua_fail_allocation(lua, countdown) }
    /// Number of allocations made by Lua code.
    package var allocationCount: Int64 { clua_allocation_count(lua) }
}
