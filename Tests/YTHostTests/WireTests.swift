// The rows that code messages between the worker and its supervisor: none is missing, and the reader refuses what does
// not fit.

import Testing

@testable import Basics
@testable import Gate
@testable import HostErrors
@testable import Packages
@testable import Pipeline
@testable import RecordStreams
@testable import Sandbox
@testable import VideoModel
@testable import VideoServices
@testable import WebClient
@testable import WorkerHost

@Suite struct WireTests {
    // MARK: - Properties

    private struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let rows: [String]
        let properties: [String]

        /// - Parameter except: properties that do not cross the wire.
        init<Record: WireRecord>(_ type: Record.Type, except: Set<String> = []) {
            var fields = WireFields()
            var blank = Record.blank
            blank.code(&fields)
            testDescription = "\(type)"
            rows = fields.members.map(\.name).sorted()
            properties = Mirror(reflecting: blank).children.compactMap(\.label).filter { !except.contains($0) }.sorted()
        }
    }

    private static let records: [Row] = [
        // The grants and origins of the user, which only the parent checks.
        Row(RunRequest.self, except: ["grants", "typedOrigins"]),
        Row(Budgets.self), Row(RunReport.self), Row(ErrorReport.self), Row(ServiceErrorDetails.self),
        Row(ServiceErrorDetails.Parameter.self), Row(PluginManifest.self), Row(PluginOption.self),
        Row(PluginFile.self, except: ["package"]), Row(SearchQuery.self),
        // The remark says why the page is an old one.
        Row(SearchPage.self, except: ["fallback"]),
        Row(HTTPRequest.self), Row(ServiceRequest.self), Row(ServiceRequest.Item.self), Row(WebHeader.self),
        Row(WebResponse.self, except: ["isCut", "origin", "version", "attempts"]),
        Row(TerminalImageOptions.self, except: ["graphics", "cellWidth", "cellHeight"]),
    ]

    @Test("every property has a row, or stays on its side", arguments: records)
    private func properties(of record: Row) { #expect(record.rows == record.properties) }

    @Test("a property with its default value is omitted")
    func defaults() {
        #expect(RunRequest().wire == .record([]))
        var request = HTTPRequest(WebAddress(scheme: "http", host: "example.org"))
        #expect(request.wire == .record([.init("address", .text("http://example.org"))]))
        request.stores = false
        #expect(HTTPRequest(wire: request.wire)?.stores == false)
    }

    // MARK: - Cases

    /// The sample of each case after that of another. The switch makes the compiler ask for new cases.
    private static func sample(after request: GateRequest?) -> GateRequest? {
        let query = SearchQuery(words: "a b", options: [.after: .integer(-3)])
        switch request {
        case nil: return .search(source: nil, query: query, limit: 3, page: "p")
        case .search: return .lookUp(source: "s", .videos(["a", "b"], fields: [.duration]), limit: nil, page: nil)
        case .lookUp(_, .videos, _, _): return .lookUp(source: "s", .channel("@c"), limit: 5, page: "2")
        case .lookUp(_, .channel, _, _): return .lookUp(source: "s", .playlist("PL"), limit: nil, page: nil)
        case .lookUp(_, .playlist, _, _): return .lookUp(source: "s", .uploads("@u"), limit: nil, page: nil)
        case .lookUp(_, .uploads, _, _): return .lookUp(source: "s", .items("PL"), limit: nil, page: nil)
        case .lookUp(_, .items, _, _): return .lookUpOffers
        case .lookUpOffers: return .plan(source: "s", query: query, limit: nil, fields: [.views])
        case .plan: return .planned(notes: ["n", ""], dependsOnAnswers: true, hasFailed: false)
        case .planned:
            var request = ServiceRequest("videos", query: [.init("id", "a&b"), .init("id", "")])
            (request.policy, request.stores, request.timeout) = (.localOnly, false, 2.5)
            return .service(source: "s", request)
        case .service:
            var request = HTTPRequest(WebAddress(scheme: "https", host: "example.org", path: "/a%20b", query: "c=d"))
            request.headers = [WebHeader("Accept", "text/html"), WebHeader("accept", "")]
            (request.timeout, request.largestBody, request.policy) = (1, 1, .networkThenLocal)
            (request.stores, request.purpose, request.origin) = (false, .oembed, 3)
            return .http(request)
        case .http: return .read(input: 7)
        case .read: return .write([0, 255])
        case .write: return .log(.debug, "line")
        case .log: return .plugin(name: "rss")
        case .plugin: return .readFile("/a")
        case .readFile: return .writeFile("/b", [])
        case .writeFile: return .variable("HOME")
        case .variable: return .zone("Europe/Berlin")
        case .zone: return .execute(["ls", "-l"], input: [1, 2], timeout: 0.5, limit: .max)
        case .execute:
            var options = TerminalImageOptions()
            (options.columns, options.rows, options.colours, options.symbols) = (1, 1000, .all, "half")
            return .draw([9, 8], options)
        case .draw: return .module(name: "yt.page", folder: "/x")
        case .module: return nil
        }
    }

    private static func sample(after reply: GateReply?) -> GateReply? {
        switch reply {
        case nil: return .done
        case .done:
            var page = SearchPage(body: [1, 2, 3], format: "youtube", next: "n", estimate: 9, calls: 1)
            (page.previous, page.first, page.last, page.total) = ("p", "f", "l", 4)
            (page.kept, page.isCounted, page.tells) = (2, true, [.likes])
            (page.asked, page.remark, page.isUnknown) = ("words", "old", true)
            return .page(page, source: "s")
        case .page:
            return .lookUpOffers([LookUpOffer(service: "s", fields: [.views]), LookUpOffer(service: "", fields: [])])
        case .lookUpOffers:
            return .answer(
                WebResponse(
                    status: 404, headers: WebHeaders([WebHeader("A", "b")]), body: [4],
                    address: WebAddress(scheme: "http", host: "example.org")), calls: 2, remark: "r")
        case .answer: return .block([])
        case .block: return .plugin(PluginFile(name: "n", path: "p", folder: "f", text: [5]))
        case .plugin: return .bytes(nil)
        case .bytes(nil): return .bytes([])
        case .bytes(_?): return .executed(status: -1, output: [1, 2], errors: [3], killed: "time")
        case .executed: return .module(text: [6], name: "m")
        case .module: return nil
        }
    }

    @Test("every case of a request and of a reply is read as it was written")
    func cases() throws {
        var request = Self.sample(after: nil as GateRequest?)
        while let sample = request {
            let message = try #require(try sent(WireMessage(sample, for: "p", ticket: 3)))
            #expect(message.plugin == "p" && message.ticket == 3)
            #expect(message.request.map { String(reflecting: $0) } == String(reflecting: sample))
            request = Self.sample(after: sample)
        }
        var reply = Self.sample(after: nil as GateReply?)
        while let sample = reply {
            let read = try #require(try sent(WireMessage(sample))).reply()
            #expect(String(reflecting: read) == String(reflecting: sample))
            reply = Self.sample(after: sample)
        }
    }

    /// The message with a header that was encoded and decoded.
    private func sent(_ message: WireMessage) throws -> WireMessage? {
        let header = try #require(MessageCoding.decode(MessageCoding.encode(message.header)))
        return WireMessage(kind: message.kind, header: header, body: message.body)
    }

    // MARK: - Hostile messages

    private static let http = FieldValue.Member("address", .text("http://example.org"))

    private static func request(_ member: FieldValue.Member) -> [FieldValue.Member] {
        [.init("request", .record([http, member]))]
    }

    @Test(
        "a request that the worker could not have made is refused",
        arguments: [
            (.done, []), (.failed, []), (.run, []),
            (.read, []), (.read, [.init("input", .text("1"))]), (.read, [.init("input", .number(1e300))]),
            (.read, [.init("input", .number(0.5))]), (.read, [.init("input", .list([.integer(1)]))]),
            (.log, [.init("level", .integer(99)), .init("text", .text(""))]),
            (.log, [.init("level", .integer(.min)), .init("text", .text(""))]), (.log, [.init("level", .integer(0))]),
            (.write, []), (.write, [.init("bytes", .integer(4))]), (.write, [.init("bytes", .integer(-1))]),
            (.write, [.init("bytes", .integer(.max))]), (.write, [.init("bytes", .list([.integer(1)]))]),
            (.search, []), (.search, [.init("query", .text("x"))]),
            (.search, [.init("query", .record([])), .init("limit", .text("1"))]),
            (.search, [.init("query", .record([.init("options", .record([.init("evil", .none)]))]))]),
            (.lookUp, [.init("source", .text("s"))]),
            (.lookUp, [.init("source", .text("s")), .init("question", .record([.init("kind", .text("all"))]))]),
            (
                .lookUp,
                [
                    .init("source", .text("s")),
                    .init(
                        "question",
                        .record([
                            .init("kind", .text("videos")),
                            .init("ids", .list(Array(repeating: .text("a"), count: 51))),
                        ])),
                ]
            ),
            (.plan, [.init("query", .record([])), .init("fields", .list([.text("evil")]))]),
            (.http, []), (.http, [.init("request", .record([.init("address", .text("a b"))]))]),
            (.http, request(.init("timeout", .number(0.5)))), (.http, request(.init("timeout", .integer(.max)))),
            (.http, request(.init("largestBody", .integer(0)))), (.http, request(.init("largestBody", .integer(.max)))),
            (.http, request(.init("purpose", .text("evil")))), (.http, request(.init("policy", .text("evil")))),
            (
                .http,
                request(
                    .init("headers", .list([.record([.init("name", .text("HOST")), .init("value", .text("x"))])])))
            ),
            (
                .service,
                [.init("source", .text("s")), .init("request", .record([.init("timeout", .integer(601))]))]
            ),
            (
                .execute,
                [
                    .init("arguments", .list([.integer(1)])), .init("input", .integer(0)),
                    .init("timeout", .integer(1)),
                    .init("limit", .integer(1)),
                ]
            ),
            (.draw, [.init("picture", .integer(0)), .init("options", .record([.init("colours", .integer(77))]))]),
            (.draw, [.init("picture", .integer(0)), .init("options", .record([.init("rows", .integer(.max))]))]),
        ] as [(WorkerMessageKind, [FieldValue.Member])])
    func refused(_ kind: WorkerMessageKind, _ members: [FieldValue.Member]) {
        #expect(WireMessage(kind: kind, header: .record(members), body: [1, 2, 3]).request == nil)
    }

    @Test("texts and lists of a report are bounded, whichever side made it")
    func reports() throws {
        let long = String(repeating: "é", count: 100_000)
        let read = try #require(
            ErrorReport(wire: .record([.init("message", .text(long)), .init("trace", .list([.text(long)]))])))
        #expect(read.message.utf8.count < 33_000 && read.trace[0].utf8.count < 33_000)
        var report = ErrorReport(code: .quota, kind: "quota", message: long, hint: long)
        report.words = ServiceErrorDetails(code: long, invalid: Array(repeating: .init(field: long), count: 60))
        let sent = try #require(ErrorReport(wire: report.wire))
        #expect(sent.message == read.message && sent.hint == read.message && sent.code == .quota)
        #expect(sent.words?.code == read.message)
        #expect(sent.words?.invalid == Array(repeating: .init(field: read.message), count: 50))
        for value: FieldValue in [.none, .text("x"), .record([.init("code", .integer(1 << 32))])] {
            guard case .workerDied = HostError(failureWire: value) else {
                Issue.record("\(value) is read as a report")
                continue
            }
        }
    }
}
