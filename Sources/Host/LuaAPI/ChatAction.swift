// Maps a sentence to an action for a chat client: `video_play`, `websearch` or `answer`. Trap: the first search result
// may not be a video.

import Basics
import Gate
import HostErrors
import VideoFormats
import VideoModel
import VideoServices

/// Resolves one sentence to an action.
package final class ChatAction {
    private let source: String?
    private let subject: String
    /// The look-up to make if the sentence names a channel or a playlist.
    private var listing: (service: String, LookUp)?
    /// The next request; nil once there is an outcome.
    private(set) var wanted: GateRequest?
    /// The action, and the video that it plays.
    private(set) var action: [FieldValue.Member] = []
    private(set) var video: Video?
    private var pages = 0

    /// Maximum rows and pages to search for a video.
    private static let rows = 50
    private static let mostPages = 2

    init(_ text: String, source: String?) {
        self.source = source
        let subject = PlayIntent.subject(of: text)
        self.subject = subject ?? ""
        switch PlayIntent.named(in: text) {
        case .video(let video): play(video)
        case .uploads(let ref): listing = (ref.provider, .uploads(ref.url))
        case .items(let ref): listing = (ref.provider, .items(ref.url))
        case nil:
            if let subject {
                if subject.allSatisfy(\.isWhitespace) {
                    action = Self.answer("say what to play, such as: play kygo firestone")
                }
            } else {
                let query = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
                action = query.isEmpty ? Self.answer("there is nothing to answer") : Self.websearch(query)
            }
        }
        if action.isEmpty { wanted = question(page: nil) }
    }

    private func question(page: String?) -> GateRequest {
        if let (service, question) = listing {
            return .lookUp(source: service, question, limit: Self.rows, page: page)
        }
        return .search(source: source, query: SearchQuery(words: subject), limit: Self.rows, page: page)
    }

    /// Handles the reply to `wanted`.
    func take(_ reply: GateReply) throws(HostError) {
        wanted = nil
        guard case .page(let page, let name) = reply else { return }
        pages += 1
        let records: [Video]
        do throws(FormatError) { records = try page.records() } catch {
            throw .service(.badAnswer(service: name, reason: "\(error)"))
        }
        if let first = records.first(where: { Self.isPlayable($0) }) {
            play(first)
        } else if let next = page.next, pages < Self.mostPages {
            wanted = question(page: next)
        } else {
            action = Self.answer("no video was found for '\(subject)'")
        }
    }

    /// Whether a record is a video with a valid link.
    package static func isPlayable(_ video: Video) -> Bool {
        video.kind == .video && video.url.flatMap(Escape.webAddress) != nil
            && !video.isGone
    }

    private func play(_ video: Video) {
        self.video = video
        let isYouTube = video.provider == YouTubeService.name
        let ref = video.url.flatMap { try? MediaRef.parse($0) }
        action = [
            .init("type", .text("video_play")),
            .init("identifier", FieldValue(isYouTube ? video.id : video.url)),
            .init("identifier_type", .text(isYouTube ? "youtube" : "url")),
            .init("title", FieldValue(video.title)), .init("url", FieldValue(video.url)),
            .init("start", FieldValue(ref?.start)), .init("finish", FieldValue(ref?.finish)),
        ]
    }

    private static func answer(_ text: String) -> [FieldValue.Member] {
        [.init("type", .text("answer")), .init("expression", .text(text))]
    }

    private static func websearch(_ query: String) -> [FieldValue.Member] {
        [.init("type", .text("websearch")), .init("query", .text(query))]
    }
}
