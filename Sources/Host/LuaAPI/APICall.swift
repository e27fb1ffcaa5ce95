// One checked call of a host function. Positions count from 0 and exclude the object of a method. The arguments are
// already checked, so a reader returns nil only for an optional argument that is absent.

import Gate
import HostErrors
import LuaRuntime

struct APICall {
    let stack: LuaStack
    /// Not retained: it is the context whose state makes the call.
    unowned(unsafe) let context: PluginContext
    /// The stack index of argument 0.
    let first: Int32
    /// The finished request, when the function is called again after a wait.
    var errand: PendingRequest?

    /// Sends a slow request to the gate. Returns nil when the coroutine must be suspended until the reply arrives: the
    /// function must then return `waits` at once, and is called again.
    func slowly(_ request: GateRequest) throws(LuaError) -> GateReply? {
        do throws(HostError) {
            try context.claimArguments()
            return try reply(to: request)
        } catch { throw context.raised(error) }
    }

    /// The same, but throws the host's own error, for functions that handle it. The caller must claim the arguments
    /// first.
    ///
    /// - Parameter work: an object stored with the request, available when the function is called again.
    func reply(to request: GateRequest, work: AnyObject? = nil) throws(HostError) -> GateReply? {
        if let errand { return try errand.reply() }
        let gate = context.environment.gate
        guard stack.mayWait else { return try gate.ask(request, for: context.path) }
        let errand = try PendingRequest(request, for: context.path, at: gate)
        if errand.isDone { return try errand.reply() }
        errand.work = work
        stack.push(errand, as: context.types.errand)
        return nil
    }

    /// The result of a function that must wait.
    var waits: Int32 { stack.wait() }

    func index(_ position: Int32) -> Int32 { first + position }
    func isNil(_ position: Int32) -> Bool { stack.isNil(at: index(position)) }

    /// A string, or a number formatted as Lua does; nil when absent.
    func text(_ position: Int32) -> String? {
        var bytes: [UInt8] = []
        return stack.append(at: index(position), to: &bytes) ? String(decoding: bytes, as: UTF8.self) : nil
    }
    func integer(_ position: Int32) -> Int64? { stack.integer(at: index(position)) }
    func bool(_ position: Int32) -> Bool? { stack.bool(at: index(position)) }

    /// A member of the options table at that position; `.nil` when either is absent.
    func option(_ name: String, of position: Int32) -> LuaValue {
        guard stack.kind(at: index(position)) == .table else { return .nil }
        stack.pushField(name, of: index(position))
        defer { stack.pop() }
        return stack.value(at: -1)
    }

    /// Returns nil and the reason why the data is unreadable.
    func unreadable(_ reason: String) -> Int32 {
        stack.push()
        stack.push(reason)
        return 2
    }

    func gives(_ text: String?) -> Int32 {
        if let text { stack.push(text) } else { stack.push() }
        return 1
    }
    func gives(_ whole: Int64?) -> Int32 {
        if let whole { stack.push(whole) } else { stack.push() }
        return 1
    }
}
