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

/// A search whose pages are fetched when their first row is needed. A row that came before is left out.
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
                break
            }
            if var video = rows.popFirst() {
                if let id = video.id, !seen.insert("\(video.kind.rawValue) \(id)").inserted { continue }
                given += 1
                video[.foundIn] = origin
                return video
            }
            try fetch()
        }
        return nil
    }

    private func fetch() throws(HostError) {
        if started {
            guard let page else {
                ended = "end"
                return
            }
            guard pages.insert(page).inserted else {
                ended = "repeated page"
                return
            }
        }
        let wanted = limit.map { $0 - given }
        guard
            case .page(let answer, let name) = try gate.ask(
                .search(source: requested, query: query, limit: wanted, page: page), for: plugin)
        else {
            ended = "no answer"
            return
        }
        do throws(FormatError) { rows = try answer.records()[...] } catch {
            throw .format(input: "the answer of \(name)", error)
        }
        source = name
        origin = .list([.record([.init("source", .text(name)), .init("query", .text(query.words))])])
        started = true
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
