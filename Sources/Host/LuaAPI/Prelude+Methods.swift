// The prelude chunk with the methods of results and lists. Each method adds a step to the previous steps.

import Basics

extension Prelude {
    /// The methods of results and lists, compiled on first use. Most plugins use none but `:list()`, and compiling all
    /// of them took a twentieth of a short run. `type` is passed in, because a plugin may have replaced the global by
    /// then.
    static var rest: [UInt8] { Resource.preludeMethods.bytes }
}
