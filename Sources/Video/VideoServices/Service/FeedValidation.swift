// What the answer to a request for a feed is worth, before anybody parses it. What is easily got wrong: servers of feeds
// answer with pages, or say that there is none, while they are out of order, and answers are cut off on their way; the
// last good copy is better then.

import VideoFormats
import WebClient

package enum FeedValidation {
    package static let judge: @Sendable (WebResponse) -> WebVerdict = { response in
        switch response.status {
        case 200 where response.isCut: .passing
        case 200: FeedReader.begins(response.body) && FeedReader.isWhole(response.body) ? .final : .unusable
        case 304: .final
        default: WebRetry.byStatus(response) == .passing ? .passing : .unusable
        }
    }
}
