// URLs that the user named on the command line. The worker is untrusted: it sends the index of an origin of this run,
// never the URL.

import Basics
import Gate
import HostErrors
import Packages
import RecordStreams
import Threads
import WebClient

extension DirectGate {
    /// Fetches a URL that the user named on the command line, or a URL named by the page at that URL.
    func readNamed(_ request: HTTPRequest) throws(HostError) -> Work {
        let (request, place, endpoints) = try named(request)
        try spendRequest()
        let left = secondsLeft
        return .slow { [network, ledTo, pictures] () throws(HostError) in
            let response = try request.sendAsNamed(
                by: network, within: left, except: endpoints, acceptsPictures: pictures != nil)
            if request.purpose != .oembed { ledTo.withLock { $0[place] = response.address } }
            let isPage = request.purpose == .page
            return .answer(
                isPage ? pictures?.take(response) ?? response : response, calls: 0, remark: response.remark)
        }
    }

    /// Fills in the URL that the user named: the caller sends its index, not the URL. A fetched page may name its
    /// provider on the page's own site, and elsewhere where this run's grants allow it.
    ///
    /// - Throws: `.grantMissing` for a provider elsewhere.
    /// - Returns: also the private endpoints that the request may reach: the URL itself if it stands on the command
    ///   line (a list of URLs may come from an untrusted party), and the endpoints granted to the run.
    func named(_ request: HTTPRequest) throws(HostError) -> (HTTPRequest, place: Int, endpoints: [WebEndpoint]) {
        guard let index = request.origin, origins.indices.contains(index), let address = origins[index].address else {
            throw .workerDied("it asked for an address that nobody named")
        }
        var endpoints = HostPatterns(grants.forThisRun).endpoints
        if typedOrigins.contains(origins[index].line), let typed = HostPattern(address)?.endpoint {
            endpoints.append(typed)
        }
        var request = request
        request.headers = []
        if let pictures { request.timeout = pictures.timeout }
        if request.purpose == .oembed {
            let led = ledTo.withLock { $0[index] }
            guard
                request.address.isOfSite(address) || request.address.isOfSite(led)
                    || HostPatterns(given(to: nil)).cover(request.address)
            else { throw .grantMissing(plugin: nil, .net(request.address)) }
        } else {
            request.address = address
        }
        return (request, index, endpoints)
    }
}
