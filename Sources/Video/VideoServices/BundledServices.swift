// The services that come with ythost. Adding one is adding a row here, and a file with what it does: it says itself which
// options it honours, what can be looked up, whether it needs an account (`AccountService`) and where it is
// (`ServiceSite`).

public enum BundledServices {
    /// Makes each of them, in the order they are listed. Making one costs nothing: nothing is opened or sent.
    private static let makers: [@Sendable (Network) -> any VideoService] = [
        { YouTubeService(network: $0) }, { _ in SampleService() }, { PeerTubeService(network: $0) },
        { DuckDuckGoService(network: $0) }, { YtDlpService(network: $0) },
        { VimeoService(network: $0) },
    ]

    /// All services. The first is the one that is searched when nothing is chosen: the first that has a key or should
    /// have one, else the sample library.
    public static func all(_ network: Network) -> [any VideoService] {
        let all = makers.map { $0(network) }
        let first = all.first { ($0 as? any AccountService)?.isConfigured == true } ?? all.first { $0 is SampleService }
        return all.filter { $0.name == first?.name } + all.filter { $0.name != first?.name }
    }
}
