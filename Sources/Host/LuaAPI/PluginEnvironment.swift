// Data shared by the Lua states of all plugins of a run.

import Basics
import Files
import Gate
import HostErrors
import LuaRuntime
import RecordStreams
import Threads
import VideoModel

/// The gate and the settings of the run, for host functions.
package struct PluginEnvironment {
    package let gate: any Gate
    package let output: OutputBuffer
    package let lookUps: LookUps
    /// Epoch seconds that replace the current time; nil for the real clock.
    package let frozenTime: Int64?
    package let seed: UInt64
    /// Default maximum of rows for a search.
    package let defaultLimit: Int?
    /// The default source of searches; nil for the configured one.
    package let source: String?
    package let zone: ZoneRules?
    package let budget: LuaBudget
    package let budgets: Budgets
    /// A prewarmed state.
    package let ready: PrewarmedState?
    /// Names of the host's flags, which plugin options may not use.
    package let hostFlags: [String]

    package init(
        gate: any Gate, output: OutputBuffer, lookUps: LookUps, frozenTime: Int64?, seed: UInt64, defaultLimit: Int?,
        source: String?,
        zone: ZoneRules?, budget: LuaBudget, budgets: Budgets, ready: PrewarmedState?,
        hostFlags: [String]
    ) {
        self.gate = gate
        self.output = output
        self.lookUps = lookUps
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
