// Packages as the command works on them: plugins are asked for their declarations by a sandboxed worker of a host.

import HostErrors
import Packages
import VideoServices

extension PackageInstaller {
    /// - Parameters:
    ///   - host: finds plugins, and loads those of a package to read their declarations.
    ///   - network: fetches archives.
    public init(home: PackageDirectory, host: ScriptHost, network: Network, policy: SharingPolicy) throws(HostError) {
        try self.init(
            home: home, folders: host.locator.folders, network: network, policy: policy
        ) { plugins throws(HostError) in
            try host.having(plugins).manifestsIsolated(of: plugins.map(\.path))
        }
    }
}
