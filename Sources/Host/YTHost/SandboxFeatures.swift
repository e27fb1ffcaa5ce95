// What this machine's kernel can shut a worker in with.

import CProcess

/// One of the walls around the process that runs plugins.
public struct SandboxFeature: Sendable, Equatable {
    public let name: String
    /// What it keeps a plugin from that has found a hole in Lua.
    public let summary: String
    /// Whether the kernel has it.
    public let stands: Bool

    /// All of them, as this kernel has them.
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
