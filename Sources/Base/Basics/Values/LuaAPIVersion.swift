/// The version of the `yt` API that this build provides to plugins.
package let luaAPIVersion: Int64 = 1
