// Recorded replies of the services, where they are at hand. They are not part of the package: they belong to others.

import FoundationEssentials
import Testing

@testable import Basics
@testable import JSON
@testable import VideoFormats
@testable import VideoModel

enum Fixtures {
    static let directory = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "../shared/fixtures").standardizedFileURL

    /// Under CI the recorded replies must be there: a missing directory is a failure, not a skipped test.
    static let areAtHand =
        FileManager.default.fileExists(atPath: directory.path)
        || ProcessInfo.processInfo.environment["CI"] != nil

    static func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: directory.appending(path: name)))
    }

    static func names(_ prefixes: [String], in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory.appending(path: folder).path)
            .filter { name in name.hasSuffix(".json") && prefixes.contains { name.hasPrefix($0) } }.sorted()
            .map { "\(folder)/\($0)" }
    }
}

@Suite(.enabled(if: Fixtures.areAtHand, "the recorded replies in ../shared/fixtures are not here"))
struct FixtureTests {
    private func read(_ name: String) throws -> (videos: [Video], skipped: Int) {
        let reader = try RecordReader(strict: false)
        let videos = try reader.feed(Fixtures.bytes(name)) + reader.finish()
        return (videos, reader.skippedCount)
    }

    @Test("every item of a recorded search or videos reply is a record")
    func everyItem() throws {
        let names = try Fixtures.names(["search", "video"], in: "youtube-api")
        #expect(names.count > 20)
        for name in names {
            let reply = try JSON.decode(try Fixtures.bytes(name))
            let items = reply["items"].list ?? (reply["id"].isNone ? [] : [reply])
            let (videos, skipped) = try read(name)
            #expect(videos.count == items.count, "\(name)")
            #expect(skipped == 0, "\(name)")
            for (video, item) in zip(videos, items) {
                #expect(video.id != nil && video.url != nil, "\(name)")
                #expect(video[.raw] == item, "\(name)")
                #expect((video.published == nil) == item["snippet"]["publishedAt"].isNone, "\(name)")
                #expect((video.title == nil) == item["snippet"]["title"].isNone, "\(name)")
            }
        }
    }

    @Test(
        "recorded replies give the titles one sees",
        arguments: [
            ("search-surfing-p1", 25, nil),
            ("search-videos-and-playlists", nil, "Front End Web Development Learning Path | HTML, CSS, JS, Angular"),
            ("search-zero-results", 0, nil), ("videos-unavailable-empty", 0, nil),
            ("videos-duration-fields", 3, "CHVRCHES - The Mother We Share"),
            ("videos-fields-filtered", 1, "Cherry Bloom - King Of The Knife"),
        ] as [(String, Int?, String?)])
    func titles(name: String, count: Int?, title: String?) throws {
        let (videos, _) = try read("youtube-api/\(name).json")
        if let count { #expect(videos.count == count) }
        if let title { #expect(videos.first?.title == title) }
    }

    @Test("recorded hits are of the kinds they say")
    func kinds() throws {
        #expect(try read("youtube-api/search-channels.json").videos.allSatisfy { $0.kind == .channel })
        #expect(try read("youtube-api/search-videos-and-playlists.json").videos.contains { $0.kind == .playlist })
        #expect(try read("youtube-api/search-live-events.json").videos.allSatisfy { $0[.live] == .bool(true) })
    }

    @Test("no recorded search title keeps an entity")
    func entities() throws {
        for name in try Fixtures.names(["search"], in: "youtube-api") {
            for video in try read(name).videos {
                #expect(video.title?.contains("&#39;") != true && video.title?.contains("&quot;") != true, "\(name)")
            }
        }
    }

    @Test(
        "recorded broadcasts stand where they stood",
        arguments: [("ended", "was_live"), ("now", "live"), ("upcoming", "upcoming")])
    func broadcasts(name: String, state: String) throws {
        let video = try #require(try read("youtube-api/videos-live-\(name).json").videos.first)
        #expect(video[.liveState] == .text(state))
        #expect(video[.starts].integer != nil)
    }

    @Test("a recorded video that is blocked in places says where")
    func regions() throws {
        let video = try #require(try read("youtube-api/video-region-blocked.json").videos.first)
        let country = try #require(video[.regions]["blocked"].list?.first?.text)
        #expect(video.playable(in: country) == false)
        #expect(video[.captions] == .bool(true))
    }

    @Test("every recorded error body is a refusal without markup")
    func errors() throws {
        let names = try Fixtures.names(["error"], in: "youtube-api") + Fixtures.names(["error"], in: "vimeo-api")
        #expect(names.count > 10)
        for name in names {
            let error = #expect(throws: FormatError.self, "\(name)") { try read(name) }
            guard case .refused(let refusal) = error else {
                Issue.record("\(name): \(String(describing: error))")
                continue
            }
            #expect(!refusal.message.contains("<"), "\(name)")
        }
    }

    @Test("recorded records survive ythost's own lines")
    func roundTrip() throws {
        for name in try Fixtures.names(["search", "video"], in: "youtube-api") {
            let videos = try read(name).videos
            let lines = videos.flatMap { YTHostFormat.line($0) + [UInt8(ascii: "\n")] }
            let back = try RecordReader.read(lines, strict: true)
            #expect(back.count == videos.count)
            for (one, other) in zip(videos, back) {
                for field in VideoField.allCases where field != .raw && field != .channel {
                    #expect(one[field] == other[field], "\(name) \(field.name)")
                }
                #expect(one.channel == other.channel, "\(name)")
            }
        }
    }
}
