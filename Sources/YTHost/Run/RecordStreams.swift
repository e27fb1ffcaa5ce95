// Where a run's records come from: a search page by page, inputs block by block, or a list.

import VideoFormats
import VideoModel
import VideoServices

/// Records that are all there.
final class ListStream: RecordStream {
    private var rest: ArraySlice<Video>
    let info: [FieldValue.Member]

    init(_ videos: [Video], info: [FieldValue.Member] = []) {
        rest = videos[...]
        self.info = info
    }

    func next() -> Video? { rest.popFirst() }
}

/// A search whose pages are fetched when their first row is needed, or a little ahead when it is known that they will be.
/// A row that came before is left out.
final class SearchStream: RecordStream {
    private let query: SearchQuery
    private let requested: String?
    private let limit: Int?
    private let plugin: String?
    private unowned let gate: any Gate
    private var source: String?
    private var rows: ArraySlice<Video> = []
    /// Where the rows were found.
    private var origin = FieldValue.none
    private var page: String?
    /// Every page that was asked for: a service whose pages go round is left at the first one that comes again.
    private var pages: Set<String> = []
    private var started = false
    private var seen: Set<String> = []
    private var given = 0
    private var calls = 0
    private var estimate: Int?
    private var ended: String?
    /// The next page, on its way.
    private var ahead: Errand?
    /// When as few rows of a page are left, the next one is begun.
    private var fewLeft = 0

    /// - Parameter plugin: the plugin that searches; nil when the run itself does.
    init(_ query: SearchQuery, source: String?, limit: Int?, gate: any Gate, plugin: String? = nil) {
        self.plugin = plugin
        self.query = query
        requested = source
        self.limit = limit
        self.gate = gate
    }

    func next() throws(HostError) -> Video? {
        while ended == nil {
            if let limit, given >= limit {
                ended = "limit"
                ahead = nil
                break
            }
            if var video = rows.popFirst() {
                if let id = video.id, !seen.insert("\(video.kind.rawValue) \(id)").inserted { continue }
                given += 1
                video[.foundIn] = origin
                lookAhead()
                return video
            }
            try fetch()
        }
        return nil
    }

    func begin() throws(HostError) -> Errand? {
        guard ended == nil, rows.isEmpty, limit.map({ given < $0 }) ?? true, mayAsk() else { return nil }
        if ahead == nil { ahead = try Errand(request, for: plugin, at: gate) }
        return ahead
    }

    /// Begins the next page when half of this one is read and the limit says that more will be: a reader who stops early
    /// stops before, and nothing is spent on what nobody reads.
    private func lookAhead() {
        guard let limit, ahead == nil, page != nil, rows.count <= fewLeft, given + rows.count < limit else { return }
        // What is wrong with it is told when the page is needed.
        if mayAsk() { ahead = try? Errand(request, for: plugin, at: gate) }
    }

    /// What the next page is asked for with.
    private var request: GateRequest {
        .search(source: requested, query: query, limit: limit.map { $0 - given - rows.count }, page: page)
    }

    /// Whether there is a page to be asked for, or on its way.
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
        let reply: GateReply
        if let errand = ahead {
            ahead = nil
            reply = try errand.reply()
        } else {
            reply = try gate.ask(request, for: plugin)
        }
        if let page { pages.insert(page) }
        guard case .page(let answer, let name) = reply else {
            ended = "no answer"
            return
        }
        do throws(FormatError) { rows = try answer.records()[...] } catch {
            throw .format(input: "the answer of \(name)", error)
        }
        source = name
        origin = .list([.record([.init("source", .text(name)), .init("query", .text(query.words))])])
        started = true
        fewLeft = rows.count / 2
        calls += answer.calls
        estimate = answer.estimate ?? estimate
        page = answer.next
    }

    var info: [FieldValue.Member] {
        [
            .init("source", FieldValue(source ?? requested)), .init("query", .text(query.words)),
            .init("rows", .integer(Int64(given))), .init("calls", .integer(Int64(calls))),
            .init("estimate", FieldValue(estimate.map(Int64.init))), .init("ended", FieldValue(ended)),
        ]
    }
}
