// A plugin's declarations: roles, options, fields and grants.

import HostErrors
import VideoModel

/// A plugin's declarations.
public struct PluginManifest: Sendable {
    /// The roles of a plugin, in the order a run uses them.
    public enum Role: String, CaseIterable, Sendable {
        case search, filter, map, score, rank, format, written, run
    }

    public var name: String
    public var path: String
    public var summary: String?
    public var roles: [Role] = []
    public var options: [PluginOption] = []
    /// The video fields it reads.
    public var fields: [VideoField] = []
    /// The grants it requests.
    public var needs: [String] = []
    public var isScript = false

    package init(
        name: String, path: String, summary: String? = nil, roles: [Role] = [], options: [PluginOption] = [],
        fields: [VideoField] = [], needs: [String] = [], isScript: Bool = false
    ) {
        self.name = name
        self.path = path
        self.summary = summary
        self.roles = roles
        self.options = options
        self.fields = fields
        self.needs = needs
        self.isScript = isScript
    }
}

/// Loads plugins in a sandboxed process. The result has, in the same order, each plugin's declarations or why it could
/// not be loaded.
package typealias PluginManifestReader = ([PluginFile]) throws(HostError) -> [Result<PluginManifest, HostError>]
