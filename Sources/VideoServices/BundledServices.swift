// The services that come with ythost. Adding one is adding a row here, and a file with what it does: it says itself which
// options it honours, what can be looked up, whether it needs an account (`AccountService`) and where it is
// (`ServiceSite`).

import WebClient

public enum BundledServices {
    /// Makes each of them, in the order they are listed. Making one costs nothing: nothing is opened or sent.
    private static let makers: [@Sendable (Network) -> any VideoService] = [
        { YouTubeService(network: $0) }, { _ in SampleService() }, { PeerTubeService(network: $0) },
        { DuckDuckGoService(network: $0) }, { YtDlpService(network: $0) },
    ]

    /// All services. The first is the one that is searched when nothing is chosen: the first that has a key or should
    /// have one, else the sample library.
    public static func all(_ network: Network) -> [any VideoService] {
        let all = makers.map { $0(network) }
        let first = all.first { ($0 as? any AccountService)?.isConfigured == true } ?? all.first { $0 is SampleService }
        return all.filter { $0.name == first?.name } + all.filter { $0.name != first?.name }
    }
}

/// A service that is asked with a key, or another credential, of the user's own.
public protocol AccountService: VideoService {
    /// Whether a key is known, or there should be one: such a service is searched when nothing is chosen.
    var isConfigured: Bool { get }
    /// How to come by a key, for a person to read.
    var guide: String { get }
    /// Tries a key, unless nothing may be sent, and keeps it for a profile, which is the chosen one from then on.
    ///
    /// - Returns: the file that keeps it.
    /// - Throws: why it is no key or cannot be kept; nothing is kept then.
    func keep(_ key: String, profile: String) throws(ServiceError) -> String
    /// Deletes the key of a profile, nil for the chosen one; whether there was one.
    func forget(profile: String?) throws(ServiceError) -> Bool
    /// What was spent with the key that is used, and what is left, by the names of buckets.
    ///
    /// - Parameter time: epoch seconds of the day that is asked about; nil for today.
    func quotas(at time: Int64?) throws(ServiceError) -> [(bucket: String, status: QuotaStatus)]
}
