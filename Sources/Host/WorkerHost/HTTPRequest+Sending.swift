// How a request of the gate is sent: retries, limits and cache by its purpose, and the grants that decide where it may
// lead: the address, every redirect, and the address that a cached response was stored under.

import Basics
import Gate
import HostErrors
import Threads
import VideoServices
import WebClient

extension HTTPRequest {
    /// Sends it where these grants lead.
    ///
    /// - Parameters:
    ///   - plugin: the path of the plugin that asks; nil for code from the command line.
    ///   - seconds: what is left of the run's time.
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

    /// Sends it for the user, who named its address: to any public place, and to these private ones.
    ///
    /// - Parameter acceptsPictures: whether a page that turns out to be a picture is wanted whole.
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
        // What headers ask for is known to the plugin alone: such answers are not one another's.
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
            // Of pages a part is kept: nobody else may take that for the whole.
            request.cache?.space += acceptsPictures ? " pictures" : " previews"
            if headers.isEmpty, purpose == .page {
                request.headers = [WebHeader("Accept", "text/html,application/xhtml+xml,*/*;q=0.5")]
            }
        }
        // Where one size cannot be had, the next is asked for.
        if purpose == .picture { request.retry = .never }
        if purpose == .feed {
            request.retry.attempts = 2
            request.retry.judge = FeedValidation.judge
            request.allowsPartialBody = true
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
