// What the states of one run may use. A budget that is spent cannot be caught by Lua code: every further step raises
// again until the host has its call back.

import CLua

/// A budget shared by all states of a run.
public final class LuaBudget {
    /// What can be spent.
    public enum Resource: String, Sendable, CaseIterable {
        case cpu, wall, instructions, memory
        /// Something that the host counts.
        case host

        fileprivate var code: Int32 {
            switch self {
            case .cpu: CLUA_BUDGET_CPU
            case .wall: CLUA_BUDGET_WALL
            case .instructions: CLUA_BUDGET_INSTRUCTIONS
            case .memory: CLUA_BUDGET_MEMORY
            case .host: CLUA_BUDGET_HOST
            }
        }
    }

    let budget: OpaquePointer

    /// - Throws: `LuaError` of kind `.memory` when there is no memory.
    public init() throws(LuaError) {
        guard let made = clua_budget_new() else { throw LuaError("no memory for a budget", kind: .memory) }
        budget = made
    }

    deinit { clua_budget_free(budget) }

    /// Limits from now on that Lua code itself looks at as it runs, every thousand instructions. This costs a tenth to a
    /// half of Lua's speed; a process of its own can have `expire` called by a signal instead.
    ///
    /// - Parameters:
    ///   - cpu: seconds of the process's CPU time; 0 for no limit.
    ///   - wall: seconds of real time; 0 for no limit.
    ///   - instructions: of Lua's machine, in thousands rounded up; 0 for no limit.
    public func limit(cpu: Double = 0, wall: Double = 0, instructions: Int64 = 0) {
        clua_budget_limit(budget, cpu, wall, instructions)
    }

    /// The same limits told by signals (SIGPROF and SIGALRM), at no cost to Lua. Only for a process that runs nothing but
    /// this budget's states.
    public func limitBySignals(cpu: Double, wall: Double) { clua_budget_use_timers(budget, cpu, wall) }

    /// Bytes that all states together may have; 0 for no limit.
    public func limit(memory: Int) { clua_budget_limit_memory(budget, memory) }

    /// Says that something is spent. The first reason stands.
    public func expire(_ resource: Resource) { clua_budget_expire(budget, resource.code) }

    /// Bytes that its states have now.
    public var memoryUsed: Int { clua_budget_memory(budget) }

    /// What is spent; nil while nothing is.
    public var spent: Resource? {
        let code = clua_budget_spent(budget)
        return Resource.allCases.first { $0.code == code }
    }
}
