// Reads a plugin's declaration by loading it.

import Gate
import HostErrors
import Packages

extension Run {
    /// Loads a plugin with little time and memory, and reads its declaration. A script is stopped at its first side
    /// effect.
    package static func manifest(of name: String, gate: any Gate) throws(HostError) -> PluginManifest {
        var request = RunRequest()
        request.budgets.cpu = declaringSeconds
        request.budgets.memory = declaringMemory
        let run = try Run(request, gate: gate, isAlone: false)
        return try run.declare(name)
    }

    /// Limits on a plugin while its declaration is read.
    private static let declaringSeconds = 0.25
    private static let declaringMemory = 32 << 20
}
