// Records of a service, page by page. A page is requested when its first row is needed, or a little earlier when it is
// certain to be needed.

import Basics
import Gate
import HostErrors
import VideoFormats
import VideoModel
import VideoServices

/// A search, or a look-up with pages. Duplicate rows are dropped.
package final class SearchStream: RecordStream {
    /// The request to the service.
    enum Question {
        case search(SearchQuery, source: String?)
        case lookUp(LookUp, source: String)
    }

    private let question: Question
    private let plugin: String?
    private unowned let gate: any Gate
    /// Maximum rows to return. Defaults to a small number for a service that counts calls.
    private var limit: Int?
    private var source: String?
    /// Buffered rows without duplicates.
    private var rows: ArraySlice<Video> = []
    private var page: String?
    /// Every requested page. If a service repeats a page, the search ends.
    private var pages: Set<String> = []
    private var started = false
    private var emptyPages = 0
    private var seen: Set<String> = []
    private var given = 0
    private var skipped = 0
    private(set) var calls = 0
    private var kept = 0
    private var estimate: Int?
    private var ended: String? {
        didSet { tellOddEnd() }
    }
    /// The kind of error that ended the last page. The page may be requested again.
    private var stopped: String?
    /// The pending request for the next page.
    private var ahead: PendingRequest?
    /// Remaining rows at which the next page is requested.
    private var fewLeft = 0

    /// Default number of rows for services that count calls.
    private static let usualLimit = 50
    /// Maximum number of entries in YouTube's feeds, and the warning about it, shown once a run.
    static let feedLength = 15
    package static let newestOnly =
        "YouTube's feeds have the newest \(feedLength) videos only; with a key all can be read"
    /// Maximum number of consecutive empty pages to skip.
    private static let mostEmptyPages = 2

    /// The page before the last one read.
    private var previous: String?
    private var first: String?
    private var last: String?
    private var total: Int?

    /// - Parameters:
    ///   - plugin: the plugin that makes the request; nil for the run itself.
    ///   - page: the page to start with, as given by an earlier reply; nil for the first.
    init(_ question: Question, limit: Int?, page: String? = nil, gate: any Gate, plugin: String? = nil) {
        self.question = question
        self.page = page
        self.limit = limit
        self.gate = gate
        self.plugin = plugin
    }

    package convenience init(
        _ query: SearchQuery, source: String?, limit: Int?, page: String? = nil, gate: any Gate, plugin: String? = nil
    ) {
        self.init(.search(query, source: source), limit: limit, page: page, gate: gate, plugin: plugin)
    }

    package func nextBatch(_ most: Int) throws(HostError) -> ArraySlice<Video>? {
        while true {
            if let limit, given >= limit {
                endAtLimit()
                return nil
            }
            if let batch = rows.popFirst(min(most, (limit ?? .max) - given)) {
                given += batch.count
                if !rows.isEmpty {
                    prefetch()
                } else if most != .max, most > batch.count {
                    lookAhead(isNeeded: true)
                }
                return batch
            }
            if ended != nil { return nil }
            try fetch()
        }
    }

    package func prefetch() { lookAhead() }

    /// Ends the search because the limit is reached.
    func endAtLimit() {
        ended = ended ?? "limit"
        ahead = nil
    }

    package func begin() throws(HostError) -> PendingRequest? {
        guard ended == nil, rows.isEmpty, limit.map({ given < $0 }) ?? true, mayAsk() else { return nil }
        if ahead == nil { ahead = try PendingRequest(request, for: plugin, at: gate) }
        return ahead
    }

    /// Requests the next page when half of this one is read and the limit requires more rows. A reader that stops early
    /// usually stops before that, so no call is wasted.
    ///
    /// - Parameter isNeeded: whether the reader will certainly read on, even if much of this page is left.
    package func lookAhead(isNeeded: Bool = false) {
        guard let limit, ahead == nil, page != nil, isNeeded || rows.count <= fewLeft, given + rows.count < limit
        else { return }
        // A failure is reported when the page is needed.
        if mayAsk() { ahead = try? PendingRequest(request, for: plugin, at: gate) }
    }

    /// The request for the next page.
    private var request: GateRequest {
        let wanted = limit.map { $0 - given - rows.count }
        return switch question {
        case .search(let query, let source): .search(source: source, query: query, limit: wanted, page: page)
        case .lookUp(let question, let source): .lookUp(source: source, question, limit: wanted, page: page)
        }
    }

    /// Whether there is a page to request, or a pending request.
    private func mayAsk() -> Bool {
        if ahead != nil || !started { return true }
        guard let page else { return false }
        return !pages.contains(page)
    }

    private func fetch() throws(HostError) {
        guard mayAsk() else {
            ended = page == nil ? "end" : "repeated page"
            return
        }
        let reply = try replyToNext()
        if let page { pages.insert(page) }
        guard case .page(let answer, let name) = reply, !answer.isUnknown else {
            ended = "no answer"
            return
        }
        if let asked = answer.asked { _ = try? gate.ask(.log(.info, "\(name) is asked for: \(asked)")) }
        if let remark = answer.remark { _ = try? gate.ask(.log(.warning, remark)) }
        let videos = try read(answer, of: name)
        if name == DuckDuckGoService.name, videos.isEmpty {
            let line = "DuckDuckGo has no instant answer to '\(query)'; it is no search of the web"
            _ = try? gate.ask(.log(.warning, line))
        }
        if answer.format == "feed", !FeedReader.isWhole(answer.body) {
            if videos.isEmpty {
                throw .service(.badAnswer(service: name, reason: FeedStream.nothingCame(answer.body)))
            }
            _ = try? gate.ask(.log(.warning, FeedStream.cutOff))
        }
        if answer.format == "feed", videos.count >= Self.feedLength {
            _ = try? gate.ask(.log(.warning, Self.newestOnly))
        }
        source = name
        let origin = FieldValue.list([.record([.init("source", .text(name)), .init("query", .text(query))])])
        let isWhole = !started && answer.next == nil && !answer.isCounted
        started = true
        calls += answer.calls
        kept += answer.kept
        estimate = answer.estimate ?? estimate
        page = answer.next
        previous = answer.previous
        (first, last, total) = (answer.first, answer.last, answer.total)
        if limit == nil, answer.isCounted { limit = Self.usualLimit }
        // Services repeat rows across pages, and some within a page. A local source with a single page does not.
        var found =
            isWhole
            ? videos
            : videos.filter { video in
                video.id.map { seen.insert("\(video.kind.rawValue) \($0)").inserted } ?? true
            }
        for index in found.indices { found[index].setOrigin(origin, lookUp: VideoFieldSet(answer.tells)) }
        rows = found[...]
        fewLeft = rows.count / 2
        emptyPages = videos.isEmpty ? emptyPages + 1 : 0
        if !videos.isEmpty, rows.isEmpty { ended = "nothing new" }
        if emptyPages > Self.mostEmptyPages { ended = "empty pages" }
    }

    private func replyToNext() throws(HostError) -> GateReply {
        do throws(HostError) {
            defer { ahead = nil }
            let reply = if let ahead { try ahead.reply() } else { try gate.ask(request, for: plugin) }
            stopped = nil
            return reply
        } catch {
            stopped = error.report?.kind
            throw error
        }
    }

    /// Logs why a search ended if the reason is unexpected.
    private func tellOddEnd() {
        guard let ended, !["end", "limit", "no answer"].contains(ended) else { return }
        let pages = started ? "\(pages.count + 1) pages" : "no page"
        _ = try? gate.ask(.log(.info, "\(source ?? "the source") ended after \(pages): \(ended)"))
    }

    private func read(_ page: SearchPage, of name: String) throws(HostError) -> [Video] {
        do throws(FormatError) {
            let (videos, count, first) = try page.contents()
            if count > 0 {
                skipped += count
                let records = count == 1 ? "1 record" : "\(count) records"
                let first = first.map { ": \($0)" } ?? ""
                _ = try? gate.ask(.log(.warning, "the answer of \(name): left out \(records)\(first)"))
            }
            return videos
        } catch {
            throw .service(.badAnswer(service: name, reason: "\(error)"))
        }
    }

    /// The search words, or the reference that was looked up.
    private var query: String {
        switch question {
        case .search(let query, _): query.words
        case .lookUp(.uploads(let text), _): "channel:\(text)"
        case .lookUp(.items(let text), _): "playlist:\(text)"
        case .lookUp(.channel(let text), _), .lookUp(.playlist(let text), _): text
        case .lookUp(.videos, _): ""
        }
    }

    private var requested: String? {
        switch question {
        case .search(_, let source): source
        case .lookUp(_, let source): source
        }
    }

    package var info: [FieldValue.Member] {
        [
            .init("source", FieldValue(source ?? requested)), .init("query", .text(query)),
            .init("rows", .integer(Int64(given))), .init("calls", .integer(Int64(calls))),
            .init("cached", .integer(Int64(kept))), .init("skipped", skipped == 0 ? .none : .integer(Int64(skipped))),
            .init("estimate", FieldValue(estimate.map(Int64.init))), .init("next", FieldValue(started ? page : nil)),
            .init("previous", FieldValue(previous)), .init("first", FieldValue(first)),
            .init("last", FieldValue(last)), .init("total", FieldValue(total.map(Int64.init))),
            .init("truncated", .bool(stopped != nil || ended == "limit" && (page != nil || !rows.isEmpty))),
            .init("ended", FieldValue(ended ?? stopped)),
        ]
    }
}

/// Videos by id, in that order, in batches. Ids that the service does not have are reported at the end.
package final class VideosStream: RecordStream {
    private let source: String
    private let fields: Set<VideoField>?
    private unowned let gate: any Gate
    private let plugin: String?
    private var ids: ArraySlice<String>
    private let count: Int
    private var rows: ArraySlice<Video> = []
    private var missing: [String] = []
    private var calls = 0
    private var kept = 0
    private var given = 0
    private var hasToldMissing = false
    /// The pending request for the next batch.
    private var ahead: PendingRequest?

    package init(_ ids: [String], fields: Set<VideoField>?, source: String, gate: any Gate, plugin: String?) {
        var seen: Set<String> = []
        self.ids = ids.filter { seen.insert($0).inserted }[...]
        count = self.ids.count
        self.fields = fields
        self.source = source
        self.gate = gate
        self.plugin = plugin
    }

    package func begin() throws(HostError) -> PendingRequest? {
        guard rows.isEmpty, !ids.isEmpty else { return nil }
        if ahead == nil { ahead = try PendingRequest(request(Array(ids.prefix(LookUp.batch))), for: plugin, at: gate) }
        return ahead
    }

    private func request(_ batch: [String]) -> GateRequest {
        .lookUp(source: source, .videos(batch, fields: fields), limit: batch.count, page: nil)
    }

    package func nextBatch(_ most: Int) throws(HostError) -> ArraySlice<Video>? {
        while rows.isEmpty {
            if ids.isEmpty {
                tellMissing()
                return nil
            }
            let batch = Array(ids.prefix(LookUp.batch))
            let errand = ahead
            ahead = nil
            let reply = if let errand { try errand.reply() } else { try gate.ask(request(batch), for: plugin) }
            let found = try LookUpReply(reply, source: source)
            if let remark = found.remark { _ = try? gate.ask(.log(.warning, remark)) }
            ids = ids.dropFirst(LookUp.batch)
            calls += found.calls
            kept += found.kept
            if !found.isUnknown { missing += batch.filter { found[$0] == nil } }
            rows = batch.compactMap { found[$0] }[...]
        }
        let batch = rows.popFirst(most)
        given += batch?.count ?? 0
        return batch
    }

    private func tellMissing() {
        guard !hasToldMissing, !missing.isEmpty else { return }
        hasToldMissing = true
        let shown = missing.prefix(5).joined(separator: ", ") + (missing.count > 5 ? " …" : "")
        _ = try? gate.ask(
            .log(.warning, "\(source) does not have \(missing.count) of \(count) videos: \(shown)"))
    }

    package var info: [FieldValue.Member] {
        [
            .init("source", .text(source)), .init("rows", .integer(Int64(given))),
            .init("calls", .integer(Int64(calls))), .init("cached", .integer(Int64(kept))),
            .init("missing", .list(missing.map { .text($0) })),
        ]
    }
}

/// One batch of videos, looked up by id.
struct LookUpReply {
    let videos: [String: Video]
    let calls: Int
    let kept: Int
    let remark: String?
    /// No request was sent (dry run).
    let isUnknown: Bool

    /// The video of an id. The id may be followed by the hash of an unlisted video (`ID:HASH`).
    subscript(_ id: String) -> Video? {
        videos[id]
            ?? id.split(separator: ":").first.flatMap { $0.utf8.count < id.utf8.count ? videos[String($0)] : nil }
    }

    init(_ reply: GateReply, source: String) throws(HostError) {
        guard case .page(let answer, let name) = reply else {
            (videos, calls, kept, remark, isUnknown) = ([:], 0, 0, nil, true)
            return
        }
        let records: [Video]
        do throws(FormatError) { records = try answer.records() } catch {
            throw .service(.badAnswer(service: name, reason: "\(error)"))
        }
        videos = Dictionary(records.compactMap { video in video.id.map { ($0, video) } }) { first, _ in first }
        (calls, kept, remark, isUnknown) = (answer.calls, answer.kept, answer.remark, answer.isUnknown)
    }
}
