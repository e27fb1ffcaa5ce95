// Versions of ythost.

import LuaAPI

/// The versions of the program and of its Lua API.
public enum Version {
    public static let number = "0.1.0"
    public static let text = "ythost \(number) (Lua 5.4, API \(API.version))"
}
