/// The version of the `yt` API that this build offers to plugins.
package let luaAPIVersion: Int64 = 1
