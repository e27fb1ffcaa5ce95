// The part of the API written in Lua: `Results`, lists, and `require`. Its loops call plugin functions for every row,
// and a call inside Lua is cheap and may yield. Errors are raised through `host.fail`, which reports the plugin's line,
// since chunks named in brackets are left out of positions.

import Basics
import LuaRuntime

enum Prelude {
    static let name = "[ythost]"

    /// The chunk as a function.
    static func compiled(in state: LuaState) throws(LuaError) -> LuaReference {
        try state.load(source, name: name)
    }

    static var source: [UInt8] { Resource.prelude.bytes }

    /// The prelude functions that the host uses.
    static let parts = ["results", "list", "as_step", "next", "pairs", "require", "all", "map", "merge", "answer"]
}
