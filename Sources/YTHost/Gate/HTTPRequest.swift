// A read of any address, as a plugin asks for it. It names no secret of the host's, and where it leads needs a grant:
// the address, every redirect, and the address that an answer was kept under.

import Threads
import VideoModel
import VideoServices
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
    /// Takes what is a picture, and says how long anybody waits; nil where pages are wanted. The host's alone.
    var pictures: DirectPictures?

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
    static let timeouts = 1.0...600.0
    static let sizes: ClosedRange<Int64> = 1...(32 << 20)

    public init(_ address: WebAddress) { self.address = address }

    /// Headers that a plugin may not set: they say where a request goes, how long it is and how it travels, which is the
    /// host's to say, or they would name another site than the one that was granted.
    private static let reserved: Set = [
        "host", "connection", "content-length", "content-encoding", "transfer-encoding", "te", "trailer", "upgrade",
        "expect", "keep-alive", "accept-encoding", "if-none-match", "if-modified-since", "range",
    ]

    static func isReserved(header name: String) -> Bool {
        let name = name.lowercased()
        return reserved.contains(name) || name.hasPrefix("proxy-")
    }

    /// Sends it where these grants lead.
    ///
    /// - Parameters:
    ///   - plugin: the path of the plugin that asks; nil for code from the command line.
    ///   - seconds: what is left of the run's time.
    func send(
        by network: Network, for plugin: String?, _ places: NetPlaces, within seconds: Double
    ) throws(HostError) -> WebResponse {
        var request = request(network, space: "plugin \(plugin ?? "-")", within: seconds)
        request.target = .open(except: places.endpoints)
        let refused = Monitor<WebAddress?>(nil)
        let mayAsk = { @Sendable [self] (address: WebAddress) in
            places.cover(address) || purpose == .picture && Self.isPicture(address)
        }
        request.allowsRedirect = { next in
            if mayAsk(next) { return true }
            refused.withLock { $0 = next }
            return false
        }
        guard mayAsk(address) else { throw .grantMissing(plugin: plugin, .net(address)) }
        let response: WebResponse
        do throws(WebError) { response = try network.session.send(request) } catch {
            if let next = refused.withLock({ $0 }) { throw .grantMissing(plugin: plugin, .net(next)) }
            throw .web(error, source: nil)
        }
        guard mayAsk(response.address) else { throw .grantMissing(plugin: plugin, .net(response.address)) }
        return response
    }

    /// Whether an address is of a host from which services show pictures, asked in the usual way.
    static func isPicture(_ address: WebAddress) -> Bool {
        address.scheme == "https" && address.port ?? 443 == 443 && Thumbnail.isImageHost(address.host ?? "")
    }

    /// Sends it for the user, who named its address: to any public place, and to these private ones.
    func sendAsNamed(
        by network: Network, within seconds: Double, except endpoints: [WebEndpoint]
    ) throws(HostError) -> WebResponse {
        var request = request(network, space: "named", within: seconds)
        request.target = .open(except: endpoints)
        do throws(WebError) { return try network.session.send(request) } catch { throw .web(error, source: nil) }
    }

    private func request(_ network: Network, space: String, within seconds: Double) -> WebRequest {
        var request = WebRequest(.get, address)
        request.headers = headers
        request.deadlines.total = max(0.001, min(timeout, seconds))
        request.deadlines.connect = min(request.deadlines.connect, request.deadlines.total)
        request.largestBody = largestBody
        // What headers ask for is known to the plugin alone: such answers are not one another's.
        if headers.isEmpty {
            request.cache = network.cacheUse(space: space, policy: policy, freshFor: freshFor)
            request.cache?.stores = stores
        }
        if purpose == .page || purpose == .oembed {
            request.retry.attempts = pictures == nil ? 2 : 1
            request.largestBody =
                purpose == .oembed ? Self.longestReply : pictures == nil ? Self.longestPage : largestBody
            request.cutsBody = purpose == .page
            request.redirects = Self.mostRedirects
            // Of pages a part is kept: nobody else may take that for the whole.
            request.cache?.space += pictures == nil ? " previews" : " pictures"
            if headers.isEmpty, purpose == .page {
                request.headers = [WebHeader("Accept", "text/html,application/xhtml+xml,*/*;q=0.5")]
            }
        }
        // Where one size cannot be had, the next is asked for.
        if purpose == .picture { request.retry = .never }
        if purpose == .feed {
            request.retry.attempts = 2
            request.retry.judge = FeedVerdict.judge
            request.takesPart = true
            request.cache?.keptFor = 365 * 86_400
        }
        return request
    }

    /// Bytes that are read of a page, and of a reply about one: what pages say of themselves stands at times far behind
    /// their head, and hardly ever behind this.
    private static let longestPage = 2 << 20
    private static let longestReply = 1 << 20
    /// Redirects that are followed on the way to a page: more lead round in practice.
    private static let mostRedirects = 5

    /// Seconds for which it is not asked for again.
    private var freshFor: Int64 {
        switch purpose {
        case .page, .oembed: 3600
        case .feed: 600
        default: 0
        }
    }
}

extension WebResponse {
    /// What a person should know of an old answer that stands in for one that could not be had.
    var remark: String? {
        switch origin {
        case .fallback(let age, let error): SearchPage.Fallback.text(ErrorReport(error, source: nil).message, age: age)
        case .fallbackAfter(let age, 200):
            SearchPage.Fallback.text(
                "\(address.host ?? "the server") answers with something else, or not to the end", age: age)
        case .fallbackAfter(let age, let status):
            SearchPage.Fallback.text("\(address.host ?? "the server") answers with status \(status)", age: age)
        case .network, .kept, .confirmed: nil
        }
    }
}
