// The command's package installer. A host's sandboxed worker loads plugins to read their declarations.

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
