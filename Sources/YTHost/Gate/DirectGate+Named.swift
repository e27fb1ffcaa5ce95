// Addresses that the user named on the command line. What is easily got wrong: whoever asks is not trusted, so it says
// which of the run's own addresses it wants, and not where that leads.

import WebClient

extension DirectGate {
    /// Reads an address that the user named on the command line.
    func readNamed(_ request: HTTPRequest) throws(HostError) -> Work {
        let request = try named(request)
        try spendRequest()
        let left = secondsLeft
        return .slow { [network] () throws(HostError) in
            let response = try request.sendAsNamed(by: network, within: left)
            return .answer(response, calls: 0, remark: response.remark)
        }
    }

    /// A request with the address that the user named: whoever asks says which, not where it leads. Another request as
    /// it is.
    func named(_ request: HTTPRequest) throws(HostError) -> HTTPRequest {
        if request.origin == nil { return request }
        guard let index = request.origin, origins.indices.contains(index), let address = origins[index].address else {
            throw .workerDied("it asked for an address that nobody named")
        }
        var request = request
        request.address = address
        request.headers = []
        return request
    }
}
