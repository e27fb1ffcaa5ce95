// A Lua state that is made before anybody knows what for: a worker makes one while it waits for its request.

import LuaRuntime

/// A state with the prelude compiled, for the first plugin that is loaded.
package final class PrewarmedState {
    private var made: (state: LuaState, prelude: LuaReference)?

    package init() {
        guard let state = try? LuaState(), let prelude = try? Prelude.compiled(in: state) else { return }
        made = (state, prelude)
    }

    /// The state, for whoever asks first; nil after that, and for a seed that it was not made with.
    func take(seed: UInt64) -> (state: LuaState, prelude: LuaReference)? {
        guard let made, made.state.settings.seed == seed else { return nil }
        self.made = nil
        return made
    }
}
