// The arguments and results of a host function. Index 1 is the first argument; pushed values are on top. A stack is
// valid only during the call it was passed to.

import CLua

/// A host function: reads arguments, pushes results, and returns the number of results.
public typealias LuaFunctionBody = (LuaStack) throws(LuaError) -> Int32

/// Wraps a body for storage in an array. A bare closure would be stored in its most general form, and each call would
/// pass through two conversions.
struct HostFunction {
    let body: LuaFunctionBody
}

/// A view of a state's stack during one call.
public struct LuaStack {
    /// Not retained, so that a stack is a trivial value. This is safe because the state outlives every use: a callback
    /// runs inside the state, and a stack from `LuaState.stack` is used by code that holds the state.
    public unowned(unsafe) let state: LuaState
    let lua: OpaquePointer

    /// Lua value types.
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

    /// Number of values on the stack.
    public var count: Int32 { clua_top(lua) }
    public func kind(at index: Int32) -> Kind { Kind(rawValue: clua_type(lua, index)) ?? .none }
    /// Whether the argument is missing or nil.
    public func isNil(at index: Int32) -> Bool { clua_type(lua, index) <= CLUA_NIL }
    /// A boolean value; nil for any other type.
    public func bool(at index: Int32) -> Bool? {
        clua_type(lua, index) == CLUA_BOOLEAN ? clua_to_boolean(lua, index) : nil
    }
    /// Truthiness by Lua's rules.
    public func isTrue(at index: Int32) -> Bool { clua_to_boolean(lua, index) }
    /// An integer, or a float without a fraction; nil for other types, including strings.
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
    /// Appends the bytes of a string, or a number as Lua prints it. Returns false for other types.
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
    /// Whether the value is a string with exactly these bytes.
    public func equals(_ text: StaticString, at index: Int32) -> Bool {
        withBytes(at: index) { bytes in
            bytes.count == text.utf8CodeUnitCount
                && text.withUTF8Buffer { $0.elementsEqual(bytes) }
        } ?? false
    }

    /// Passes the bytes of a string to the body without copying. Returns false for other types.
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

    /// The value as a `LuaValue`. Tables, functions, userdata and coroutines become references.
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

    /// A strong reference to the value at that index.
    public func reference(at index: Int32) -> LuaReference {
        clua_push_value(lua, index)
        return LuaReference(state: state, index: clua_reference(lua))
    }

    /// The Swift value inside a userdata of that type; nil for other values.
    public func payload<Payload>(at index: Int32, as id: LuaTypeID<Payload>) -> Payload? {
        clua_to_userdata(lua, index, id.index)?.assumingMemoryBound(to: Payload.self).pointee
    }

    /// Whether the value is a userdata of that type.
    public func isUserdata<Payload>(at index: Int32, of id: LuaTypeID<Payload>) -> Bool {
        clua_to_userdata(lua, index, id.index) != nil
    }

    /// Modifies the Swift value inside a userdata in place. Returns nil when the value is not of that type.
    public func withPayload<Payload, R>(
        at index: Int32, as id: LuaTypeID<Payload>, _ body: (inout Payload) -> R
    ) -> R? {
        guard let payload = clua_to_userdata(lua, index, id.index) else { return nil }
        return body(&payload.assumingMemoryBound(to: Payload.self).pointee)
    }

    /// Identity of a table, for cycle detection.
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
    /// Whether a table is empty.
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
    /// Visits every pair, with the key at index -2 and the value on top. The body must leave the stack unchanged.
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

    /// Reserves stack slots; required before pushing more than about a dozen values. Throws when the stack is at its
    /// limit.
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
    /// Pushes a userdata that holds the Swift value.
    ///
    /// - Parameter charge: bytes outside Lua that the value keeps alive; they count toward the state's memory.
    public func push<Payload>(_ payload: Payload, as id: LuaTypeID<Payload>, charge: Int = 0) {
        guard let memory = clua_push_userdata(lua, id.index, MemoryLayout<Payload>.size, charge) else { return push() }
        memory.initializeMemory(as: Payload.self, to: payload)
    }
    /// Reports memory that values keep alive outside Lua, in bytes. The collector does not see it; a full collection
    /// runs when enough was reported.
    public func reportExternalMemory(_ bytes: Int) { clua_press(lua, bytes) }
    /// Pushes a Lua function that calls the body. The body is retained for the lifetime of the state, so create each
    /// function once.
    public func push(function body: @escaping LuaFunctionBody) { clua_push_function(lua, state.add(body)) }
    public func insert(at index: Int32) { clua_insert(lua, index) }
    public func pop(_ count: Int32 = 1) { clua_set_top(lua, -count - 1) }
    /// Removes the value at index 1; the others move down.
    public func removeFirst() { clua_remove(lua, 1) }
    public func setTop(_ index: Int32) { clua_set_top(lua, index) }
    /// Pushes a field of the value's metatable. Returns false, without pushing, when there is none.
    func pushMetafield(_ name: String, of index: Int32) -> Bool { clua_push_metafield(lua, index, name) }
    /// Pops the table on top and sets it as the metatable of the value at that index.
    public func setMetatable(of index: Int32) { clua_set_metatable(lua, index) }
    /// Yields the top `count` values. When the coroutine is resumed, the body runs again with `state.isResumed` set and
    /// its arguments replaced by the values passed to resume.
    public func yield(_ count: Int32) -> Int32 {
        clua_set_yield_count(lua, count)
        return CLUA_YIELD
    }
    public var isYieldable: Bool { clua_is_yieldable(lua) }
    /// Whether the host function may wait by suspending its coroutine: it runs in a task, and no C function such as
    /// `table.sort` is in between.
    public var mayWait: Bool { clua_may_wait(lua) }
    /// Suspends the coroutine until the awaited value is available; pass what to wait for on top of the stack. The body
    /// then runs again with `state.isResumed` set, its arguments intact and the value on top. Requires `mayWait`.
    public func wait() -> Int32 { CLUA_WAIT }
    /// Pushes the function `step(coroutine, …)`, which starts a coroutine as a task or continues one. It returns
    /// "waits" and what it waits for, "done" and a value, "failed" and an error, or "yields" when the plugin yielded
    /// out of the task, which ends it.
    public func pushStep() { clua_push_step(lua) }

    /// Calls the function below its `arguments` and leaves `results` values on the stack, or throws.
    public func call(arguments: Int32, results: Int32) throws(LuaError) {
        let status = clua_call(lua, arguments, results)
        if status != CLUA_OK { throw state.takeError(lua, status) }
    }

    /// The current position in plugin code; nil when no Lua code is running.
    public var position: LuaError.Position? {
        var shown = [CChar](repeating: 0, count: Int(CLUA_NAME_SIZE))
        let line = clua_position(lua, &shown, shown.count)
        guard line > 0 else { return nil }
        return LuaError.Position(source: LuaState.text(of: shown), line: Int(line))
    }

    func absolute(_ index: Int32) -> Int32 { index < 0 ? count + index + 1 : index }
}
