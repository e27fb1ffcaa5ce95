// The part of the prelude that has the methods of results and lists: each a step over the steps before it.

import Basics

extension Prelude {
    /// The methods of results and lists, compiled when one is asked for. Most plugins use none but `:list()`, and
    /// compiling all of them took a twentieth of a short run. `type` is handed over: by then a plugin may have put
    /// something else in its place.
    static var rest: [UInt8] { Resource.preludeMethods.bytes }
}
