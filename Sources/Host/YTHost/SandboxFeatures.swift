// The sandbox features of this machine's kernel.

import CProcess

/// A sandbox layer of the process that runs plugins.
public struct SandboxFeature: Sendable, Equatable {
    public let name: String
    /// What it prevents when a plugin exploits a bug in Lua.
    public let summary: String
    /// Whether the kernel supports it.
    public let stands: Bool

    /// All features, with this kernel's support.
    public static var all: [SandboxFeature] {
        let walls = cprocess_walls()
        return [
            SandboxFeature(
                name: "Landlock", summary: "opens no file, even one the user may read",
                stands: walls & Int32(CPROCESS_LANDLOCK) != 0),
            SandboxFeature(
                name: "seccomp", summary: "makes no socket, starts no process",
                stands: walls & Int32(CPROCESS_SECCOMP) != 0),
            SandboxFeature(
                name: "limits", summary: "takes no more memory and CPU time than its budgets, leaves no core",
                stands: walls & Int32(CPROCESS_LIMITS) != 0),
        ]
    }
}
