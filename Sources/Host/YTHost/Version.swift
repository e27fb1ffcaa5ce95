// What this ythost is.

import LuaAPI

/// Versions of the program and of what it speaks.
public enum Version {
    public static let number = "0.1.0"
    public static let text = "ythost \(number) (Lua 5.4, API \(API.version))"
}
