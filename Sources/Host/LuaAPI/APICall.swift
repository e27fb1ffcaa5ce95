// One checked call of a host function: arguments by position, counted from 0 and without the object of a method. The
// check has run, so a reader gives a value, or nil only where the argument is optional and absent.

import Gate
import HostErrors
import LuaRuntime

struct APICall {
    let stack: LuaStack
    /// Not retained: it is the context whose state is calling.
    unowned(unsafe) let context: PluginContext
    /// The stack index of argument 0.
    let first: Int32
    /// What the function waited for, when it is called again because that is there.
    var errand: PendingRequest?

    /// Asks the gate for something that takes long. nil when the coroutine must be suspended until it is there: the
    /// function gives back `waits` at once then, and is called again.
    func slowly(_ request: GateRequest) throws(LuaError) -> GateReply? {
        do throws(HostError) {
            try context.claimArguments()
            return try reply(to: request)
        } catch { throw context.raised(error) }
    }

    /// The same with the host's own error, for a function that makes something else of it. Arguments are claimed before.
    ///
    /// - Parameter work: what is at hand again, as the errand's, when the function is called again.
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

    /// What a function gives back that must wait.
    var waits: Int32 { stack.wait() }

    func index(_ position: Int32) -> Int32 { first + position }
    func isNil(_ position: Int32) -> Bool { stack.isNil(at: index(position)) }

    /// A string, or a number as Lua writes it; nil when absent.
    func text(_ position: Int32) -> String? {
        var bytes: [UInt8] = []
        return stack.append(at: index(position), to: &bytes) ? String(decoding: bytes, as: UTF8.self) : nil
    }
    func integer(_ position: Int32) -> Int64? { stack.integer(at: index(position)) }
    func bool(_ position: Int32) -> Bool? { stack.bool(at: index(position)) }

    /// A member of the table of options at that position; `.nil` when either is absent.
    func option(_ name: String, of position: Int32) -> LuaValue {
        guard stack.kind(at: index(position)) == .table else { return .nil }
        stack.pushField(name, of: index(position))
        defer { stack.pop() }
        return stack.value(at: -1)
    }

    /// Data that could not be read: gives back nil and the reason.
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
