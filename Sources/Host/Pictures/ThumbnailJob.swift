// Fetches the first available picture of several candidates. For a missing size, YouTube returns a grey 120x90
// placeholder, sometimes with status 404 and sometimes with 200.

import Basics
import Gate
import HostErrors
import VideoFormats
import VideoModel
import WebClient

package final class ThumbnailJob {
    package struct Picture {
        package let bytes: [UInt8]
        package let head: ImageHeader
        package let thumbnail: Thumbnail
    }

    /// The default timeout per request, in seconds.
    package static let usualTimeout = 15.0

    private var rest: ArraySlice<Thumbnail>
    private let wish: Thumbnail.Wish
    private let timeout: Double
    package private(set) var picture: Picture?
    /// The failed attempts and their reasons.
    private var tried: [(name: String, what: String)] = []
    /// The number of network failures per host.
    private var silent: [String: Int] = [:]
    /// An error that ends the job, such as a missing grant or a spent budget.
    package private(set) var failure: HostError?

    package init(_ choices: [Thumbnail], _ wish: Thumbnail.Wish, timeout: Double = ThumbnailJob.usualTimeout) {
        rest = choices.filter { WebAddress($0.url) != nil }[...]
        self.wish = wish
        self.timeout = timeout
    }

    /// The next request; nil when the job is finished.
    package var wanted: GateRequest? {
        guard picture == nil, failure == nil, let next = rest.first, let address = WebAddress(next.url) else {
            return nil
        }
        var request = HTTPRequest(address)
        request.purpose = .picture
        request.timeout = timeout
        return .http(request)
    }

    package func take(_ reply: Result<GateReply, HostError>) {
        guard let asked = rest.popFirst() else { return }
        switch reply {
        case .failure(.grantMissing), .failure(.budgetSpent), .failure(.readerGone), .failure(.forbidden):
            if case .failure(let error) = reply { failure = error }
        case .failure(let error) where error.isFinal || error.report?.kind == "grant": failure = error
        case .failure(let error):
            note(asked, error.report?.message ?? "no answer")
            // Skip the other sizes of a host after two network failures.
            if error.report?.kind == "network", let host = WebAddress(asked.url)?.host {
                silent[host, default: 0] += 1
                if silent[host] == 2 { rest.removeAll { WebAddress($0.url)?.host == host } }
            }
        case .success(.answer(let response, _, _)):
            guard response.status == 200 else { return note(asked, "status \(response.status)") }
            guard let head = ImageHeader(response.body) else {
                return note(asked, ImageHeader.refusal(of: response.body))
            }
            guard head.isWhole else { return note(asked, "cut off") }
            if head.width == 120, head.height == 90, let width = asked.width ?? wish.width, width > 120 {
                return note(asked, "a stand-in of 120x90")
            }
            if let problem = wish.problem(head.kind, head.width, head.height) { return note(asked, problem) }
            var found = asked
            (found.width, found.height) = (head.width, head.height)
            picture = Picture(bytes: response.body, head: head, thumbnail: found)
        case .success: note(asked, "no answer")
        }
    }

    private func note(_ asked: Thumbnail, _ what: String) { tried.append((asked.name, what)) }

    /// The error text when no picture was found.
    package var reason: String {
        if tried.isEmpty { return wish.reasonForNone }
        var groups: [(names: [String], what: String)] = []
        for (name, what) in tried {
            if let last = groups.indices.last, groups[last].what == what {
                groups[last].names.append(name)
            } else {
                groups.append(([name], what))
            }
        }
        return "there is no picture: "
            + groups.map { "\($0.names.joined(separator: ", ")): \($0.what)" }.joined(separator: "; ")
    }
}

extension Thumbnail.Wish {
    /// The error text when there are no candidates.
    package var reasonForNone: String {
        switch (kind, aspect) {
        case (nil, nil): "no picture is known of it"
        case (let kind?, nil): "no picture of it is known that may be \(kind.rawValue)"
        case (nil, let aspect?): "no picture of it is known that may be \(aspect)"
        case (let kind?, let aspect?): "no picture of it is known that may be \(kind.rawValue) and \(aspect)"
        }
    }
}
