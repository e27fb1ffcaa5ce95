// Network options of a run, as given by flags.

import HostErrors
import VideoServices
import WebClient

/// The profile to use, and how to use cached replies.
public struct NetworkOptions: Sendable {
    /// The profile whose key is used; nil for the selected one.
    public var profile: String?
    /// No request is sent.
    public var isOffline = false
    /// Cached replies are revalidated before they are used.
    public var isFresh = false
    /// nil for each service's default.
    package private(set) var policy: CachePolicy?

    public init() {}

    /// The names that `set(policy:)` takes.
    public static let policies = CachePolicy.allCases.map(\.rawValue)

    /// Sets how cached replies are used.
    ///
    /// - Throws: `.usage` if the policy is unknown.
    public mutating func set(policy name: String) throws(HostError) {
        guard let policy = CachePolicy(rawValue: name) else {
            throw .usage("there is no cache policy '\(name)'; " + Nearest.advice(for: name, among: Self.policies))
        }
        self.policy = policy
    }

    /// - Throws: `.usage` for options that exclude each other, and for an invalid profile name.
    public func check() throws(HostError) {
        if isFresh, isOffline || policy == .localOnly || policy == .localThenNetwork {
            throw .usage(
                "--fresh asks the service, and \(isOffline ? "--offline" : "--cache \(policy?.rawValue ?? "")") does not",
                hint: "leave one of them out")
        }
        guard let profile else { return }
        if profile.isEmpty { throw .usage("--profile needs a name") }
        guard CredentialStore.isName(profile) else {
            throw .service(.credentials(service: YouTubeService.name, .badName(profile)))
        }
    }
}
