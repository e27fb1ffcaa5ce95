// Resource limits for all states of a run. Lua code cannot catch an exhausted budget: every further step raises again
// until the host's call returns.

import CLua

/// A budget shared by all states of a run.
public final class LuaBudget {
    /// A limited resource.
    public enum Resource: String, Sendable, CaseIterable {
        case cpu, wall, instructions, memory
        /// A resource that the host counts.
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

    /// - Throws: `LuaError` of kind `.memory` when the budget cannot be allocated.
    public init() throws(LuaError) {
        guard let made = clua_budget_new() else { throw LuaError("no memory for a budget", kind: .memory) }
        budget = made
    }

    deinit { clua_budget_free(budget) }

    /// Sets limits, counted from now, that a Lua hook checks every thousand instructions. The hook takes a tenth to a
    /// half of Lua's speed. A dedicated process can use `limitBySignals` instead.
    ///
    /// - Parameters:
    ///   - cpu: CPU time of the process in seconds; 0 for no limit.
    ///   - wall: real time in seconds; 0 for no limit.
    ///   - instructions: Lua VM instructions, rounded up to thousands; 0 for no limit.
    public func limit(cpu: Double = 0, wall: Double = 0, instructions: Int64 = 0) {
        clua_budget_limit(budget, cpu, wall, instructions)
    }

    /// Sets time limits enforced by signals (SIGPROF and SIGALRM), at no cost to Lua. Only for a process that runs
    /// nothing but this budget's states.
    public func limitBySignals(cpu: Double, wall: Double) { clua_budget_use_timers(budget, cpu, wall) }

    /// Sets the maximum memory of all states together in bytes; 0 for no limit.
    public func limit(memory: Int) { clua_budget_limit_memory(budget, memory) }

    /// Marks a resource as exhausted. Only the first call has an effect.
    public func expire(_ resource: Resource) { clua_budget_expire(budget, resource.code) }

    /// Bytes currently used by all states.
    public var memoryUsed: Int { clua_budget_memory(budget) }

    /// The exhausted resource; nil when none is.
    public var spent: Resource? {
        let code = clua_budget_spent(budget)
        return Resource.allCases.first { $0.code == code }
    }
}
