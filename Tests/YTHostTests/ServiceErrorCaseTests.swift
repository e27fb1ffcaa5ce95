// The answers of cases/api_errors.tsv, where they are at hand: what each means, how the command leaves, and whether it
// makes sense to ask again.

import FoundationEssentials
import Testing

@testable import Basics
@testable import HostErrors
@testable import VideoFormats
@testable import VideoModel
@testable import VideoServices
@testable import WebClient

private let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "../shared/cases/api_errors.tsv").standardizedFileURL

/// Under CI it must be there: a missing file is a failure, not a skipped test.
private let isAtHand =
    FileManager.default.fileExists(atPath: file.path) || ProcessInfo.processInfo.environment["CI"] != nil

@Suite(.enabled(if: isAtHand, "the cases in ../shared/cases are not here"))
struct ServiceErrorCaseTests {
    private func rows() throws -> [[String]] {
        String(decoding: try Data(contentsOf: file), as: UTF8.self).split(separator: "\n").dropFirst().map {
            $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        }
    }

    /// A word that the report says, by the meaning that the table has.
    private static let words = [
        "the key is not valid": "does not know the key", "the API is not enabled for the project": "enabled",
        "no key was sent": "key",
        "daily quota used up, with the bucket and the reset time, no markup": "bucket 'search'",
        "daily quota used up": "used up", "daily search quota used up": "used up", "too fast": "too often",
        "caught before the call where the rule is known": "invalidSearchFilter", "names the parameter": "pageToken",
        "service down": "out of order", "service down, no markup shown": "out of order",
    ]

    @Test("every answer of the cases has its meaning, its exit code and its verdict")
    func answers() throws {
        let rows = try rows()
        #expect(rows.count >= 14)
        let address = try #require(WebAddress("https://www.googleapis.com/youtube/v3/search"))
        for row in rows where row[0] != "200" {
            let (body, meaning) = (Array(row[1].utf8), row[2])
            let status = try #require(Int(row[0]))
            let error = YouTubeAnswer.error(
                status, body, wait: nil, from: .variable("YTHOST_YOUTUBE_KEY"), bucket: "search", limit: 100,
                resets: 1_764_576_000)
            let report = ErrorReport(error)
            #expect(report.code.rawValue == Int32(row[3]), "\(meaning): \(report.message)")
            let word = try #require(Self.words[meaning], "\(meaning)")
            #expect(report.message.contains(word), "\(meaning): \(report.message)")
            #expect(!report.text.contains("<"), "\(report.text)")
            if row[3] == "5" { #expect(report.message.contains("2025-12-01T08:00:00Z")) }
            let verdict = YouTubeAnswer.verdict(WebResponse(status: status, body: body, address: address))
            #expect((verdict == .passing) == (row[4] == "yes"), "\(meaning): \(verdict)")
        }
    }

    @Test("an answer with bad items keeps the good one, and counts the others")
    func items() throws {
        for row in try rows() where row[0] == "200" {
            let page = SearchPage(body: Array(row[1].utf8), format: "youtube")
            let contents = try page.contents()
            #expect(contents.records.map(\.id) == ["okokokokoko"] && contents.records[0].title == nil)
            #expect(contents.skipped == 3)
            #expect(try YouTubeAnswer.envelope(page.body).count == 4)
        }
    }

    @Test("a page in place of a service's answer is an error, though as a file it is a page")
    func page() throws {
        for row in try rows() where row[1].hasPrefix("<") {
            let body = Array(row[1].utf8)
            #expect(throws: FormatError.self) { try SearchPage(body: body, format: "youtube").records() }
            #expect(throws: ServiceError.self) { try YouTubeAnswer.envelope(body) }
            #expect(try RecordReader.read(body).map(\.kind) == [.page])
        }
    }
}
