// What a chat client is to do with a sentence, in the words of chat replies: `video_play`, `websearch`, `answer`. What is
// easily got wrong: the first thing that is found need not be a video.

import Basics
import Gate
import HostErrors
import VideoFormats
import VideoModel
import VideoServices

/// One sentence on its way to an action.
package final class ChatAction {
    private let source: String?
    private let subject: String
    /// What is looked up where the sentence names a channel or a list.
    private var listing: (service: String, LookUp)?
    /// What is to be asked; nil once there is an outcome.
    private(set) var wanted: GateRequest?
    /// The action, and the video that it plays.
    private(set) var action: [FieldValue.Member] = []
    private(set) var video: Video?
    private var pages = 0

    /// Rows that are looked at for a video, and pages.
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

    /// Takes what the search gave.
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

    /// Whether a record is a video that can be led to.
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
