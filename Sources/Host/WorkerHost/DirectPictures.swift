// Pictures whose own addresses were asked for as if they were pages. The one request that tells that they are none brings
// them along, so that nobody is asked twice.

import Basics
import Threads
import VideoFormats
import WebClient

/// What came of them, kept beside a run until its records are there.
package final class DirectPictures: Sendable {
    /// Seconds for each request of the run.
    let timeout: Double
    /// Bytes of all that are kept; what is beyond them is asked for again.
    private static let room = 64 << 20
    private let kept = Monitor<[String: WebResponse]>([:])

    package init(timeout: Double) { self.timeout = timeout }

    /// Keeps an answer that is a picture, by its bytes or its sender's word.
    ///
    /// - Returns: what whoever reads pages gets: of a picture no bytes, and that it is one.
    func take(_ response: WebResponse) -> WebResponse {
        let type = response.headers["Content-Type"]?.lowercased() ?? ""
        guard response.status == 200, !response.isCut else { return response }
        guard let kind = ImageHeader(response.body)?.kind.rawValue ?? (type.hasPrefix("image/") ? "unknown" : nil)
        else { return response }
        let isKept = kept.withLock { kept in
            guard kept.values.reduce(response.body.count, { $0 + $1.body.count }) <= Self.room else { return false }
            kept[response.address.description] = response
            return true
        }
        guard isKept else { return response }
        var told = response
        told.body = []
        told.headers.remove("Content-Type")
        told.headers.append(WebHeader("Content-Type", "image/\(kind)"))
        return told
    }

    /// The answer of an address, if it is at hand.
    package func answer(at address: String) -> WebResponse? { kept.withLock { $0[address] } }
}
