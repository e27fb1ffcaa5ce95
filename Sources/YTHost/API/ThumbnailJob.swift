// Fetches a picture: the first that is there of several. What is easily got wrong: YouTube answers for a size that it lacks
// with a grey picture of 120x90, at times with status 404 and at times without.

import VideoFormats
import VideoModel

final class ThumbnailJob {
    struct Picture {
        let bytes: [UInt8]
        let head: PictureHead
        let thumbnail: Thumbnail
    }

    private var rest: ArraySlice<Thumbnail>
    private(set) var picture: Picture?
    /// What became of each that was asked for, in words.
    private var tried: [String] = []
    /// What ends it: a grant that is missing, a budget.
    private(set) var failure: HostError?

    init(_ choices: [Thumbnail]) { rest = choices.filter { WebAddress($0.url) != nil }[...] }

    /// The next request; nil when there is nothing more to ask.
    var wanted: GateRequest? {
        guard picture == nil, failure == nil, let next = rest.first, let address = WebAddress(next.url) else {
            return nil
        }
        var request = HTTPRequest(address)
        request.purpose = .picture
        return .http(request)
    }

    func take(_ reply: Result<GateReply, HostError>) {
        guard let asked = rest.popFirst() else { return }
        switch reply {
        case .failure(.grantMissing), .failure(.budgetSpent), .failure(.readerGone), .failure(.forbidden):
            if case .failure(let error) = reply { failure = error }
        case .failure(let error) where error.isFinal || error.report?.kind == "grant": failure = error
        case .failure(let error): note(asked, error.report?.message ?? "no answer")
        case .success(.answer(let response, _, _)):
            guard response.status == 200 else { return note(asked, "status \(response.status)") }
            guard let head = PictureHead(response.body) else { return note(asked, "no picture, or one too large") }
            guard head.isWhole else { return note(asked, "cut off") }
            if head.width == 120, head.height == 90, let width = asked.width, width > 120 {
                return note(asked, "a stand-in of 120x90")
            }
            var found = asked
            (found.width, found.height) = (head.width, head.height)
            picture = Picture(bytes: response.body, head: head, thumbnail: found)
        case .success: note(asked, "no answer")
        }
    }

    private func note(_ asked: Thumbnail, _ what: String) { tried.append("\(asked.name): \(what)") }

    /// Why there is no picture.
    var reason: String {
        tried.isEmpty ? "no picture is known" : "there is no picture: " + tried.joined(separator: "; ")
    }
}
