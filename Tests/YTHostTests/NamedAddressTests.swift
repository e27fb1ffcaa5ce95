// Addresses that the user named, as a worker that is not to be trusted may ask for them; and lists that name them.

import TestSupport
import Testing

@testable import Basics
@testable import Files
@testable import Gate
@testable import HostErrors
@testable import Pipeline
@testable import RecordStreams
@testable import WebClient
@testable import WorkerHost
@testable import YTHost

@Suite struct NamedAddressTests {
    private let bench: Workbench
    private let server: LoopbackServer

    init() throws {
        bench = try Workbench()
        server = LoopbackServer { request, reply in reply.answer(200, [], request.target) }
    }

    private func gate(_ origins: [RunRequest.Origin], typed: Bool = true) -> DirectGate {
        var request = RunRequest()
        request.origins = origins
        if typed { request.typedOrigins = Set(origins.map(\.line)) }
        return bench.host.directGate(request, MemorySink())
    }

    private func ask(
        _ gate: DirectGate, _ address: String, place: Int, _ purpose: HTTPRequest.Purpose = .feed
    ) throws -> GateReply {
        var request = HTTPRequest(WebAddress(address) ?? WebAddress())
        request.origin = place
        request.purpose = purpose
        request.headers = [WebHeader("X-Stolen", "1")]
        return try gate.ask(.http(request), for: nil)
    }

    @Test("whoever asks says which of the run's addresses it wants, and not where that leads")
    func place() throws {
        let gate = gate([.channel("x"), .feed(server.address("/named?a=1"))])
        guard case .answer(let response, _, _) = try ask(gate, "http://evil.example/?secret", place: 1) else {
            return #expect(Bool(false))
        }
        #expect(response.body == Array("/named?a=1".utf8))
        #expect(server.requests.map(\.target) == ["/named?a=1"] && server.requests[0].header("x-stolen") == nil)
        for place in [0, 2, -1, Int.max] {
            #expect(throws: HostError.self) { try ask(gate, "http://evil.example/", place: place) }
        }
        #expect(server.requests.count == 1)
    }

    @Test("what a page names is asked on the page's own site, and elsewhere only with a grant")
    func provider() throws {
        let gate = gate([.page(server.address("/page"))])
        for address in ["http://evil.example/oembed", "http://127.0.0.1.evil.example/", "http://10.0.0.1/"] {
            #expect(throws: HostError.self, "\(address)") { try ask(gate, address, place: 0, .oembed) }
        }
        #expect(server.requests.isEmpty)
        guard case .answer = try ask(gate, server.address("/oembed").description, place: 0, .oembed) else {
            return #expect(Bool(false))
        }
        #expect(throws: HostError.self) { try ask(gate, "http://127.0.0.1:9/oembed", place: 0, .oembed) }
        #expect(server.requests.map(\.target) == ["/oembed"])
    }

    @Test("an address of a list is not the user's own word: it leads to no private place")
    func listed() throws {
        let gate = gate([.feed(server.address("/listed"))], typed: false)
        #expect(throws: HostError.self) { try ask(gate, "http://a.example/", place: 0) }
        #expect(server.requests.isEmpty)
    }

    // MARK: what origins are

    @Test(
        "origins are read as they are written",
        arguments: [
            ("feed:https://a.example/x#y", "feed:https://a.example/x"),
            ("feed://a.example/x", "feed:http://a.example/x"),
            ("HTTPS://a.example/", "feed:https://a.example/"), ("page:a.example", "page:https://a.example"),
            ("channel:@a", "channel:@a"), ("playlist:PL1", "playlist:PL1"), ("subs.opml", "subs.opml"),
            (
                "channel:https://peertube.example/c/films",
                "feed:https://peertube.example/feeds/videos.xml?videoChannelName=films"
            ),
            ("./feed:x", "./feed:x"),
        ])
    func read(text: String, line: String) throws {
        #expect(try RunRequest.Origin(text).line == line)
    }

    @Test(
        "what is no origin is an error",
        arguments: [
            "", "feed:", "feed:x", "feed:ftp://a.example", "page:", "channel:", "https://", "https://a:b@c.example/",
            "http://é.example/",
        ])
    func refused(text: String) {
        #expect(throws: HostError.self) { try RunRequest.Origin(text) }
    }

    @Test(
        "a line of a list is an origin, an id, a handle or an address; others are told by their number and cost nothing"
    )
    func lines() throws {
        let (lines, none) = RunRequest.Origin.lines(
            "\u{FEFF}# a\r\n\r\n@name\nUC_x5XG1OV2P6uZZ5FSM9Ttw # google\nhttps://www.youtube.com/@x\nfeed:https://a.example/"
        )
        #expect(none.isEmpty)
        #expect(
            lines.map(\.line) == [
                "channel:@name", "channel:UC_x5XG1OV2P6uZZ5FSM9Ttw", "channel:https://www.youtube.com/@x",
                "feed:https://a.example/",
            ])
        for text in ["a b", "other.opml", "ftp://x.example", "@a\n\nfeed:"] {
            let (origins, bad) = RunRequest.Origin.lines(text + "\n@last")
            #expect(origins.last?.line == "channel:@last" && bad.count == 1)
            #expect(bad.first?.number == text.split(separator: "\n", omittingEmptySubsequences: false).count)
        }
    }
}
