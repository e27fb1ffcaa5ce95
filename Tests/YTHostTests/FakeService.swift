// A service that answers with pages a test wrote, and remembers what it was asked.

import Threads
import VideoServices

struct FakeService: VideoService {
    struct Page {
        /// JSON Lines of ythost's own format, without the marker: `"id":"a","title":"A"`.
        var rows: [String]
        var next: String?
    }

    /// What was asked, in order: the page and how many rows were wanted.
    final class Calls: Sendable {
        private let list = Monitor<[String]>([])
        var all: [String] { list.withLock { $0 } }
        func add(_ call: String) { list.withLock { $0.append(call) } }
    }

    var name = "fake"
    let summary = "pages made for a test"
    var honoured: Set<SearchOption> = [.order, .after, .literal]
    /// By the token that asks for them; the first one by "".
    var pages: [String: Page] = [:]
    let calls = Calls()

    func search(_ query: SearchQuery, limit: Int, page: String?) throws(ServiceError) -> SearchPage {
        if query.words.isEmpty { throw .emptyQuery(service: name) }
        calls.add("\(page ?? "first") \(limit == .max ? "all" : String(limit))")
        let answer = pages[page ?? ""] ?? Page(rows: [])
        let lines = answer.rows.map { #"{"ythost":1,\#($0)}"# }
        return SearchPage(
            body: Array(lines.joined(separator: "\n").utf8), format: "ythost", next: answer.next, estimate: 99, calls: 1
        )
    }

    /// A page of rows that have these ids, titles in upper case, and as many views as their place in the alphabet.
    static func page(_ ids: String, next: String? = nil) -> Page {
        Page(
            rows: ids.map { id in
                let place = Int(id.unicodeScalars.first?.value ?? 96) - 96
                return #""provider":"youtube","id":"\#(id)","title":"\#(id.uppercased())","views":\#(place)"#
            }, next: next)
    }

    /// Rows a to j in pages of four, four and two. None has a duration.
    static var standard: FakeService {
        FakeService(pages: ["": page("abcd", next: "2"), "2": page("efgh", next: "3"), "3": page("ij")])
    }

    /// One page of rows written as JSON members.
    static func rows(_ rows: String...) -> FakeService { FakeService(pages: ["": Page(rows: rows)]) }
}
