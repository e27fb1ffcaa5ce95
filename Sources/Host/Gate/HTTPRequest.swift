// A plugin's HTTP GET of any address. It contains none of the host's secrets. The address, every redirect and the
// address of a cached response each need a grant.

import Basics
import VideoModel
import WebClient

/// An HTTP GET.
public struct HTTPRequest: Sendable {
    /// `http` or `https`, with a host.
    public var address: WebAddress
    public var headers: [WebHeader] = []
    /// The total timeout in seconds.
    public var timeout = 30.0
    /// The largest accepted body in bytes.
    public var largestBody = 8 << 20
    /// How the cache is used; nil for the run's policy.
    public var policy: CachePolicy?
    /// Whether the response is stored in the cache.
    public var stores = true
    /// The purpose of the response.
    public var purpose = Purpose.any
    /// The index in the run's list of sources when the user named the address; that entry's address is fetched. nil for
    /// an address from a plugin.
    public var origin: Int?

    /// The purpose of a request. It decides how the response is cached and which extra permissions apply.
    public enum Purpose: String, Sendable, CaseIterable {
        case any
        /// Cached for a year, because feeds are unavailable at times. A response that is not a feed never replaces a
        /// cached one.
        case feed
        /// A page to preview; long pages are cut.
        case page
        /// A picture of a video. The `search` grant allows it from the services' image hosts.
        case picture
        /// An oEmbed document about a page. If the user named the page, it must be on the same site.
        case oembed
    }

    /// The ranges a plugin can choose from: the timeout in seconds, and the largest body in bytes.
    package static let timeouts = 1.0...600.0
    package static let sizes: ClosedRange<Int64> = 1...(32 << 20)

    public init(_ address: WebAddress) { self.address = address }

    /// Headers that a plugin cannot set. The host controls routing, length and encoding, and `host` could name a site
    /// other than the granted one.
    private static let reserved: Set = [
        "host", "connection", "content-length", "content-encoding", "transfer-encoding", "te", "trailer", "upgrade",
        "expect", "keep-alive", "accept-encoding", "if-none-match", "if-modified-since", "range",
    ]

    package static func isReserved(header name: String) -> Bool {
        let name = name.lowercased()
        return reserved.contains(name) || name.hasPrefix("proxy-")
    }

    /// Whether this is an https address on port 443 of a service's image host.
    package static func isPicture(_ address: WebAddress) -> Bool {
        address.scheme == "https" && address.port ?? 443 == 443 && Thumbnail.isImageHost(address.host ?? "")
    }
}
