// A Lua state created in advance: a worker makes one while it waits for its request.

import LuaRuntime

/// A state with the prelude compiled, for the first plugin loaded.
package final class PrewarmedState {
    private var made: (state: LuaState, prelude: LuaReference)?

    package init() {
        guard let state = try? LuaState(), let prelude = try? Prelude.compiled(in: state) else { return }
        made = (state, prelude)
    }

    /// Returns the state to the first caller whose seed matches; nil otherwise.
    func take(seed: UInt64) -> (state: LuaState, prelude: LuaReference)? {
        guard let made, made.state.settings.seed == seed else { return nil }
        self.made = nil
        return made
    }
}
