// A stand-in for a PeerTube server on a port of this machine: it searches, and looks videos up, of which it has as many as
// the stand-ins of other services.

import Basics

public final class PeerTubeStandIn: Sendable {
    private let server: LoopbackServer

    public init() {
        server = LoopbackServer { request, reply in
            let parts = request.target.split(separator: "?", maxSplits: 1).map(String.init)
            let query = WebAddress(query: parts.count == 2 ? parts[1] : "")
            let start = query.queryValue("start").flatMap { Int($0) } ?? 0
            let count = query.queryValue("count").flatMap { Int($0) } ?? 15
            switch parts[0] {
            case "/api/v1/search/videos":
                let rows = (start..<min(start + count, Self.count)).map(Self.video)
                reply.answer(200, [], #"{"total":\#(Self.count),"data":[\#(rows.joined(separator: ","))]}"#)
            case let path where path.hasPrefix("/api/v1/videos/00000000-"):
                reply.answer(200, [], Self.video(Int(path.suffix(4)) ?? 0))
            default: reply.answer(404, [], #"{"title":"Not Found","detail":"There is nothing","status":404}"#)
            }
        }
    }

    public var url: String { "http://127.0.0.1:\(server.port)" }
    public func stop() { server.stop() }
    public var targets: [String] { server.requests.map(\.target) }

    public static let count = 130

    private static func video(_ number: Int) -> String {
        let digits = String(number)
        let id = "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
        return
            #"{"uuid":"\#(id)","name":"P & \#(number)","url":"https://tube.example/videos/watch/\#(id)","embedPath":"/e","duration":\#(number * 60),"views":\#(number * 10),"publishedAt":"2024-01-01T00:00:00.000Z","channel":{"name":"c","host":"tube.example","displayName":"C","url":"https://tube.example/c"}}"#
    }
}
