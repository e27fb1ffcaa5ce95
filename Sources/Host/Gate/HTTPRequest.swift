// A read of any address, as a plugin asks for it. It names no secret of the host's, and where it leads needs a grant:
// the address, every redirect, and the address that an answer was kept under.

import Basics
import VideoModel
import WebClient

/// An HTTP GET.
public struct HTTPRequest: Sendable {
    /// `http` or `https`, with a host.
    public var address: WebAddress
    public var headers: [WebHeader] = []
    /// Seconds for everything.
    public var timeout = 30.0
    /// The most bytes of the body.
    public var largestBody = 8 << 20
    /// How kept answers are used; nil for the way of the run.
    public var policy: CachePolicy?
    /// Whether the answer is kept.
    public var stores = true
    /// What the answer is for.
    public var purpose = Purpose.any
    /// The place in the run's own list of an address that its user named, which is what is asked; nil for an address of
    /// a plugin's.
    public var origin: Int?

    /// What an answer is for decides how it is kept, and what else than it may do.
    public enum Purpose: String, Sendable, CaseIterable {
        case any
        /// Kept for a year, since feeds are out of order at times; an answer that is none takes no kept one's place.
        case feed
        /// A page to be previewed: cut where it gets long.
        case page
        /// A picture of a video: who may search may read it from the services' image hosts.
        case picture
        /// What a provider says of a page: of the same site as the page, when the user named that.
        case oembed
    }

    /// Seconds that a request may take, and bytes of a body, by choice of a plugin.
    package static let timeouts = 1.0...600.0
    package static let sizes: ClosedRange<Int64> = 1...(32 << 20)

    public init(_ address: WebAddress) { self.address = address }

    /// Headers that a plugin may not set: they say where a request goes, how long it is and how it travels, which is the
    /// host's to say, or they would name another site than the one that was granted.
    private static let reserved: Set = [
        "host", "connection", "content-length", "content-encoding", "transfer-encoding", "te", "trailer", "upgrade",
        "expect", "keep-alive", "accept-encoding", "if-none-match", "if-modified-since", "range",
    ]

    package static func isReserved(header name: String) -> Bool {
        let name = name.lowercased()
        return reserved.contains(name) || name.hasPrefix("proxy-")
    }

    /// Whether an address is of a host from which services show pictures, asked in the usual way.
    package static func isPicture(_ address: WebAddress) -> Bool {
        address.scheme == "https" && address.port ?? 443 == 443 && Thumbnail.isImageHost(address.host ?? "")
    }
}
