// Addresses that the user named on the command line. What is easily got wrong: whoever asks is not trusted, so it says
// which of the run's own addresses it wants, and not where that leads.

import WebClient

extension DirectGate {
    /// Reads an address that the user named on the command line: whoever asks says which, not where it leads.
    func named(_ request: HTTPRequest) throws(HostError) -> Work {
        guard let index = request.origin, origins.indices.contains(index), let address = origins[index].address else {
            throw .workerDied("it asked for an address that nobody named")
        }
        try spendRequest()
        if isDry {
            try sink.write(Array("GET \(address): nothing is counted\n".utf8))
            return .done(.done)
        }
        var request = request
        request.address = address
        request.headers = []
        let left = secondsLeft
        return .slow { [network, request] () throws(HostError) in
            let response = try request.sendAsNamed(by: network, within: left)
            return .answer(response, calls: 0, remark: response.remark)
        }
    }
}
