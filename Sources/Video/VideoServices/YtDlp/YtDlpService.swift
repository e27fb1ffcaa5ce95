// yt-dlp (https://github.com/yt-dlp/yt-dlp), where it is installed and chosen: it reads YouTube's pages, without a key.
// What is easily got wrong: it is a program of many extractors, which would read any address that it is given; only words
// and YouTube's own ids get there.

import Basics
import Sandbox
import VideoModel
import WebClient

/// Searches YouTube by a program of this machine. Never the source that is searched when nothing is chosen, and nothing
/// is kept.
public struct YtDlpService: VideoService {
    public static let name = "ytdlp"
    public var name: String { Self.name }
    public let summary = "yt-dlp, when it is on PATH: reads YouTube's pages, which its terms forbid; needs no key"
    public let honoured: Set<SearchOption> = [.type]
    public let honouredValues: [SearchOption: [String]] = [.type: ["video"]]
    public let lookUps: Set<LookUp.Kind> = [.uploads, .items]
    public var program: String? { Self.program }

    private let network: Network

    public init(network: Network) { self.network = network }

    private static let program = "yt-dlp"
    /// Rows that are asked for when nobody says how many, and at most.
    private static let usualLimit = 50
    private static let mostRows = 500
    /// Seconds, and bytes of what it writes.
    private static let time = 90.0
    private static let mostBytes = 64 << 20
    /// What makes it write one document and read nothing of the user's.
    private static let flags = [
        "--ignore-config", "--no-warnings", "--no-progress", "--no-cache-dir", "--flat-playlist", "--dump-single-json",
        "--socket-timeout", "15",
    ]

    public func search(_ query: SearchQuery, limit: Int, page: String?) throws(ServiceError) -> SearchPage {
        try run(["ytsearch\(rows(limit)):\(try words(query))"], [])
    }

    private func rows(_ limit: Int) -> Int { limit == .max ? Self.usualLimit : max(1, min(limit, Self.mostRows)) }

    private func words(_ query: SearchQuery) throws(ServiceError) -> String {
        try check(query)
        let words = query.words.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        // What cannot be a part of an argument is no word either.
        guard !words.isEmpty, !words.utf8.contains(0) else { throw .emptyQuery(service: name) }
        return words
    }

    public func lookUp(_ question: LookUp, limit: Int, page: String?) throws(ServiceError) -> SearchPage {
        try run([try address(question)], ["--playlist-end", "\(rows(limit))"])
    }

    private func address(_ question: LookUp) throws(ServiceError) -> String {
        switch question {
        case .uploads(let text):
            switch try YouTubeReference.channel(text, for: .uploads) {
            case .channel(let id), .playlist(let id): return "https://www.youtube.com/channel/\(id)/videos"
            case .handle(let handle): return "https://www.youtube.com/\(Escape.url(handle))/videos"
            case .user(let user), .name(let user): return "https://www.youtube.com/user/\(Escape.url(user))/videos"
            }
        case .items(let text):
            let id = Escape.url(try YouTubeReference.playlist(text, for: .items))
            return "https://www.youtube.com/playlist?list=\(id)"
        default: throw .lookUpNotOffered(service: name, question.kind)
        }
    }

    public func plan(_ query: SearchQuery, limit: Int?, fields: Set<VideoField>) throws(ServiceError) -> [PlannedCalls]
    {
        [PlannedCalls(method: "search", count: 1, detail: "ytsearch\(rows(limit ?? .max)):\(try words(query))")]
    }

    public func plan(_ question: LookUp, limit: Int?) throws(ServiceError) -> [PlannedCalls] {
        [PlannedCalls(method: question.kind.rawValue, count: 1, detail: try address(question))]
    }

    // MARK: The program

    private func run(_ subject: [String], _ more: [String]) throws(ServiceError) -> SearchPage {
        if network.settings.isOffline || network.settings.policy == .localOnly || Offline.isOn {
            throw .offline(service: name)
        }
        guard let path = Programs.path(of: Self.program, among: network.settings.variable("PATH")) else {
            throw .noProgram(service: name, program: Self.program)
        }
        let call = ProgramRun(
            path: path, arguments: Self.flags + more + ["--"] + subject, timeout: Self.time, limit: Self.mostBytes)
        let outcome: ProgramRun.Outcome
        do throws(ProgramFault) { outcome = try call.run() } catch {
            throw .programFailed(service: name, .cannotStart(error.reason))
        }
        if let reason = outcome.killed { throw .programFailed(service: name, .killed(reason)) }
        guard outcome.status == 0 else { throw failure(outcome) }
        guard outcome.output.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") else {
            throw .badAnswer(service: name, reason: "it is no JSON")
        }
        var page = SearchPage(body: outcome.output, format: "yt-dlp", calls: 1)
        page.isCounted = true
        return page
    }

    /// Its last line that begins with ERROR says it; 2 is how it leaves when it does not know an option.
    private func failure(_ outcome: ProgramRun.Outcome) -> ServiceError {
        let lines = String(decoding: outcome.errors.suffix(8192), as: UTF8.self).split(whereSeparator: \.isNewline)
        let said = lines.last { $0.hasPrefix("ERROR: ") }.map { $0.dropFirst(7) } ?? lines.last ?? ""
        let text = Text.clean(String(said.prefix(500)))
        if outcome.status == 2 { return .programFailed(service: name, .tooOld(text)) }
        if text.mentions("HTTP Error 429") { return .tooFast(service: name, status: 429, wait: nil) }
        if text.mentions("does not exist") || text.mentions("HTTP Error 404") {
            return .notThere(service: name, status: 404, reason: nil, message: text)
        }
        let network = ["Name or service not known", "Network is unreachable", "Connection refused", "timed out"]
        if network.contains(where: { text.mentions($0) }) {
            return .unreachable(service: name, .other(host: "www.youtube.com", reason: text))
        }
        return .programFailed(service: name, .said(text, status: outcome.status))
    }
}
