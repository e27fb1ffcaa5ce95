// Sends a gate request: its purpose selects retries, limits and caching. The grants are checked against the URL, every
// redirect, and the URL that a cached response was stored under.

import Basics
import Gate
import HostErrors
import Threads
import VideoServices
import WebClient

extension HTTPRequest {
    /// Sends the request where these grants allow it.
    ///
    /// - Parameters:
    ///   - plugin: the path of the calling plugin; nil for code from the command line.
    ///   - seconds: what is left of the wall budget.
    package func send(
        by network: Network, for plugin: String?, _ places: HostPatterns, within seconds: Double
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

    /// Sends a request whose URL the user named: to any public endpoint, and to these private ones.
    ///
    /// - Parameter acceptsPictures: whether a page that turns out to be an image is fetched completely.
    package func sendAsNamed(
        by network: Network, within seconds: Double, except endpoints: [WebEndpoint], acceptsPictures: Bool = false
    ) throws(HostError) -> WebResponse {
        var request = request(network, space: "named", within: seconds, acceptsPictures: acceptsPictures)
        request.target = .open(except: endpoints)
        do throws(WebError) { return try network.session.send(request) } catch { throw .web(error, source: nil) }
    }

    private func request(
        _ network: Network, space: String, within seconds: Double, acceptsPictures: Bool = false
    ) -> WebRequest {
        var request = WebRequest(.get, address)
        request.headers = headers
        request.deadlines.total = max(0.001, min(timeout, seconds))
        request.deadlines.connect = min(request.deadlines.connect, request.deadlines.total)
        request.largestBody = largestBody
        // Only the plugin knows what its headers select: responses to requests with headers are not shared.
        if headers.isEmpty {
            request.cache = network.cacheUse(space: space, policy: policy, freshFor: freshFor)
            request.cache?.stores = stores
        }
        if purpose == .page || purpose == .oembed {
            request.retry.attempts = acceptsPictures ? 1 : 2
            request.largestBody =
                purpose == .oembed ? Self.longestReply : acceptsPictures ? largestBody : Self.longestPage
            request.cutsBody = purpose == .page
            request.redirects = Self.mostRedirects
            // Only a part of a page is cached: it must not serve requests for the whole page.
            request.cache?.space += acceptsPictures ? " pictures" : " previews"
            if headers.isEmpty, purpose == .page {
                request.headers = [WebHeader("Accept", "text/html,application/xhtml+xml,*/*;q=0.5")]
            }
        }
        // If one size is not available, the next one is requested.
        if purpose == .picture { request.retry = .never }
        if purpose == .feed {
            request.retry.attempts = 2
            request.retry.judge = FeedValidation.judge
            request.allowsPartialBody = true
            request.cache?.keptFor = 365 * 86_400
        }
        return request
    }

    /// Bytes read of a page, and of a reply about one. Metadata of a page may stand far behind its head, but rarely
    /// behind this limit.
    private static let longestPage = 2 << 20
    private static let longestReply = 1 << 20
    /// Redirects followed on the way to a page: longer chains are loops in practice.
    private static let mostRedirects = 5

    /// Seconds for which a cached response is fresh.
    private var freshFor: Int64 {
        switch purpose {
        case .page, .oembed: 3600
        case .feed: 600
        default: 0
        }
    }
}

extension WebResponse {
    /// The remark for the user on a stale response that replaces a failed request.
    package var remark: String? {
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
