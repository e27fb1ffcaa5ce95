// A coroutine driven from Swift.

import CLua

/// A running, suspended or finished coroutine.
public struct LuaCoroutine {
    /// The result of resuming a coroutine.
    public enum Step {
        case yielded([LuaValue])
        case returned([LuaValue])
    }

    let reference: LuaReference
    let stack: LuaStack?

    /// Starts the coroutine, or continues it after a yield.
    ///
    /// - Throws: the error that the coroutine raised. It is then dead and cannot be resumed.
    public func resume(_ arguments: LuaValue...) throws(LuaError) -> Step {
        guard let stack else { throw LuaError("no memory for a coroutine", kind: .memory) }
        try stack.reserve(Int32(clamping: arguments.count) + 8)
        for argument in arguments { stack.push(argument) }
        var results: Int32 = 0
        let status = clua_resume(stack.lua, stack.state.stack.lua, Int32(arguments.count), &results)
        guard status == CLUA_OK || status == CLUA_YIELDED else { throw stack.state.takeError(stack.lua, status) }
        let first = stack.count - results + 1
        let values = (first..<first + results).map { stack.value(at: $0) }
        stack.pop(results)
        return status == CLUA_YIELDED ? .yielded(values) : .returned(values)
    }
}
