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
        var request = WebRequest(.get, address)
        request.headers = headers
        request.target = .open(except: places.endpoints)
        request.deadlines.total = max(0.001, min(timeout, seconds))
        request.deadlines.connect = min(request.deadlines.connect, request.deadlines.total)
        request.largestBody = largestBody
        // What headers ask for is known to the plugin alone: such answers are not one another's.
        if headers.isEmpty {
            request.cache = CacheUse(space: "plugin \(plugin ?? "-")", policy: policy ?? network.settings.policy)
            request.cache?.stores = stores
        }
        let refused = Monitor<WebAddress?>(nil)
        request.allowsRedirect = { next in
            if places.cover(next) { return true }
            refused.withLock { $0 = next }
            return false
        }
        guard places.cover(address) else { throw .grantMissing(plugin: plugin, .net(address)) }
        let response: WebResponse
        do throws(WebError) { response = try network.session.send(request) } catch {
            if let next = refused.withLock({ $0 }) { throw .grantMissing(plugin: plugin, .net(next)) }
            throw .web(error, source: nil)
        }
        guard places.cover(response.address) else { throw .grantMissing(plugin: plugin, .net(response.address)) }
        return response
    }
}

extension WebResponse {
    /// What a person should know of an old answer that stands in for one that could not be had.
    var remark: String? {
        switch origin {
        case .fallback(let age, let error): SearchPage.Fallback.text(ErrorReport(error, source: nil).message, age: age)
        case .fallbackAfter(let age, let status):
            SearchPage.Fallback.text("\(address.host ?? "the server") answers with status \(status)", age: age)
        case .network, .kept, .confirmed: nil
        }
    }
}
