// The values a host function was given and the values it gives back. Index 1 is the first argument; pushed values lie
// on top. A stack is valid only inside the call it was handed to.

import CLua

/// A host function: reads arguments, pushes results, and returns how many it pushed.
public typealias LuaFunctionBody = (LuaStack) throws(LuaError) -> Int32

/// A body in a list. Bare in an array, a closure is kept in its most general form and each call passes through two
/// conversions.
struct HostFunction {
    let body: LuaFunctionBody
}

/// A view of a state's stack during one call.
public struct LuaStack {
    /// Not retained, which keeps a stack a plain value that costs nothing to hand on. It is safe because the state
    /// outlives every use: inside a callback it is the state that is calling, and a stack taken from `LuaState.stack`
    /// is used by whoever holds that state.
    public unowned(unsafe) let state: LuaState
    let lua: OpaquePointer

    /// Lua's types of values.
    public enum Kind: Int32, Sendable {
        case none = -1
        case `nil`, boolean, lightUserdata, number, string, table, function, userdata, coroutine

        /// Lua's name for the type.
        public var name: String {
            switch self {
            case .none: "no value"
            case .nil: "nil"
            case .boolean: "boolean"
            case .number: "number"
            case .string: "string"
            case .table: "table"
            case .function: "function"
            case .userdata, .lightUserdata: "userdata"
            case .coroutine: "thread"
            }
        }
    }

    // MARK: Reading

    /// How many values there are.
    public var count: Int32 { clua_top(lua) }
    public func kind(at index: Int32) -> Kind { Kind(rawValue: clua_type(lua, index)) ?? .none }
    /// Whether nothing was given at that place, or nil.
    public func isNil(at index: Int32) -> Bool { clua_type(lua, index) <= CLUA_NIL }
    /// A boolean value; nil for any other type.
    public func bool(at index: Int32) -> Bool? {
        clua_type(lua, index) == CLUA_BOOLEAN ? clua_to_boolean(lua, index) : nil
    }
    /// Lua's truth of the value.
    public func isTrue(at index: Int32) -> Bool { clua_to_boolean(lua, index) }
    /// A whole number, also from a float without fraction; nil for any other value, strings included.
    public func integer(at index: Int32) -> Int64? {
        guard clua_type(lua, index) == CLUA_NUMBER else { return nil }
        return clua_is_integer(lua, index) ? clua_to_integer(lua, index) : Int64(exactly: clua_to_number(lua, index))
    }
    public func number(at index: Int32) -> Double? {
        clua_type(lua, index) == CLUA_NUMBER ? clua_to_number(lua, index) : nil
    }
    /// The bytes of a string value.
    public func bytes(at index: Int32) -> [UInt8]? {
        withBytes(at: index) { Array($0) }
    }
    /// The text of a string value; bytes that are not UTF-8 become U+FFFD.
    public func text(at index: Int32) -> String? {
        withBytes(at: index) { String(decoding: $0, as: UTF8.self) }
    }
    /// Appends the bytes of a string value, or a number as Lua prints it; false for any other type.
    public func append(at index: Int32, to buffer: inout [UInt8]) -> Bool {
        switch clua_type(lua, index) {
        case CLUA_STRING:
            withBytes(at: index) { buffer.append(contentsOf: $0) }
            return true
        case CLUA_NUMBER:
            if clua_is_integer(lua, index) {
                buffer.append(contentsOf: String(clua_to_integer(lua, index)).utf8)
            } else {
                buffer.append(contentsOf: LuaState.text(of: clua_to_number(lua, index)).utf8)
            }
            return true
        default:
            return false
        }
    }
    /// Whether the string value at that place has just these bytes.
    public func equals(_ text: StaticString, at index: Int32) -> Bool {
        withBytes(at: index) { bytes in
            bytes.count == text.utf8CodeUnitCount
                && text.withUTF8Buffer { $0.elementsEqual(bytes) }
        } ?? false
    }

    /// Lends the bytes of a string value; false for any other type.
    public func withSpan(at index: Int32, _ body: (Span<UInt8>) -> Void) -> Bool {
        withBytes(at: index) { body($0.span) } != nil
    }

    @discardableResult
    @inline(__always)
    private func withBytes<R>(at index: Int32, _ body: (UnsafeBufferPointer<UInt8>) -> R) -> R? {
        var length = 0
        guard let start = clua_to_bytes(lua, index, &length) else { return nil }
        return start.withMemoryRebound(to: UInt8.self, capacity: length) {
            body(UnsafeBufferPointer(start: $0, count: length))
        }
    }

    /// The value, with references kept for tables, functions, userdata and coroutines.
    public func value(at index: Int32) -> LuaValue {
        switch clua_type(lua, index) {
        case CLUA_BOOLEAN: return .boolean(clua_to_boolean(lua, index))
        case CLUA_NUMBER:
            return clua_is_integer(lua, index)
                ? .integer(clua_to_integer(lua, index)) : .number(clua_to_number(lua, index))
        case CLUA_STRING: return .string(LuaString(bytes(at: index) ?? []))
        case CLUA_TABLE: return .table(reference(at: index))
        case CLUA_FUNCTION: return .function(reference(at: index))
        case CLUA_USERDATA: return .userdata(reference(at: index))
        case CLUA_THREAD: return .coroutine(reference(at: index))
        default: return .nil
        }
    }

    /// Keeps the value at that place.
    public func reference(at index: Int32) -> LuaReference {
        clua_push_value(lua, index)
        return LuaReference(state: state, index: clua_reference(lua))
    }

    /// The Swift value inside a userdata of that type; nil for anything else.
    public func payload<Payload>(at index: Int32, as id: LuaTypeID<Payload>) -> Payload? {
        clua_to_userdata(lua, index, id.index)?.assumingMemoryBound(to: Payload.self).pointee
    }

    /// Whether the value is a userdata of that type.
    public func isUserdata<Payload>(at index: Int32, of id: LuaTypeID<Payload>) -> Bool {
        clua_to_userdata(lua, index, id.index) != nil
    }

    /// Changes the Swift value inside a userdata in place; nil when it is not of that type.
    public func withPayload<Payload, R>(
        at index: Int32, as id: LuaTypeID<Payload>, _ body: (inout Payload) -> R
    ) -> R? {
        guard let payload = clua_to_userdata(lua, index, id.index) else { return nil }
        return body(&payload.assumingMemoryBound(to: Payload.self).pointee)
    }

    /// Identity of a table, to find cycles with.
    public func identity(at index: Int32) -> Int { Int(bitPattern: clua_identity(lua, index)) }
    /// The border of a table or the length of a string, without metamethods.
    public func rawLength(at index: Int32) -> Int { Int(clua_raw_length(lua, index)) }

    // MARK: Tables, without metamethods

    /// Pushes `table[name]`.
    public func pushField(_ name: String, of index: Int32) {
        let table = absolute(index)
        push(name)
        clua_raw_get(lua, table)
    }
    /// Pushes `table[position]`.
    public func pushElement(_ position: Int64, of index: Int32) { clua_raw_get_index(lua, index, position) }
    /// Whether a table has nothing in it.
    public func isEmptyTable(at index: Int32) -> Bool {
        let table = absolute(index)
        push()
        guard clua_next(lua, table) else { return true }
        pop(2)
        return false
    }
    /// Stores the value on top as `table[name]` and pops it.
    public func setField(_ name: String, of index: Int32) {
        let table = absolute(index)
        push(name)
        clua_insert(lua, -2)
        clua_raw_set(lua, table)
    }
    /// Stores the value on top as `table[position]` and pops it.
    public func setElement(_ position: Int64, of index: Int32) { clua_raw_set_index(lua, index, position) }
    /// Visits every pair: the key lies at index -2, the value on top. The body must leave the stack as it was.
    public func forEachPair(of index: Int32, _ body: (LuaStack) throws(LuaError) -> Void) throws(LuaError) {
        let table = absolute(index)
        try reserve(4)
        let top = count
        push()
        while clua_next(lua, table) {
            do throws(LuaError) { try body(self) } catch {
                clua_set_top(lua, top)
                throw error
            }
            clua_set_top(lua, top + 2 - 1)
        }
    }

    // MARK: Writing

    /// Makes room for more values; needed before pushing more than about a dozen.
    public func reserve(_ slots: Int32) throws(LuaError) {
        guard clua_reserve(lua, slots) else { throw LuaError("values nested too deeply") }
    }
    public func push() { clua_push_nil(lua) }
    public func push(_ flag: Bool) { clua_push_boolean(lua, flag) }
    public func push(_ whole: Int64) { clua_push_integer(lua, whole) }
    public func push(_ number: Double) { clua_push_number(lua, number) }
    public func push(_ text: String) {
        var text = text
        text.withUTF8 { clua_push_bytes(lua, $0.baseAddress, $0.count) }
    }
    public func push(bytes: [UInt8]) {
        bytes.withUnsafeBufferPointer { clua_push_bytes(lua, $0.baseAddress, $0.count) }
    }
    public func push(bytes: Span<UInt8>) {
        bytes.withUnsafeBufferPointer { clua_push_bytes(lua, $0.baseAddress, $0.count) }
    }
    public func push(bytes: ArraySlice<UInt8>) {
        bytes.withUnsafeBufferPointer { clua_push_bytes(lua, $0.baseAddress, $0.count) }
    }
    public func push(copyOf index: Int32) { clua_push_value(lua, index) }
    public func push(_ reference: LuaReference) { clua_push_reference(lua, reference.index) }
    public func pushTable(elements: Int = 0, members: Int = 0) {
        clua_push_table(lua, Int32(clamping: elements), Int32(clamping: members))
    }
    public func pushGlobals() { clua_push_globals(lua) }
    public func push(_ value: LuaValue) {
        switch value {
        case .nil: push()
        case .boolean(let flag): push(flag)
        case .integer(let whole): push(whole)
        case .number(let number): push(number)
        case .string(let string): push(bytes: string.bytes)
        case .table(let reference), .function(let reference), .userdata(let reference), .coroutine(let reference):
            push(reference)
        }
    }
    /// A userdata that holds the Swift value.
    ///
    /// - Parameter charge: bytes outside Lua that the value keeps alive; they count as the state's memory.
    public func push<Payload>(_ payload: Payload, as id: LuaTypeID<Payload>, charge: Int = 0) {
        guard let memory = clua_push_userdata(lua, id.index, MemoryLayout<Payload>.size, charge) else { return push() }
        memory.initializeMemory(as: Payload.self, to: payload)
    }
    /// Tells the collector of bytes that a value keeps alive elsewhere, which it does not see: when they have become many,
    /// it collects.
    public func reportExternalMemory(_ bytes: Int) { clua_press(lua, bytes) }
    /// A function of Lua that calls back into Swift. Made once a state: a body is kept as long as the state.
    public func push(function body: @escaping LuaFunctionBody) { clua_push_function(lua, state.add(body)) }
    public func insert(at index: Int32) { clua_insert(lua, index) }
    public func pop(_ count: Int32 = 1) { clua_set_top(lua, -count - 1) }
    /// Takes the value at index 1 away; the others move down.
    public func removeFirst() { clua_remove(lua, 1) }
    public func setTop(_ index: Int32) { clua_set_top(lua, index) }
    /// Makes the table on top the metatable of the value at that place, and pops it.
    /// Pushes a field of the value's metatable; false, and nothing is pushed, when there is none.
    func pushMetafield(_ name: String, of index: Int32) -> Bool { clua_push_metafield(lua, index, name) }
    public func setMetatable(of index: Int32) { clua_set_metatable(lua, index) }
    /// Yields the `count` values on top to whoever resumed the coroutine; the body is called again with
    /// `state.isResumed` set when it goes on, its arguments replaced by what was passed to resume.
    public func yield(_ count: Int32) -> Int32 {
        clua_set_yield_count(lua, count)
        return CLUA_YIELD
    }
    public var isYieldable: Bool { clua_is_yieldable(lua) }
    /// Whether the host function may wait by suspending the coroutine it runs in: it runs in a task, and no C function
    /// between the two, such as `table.sort`, is in the way.
    public var mayWait: Bool { clua_may_wait(lua) }
    /// Suspends the coroutine until what to wait for, the value on top, is there. The body is called again with
    /// `state.isResumed` set, its arguments still there, and that value on top. Only where `mayWait`.
    public func wait() -> Int32 { CLUA_WAIT }
    /// Pushes `step(coroutine, …)`, which starts a coroutine as a task or goes on with one: it gives "waits" and what for,
    /// "done" and a value, "failed" and an error, or "yields" when the plugin yielded out of it, which ends it.
    public func pushStep() { clua_push_step(lua) }

    /// Calls the function that lies under its `arguments`; leaves `results` values, or throws.
    public func call(arguments: Int32, results: Int32) throws(LuaError) {
        let status = clua_call(lua, arguments, results)
        if status != CLUA_OK { throw state.takeError(lua, status) }
    }

    /// The place in a plugin's code that is running now.
    public var position: LuaError.Position? {
        var shown = [CChar](repeating: 0, count: Int(CLUA_NAME_SIZE))
        let line = clua_position(lua, &shown, shown.count)
        guard line > 0 else { return nil }
        return LuaError.Position(source: LuaState.text(of: shown), line: Int(line))
    }

    func absolute(_ index: Int32) -> Int32 { index < 0 ? count + index + 1 : index }
}
