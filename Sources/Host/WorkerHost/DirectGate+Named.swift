// Addresses that the user named on the command line. What is easily got wrong: whoever asks is not trusted, so it says
// which of the run's own addresses it wants, and not where that leads.

import Basics
import Gate
import HostErrors
import Packages
import RecordStreams
import Threads
import WebClient

extension DirectGate {
    /// Reads an address that the user named on the command line, or what a page there names.
    func readNamed(_ request: HTTPRequest) throws(HostError) -> Work {
        let (request, place, endpoints) = try named(request)
        try spendRequest()
        guard let request else { return .done(.done) }
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

    /// A request with the address that the user named: whoever asks says which, not where it leads. A page that was asked
    /// for may name its provider, and only on its own site: nil for another.
    ///
    /// - Returns: the private places that it may go to, too: the address itself when it stands on the command line, for a
    ///   list may be anybody's, and what the run was granted.
    func named(_ request: HTTPRequest) throws(HostError) -> (HTTPRequest?, place: Int, endpoints: [WebEndpoint]) {
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
            guard request.address.isOfSite(address) || request.address.isOfSite(led) else {
                return (nil, index, endpoints)
            }
        } else {
            request.address = address
        }
        return (request, index, endpoints)
    }
}
