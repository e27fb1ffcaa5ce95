// Caches images whose own URLs were requested as pages. The request that detects the image also fetches it, so that no
// second request is needed.

import Basics
import Threads
import VideoFormats
import WebClient

/// Image responses, cached beside a run until its records are complete.
package final class DirectPictures: Sendable {
    /// Seconds for each request of the run.
    let timeout: Double
    /// The total size of the cache in bytes; images beyond it are requested again.
    private static let room = 64 << 20
    private let kept = Monitor<[String: WebResponse]>([:])

    package init(timeout: Double) { self.timeout = timeout }

    /// Caches a response that is an image by its bytes or its Content-Type.
    ///
    /// - Returns: the response for readers of pages: for an image, its type without the bytes.
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

    /// The cached response of a URL, if there is one.
    package func answer(at address: String) -> WebResponse? { kept.withLock { $0[address] } }
}
