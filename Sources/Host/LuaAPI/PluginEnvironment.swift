// What the Lua states of all plugins of a run share.

import Basics
import Files
import Gate
import HostErrors
import LuaRuntime
import RecordStreams
import Threads
import VideoModel

/// What host functions reach of the outside, and how the run was set up.
package struct PluginEnvironment {
    package let gate: any Gate
    package let output: OutputBuffer
    /// Epoch seconds that stand for now; nil for the real clock.
    package let frozenTime: Int64?
    package let seed: UInt64
    /// Rows a search reads at most when it does not say.
    package let defaultLimit: Int?
    /// The source of searches that name none; nil for the configured one.
    package let source: String?
    package let zone: ZoneRules?
    package let budget: LuaBudget
    package let budgets: Budgets
    /// A state that is there already.
    package let ready: PrewarmedState?
    /// Names of the host's flags, which options may not have.
    package let hostFlags: [String]

    package init(
        gate: any Gate, output: OutputBuffer, frozenTime: Int64?, seed: UInt64, defaultLimit: Int?, source: String?,
        zone: ZoneRules?, budget: LuaBudget, budgets: Budgets, ready: PrewarmedState?,
        hostFlags: [String]
    ) {
        self.gate = gate
        self.output = output
        self.frozenTime = frozenTime
        self.seed = seed
        self.defaultLimit = defaultLimit
        self.source = source
        self.zone = zone
        self.budget = budget
        self.budgets = budgets
        self.ready = ready
        self.hostFlags = hostFlags
    }
}
