// Recorded answers of Vimeo, where they are at hand: what a reader who takes care finds in each.

import FoundationEssentials
import Testing

@testable import Basics
@testable import VideoFormats
@testable import VideoModel
@testable import VideoServices
@testable import WebClient

private let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "../shared/fixtures/vimeo-api").standardizedFileURL

/// Under CI they must be there: a missing folder is a failure, not a skipped test.
private let areAtHand =
    FileManager.default.fileExists(atPath: folder.path) || ProcessInfo.processInfo.environment["CI"] != nil

@Suite(.enabled(if: areAtHand, "the recorded replies in ../shared/fixtures are not here"))
struct VimeoFixtureTests {
    private func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: folder.appending(path: name + ".json")))
    }

    private func videos(_ name: String) throws -> [Video] { try RecordReader.read(bytes(name), as: "vimeo") }

    @Test("a token's answer tells its kind, its scopes and whose it is")
    func tokens() throws {
        let app = VimeoToken(try VimeoAnswer.document(bytes("oauth-client-credentials")))
        #expect(app.type == "bearer" && app.scopes == ["public"] && app.user == nil && app.person == nil)
        #expect(!app.token.isEmpty)
        let person = VimeoToken(try VimeoAnswer.document(bytes("oauth-verify")))
        #expect(person.type == "bearer" && person.user == "2433258" && person.person == "Test User")
        #expect(person.scopes?.count == 12 && person.scopes?.contains("private") == true)
    }

    @Test("refusals mean what they say")
    func refusals() throws {
        func error(_ status: Int, _ name: String, _ headers: [WebHeader] = []) throws -> ServiceError? {
            VimeoAnswer.error(
                WebResponse(
                    status: status, headers: WebHeaders(headers), body: try bytes(name), address: WebAddress()),
                from: .variable("X"), redact: { $0 })
        }
        let invalid = WebHeader("WWW-Authenticate", #"Bearer error="invalid_token""#)
        #expect(
            try error(401, "error-401-invalid-token", [invalid])?.plain
                == .keyRefused(service: "vimeo", .invalid, from: .variable("X")))
        guard case .refused(_, 400, "2286", nil, let words) = try error(400, "error-2286-page")?.plain else {
            Issue.record("it is a refusal")
            return
        }
        #expect(words.hasPrefix("Something strange occurred. Please try again. There isn't enough content"))
    }

    @Test("pages tell how many there are and where the next is")
    func pages() throws {
        let search = try VimeoAnswer.envelope(bytes("search-wintertour-2015"), page: 1)
        #expect(search.total == 88 && search.next == 2 && search.previous == nil)
        for name in ["videos-empty", "videos-with-fields", "user-videos-2021"] {
            #expect(try VimeoAnswer.envelope(bytes(name), page: 1).next == nil, "\(name)")
        }
    }

    @Test("videos of every year tell what they have, and nothing that they have not")
    func records() throws {
        let found = try videos("search-wintertour-2015")
        #expect(found.count == 5 && found.allSatisfy { $0.provider == "vimeo" && $0.kind == .video })
        #expect(found.allSatisfy { $0.id != nil && $0.duration != nil && $0.published != nil && $0.channel.id != nil })
        let rows: [(name: String, id: String, duration: Int64, views: Int64?, pictures: Int, availability: String)] = [
            ("video-2015", "18629165", 143, 196, 6, "public"), ("video-2017", "222928033", 69, 5, 5, "public"),
            ("user-videos-2021", "530969457", 60, 2, 7, "public"),
            ("video-136971428-2023", "136971428", 59, 631, 7, "public"),
            ("video-2025", "1058205490", 11, nil, 7, "unlisted"),
        ]
        for row in rows {
            let video = try #require(try videos(row.name).first)
            #expect(video.id == row.id && video.duration == row.duration && video.views == row.views, "\(row.name)")
            #expect(
                video.thumbnails.count == row.pictures && video[.availability] == .text(row.availability), "\(row.name)"
            )
            #expect(video.title?.isEmpty == false && video.url?.hasPrefix("https://vimeo.com/") == true, "\(row.name)")
            #expect(video[.liveState] == .text("none") || video[.liveState].isNone, "\(row.name)")
        }
        #expect(try videos("videos-empty").isEmpty)
        let sparse = try #require(try videos("videos-with-fields").first)
        #expect(sparse.id == "530969457" && sparse.title == "Untitled" && sparse.duration == nil && sparse.views == nil)
        #expect(try videos("video-2025").first?.url == "https://vimeo.com/1058205490/6f1a3055de")
    }
}
