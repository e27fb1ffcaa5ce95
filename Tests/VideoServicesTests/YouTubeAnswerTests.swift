// What the service's refusals mean, row by row, and answers that are none.

import Foundation
import TestSupport
import Testing

@testable import Basics
@testable import VideoServices
@testable import WebClient

@Suite struct YouTubeAnswerTests {
    /// What a search gives after such an answer, without waits between attempts.
    private func failure(_ answers: YouTubeStandIn.Answer...) -> (error: ServiceError?, calls: Int) {
        let bench = YouTubeBench()
        for answer in answers { bench.server.answer("search", answer) }
        var error: ServiceError?
        do { _ = try bench.service.search(SearchQuery(words: "x"), limit: 5, page: nil) } catch let failure {
            error = failure
        }
        return (error, bench.server.calls.count)
    }

    private static let variable = KeyOrigin.variable("YTHOST_YOUTUBE_KEY")

    @Test(
        "each fault of a key is told apart",
        arguments: [
            (YouTubeStandIn.error(400, "keyInvalid", "Bad Request", domain: "usageLimits"), KeyFault.invalid),
            (
                YouTubeStandIn.error(
                    400, "badRequest", "API key not valid. Please pass a valid API key.",
                    more:
                        #","status":"INVALID_ARGUMENT","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"API_KEY_INVALID","domain":"googleapis.com"}]"#
                ), .invalid
            ),
            (
                YouTubeStandIn.error(
                    403, "accessNotConfigured", "The API has not been used before.", domain: "usageLimits"), .disabled
            ),
            (
                YouTubeStandIn.error(
                    403, "forbidden", "Disabled.", more: #","details":[{"reason":"SERVICE_DISABLED"}]"#), .disabled
            ),
            (YouTubeStandIn.error(403, "ipRefererBlocked", "Blocked.", domain: "usageLimits"), .restricted),
            (
                YouTubeStandIn.error(
                    403, "forbidden", "Blocked.", more: #","details":[{"reason":"API_KEY_IP_ADDRESS_BLOCKED"}]"#),
                .restricted
            ),
            (YouTubeStandIn.error(403, "forbidden", "No caller.", more: #","status":"PERMISSION_DENIED""#), .notSeen),
        ])
    func keys(answer: YouTubeStandIn.Answer, fault: KeyFault) {
        let (error, calls) = failure(answer)
        #expect(error?.plain == .keyRefused(service: "youtube", fault, from: Self.variable))
        // What the service said goes with it.
        #expect(error?.words?.code?.isEmpty == false && error?.words?.forDevelopers?.isEmpty == false)
        #expect(calls == 1)
    }

    @Test(
        "a daily quota is known by its reason, or by 'per day' in the words of a 429, and is not asked again",
        arguments: [
            YouTubeStandIn.error(
                403, "quotaExceeded", #"You have exceeded your <a href=\"/q\">quota</a>."#, domain: "youtube.quota"),
            YouTubeStandIn.error(403, "dailyLimitExceeded", "Daily Limit Exceeded", domain: "usageLimits"),
            YouTubeStandIn.error(
                429, "rateLimitExceeded",
                "Quota exceeded for quota metric 'Search Queries' and limit 'Search Queries per day'",
                more: #","status":"RESOURCE_EXHAUSTED""#),
        ])
    func daily(answer: YouTubeStandIn.Answer) {
        let (error, calls) = failure(answer)
        guard case .quotaSpent("youtube", "search", 100, .some) = error?.plain else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(calls == 1)
    }

    @Test(
        "what passes is tried again",
        arguments: [
            YouTubeStandIn.error(
                429, "rateLimitExceeded", "Too many requests", more: #","status":"RESOURCE_EXHAUSTED""#),
            YouTubeStandIn.error(403, "userRateLimitExceeded", "Rate Limit Exceeded", domain: "usageLimits"),
            YouTubeStandIn.error(503, "backendError", "Unavailable.", more: #","status":"UNAVAILABLE""#),
            YouTubeStandIn.Answer(502, "<html><body>Bad Gateway</body></html>"),
        ])
    func passing(answer: YouTubeStandIn.Answer) {
        let (error, calls) = failure(answer)
        #expect(error == nil)
        #expect(calls == 2)
    }

    @Test(
        "what does not pass is told when all attempts are over",
        arguments: [
            (
                YouTubeStandIn.error(429, "rateLimitExceeded", "Too many requests"),
                ServiceError.tooFast(service: "youtube", status: 429, wait: nil)
            ),
            (YouTubeStandIn.Answer(502, "<html>Bad Gateway</html>"), .unavailable(service: "youtube", status: 502)),
        ])
    func lasting(answer: YouTubeStandIn.Answer, error: ServiceError) {
        let (found, calls) = failure(answer, answer, answer)
        #expect(found?.plain == error)
        #expect(calls == 3)
    }

    @Test(
        "what is no answer in the place of one is told, spends one call, and is not kept",
        arguments: [
            "", "{}", "<html>log in to the hotel</html>",
            #"{"kind":"youtube#searchListResponse","items":[{"id":5}]"#,
        ])
    func page(body: String) throws {
        let bench = YouTubeBench()
        bench.server.answer("search", YouTubeStandIn.Answer(200, body))
        let query = SearchQuery(words: "x")
        #expect {
            try bench.service.search(query, limit: 5, page: nil)
        } throws: { error in
            guard case .badAnswer("youtube", _, _)? = error as? ServiceError else { return false }
            return true
        }
        #expect(bench.server.calls.count == 1)
        #expect(try bench.service.search(query, limit: 5, page: nil).kept == 0)
    }

    @Test("an answer may begin with the mark of its encoding")
    func mark() {
        let (error, calls) = failure(
            YouTubeStandIn.Answer(200, "\u{FEFF}" + #"{"kind":"youtube#searchListResponse","items":[]}"#))
        #expect(error == nil)
        #expect(calls == 1)
    }

    @Test("a request that the service refuses is told with its parameter, and not repeated")
    func refused() {
        let answer = YouTubeStandIn.error(
            400, "invalidPageToken", "bad token", domain: "youtube.parameter")
        let (error, calls) = failure(answer)
        #expect(
            error
                == .refused(
                    service: "youtube", status: 400, reason: "invalidPageToken", parameter: nil, message: "bad token"))
        #expect(calls == 1)
    }

    @Test("what is not there, or is private, is told as such")
    func notThere() {
        let bench = YouTubeBench()
        bench.server.answer(
            "playlistItems",
            YouTubeStandIn.error(
                404, "playlistNotFound", "The <code>playlistId</code> cannot be found.", domain: "youtube.playlistItem")
        )
        #expect(
            throws: ServiceError.notThere(
                service: "youtube", status: 404, reason: "playlistNotFound", message: "The playlistId cannot be found.")
        ) {
            try bench.service.lookUp(.items("PL0123456789abcdef"), limit: 5, page: nil)
        }
    }

    @Test("without a key anywhere, a stored one for another host, or a bad address, nothing is sent")
    func noKey() {
        let bench = YouTubeBench(key: nil)
        #expect(throws: ServiceError.noKey(service: "youtube", .elsewhere(host: "127.0.0.1"))) {
            try bench.service.search(SearchQuery(words: "x"), limit: 5, page: nil)
        }
        var settings = Network.Settings()
        settings.configurationFolder = bench.network.settings.configurationFolder
        let plain = YouTubeService(network: Network(settings))
        #expect(throws: ServiceError.noKey(service: "youtube", .none)) {
            try plain.search(SearchQuery(words: "x"), limit: 5, page: nil)
        }
        for text in ["ftp://x/youtube/v3", "nonsense", "http://u:p@127.0.0.1/"] {
            settings.variable = { $0 == "YTHOST_YOUTUBE_URL" ? text : "key-key-key" }
            #expect(throws: ServiceError.noKey(service: "youtube", .badAddress(text))) {
                try YouTubeService(network: Network(settings)).search(SearchQuery(words: "x"), limit: 5, page: nil)
            }
        }
        #expect(bench.server.calls.isEmpty)
    }
}

/// Rows of errors as the service's users have met them.
@Suite(.enabled(if: ErrorCases.areAtHand, "the cases in ../shared/cases are not here"))
struct YouTubeErrorCaseTests {
    @Test("the recorded rows of errors mean what they should")
    func cases() throws {
        let rows = try ErrorCases.rows()
        for row in rows {
            var error: ServiceError?
            if row.status != 200 {
                error = YouTubeAnswer.error(
                    row.status, Array(row.body.utf8), wait: nil, from: .variable("X"), bucket: "search", limit: 100,
                    resets: 1)
            }
            let response = WebResponse(
                status: row.status, body: Array(row.body.utf8), address: WebAddress(scheme: "http", host: "x"))
            #expect((YouTubeAnswer.verdict(response) == .passing) == row.isRetried, "\(row.meaning)")
            #expect(Self.code(error) == row.exit, "\(row.meaning): \(String(describing: error))")
        }
        #expect(rows.count >= 14)
    }

    /// The exit code that a failure has; the words are made on a floor above.
    private static func code(_ error: ServiceError?) -> Int {
        switch error?.plain {
        case nil: 0
        case .keyRefused: 3
        case .quotaSpent, .quotaShort: 5
        case .refused(_, _, "invalidSearchFilter", _, _): 2
        default: 4
        }
    }

}

private enum ErrorCases {
    static let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "../shared/cases/api_errors.tsv").standardizedFileURL

    /// Where `CI` is set they must be there.
    static var areAtHand: Bool {
        ProcessInfo.processInfo.environment["CI"] != nil || FileManager.default.fileExists(atPath: file.path)
    }

    struct Row {
        let status: Int, body: String, meaning: String, exit: Int, isRetried: Bool
    }

    static func rows() throws -> [Row] {
        try String(contentsOf: file, encoding: .utf8).split(separator: "\n").dropFirst().compactMap { line in
            let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard cells.count == 5, let status = Int(cells[0]), let exit = Int(cells[3]) else { return nil }
            return Row(status: status, body: cells[1], meaning: cells[2], exit: exit, isRetried: cells[4] == "yes")
        }
    }
}
